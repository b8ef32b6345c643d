/* A stranger's text never makes a second line, and never moves a terminal's cursor. */
#include "tests/unit/test.h"

#include "server/ground/log.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static void values_as_they_are_written(void **state) {
    (void)state;
    static const struct {
        const char *value, *written;
    } cases[] = {
        {"plain", "plain"},
        {"a.b_c-d/e:f+g,h@i%25", "a.b_c-d/e:f+g,h@i%25"},
        {"", "\"\""},
        {"two words", "\"two words\""},
        {"a=b", "\"a=b\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"line\nerror http fake", "\"line\\nerror http fake\""},
        {"\r\t", "\"\\u000d\\u0009\""},
        {"\x1b[2J", "\"\\u001b[2J\""},
        {"\x7f", "\"\\u007f\""},
        {"\u202eevil", "\"\\u202eevil\""},
        {"\u2028", "\"\\u2028\""},
        {"\xc2\x85", "\"\\u0085\""},
        {"größer", "\"größer\""},
        {"\xff", "\"\uFFFD\""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GString) line = g_string_new(NULL);
        g_autofree char *expected = g_strdup_printf(" key=%s", cases[i].written);
        srv_log_append(line, "key", cases[i].value);
        assert_string_equal(line->str, expected);
    }
}

static void long_values_are_cut(void **state) {
    (void)state;
    g_autofree char *edge = g_strnfill(2000, 'a'), *more = g_strnfill(2001, 'a');
    g_autoptr(GString) whole = g_string_new(NULL);
    g_autoptr(GString) cut = g_string_new(NULL);
    srv_log_append(whole, "k", edge);
    assert_int_equal(whole->len, strlen(" k=") + 2000);
    srv_log_append(cut, "k", more);
    assert_int_equal(cut->len, strlen(" k=\"\"") + 2000);
}

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
    srv_log_info("queue", "leased", "job", "7", "node", "blade 1", NULL);
    srv_log_warning("git", "slow", "reason", NULL, "seconds", "3", NULL);
    srv_log_error("http", "broken", NULL);
}

enum { TIME_LENGTH = 21 };

static void a_line_an_event(void **state) {
    (void)state;
    g_autofree char *text = written(three_lines);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    static const char *const expected[] = {"info queue leased job=7 node=\"blade 1\"",
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
        cmocka_unit_test(values_as_they_are_written),
        cmocka_unit_test(long_values_are_cut),
        cmocka_unit_test(a_line_an_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
