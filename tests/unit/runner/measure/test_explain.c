/* Profiles in place of loops: what they hold, and each way in which there is none. */
#include "tests/unit/runner/shell_bench.h"

#include "runner/ground/error.h"
#include "runner/measure/explain.h"

#define ROOT "moobench_monitored_method"
/* Leaves the profiler and writes what it would have written: what is read is what stands there. */
#define INSTEAD(text) "exec /bin/sh -c 'printf \"" text "\" > $TMPDIR/../out/profile'"

typedef struct {
    shell_bench bench;
    run_trees trees;
    run_heartbeat beat;
    run_explain explain;
} place;

static void begin(place *at, const char *folder, const char *line) {
    bench_init(&at->bench, folder, line);
    at->bench.job.driver = CFG_DRIVER_NATIVE;
    at->bench.job.depth = 1;
    at->bench.job.explain_s = 120;
    at->bench.configurations[0].total_calls = 9000;
    at->trees = (run_trees){.count = 1};
    at->trees.folder[0] = g_strdup(at->bench.checkout);
    at->trees.checkout[0] = g_strdup(at->bench.checkout);
    at->beat = (run_heartbeat){.node = "blade1", .job = 7, .phase = "profile", .eta_s = -1};
    at->explain = (run_explain){
        .node = &at->bench.node, .job = &at->bench.job, .trees = &at->trees, .beat = &at->beat};
}

static void end(place *at) {
    g_free(at->explain.last_log);
    run_trees_clear(&at->trees);
    bench_clear(&at->bench);
}

static bool has_profiler(void) {
    g_autofree char *path = g_find_program_in_path("valgrind");
    return path != NULL;
}

static void a_profile_is_of_a_commit_and_a_configuration(void **state) {
    if (!has_profiler())
        skip();
    place at;
    begin(&at, *state, INSTEAD("fn=" ROOT "\\n1 5\\n"));
    GError *error = NULL;
    json_t *made = run_explain_make(&at.explain, &error);
    if (!made)
        fail_msg("%s", error->message);
    assert_string_equal(json_string_value(json_object_get(made, "profiler")), "callgrind");
    assert_string_equal(json_string_value(json_object_get(made, "unit")), "instructions");
    const json_t *profiles = json_object_get(made, "profiles");
    assert_int_equal(json_array_size(profiles), 1);
    const json_t *one = json_array_get(profiles, 0);
    assert_string_equal(json_string_value(json_object_get(one, "commit")), BENCH_COMMIT);
    assert_string_equal(json_string_value(json_object_get(one, "configuration")), "none");
    assert_string_equal(json_string_value(json_object_get(one, "stacks")), ROOT " 5\n");
    /* fewer calls than asked for say all */
    assert_int_equal(json_integer_value(json_object_get(one, "calls")), 5000);
    assert_int_equal(at.beat.done, 1);
    assert_int_equal(at.beat.total, 1);
    json_decref(made);
    end(&at);
}

static void what_is_wrong_is_named(void **state) {
    static const struct {
        const char *line, *says, *log;
    } cases[] = {
        {"echo broken; exit 3", "exit status 3", "broken"},
        {"exec /bin/sh -c true", "profile", NULL},
        {INSTEAD("fn=" ROOT "\\n+x 5\\n"), "its profile, line 2", NULL},
        {INSTEAD("fn=other\\n1 5\\n"), ROOT " is not in the profile", NULL},
    };
    if (!has_profiler())
        skip();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        place at;
        begin(&at, *state, cases[i].line);
        GError *error = NULL;
        assert_null(run_explain_make(&at.explain, &error));
        assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
        if (!strstr(error->message, cases[i].says) ||
            !strstr(error->message, "of configuration none, commit 0123456789ab: "))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].says);
        if (cases[i].log && !strstr(at.explain.last_log, cases[i].log))
            fail_msg("\"%s\" does not say \"%s\"", at.explain.last_log, cases[i].log);
        g_error_free(error);
        end(&at);
    }
}

static void a_driver_without_a_profiler_is_said(void **state) {
    place at;
    begin(&at, *state, "true");
    at.bench.job.driver = CFG_DRIVER_JAVA;
    GError *error = NULL;
    assert_null(run_explain_make(&at.explain, &error));
    assert_non_null(strstr(error->message, "no profiler for the project's driver"));
    g_error_free(error);
    end(&at);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_profile_is_of_a_commit_and_a_configuration,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_named, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(a_driver_without_a_profiler_is_said, make_test_folder,
                                        remove_test_folder),
    };
    GError *error = NULL;
    return run_descendants_adopt(&error) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
