/* Texts that strangers wrote: one line, no more than so long, nothing in them turns or hides. */
#include "tests/unit/test.h"

#include "web/layout/text.h"

#include <glib.h>
#include <string.h>

static void texts(void **state) {
    (void)state;
    static const struct {
        const char *given;
        size_t max;
        const char *clean;
    } cases[] = {
        {NULL, 10, ""},
        {"", 10, ""},
        {"plain", 5, "plain"},
        {"plain", 4, "plai…"},
        {"plain", 0, "…"},
        {"", 0, ""},
        {"größe", 5, "größe"},
        {"größe", 4, "größ…"},
        {"a\nb\tc\rd", 9, "a b c d"},
        {"a\x1b[0m\x7f", 9, "a [0m "},
        {"a\xc2\x85z", 9, "a z"},
        {"user\u202egpj.exe", 20, "usergpj.exe"},
        {"\u200e\u200f\u202a\u2066\u2069", 3, ""},
        {"\u202eab", 2, "ab"}, /* what is left out does not count */
        {"\xff\xfe", 9, "\uFFFD\uFFFD"},
        {"a\xc3", 9, "a\uFFFD"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *clean = web_text_clean(cases[i].given, cases[i].max);
        assert_string_equal(clean, cases[i].clean);
    }
}

/* Whatever the bytes are. The quick way of plain text and the slow one agree. */
static void any_bytes(void **state) {
    (void)state;
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    for (int round = 0; round < 3000; round++) {
        char bytes[30] = "";
        const gint32 length = g_rand_int_range(random, 0, (gint32)sizeof bytes - 1);
        for (gint32 i = 0; i < length; i++)
            bytes[i] = (char)g_rand_int_range(random, 1, 256);
        const size_t max = (size_t)g_rand_int_range(random, 0, 30);
        g_autofree char *clean = web_text_clean(bytes, max),
                        *again = web_text_clean(clean, max + 1);
        assert_true(g_utf8_validate(clean, -1, NULL));
        assert_true((size_t)g_utf8_strlen(clean, -1) <= max + 1);
        assert_string_equal(again, clean);
        for (const char *p = clean; *p; p = g_utf8_find_next_char(p, NULL))
            assert_false(g_unichar_iscntrl(g_utf8_get_char(p)));
        g_autofree char *wide = g_strconcat(clean, "ä", NULL), *cut = web_text_clean(wide, 100);
        assert_string_equal(cut, wide);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
