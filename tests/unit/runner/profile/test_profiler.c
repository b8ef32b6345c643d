/* Which profilers a job gets, and what a node is told to lack. */
#include "tests/unit/runner/path.h"
#include "tests/unit/test.h"

#include "runner/ground/error.h"
#include "runner/profile/profiler.h"

#include <glib/gstdio.h>
#include <string.h>

static char *no_words[] = {NULL};

static void each_driver_has_its_own(void **state) {
    static char python[] = "/srv/venv/bin/python3.11", pythonic[] = "python-like", sh[] = "perf",
                out[] = "{profile}";
    static char *runs_python[] = {python, NULL}, *runs_other[] = {pythonic, NULL},
                *command[] = {sh, out, NULL};
    static const struct {
        cfg_driver driver;
        char **runs, **command;
        const char *first, *second;
    } cases[] = {{CFG_DRIVER_NATIVE, no_words, NULL, "callgrind", NULL},
                 {CFG_DRIVER_NATIVE, runs_other, NULL, "callgrind", NULL},
                 {CFG_DRIVER_NATIVE, runs_python, NULL, "py-spy", NULL},
                 {CFG_DRIVER_JAVA, no_words, NULL, "async-profiler", "JFR"},
                 {CFG_DRIVER_JAVA, no_words, no_words, "async-profiler", "JFR"},
                 {CFG_DRIVER_COMMAND, runs_python, command, "profile_command", NULL},
                 {CFG_DRIVER_MOOBENCH, no_words, command, "profile_command", NULL},
                 {CFG_DRIVER_NATIVE, no_words, command, "profile_command", NULL}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        cfg_configuration one = {.command = cases[i].runs};
        const run_job job = {.benchmark.driver = cases[i].driver,
                             .profile_command = cases[i].command,
                             .benchmark.configurations = &one,
                             .benchmark.configurations_count = 1};
        run_profilers all;
        assert_true(run_profilers_of(&job, &all, NULL));
        assert_string_equal(all.each[0]->name, cases[i].first);
        assert_string_equal(all.each[1] ? all.each[1]->name : "",
                            cases[i].second ? cases[i].second : "");
        assert_null(all.each[2]);
        /* bytes beside time where the virtual machine's agent tells, whoever profiles the time */
        assert_int_equal(all.allocated != NULL, g_str_equal(cases[i].first, "async-profiler"));
        if (all.allocated)
            assert_string_equal(all.allocated->unit, "bytes");
        assert_string_equal(run_profiler_file(all.each[0]), "profile");
        if (all.each[1])
            assert_string_equal(run_profiler_file(all.each[1]), "profile.jfr");
        /* what differs from process to process needs several to tell by how much */
        const bool exact = g_str_equal(all.each[0]->unit, "instructions");
        assert_int_equal(all.each[0]->loops, exact ? 1 : 5);
        assert_int_equal(all.each[0]->loops_least, exact ? 1 : 2);
    }
}

static void what_cannot_be_profiled_is_said(void **state) {
    static const struct {
        cfg_driver driver;
        bool whole;
        const char *says;
    } cases[] = {{CFG_DRIVER_COMMAND, false, "detection.profile_command"},
                 {CFG_DRIVER_MOOBENCH, false, "detection.profile_command"},
                 {CFG_DRIVER_MOOBENCH, true, "whole_rounds"}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const run_job job = {.benchmark.driver = cases[i].driver,
                             .benchmark.whole_rounds = cases[i].whole};
        run_profilers all;
        assert_false(run_profilers_of(&job, &all, &error));
        assert_true(g_error_matches(error, RUN_ERROR, RUN_ERROR_JOB));
        assert_non_null(strstr(error->message, cases[i].says));
    }
}

static GPtrArray *benchmark(const char *program) {
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(argv, g_strdup(program));
    g_ptr_array_add(argv, g_strdup("--total-calls"));
    g_ptr_array_add(argv, NULL);
    return argv;
}

static void is(GPtrArray *whole, const char *expected) {
    assert_non_null(whole);
    assert_null(whole->pdata[whole->len - 1]);
    g_autofree char *words = g_strjoinv(" ", (char **)whole->pdata);
    assert_string_equal(words, expected);
    g_ptr_array_unref(whole);
}

/* Of a dimension of whole processes: thread by thread from the start on, or what is live at the
 * end.
 */
