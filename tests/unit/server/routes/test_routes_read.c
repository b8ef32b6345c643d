/* What people and programs read: each address with what it shows and what it refuses. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "tests/unit/server/expect.h"

static size_t items(const json_t *list) {
    return json_array_size(json_object_get(list, "items"));
}

static void expect_items(desk *at, const char *target, size_t count) {
    json_t *list = desk_get(at, target);
    if (items(list) != count)
        fail_msg("%s has %zu items, not %zu", target, items(list), count);
    json_decref(list);
}

static void the_status_says_what_is_wrong_with_the_configuration(void **state) {
    desk *at = *state;
    srv_catalog *catalog = srv_context_catalog(&at->app->context);
    g_ptr_array_add(catalog->problems, g_strdup("x.yaml:3: no such key"));
    srv_catalog_free(catalog);
    json_t *status = desk_get(at, "/api/v1/status");
    assert_int_equal(number_of(status, "started_ms"), 5000);
    assert_string_equal(json_string_value(json_array_get(json_object_get(status, "problems"), 0)),
                        "x.yaml:3: no such key");
    assert_null(json_object_get(status, "read_only")); /* there is a token that may decide */
    json_decref(status);
}

static void a_repositorys_password_is_shown_to_nobody(void **state) {
    desk *at = *state;
    g_free(at->watched->project->repository);
    at->watched->project->repository = g_strdup("https://ada:secret@example.org/r.git");
    watched_sync(at->watched);
    static const char *const targets[] = {"/api/v1/projects", "/api/v1/projects/kieker"};
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        g_autofree char *answer = desk_call(at, "GET", targets[i], at->admin, NULL, 200);
        assert_says(answer, "https://example.org/r.git");
        assert_says_not(answer, "secret");
    }
}

