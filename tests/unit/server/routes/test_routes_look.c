/* What pages compute of what is stored: two nights compared, and a loop's calls. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "server/ingest/raw_store.h"
#include "tests/unit/server/expect.h"

static void two_nights_are_compared(void **state) {
    desk *at = *state;
    const int64_t newest = desk_measure(at);
    g_autofree char *target =
        g_strdup_printf("/api/v1/compare?a=%d&b=%d", (int)newest - 1, (int)newest);
    json_t *comparison = desk_get(at, target);
    g_autofree char *text = json_dumps(comparison, JSON_COMPACT);
    assert_says(text, "\"portion\":\"I\"");
    json_decref(comparison);
    g_autofree char *half = g_strdup_printf("/api/v1/compare?a=%d", (int)newest);
    g_autofree char *gone = g_strdup_printf("/api/v1/compare?a=%d&b=999", (int)newest);
    const desk_refusal cases[] = {
        {"/api/v1/compare", NULL, 400, "a must be the number of an experiment, as in ?a=4&b=5"},
        {"/api/v1/compare?a=x&b=1", NULL, 400, "a must be the number"},
        {"/api/v1/compare?a=0&b=1", NULL, 400, "a must be the number"},
        {half, NULL, 400, "b must be the number"},
        {gone, NULL, 404, "999"},
        {"/api/v1/compare?a=999&b=1", NULL, 404, "999"},
    };
    desk_refuses(at, "GET", NULL, cases, G_N_ELEMENTS(cases));
}

static void the_calls_of_a_loop_are_digested_once(void **state) {
    desk *at = *state;
    const int64_t experiment = desk_measure(at);
    g_autofree char *target =
        g_strdup_printf("/api/v1/experiments/%d/calls/writing/1", (int)experiment);
    g_autofree char *answer = desk_call(at, "GET", target, NULL, NULL, 200);
    g_autofree char *cache = answer_header(answer, "Cache-Control");
    json_t *digest = json_loads(answer_body(answer), 0, NULL);
    const json_t *course = json_object_get(digest, "course");
    assert_int_equal(number_of(course, "calls"), FIX_CALLS);
    assert_int_equal(number_of(course, "warmup_calls"), FIX_CALLS / 2);
    json_decref(digest);
    assert_says(cache, "immutable");
}

static void calls_that_are_not_stored_are_told(void **state) {
    desk *at = *state;
    desk_measure(at);
    static const desk_refusal cases[] = {
        {"/api/v1/experiments/x/calls/writing/1", NULL, 400, ""},
        {"/api/v1/experiments/1/calls/writing/0", NULL, 400, "a whole number from 1"},
        {"/api/v1/experiments/1/calls/writing/x", NULL, 400, "a whole number from 1"},
        {"/api/v1/experiments/999/calls/writing/1", NULL, 404, "999"},
        {"/api/v1/experiments/1/calls/nothing/1", NULL, 404, "no raw calls are stored"},
        {"/api/v1/experiments/1/calls/writing/99", NULL, 404, "no raw calls are stored"},
    };
    desk_refuses(at, "GET", NULL, cases, G_N_ELEMENTS(cases));
}

/* By the policy: the pages and the API say so, and figures stay. */
static void raw_data_that_were_removed_are_gone(void **state) {
    desk *at = *state;
    int64_t files;
    desk_measure(at);
    assert_true(srv__begin(at->fix->store, NULL));
    assert_true(srv__end(at->fix->store,
                         srv__raw_drop(at->fix->store, 1, "age", 1366243200000, &files, NULL),
                         NULL));
    assert_true(files > 0);
    static const desk_refusal cases[] = {
        {"/api/v1/experiments/1/calls/writing/1", NULL, 410,
         "The raw data of this night were removed on 2013-04-18 by the server's policy"},
        {"/api/v1/experiments/1/raw/writing/1", NULL, 410, "were removed on 2013-04-18"},
        {"/api/v1/experiments/1/raw/writing/1?format=csv", NULL, 410, "storage.keep_raw_days"},
        {"/api/v1/experiments/1/calls/nothing/1", NULL, 404, "no raw calls are stored"},
    };
    desk_refuses(at, "GET", NULL, cases, G_N_ELEMENTS(cases));
    json_t *night = desk_get(at, "/api/v1/experiments/1");
    assert_int_equal(number_of(json_object_get(night, "raw_removed"), "at_ms"), 1366243200000);
    json_decref(night);
}

/* The file is there, but not what it was: nobody is shown half of it. */
static void a_damaged_file_is_an_error_of_ours(void **state) {
    desk *at = *state;
    const int64_t experiment = desk_measure(at);
    g_autofree char *view_target = g_strdup_printf("/api/v1/experiments/%d", (int)experiment);
    g_autofree char *target = g_strconcat(view_target, "/calls/none/1", NULL);
    json_t *view = desk_get(at, view_target);
    const json_t *configuration = json_array_get(json_object_get(view, "configurations"), 0);
    const json_t *loop = json_array_get(json_object_get(configuration, "loop_results"), 0);
    const char *sha = text_of(json_object_get(loop, "raw"), "sha256");
    g_autofree char *first = g_strndup(sha, 2);
    g_autofree char *name = g_strconcat(sha + 2, ".csv.zst", NULL);
    g_autofree char *path = g_build_filename(at->fix->dir, "raw", first, name, NULL);
    gsize size = 0;
    g_autofree char *bytes = NULL;
    assert_true(g_file_get_contents(path, &bytes, &size, NULL));
    assert_true(g_file_set_contents(path, bytes, (gssize)size / 2, NULL));
    json_t *problem = desk_json(at, "GET", target, NULL, NULL, 500);
    assert_says(text_of(problem, "detail"), "the server failed; its log says why");
    json_decref(problem);
    json_decref(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(two_nights_are_compared),
        DESK_TEST(the_calls_of_a_loop_are_digested_once),
        DESK_TEST(calls_that_are_not_stored_are_told),
        DESK_TEST(raw_data_that_were_removed_are_gone),
        DESK_TEST(a_damaged_file_is_an_error_of_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
