/* The search for the commit of a confirmed change, among the commits of one night. */
#include "trials.h"

#include "config/model/alert.h"
#include "server/alarm/alerts.h"
#include "server/alarm/baselines.h"
#include "server/notify/notify_rule.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"

#include <math.h>

/* Seven nights, the last of which holds commits 100 … 115 and is itself number 7. */
static void commits_make(srv_commit *list, char (*sha)[41], size_t count) {
    for (size_t i = 0; i < count; i++) {
        g_strlcpy(sha[i], fix_sha(i + 1 == count ? 7 : 100 + (int)i), 41);
        list[i] = (srv_commit){sha[i], "Ada", "ada@example.org", 1000, "One of many", NULL, 0};
    }
}

static size_t place_of(const char (*sha)[41], size_t count, const char *commit) {
    for (size_t i = 0; i < count; i++)
        if (g_str_equal(sha[i], commit))
            return i;
    fail_msg("%s is none of the commits", commit);
    return 0;
}

/* What the trials of a search see: how much of the change is there with each commit; broken ones do
 * not build. */
typedef struct {
    const double *share; /* [count] */
    const bool *broken;  /* [count]; NULL: none */
    double slower;       /* as the machine is by now; 0: 1 */
    const double *end;   /* [4] of the last; NULL: after */
} seen_at;

static void means_of(double means[4], const seen_at *seen, double share) {
    const double *end = seen->end ? seen->end : after;
    for (int i = 0; i < 4; i++)
        means[i] =
            (seen->slower > 0 ? seen->slower : 1) * (before[i] + share * (end[i] - before[i]));
}

/* Answer the search's jobs; how many there were. */
static int answer_search(fixture *fix, const char (*sha)[41], size_t count, const seen_at *seen) {
    int trials = 0;
    for (json_t *leased; (leased = fix_lease(fix)); trials++) {
        GError *error = NULL;
        bool created;
        const json_t *job = json_object_get(leased, "job");
        const char *old = text_of(job, "before");
        const size_t place = place_of(sha, count, text_of(job, "commit"));
        double older[4], newer[4], there = 0; /* at the commit before the range nothing is */
        assert_string_equal(text_of(job, "kind"), "bisection");
        for (size_t i = 0; i < count; i++)
            there = g_str_equal(sha[i], old) ? seen->share[i] : there;
        means_of(older, seen, there);
        means_of(newer, seen, seen->share[place]);
        if (seen->broken && seen->broken[place]) {
            json_t *body = json_pack("{s:O,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"),
                                     "phase", "prepare", "reason", "does not build", "retry", 0);
            assert_true(srv_queue_failure(fix->store, &fix_rules, number_of(job, "id"), body,
                                          fix->now_ms, &error));
            json_decref(body);
        } else {
            json_t *body = fix_trial(fix, leased, older, newer);
            json_t *answer = srv_ingest_result(fix->store, number_of(job, "id"), body, fix->now_ms,
                                               &created, &error);
            if (!answer)
                fail_msg("%s", error->message);
            json_decref(answer);
            json_decref(body);
        }
        json_decref(leased);
    }
    return trials;
}

#define LITTLE 0.125
#define HALF 0.55

/* As if commits from culprit on were new, and those from beside on different by a part. */
static int run_search(fixture *fix, const char (*sha)[41], size_t count, size_t culprit,
                      size_t beside, double part, const bool *broken) {
    double share[16];
    for (size_t i = 0; i < count; i++)
        share[i] = i >= culprit ? 1 : i >= beside ? part : 0;
    return answer_search(fix, sha, count, &(seen_at){share, broken, 0, NULL});
}

static json_t *search_of(fixture *fix) {
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    json_t *search = json_incref(json_object_get(alert, "bisection"));
    json_decref(alert);
    return search;
}

