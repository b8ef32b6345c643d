/* Texts that strangers wrote: one line, no more than so long, nothing in them turns or hides. */
#include "tests/unit/test.h"

#include "web/layout/text.h"

#include <glib.h>
#include <stdbool.h>
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

static void names_keep_both_ends(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"", ""},
                                           {"abcdef", "abcdef"},
                                           {"abcdefghij", "ab…ghij"},
                                           {"äöüäöüäöü\n", "äö…äöü "},
                                           {"abcde\u202ef", "abcdef"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = web_text_name(cases[i][0], 6);
        assert_string_equal(name, cases[i][1]);
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

#define NO_WIDTH "\u200b"

/* What a renderer of Markdown shows of it: no backslashes, entities as what they stand for. */
static char *rendered(const char *markdown) {
    static const char *const entities[][2] = {{"&lt;", "<"}, {"&#8203;", NO_WIDTH}, {"&amp;", "&"}};
    GString *to = g_string_new(NULL);
    while (*markdown != '\0') {
        size_t i = 0;
        while (i < G_N_ELEMENTS(entities) && !g_str_has_prefix(markdown, entities[i][0]))
            i++;
        if (i < G_N_ELEMENTS(entities)) {
            g_string_append(to, entities[i][1]);
            markdown += strlen(entities[i][0]);
        } else {
            markdown += *markdown == '\\' && g_ascii_ispunct(markdown[1]);
            g_string_append_c(to, *markdown++);
        }
    }
    return g_string_free(to, FALSE);
}

/* As the forges look for them in what has been rendered, or, Gitea, Slack and Mattermost, in what
 * was sent. */
static bool is_told(const char *text) {
    static const char *const forges[] = {
        "(?:^|\\W)@[a-zA-Z0-9]",            /* GitHub: a person, a team */
        "(?:^|\\W)[\\w./-]*#\\d",           /* GitHub, Gitea: an issue */
        "(?<!\\w)[@~%$^&!#][a-zA-Z0-9_\"]", /* GitLab: everything */
        "(?:\\s|^|\\(|\\[)@[0-9a-zA-Z_-]",  /* Gitea */
        "@(?:here|channel|everyone)",       /* Slack, which is sent its < as &lt; */
        "@[a-zA-Z0-9._-]",                  /* Mattermost */
    };
    for (size_t i = 0; i < G_N_ELEMENTS(forges); i++)
        if (g_regex_match_simple(forges[i], text, 0, 0))
            return true;
    return false;
}

static void nobody_is_called_by_a_strangers_text(void **state) {
    (void)state;
    static const char *const texts[] = {
        "fix by @ada",   "@ada",          "(@o/team)",     "@here @channel @everyone @all",
        "\\@ada",        "`@ada`",        "&#64;ada",      "&commat;ada &amp;#64;ada",
        "@@ada",         "<@U123>",       "<!here>",       "@ada, @bob; @cy: @dee.",
        "Fixes #12",     "o/r#12 see",    "!3 and ~bug",   "%\"next\" $5 &7 ^alert",
        "/close",        "x\n/assign @a", "[@ada](x)",     "**@ada**",
        "a@example.org", "<b>@ada</b>",   "| @ada | #1 |",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GString) to = g_string_new(NULL);
        web_text_markdown(to, texts[i]);
        g_autofree char *shown = rendered(to->str);
        g_autofree char *plain = web_text_unpinged(texts[i]);
        if (is_told(shown))
            fail_msg("\"%s\" as Markdown calls somebody: %s", texts[i], to->str);
        if (g_regex_match_simple("(?m)^/[a-z]|@[a-zA-Z0-9<]", to->str, 0, 0))
            fail_msg("\"%s\" as Markdown's source calls somebody: %s", texts[i], to->str);
        if (g_regex_match_simple("@[a-zA-Z0-9._-]|[#!]\\d", plain, 0, 0))
            fail_msg("\"%s\" calls somebody: %s", texts[i], plain);
        /* and all of it is there to be read */
        g_auto(GStrv) parts = g_strsplit(shown, NO_WIDTH, -1),
                      others = g_strsplit(plain, NO_WIDTH, -1);
        g_autofree char *whole = g_strjoinv("", parts), *other = g_strjoinv("", others);
        assert_string_equal(whole, texts[i]);
        assert_string_equal(other, texts[i]);
    }
    g_autofree char *none = web_text_unpinged(NULL);
    assert_string_equal(none, "");
}

static void names_of_code_stay_code(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"+5 ns in `Cache.get$1`, from `x_y`", "\\+5 ns in `Cache.get$1`, from `x_y`"},
        {"`a`", "`a`"},
        {"`a", "\\`a"},
        {"`a``", "\\`a\\`\\`"},
        {"``a`", "\\``a`"},
        {"`<b>`", "\\`&lt;b\\>\\`"},
        {"`@ada`", "\\`@&#8203;ada\\`"},
        {"`a|b`", "\\`a\\|b\\`"},
        {"`a\nb`", "\\`a\nb\\`"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GString) to = g_string_new(NULL);
        web_text_markdown(to, cases[i][0]);
        assert_string_equal(to->str, cases[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts),
        cmocka_unit_test(names_keep_both_ends),
        cmocka_unit_test(any_bytes),
        cmocka_unit_test(names_of_code_stay_code),
        cmocka_unit_test(nobody_is_called_by_a_strangers_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
