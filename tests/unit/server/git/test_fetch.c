/* The child that asks git: what it answers is taken, and one that is late, dead or confused costs a
 * question, never the daemon. The child is a script that a test writes. */
#include "tests/unit/test.h"

#include "server/git/fetch.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONG_MS = 60000 }; /* never waited for in a test that passes */

typedef struct {
    char *dir, *program;
    srv_fetch *fetch;
} bench;

/* A child that is this script; it gets each question as a line. */
static void child_is(bench *at, const char *script, int stop_fd) {
    g_autofree char *text = g_strconcat("#!/bin/sh\n", script, "\n", NULL);
    srv_fetch_free(at->fetch);
    g_free(at->program);
    at->program = folder_file(at->dir, "child", text);
    assert_int_equal(chmod(at->program, 0700), 0);
    at->fetch = srv_fetch_new(at->program, at->dir, stop_fd);
}

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->dir = folder_new();
    *state = at;
    (void)signal(SIGPIPE, SIG_IGN); /* as the daemon has it */
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    srv_fetch_free(at->fetch);
    folder_free(at->dir);
    g_free(at->program);
    g_free(at);
    return 0;
}

static json_t *asked(bench *at, int timeout_ms, GError **error) {
    json_t *request = json_pack("{s:s}", "op", "test");
    json_t *answer = srv_fetch_ask(at->fetch, request, timeout_ms, error);
    json_decref(request);
    return answer;
}

static void expect_text(bench *at, const char *key, const char *value) {
    GError *error = NULL;
    json_t *answer = asked(at, LONG_MS, &error);
    assert_no_error(error);
    const char *text = json_string_value(json_object_get(answer, key));
    if (g_strcmp0(text, value) != 0)
        fail_msg("%s is %s, not %s", key, text, value);
    json_decref(answer);
}

static void one_child_answers_many_questions(void **state) {
    bench *at = *state;
    child_is(at, "n=0; while read -r q; do n=$((n+1)); echo \"{\\\"n\\\":\\\"$n of $$\\\"}\"; done",
             -1);
    json_t *first = asked(at, LONG_MS, NULL), *second = asked(at, LONG_MS, NULL);
    const char *a = json_string_value(json_object_get(first, "n"));
    const char *b = json_string_value(json_object_get(second, "n"));
    assert_true(g_str_has_prefix(a, "1 of ") && g_str_has_prefix(b, "2 of "));
    assert_string_equal(a + 5, b + 5);
    srv_fetch_rest(at->fetch);
    json_t *third = asked(at, LONG_MS, NULL);
    const char *c = json_string_value(json_object_get(third, "n"));
    assert_true(g_str_has_prefix(c, "1 of "));
    assert_string_not_equal(a + 5, c + 5);
    json_decref(first);
    json_decref(second);
    json_decref(third);
}

static void it_gets_the_question_and_what_git_needs(void **state) {
    bench *at = *state;
    g_setenv("http_proxy", "http://proxy:1", TRUE);
    g_setenv("MOOWATCH_SECRET", "x", TRUE);
    child_is(at,
             "read -r q; [ \"$q\" = '{\"op\":\"test\"}' ] || exit 1; [ \"$1\" = --fetch-helper ] "
             "|| exit 2; printf '{\"env\":\"%s %s %s %s\"}\\n' \"$HOME\" \"$LC_ALL\" "
             "\"$http_proxy\" \"${MOOWATCH_SECRET-none}\"",
             -1);
    g_autofree char *expected = g_strdup_printf("%s C.UTF-8 http://proxy:1 none", at->dir);
    expect_text(at, "env", expected);
}

static void an_answer_in_pieces_is_one(void **state) {
    bench *at = *state;
    child_is(at, "while read -r q; do printf '{\"a\":'; sleep 0.01; printf '\"b\"}\\n'; done", -1);
    expect_text(at, "a", "b");
    expect_text(at, "a", "b");
}

static void an_answer_longer_than_a_block_is_whole(void **state) {
    bench *at = *state;
    child_is(at,
             "read -r q; printf '{\"a\":\"'; head -c 300000 /dev/zero | tr '\\0' x; "
             "printf '\"}\\n'",
             -1);
    json_t *answer = asked(at, LONG_MS, NULL);
    assert_int_equal(json_string_length(json_object_get(answer, "a")), 300000);
    json_decref(answer);
}

