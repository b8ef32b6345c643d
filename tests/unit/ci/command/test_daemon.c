/* moowatch token, backup, restore: moowatchd takes our place, with the same words. */
#include "tests/unit/ci/command/called.h"

#include <sys/stat.h>
#include <sys/wait.h>

/* The exit status of a child that calls it with this PATH, and what the child printed. */
static int in_child(const char *path, const char *const *words, char **said) {
    const capture out = capture_start(stdout), err = capture_start(stderr);
    const pid_t child = fork();
    if (child == 0) {
        char *argv[8] = {NULL};
        int argc = 0;
        for (; words[argc]; argc++)
            argv[argc] = (char *)(uintptr_t)words[argc]; /* NOLINT(performance-no-int-to-ptr) */
        g_setenv("PATH", path, TRUE);
        exit((int)ci_daemon(argc, argv));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    g_autofree char *complaint = capture_end(err), *text = capture_end(out);
    *said = g_strconcat(text, complaint, NULL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void its_words_and_its_exit_status(void **state) {
    g_autofree char *program =
        put(*state, "moowatchd", "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n");
    assert_int_equal(chmod(program, 0700), 0);
    g_autofree char *said = NULL;
    assert_int_equal(
        in_child(*state, (const char *[]){"token", "add", "--node", "a b", "", NULL}, &said), 7);
    assert_string_equal(said, "<token><add><--node><a b><>");
}

static void without_a_daemon_here(void **state) {
    g_autofree char *said = NULL;
    assert_int_equal(in_child(*state, (const char *[]){"backup", NULL}, &said), CI_USAGE);
    assert_string_equal(said, "moowatch backup: moowatchd is not installed on this machine; run it "
                              "on the server\n");
}

static void a_program_that_cannot_be_run(void **state) {
    g_autofree char *program = put(*state, "moowatchd", "#!/no/such/shell\n");
    assert_int_equal(chmod(program, 0700), 0);
    g_autofree char *said = NULL;
    assert_int_equal(in_child(*state, (const char *[]){"restore", NULL}, &said), CI_INPUT);
    assert_non_null(strstr(said, "moowatch restore: "));
    assert_non_null(strstr(said, program));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(its_words_and_its_exit_status),
        IN_FOLDER(without_a_daemon_here),
        IN_FOLDER(a_program_that_cannot_be_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