/* "moowatch run kieker.yaml --commit A --compare B" */
static void repeats(fixture *fix, const char *commit, const char *compared) {
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    g_autofree char *wanted =
        g_strdup_printf("moowatch run kieker.yaml --commit %s --compare %s", commit, compared);
    assert_string_equal(text_of(alert, "repeat"), wanted);
}

static void begin_search(fixture *fix, srv_commit *list, char (*sha)[41], size_t count) {
    GError *error = NULL;
    run_trial(fix, before, after, suspicious_night(fix));
    model_list wanted;
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, &error));
    assert_int_equal(wanted.count, 1);
    assert_string_equal(((const srv_search_wanted *)wanted.items)->to, fix_sha(7));
    model_list_clear(&wanted);
    commits_make(list, sha, count);
    for (int i = 0; i < 2; i++)
        assert_true(srv_bisection_begin(fix->store, 1, list, count, NULL, fix->now_ms, &error));
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, &error));
    assert_int_equal(wanted.count, 0);
    model_list_clear(&wanted);
}

/* Changes of less than half of a portion. */
static void ignore_half(fixture *fix) {
    cfg_project *project = fix_project("kieker");
    project->detection.minimum_effect_percent = 50;
    fix_sync_only(fix, project);
}

static void every_culprit_is_found(void **state) {
    (void)state;
    for (size_t culprit = 0; culprit < 16; culprit += 3) {
        void *own;
        setup(&own);
        fixture *fix = own;
        srv_commit list[16];
        char sha[16][41];
        begin_search(fix, list, sha, 16);
        int trials = run_search(fix, (const char(*)[41])sha, 16, culprit, 16, 0, NULL);
        assert_true(trials <= 8); /* four steps, each of one look or two */
        json_t *search = search_of(fix);
        assert_string_equal(text_of(search, "state"), "found");
        assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[culprit]);
        assert_true(json_array_size(json_object_get(search, "steps")) <= 4);
        assert_null(json_object_get(search, "partly"));
        json_decref(search);
        teardown(&own);
    }
}

/* Found by ci/demo: a small part of the change took 600 loops, and there was no answer. */
static void a_small_change_beside_is_passed_over(void **state) {
    fixture *fix = *state;
    srv_commit list[16];
    char sha[16][41];
    begin_search(fix, list, sha, 16);
    const int trials = run_search(fix, (const char(*)[41])sha, 16, 12, 5, LITTLE, NULL);
    assert_true(trials <= 12);
    json_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "found");
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[12]);
    json_decref(search);
}

/* What brought half of it and more is not as before, though the project ignores so much: else the
 * other half accused a later commit of all. */
static void half_of_it_is_found(void **state) {
    fixture *fix = *state;
    srv_commit list[4];
    char sha[4][41];
    ignore_half(fix);
    begin_search(fix, list, sha, 4);
    run_search(fix, (const char(*)[41])sha, 4, 3, 1, HALF, NULL);
    json_auto_t *search = search_of(fix);
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[1]);
    assert_true(g_str_has_prefix(text_of(search, "rest"), "Only 55 % of the change came with "));
}

/* One was named for all that the night showed, since what may be left was less than its own. */
static void what_may_be_left_is_measured(void **state) {
    fixture *fix = *state;
    srv_commit list[2];
    char sha[2][41];
    begin_search(fix, list, sha, 2);
    const double share[2] = {0.6, 1};
    answer_search(fix, (const char(*)[41])sha, 2, &(seen_at){share, NULL, 0, NULL});
    json_auto_t *search = search_of(fix);
    g_autofree char *rest = g_strdup_printf(
        "Only 60 %% of the change came with %.9s; 40 %% came with %.9s.", sha[0], sha[1]);
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[0]);
    assert_string_equal(text_of(search, "rest"), rest);
}

