/* From what each profiler wrote to the stacks that are sent, and why there are none. */
#include "runner/profile/collapse.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/file.h"
#include "tests/unit/runner/test.h"
#include "tests/unit/test.h"

#include "runner/process/descendants.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* What addr2line answers, and what becomes of it. */

static void the_linked_function_is_left_out(void **state) {
    (void)state;
    g_auto(GStrv) lines = g_strsplit(
        "entry_new|probe.c:40|history_add|probe.c:50 (x 2)|probe_exit|probe.c:90", "|", 0);
    g_autofree char *chain = inlined_chain(lines, 6);
    assert_string_equal(chain, "history_add;entry_new");
    g_autofree char *inner = inlined_chain(lines + 2, 4);
    assert_string_equal(inner, "history_add");
    assert_null(inlined_chain(lines + 4, 2));
    assert_null(inlined_chain(lines, 1));
    assert_null(inlined_chain(lines, 0));
}

static void what_has_no_name_is_a_question_mark(void **state) {
    (void)state;
    g_auto(GStrv) lines = g_strsplit("??|??:0|f|f.c:1", "|", 0);
    g_autofree char *chain = inlined_chain(lines, 4);
    assert_string_equal(chain, "?");
}

static det_callgrind *file_of(const char *object) {
    det_stacks_error error;
    det_callgrind *file = NULL;
    g_autofree char *text =
        g_strdup_printf("positions: instr\nevents: Ir\nob=%s\nfn=f\n0x10 5\n0x20 7\n", object);
    assert_int_equal(det_callgrind_read(&file, text, strlen(text), &error), DET_OK);
    return file;
}

static void stacks_are(const det_callgrind *file, const char *expected) {
    det_stacks *stacks = det_stacks_new(1);
    const char *const own[] = {"/"};
    assert_int_equal(det_callgrind_stacks(file, &(det_callgrind_wanted){NULL, own, 1}, stacks, 0),
                     DET_OK);
    char *text = det_stacks_text(stacks, 0, SIZE_MAX);
    assert_string_equal(text, expected);
    free(text);
    det_stacks_free(stacks);
}

/* An addr2line of our own in a PATH of its own. */
static void name_until(int64_t until_us, const char *script, det_callgrind *file, const char *own) {
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("moowatch-inlined-XXXXXX", NULL);
    g_autofree char *program = g_build_filename(folder, "addr2line", NULL);
    g_autofree char *questions = g_build_filename(folder, "addresses", NULL);
    g_autofree char *path = g_strconcat("PATH=", folder, ":/bin:/usr/bin", NULL);
    char *const environment[] = {path, NULL};
    const char *const owns[] = {own};
    if (script) {
        assert_true(g_file_set_contents(program, script, -1, &error));
        assert_int_equal(chmod(program, 0755), 0);
    }
    const run_inlined how = {.spec = {.log_limit_bytes = 1 << 20, .stop_fd = -1, .directory = "/"},
                             .environment = environment,
                             .folder = folder,
                             .own = owns,
                             .own_count = 1,
                             .until_us = until_us};
    if (!inlined_name(&how, file, &error))
        fail_msg("%s", error->message);
    (void)unlink(program);
    (void)unlink(questions);
    assert_int_equal(rmdir(folder), 0);
}

static void name_with(const char *script, det_callgrind *file, const char *own) {
    name_until(g_get_monotonic_time() + 60 * G_USEC_PER_SEC, script, file, own);
}

#define ANSWERS                                                                                    \
    "#!/bin/sh\nprintf '0x10\\nf\\nf.c:1\\n0x20\\nsmall\\nf.c:9\\nlarge\\nf.c:5\\nf\\nf.c:2\\n'\n"

static void each_place_gets_its_answer(void **state) {
    (void)state;
    det_callgrind *file = file_of("/bin/sh");
    name_with(ANSWERS, file, "/bin/");
    stacks_are(file, "f 5\nf;large;small 7\n");
    det_callgrind_free(file);
}

/* One that answers for an address nobody asked for, and leaves one out. */
static void an_answer_goes_to_its_own_address(void **state) {
    (void)state;
    det_callgrind *file = file_of("/bin/sh");
    name_with(
        "#!/bin/sh\nprintf '0x18\\nwrong\\nf.c:1\\nf\\nf.c:1\\n0x20\\nin\\nf.c:9\\nf\\nf.c:2\\n'\n",
        file, "/bin/");
    stacks_are(file, "f 5\nf;in 7\n");
    det_callgrind_free(file);
}

static void nothing_is_asked_when_time_is_up(void **state) {
    (void)state;
    det_callgrind *file = file_of("/bin/sh");
    name_until(g_get_monotonic_time(), ANSWERS, file, "/bin/");
    stacks_are(file, "f 12\n");
    det_callgrind_free(file);
}

static void only_the_projects_own_code_is_looked_at(void **state) {
    (void)state;
    det_callgrind *file = file_of("/bin/sh");
    name_with(ANSWERS, file, "/srv/");
    stacks_are(file, "f 12\n");
    det_callgrind_free(file);
    file = file_of("/bin/there-is-no-such-file");
    name_with(ANSWERS, file, "/bin/");
    stacks_are(file, "f 12\n");
    det_callgrind_free(file);
}

static void a_program_that_fails_leaves_the_names(void **state) {
    (void)state;
    det_callgrind *file = file_of("/bin/sh");
    name_with("#!/bin/sh\nexit 1\n", file, "/bin/");
    stacks_are(file, "f 12\n");
    name_with("#!/bin/sh\necho nonsense\n", file, "/bin/");
    stacks_are(file, "f 12\n");
    det_callgrind_free(file);
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

        cmocka_unit_test(the_linked_function_is_left_out),
        cmocka_unit_test(what_has_no_name_is_a_question_mark),
        cmocka_unit_test(each_place_gets_its_answer),
        cmocka_unit_test(an_answer_goes_to_its_own_address),
        cmocka_unit_test(nothing_is_asked_when_time_is_up),
        cmocka_unit_test(only_the_projects_own_code_is_looked_at),
        cmocka_unit_test(a_program_that_fails_leaves_the_names),
    };
    GError *error = NULL;
    return run_descendants_adopt(&error) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
