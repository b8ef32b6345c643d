/* The JSON of other tools: what is passed over, what is refused, and where. */
#include "tests/unit/test.h"

#include "config/formats/formats.h"

#include <math.h>
#include <string.h>

static json_t *read_all(const char *text, bool *several, GError **error) {
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    return fmt_json_read(quoted, strlen(quoted), "file", several, error);
}

static void what_stands_around_is_passed_over(void **state) {
    (void)state;
    static const struct {
        const char *text, *json;
        bool several;
    } cases[] = {
        {" {'a': 1} \n", "{\"a\":1.0}", false},
        {"[18446744073709551616, 9007199254740992]", "[1.8446744073709552e19,9007199254740992.0]",
         false}, /* what does not fit is no reason to refuse the rest */
        {"window.BENCHMARK_DATA = {'a': 1};\n", "{\"a\":1.0}", false},
        {"window.BENCHMARK_DATA={'a': 1}", "{\"a\":1.0}", false},
        {"{'a': NaN, 'b': [-Infinity, Infinity]}", "{\"a\":\"\",\"b\":[\"\",\"\"]}", false},
        {"[1e400, -1e400, 0.1e309, 1e-400, 'x1e400']", "[\"\",\"\",1e308,0.0,\"x1e400\"]", false},
        {"{'NaN \\'Infinity': 'NaN'}", NULL, false},
        {"['NaN', 'a Infinity']", "[\"NaN\",\"a Infinity\"]", false},
        {"['a\\u0000\\ud83d', '\\udc00b', '\\\\u0000', '\\ud83d\\ude00', '\\uD83D\\u0041']",
         "[\"a\xef\xbf\xbd\xef\xbf\xbd\",\"\xef\xbf\xbd"
         "b\",\"\\\\u0000\","
         "\"\xf0\x9f\x98\x80\",\"\xef\xbf\xbd"
         "A\"]",
         false}, /* letters that are none refuse no history */
        {"{}\n{'a': 1}{}", "[{},{\"a\":1.0},{}]", true},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        bool several;
        json_t *json = read_all(cases[i].text, &several, NULL);
        if (cases[i].json) {
            g_autofree char *text = json_dumps(json, JSON_COMPACT);
            assert_string_equal(text, cases[i].json);
            assert_int_equal(several, cases[i].several);
        }
        json_decref(json);
    }
}

static void errors_name_the_place(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {{"{'a': }", "file:1:"},
                 {"{}\n{'a': 1,\n}", "file:3:"},
                 {"{'a': 1, 'a': 2}", "dup"},
                 {"[1", "file:1:"},
                 {"['\\u00zz']", "file:1:"},
                 {"[1] x", "file:1:"},
                 {"window.BENCHMARK_DATA = ", "file:"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        bool several;
        g_autoptr(GError) error = NULL;
        assert_null(read_all(cases[i].text, &several, &error));
        if (!strstr(error->message, cases[i].words))
            fail_msg("\"%s\" does not say \"%s\"", error->message, cases[i].words);
    }
}

static void a_place_is_told_by_its_path(void **state) {
    (void)state;
    bool several;
    json_t *json =
        read_all("{'runs': [{}, {'time': {'value': '90.31', 'x': true}}]}", &several, NULL);
    const fmt_at root = fmt_root(json), runs = fmt_get(&root, "runs"), one = fmt_item(&runs, 1);
    const fmt_at time = fmt_get(&one, "time"), value = fmt_get(&time, "value");
    g_autoptr(GError) error = NULL;
    assert_false(fmt_wrong(&value, &error, "is %s", "wrong"));
    assert_string_equal(error->message, "runs[1].time.value: is wrong");
    assert_int_equal(fmt_size(&runs), 2);
    assert_int_equal(fmt_size(&value), 0);
    assert_true(fmt_real(&value) == 90.31);
    assert_string_equal(fmt_text(&value), "90.31");
    assert_true(isnan(fmt_real_of(&time, "x")));
    assert_null(fmt_text_of(&time, "nowhere"));
    g_autoptr(GError) top = NULL;
    assert_false(fmt_wrong(&root, &top, "no"));
    assert_string_equal(top->message, "no");
    json_decref(json);
}

static void numbers_in_texts(void **state) {
    (void)state;
    assert_true(fmt_number("90.31") == 90.31 && fmt_number("1e3") == 1000 &&
                fmt_number("-2") == -2);
    static const char *const none[] = {"",    "x",  "1x", "0x10", "NaN",
                                       "inf", "1 ", " 1", "1,5",  NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(none); i++)
        assert_true(isnan(fmt_number(none[i])));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_around_is_passed_over),
        cmocka_unit_test(errors_name_the_place),
        cmocka_unit_test(a_place_is_told_by_its_path),
        cmocka_unit_test(numbers_in_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
