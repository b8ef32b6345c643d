#include "tests/unit/test.h"

#include <string.h>

#include "web/pages/asset.h"

static void paths_lead_to_files(void **state) {
    (void)state;
    static const struct {
        const char *path, *file, *type;
    } cases[] = {
        {"/", "/index.html", "text/html; charset=utf-8"},
        {"/jobs", "/jobs.html", "text/html; charset=utf-8"},
        {"/jobs/7", "/jobs.html", "text/html; charset=utf-8"},
        {"/projects/kieker-java", "/project.html", "text/html; charset=utf-8"},
        {"/experiments/5", "/experiment.html", "text/html; charset=utf-8"},
        {"/alerts/3", "/alert.html", "text/html; charset=utf-8"},
        {"/compare", "/compare.html", "text/html; charset=utf-8"},
        {"/static/style.css", "/static/style.css", "text/css; charset=utf-8"},
        {"/static/overview.js", "/static/overview.js", "text/javascript; charset=utf-8"},
        {"/static/icon.svg", "/static/icon.svg", "image/svg+xml"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const web_asset *asset = web_asset_find(cases[i].path);
        assert_non_null(asset);
        assert_string_equal(asset->path, cases[i].file);
        assert_string_equal(asset->content_type, cases[i].type);
        assert_true(g_bytes_get_size(asset->bytes) > 0);
        assert_int_equal(strlen(asset->etag), 34);
        assert_ptr_equal(asset, web_asset_find(cases[i].path));
    }
}

static void other_paths_lead_nowhere(void **state) {
    (void)state;
    static const char *const paths[] = {"",         "/projects",         "/projects/",
                                        "/static/", "/static/none.js",   "/static/../asset.c",
                                        "/jobsx",   "/static/%2e%2e/x",  "static/style.css",
                                        "/healthz", "/static//style.css"};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++)
        assert_null(web_asset_find(paths[i]));
}

/* The policy forbids anything inline, so no page may hold it. */
static void pages_hold_nothing_inline(void **state) {
    (void)state;
    static const char *const pages[] = {"/", "/jobs", "/projects/x", "/experiments/1", "/alerts/1"};
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
        cmocka_unit_test(paths_lead_to_files),
        cmocka_unit_test(other_paths_lead_nowhere),
        cmocka_unit_test(pages_hold_nothing_inline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