/* Its own share was more than all, since the commit before it was faster by chance. */
static void the_last_is_measured_whatever_the_step_shows(void **state) {
    fixture *fix = *state;
    srv_commit list[4];
    char sha[4][41];
    const double share[4] = {-0.1, 1, 1, 1};
    begin_search(fix, list, sha, 4);
    static const char *const ways[] = {
        "UPDATE alert SET difference_low_ns=2*difference_mean_ns",
        "UPDATE alert_portion SET difference_low_ns=2*difference_mean_ns"};
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++)
        assert_true(srv__run(fix->store, sql_text(ways[i], ""), SRV__NO_ARGS, NULL));
    answer_search(fix, (const char(*)[41])sha, 4, &(seen_at){share, NULL, 0, NULL});
    json_auto_t *search = search_of(fix);
    const json_t *steps = json_object_get(search, "steps");
    const json_t *last = json_array_get(steps, json_array_size(steps) - 1);
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[1]);
    assert_string_equal(text_of(json_object_get(last, "commit"), "sha"), sha[3]);
    assert_string_equal(text_of(last, "saw"), "as with 000000000");
    assert_true(json_is_true(json_object_get(search, "partly"))); /* the first one differs */
}

/* Of a night that moved I and C the search asks of one: of the other its commit says nothing. */
static void a_search_is_of_one_portion(void **state) {
    static const double both[4] = {70, 190, 1700, 3300};
    fixture *fix = *state;
    GError *error = NULL;
    srv_commit list[4];
    char sha[4][41];
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    const int64_t last = night(fix, 7, both);
    run_trial(fix, before, both, last);
    commits_make(list, sha, 4);
    assert_true(srv_bisection_begin(fix->store, 1, list, 4, NULL, fix->now_ms, &error));
    answer_search(fix, (const char(*)[41])sha, 4,
                  &(seen_at){(const double[]){0, 1, 1, 1}, NULL, 0, both});
    json_auto_t *search = search_of(fix);
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[1]);
    assert_string_equal(text_of(search, "of"), "Collection (C)");
    assert_string_equal(text_of(search, "alone"),
                        "The search is of Collection (C) alone; the commit of Instrumentation (I) "
                        "is not known.");
    json_auto_t *view = srv_view_experiment(fix->store, last, NULL);
    g_auto(cfg_night) told = cfg_night_of(view);
    assert_true(srv__blame_add(fix->store, &told, &error));
    const cfg_portion *i = &told.portions[1], *c = &told.portions[2];
    assert_null(i->culprit);
    assert_int_equal(i->among, 4);
    assert_non_null(c->culprit);
    assert_int_equal(c->among, 0);
}

/* A change that came with several of 16 commits. */
typedef struct {
    int place;
    double part;
} step;

static int search_steps(fixture *fix, const step *steps, double slower, char (*sha)[41]) {
    srv_commit list[16];
    double share[16] = {0};
    for (size_t i = 0; i < 16; i++)
        for (const step *s = steps; s->part > 0; s++)
            share[i] += (int)i >= s->place ? s->part : 0;
    begin_search(fix, list, sha, 16);
    return answer_search(fix, (const char(*)[41])sha, 16, &(seen_at){share, NULL, slower, NULL});
}

/* "Only 62 % of the change came with …", within what the loops waver. */
static void brought(const json_t *search, double share) {
    const char *rest = text_of(search, "rest");
    assert_non_null(rest);
    assert_true(g_str_has_prefix(rest, "Only "));
    assert_true(fabs(g_ascii_strtod(rest + strlen("Only "), NULL) - 100 * share) <= 6);
}

/* Seen: 21 % came with one commit, 17 % with a later one, which was named, and 62 % with the last.
 */
