/* Which file has which answer: the rule that web/site/place.js has, too. */
#include "tests/unit/test.h"

#include "web/site/writer.h"

#include <glib.h>
#include <string.h>

/* A line each: address, tab, name; tests/unit/web/js/site.test.mjs reads the same. */
static void as_the_pages_find_them(void **state) {
    (void)state;
    static const char file[] = TEST_SOURCE_DIR "/tests/unit/web/site/names.txt";
    g_autofree char *text = NULL;
    unsigned count = 0;
    assert_true(g_file_get_contents(file, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; **line; line++, count++) {
        g_auto(GStrv) parts = g_strsplit(*line, "\t", 2);
        g_autofree char *name = web_site_name(parts[0]);
        if (strcmp(name, parts[1]) != 0)
            fail_msg("%s: %s, not %s", parts[0], name, parts[1]);
    }
    assert_int_equal(count, 22);
}

/* Two that differ have two files; what no file may be called becomes an escape. */
static void no_two_in_one_file(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"/charts/x.svg?a=1%2Cb=2", "/charts/x.svg?a=1&b=2"},
        {"/charts/x.svg?theme=dark", "/charts/x%2Ctheme=dark.svg"},
        {"/flames/1/a%2Fb.svg", "/flames/1/a/b.svg"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        g_autofree char *one = web_site_name(pairs[i][0]), *other = web_site_name(pairs[i][1]);
        assert_string_not_equal(one, other);
    }
}

/* Broken escapes and parameters without a value: some name, and no crash. */
static void odd_addresses(void **state) {
    (void)state;
    static const char *const odd[] = {
        "/", "/%", "/a?", "/a?&&=", "/a?b", "/api/v1/?=x", "/a.b/c?d=%zz"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        g_autofree char *name = web_site_name(odd[i]);
        assert_non_null(name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_pages_find_them),
                                       cmocka_unit_test(no_two_in_one_file),
                                       cmocka_unit_test(odd_addresses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
