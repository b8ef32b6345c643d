/* A suspicious night is measured again before anybody is told. */

#include "trials.h"

#include "server/alarm/trial.h"

static void a_suspicion_is_no_alert_but_a_job(void **state) {
    fixture *fix = *state;
    int64_t seen = suspicious_night(fix);
    verdict_is(fix, seen, "suspect");
    assert_int_equal(alerts(fix), 0);
    json_t *leased = fix_lease(fix);
    const json_t *job = json_object_get(leased, "job");
    assert_string_equal(text_of(job, "kind"), "confirmation");
    assert_string_equal(text_of(job, "commit"), fix_sha(7));
    assert_string_not_equal(text_of(job, "before"), fix_sha(7));
    const json_t *benchmark = json_object_get(job, "benchmark");
    const json_t *list = json_object_get(benchmark, "configurations");
    assert_int_equal(json_array_size(list), 1); /* nothing below I is in doubt */
    assert_string_equal(text_of(json_array_get(list, 0), "name"), "deactivated");
    assert_true(json_is_null(json_object_get(json_array_get(list, 0), "parent")));
    assert_int_equal(number_of(benchmark, "loops"), 5);
    assert_null(json_object_get(benchmark, "in_turn"));
    json_decref(leased);
}

/* Measured once more, the same commit is elsewhere: no code did that. With a commit after it, it
 * can be measured in turn. */
static void one_commit_is_not_measured_against_itself(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    const int64_t again = fix_measure_again(fix, "kieker", 6, "2013-04-07", after);
    assert_null(fix_lease(fix));
    verdict_is(fix, again, "ok");
    json_auto_t *view = srv_view_experiment(fix->store, again, NULL);
    const json_t *portion = json_array_get(json_object_get(view, "portions"), 1);
    assert_non_null(strstr(text_of(portion, "reason"), "may have fallen"));
    assert_non_null(strstr(text_of(portion, "reason"), "both results are of one commit"));
    const int64_t next = night(fix, 8, after);
    assert_true(run_trial(fix, after, after, next) >= 1);
    verdict_is(fix, next, "cleared");
    assert_int_equal(alerts(fix), 0);
}

/* The next job of the trial, answered: what its figures are of, and what it measures; owned. */
static char *next_job(fixture *fix, const double newer[4]) {
    GError *error = NULL;
    bool created;
    json_t *leased = fix_lease(fix), *item;
    assert_non_null(leased);
    json_t *job = srv_view_job(fix->store, job_id(leased), NULL);
    const json_t *asked = json_object_get(json_object_get(job, "trial"), "questions");
    const char *whole = text_of(json_array_get(asked, 0), "whole");
    GString *said = g_string_new(whole ? whole : "I");
    const json_t *benchmark = json_object_get(json_object_get(leased, "job"), "benchmark");
    size_t i;
    json_array_foreach (json_object_get(benchmark, "configurations"), i, item)
        g_string_append_printf(said, "%s %s", i > 0 ? "," : ":", text_of(item, "name"));
    json_t *body = fix_trial(fix, leased, before, newer);
    json_t *answer =
        srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error);
    assert_non_null(answer);
    json_decref(answer);
    json_decref(body);
    json_decref(job);
    json_decref(leased);
    return g_string_free(said, FALSE);
}

static void what_moved_alone_is_measured_with_its_parent(void **state) {
    fixture *fix = *state;
    const int64_t seen = suspicious_night(fix);
    g_autofree char *alone = next_job(fix, after);
    assert_string_equal(alone, "T + I: deactivated");
    assert_int_equal(alerts(fix), 0);
    verdict_is(fix, seen, "suspect");
    g_autofree char *both = next_job(fix, after);
    assert_string_equal(both, "I: none, deactivated");
    verdict_is(fix, seen, "anomaly");
    assert_int_equal(alerts(fix), 1);
}

/* Everything is faster by the same 69 ns, which I alone would not tell from its own. */
static void what_its_parent_explains_is_cleared(void **state) {
    fixture *fix = *state;
    static const double faster[4] = {70 - 69, 470 - 69, 1600 - 69, 3200 - 69};
    const int64_t seen = suspicious_night(fix);
    assert_true(run_trial(fix, before, faster, seen) >= 2);
    verdict_is(fix, seen, "cleared");
    assert_int_equal(alerts(fix), 0);
}