static void the_largest_of_several_steps_is_found(void **state) {
    (void)state;
    static const struct {
        step steps[5];
        size_t largest; /* of them */
    } cases[] = {
        {{{3, 0.21}, {6, 0.17}, {12, 0.62}}, 2},
        {{{2, 0.3}, {7, 0.24}, {11, 0.46}}, 2},
        {{{2, 0.46}, {7, 0.24}, {11, 0.3}}, 0},
        {{{2, 0.3}, {7, 0.4}, {11, 0.3}}, 1},
        {{{5, 0.3}, {15, 0.7}}, 1},
        {{{0, 0.3}, {1, 0.7}}, 1},
        {{{14, 0.4}, {15, 0.6}}, 1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        void *own;
        char sha[16][41];
        const step *largest = &cases[i].steps[cases[i].largest];
        setup(&own);
        assert_true(search_steps(own, cases[i].steps, 0, sha) <= 30);
        json_auto_t *search = search_of(own);
        assert_string_equal(text_of(search, "state"), "found");
        assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"),
                            sha[largest->place]);
        brought(search, largest->part);
        repeats(own, sha[largest->place],
                largest->place > 0 ? sha[largest->place - 1] : fix_sha(6));
        teardown(&own);
    }
}

/* From 0.7 to 11.8 %. */
static void no_commit_is_named_where_none_brought_a_quarter(void **state) {
    fixture *fix = *state;
    char sha[16][41];
    step steps[17] = {{0, 0}};
    for (int i = 0; i < 16; i++)
        steps[i] = (step){i, (i + 1) / 136.};
    assert_true(search_steps(fix, steps, 0, sha) <= 50);
    json_auto_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "range");
    assert_true(json_is_null(json_object_get(search, "culprit")));
    assert_string_equal(text_of(json_object_get(search, "first"), "sha"), sha[0]);
    assert_string_equal(text_of(json_object_get(search, "last"), "sha"), sha[15]);
    assert_string_equal(text_of(search, "reason"),
                        "no commit was found that brought a quarter of the change");
    assert_non_null(strstr(text_of(search, "rest"), "the rest with others after "));
}

/* The machine is faster by now, so 40 % are all of it: the last commit brought nothing. */
static void a_faster_machine_accuses_no_later_commit(void **state) {
    fixture *fix = *state;
    char sha[16][41];
    search_steps(fix, (const step[]){{5, 1}, {0, 0}}, 0.4, sha);
    json_auto_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "found");
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[5]);
    assert_null(json_object_get(search, "rest"));
}

static void commits_that_do_not_build_leave_a_range(void **state) {
    fixture *fix = *state;
    srv_commit list[8];
    char sha[8][41];
    const bool broken[8] = {false, false, false, true, true, false, false, false};
    begin_search(fix, list, sha, 8);
    run_search(fix, (const char(*)[41])sha, 8, 4, 8, 0, broken);
    repeats(fix, sha[5], sha[2]);
    json_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "range");
    assert_string_equal(text_of(json_object_get(search, "first"), "sha"), sha[3]);
    assert_string_equal(text_of(json_object_get(search, "last"), "sha"), sha[5]);
    assert_int_equal(json_integer_value(json_object_get(search, "left")), 3);
    assert_string_equal(text_of(search, "reason"), "2 of these 3 commits gave no answer");
    const json_t *others = json_object_get(search, "acquitted");
    assert_int_equal(json_array_size(others), 1); /* the only one that a night measured */
    assert_string_equal(text_of(json_array_get(others, 0), "sha"), sha[7]);
    json_decref(search);
}

/* Seen: a step of 600 loops "could not be measured". Nor is a commit acquitted up to a step that
 * shows a part. */
