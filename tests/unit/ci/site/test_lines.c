/* A list of nights that is told apart without being read. */
#include "tests/unit/ci/expect.h"

#include "ci/command/command.h"
#include "ci/site/lines.h"

static GBytes *bytes_of(const char *text) {
    return g_bytes_new(text, strlen(text));
}

static ci_site_lines *lines_of(const char *text, char **next) {
    GError *error = NULL;
    ci_site_lines *lines = ci_site_lines_new();
    g_autoptr(GBytes) bytes = bytes_of(text);
    if (!ci_site_lines_add(lines, bytes, next, &error))
        fail_msg("%s: %s", text, error->message);
    return lines;
}

static void what_a_line_says(void **state) {
    (void)state;
    static const struct {
        const char *text, *month;
        json_int_t experiment;
        bool measured;
    } cases[] = {
        {"{}", "0000-00", 0, false},
        {"{\"experiment\": 7}", "0000-00", 7, true},
        {"{\"experiment\":7,\"night\":\"2026-02-01\",\"state\":\"measured\"}", "2026-02", 7, true},
        {"{\"state\": \"quarantined\", \"night\": \"2026-02-01\", \"experiment\": 7}", "2026-02", 7,
         false},
        {"{\"experiment\": null, \"state\": \"failed\", \"night\": null}", "0000-00", 0, false},
        {"{\"night\": \"2026-02\", \"experiment\": 7}", "0000-00", 7, true},
        /* not its own members */
        {"{\"a\": {\"experiment\": 1, \"x\": \"}]\"}, \"b\": [\"night\", {\"state\": 2}], "
         "\"c\": \"\\\"experiment\\\": 3\", \"experiment\": 9}",
         "0000-00", 9, true},
        {"{\"x\\\\\": 1, \"experiment\" : 4 }", "0000-00", 4, true},
        {"{\"a\": [1, 2.5e3, true, false, null], \"experiment\": 5}", "0000-00", 5, true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf(" {\"items\": [ %s , {}\n], \"next\": null} ", cases[i].text);
        g_autofree char *next = NULL;
        g_autoptr(ci_site_lines) lines = lines_of(text, &next);
        const ci_site_line *line = ci_site_lines_at(lines, 0);
        assert_int_equal(ci_site_lines_count(lines), 2);
        assert_string_equal(line->month, cases[i].month);
        assert_int_equal(line->experiment, cases[i].experiment);
        assert_int_equal(line->measured, cases[i].measured);
        assert_null(ci_site_lines_at(lines, 2));
        assert_null(next);
        json_auto_t *plain = json_loads(cases[i].text, 0, NULL);
        assert_true(json_equal(ci_site_lines_read(lines, 0, NULL), plain));
    }
}

/* Answer behind answer, and where the next one begins. */
static void of_more_than_one_answer(void **state) {
    (void)state;
    g_autofree char *next = NULL, *end = NULL;
    g_autoptr(ci_site_lines) lines =
        lines_of("{\"next\":\"a\\\"\\u00e9\",\"items\":[{\"experiment\":2}]}", &next);
    assert_string_equal(next, "a\"\xc3\xa9");
    g_autoptr(GBytes) more = bytes_of("{\"items\":[{\"experiment\":1}],\"total\":{\"a\":[]}}");
    assert_true(ci_site_lines_add(lines, more, &end, NULL));
    assert_null(end);
    assert_int_equal(ci_site_lines_count(lines), 2);
    assert_int_equal(ci_site_lines_at(lines, 1)->experiment, 1);
    g_autofree char *none = NULL;
    g_autoptr(ci_site_lines) empty = lines_of("{\"items\":[]}", &none);
    assert_int_equal(ci_site_lines_count(empty), 0);
}

/* The text tells, of any of the lines and of none beside. */
static void digests(void **state) {
    (void)state;
    g_autofree char *n1 = NULL, *n2 = NULL;
    g_autoptr(ci_site_lines) one = lines_of("{\"items\":[{\"a\":1},{\"a\":2},{\"a\":3}]}", &n1);
    g_autoptr(ci_site_lines) two =
        lines_of("{\"items\": [ {\"a\":0} , {\"a\":2} , {\"a\":3} ]}", &n2);
    for (size_t from = 0; from < 3; from++)
        for (size_t to = from; to <= 3; to++) {
            g_autofree char *a = ci_site_lines_digest(one, from, to);
            g_autofree char *b = ci_site_lines_digest(two, from, to);
            assert_int_equal(g_str_equal(a, b), from > 0 || to == 0);
        }
}

/* Read once, with the digits of a site; what is no JSON is told when it is read. */
static void reading(void **state) {
    (void)state;
    GError *error = NULL;
    g_autofree char *next = NULL;
    g_autoptr(ci_site_lines) lines =
        lines_of("{\"items\":[{\"a\":70.123456789},{\"a\":x},{a}]}", &next);
    json_t *night = ci_site_lines_read(lines, 0, &error);
    assert_true(json_real_value(json_object_get(night, "a")) == 70.12346);
    assert_ptr_equal(ci_site_lines_read(lines, 0, &error), night);
    json_incref(night);
    ci_site_lines_forget(lines, 0, 3);
    assert_int_equal(night->refcount, 1);
    assert_ptr_not_equal(ci_site_lines_read(lines, 0, &error), night);
    assert_true(json_equal(ci_site_lines_read(lines, 0, &error), night));
    json_decref(night);
    assert_null(ci_site_lines_read(lines, 1, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "a night that is not JSON");
    error = NULL;
    assert_null(ci_site_lines_read(lines, 2, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "a night that is not JSON");
}

static void no_list(void **state) {
    (void)state;
    static const char *const cases[] = {"",
                                        " ",
                                        "<html>",
                                        "[]",
                                        "{}",
                                        "{\"items\":7}",
                                        "{\"items\":\"[]\"}",
                                        "{\"items\":[7]}",
                                        "{\"items\":[{}",
                                        "{\"items\":[{}]",
                                        "{\"items\":[{}]}}",
                                        "{\"items\":[{} {}]}",
                                        "{\"items\":[{\"a\"]}",
                                        "{\"items\":[{}]} x",
                                        "{\"items\" []}",
                                        "{\"items\":}",
                                        "{items:[]}",
                                        "{\"items",
                                        "{\"items\\"};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        g_autofree char *next = NULL;
        g_autoptr(ci_site_lines) lines = ci_site_lines_new();
        g_autoptr(GBytes) bytes = bytes_of(cases[i]);
        if (ci_site_lines_add(lines, bytes, &next, &error))
            fail_msg("%s was taken", cases[i]);
        EXPECT_ERROR(error, CI_ERROR_INPUT, "no list of nights");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_line_says), cmocka_unit_test(of_more_than_one_answer),
        cmocka_unit_test(digests), cmocka_unit_test(reading), cmocka_unit_test(no_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
