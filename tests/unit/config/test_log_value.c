/* A stranger's text in a log: it never ends its value or its line, nor moves a terminal's cursor.
 */
#include "tests/unit/test.h"

#include "config/log_value.h"

#include <string.h>

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
        cfg_log_value(line, cases[i].value);
        assert_string_equal(line->str, cases[i].written);
    }
}

static void long_values_are_cut(void **state) {
    (void)state;
    g_autofree char *edge = g_strnfill(2000, 'a'), *more = g_strnfill(2001, 'a');
    g_autoptr(GString) whole = g_string_new(NULL);
    g_autoptr(GString) cut = g_string_new(NULL);
    cfg_log_value(whole, edge);
    assert_int_equal(whole->len, 2000);
    cfg_log_value(cut, more);
    assert_int_equal(cut->len, strlen("\"\"") + 2000);
}

static void an_escaped_text_is_not_quoted(void **state) {
    (void)state;
    g_autoptr(GString) line = g_string_new("x=\"");
    cfg_log_escape(line, "a\" level=debug b=\"c");
    assert_string_equal(line->str, "x=\"a\\\" level=debug b=\\\"c");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_as_they_are_written),
        cmocka_unit_test(long_values_are_cut),
        cmocka_unit_test(an_escaped_text_is_not_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
