/* Children of a daemon: a group of their own, nothing inherited but what is given, all ended. */
#include "tests/unit/test.h"

#include "server/ground/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const no_environment[] = {NULL};

static char *read_all(int fd) {
    GString *text = g_string_new(NULL);
    char piece[256];
    for (ssize_t got; (got = read(fd, piece, sizeof piece)) > 0;)
        g_string_append_len(text, piece, got);
    return g_string_free(text, FALSE);
}

/* What a shell says, given input; *status: how it ended. */
static char *said(const char *script, const char *const *environment, const char *input,
                  int *status) {
    int in[2], out[2];
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    assert_int_equal(pipe2(in, O_CLOEXEC) + pipe2(out, O_CLOEXEC), 0);
    g_autoptr(GError) error = NULL;
    const pid_t child = srv_spawn(argv, environment, in[0], out[1], &error);
    assert_true(child > 0);
    close(in[0]);
    close(out[1]);
    assert_int_equal(write(in[1], input, strlen(input)), strlen(input));
    close(in[1]);
    char *text = read_all(out[0]);
    close(out[0]);
    assert_int_equal(waitpid(child, status, 0), child);
    return text;
}

static void input_and_output_are_the_given(void **state) {
    (void)state;
    int status = 0;
    g_autofree char *text = said("while read -r line; do echo \"<$line>\"; done; exit 7",
                                 no_environment, "a\nb\n", &status);
    assert_string_equal(text, "<a>\n<b>\n");
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
}

static void the_environment_is_the_given(void **state) {
    (void)state;
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "A=b=c", NULL};
    int status = 0;
    g_autofree char *text = said("echo \"$A\" \"${HOME-none}\"", environment, "", &status);
    assert_string_equal(text, "b=c none\n");
}

static void no_input_is_the_end_of_a_file(void **state) {
    (void)state;
    const char *const argv[] = {"/bin/sh", "-c", "read x || exit 5", NULL};
    int status = 0;
    const pid_t child = srv_spawn(argv, no_environment, -1, -1, NULL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 5);
}

/* The daemon blocks and ignores signals; its children do not. */
static void signals_are_as_after_login(void **state) {
    (void)state;
    sigset_t block, before;
    sigemptyset(&block);
    sigaddset(&block, SIGTERM);
    sigprocmask(SIG_BLOCK, &block, &before);
    void (*handler)(int) = signal(SIGPIPE, SIG_IGN);
    int status = 0;
    static const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    g_autofree char *text =
        said("grep -E '^Sig(Blk|Ign)' /proc/self/status", environment, "", &status);
    signal(SIGPIPE, handler);
    sigprocmask(SIG_SETMASK, &before, NULL);
    const char *ignored = strstr(text, "SigIgn:\t");
    assert_non_null(strstr(text, "SigBlk:\t0000000000000000\n"));
    /* 32 and above are the C library's own */
    assert_int_equal(g_ascii_strtoull(ignored + strlen("SigIgn:\t"), NULL, 16) & 0x7fffffff, 0);
}

static void what_cannot_be_started(void **state) {
    (void)state;
    static const struct {
        const char *path;
        int code;
    } cases[] = {{"/nonexistent/program", G_IO_ERROR_NOT_FOUND},
                 {"/etc/passwd", G_IO_ERROR_PERMISSION_DENIED}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const argv[] = {cases[i].path, NULL};
        g_autoptr(GError) error = NULL;
        assert_int_equal(srv_spawn(argv, no_environment, -1, -1, &error), -1);
        assert_true(g_error_matches(error, G_IO_ERROR, cases[i].code));
        assert_non_null(strstr(error->message, cases[i].path));
    }
}

/* The pipe's end is seen when the last process that holds it is gone: grandchildren, too. */
static void the_whole_group_ends(void **state) {
    (void)state;
    static const int grace_ms[] = {0, 20};
    for (size_t i = 0; i < G_N_ELEMENTS(grace_ms); i++) {
        int out[2];
        const char *const argv[] = {"/bin/sh", "-c",
                                    "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) &"
                                    " echo up; while :; do sleep 1; done",
                                    NULL};
        static const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
        char up[3];
        assert_int_equal(pipe2(out, O_CLOEXEC), 0);
        const pid_t child = srv_spawn(argv, environment, -1, out[1], NULL);
        close(out[1]);
        assert_int_equal(getpgid(child), child);
        assert_int_equal(read(out[0], up, sizeof up), 3);
        srv_spawn_kill(child, grace_ms[i]);
        assert_true(kill(child, 0) < 0 && errno == ESRCH);
        g_autofree char *rest = read_all(out[0]); /* returns: nobody writes any more */
        assert_string_equal(rest, "");
        close(out[0]);
    }
}

static void who_ends_when_asked_may_finish(void **state) {
    (void)state;
    int out[2];
    char up[3];
    const char *const argv[] = {
        "/bin/sh", "-c", "trap 'echo bye; exit' TERM; echo up; while :; do sleep 0.01; done", NULL};
    static const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    const pid_t child = srv_spawn(argv, environment, -1, out[1], NULL);
    close(out[1]);
    assert_int_equal(read(out[0], up, sizeof up), 3);
    srv_spawn_kill(child, 60000);
    g_autofree char *rest = read_all(out[0]);
    assert_string_equal(rest, "bye\n");
    close(out[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(input_and_output_are_the_given),
        cmocka_unit_test(the_environment_is_the_given),
        cmocka_unit_test(no_input_is_the_end_of_a_file),
        cmocka_unit_test(signals_are_as_after_login),
        cmocka_unit_test(what_cannot_be_started),
        cmocka_unit_test(the_whole_group_ends),
        cmocka_unit_test(who_ends_when_asked_may_finish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
