#include "tests/unit/test.h"

#include "config/json_text.h"

#include <float.h>
#include <math.h>
#include <string.h>

static char *real(double value) {
    GString *to = g_string_new(NULL);
    cfg_json_real_add(to, value);
    return g_string_free(to, FALSE);
}

static void numbers_are_as_short_as_they_were_written(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.95, "0.95"},
        {0.9999, "0.9999"},
        {-0.1, "-0.1"},
        {0, "0.0"},
        {-0.0, "-0.0"},
        {5, "5.0"},
        {-120, "-120.0"},
        {100000, "100000.0"},
        {203.4, "203.4"},
        {1234567.8901, "1234567.8901"},
        {123456789012345, "123456789012345.0"},
        {999999999999999, "999999999999999.0"},
        {999999999999999.9, "999999999999999.88"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.33333333333333331"},
        {0.00001, "0.00001"},
        {0.0000123, "0.0000123"},
        {0.000001, "1e-6"},
        {1.5e-300, "1.5e-300"},
        {1e15, "1e15"},
        {1e20, "1e20"},
        {1e100, "1e100"},
        {-2.5e22, "-2.5e22"},
        {DBL_MAX, "1.7976931348623157e308"},
        {DBL_MIN, "2.2250738585072014e-308"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = real(cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

/* What no 15 digits tell is written as printf's 17, to the last digit. */
static void long_numbers_are_those_of_printf(void **state) {
    (void)state;
    uint64_t seed = 11;
    unsigned compared = 0;
    for (int i = 0; i < 200000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const double unit = (double)(seed >> 11) / 9007199254740992.0; /* 0 … 1 */
        const double value = (i % 2 ? -1 : 1) * pow(10, 19 * unit - 4) * (1 + unit / 3);
        char digits[G_ASCII_DTOSTR_BUF_SIZE];
        if (g_ascii_strtod(g_ascii_formatd(digits, sizeof digits, "%.15g", value), NULL) == value ||
            fabs(value) >= 1e14)
            continue;
        g_autofree char *text = real(value);
        assert_string_equal(text, g_ascii_formatd(digits, sizeof digits, "%.17g", value));
        compared++;
    }
    assert_true(compared > 100000);
    static const double ties[] = {4503599627370497.5 / 64, 562949953421313.25 / 16, 0.5 + 0x1p-52};
    for (size_t i = 0; i < G_N_ELEMENTS(ties); i++) {
        char digits[G_ASCII_DTOSTR_BUF_SIZE];
        g_autofree char *text = real(ties[i]);
        assert_string_equal(text, g_ascii_formatd(digits, sizeof digits, "%.17g", ties[i]));
    }
}

/* Bits of all kinds: each number reads back the same, and never longer than with 17 digits. */
static void every_number_reads_back_the_same(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 200000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        double value;
        const uint64_t bits = seed ^ (seed >> 29);
        memcpy(&value, &bits, sizeof value);
        if (i % 2) /* one that somebody wrote: up to nine digits, some of them decimals */
            value = (double)(bits % 1000000000) / pow(10, (double)(bits >> 60));
        if (!isfinite(value))
            continue;
        g_autofree char *text = real(value);
        char full[G_ASCII_DTOSTR_BUF_SIZE];
        if (g_ascii_strtod(text, NULL) != value || (i % 2 && value >= 1e-5 && strlen(text) > 18))
            fail_msg("%s is not %s", text, g_ascii_formatd(full, sizeof full, "%.17g", value));
    }
}

/* The text is jansson's, but for its numbers. */
static void the_rest_is_as_jansson_writes_it(void **state) {
    (void)state;
    static const char *const cases[] = {
        "{}",
        "[]",
        "[[],{},[{}]]",
        "{\"b\":1,\"a\":[true,false,null,-9223372036854775808]}",
        "{\"text\":\"\\\"\\\\ / \\b\\f\\n\\r\\t\\u0001\\u001F \\u007f é 漢 😀\"}",
        "{\"\":\"\",\"k\\n\":\"a\\u0000b\"}",
        "\"alone\"",
        "12",
        "2.5",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *json = json_loads(cases[i], JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        char *flat = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
        char *wide = json_dumps(json, JSON_INDENT(2) | JSON_ENCODE_ANY);
        g_autofree char *own_flat = cfg_json_text(json, 0);
        g_autofree char *own_wide = cfg_json_text(json, 2);
        assert_string_equal(own_flat, flat);
        assert_string_equal(own_wide, wide);
        free(flat);
        free(wide);
        json_decref(json);
    }
    assert_null(cfg_json_text(NULL, 0));
}

/* What is not there, or is something else, is told by the answer. */
static void members_of_an_object(void **state) {
    (void)state;
    json_auto_t *object = json_pack("{s:i, s:f, s:s, s:[i,i]}", "whole", 7, "half", 0.5, "word",
                                    "text", "list", 1, 2);
    json_int_t sum = 0;
    size_t i;
    json_t *item;
    cfg_json_each (object, "list", i, item)
        sum += json_integer_value(item);
    cfg_json_each (object, "word", i, item)
        sum += 100;
    assert_int_equal(sum, 3);
    assert_int_equal(cfg_json_integer(object, "whole"), 7);
    assert_int_equal(cfg_json_integer(object, "half"), 0);
    assert_int_equal(cfg_json_integer(NULL, "whole"), 0);
    assert_string_equal(cfg_json_word(object, "word", NULL), "text");
    assert_string_equal(cfg_json_word(object, "whole", "none"), "none");
    assert_true(cfg_json_number(object, "whole") == 7 && isnan(cfg_json_number(object, "word")));
}

/* Through objects alone; and a mark that editors put first is no text. */
static void paths_and_marks(void **state) {
    (void)state;
    json_auto_t *object = json_pack("{s:{s:{s:i}, s:s}}", "a", "b", "c", 7, "text", "d");
    assert_int_equal(json_integer_value(cfg_json_at(object, "a.b.c")), 7);
    assert_true(cfg_json_at(object, "a") == json_object_get(object, "a"));
    assert_null(cfg_json_at(object, "a.b.missing"));
    assert_null(cfg_json_at(object, "a.text.d"));
    assert_null(cfg_json_at(object, ""));
    assert_null(cfg_json_at(NULL, "a.b"));
    assert_string_equal(cfg_after_mark("\xef\xbb\xbf{}"), "{}");
    assert_string_equal(cfg_after_mark("\xef\xbb{}"), "\xef\xbb{}");
    assert_string_equal(cfg_after_mark(""), "");
}

/* What a value becomes, and texts as a list. */
static void values_are_made(void **state) {
    (void)state;
    char one[] = "one", two[] = "two";
    char *texts[] = {one, two, NULL};
    json_auto_t *object =
        json_pack("{s:b, s:b, s:o, s:o, s:o, s:o, s:o}", "yes", 1, "no", 0, "real",
                  cfg_json_real(0.5), "none", cfg_json_real(NAN), "all", cfg_json_texts(texts, 9),
                  "first", cfg_json_texts(texts, 1), "empty", cfg_json_texts(NULL, 9));
    g_autofree char *text = cfg_json_text(object, 0);
    assert_string_equal(text, "{\"yes\":true,\"no\":false,\"real\":0.5,\"none\":null,"
                              "\"all\":[\"one\",\"two\"],\"first\":[\"one\"],\"empty\":[]}");
    assert_true(cfg_json_true(object, "yes") && !cfg_json_true(object, "no"));
    assert_false(cfg_json_true(object, "real") || cfg_json_true(NULL, "yes"));
    assert_int_equal(cfg_json_count(object, "all"), 2);
    assert_int_equal(cfg_json_count(object, "yes") + cfg_json_count(NULL, "all"), 0);
    const json_t *all = json_object_get(object, "all");
    assert_true(cfg_json_has_word(all, "one") && cfg_json_has_word(all, "two"));
    assert_false(cfg_json_has_word(all, "on") || cfg_json_has_word(all, NULL) ||
                 cfg_json_has_word(NULL, "one") || cfg_json_has_word(object, "one"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_as_short_as_they_were_written),
        cmocka_unit_test(long_numbers_are_those_of_printf),
        cmocka_unit_test(every_number_reads_back_the_same),
        cmocka_unit_test(the_rest_is_as_jansson_writes_it),
        cmocka_unit_test(members_of_an_object),
        cmocka_unit_test(paths_and_marks),
        cmocka_unit_test(values_are_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