static void what_is_beside_a_range_is_told(void **state) {
    fixture *fix = *state;
    srv_commit list[4];
    char sha[4][41];
    const double share[4] = {0.22, 0.22, 1, 1};
    begin_search(fix, list, sha, 4);
    answer_search(fix, (const char(*)[41])sha, 4,
                  &(seen_at){share, (const bool[4]){false, true, false, false}, 0, NULL});
    static const char *const ways[] = {
        "UPDATE question SET state='undecided' WHERE id=(SELECT question_id FROM bisection_commit "
        "WHERE state='skipped')",
        "UPDATE experiment SET revision_id=(SELECT revision_id FROM bisection_commit WHERE place=0)"
        " WHERE id=1"};
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++)
        assert_true(srv__run(fix->store, sql_text(ways[i], ""), SRV__NO_ARGS, NULL));
    json_auto_t *search = search_of(fix);
    const json_t *one;
    size_t i;
    json_array_foreach (json_object_get(search, "steps"), i, one)
        if (g_str_equal(text_of(json_object_get(one, "commit"), "sha"), sha[1]))
            assert_string_equal(text_of(one, "saw"), "undecided");
    assert_int_equal(json_integer_value(json_object_get(search, "left")), 2);
    assert_true(g_str_has_prefix(text_of(search, "rest"), "Only 78 % of the change came with "));
    assert_int_equal(json_array_size(json_object_get(search, "acquitted")), 1);
}

static void a_single_commit_is_the_culprit(void **state) {
    fixture *fix = *state;
    srv_commit list[1];
    char sha[1][41];
    begin_search(fix, list, sha, 1);
    assert_null(fix_lease(fix));
    json_t *search = search_of(fix);
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[0]);
    json_decref(search);
}

static void a_range_that_git_has_not_is_said(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    srv_commit list[2];
    char sha[2][41];
    run_trial(fix, before, after, suspicious_night(fix));
    commits_make(list, sha, 2);
    assert_false(srv_bisection_begin(fix->store, 1, list, 1, NULL, 1, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    g_clear_error(&error);
    assert_false(srv_bisection_begin(fix->store, 9, list, 2, NULL, 1, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
    g_clear_error(&error);
    assert_true(srv_bisection_begin(fix->store, 1, NULL, 0, "history was rewritten", 1, &error));
    json_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "failed");
    assert_string_equal(text_of(search, "reason"), "history was rewritten");
    json_decref(search);
}

/* Nights 1 to 6 and the 10th, which changed; its search is among the commits 7 to 10. */
static void search_of_four(fixture *fix) {
    GError *error = NULL;
    srv_commit list[4];
    char sha[4][41];
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    run_trial(fix, before, after, night(fix, 10, after));
    for (int i = 0; i < 4; i++) {
        g_strlcpy(sha[i], fix_sha(7 + i), 41);
        list[i] = (srv_commit){sha[i], "Ada", "ada@example.org", 1000, "One of many", NULL, 0};
    }
    assert_true(srv_bisection_begin(fix->store, 1, list, 4, NULL, fix->now_ms, &error));
}

/* The alert has no search, and wants one of the commits after the 8th. */
static void is_searched_anew(fixture *fix) {
    static const double middle[4] = {70, 480, 1600, 3200}; /* as before: no change yet */
    GError *error = NULL;
    g_auto(model_list) wanted = {0};
    night(fix, 8, middle);
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_true(json_is_null(json_object_get(alert, "bisection")));
    assert_true(json_is_null(json_object_get(alert, "explanation")));
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, &error));
    assert_int_equal(wanted.count, 1);
    assert_string_equal(((const srv_search_wanted *)wanted.items)->from, fix_sha(8));
    assert_string_equal(((const srv_search_wanted *)wanted.items)->to, fix_sha(10));
    char sha[41];
    g_strlcpy(sha, fix_sha(10), sizeof sha);
    const srv_commit last = {sha, "Ada", "ada@example.org", 1000, "The one", NULL, 0};
    assert_true(srv_bisection_begin(fix->store, 1, &last, 1, NULL, fix->now_ms, &error));
    json_auto_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "found");
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha);
    repeats(fix, sha, fix_sha(8));
}

/* The last entry of its history. */
static void said_last(fixture *fix, const char *reason) {
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    const json_t *audit = json_object_get(alert, "audit");
    assert_string_equal(text_of(json_array_get(audit, json_array_size(audit) - 1), "reason"),
                        reason);
}

