/* Pull requests over HTTP. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "server/poll/poller.h"
#include "server/pull/pull.h"

#define SHA "0123456789012345678901234567890123456789"
#define PULLS "/api/v1/projects/kieker/pull-requests"

static int setup(void **state) {
    const int code = desk_setup(state);
    desk *at = *state;
    at->watched->project->pull_requests =
        (cfg_pull_requests){.minutes = 10, .percent = 5, .label = g_strdup("measure")};
    at->app->poller = srv_poller_start(&at->app->context, NULL);
    srv_poller_stop(at->app->poller); /* kicked still: it reads nothing that a test changes */
    return at->app->poller ? code : -1;
}
#define BENCH_TEST(test) cmocka_unit_test_setup_teardown(test, setup, desk_teardown)

static void one_is_asked_for_and_shown(void **state) {
    desk *at = *state;
    json_auto_t *asked = desk_json(at, "POST", PULLS, at->admin, "{\"commit\":\"" SHA "\"}", 202);
    assert_int_equal(number_of(asked, "pull_request"), 1);
    json_auto_t *again = desk_json(at, "POST", PULLS, at->admin, "{\"commit\":\"" SHA "\"}", 202);
    assert_int_equal(number_of(again, "pull_request"), 1);
    json_auto_t *list = desk_get(at, PULLS "?limit=5");
    const json_t *first = json_array_get(json_object_get(list, "items"), 0);
    assert_string_equal(text_of(first, "commit"), SHA);
    assert_string_equal(text_of(first, "provider"), SRV_PULL_SUBMITTED);
    assert_null(json_object_get(first, "portions"));
    json_auto_t *one = desk_get(at, "/api/v1/pull-requests/1");
    assert_true(json_is_array(json_object_get(one, "portions")));
}

static void a_merge_may_wait_for_it(void **state) {
    desk *at = *state;
    json_auto_t *asked = desk_json(at, "POST", PULLS, at->admin,
                                   "{\"commit\":\"" SHA "\",\"merge_queue\":true}", 202);
    assert_int_equal(number_of(asked, "pull_request"), 1);
    json_auto_t *one = desk_get(at, "/api/v1/pull-requests/1");
    assert_string_equal(text_of(one, "provider"), SRV_PULL_QUEUE);
    assert_true(json_is_null(json_object_get(one, "number")));
}

static void what_cannot_be_asked_for_is_refused(void **state) {
    desk *at = *state;
    static const desk_refusal cases[] = {
        {PULLS, "{\"commit\":\"0123456\"}", 400, "40 hexadecimal digits"},
        {PULLS, "{\"commit\":7}", 400, "40 hexadecimal digits"},
        {PULLS, "{}", 400, "40 hexadecimal digits"},
        {PULLS, "{\"commit\":\"" SHA "\",\"merge_queue\":1}", 400, "true or false"},
        {"/api/v1/projects/none/pull-requests", "{\"commit\":\"" SHA "\"}", 404, "no project"},
    };
    desk_refuses(at, "POST", at->admin, cases, G_N_ELEMENTS(cases));
    at->watched->project->pull_requests.minutes = 0;
    const desk_refusal none[] = {{PULLS, "{\"commit\":\"" SHA "\"}", 400, "pull_requests.minutes"}};
    desk_refuses(at, "POST", at->admin, none, 1);
}

static void what_is_not_there_is_told(void **state) {
    desk *at = *state;
    static const desk_refusal cases[] = {
        {"/api/v1/pull-requests/5", NULL, 404, "there is no pull request 5"},
        {PULLS "?limit=0", NULL, 400, "limit"},
        {PULLS "?state=done", NULL, 400, "state"},
    };
    desk_refuses(at, "GET", at->admin, cases, G_N_ELEMENTS(cases));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        BENCH_TEST(one_is_asked_for_and_shown),
        BENCH_TEST(a_merge_may_wait_for_it),
        BENCH_TEST(what_cannot_be_asked_for_is_refused),
        BENCH_TEST(what_is_not_there_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
