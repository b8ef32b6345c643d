/* From what each profiler wrote to the stacks that are sent, and why there are none. */
#include "tests/unit/runner/file.h"
#include "tests/unit/runner/test.h"

#include "runner/process/descendants.h"
#include "runner/profile/collapse.h"

#include <glib/gstdio.h>

#define JAVA_ROOT "moowatch/moobench/BenchmarkThread.run"

typedef struct {
    char *folder, *out, *path;
    char *environment[2];
    run_collapse how;
} place;

/* The profiler at a place of a driver's list; command: the project's own. */
static const run_profiler *profiler_of(cfg_driver driver, unsigned at, bool command) {
    static char perf[] = "perf", *words[] = {perf, NULL};
    const run_job job = {.benchmark.driver = driver, .profile_command = command ? words : NULL};
    run_profilers all;
    assert_true(run_profilers_of(&job, &all, NULL));
    return all.each[at];
}

static void begin(place *at, const char *folder, const run_profiler *profiler, const char *text) {
    *at = (place){.folder = g_strdup(folder),
                  .out = g_build_filename(folder, "out", NULL),
                  .path = g_strdup_printf("PATH=%s/bin", folder)};
    at->environment[0] = at->path;
    assert_int_equal(g_mkdir_with_parents(at->out, 0700), 0);
    g_autofree char *file = g_build_filename(at->out, "profile", NULL);
    assert_true(g_file_set_contents(file, text, -1, NULL));
    at->how = (run_collapse){.profiler = profiler,
                             .spec = {.directory = "/", .stop_fd = -1},
                             .environment = at->environment,
                             .folder = at->folder,
                             .file = "profile",
                             .root = profiler->root,
                             .cpu_ns = 1e9,
                             .bytes_most = 1 << 20,
                             .until_us = G_MAXINT64};
}

static void end(place *at) {
    g_free(at->folder);
    g_free(at->out);
    g_free(at->path);
}

static void becomes(place *at, const char *expected) {
    GError *error = NULL;
    g_autofree char *text = run_collapse_make(&at->how, &error);
    if (!text)
        fail_msg("%s", error->message);
    assert_string_equal(text, expected);
    end(at);
}

static void fails(place *at, const char *says) {
    GError *error = NULL;
    assert_null(run_collapse_make(&at->how, &error));
    assert_error(error, RUN_ERROR_JOB, says);
    end(at);
}

static void a_sample_is_a_share_of_the_processs_time(void **state) {
    place at;
    /* 4 samples of the benchmark and 6 of others share 1 s: the clock was as coarse as 100 ms */
    begin(&at, *state, profiler_of(CFG_DRIVER_JAVA, 0, false),
          "Compiler::run 6\n" JAVA_ROOT "_[j];k/Probe.text_[i];malloc 3\n" JAVA_ROOT "_[0] 1\n");
    becomes(&at, JAVA_ROOT " 100000000\n" JAVA_ROOT ";k/Probe.text;malloc [native] 300000000\n");
    begin(&at, *state, profiler_of(CFG_DRIVER_JAVA, 0, false), JAVA_ROOT "_[j] 3\n");
    at.how.cpu_ns = 0; /* it is not known */
    becomes(&at, JAVA_ROOT " 3\n");
}

static void bytes_are_the_allocators(void **state) {
    const run_job job = {.benchmark.driver = CFG_DRIVER_JAVA};
    run_profilers all;
    assert_true(run_profilers_of(&job, &all, NULL));
    place at;
    begin(&at, *state, all.allocated,
          "Main.main_[j];byte[]_[i] 4096\n" JAVA_ROOT
          "_[j];k/Probe.text_[i];java.lang.String_[i] 24\n");
    becomes(&at, JAVA_ROOT ";k/Probe.text;new java.lang.String 24\n");
    begin(&at, *state, all.allocated, "Main.main_[j];byte[]_[i] 4096\n");
    becomes(&at, ""); /* a call may allocate nothing */
}

static void the_projects_own_are_as_they_are(void **state) {
    place at;
    begin(&at, *state, profiler_of(CFG_DRIVER_COMMAND, 0, true), "main;work \x80 5\n");
    becomes(&at, "main;work \xef\xbf\xbd 5\n");
}