static void confirmed_becomes_an_alert(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = suspicious_night(fix);
    assert_true(run_trial(fix, before, after, seen) >= 1);
    verdict_is(fix, seen, "anomaly");
    assert_int_equal(alerts(fix), 1);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_string_equal(text_of(alert, "portion"), "I");
    assert_string_equal(text_of(alert, "direction"), "down");
    assert_string_equal(text_of(json_object_get(alert, "confirmation"), "state"), "confirmed");
    assert_true(number_of(json_object_get(alert, "confirmation"), "loops") >= 5);
    assert_int_equal(number_of(json_object_get(alert, "to"), "experiment"), seen);
    json_decref(alert);
    for (int day = 8; day <= 12; day++)
        night(fix, day, after);
    assert_int_equal(alerts(fix), 1);
}

/* Measured in turn, the commit before was not where its nights were: the night's headline has the
 * alert's percentage all the same. */
static void one_change_has_one_number(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    const double again[4] = {before[0], before[1] + 30, before[2] + 30, before[3] + 30};
    const int64_t seen = suspicious_night(fix);
    assert_true(run_trial(fix, again, after, seen) >= 1);
    json_auto_t *alert = srv_view_alert(fix->store, 1, &error);
    json_auto_t *night_view = srv_view_experiment(fix->store, seen, &error);
    assert_string_equal(text_of(night_view, "headline"), text_of(alert, "headline"));
}

/* I +200, C +800, W +1000 with one commit. */
static const double dearer[4] = {70, 670, 2600, 5200};

static int64_t night_of_three(fixture *fix) {
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    return night(fix, 7, dearer);
}

static void three_portions_are_one_change(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = night_of_three(fix);
    run_trial(fix, before, dearer, seen);
    assert_int_equal(alerts(fix), 1);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    const json_t *portions = json_object_get(alert, "portions");
    assert_int_equal(json_array_size(portions), 3);
    static const char *const order[] = {"W", "C", "I"};
    for (size_t i = 0; i < G_N_ELEMENTS(order); i++) {
        const json_t *portion = json_array_get(portions, i);
        assert_string_equal(text_of(portion, "portion"), order[i]);
        assert_string_equal(text_of(portion, "direction"), "up");
        assert_string_equal(text_of(json_object_get(portion, "confirmation"), "state"),
                            "confirmed");
    }
    assert_string_equal(text_of(alert, "portion"), "W");
    assert_int_equal(number_of(json_object_get(alert, "to"), "experiment"), seen);
    json_decref(alert);
    model_list wanted;
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, &error));
    assert_int_equal(wanted.count, 1);
    model_list_clear(&wanted);
    for (int day = 8; day <= 14; day++)
        night(fix, day, dearer);
    assert_int_equal(alerts(fix), 1);
    assert_null(fix_lease(fix));
}

/* W is told of the commits that were measured in turn, as I is, though its nights leave more open:
 * since it was cleared any of eight may be the first. The message had other ends than the page. */
static void portions_of_one_trial_have_its_ends(void **state) {
    static const double lucky[4] = {70, 470, 1600, 4000}, both[4] = {70, 1270, 2400, 5000};
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    assert_true(run_trial(fix, before, before, night(fix, 7, lucky)) >= 1);
    for (int day = 8; day <= 11; day++)
        night(fix, day, before);
    assert_true(run_trial(fix, before, both, night(fix, 12, both)) >= 1);
    assert_int_equal(alerts(fix), 1);
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(alert, "portion"), "W");
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 2);
    assert_string_equal(text_of(json_object_get(alert, "from"), "night"), "2013-04-11");
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), "2013-04-12");
}

/* What lies under another portion's change is not measured again for nothing. */
static void a_change_below_asks_for_itself_only(void **state) {
    fixture *fix = *state;
    suspicious_night(fix);
    json_t *leased = fix_lease(fix);
    const json_t *benchmark = json_object_get(json_object_get(leased, "job"), "benchmark");
    assert_int_equal(json_array_size(json_object_get(benchmark, "configurations")), 1);
    json_decref(leased);
}

static void a_portion_that_is_cleared_is_not_part_of_it(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    static const double really[4] = {70, 470, 1600, 4200}; /* only W */
    int64_t seen = night_of_three(fix);
    run_trial(fix, before, really, seen);
    assert_int_equal(alerts(fix), 1);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 1);
    assert_string_equal(text_of(alert, "portion"), "W");
    json_decref(alert);
}

