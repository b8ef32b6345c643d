/* The commits between two that were measured, as git has them. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "tests/unit/server/expect.h"

static void the_commits_between_are_told_oldest_first(void **state) {
    desk *at = *state;
    char *ids[5];
    for (int i = 0; i < 5; i++)
        ids[i] = repository_commit(at->watched->repository, 1000 + i, "one of five");
    watched_fetch(at->watched);
    const struct {
        const char *limit;
        size_t items;
        int total;
    } cases[] = {{"", 4, 4}, {"&limit=2", 2, 4}, {"&limit=1000", 4, 4}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *target = g_strdup_printf(
            "/api/v1/projects/kieker/commits?after=%s&until=%s%s", ids[0], ids[4], cases[i].limit);
        json_t *list = desk_get(at, target);
        const json_t *items = json_object_get(list, "items");
        const json_t *last = json_array_get(items, json_array_size(items) - 1);
        assert_int_equal(json_array_size(items), cases[i].items);
        assert_int_equal(number_of(list, "total"), cases[i].total);
        assert_string_equal(text_of(last, "sha"), ids[4]);
        assert_int_equal(strlen(text_of(last, "short")), 9);
        assert_string_equal(text_of(last, "author"), "Ada");
        assert_null(json_object_get(last, "author_email"));
        json_decref(list);
    }
    g_autofree char *backwards =
        g_strdup_printf("/api/v1/projects/kieker/commits?after=%s&until=%s", ids[4], ids[0]);
    json_t *none = desk_get(at, backwards);
    assert_int_equal(json_array_size(json_object_get(none, "items")), 0);
    assert_says(text_of(none, "reason"), "does not come after");
    json_decref(none);
    for (int i = 0; i < 5; i++)
        g_free(ids[i]);
}

#define SHA "0123456789012345678901234567890123456789"
#define COMMITS "/api/v1/projects/kieker/commits"

static void a_question_that_is_none_is_refused(void **state) {
    desk *at = *state;
    static const desk_refusal cases[] = {
        {COMMITS, NULL, 400, "after and until must be full commit ids"},
        {COMMITS "?after=" SHA, NULL, 400, "full commit ids"},
        {COMMITS "?after=" SHA "&until=0123456", NULL, 400, "full commit ids"},
        {COMMITS "?after=" SHA "&until=" SHA "0", NULL, 400, "full commit ids"},
        {COMMITS "?after=" SHA "&until=" SHA "&limit=1001", NULL, 400, "limit"},
        {"/api/v1/projects/nobody/commits?after=" SHA "&until=" SHA, NULL, 404,
         "this server watches no repository for that project"},
        /* nothing was fetched yet */
        {COMMITS "?after=" SHA "&until=" SHA, NULL, 500, "the server failed"},
    };
    desk_refuses(at, "GET", NULL, cases, G_N_ELEMENTS(cases));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(the_commits_between_are_told_oldest_first),
        DESK_TEST(a_question_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
