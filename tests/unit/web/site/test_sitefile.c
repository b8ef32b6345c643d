/* The pages' files for a site that may lie in any folder: no address begins at the root. */
#include "web/site/writer.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include <string.h>

static void addresses(void **state) {
    (void)state;
    static const struct {
        const char *html, *made;
        unsigned depth;
    } cases[] = {{"<a href=\"/\">", "<a href=\"./\">", 0},
                 {"<a href=\"/\">", "<a href=\"../../\">", 2},
                 {"<script src=\"/static/x.js\">", "<script src=\"../static/x.js\">", 1},
                 {"<a href=\"/compare\">/compare</a>", "<a href=\"./compare/\">/compare</a>", 0},
                 {"<a href=\"/projects/x\" target=\"_blank\">",
                  "<a href=\"../projects/x/\" target=\"_blank\">", 1},
                 {"<source srcset=\"/charts/x-dark.svg\">",
                  "<source srcset=\"../../charts/x-dark.svg\">", 2},
                 {"<a href=\"https://example.org/\">", "<a href=\"https://example.org/\">", 2},
                 {"<a href=\"#main\">", "<a href=\"#main\">", 2}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *made = sitefile_relative(cases[i].html, cases[i].depth);
        assert_string_equal(made, cases[i].made);
    }
}

static void every_file(void **state) {
    (void)state;
    g_auto(GStrv) names = web_sitefile_names();
    assert_true(g_strv_contains((const char *const *)names, "project.html"));
    for (char **name = names; *name; name++) {
        g_autoptr(GBytes) bytes = web_sitefile(*name, 1);
        assert_non_null(bytes);
        g_autofree char *text = g_strndup(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
        static const char *const rooted[] = {"from \"/", "href=\"/", "src=\"/"};
        for (size_t i = 0; i < G_N_ELEMENTS(rooted); i++)
            if (strstr(text, rooted[i]))
                fail_msg("%s: %s", *name, rooted[i]);
        if (name[1])
            assert_true(strcmp(name[0], name[1]) < 0);
    }
}

static void a_site_s_own(void **state) {
    (void)state;
    g_autoptr(GBytes) place = web_sitefile("place.js", 1);
    g_autofree char *text = g_strndup(g_bytes_get_data(place, NULL), g_bytes_get_size(place));
    assert_non_null(strstr(text, "export const isSite = true"));
    assert_null(web_sitefile("none.js", 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(addresses), cmocka_unit_test(every_file),
                                       cmocka_unit_test(a_site_s_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