static void cleared_is_counted_and_not_told(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = suspicious_night(fix);
    assert_true(run_trial(fix, before, before, seen) >= 1);
    verdict_is(fix, seen, "cleared");
    assert_int_equal(alerts(fix), 0);
    json_t *project = srv_view_project(fix->store, "kieker", &error);
    assert_int_equal(number_of(project, "cleared"), 1);
    assert_int_equal(number_of(project, "suspicions"), 0);
    json_decref(project);
    for (int day = 8; day <= 14; day++)
        night(fix, day, before);
    assert_int_equal(alerts(fix), 0);
}

static void a_node_that_cannot_tells_at_once(void **state) {
    fixture *fix = *state;
    g_clear_pointer(&fix->can, json_decref);
    suspicious_night(fix);
    night(fix, 8, after);
    assert_int_equal(alerts(fix), 1);
    assert_null(fix_lease(fix));
}

static void a_node_that_learns_it_keeps_what_was_told(void **state) {
    fixture *fix = *state;
    g_clear_pointer(&fix->can, json_decref);
    suspicious_night(fix);
    night(fix, 8, after);
    assert_int_equal(alerts(fix), 1);
    fix->can = json_pack("[s]", "confirmation");
    for (int day = 9; day <= 12; day++)
        night(fix, day, after);
    assert_int_equal(alerts(fix), 1);
    json_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(alert, "state"), "open");
    json_decref(alert);
}

/* The job of the open trial. */
static void trial_fails(fixture *fix) {
    json_t *leased = fix_lease(fix);
    assert_non_null(leased);
    json_t *body = json_pack("{s:O,s:s,s:s,s:b}", "lease", json_object_get(leased, "lease"),
                             "phase", "prepare", "reason", "does not build", "retry", 0);
    assert_true(srv_queue_failure(fix->store, &fix_rules,
                                  number_of(json_object_get(leased, "job"), "id"), body,
                                  fix->now_ms, NULL));
    json_decref(body);
    json_decref(leased);
}

/* It was enough to ask, and would not be where nothing can be measured again. */
static void what_was_only_to_be_asked_is_not_believed(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 12; day++) {
        const double off = 6 * (day % 5 - 2);
        night(fix, day, (double[]){70, 470 + off, 1600 + off, 3200 + off});
    }
    const int64_t seen = night(fix, 13, (double[]){70, 442, 1572, 3172});
    verdict_is(fix, seen, "suspect");
    trial_fails(fix);
    verdict_is(fix, seen, "ok");
    assert_int_equal(alerts(fix), 0);
    json_auto_t *view = srv_view_experiment(fix->store, seen, NULL);
    const char *reason = text_of(json_array_get(json_object_get(view, "portions"), 1), "reason");
    assert_non_null(strstr(reason, "I may have fallen"));
    assert_non_null(strstr(reason, "; it could not be measured again (prepare: does not build)"));
}

/* Nights that scatter: I by 3 %, W by 2 %. */
static int64_t noisy(fixture *fix, int day, double i, double w) {
    const double off = 6 * (day % 5 - 2), high = 20 * (2 * day % 5 - 2);
    return night(fix, day,
                 (double[]){70, 470 + off + i, 1600 + off + i, 3200 + off + i + high + w});
}

/* The older commit of I's trial is from before W fell: what that shows of W was told. */
static void a_companion_is_not_measured_across_its_own_step(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 14; day++)
        noisy(fix, day, 0, 0);
    const int64_t fell = noisy(fix, 15, 0, -300);
    const double older[4] = {70, 470, 1600, 3200}, newer[4] = {70, 470, 1600, 2900};
    run_trial(fix, older, newer, fell);
    assert_int_equal(alerts(fix), 1);
    noisy(fix, 16, -28, -400);
    json_auto_t *leased = fix_lease(fix);
    assert_string_equal(text_of(json_object_get(leased, "job"), "before"), fix_sha(14));
    json_auto_t *job = srv_view_job(fix->store, job_id(leased), NULL);
    const json_t *asked = json_object_get(json_object_get(job, "trial"), "questions");
    assert_int_equal(json_array_size(asked), 1);
    assert_string_equal(text_of(json_array_get(asked, 0), "portion"), "I");
}

/* The nights date a fall to one before that whose commit was measured in turn. What falls next is
 * measured from that one on: what came up to it was told. */
