/* What addr2line answers, and what becomes of it. */
#include "runner/profile/inlined.h"

#include "tests/unit/test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void the_linked_function_is_left_out(void **state) {
    (void)state;
    g_auto(GStrv) lines = g_strsplit(
        "entry_new|probe.c:40|history_add|probe.c:50 (x 2)|probe_exit|probe.c:90", "|", 0);
    g_autofree char *chain = run_inlined_chain(lines, 6);
    assert_string_equal(chain, "history_add;entry_new");
    g_autofree char *inner = run_inlined_chain(lines + 2, 4);
    assert_string_equal(inner, "history_add");
    assert_null(run_inlined_chain(lines + 4, 2));
    assert_null(run_inlined_chain(lines, 1));
    assert_null(run_inlined_chain(lines, 0));
}

static void what_has_no_name_is_a_question_mark(void **state) {
    (void)state;
    g_auto(GStrv) lines = g_strsplit("??|??:0|f|f.c:1", "|", 0);
    g_autofree char *chain = run_inlined_chain(lines, 4);
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
    if (!run_inlined_name(&how, file, &error))
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
        cmocka_unit_test(the_linked_function_is_left_out),
        cmocka_unit_test(what_has_no_name_is_a_question_mark),
        cmocka_unit_test(each_place_gets_its_answer),
        cmocka_unit_test(an_answer_goes_to_its_own_address),
        cmocka_unit_test(nothing_is_asked_when_time_is_up),
        cmocka_unit_test(only_the_projects_own_code_is_looked_at),
        cmocka_unit_test(a_program_that_fails_leaves_the_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
