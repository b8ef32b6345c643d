/* A trial's first job counts both commits, where their nights did not; what that says of time. */
#include "trials.h"

#include "tests/unit/server/counts.h"

static const counts usual = {{10, 50, 90, 150}, {0, 0, 1, 2}};
static const counts lighter = {{10, 30, 70, 130}, {0, 0, 1, 2}}; /* I: 40 -> 20 */
static const counts heavier = {{10, 70, 110, 170}, {0, 0, 1, 2}};

/* The project counts, and asks for so many loops at most; 0: as many as usual. */
static void project_counts(fixture *fix, unsigned loops) {
    cfg_project *project = fix_project("kieker");
    project->benchmark.count = CFG_COUNT_AUTO;
    if (loops > 0)
        project->detection.remeasure_loops = loops;
    fix_sync_only(fix, project);
}

/* Of both commits; taken over. */
static json_t *counts_of_both(json_t *older, json_t *newer) {
    json_object_set(newer, "before", json_object_get(older, "configurations"));
    json_decref(older);
    return newer;
}

/* The same, of the bytes that a call allocates, as the JVM counts them; taken over. */
static json_t *in_bytes(json_t *both) {
    static const char *const sides[] = {"configurations", "before"};
    json_t *configuration;
    const char *name;
    for (size_t i = 0; i < G_N_ELEMENTS(sides); i++)
        json_object_foreach (json_object_get(both, sides[i]), name, configuration) {
            json_object_set(configuration, "bytes", json_object_get(configuration, "instructions"));
            json_object_del(configuration, "instructions");
        }
    json_object_set_new(both, "counters", json_pack("{s:s}", "bytes", "the JVM"));
    return both;
}

/* Only a job that says so counts both commits, and a runner must be told. */
static const char *count_of(const json_t *leased) {
    const json_t *benchmark = json_object_get(json_object_get(leased, "job"), "benchmark");
    const char *count = text_of(benchmark, "count");
    assert_int_equal(json_is_true(json_object_get(benchmark, "count_both")),
                     g_str_equal(count, "auto"));
    return count;
}

/* Leases and answers a job, whose benchmark asks for counting or not; counted: taken over. */
static void answer_with(fixture *fix, const char *asked, const double newer[4], json_t *counted,
                        bool wavers) {
    GError *error = NULL;
    bool created;
    json_t *leased = fix_lease(fix);
    assert_non_null(leased);
    assert_string_equal(count_of(leased), asked);
    json_t *body = fix_trial(fix, leased, before, newer);
    if (wavers)
        waver(body);
    if (counted)
        json_object_set_new(json_object_get(body, "environment"), "detail",
                            json_pack("{s:o}", "counts", counted));
    json_t *said =
        srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error);
    if (!said)
        fail_msg("%s", error->message);
    json_decref(said);
    json_decref(body);
    json_decref(leased);
}

static void answer(fixture *fix, const char *asked, const double newer[4], json_t *counted) {
    answer_with(fix, asked, newer, counted, false);
}

static json_t *confirmation_of(fixture *fix, int64_t experiment) {
    json_t *view = srv_view_experiment(fix->store, experiment, NULL);
    const json_t *portion = json_array_get(json_object_get(view, "portions"), 1);
    json_t *found = json_incref(json_object_get(portion, "confirmation"));
    json_decref(view);
    return found;
}

static void ends_with(fixture *fix, int64_t experiment, const char *state, const char *end) {
    json_t *found = confirmation_of(fix, experiment);
    assert_string_equal(text_of(found, "state"), state);
    const char *reason = text_of(found, "reason");
    if (!reason || !g_str_has_suffix(reason, end))
        fail_msg("\"%s\" does not end with \"%s\"", reason ? reason : "", end);
    json_decref(found);
}

/* A fresh history, of a project that remeasures so many loops, whose last night is suspicious:
 * which night that is. */
static int64_t suspect_anew(void **state, unsigned loops) {
    teardown(state);
    setup(state);
    project_counts(*state, loops);
    return suspicious_night(*state);
}

/* I falls by 23 ns, of which the minimum effect is 20: five loops do not tell. */
static const double little[4] = {70, 447, 1577, 3177};

