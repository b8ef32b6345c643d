/* Text of others on a terminal: nothing in it is obeyed, all that can be read stays. */
#include "tests/unit/ci/expect.h"

#include "config/shown.h"

#define R "\uFFFD"

static void texts(void **state) {
    (void)state;
    static const struct {
        const char *given, *shown;
    } cases[] = {
        {"", ""},
        {"W rose by 4.1 %", "W rose by 4.1 %"},
        {"größer ▲ 数 𝄞", "größer ▲ 数 𝄞"},
        {"two\nlines\tand a tab", "two\nlines\tand a tab"},
        {"\x1b[31mred\x1b[0m", R "[31mred" R "[0m"},
        {"\x1b]0;title\x07", R "]0;title" R},
        {"over\rwritten\b\b", "over" R "written" R R},
        {"del\x7f", "del" R},
        {"\xc2\x9b"
         "31m and \xc2\x80 \xc2\x9f\u00a0",
         R "31m and " R " " R "\u00a0"},
        {"user\u202etxt.exe", "user" R "txt.exe"},
        {"\u200e\u200f\u202a\u2066\u2069\u200b", R R R R R "\u200b"},
        {"\xc3\x28\xff", R "(" R},
        {"\xed\xa0\x80", R R R},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *shown = cfg_shown(cases[i].given);
        assert_string_equal(shown, cases[i].shown);
    }
}

static void expect_harmless(const char *shown) {
    assert_true(g_utf8_validate(shown, -1, NULL));
    for (const char *p = shown; *p; p = g_utf8_find_next_char(p, NULL)) {
        const gunichar c = g_utf8_get_char(p);
        assert_true(c == '\n' || c == '\t' || (c >= ' ' && c < 0x7f) || c >= 0xa0);
        assert_false((c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069));
    }
}

/* Whatever the bytes are; what was shown once is shown the same again. */
static void any_bytes(void **state) {
    (void)state;
    g_autoptr(GRand) random = g_rand_new_with_seed(20240229);
    for (int round = 0; round < 2000; round++) {
        char bytes[40] = "";
        const gint32 length = g_rand_int_range(random, 0, (gint32)sizeof bytes - 1);
        for (gint32 i = 0; i < length; i++)
            bytes[i] = (char)g_rand_int_range(random, 1, 256);
        g_autofree char *shown = cfg_shown(bytes);
        g_autofree char *again = cfg_shown(shown);
        expect_harmless(shown);
        assert_string_equal(again, shown);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
