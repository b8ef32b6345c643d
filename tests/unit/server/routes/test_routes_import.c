/* A history taken in over HTTP: all of it or nothing, and the line that was wrong. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "server/transfer/export.h"
#include "tests/unit/server/expect.h"

#define IMPORT "/api/v1/projects/copy/import"

static bool add_line(const char *line, void *user, GError **error) {
    (void)error;
    g_string_append_printf(user, "%s\n", line);
    return true;
}

/* What another server exports of seven nights. */
static char *exported(desk *at) {
    GString *text = g_string_new(NULL);
    desk_measure(at);
    assert_true(srv_export_project(at->fix->store, "kieker", 5, add_line, text, NULL));
    return g_string_free(text, FALSE);
}

static void a_history_is_taken_in_under_its_name_here(void **state) {
    desk *at = *state;
    g_autofree char *text = exported(at);
    for (int round = 0; round < 2; round++) {
        json_t *counts = desk_json(at, "POST", IMPORT, at->admin, text, 200);
        assert_string_equal(text_of(counts, "project"), "copy");
        assert_int_equal(number_of(counts, "nights"), round == 0 ? 7 : 0);
        assert_int_equal(number_of(counts, "known"), round == 0 ? 0 : 7);
        json_decref(counts);
    }
    json_t *nights = desk_get(at, "/api/v1/projects/copy/nights");
    assert_int_equal(json_array_size(json_object_get(nights, "items")), 7);
    json_decref(nights);
}

static void a_wrong_line_is_named_and_nothing_is_taken(void **state) {
    desk *at = *state;
    g_autofree char *text = exported(at);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_free(lines[4]);
    lines[4] = g_strdup("{\"type\":\"nonsense\"}");
    g_autofree char *broken = g_strjoinv("\n", lines);
    json_t *problem = desk_json(at, "POST", IMPORT, at->admin, broken, 400);
    assert_int_equal(number_of(problem, "line"), 5);
    assert_says(text_of(problem, "detail"), "line 5: type: must be");
    json_decref(problem);
    json_decref(desk_json(at, "GET", "/api/v1/projects/copy", NULL, NULL, 404));
}

static void what_is_no_import_is_refused(void **state) {
    desk *at = *state;
    g_autofree char *large = g_strnfill((1 << 20) + 1, 'x');
    const desk_refusal cases[] = {
        {IMPORT, "", 400, "the request has no body; the lines of an export were expected"},
        {IMPORT, large, 413, "import_limit_bytes"},
        {IMPORT, "no JSON\n", 400, "line 1: is not a JSON object"},
    };
    desk_refuses(at, "POST", at->admin, cases, G_N_ELEMENTS(cases));
    const desk_refusal runner = {IMPORT, "x", 403, "scopes"};
    desk_refuses(at, "POST", at->runner, &runner, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(a_history_is_taken_in_under_its_name_here),
        DESK_TEST(a_wrong_line_is_named_and_nothing_is_taken),
        DESK_TEST(what_is_no_import_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