/* The search among four, which finds the one at this place. */
static void finds(fixture *fix, size_t place, char (*sha)[41]) {
    search_of_four(fix);
    for (int i = 0; i < 4; i++)
        g_strlcpy(sha[i], fix_sha(7 + i), 41);
    run_search(fix, (const char(*)[41])sha, 4, place, 4, 0, NULL);
    json_auto_t *search = search_of(fix);
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[place]);
}

/* Seen live: later nights narrowed the range, and the alert still named a commit before it. */
static void what_lies_outside_a_narrowed_range_is_withdrawn(void **state) {
    fixture *fix = *state;
    char sha[4][41];
    finds(fix, 0, sha);
    is_searched_anew(fix);
    g_autofree char *reason = g_strdup_printf(
        "the search had found %.9s; as the change is dated now, it was not that commit", sha[0]);
    said_last(fix, reason);
}

/* By a night that changed already, before the commit that was found. */
static void what_lies_behind_a_narrowed_range_is_withdrawn(void **state) {
    fixture *fix = *state;
    char sha[4][41];
    finds(fix, 3, sha);
    run_trial(fix, before, after, night(fix, 8, after));
    json_auto_t *gone = search_of(fix);
    assert_true(!gone || json_is_null(gone));
    g_auto(model_list) wanted = {0};
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, NULL));
    assert_int_equal(wanted.count, 1);
    assert_string_equal(((const srv_search_wanted *)wanted.items)->to, sha[1]);
}

/* By who moved it to a night, before the commit that was found or after it. */
static void moved_by_hand(fixture *fix, int day) {
    char sha[4][41], date[11];
    int64_t id;
    finds(fix, 3, sha);
    night(fix, 8, before);
    for (int later = 11; later <= day; later++)
        night(fix, later, after);
    (void)g_snprintf(date, sizeof date, "2013-04-%02d", day);
    const srv_baseline said = {.alert = 1, .night = date, .author = "ada", .reason = "seen"};
    assert_true(srv_baseline_set(fix->store, "kieker", &said, fix->now_ms, &id, NULL));
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_true(json_is_null(json_object_get(alert, "bisection")));
    g_autofree char *moved =
        g_strdup_printf("moved by hand from 2013-04-10 to %s: seen (ada)", date);
    assert_string_equal(text_of(alert, "moved"), moved);
    g_auto(cfg_alert) read = cfg_alert_of(alert);
    assert_null(cfg_alert_culprit(&read));
    g_auto(model_list) wanted = {0};
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, NULL));
    assert_int_equal(wanted.count, 1);
    assert_string_equal(((const srv_search_wanted *)wanted.items)->to, fix_sha(day));
    assert_true(srv_baseline_undo(fix->store, id, "ada", "no", fix->now_ms, NULL));
    json_auto_t *back = srv_view_alert(fix->store, 1, NULL);
    assert_null(json_object_get(back, "moved"));
}

static void what_lies_behind_a_range_that_was_moved_is_withdrawn(void **state) {
    moved_by_hand(*state, 8);
}

static void so_is_what_begins_where_it_ends(void **state) {
    moved_by_hand(*state, 6);
}

static void so_is_what_lies_before_all_of_it(void **state) {
    moved_by_hand(*state, 12);
}

/* Whoever works on it waits for the right commit. */
static void an_acknowledged_one_is_searched_anew(void **state) {
    fixture *fix = *state;
    char sha[4][41];
    finds(fix, 0, sha);
    assert_true(srv_alert_set(fix->store, 1, "acknowledged", "nora", "I look", fix->now_ms, NULL));
    is_searched_anew(fix);
}

static void a_search_that_runs_outside_is_cancelled(void **state) {
    fixture *fix = *state;
    search_of_four(fix);
    is_searched_anew(fix);
    said_last(fix, "the search was of another range or change");
    assert_null(fix_lease(fix));
}

/* A confirmed alert whose search has failed. */
static void fails(fixture *fix) {
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    run_trial(fix, before, after, night(fix, 10, after));
    assert_true(srv_bisection_begin(fix->store, 1, NULL, 0, "too many", fix->now_ms, NULL));
}