static void what_goes_wrong_is_told_and_the_next_question_starts_anew(void **state) {
    static const struct {
        const char *script;
        int timeout_ms, code;
        const char *says;
    } cases[] = {
        {"read -r q; echo '{\"error\":\"branch x is not there\"}'; read -r q", LONG_MS,
         G_IO_ERROR_FAILED, "branch x is not there"},
        {"read -r q; echo 'no JSON'; read -r q", LONG_MS, G_IO_ERROR_FAILED, ""},
        {"read -r q; exit 0", LONG_MS, G_IO_ERROR_BROKEN_PIPE,
         "the git process ended without an answer; it is tried again at the next poll"},
        {"read -r q; kill -9 $$", LONG_MS, G_IO_ERROR_BROKEN_PIPE, "ended without an answer"},
        {"read -r q; printf '{\"half\":'; exit 0", LONG_MS, G_IO_ERROR_BROKEN_PIPE,
         "ended without an answer"},
        {"read -r q; printf '{\"half\":'; exec sleep 1000", 50, G_IO_ERROR_TIMED_OUT,
         "the repository did not answer within 0 s; it is tried again at the next poll "
         "(fetch_timeout_seconds sets the limit)"},
        {"exec sleep 1000", 0, G_IO_ERROR_TIMED_OUT, "did not answer"},
        {"exec sleep 1000", -5, G_IO_ERROR_TIMED_OUT, "did not answer"},
        {"read -r q; exec yes nonsense-without-an-end | tr -d '\\n'", LONG_MS,
         G_IO_ERROR_BROKEN_PIPE, "ended without an answer"},
    };
    bench *at = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        child_is(at, cases[i].script, -1);
        assert_null(asked(at, cases[i].timeout_ms, &error));
        assert_error_of(error, G_IO_ERROR, cases[i].code, cases[i].says);
    }
    g_autofree char *mark = g_build_filename(at->dir, "mark", NULL);
    g_autofree char *script = g_strdup_printf(
        "[ -e '%s' ] || { touch '%s'; exit 1; }; while read -r q; do echo '{\"a\":\"b\"}'; done",
        mark, mark);
    GError *error = NULL;
    child_is(at, script, -1);
    assert_null(asked(at, LONG_MS, &error));
    assert_io_error(error, BROKEN_PIPE, "the git process ended");
    expect_text(at, "a", "b");
}

/* Gone, or a zombie that whoever adopted it has not looked at. */
static bool has_ended(pid_t process) {
    g_autofree char *path = g_strdup_printf("/proc/%d/status", (int)process);
    g_autofree char *status = NULL;
    return !g_file_get_contents(path, &status, NULL, NULL) || strstr(status, "State:\tZ");
}

/* The question is given up when the child has started another, which goes with it. */
static void a_child_is_ended_with_its_group(void **state) {
    bench *at = *state;
    GError *error = NULL;
    g_autofree char *pid_file = g_build_filename(at->dir, "pid", NULL);
    g_autofree char *fifo = g_build_filename(at->dir, "started", NULL);
    g_autofree char *script =
        g_strdup_printf("sleep 1000 & echo $! > '%s'; echo > '%s'; wait", pid_file, fifo);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const int started = open(fifo, O_RDWR | O_CLOEXEC);
    child_is(at, script, started);
    assert_null(asked(at, LONG_MS, &error));
    assert_io_error(error, CANCELLED, "moowatchd is stopping");
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(pid_file, &text, NULL, NULL));
    const pid_t grandchild = (pid_t)g_ascii_strtoll(text, NULL, 10);
    assert_true(grandchild > 1);
    const int64_t until_us = g_get_monotonic_time() + (int64_t)LONG_MS * 1000;
    while (!has_ended(grandchild) && g_get_monotonic_time() < until_us)
        g_usleep(1000);
    assert_true(has_ended(grandchild));
    close(started);
}

static void a_stopping_daemon_waits_for_nothing(void **state) {
    bench *at = *state;
    GError *error = NULL;
    const int stop_fd = eventfd(1, EFD_CLOEXEC);
    child_is(at, "exec sleep 1000", stop_fd);
    assert_null(asked(at, LONG_MS, &error));
    assert_io_error(error, CANCELLED, "moowatchd is stopping");
    srv_fetch_free(g_steal_pointer(&at->fetch));
    close(stop_fd);
}

static void a_program_that_is_not_there_is_told(void **state) {
    bench *at = *state;
    GError *error = NULL;
    at->fetch = srv_fetch_new("/nonexistent/moowatchd", at->dir, -1);
    for (int i = 0; i < 2; i++) {
        assert_null(asked(at, LONG_MS, &error));
        assert_io_error(error, NOT_FOUND, "cannot start /nonexistent/moowatchd: ");
    }
    srv_fetch_rest(at->fetch);
}

typedef struct {
    unsigned silent, connected;
} heard;

static void is_silent(void *user) {
    ((heard *)user)->silent++;
}
static void is_connected(void *user) {
    ((heard *)user)->connected++;
}

