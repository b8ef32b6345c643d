/* Profiles in place of loops: what they hold, and each way in which there is none. */
#include "tests/unit/runner/shell_bench.h"

#include "runner/ground/error.h"
#include "runner/measure/session.h"

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
    at->bench.job.benchmark.driver = CFG_DRIVER_NATIVE;
    at->bench.job.benchmark.recursion_depth = 1;
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
    at.bench.job.benchmark.driver = CFG_DRIVER_COMMAND;
    GError *error = NULL;
    assert_null(run_explain_make(&at.explain, &error));
    assert_non_null(strstr(error->message, "detection.profile_command"));
    g_error_free(error);
    end(&at);
}

/* A profiler of the project's own that writes what its third word says, and the benchmark. */
static void begin_own(place *at, const char *folder, const char *script) {
    static char sh[] = "/bin/sh", c[] = "-c", profile[] = "{profile}";
    static char *words[] = {sh, c, NULL, profile, NULL};
    begin(at, folder, "true");
    words[2] = (char *)(uintptr_t)script; /* NOLINT(performance-no-int-to-ptr) */
    at->bench.job.benchmark.driver = CFG_DRIVER_COMMAND;
    at->bench.job.profile_command = words;
}

static json_t *made(place *at) {
    GError *error = NULL;
    json_t *all = run_explain_make(&at->explain, &error);
    if (!all)
        fail_msg("%s", error->message);
    return all;
}

static void a_projects_own_profiler_is_sampled_in_several_loops(void **state) {
    place at;
    begin_own(&at, *state, "echo \"main;$1;work 7\" > \"$0\"");
    json_t *all = made(&at);
    assert_string_equal(json_string_value(json_object_get(all, "profiler")), "profile_command");
    assert_string_equal(json_string_value(json_object_get(all, "unit")), "samples");
    const json_t *profiles = json_object_get(all, "profiles");
    assert_int_equal(json_array_size(profiles), 5);
    const json_t *last = json_array_get(profiles, 4);
    assert_int_equal(json_integer_value(json_object_get(last, "loop")), 5);
    assert_int_equal(json_integer_value(json_object_get(last, "calls")), 9000); /* all of them */
    /* the benchmark's own words follow the profiler's */
    assert_string_equal(json_string_value(json_object_get(last, "stacks")),
                        "main;/bin/sh;work 7\n");
    json_decref(all);
    static char root[] = "/bin/sh";
    at.bench.job.profile_root = root;
    all = made(&at);
    last = json_array_get(json_object_get(all, "profiles"), 0);
    assert_string_equal(json_string_value(json_object_get(last, "stacks")), "/bin/sh;work 7\n");
    json_decref(all);
    at.bench.job.profile_root = (char[]){"nowhere"};
    GError *error = NULL;
    assert_null(run_explain_make(&at.explain, &error));
    assert_error(error, RUN_ERROR_JOB, "nowhere is in no profile");
    end(&at);
}

static void each_fault_of_a_profiler_is_named(void **state) {
    static const struct {
        const char *script, *says;
    } cases[] = {
        {"kill -SEGV $$", "killed by signal 11"},
        {"echo not permitted; exit 1", "exit status 1"},
        {"true", "profile: "},
        {"ln -s /etc/passwd \"$0\"", "profile: "},
        {": > \"$0\"", "it holds no samples"},
        {"echo 'main;work' > \"$0\"", "its profile, line 1: it must be frames"},
        {"head -c 3000000 /dev/zero > \"$0\"", "File size limit exceeded"},
        {"yes 'a;b 1' > \"$0\"", "File size limit exceeded"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        place at;
        begin_own(&at, *state, cases[i].script);
        GError *error = NULL;
        assert_null(run_explain_make(&at.explain, &error));
        assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
        if (!strstr(error->message, cases[i].says) ||
            !strstr(error->message, "profile_command of configuration none, commit "))
            fail_msg("case %zu: \"%s\" does not say \"%s\"", i, error->message, cases[i].says);
        g_error_free(error);
        end(&at);
    }
}

static void deep_stacks_with_long_names_are_cut(void **state) {
    place at;
    begin_own(&at, *state,
              "awk 'BEGIN {for (i = 0; i < 2500; i++) printf \"f%d;\", i;"
              " for (i = 0; i < 12000; i++) printf \"<b>\"; print \" 3\"; print \"a 1\"}'"
              " > \"$0\"");
    json_t *all = made(&at);
    const json_t *one = json_array_get(json_object_get(all, "profiles"), 0);
    const char *stacks = json_string_value(json_object_get(one, "stacks"));
    assert_non_null(strstr(stacks, ";f1999 3\n"));
    assert_non_null(strstr(stacks, "a 1\n"));
    assert_null(strstr(stacks, "f2000"));
    json_decref(all);
    end(&at);
}

/* Where the time ends: what is whole is sent when it is enough. */
static void loops_that_ended_in_time_are_enough(void **state) {
    static const struct {
        unsigned seconds;
        bool good;
    } cases[] = {{4, true}, {1, false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        place at;
        /* the third loop hangs; of the shorter time the first does not come to its end */
        begin_own(&at, *state,
                  cases[i].good ? "f=$TMPDIR/../../../count; echo x >> $f; "
                                  "test $(wc -l < $f) -lt 3 || sleep 60; echo 'a 1' > \"$0\""
                                : "sleep 60");
        at.bench.job.explain_s = cases[i].seconds;
        GError *error = NULL;
        json_t *all = run_explain_make(&at.explain, &error);
        assert_int_equal(all != NULL, cases[i].good);
        if (all)
            assert_int_equal(json_array_size(json_object_get(all, "profiles")), 2);
        else
            assert_error(error, RUN_ERROR_JOB, "detection.explain_minutes");
        json_decref(all);
        end(&at);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_profile_is_of_a_commit_and_a_configuration,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_named, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(a_driver_without_a_profiler_is_said, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(a_projects_own_profiler_is_sampled_in_several_loops,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(each_fault_of_a_profiler_is_named, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(deep_stacks_with_long_names_are_cut, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(loops_that_ended_in_time_are_enough, make_test_folder,
                                        remove_test_folder),
    };
    GError *error = NULL;
    return run_descendants_adopt(&error) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