static void a_failed_search_is_tried_again_in_another_range(void **state) {
    fixture *fix = *state;
    fails(fix);
    night(fix, 11, after); /* judged again, and of the same range */
    json_auto_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "failed");
    is_searched_anew(fix);
}

/* Nobody would begin it again. */
static void a_failed_search_of_an_accepted_alert_stays(void **state) {
    fixture *fix = *state;
    fails(fix);
    assert_true(srv_alert_set(fix->store, 1, "accepted", "nora", "so be it", fix->now_ms, NULL));
    night(fix, 8, before);
    json_auto_t *search = search_of(fix);
    assert_string_equal(text_of(search, "state"), "failed");
}

/* The date of the alert where the watch has dated what was measured again to a night. */
static void is_dated(fixture *fix, int64_t by_nights, const char *date) {
    static const char *const ways[] = {
        "UPDATE alert SET from_experiment=6, dated_experiment=$1",
        "UPDATE suspicion SET to_experiment=$1 WHERE state='confirmed'"};
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++)
        assert_true(srv__run(fix->store, sql_text(ways[i], "i"), SRV__ARGS(by_nights), NULL));
    assert_true(srv__bisection_follow(fix->store, 1, false, fix->now_ms, NULL));
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), date);
}

/* A search that acquits a night's commit moves the alert to the next one, and one that has shown a
 * night's commit as changed to that one: alert and nights have one date. */
static void begins_where_its_search_says(fixture *fix, bool measured) {
    char sha[4][41];
    finds(fix, 2, sha);
    assert_true(srv__run(
        fix->store,
        sql_text("UPDATE bisection_commit SET state='before', question_id=(SELECT max(q.id) FROM "
                 "question q) WHERE place=3 AND $1<>0",
                 "i"),
        SRV__ARGS((int64_t)measured), NULL));
    const int64_t last = 7, innocent = night(fix, 8, before);
    night(fix, 9, after);
    is_dated(fix, innocent, "2013-04-09");
    is_dated(fix, last, "2013-04-09");
    json_auto_t *of = srv_view_experiment(fix->store, innocent, NULL);
    const json_t *portion = json_array_get(json_object_get(of, "portions"), 1);
    assert_null(json_object_get(portion, "later"));
    assert_null(strstr(text_of(of, "headline"), "as a later measurement showed"));
}

static void an_alert_begins_where_its_search_says(void **state) {
    begins_where_its_search_says(*state, false);
}

/* The last commit was measured against the one that was found, and is as it: all of it is there. */
static void what_is_as_the_commit_is_not_as_before(void **state) {
    begins_where_its_search_says(*state, true);
}

/* 40 % came with the 8th and 60 with the 10th, which the alert names: the gate failed the 8th, and
 * its night said that nothing had changed. */
static void the_night_of_a_part_says_so(void **state) {
    fixture *fix = *state;
    char sha[4][41];
    const double share[4] = {0, 0.4, 0.4, 1};
    search_of_four(fix);
    for (int i = 0; i < 4; i++)
        g_strlcpy(sha[i], fix_sha(7 + i), 41);
    answer_search(fix, (const char(*)[41])sha, 4, &(seen_at){share, NULL, 0, NULL});
    json_auto_t *of = srv_view_experiment(fix->store, night(fix, 8, before), NULL);
    assert_string_equal(text_of(of, "headline"),
                        "Instrumentation (I) fell, as a later measurement showed");
    night(fix, 7, before);
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), "2013-04-10");
    const json_t *none = json_object_get(json_object_get(alert, "bisection"), "acquitted");
    assert_int_equal(json_array_size(none), 1); /* a step saw nothing of it up to the 7th */
    assert_string_equal(text_of(json_array_get(none, 0), "sha"), sha[0]);
}

