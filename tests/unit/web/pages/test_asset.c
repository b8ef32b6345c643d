#include "tests/unit/test.h"

#include <string.h>

#include "web/pages/asset.h"

static void files_are_found_by_name(void **state) {
    (void)state;
    static const struct {
        const char *name, *type;
    } cases[] = {
        {"index.html", "text/html; charset=utf-8"},
        {"jobs.html", "text/html; charset=utf-8"},
        {"missing.html", "text/html; charset=utf-8"},
        {"style.css", "text/css; charset=utf-8"},
        {"overview.js", "text/javascript; charset=utf-8"},
        {"icon.svg", "image/svg+xml"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const web_asset *asset = web_asset_find(cases[i].name);
        assert_non_null(asset);
        assert_string_equal(asset->content_type, cases[i].type);
        assert_true(g_bytes_get_size(asset->bytes) > 0);
        assert_int_equal(strlen(asset->etag), 34);
        assert_ptr_equal(asset, web_asset_find(cases[i].name));
    }
}

static void other_names_are_none(void **state) {
    (void)state;
    static const char *const names[] = {"",         "none.js",   "../asset.c",  "/style.css",
                                        "%2e%2e/x", "index.htm", "favicon.ico", "static/style.css"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        assert_null(web_asset_find(names[i]));
}

/* The policy forbids anything inline, so no page may hold it. */
static void pages_hold_nothing_inline(void **state) {
    (void)state;
    static const char *const pages[] = {"index.html", "jobs.html", "project.html",
                                        "experiment.html", "alert.html"};
    static const char *const forbidden[] = {"<style", " style=",     "onclick",
                                            "onload", "javascript:", "<script>"};
    for (size_t i = 0; i < G_N_ELEMENTS(pages); i++) {
        gsize size;
        const char *data = g_bytes_get_data(web_asset_find(pages[i])->bytes, &size);
        g_autofree char *text = g_strndup(data, size);
        for (size_t k = 0; k < G_N_ELEMENTS(forbidden); k++)
            assert_null(strstr(text, forbidden[k]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_found_by_name),
        cmocka_unit_test(other_names_are_none),
        cmocka_unit_test(pages_hold_nothing_inline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
