/* A line of the log is one line, and no terminal obeys what is in it. */
#include "tests/unit/test.h"

#include "config/shown.h"
#include "runner/ground/log.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define R "\xef\xbf\xbd"

/* What a call writes to stderr; 1000 bytes at most. */
static void written(void (*call)(void), char out[1001]) {
    int file = memfd_create("stderr", MFD_CLOEXEC), own = dup(STDERR_FILENO);
    assert_true(file >= 0 && own >= 0);
    (void)dup2(file, STDERR_FILENO);
    call();
    (void)dup2(own, STDERR_FILENO);
    close(own);
    const ssize_t size = pread(file, out, 1000, 0);
    out[size > 0 ? size : 0] = '\0';
    close(file);
}

static void log_a_servers_words(void) {
    run_log("error", "agent", "refused", "reason=\"%s\"",
            "\x1b]0;owned\a\xc2\x9b"
            "2J\r\nnext: \xff");
}

static void complain_of_an_entry(void) {
    cfg_complain("unpack", "../\x1b[2Jraw-1.csv");
}

static void a_line_is_a_line(void **state) {
    (void)state;
    char text[1001];
    written(log_a_servers_words, text);
    assert_string_equal(text,
                        "error agent refused reason=\"" R "]0;owned" R R "2J" R " next: " R "\"\n");
}

static void a_complaint_is_shown(void **state) {
    (void)state;
    char text[1001];
    written(complain_of_an_entry, text);
    assert_string_equal(text, "unpack: ../" R "[2Jraw-1.csv\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_line_is_a_line),
                                       cmocka_unit_test(a_complaint_is_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