static void what_was_measured_is_not_measured_again(void **state) {
    fixture *fix = *state;
    const double older[4] = {70, 470, 1600, 3200}, newer[4] = {70, 470, 1600, 3080};
    for (int day = 1; day <= 14; day++)
        noisy(fix, day, 0, 0);
    noisy(fix, 15, 0, -20);
    run_trial(fix, older, newer, noisy(fix, 16, 0, -120));
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), "2013-04-15");
    assert_string_equal(text_of(json_object_get(alert, "until"), "night"), "2013-04-16");
    noisy(fix, 17, 0, -320);
    json_auto_t *leased = fix_lease(fix);
    assert_string_equal(text_of(json_object_get(leased, "job"), "before"), fix_sha(16));
}

static void what_cannot_be_measured_again_is_believed(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = suspicious_night(fix);
    trial_fails(fix);
    verdict_is(fix, seen, "anomaly");
    assert_int_equal(alerts(fix), 1);
    json_t *alert = srv_view_alert(fix->store, 1, &error);
    assert_non_null(strstr(text_of(alert, "reason"), "prepare: does not build"));
    assert_string_equal(text_of(json_object_get(alert, "confirmation"), "state"), "believed");
    json_decref(alert);
    json_t *nights =
        srv_view_nights(fix->store, "kieker", (srv_dates){0}, (srv_page){0, NULL}, &error);
    assert_int_equal(json_array_size(json_object_get(nights, "items")), 7);
    json_decref(nights);
}

static void a_node_that_stays_away_is_not_waited_for(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    int64_t seen = suspicious_night(fix);
    fix->now_ms += INT64_C(2) * 86400000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, NULL, &error));
    verdict_is(fix, seen, "suspect");
    fix->now_ms += INT64_C(2) * 86400000;
    assert_true(srv_queue_expire(fix->store, &fix_rules, fix->now_ms, NULL, &error));
    verdict_is(fix, seen, "anomaly");
    assert_int_equal(alerts(fix), 1);
    assert_null(fix_lease(fix));
}

static void project_bounds(fixture *fix, unsigned loops) {
    cfg_project *project = fix_project("kieker");
    project->detection.remeasure_loops = loops;
    fix_sync_only(fix, project);
}

/* A night that comes in while the trial's job runs on. */
static int64_t night_meanwhile(fixture *fix, const json_t *trial, int day, const double means[4],
                               bool wavers) {
    GError *error = NULL;
    bool created;
    json_t *leased = NULL;
    g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
    fix_add(fix, "kieker", day, date, SRV_KIND_NIGHTLY);
    json_auto_t *beat =
        json_pack("{s:O,s:s}", "lease", json_object_get(trial, "lease"), "phase", "measure");
    json_decref(
        srv_queue_progress(fix->store, &fix_rules, job_id(trial), beat, fix->now_ms, &error));
    assert_true(srv_queue_lease(fix->store, &fix_rules,
                                &(srv_node){.name = "blade1", .version = "0.1", .can = fix->can},
                                fix->now_ms, &leased, &error));
    json_auto_t *body = fix_result(fix, leased, means);
    if (wavers)
        waver(body);
    json_auto_t *answer =
        srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error);
    assert_non_null(answer);
    json_decref(leased);
    return number_of(answer, "experiment");
}

static void a_night_while_waiting_asks_no_second_time(void **state) {
    fixture *fix = *state;
    int64_t seen = suspicious_night(fix);
    json_auto_t *leased = fix_lease(fix);
    GError *error = NULL;
    json_auto_t *then = srv_view_project(fix->store, "kieker", &error);
    night_meanwhile(fix, leased, 8, after, false);
    json_auto_t *project = srv_view_project(fix->store, "kieker", &error);
    assert_int_equal(number_of(project, "suspicions"), number_of(then, "suspicions"));
    bool created;
    json_auto_t *body = fix_trial(fix, leased, before, after);
    json_auto_t *answer = srv_ingest_result(fix->store, 8, body, fix->now_ms, &created, &error);
    assert_non_null(answer);
    run_trial(fix, before, after, seen);
    assert_int_equal(alerts(fix), 1);
    verdict_is(fix, seen, "anomaly");
}

/* Measured again it would take more loops than the project allows, so nights alone would do: but
 * what was asked when it began will be answered. */
