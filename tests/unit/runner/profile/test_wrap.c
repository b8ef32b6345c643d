/* How a benchmark is started under each profiler. */
#include "runner/profile/wrap.h"

#include "tests/unit/test.h"

#include "runner/ground/error.h"

#include <glib/gstdio.h>
#include <string.h>

static GPtrArray *benchmark(const char *program) {
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(argv, g_strdup(program));
    g_ptr_array_add(argv, g_strdup("--total-calls"));
    g_ptr_array_add(argv, NULL);
    return argv;
}

/* The profiler at a place of a driver's list. */
static const run_profiler *profiler_of(cfg_driver driver, char **runs, unsigned place) {
    cfg_configuration one = {.command = runs};
    const run_job job = {.benchmark.driver = driver,
                         .benchmark.configurations = &one,
                         .benchmark.configurations_count = 1};
    run_profilers all;
    assert_true(run_profilers_of(&job, &all, NULL));
    return all.each[place];
}

static void is(GPtrArray *whole, const char *expected) {
    assert_non_null(whole);
    assert_null(whole->pdata[whole->len - 1]);
    g_autofree char *words = g_strjoinv(" ", (char **)whole->pdata);
    assert_string_equal(words, expected);
    g_ptr_array_unref(whole);
}

static void the_benchmarks_command_is_the_end_of_its_own(void **state) {
    static char python[] = "python3", *none[] = {NULL}, *runs[] = {python, NULL};
    (void)state;
    const run_wrap native = {.profiler = profiler_of(CFG_DRIVER_NATIVE, none, 0),
                             .out = "/srv/50%/profile"};
    is(run_wrap_command(&native, benchmark("/harness/moobench"), NULL),
       "valgrind -q --tool=callgrind --dump-instr=yes --dump-line=no --separate-recs=1 "
       "--callgrind-out-file=/srv/50%%/profile /harness/moobench --total-calls");
    const run_wrap snakes = {.profiler = profiler_of(CFG_DRIVER_NATIVE, runs, 0),
                             .part = "/srv/py-spy",
                             .out = "/o/profile"};
    is(run_wrap_command(&snakes, benchmark("python3"), NULL),
       "/srv/py-spy record --format raw --nolineno --full-filenames --rate 200 --output "
       "/o/profile -- python3 --total-calls");
    const run_wrap java = {.profiler = profiler_of(CFG_DRIVER_JAVA, none, 0),
                           .part = "/srv/lib.so",
                           .out = "/o/profile"};
    is(run_wrap_command(&java, benchmark("java"), NULL),
       "java -agentpath:/srv/lib.so=start,event=cpu,interval=1ms,jstackdepth=4096,collapsed,ann,"
       "file=/o/profile --total-calls");
    const run_job job = {.benchmark.driver = CFG_DRIVER_JAVA};
    run_profilers all;
    assert_true(run_profilers_of(&job, &all, NULL));
    const run_wrap bytes = {.profiler = all.allocated, .part = "/srv/lib.so", .out = "/o/profile"};
    is(run_wrap_command(&bytes, benchmark("java"), NULL),
       "java -agentpath:/srv/lib.so=start,event=alloc,alloc=4k,total,jstackdepth=4096,collapsed,"
       "ann,file=/o/profile --total-calls");
}

static void javas_recorder_is_told_what_to_record(void **state) {
    static char *none[] = {NULL};
    (void)state;
    g_autofree char *folder = g_dir_make_tmp("moowatch-wrap-XXXXXX", NULL);
    g_autofree char *settings = g_build_filename(folder, RUN_WRAP_SETTINGS, NULL);
    g_autofree char *expected = g_strdup_printf(
        "java -XX:FlightRecorderOptions=stackdepth=2048 -XX:StartFlightRecording=settings=%s,"
        "filename=/o/profile,dumponexit=true --total-calls",
        settings);
    const run_wrap how = {
        .profiler = profiler_of(CFG_DRIVER_JAVA, none, 1), .out = "/o/profile", .folder = folder};
    is(run_wrap_command(&how, benchmark("java"), NULL), expected);
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(settings, &text, NULL, NULL));
    assert_non_null(strstr(text, "<event name=\"jdk.ExecutionSample\">"));
    assert_non_null(strstr(text, ">10 ms<"));
    assert_int_equal(g_unlink(settings), 0);
    assert_int_equal(g_rmdir(folder), 0);
    GError *error = NULL;
    assert_null(run_wrap_command(&how, benchmark("java"), &error));
    assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_NODE));
    g_error_free(error);
}

static void a_path_that_an_option_would_split_is_refused(void **state) {
    static char *none[] = {NULL};
    static const struct {
        const char *part, *out;
    } cases[] = {{"/lib.so", "/a,b/profile"}, {"/lib.so", "/50%/profile"}, {"/a=b.so", "/profile"}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        const run_wrap how = {.profiler = profiler_of(CFG_DRIVER_JAVA, none, 0),
                              .part = cases[i].part,
                              .out = cases[i].out};
        assert_null(run_wrap_command(&how, benchmark("java"), &error));
        assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
        assert_non_null(strstr(error->message, "(work_dir)"));
        g_error_free(error);
    }
}

static void a_project_has_its_own_command(void **state) {
    static char program[] = "{harness}/perf", out[] = "--to={profile}",
                *words[] = {program, out, NULL};
    (void)state;
    const run_job job = {.benchmark.driver = CFG_DRIVER_COMMAND, .profile_command = words};
    run_profilers all;
    assert_true(run_profilers_of(&job, &all, NULL));
    const run_placeholder values = {.harness = "/h", .profile = "/o/{harness}"};
    const run_wrap how = {.profiler = all.each[0], .command = words, .values = &values};
    is(run_wrap_command(&how, benchmark("./bench"), NULL),
       "/h/perf --to=/o/{harness} ./bench --total-calls");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_benchmarks_command_is_the_end_of_its_own),
        cmocka_unit_test(javas_recorder_is_told_what_to_record),
        cmocka_unit_test(a_path_that_an_option_would_split_is_refused),
        cmocka_unit_test(a_project_has_its_own_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