static void a_process_is_profiled_whole(void **state) {
    static char process[] = "process", start[] = "start", memory[] = "memory", python[] = "python3",
                word[] = "perf";
    static char *runs_python[] = {python, NULL}, *command[] = {word, NULL};
    static const char agent[] = "java -agentpath:/p=threads,start,event=cpu,interval=1ms,"
                                "jstackdepth=4096,collapsed,ann,file=/o/profile --total-calls",
                      spy[] = "/p record --format raw --nolineno --full-filenames --rate 200 "
                              "--threads --output /o/profile -- java --total-calls";
    static const struct {
        cfg_driver driver;
        char **runs, **own, *of;
        const char *unit, *wrapped; /* unit NULL: it cannot, and why */
        uint64_t calls;
    } cases[] = {
        {CFG_DRIVER_JAVA, no_words, NULL, process, "ns a process", agent, 2000000},
        {CFG_DRIVER_JAVA, no_words, NULL, start, "ns a start", agent, 1},
        {CFG_DRIVER_JAVA, no_words, NULL, memory, "bytes a process",
         "java -Dmoowatch.moobench.heap=/o/profile --total-calls", 0},
        {CFG_DRIVER_NATIVE, runs_python, NULL, process, "samples a process", spy, 100000},
        {CFG_DRIVER_NATIVE, runs_python, NULL, start, "samples a start", spy, 1},
        {CFG_DRIVER_NATIVE, runs_python, NULL, memory, "bytes a process",
         "env MOOBENCH_HEAP=/o/profile java --total-calls", 20000},
        {CFG_DRIVER_COMMAND, no_words, command, start, "samples a start", NULL, 1},
        {CFG_DRIVER_NATIVE, no_words, NULL, process, NULL, "profile_command that sees all threads",
         0},
        {CFG_DRIVER_COMMAND, no_words, command, memory, NULL, "of a JVM and of Python alone", 0}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        cfg_configuration one = {.command = cases[i].runs};
        const run_job job = {.benchmark.driver = cases[i].driver,
                             .profile_command = cases[i].own,
                             .profile_of = cases[i].of,
                             .benchmark.configurations = &one,
                             .benchmark.configurations_count = 1};
        g_autoptr(GError) error = NULL;
        run_profilers all;
        assert_int_equal(run_profilers_of(&job, &all, &error), cases[i].unit != NULL);
        if (!cases[i].unit) {
            assert_non_null(strstr(error->message, cases[i].wrapped));
            continue;
        }
        assert_string_equal(all.each[0]->unit, cases[i].unit);
        assert_true(all.each[0]->whole);
        assert_int_equal(all.each[0]->calls_most, cases[i].calls);
        assert_null(run_profiler_root(all.each[0], &job));
        assert_null(all.each[1]);
        assert_null(all.allocated);
        const run_wrap how = {.profiler = all.each[0], .part = "/p", .out = "/o/profile"};
        if (cases[i].wrapped)
            is(run_wrap_command(&how, benchmark("java"), NULL), cases[i].wrapped);
    }
}

static void stacks_begin_where_the_harness_does(void **state) {
    static char chosen[] = "mooBench.run", word[] = "x";
    static char *command[] = {word, NULL};
    (void)state;
    run_job job = {.benchmark.driver = CFG_DRIVER_JAVA, .profile_root = chosen};
    run_profilers all;
    assert_true(run_profilers_of(&job, &all, NULL));
    assert_string_equal(run_profiler_root(all.each[0], &job),
                        "moowatch/moobench/BenchmarkThread.run");
    job.profile_command = command;
    assert_true(run_profilers_of(&job, &all, NULL));
    assert_string_equal(run_profiler_root(all.each[0], &job), chosen);
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    const run_job job = {.benchmark.driver = CFG_DRIVER_NATIVE};
    run_profilers all;
    assert_true(run_profilers_of(&job, &all, NULL));
    char *folder = path_with(NULL);
    g_autofree char *missing = run_profiler_missing(all.each[0], environment);
    assert_non_null(strstr(missing, "install the package valgrind"));
    path_remove(folder, "none");
    folder = path_with("valgrind");
    assert_null(run_profiler_missing(all.each[0], environment));
    path_remove(folder, "valgrind");
}

