/* What the administrator sees: tokens without their secrets, refusals and changes as they come; and
 * the text of the metrics. */
#include "server/routes/routes_operate.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"
#include "tests/unit/server/expect.h"

static json_t *asked(desk *at, const char *target) {
    return desk_json(at, "GET", target, at->admin, NULL, 200);
}

/* The writer writes refusals down a moment later. */
static json_t *audit_with(desk *at, const char *target, size_t rows) {
    const int64_t until_us = g_get_monotonic_time() + 30 * G_USEC_PER_SEC;
    for (;;) {
        json_t *list = asked(at, target);
        if (json_array_size(json_object_get(list, "items")) >= rows)
            return list;
        if (g_get_monotonic_time() > until_us)
            fail_msg("%s has not %zu rows", target, rows);
        json_decref(list);
        g_usleep(10000);
    }
}

static void only_the_administrator_sees_them(void **state) {
    desk *at = *state;
    g_autofree char *token = listener_token(at->listener, "ci", "run");
    g_autofree char *run = g_strdup_printf("Authorization: Bearer %s\r\n", token);
    const char *const targets[] = {"/api/v1/tokens", "/api/v1/audit"};
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        g_free(desk_call(at, "GET", targets[i], NULL, NULL, 401));
        g_free(desk_call(at, "GET", targets[i], run, NULL, 403));
        g_free(desk_call(at, "GET", targets[i], at->admin, NULL, 200));
    }
}

static void tokens_are_listed_without_their_secrets(void **state) {
    desk *at = *state;
    json_t *list = asked(at, "/api/v1/tokens"), *items = json_object_get(list, "items");
    g_autofree char *text = json_dumps(list, 0);
    assert_int_equal(json_array_size(items), 2);
    assert_string_equal(text_of(json_array_get(items, 0), "name"), "ada");
    assert_true(number_of(json_array_get(items, 0), "used_ms") > 0);
    assert_says_not(text, "sha256");
    assert_says_not(text, "mwt_");
    json_decref(list);
}

static void refusals_are_counted(void **state) {
    desk *at = *state;
    static const char wrong[] = "Authorization: Bearer mwt_wrong\r\n";
    for (int i = 0; i < 5; i++)
        g_free(desk_call(at, "POST", "/api/v1/alerts/1/state", wrong, "{}", 401));
    g_free(desk_call(at, "POST", "/api/v1/alerts/2/state", at->runner, "{}", 403));
    g_free(desk_call(at, "POST", "/api/v1/alerts/2/state", NULL, "{}", 401));
    json_t *list = audit_with(at, "/api/v1/audit?kind=refused", 3);
    int64_t unknown = 0;
    bool scope = false, none = false;
    size_t i;
    const json_t *row;
    json_array_foreach (json_object_get(list, "items"), i, row) {
        const char *why = text_of(row, "why");
        assert_string_equal(text_of(row, "what"), "POST /api/v1/alerts/{}/state");
        assert_string_equal(text_of(row, "client"), "127.0.0.1");
        unknown += strcmp(why, "unknown token") == 0 ? number_of(row, "count") : 0;
        scope = scope || (strcmp(why, "scope") == 0 && strcmp(text_of(row, "who"), "runner") == 0);
        none = none || strcmp(why, "no token") == 0;
    }
    assert_true(scope && none);
    assert_true(unknown >= 1 && unknown <= 5);
    json_decref(list);
}

/* Whoever has a /64 fills no more of it than who has one address, and pushes nobody else out. */
static void a_64_is_one_client(void **state) {
    desk *at = *state;
    char get[] = "GET", client[32];
    srv_request request = {.method = get, .client = client};
    for (int i = 0; i < 2 * SRV_REFUSALS_MAX; i++) {
        (void)g_snprintf(client, sizeof client, "2001:db8::%x", i);
        srv_app_refused(at->app, &request, "unknown token");
    }
    g_strlcpy(client, "203.0.113.50", sizeof client);
    srv_app_refused(at->app, &request, "unknown token");
    json_t *list = audit_with(at, "/api/v1/audit?kind=refused", 2),
           *items = json_object_get(list, "items");
    assert_int_equal(json_array_size(items), 2);
    assert_string_equal(text_of(json_array_get(items, 0), "client"), "203.0.113.50");
    assert_string_equal(text_of(json_array_get(items, 1), "client"), "2001:db8::/64");
    json_decref(list);
}

static void changes_have_their_author(void **state) {
    desk *at = *state;
    desk_measure(at);
    g_free(desk_call(at, "POST", "/api/v1/alerts/1/state", at->admin,
                     "{\"state\":\"accepted\",\"reason\":\"ticket 9\"}", 200));
    g_free(desk_call(at, "POST", "/api/v1/nodes/blade1", at->admin,
                     "{\"paused\":true,\"reason\":\"new disk\"}", 200));
    json_t *list = asked(at, "/api/v1/audit?limit=2"), *items = json_object_get(list, "items");
    static const char *const rows[][4] = {{"node", "node blade1 paused", "new disk", "127.0.0.1"},
                                          {"alert", "alert 1 accepted", "ticket 9", ""}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        const json_t *row = json_array_get(items, i);
        assert_string_equal(text_of(row, "kind"), rows[i][0]);
        assert_string_equal(text_of(row, "what"), rows[i][1]);
        assert_string_equal(text_of(row, "why"), rows[i][2]);
        assert_string_equal(text_of(row, "client"), rows[i][3]);
        assert_string_equal(text_of(row, "who"), "ada");
    }
    json_decref(list);
    static const desk_refusal wrong[] = {{"/api/v1/audit?limit=0", NULL, 400, "limit"},
                                         {"/api/v1/audit?cursor=x", NULL, 400, "cursor"}};
    desk_refuses(at, "GET", at->admin, wrong, G_N_ELEMENTS(wrong));
}

/* OpenMetrics text: families, escaped labels, numbers whatever the locale. */
static void writes_families_and_samples(void **state) {
    (void)state;
    metrics m = {g_string_new(NULL), NULL};
    family(&m, "a_seconds", "seconds", "Line\nbreak \\ and \"quote\".");
    sample(&m, 1.332e-06, "project", "p\"q\\r\ns", "portion", "W", NULL);
    sample(&m, NAN, "project", "left out", NULL);
    sample(&m, INFINITY, NULL);
    family(&m, "b", NULL, "B.");
    sample(&m, 1795212116902.0, NULL);
    sample(&m, 0.1, "x", "\xff", NULL);
    assert_string_equal(m.text->str,
                        "# TYPE a_seconds gauge\n"
                        "# UNIT a_seconds seconds\n"
                        "# HELP a_seconds Line\\nbreak \\\\ and \\\"quote\\\".\n"
                        "a_seconds{project=\"p\\\"q\\\\r\\ns\",portion=\"W\"} 1.332e-06\n"
                        "# TYPE b gauge\n"
                        "# HELP b B.\n"
                        "b 1795212116902\n"
                        "b{x=\"\xef\xbf\xbd\"} 0.1\n");
    g_string_free(m.text, TRUE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(only_the_administrator_sees_them),
        DESK_TEST(tokens_are_listed_without_their_secrets),
        DESK_TEST(refusals_are_counted),
        DESK_TEST(a_64_is_one_client),
        DESK_TEST(changes_have_their_author),
        cmocka_unit_test(writes_families_and_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