static void what_does_not_fit_counts_as_its_callers(void **state) {
    place at;
    begin(&at, *state, profiler_of(CFG_DRIVER_COMMAND, 0, true),
          "main;rare_and_long_name 1\nmain;often 900\nmain 2\n");
    at.how.bytes_most = 30;
    becomes(&at, "main 3\nmain;often 900\n");
    begin(&at, *state, profiler_of(CFG_DRIVER_COMMAND, 0, true), "a_name_longer_than_that 900\n");
    at.how.bytes_most = 10;
    fails(&at, "its share of the 6 MiB");
    begin(&at, *state, profiler_of(CFG_DRIVER_NATIVE, 0, false),
          "fn=moobench_monitored_method\n1 5\n");
    at.how.bytes_most = 10; /* what is exact stays so */
    fails(&at, "its stacks take more than");
}

static void what_is_not_there_is_named(void **state) {
    place at;
    begin(&at, *state, profiler_of(CFG_DRIVER_JAVA, 0, false), "Compiler::run 6\n");
    becomes(&at, ""); /* not in this one: only all of them tell */
    begin(&at, *state, profiler_of(CFG_DRIVER_COMMAND, 0, true), "");
    fails(&at, "it holds no samples");
    begin(&at, *state, profiler_of(CFG_DRIVER_JAVA, 0, false), "a_[j] 1\nnonsense\n");
    fails(&at, "its profile, line 2: ");
    begin(&at, *state, profiler_of(CFG_DRIVER_NATIVE, 0, false), "fn=other\n1 5\n");
    fails(&at, "moobench_monitored_method is not in the profile: is the program stripped");
    begin(&at, *state, profiler_of(CFG_DRIVER_JAVA, 0, false), "");
    at.how.file = "none";
    fails(&at, "none: ");
}

/* A program called jfr that prints this. */
static void begin_jfr(place *at, const char *folder, const char *prints) {
    begin(at, folder, profiler_of(CFG_DRIVER_JAVA, 1, false), "a recording");
    g_autofree char *bin = g_build_filename(folder, "bin", NULL);
    g_autofree char *program = g_build_filename(bin, "jfr", NULL);
    g_autofree char *text = g_strdup_printf("#!/bin/sh\n%s\n", prints);
    assert_int_equal(g_mkdir_with_parents(bin, 0700), 0);
    assert_true(
        g_file_set_contents_full(program, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0755, NULL));
    assert_int_equal(g_chmod(program, 0755), 0);
}

static void a_recording_is_printed_by_java(void **state) {
    place at;
    begin_jfr(&at, *state,
              "test \"$1 $2 $3\" = 'print --events jdk.ExecutionSample' || exit 9\n"
              "case $6 in */out/profile) ;; *) exit 8 ;; esac\n"
              "echo 'stackTrace = ['; echo ' k.Probe.text(int) line: 3'\n"
              "echo ' moowatch.moobench.BenchmarkThread.run() line: 9'; echo ']'");
    becomes(&at, JAVA_ROOT ";k/Probe.text 10000000\n");
    begin_jfr(&at, *state, "exit 3");
    fails(&at, "jfr print: exit status 3");
    begin_jfr(&at, *state, "echo nothing");
    fails(&at, "is not in the profile: is the program stripped");
    begin_jfr(&at, *state, "exec /usr/bin/head -c 70000000 /dev/zero");
    fails(&at, "wrote more than 64 MiB");
    begin_jfr(&at, *state, "exec /usr/bin/sleep 60");
    at.how.until_us = 0; /* no more than a second is left */
    fails(&at, "still running after 1 s");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_sample_is_a_share_of_the_processs_time, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(bytes_are_the_allocators, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(the_projects_own_are_as_they_are, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(what_does_not_fit_counts_as_its_callers, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(what_is_not_there_is_named, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(a_recording_is_printed_by_java, make_test_folder,
                                        remove_test_folder),
    };
    GError *error = NULL;
    return run_descendants_adopt(&error) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
