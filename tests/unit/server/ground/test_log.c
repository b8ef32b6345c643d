/* A stranger's text never makes a second line, and never moves a terminal's cursor. */
#include "tests/unit/test.h"

#include "server/ground/log.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* What a call writes to standard error; caller frees. */
static char *written(void (*call)(void)) {
    g_autofree char *path = NULL;
    char *text = NULL;
    const int file = g_file_open_tmp("moowatch-log-XXXXXX", &path, NULL), old = dup(2);
    assert_true(file >= 0 && old >= 0 && dup2(file, 2) == 2);
    call();
    assert_int_equal(dup2(old, 2), 2);
    close(old);
    close(file);
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_unlink(path);
    return text;
}

static void three_lines(void) {
    srv_log_info("queue", "leased", "job", "7", "node", "blade \"1", NULL);
    srv_log_warning("git", "slow", "reason", NULL, "seconds", "3", NULL);
    srv_log_error("http", "broken", NULL);
}

enum { TIME_LENGTH = 21 };

static void a_line_an_event(void **state) {
    (void)state;
    g_autofree char *text = written(three_lines);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    static const char *const expected[] = {"info queue leased job=7 node=\"blade \\\"1\"",
                                           "warning git slow seconds=3", "error http broken"};
    assert_int_equal(g_strv_length(lines), G_N_ELEMENTS(expected) + 1);
    for (size_t i = 0; i < G_N_ELEMENTS(expected); i++) { /* no journal reads this file */
        assert_true(
            g_regex_match_simple("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ ", lines[i], 0, 0));
        assert_string_equal(lines[i] + TIME_LENGTH, expected[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_an_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