static void what_is_being_measured_again_is_not_believed_meanwhile(void **state) {
    static const double less[4] = {70, 440, 1570, 3170};
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        night(fix, day, before);
    verdict_is(fix, night(fix, 7, less), "suspect");
    json_auto_t *leased = fix_lease(fix);
    project_bounds(fix, 5);
    for (int day = 8; day <= 10; day++) {
        json_auto_t *seen =
            srv_view_experiment(fix->store, night_meanwhile(fix, leased, day, less, true), NULL);
        const json_t *portion = json_array_get(json_object_get(seen, "portions"), 1);
        assert_string_equal(text_of(portion, "rule"), "pending");
        assert_true(g_str_has_suffix(text_of(portion, "reason"),
                                     "; being measured again since an earlier night"));
    }
    assert_int_equal(alerts(fix), 0);
}

static void a_loop_of_a_third_commit_is_refused(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    bool created;
    suspicious_night(fix);
    json_t *leased = fix_lease(fix);
    json_t *body = fix_trial(fix, leased, before, after);
    json_object_set_new(json_array_get(json_object_get(body, "loops"), 3), "commit",
                        json_string(fix_sha(99)));
    assert_null(srv_ingest_result(fix->store, 8, body, fix->now_ms, &created, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
    assert_non_null(strstr(error->message, "loops[3].commit"));
    g_error_free(error);
    json_decref(body);
    json_decref(leased);
}

/* The portion changed by nearly the minimum effect (5 % of 400 ns): no look gives an answer, so
 * what the project allows is the end of it. */
static void a_project_bounds_the_loops(void **state) {
    static const double undecided[4] = {70, 450.2, 1580.2, 3180.2};
    const struct {
        unsigned allowed;
        int jobs, loops;
    } cases[] = {{5, 1, 5}, {10, 2, 10}, {25, 5, 25}, {35, 7, 35}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        teardown(state);
        setup(state);
        fixture *fix = *state;
        project_bounds(fix, cases[i].allowed);
        int64_t seen = suspicious_night(fix);
        assert_int_equal(run_trial(fix, before, undecided, seen), cases[i].jobs);
        verdict_is(fix, seen, "ok");
        json_t *view = srv_view_experiment(fix->store, seen, NULL);
        json_t *portion = json_array_get(json_object_get(view, "portions"), 1);
        assert_string_equal(text_of(json_object_get(portion, "confirmation"), "state"),
                            "undecided");
        assert_int_equal(number_of(json_object_get(portion, "confirmation"), "loops"),
                         cases[i].loops);
        assert_string_equal(text_of(portion, "words"), "may have fallen"); /* not "as before" */
        json_decref(view);
    }
}

/* It is there, and half of the minimum effect: cleared, as soon as that is sure. */
static void what_is_too_small_is_cleared(void **state) {
    static const double small[4] = {70, 460, 1590, 3190};
    fixture *fix = *state;
    const int64_t seen = suspicious_night(fix);
    assert_int_equal(run_trial(fix, before, small, seen), 4);
    verdict_is(fix, seen, "cleared");
    assert_int_equal(alerts(fix), 0);
}

/* What stays undecided is asked again when later nights agree. */
static void undecided_is_asked_again(void **state) {
    static const double undecided[4] = {70, 460, 1590, 3190};
    fixture *fix = *state;
    int jobs = 0;
    project_bounds(fix, 10);
    run_trial(fix, before, undecided, suspicious_night(fix));
    assert_int_equal(alerts(fix), 0);
    for (int day = 8; day <= 14 && alerts(fix) == 0; day++) {
        int64_t later = night(fix, day, after);
        jobs += run_trial(fix, before, after, later);
    }
    assert_true(jobs > 0);
    assert_int_equal(alerts(fix), 1);
}

/* The configurations that stay, each with its parent: "a b<a"; owned. */
static char *restricted(const char *configurations, const char *const *stay) {
    g_autofree char *text = g_strdup_printf("{\"configurations\": %s}", configurations);
    json_auto_t *benchmark = json_loads(text, 0, NULL);
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (; *stay; stay++)
        g_hash_table_add(names, g_strdup(*stay));
    srv__benchmark_restrict(benchmark, names, 10);
    assert_int_equal(number_of(benchmark, "loops"), 10);
    GString *out = g_string_new(NULL);
    size_t i;
    json_t *each;
    json_array_foreach (json_object_get(benchmark, "configurations"), i, each) {
        const char *parent = json_string_value(json_object_get(each, "parent"));
        g_string_append_printf(out, "%s%s%s%s", i > 0 ? " " : "", text_of(each, "name"),
                               parent ? "<" : "", parent ? parent : "");
    }
    return g_string_free(out, FALSE);
}

#define ON(name, parent) "{\"name\": \"" name "\", \"parent\": \"" parent "\"}"
#define OF(name, unit) "{\"name\": \"" name "\", \"parent\": null, \"unit\": \"" unit "\"}"
#define LINKS "{\"name\": \"a\", \"parent\": null}," ON("b", "a") "," ON("c", "b") ","
#define CHAIN "[" LINKS

static void what_stays_is_one_tree(void **state) {
    (void)state;
    static const struct {
        const char *configurations, *stay[6], *expected;
    } cases[] = {
        {CHAIN ON("d", "c") "," ON("e", "d") "]", {"c", "d"}, "c d<c"},
        {CHAIN ON("d", "c") "," ON("e", "d") "]", {"a", "c", "d"}, "a c<a d<c"},
        {CHAIN ON("d", "c") "," ON("e", "d") "]", {"a", "b", "d", "e"}, "a b<a d<b e<d"},
        {CHAIN ON("d", "a") "," ON("e", "d") "]", {"b", "c", "d", "e"}, "b c<b d<b e<d"},
        {"[" OF("cpu", "%") "," OF("sent", "records/s") "," LINKS ON("d", "a") "]",
         {"cpu", "sent", "b", "c", "d"},
         "cpu sent b c<b d<b"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *tree = restricted(cases[i].configurations, cases[i].stay);
        assert_string_equal(tree, cases[i].expected);
    }
}

/* The project's last of three values was asked for, and its job had no command: nobody could
 * measure again. */
static void one_run_of_all_stays_what_it_is(void **state) {
    (void)state;
    json_auto_t *benchmark = json_loads(
        "{\"whole_rounds\": true, \"configurations\": ["
        "{\"name\": \"cpu\", \"parent\": null, \"command\": [\"./load\"], \"options\": [\"-q\"], "
        "\"environment\": {\"A\": \"1\"}, \"receiver\": {\"port\": 0}},"
        "{\"name\": \"sent\", \"parent\": null, \"command\": [], \"options\": [], "
        "\"environment\": {}, \"result\": \"sent\"}]}",
        0, NULL);
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_add(names, g_strdup("sent"));
    srv__benchmark_restrict(benchmark, names, 10);
    json_auto_t *expected = json_loads(
        "[{\"name\": \"sent\", \"parent\": null, \"command\": [\"./load\"], \"options\": [\"-q\"], "
        "\"environment\": {\"A\": \"1\"}, \"receiver\": {\"port\": 0}, \"result\": \"sent\"}]",
        0, NULL);
    assert_true(json_equal(json_object_get(benchmark, "configurations"), expected));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_suspicion_is_no_alert_but_a_job, setup, teardown),
        cmocka_unit_test_setup_teardown(one_commit_is_not_measured_against_itself, setup, teardown),
        cmocka_unit_test_setup_teardown(confirmed_becomes_an_alert, setup, teardown),
        cmocka_unit_test_setup_teardown(one_change_has_one_number, setup, teardown),
        cmocka_unit_test_setup_teardown(what_moved_alone_is_measured_with_its_parent, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_its_parent_explains_is_cleared, setup, teardown),
        cmocka_unit_test_setup_teardown(three_portions_are_one_change, setup, teardown),
        cmocka_unit_test_setup_teardown(portions_of_one_trial_have_its_ends, setup, teardown),
        cmocka_unit_test_setup_teardown(a_change_below_asks_for_itself_only, setup, teardown),
        cmocka_unit_test_setup_teardown(a_portion_that_is_cleared_is_not_part_of_it, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(cleared_is_counted_and_not_told, setup, teardown),
        cmocka_unit_test_setup_teardown(a_node_that_cannot_tells_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(a_node_that_learns_it_keeps_what_was_told, setup, teardown),
        cmocka_unit_test_setup_teardown(what_was_only_to_be_asked_is_not_believed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_companion_is_not_measured_across_its_own_step, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_was_measured_is_not_measured_again, setup, teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_measured_again_is_believed, setup, teardown),
        cmocka_unit_test_setup_teardown(a_node_that_stays_away_is_not_waited_for, setup, teardown),
        cmocka_unit_test_setup_teardown(a_night_while_waiting_asks_no_second_time, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_being_measured_again_is_not_believed_meanwhile,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(a_loop_of_a_third_commit_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_project_bounds_the_loops, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_too_small_is_cleared, setup, teardown),
        cmocka_unit_test_setup_teardown(undecided_is_asked_again, setup, teardown),
        cmocka_unit_test(what_stays_is_one_tree),
        cmocka_unit_test(one_run_of_all_stays_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