static void nights_are_cut_by_dates_and_pages(void **state) {
    desk *at = *state;
    desk_measure(at);
    static const struct {
        const char *query;
        size_t count;
    } cases[] = {{"", 7},
                 {"?limit=3", 3},
                 {"?since=2013-04-03", 5},
                 {"?until=2013-04-03", 3},
                 {"?since=2013-04-03&until=2013-04-04", 2},
                 {"?since=2014-01-01", 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *target =
            g_strconcat("/api/v1/projects/kieker/nights", cases[i].query, NULL);
        expect_items(at, target, cases[i].count);
    }
    expect_items(at, "/api/v1/projects/kieker/nights?portions=brief&limit=4", 4);
    expect_items(at, "/api/v1/projects/kieker/nights?portions=full&limit=4", 4);
    expect_items(at, "/api/v1/projects?like=kieker", 1);
    json_t *packed = desk_get(at, "/api/v1/projects/kieker/nights?portions=columns&limit=4");
    assert_int_equal(items(packed), 4);
    assert_true(json_array_size(json_object_get(packed, "columns")) > 0);
    json_decref(packed);
    json_t *page = desk_get(at, "/api/v1/projects/kieker/nights?limit=5");
    g_autofree char *next =
        g_strdup_printf("/api/v1/projects/kieker/nights?limit=5&cursor=%s", text_of(page, "next"));
    expect_items(at, next, 2);
    json_decref(page);
}

static void alerts_and_jobs_are_listed_by_project_and_state(void **state) {
    desk *at = *state;
    desk_measure(at);
    fix_add(at->fix, "kieker", 20, "2013-04-20", SRV_KIND_NIGHTLY);
    expect_items(at, "/api/v1/alerts", 1);
    expect_items(at, "/api/v1/alerts?project=kieker&state=open", 1);
    expect_items(at, "/api/v1/alerts?state=accepted", 0);
    expect_items(at, "/api/v1/alerts?state=aged", 0);
    expect_items(at, "/api/v1/projects/kieker/alerts", 1);
    expect_items(at, "/api/v1/jobs", 8);
    expect_items(at, "/api/v1/jobs?state=queued", 1);
    expect_items(at, "/api/v1/jobs?project=kieker&state=done&limit=3", 3);
    json_t *alert = desk_get(at, "/api/v1/alerts/1");
    assert_string_equal(text_of(alert, "state"), "open");
    json_decref(alert);
    json_t *job = desk_get(at, "/api/v1/jobs/8");
    assert_string_equal(text_of(job, "state"), "queued");
    assert_non_null(text_of(job, "held")); /* no node has ever asked */
    json_decref(job);
}

static void a_stored_file_is_given_as_it_is_or_unpacked(void **state) {
    desk *at = *state;
    const int64_t experiment = desk_measure(at);
    g_autofree char *target =
        g_strdup_printf("/api/v1/experiments/%" G_GINT64_FORMAT "/raw/collecting/2", experiment);
    g_autofree char *csv_target = g_strconcat(target, "?format=csv", NULL);
    g_autofree char *packed = desk_call(at, "GET", target, NULL, NULL, 200);
    g_autofree char *csv = desk_call(at, "GET", csv_target, NULL, NULL, 200);
    g_autofree char *type = answer_header(packed, "Content-Type");
    g_autofree char *name = answer_header(csv, "Content-Disposition");
    g_autofree char *etag = answer_header(csv, "ETag");
    assert_string_equal(type, "application/zstd");
    g_autofree char *expected = g_strdup_printf(
        "attachment; filename=\"experiment-%" G_GINT64_FORMAT "-collecting-2.csv\"", experiment);
    assert_string_equal(name, expected);
    assert_says(answer_body(csv), "0;1");
    g_autofree char *known = g_strdup_printf("If-None-Match: %s\r\n", etag);
    g_free(desk_call(at, "GET", csv_target, known, NULL, 304));
}

static json_t *asked_by(desk *at, const char *target, const char *headers) {
    return desk_json(at, "GET", target, headers, NULL, 200);
}

/* A job's log, which its runner has told. */
static void tell_a_failure(desk *at) {
    fix_add(at->fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(at->fix);
    json_t *progress =
        json_pack("{s:s,s:s,s:i,s:i,s:s}", "lease", text_of(leased, "lease"), "phase", "prepare",
                  "done", 0, "total", 4, "log", "PASSWORD=secret\n");
    g_autofree char *body = json_dumps(progress, 0);
    g_free(desk_call(at, "POST", "/api/v1/runner/jobs/1/progress", at->runner, body, 200));
    json_decref(progress);
    json_decref(leased);
}

static void what_a_job_prints_is_for_those_with_a_token(void **state) {
    desk *at = *state;
    tell_a_failure(at);
    static const char *const targets[] = {"/api/v1/jobs/1", "/api/v1/jobs", "/api/v1/status",
                                          "/api/v1/projects", "/api/v1/projects/kieker"};
    for (size_t i = 0; i < G_N_ELEMENTS(targets); i++) {
        g_autofree char *wrong = g_strdup("Authorization: Bearer mwt_wrong\r\n");
        g_autofree char *open = desk_call(at, "GET", targets[i], NULL, NULL, 200);
        g_autofree char *guessed = desk_call(at, "GET", targets[i], wrong, NULL, 200);
        assert_says_not(open, "secret");
        assert_says_not(guessed, "secret");
        g_autofree char *own = desk_call(at, "GET", targets[i], at->admin, NULL, 200);
        if (i < 3)
            assert_says(own, "PASSWORD=secret");
    }
    json_t *job = desk_get(at, "/api/v1/jobs/1");
    assert_true(json_is_true(json_object_get(job, "withheld")));
    json_decref(job);
}

/* Both ask in turn: no answer that is kept for one is given to the other. */
static void values_of_variables_are_for_those_with_a_token(void **state) {
    desk *at = *state;
    cfg_configuration *probe = &at->watched->project->benchmark.configurations[1];
    cfg_variable variable = {g_strdup("KIEKER_KEY"), g_strdup("hunter2")};
    probe->environment = g_memdup2(&variable, sizeof variable);
    probe->environment_count = 1;
    const int64_t experiment = desk_measure(at);
    g_autofree char *target = g_strdup_printf("/api/v1/experiments/%" G_GINT64_FORMAT, experiment);
    for (int round = 0; round < 2; round++) {
        json_t *own = asked_by(at, target, at->admin), *open = desk_get(at, target);
        g_autofree char *all = json_dumps(own, 0), *less = json_dumps(open, 0);
        assert_says(all, "hunter2");
        assert_says_not(less, "hunter2");
        assert_says(less, "\"KIEKER_KEY\": null");
        assert_true(json_is_false(json_object_get(own, "withheld")));
        assert_true(json_is_true(json_object_get(open, "withheld")));
        json_decref(own);
        json_decref(open);
    }
    g_clear_pointer(&probe->environment, g_free); /* the fixture's own has none */
    probe->environment_count = 0;
    g_free(variable.name);
    g_free(variable.value);
}

static void what_is_not_there_or_malformed_is_told(void **state) {
    desk *at = *state;
    desk_measure(at);
    static const desk_refusal cases[] = {
        {"/api/v1/projects/nobody", NULL, 404, "nobody"},
        {"/api/v1/projects?like=nobody", NULL, 404, "nobody"},
        {"/api/v1/projects/nobody/nights", NULL, 404, "nobody"},
        {"/api/v1/projects/kieker/nights?portions=few", NULL, 400, "full, brief or columns"},
        {"/api/v1/projects/nobody/alerts", NULL, 404, "nobody"},
        {"/api/v1/projects/kieker/nights?since=2013-4-1", NULL, 400, "dates such as 2013-04-17"},
        {"/api/v1/projects/kieker/nights?until=x", NULL, 400, "dates such as"},
        {"/api/v1/projects/kieker/nights?limit=0", NULL, 400, "limit"},
        {"/api/v1/projects/kieker/nights?limit=5001", NULL, 400, "limit"},
        {"/api/v1/projects/kieker/nights?limit=x", NULL, 400, "limit"},
        {"/api/v1/projects/kieker/nights?cursor=x", NULL, 400, "cursor"},
        {"/api/v1/projects/kieker/alerts?limit=-1", NULL, 400, "limit"},
        {"/api/v1/jobs?limit=x", NULL, 400, "limit"},
        {"/api/v1/jobs?cursor=x", NULL, 400, "cursor"},
        {"/api/v1/jobs/x", NULL, 400, ""},
        {"/api/v1/jobs/0", NULL, 400, ""},
        {"/api/v1/jobs/999", NULL, 404, "999"},
        {"/api/v1/alerts/999", NULL, 404, "999"},
        {"/api/v1/alerts/1x", NULL, 400, ""},
        {"/api/v1/alerts?limit=9999", NULL, 400, "limit"},
        {"/api/v1/experiments/999", NULL, 404, "999"},
        {"/api/v1/experiments/-1", NULL, 400, ""},
        {"/api/v1/experiments/x/raw/collecting/1", NULL, 400, ""},
        {"/api/v1/experiments/1/raw/collecting/x", NULL, 400, "the loop must be a whole number"},
        {"/api/v1/experiments/1/raw/collecting/99999999999", NULL, 400, "the loop must be"},
        {"/api/v1/experiments/1/raw/collecting/1?format=xml", NULL, 400, "format must be csv"},
        {"/api/v1/experiments/1/raw/collecting/77", NULL, 404, ""},
        {"/api/v1/experiments/1/raw/nothing/1", NULL, 404, ""},
        {"/api/v1/experiments/99/raw/collecting/1", NULL, 404, ""},
    };
    desk_refuses(at, "GET", NULL, cases, G_N_ELEMENTS(cases));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(the_status_says_what_is_wrong_with_the_configuration),
        DESK_TEST(a_repositorys_password_is_shown_to_nobody),
        DESK_TEST(nights_are_cut_by_dates_and_pages),
        DESK_TEST(alerts_and_jobs_are_listed_by_project_and_state),
        DESK_TEST(a_stored_file_is_given_as_it_is_or_unpacked),
        DESK_TEST(what_a_job_prints_is_for_those_with_a_token),
        DESK_TEST(values_of_variables_are_for_those_with_a_token),
        DESK_TEST(what_is_not_there_or_malformed_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