static void each_driver_is_told_of_by_the_doctor(void **state) {
    (void)state;
    char *folder = path_with("valgrind");
    g_autofree char *words = run_profiler_words(environment, folder);
    assert_non_null(strstr(words, "driver native: callgrind\n"));
    assert_non_null(strstr(words, "driver java: async-profiler 4.6 (fetched when it is first"));
    assert_non_null(strstr(words, "; else no JFR: this node has no jfr: install the package"));
    assert_non_null(strstr(words, "python: py-spy 0.4.3 (fetched"));
    assert_non_null(strstr(words, "command, moobench: the project's profile_command"));
    path_remove(folder, "valgrind");
    folder = path_with(NULL);
    g_autofree char *fewer = run_profiler_words(environment, folder);
    assert_non_null(strstr(fewer, "driver native: no callgrind: this node has no valgrind"));
    path_remove(folder, "none");
}

/* How a benchmark is started under each profiler. */

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
        assert_non_null(strstr(error->message, "set a work_dir without"));
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

/* What the doctor says of the kernel's events and of the tools around them. */

/* A root with that setting; NULL: without. To be removed with forget. */
static char *root_with(const char *paranoid) {
    char *root = g_dir_make_tmp("moowatch-events-XXXXXX", NULL);
    g_autofree char *folder = g_build_filename(root, "proc", "sys", "kernel", NULL);
    g_autofree char *file = g_build_filename(folder, "perf_event_paranoid", NULL);
    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    if (paranoid)
        assert_true(g_file_set_contents(file, paranoid, -1, NULL));
    return root;
}

static void forget(char *root) {
    static const char *const parts[] = {"proc/sys/kernel/perf_event_paranoid", "proc/sys/kernel",
                                        "proc/sys", "proc", ""};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autofree char *part = g_build_filename(root, parts[i], NULL);
        (void)g_remove(part);
    }
    assert_false(g_file_test(root, G_FILE_TEST_EXISTS));
    g_free(root);
}

static void what_the_kernel_allows_is_said(void **state) {
    static const struct {
        const char *paranoid, *says;
    } cases[] = {{"-1\n", "perf_event_paranoid -1: everybody may profile"},
                 {"1\n", "perf_event_paranoid 1: everybody may profile"},
                 {"2\n", "perf_event_paranoid 2: ordinary users may profile all but the kernel"},
                 {"4\n", "perf_event_paranoid 4: ordinary users may not profile"},
                 {"4\n", "`sysctl kernel.perf_event_paranoid=1` allows it"},
                 {NULL, "no performance events in this kernel: async-profiler uses timers"}};
    (void)state;
    char *folder = path_with("perf");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *root = root_with(cases[i].paranoid);
        g_autofree char *words = run_kernel_events_words(environment, root);
        if (!strstr(words, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", words, cases[i].says);
        forget(root);
    }
    path_remove(folder, "perf");
}

static void kernel_events_what_is_missing_is_named(void **state) {
    (void)state;
    char *root = root_with("2\n"), *folder = path_with("perf");
    g_autofree char *with_perf = run_kernel_events_words(environment, root);
    assert_non_null(strstr(with_perf, "\nperf: can be a profile_command"));
    assert_non_null(strstr(with_perf, "\nno addr2line: inlined functions count as their caller's; "
                                      "install the package binutils"));
    path_remove(folder, "perf");
    folder = path_with("addr2line");
    g_autofree char *without = run_kernel_events_words(environment, root);
    assert_non_null(strstr(without, "\nno perf: only a profile_command would need it; install"));
    assert_null(strstr(without, "addr2line"));
    path_remove(folder, "addr2line");
    forget(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_driver_has_its_own),
        cmocka_unit_test(what_cannot_be_profiled_is_said),
        cmocka_unit_test(a_process_is_profiled_whole),
        cmocka_unit_test(stacks_begin_where_the_harness_does),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(each_driver_is_told_of_by_the_doctor),

        cmocka_unit_test(the_benchmarks_command_is_the_end_of_its_own),
        cmocka_unit_test(javas_recorder_is_told_what_to_record),
        cmocka_unit_test(a_path_that_an_option_would_split_is_refused),
        cmocka_unit_test(a_project_has_its_own_command),

        cmocka_unit_test(what_the_kernel_allows_is_said),
        cmocka_unit_test(kernel_events_what_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
