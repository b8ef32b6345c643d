/* Counting loops: what they leave, and that nothing that goes wrong in them ends the night. */
#include "tests/unit/runner/shell_bench.h"

#include "runner/measure/count.h"

/* Leaves the counter and writes what it would have written: what is read is what stands there. */
#define INSTEAD(text) "exec /bin/sh -c 'printf \"" text "\" > $TMPDIR/../out/counted'"
#define TOTALS INSTEAD("x\\ntotals: 1045\\n")

typedef struct {
    shell_bench bench;
    run_trees trees;
    run_heartbeat beat;
    run_count count;
} place;

static void begin(place *at, const char *folder, const char *line) {
    bench_init(&at->bench, folder, line);
    at->bench.job.driver = CFG_DRIVER_NATIVE;
    at->bench.job.depth = 1;
    at->bench.job.count = CFG_COUNT_ALWAYS;
    at->bench.configurations[0].total_calls = 10;
    at->trees = (run_trees){.count = 1};
    at->trees.folder[0] = g_strdup(at->bench.checkout);
    at->trees.checkout[0] = g_strdup(at->bench.checkout);
    at->beat = (run_heartbeat){.node = "blade1", .job = 7, .phase = "count", .eta_s = -1};
    at->count = (run_count){.node = &at->bench.node,
                            .job = &at->bench.job,
                            .trees = &at->trees,
                            .beat = &at->beat,
                            .most_s = RUN_COUNT_S_MOST};
}

static void end(place *at) {
    run_trees_clear(&at->trees);
    bench_clear(&at->bench);
}

static json_t *made(place *at) {
    GError *error = NULL;
    json_t *counts = NULL;
    if (!run_count_make(&at->count, &counts, &error))
        fail_msg("%s", error->message);
    return counts;
}

static bool has_valgrind(void) {
    g_autofree char *path = g_find_program_in_path("valgrind");
    return path != NULL;
}

/* One of the two counters reads what stands there, the other one tells that it cannot. */
static void counts_are_of_a_configuration_and_a_dimension(void **state) {
    if (!has_valgrind())
        skip();
    place at;
    begin(&at, *state, TOTALS);
    json_t *counts = made(&at);
    const json_t *loops = json_object_get(
        json_object_get(json_object_get(counts, "configurations"), "none"), "instructions");
    assert_int_equal(json_array_size(loops), RUN_COUNT_LOOPS);
    for (size_t i = 0; i < RUN_COUNT_LOOPS; i++)
        assert_true(json_real_value(json_array_get(loops, i)) == 104.5);
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(counts, "counters"), "instructions")),
        "callgrind");
    const char *why =
        json_string_value(json_object_get(json_object_get(counts, "failed"), "none dhat"));
    if (!g_str_has_prefix(why, "dhat of configuration none: its file, line 1"))
        fail_msg("\"%s\"", why);
    assert_null(at.beat.configuration);
    json_decref(counts);
    end(&at);
}

static void what_is_wrong_is_told_and_nothing_fails(void **state) {
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"echo refused; exit 3", "callgrind of configuration none: exit status 3"},
        {"exec /bin/sh -c true", "there are no totals"},
        {INSTEAD("x\\ntotals: 1e30\\n"), "it overflowed or went backwards"},
    };
    if (!has_valgrind())
        skip();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        place at;
        begin(&at, *state, cases[i].line);
        json_t *counts = made(&at);
        const json_t *failed = json_object_get(counts, "failed");
        const char *why = json_string_value(json_object_get(failed, "none callgrind"));
        if (!why || !strstr(why, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", why ? why : "", cases[i].says);
        assert_int_equal(json_object_size(json_object_get(counts, "configurations")), 0);
        json_decref(counts);
        end(&at);
    }
}

static void nothing_is_begun_when_the_time_is_up(void **state) {
    if (!has_valgrind())
        skip();
    place at;
    begin(&at, *state, "touch ../begun");
    g_autofree char *begun = g_build_filename(*state, "begun", NULL);
    at.count.most_s = 0;
    json_t *counts = made(&at);
    const json_t *failed = json_object_get(counts, "failed");
    for (size_t i = 0; i < 2; i++) {
        const char *why =
            json_string_value(json_object_get(failed, i ? "none dhat" : "none callgrind"));
        if (!why || !strstr(why, "the time for counting is used up (0 s)"))
            fail_msg("\"%s\"", why ? why : "");
    }
    assert_false(g_file_test(begun, G_FILE_TEST_EXISTS));
    json_decref(counts);
    end(&at);
}

static void what_cannot_be_counted_is_a_doubt_only_when_asked_for(void **state) {
    place at;
    begin(&at, *state, "true");
    at.bench.job.driver = CFG_DRIVER_COMMAND;
    json_t *counts = made(&at);
    const char *why = json_string_value(json_object_get(json_object_get(counts, "failed"), "node"));
    assert_non_null(strstr(why, "no counters for the project's driver"));
    json_decref(counts);
    at.bench.job.count = CFG_COUNT_AUTO;
    assert_null(made(&at));
    end(&at);
}

static void nights_count_and_trials_do_not(void **state) {
    (void)state;
    static char before[] = BENCH_AGAINST;
    run_job job = {.count = CFG_COUNT_AUTO};
    assert_true(run_count_wanted(&job));
    job.before = before;
    assert_false(run_count_wanted(&job));
    job = (run_job){.count = CFG_COUNT_NEVER};
    assert_false(run_count_wanted(&job));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(counts_are_of_a_configuration_and_a_dimension,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_told_and_nothing_fails, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(nothing_is_begun_when_the_time_is_up, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(what_cannot_be_counted_is_a_doubt_only_when_asked_for,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test(nights_count_and_trials_do_not),
    };
    GError *error = NULL;
    return run_descendants_adopt(&error) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