/* The 8th commit brought half of it: its status tells no more, as a later night showed it. */
static void a_status_has_what_its_commit_brought(void **state) {
    fixture *fix = *state;
    char sha[4][41];
    search_of_four(fix);
    for (int i = 0; i < 4; i++)
        g_strlcpy(sha[i], fix_sha(7 + i), 41);
    run_search(fix, (const char(*)[41])sha, 4, 3, 1, HALF, NULL);
    const int64_t own = night(fix, 8, after);
    static const char *const ways[] = {"UPDATE alert SET to_night='2013-04-08', to_experiment=$1",
                                       "UPDATE portion SET verdict='ok' WHERE experiment_id=$1"};
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++)
        assert_true(srv__run(fix->store, sql_text(ways[i], "i"), SRV__ARGS(own), NULL));
    json_auto_t *view = srv_view_experiment(fix->store, own, NULL);
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    g_auto(cfg_night) told = cfg_night_of(view);
    g_auto(cfg_alert) all = cfg_alert_of(alert);
    assert_true(srv__blame_add(fix->store, &told, NULL));
    const cfg_portion *portion = cfg_night_portion(&told, all.change.configuration);
    assert_string_equal(portion->verdict, "anomaly");
    assert_true(fabs(portion->difference.mean / all.change.difference.mean - HALF) < 0.1);
    assert_true(g_str_has_prefix(portion->reason, "With "));
}

/* The 10th commit did it, and a night of the 8th says no other; to repeat it is to measure it and
 * the one before. */
static void what_lies_inside_stays(void **state) {
    fixture *fix = *state;
    char sha[4][41];
    finds(fix, 3, sha);
    repeats(fix, sha[3], sha[2]);
    night(fix, 8, before);
    json_auto_t *search = search_of(fix);
    assert_int_equal(number_of(search, "commits"), 4);
    assert_string_equal(text_of(json_object_get(search, "culprit"), "sha"), sha[3]);
    repeats(fix, sha[3], sha[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_culprit_is_found),
        cmocka_unit_test_setup_teardown(a_small_change_beside_is_passed_over, setup, teardown),
        cmocka_unit_test_setup_teardown(half_of_it_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(what_may_be_left_is_measured, setup, teardown),
        cmocka_unit_test_setup_teardown(the_last_is_measured_whatever_the_step_shows, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_search_is_of_one_portion, setup, teardown),
        cmocka_unit_test(the_largest_of_several_steps_is_found),
        cmocka_unit_test_setup_teardown(no_commit_is_named_where_none_brought_a_quarter, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_faster_machine_accuses_no_later_commit, setup, teardown),
        cmocka_unit_test_setup_teardown(commits_that_do_not_build_leave_a_range, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_beside_a_range_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(a_single_commit_is_the_culprit, setup, teardown),
        cmocka_unit_test_setup_teardown(what_lies_outside_a_narrowed_range_is_withdrawn, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_lies_behind_a_narrowed_range_is_withdrawn, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(so_is_what_lies_before_all_of_it, setup, teardown),
        cmocka_unit_test_setup_teardown(what_lies_behind_a_range_that_was_moved_is_withdrawn, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(so_is_what_begins_where_it_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(an_acknowledged_one_is_searched_anew, setup, teardown),
        cmocka_unit_test_setup_teardown(a_failed_search_is_tried_again_in_another_range, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_failed_search_of_an_accepted_alert_stays, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_search_that_runs_outside_is_cancelled, setup, teardown),
        cmocka_unit_test_setup_teardown(what_lies_inside_stays, setup, teardown),
        cmocka_unit_test_setup_teardown(an_alert_begins_where_its_search_says, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_as_the_commit_is_not_as_before, setup, teardown),
        cmocka_unit_test_setup_teardown(the_night_of_a_part_says_so, setup, teardown),
        cmocka_unit_test_setup_teardown(a_status_has_what_its_commit_brought, setup, teardown),
        cmocka_unit_test_setup_teardown(a_range_that_git_has_not_is_said, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