static void what_it_counted_decides_where_loops_cannot(void **state) {
    static const struct {
        const counts *then;
        const char *state, *end;
    } cases[] = {
        {NULL, "undecided", ": undecided"},
        {&lighter, "confirmed", ": confirmed; its instructions moved with it"},
        {&usual, "undecided", ": undecided; its instructions did not change"},
        {&heavier, "undecided", ": undecided; its instructions went the other way"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const int64_t seen = suspect_anew(state, 5);
        fixture *fix = *state;
        answer(fix, "auto", little,
               cases[i].then ? counts_of_both(counts_json(&usual), counts_json(cases[i].then))
                             : NULL);
        ends_with(fix, seen, cases[i].state, cases[i].end);
        assert_int_equal(alerts(fix), i == 1);
    }
}

/* What a call allocates is heard as its instructions are; that it did not move says nothing. */
static void in_java_bytes_are_heard(void **state) {
    static const struct {
        const counts *then;
        const char *state, *end;
    } cases[] = {
        {&lighter, "confirmed", ": confirmed; its allocated bytes moved with it"},
        {&usual, "undecided", ": undecided"},
        {&heavier, "undecided", ": undecided; its allocated bytes went the other way"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const int64_t seen = suspect_anew(state, 5);
        fixture *fix = *state;
        answer(fix, "auto", little,
               in_bytes(counts_of_both(counts_json(&usual), counts_json(cases[i].then))));
        ends_with(fix, seen, cases[i].state, cases[i].end);
    }
}

/* Of equal work the first job is enough, where it shows nothing of what the night saw. */
static void equal_work_is_cleared_by_the_first_job(void **state) {
    static const char *const answers[] = {"waiting", "cleared"};
    for (int equal = 0; equal < 2; equal++) {
        const int64_t seen = suspect_anew(state, 0);
        fixture *fix = *state;
        answer_with(fix, "auto", before,
                    equal ? counts_of_both(counts_json(&usual), counts_json(&usual)) : NULL, true);
        json_t *found = confirmation_of(fix, seen);
        assert_string_equal(text_of(found, "state"), answers[equal]);
        json_decref(found);
    }
}

/* What the page says of I while the trial runs: of its second job, which measures on. */
static void it_is_said_while_it_runs(void **state) {
    static const double undecided[4] = {70, 460, 1590, 3190};
    static const counts one_more = {{10, 51, 91, 151}, {0, 0, 1, 2}};
    static const struct {
        const counts *then;
        bool bytes;
        const char *says;
    } cases[] = {
        {&lighter, false, "-20 instructions a call"},
        {&one_more, false, "41 instructions a call, as before"},
        {&heavier, true, "+20 bytes a call"},
        {NULL, false, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        suspect_anew(state, 20);
        fixture *fix = *state;
        json_t *both =
            cases[i].then ? counts_of_both(counts_json(&usual), counts_json(cases[i].then)) : NULL;
        answer(fix, "auto", undecided, cases[i].bytes ? in_bytes(both) : both);
        json_t *leased = fix_lease(fix);
        assert_non_null(leased);
        json_t *job = srv_view_job(fix->store, job_id(leased), NULL);
        const json_t *asked =
            json_array_get(json_object_get(json_object_get(job, "trial"), "questions"), 0);
        assert_string_equal(text_of(asked, "state"), "waiting");
        if (cases[i].says)
            assert_string_equal(text_of(asked, "counted"), cases[i].says);
        else
            assert_true(json_is_null(json_object_get(asked, "counted")));
        json_decref(job);
        json_decref(leased);
    }
}

/* Caches and locks cost time without instructions. */
static void that_they_did_not_move_clears_nothing(void **state) {
    fixture *fix = *state;
    project_counts(fix, 0);
    const int64_t seen = suspicious_night(fix);
    answer(fix, "auto", after, counts_of_both(counts_json(&usual), counts_json(&usual)));
    ends_with(fix, seen, "confirmed", ": confirmed; its instructions did not change");
    assert_int_equal(alerts(fix), 1);
}

static void only_the_first_job_counts(void **state) {
    static const double undecided[4] = {70, 450.2, 1580.2, 3180.2};
    fixture *fix = *state;
    project_counts(fix, 20);
    const int64_t seen = suspicious_night(fix);
    answer(fix, "auto", undecided, counts_of_both(counts_json(&usual), counts_json(&lighter)));
    for (bool waits = true; waits;) {
        answer(fix, "never", undecided, NULL);
        json_auto_t *found = confirmation_of(fix, seen);
        waits = g_str_equal(text_of(found, "state"), "waiting");
    }
    /* and what it counted is still known */
    ends_with(fix, seen, "undecided", "; its instructions moved with it");
}

static void commits_that_their_nights_counted_are_not_counted_again(void **state) {
    fixture *fix = *state;
    project_counts(fix, 0);
    for (int day = 1; day <= 6; day++)
        counted_night(fix, day, before, counts_json(&usual));
    const int64_t seen = counted_night(fix, 7, after, counts_json(&lighter));
    answer(fix, "never", after, NULL);
    answer(fix, "never", after, NULL);
    ends_with(fix, seen, "confirmed", "; its instructions moved with it");
}

/* Whatever a runner sends, the loops stand: what is no count says nothing. */
static void what_is_no_count_says_nothing(void **state) {
    for (int i = 0; i < 6; i++) {
        const int64_t seen = suspect_anew(state, 0);
        fixture *fix = *state;
        json_t *both = counts_of_both(counts_json(&usual), counts_json(&lighter));
        json_t *older = json_object_get(json_object_get(both, "before"), "deactivated");
        if (i == 0)
            json_object_del(both, "before");
        else if (i == 1)
            json_object_set_new(older, "instructions", json_pack("[f]", 50.0)); /* one loop */
        else if (i == 2)
            json_object_set_new(older, "instructions", json_pack("[f,f]", -50.0, 50.0));
        else if (i == 3)
            json_object_clear(json_object_get(both, "configurations"));
        else if (i == 4)
            json_object_del(json_object_get(both, "configurations"), "none"); /* no parent */
        else
            json_object_set_new(both, "configurations", json_string("none"));
        answer(fix, "auto", after, both);
        ends_with(fix, seen, "confirmed", ": confirmed");
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(what_it_counted_decides_where_loops_cannot),
        TEST(in_java_bytes_are_heard),
        TEST(equal_work_is_cleared_by_the_first_job),
        TEST(it_is_said_while_it_runs),
        TEST(that_they_did_not_move_clears_nothing),
        TEST(only_the_first_job_counts),
        TEST(commits_that_their_nights_counted_are_not_counted_again),
        TEST(what_is_no_count_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