/* What a question to a host says, with these limits. */
static json_t *asked_host(bench *at, int connect_ms, int answer_ms, int patience_ms, heard *to,
                          GError **error) {
    const srv_fetch_wait wait = {.connect_ms = connect_ms,
                                 .answer_ms = answer_ms,
                                 .patience_ms = patience_ms,
                                 .silent = is_silent,
                                 .connected = is_connected,
                                 .user = to};
    json_auto_t *request = json_pack("{s:s}", "op", "test");
    json_t *answer = srv_fetch_ask_host(at->fetch, request, &wait, error);
    assert_null(json_object_get(request, "tells"));
    return answer;
}

#define CONNECTED "echo '{\"connected\":true}'; "

static void a_host_that_has_answered_waits_to_be_let_go(void **state) {
    bench *at = *state;
    static const char *const scripts[] = {
        "while read -r q; do " CONNECTED "read -r go; echo \"{\\\"a\\\":\\\"b$go\\\"}\"; done",
        /* both lines in one piece, and the second one in two */
        "while read -r q; do printf '{\"connected\":true}\\n{\"a\":\"b\"}\\n'; read -r go; done",
        ("while read -r q; do printf '{\"connected\":true}\\n{\"a\":'; read -r go; printf "
         "'\"b\"}\\n'; done"),
        /* a question that needs no host */
        "while read -r q; do echo '{\"a\":\"b\"}'; done",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(scripts); i++) {
        child_is(at, scripts[i], -1);
        for (unsigned n = 1; n <= 2; n++) {
            GError *error = NULL;
            heard to = {0};
            json_auto_t *answer = asked_host(at, LONG_MS, LONG_MS, LONG_MS, &to, &error);
            assert_no_error(error);
            assert_string_equal(json_string_value(json_object_get(answer, "a")), "b");
            assert_int_equal(to.connected, i < 3 ? 1 : 0);
            assert_int_equal(to.silent, 0);
        }
    }
}

static void a_child_that_cannot_be_let_go_is_ended(void **state) {
    bench *at = *state;
    static const char *const scripts[] = {
        "read -r q; exec <&-; " CONNECTED "exec sleep 1000", /* reads no more */
        "read -r q; " CONNECTED "read -r go; " CONNECTED "exec sleep 1000",
        "read -r q; " CONNECTED "read -r go; printf '{\"connected\":true}\n{'; exec sleep 1000",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(scripts); i++) {
        GError *error = NULL;
        heard to = {0};
        child_is(at, scripts[i], -1);
        assert_null(asked_host(at, LONG_MS, LONG_MS, LONG_MS, &to, &error));
        assert_io_error(error, BROKEN_PIPE, "the git process ended without an answer");
        assert_int_equal(to.connected, 1);
    }
}

static void connecting_and_transferring_have_a_limit_each(void **state) {
    bench *at = *state;
    static const struct {
        const char *script;
        int connect_ms, answer_ms;
        const char *says;
    } cases[] = {
        {"exec sleep 1000", 20, LONG_MS, "(fetch_connect_seconds sets the limit)"},
        {"read -r q; " CONNECTED "exec sleep 1000", LONG_MS, 20,
         "(fetch_timeout_seconds sets the limit)"},
        {"exec sleep 1000", 20, 20, "(fetch_timeout_seconds sets the limit)"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        heard to = {0};
        child_is(at, cases[i].script, -1);
        assert_null(asked_host(at, cases[i].connect_ms, cases[i].answer_ms, LONG_MS, &to, &error));
        assert_io_error(error, TIMED_OUT, cases[i].says);
    }
}

static void a_silent_host_is_told_once(void **state) {
    bench *at = *state;
    GError *error = NULL;
    heard to = {0};
    child_is(at, "read -r q; exec sleep 1000", -1);
    assert_null(asked_host(at, 20, LONG_MS, 0, &to, &error));
    assert_io_error(error, TIMED_OUT, "(fetch_connect_seconds sets the limit)");
    assert_int_equal(to.silent, 1);
    assert_int_equal(to.connected, 0);
}

int main(void) {
#define WITH_CHILD(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_CHILD(one_child_answers_many_questions),
        WITH_CHILD(it_gets_the_question_and_what_git_needs),
        WITH_CHILD(an_answer_in_pieces_is_one),
        WITH_CHILD(an_answer_longer_than_a_block_is_whole),
        WITH_CHILD(what_goes_wrong_is_told_and_the_next_question_starts_anew),
        WITH_CHILD(a_child_is_ended_with_its_group),
        WITH_CHILD(a_stopping_daemon_waits_for_nothing),
        WITH_CHILD(a_program_that_is_not_there_is_told),
        WITH_CHILD(a_host_that_has_answered_waits_to_be_let_go),
        WITH_CHILD(a_child_that_cannot_be_let_go_is_ended),
        WITH_CHILD(connecting_and_transferring_have_a_limit_each),
        WITH_CHILD(a_silent_host_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
