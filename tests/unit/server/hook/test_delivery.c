/* Deliveries of webhooks: each is taken once, all of a call or none, and waits for its commit. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/hook/delivery.h"
#include "server/store/store_sql.h"
#include "sql/hook.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/sql_text.h"

/* Takes one in; whether it was fresh. */
static bool take(fixture *fix, const char *provider, const char *id, const char *project,
                 const char *sha) {
    g_autoptr(GError) error = NULL;
    srv_delivery delivery = {.provider = provider, .id = id, .project = project, .sha = sha};
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    g_ptr_array_add(list, &delivery);
    if (!srv_delivery_take(fix->store, list, 5, &error))
        fail_msg("%s", error->message);
    return delivery.fresh;
}

/* "sha:attempts sha:attempts" of what waits. */
static char *waiting(fixture *fix, const char *project) {
    json_t *list = srv__array(fix->store, SQL(delivery_waiting),
                              SRV__ARGS(SRV__T(project), SRV__I(SRV_DELIVERY_PAGE)), NULL),
           *item;
    GString *text = g_string_new(NULL);
    size_t i;
    assert_non_null(list);
    json_array_foreach (list, i, item)
        g_string_append_printf(text, "%s%s:%d", i == 0 ? "" : " ", text_of(item, "sha"),
                               (int)number_of(item, "attempts"));
    json_decref(list);
    return g_string_free(text, FALSE);
}

static void expect_waiting(fixture *fix, const char *project, const char *expected) {
    g_autofree char *text = waiting(fix, project);
    assert_string_equal(text, expected);
}

static void a_delivery_is_taken_once(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "other", NULL);
    assert_true(take(fix, "github", "1", "kieker", "a"));
    assert_false(take(fix, "github", "1", "kieker", "a"));
    assert_false(take(fix, "github", "1", "kieker", "b")); /* the id says which it is */
    assert_true(take(fix, "gitlab", "1", "kieker", "a"));
    assert_true(take(fix, "github", "1", "other", "a"));
    assert_true(take(fix, "github", "2", "kieker", "a"));
    expect_waiting(fix, "kieker", "a:0");
    expect_waiting(fix, "other", "a:0");
    expect_waiting(fix, "nobody", "");
}

static void it_is_known_also_when_it_is_done(void **state) {
    fixture *fix = *state;
    take(fix, "github", "1", "kieker", "a");
    assert_true(srv__run(
        fix->store, SQL(delivery_close),
        SRV__ARGS(SRV__T("kieker"), SRV__T("a"), SRV__T("queued"), SRV__ID(0), SRV__T(NULL)), NULL,
        NULL));
    assert_false(take(fix, "github", "1", "kieker", "a"));
    expect_waiting(fix, "kieker", "");
    fix_reopen(fix);
    assert_false(take(fix, "github", "1", "kieker", "a"));
}

static void the_least_tried_comes_first(void **state) {
    fixture *fix = *state;
    take(fix, "github", "1", "kieker", "a");
    take(fix, "github", "2", "kieker", "b");
    take(fix, "github", "3", "kieker", "c");
    take(fix, "github", "4", "kieker", "a"); /* again: its first one counts */
    expect_waiting(fix, "kieker", "a:0 b:0 c:0");
    assert_true(srv__run(fix->store, SQL(delivery_try), SRV__ARGS(SRV__T("kieker"), SRV__T("a")),
                         NULL, NULL));
    assert_true(srv__run(fix->store, SQL(delivery_try), SRV__ARGS(SRV__T("kieker"), SRV__T("a")),
                         NULL, NULL));
    assert_true(srv__run(fix->store, SQL(delivery_try), SRV__ARGS(SRV__T("kieker"), SRV__T("b")),
                         NULL, NULL));
    expect_waiting(fix, "kieker", "c:0 b:1 a:2");
}

static void closing_one_commit_leaves_the_others(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "other", NULL);
    take(fix, "github", "1", "kieker", "a");
    take(fix, "github", "2", "kieker", "b");
    take(fix, "github", "1", "other", "a");
    take(fix, "gitea", "9", "kieker", "a");
    const int64_t job = fix_add(fix, "kieker", 1, "2013-04-01", SRV_KIND_WEBHOOK);
    assert_true(srv__run(
        fix->store, SQL(delivery_close),
        SRV__ARGS(SRV__T("kieker"), SRV__T("a"), SRV__T("queued"), SRV__ID(job), SRV__T(NULL)),
        NULL, NULL));
    expect_waiting(fix, "kieker", "b:0");
    expect_waiting(fix, "other", "a:0");
    json_t *rows = srv__array(fix->store,
                              sql_text("SELECT state, job_id, note FROM delivery WHERE sha='a'"
                                       " ORDER BY id",
                                       ""),
                              SRV__NO_ARGS, NULL);
    assert_string_equal(text_of(json_array_get(rows, 0), "state"), "queued");
    assert_int_equal(number_of(json_array_get(rows, 0), "job_id"), job);
    assert_string_equal(text_of(json_array_get(rows, 1), "state"), "waiting");
    assert_string_equal(text_of(json_array_get(rows, 2), "state"), "queued");
    json_decref(rows);
    assert_true(srv__run(
        fix->store, SQL(delivery_close),
        SRV__ARGS(SRV__T("kieker"), SRV__T("b"), SRV__T("dead"), SRV__ID(0), SRV__T("not there")),
        NULL, NULL));
    rows = srv__array(fix->store,
                      sql_text("SELECT state, job_id, note FROM delivery WHERE sha='b'", ""),
                      SRV__NO_ARGS, NULL);
    assert_string_equal(text_of(json_array_get(rows, 0), "note"), "not there");
    assert_true(json_is_null(json_object_get(json_array_get(rows, 0), "job_id")));
    json_decref(rows);
}

static void of_many_all_are_taken_or_none(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    srv_delivery list[] = {{.provider = "github", .id = "1", .project = "kieker", .sha = "a"},
                           {.provider = "github", .id = "1", .project = "nobody", .sha = "a"}};
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (size_t i = 0; i < G_N_ELEMENTS(list); i++)
        g_ptr_array_add(all, &list[i]);
    assert_false(srv_delivery_take(fix->store, all, 5, &error));
    assert_srv_error(error, NOT_FOUND, "nobody");
    expect_waiting(fix, "kieker", "");
    list[1].project = "kieker";
    list[1].id = "2";
    assert_true(srv_delivery_take(fix->store, all, 5, NULL));
    assert_true(list[0].fresh && list[1].fresh);
}

static void a_page_of_those_that_wait_is_bounded(void **state) {
    fixture *fix = *state;
    enum { MORE = SRV_DELIVERY_PAGE + 3 };
    g_autofree srv_delivery *list = g_new0(srv_delivery, MORE);
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) pointers = g_ptr_array_new();
    for (int i = 0; i < MORE; i++) {
        char *id = g_strdup_printf("%d", i);
        g_ptr_array_add(texts, id);
        list[i] = (srv_delivery){.provider = "generic", .id = id, .project = "kieker", .sha = id};
        g_ptr_array_add(pointers, &list[i]);
    }
    assert_true(srv_delivery_take(fix->store, pointers, 5, NULL));
    json_t *page = srv__array(fix->store, SQL(delivery_waiting),
                              SRV__ARGS(SRV__T("kieker"), SRV__I(SRV_DELIVERY_PAGE)), NULL);
    assert_int_equal(json_array_size(page), SRV_DELIVERY_PAGE);
    assert_string_equal(text_of(json_array_get(page, 0), "sha"), "0");
    json_decref(page);
}

/* Only those that are done, and only far behind the newest. */
static void old_ones_are_forgotten_when_they_are_done(void **state) {
    fixture *fix = *state;
    take(fix, "github", "done", "kieker", "a");
    assert_true(srv__run(
        fix->store, SQL(delivery_close),
        SRV__ARGS(SRV__T("kieker"), SRV__T("a"), SRV__T("queued"), SRV__ID(0), SRV__T(NULL)), NULL,
        NULL));
    take(fix, "github", "waits", "kieker", "b");
    assert_true(
        srv__run(fix->store,
                 sql_text("INSERT INTO delivery(id, provider, delivery, project_id, sha,"
                          " received_ms, state) SELECT max(id)+100001, 'x', 'far', 1, 'c', 5,"
                          " 'queued' FROM delivery",
                          ""),
                 SRV__NO_ARGS, NULL, NULL));
    take(fix, "github", "newest", "kieker", "d");
    json_t *rows = srv__array(fix->store, sql_text("SELECT delivery FROM delivery ORDER BY id", ""),
                              SRV__NO_ARGS, NULL);
    assert_int_equal(json_array_size(rows), 3);
    assert_string_equal(text_of(json_array_get(rows, 0), "delivery"), "waits");
    json_decref(rows);
    assert_true(take(fix, "github", "done", "kieker", "a"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_delivery_is_taken_once),
        FIX_TEST(it_is_known_also_when_it_is_done),
        FIX_TEST(the_least_tried_comes_first),
        FIX_TEST(closing_one_commit_leaves_the_others),
        FIX_TEST(of_many_all_are_taken_or_none),
        FIX_TEST(a_page_of_those_that_wait_is_bounded),
        FIX_TEST(old_ones_are_forgotten_when_they_are_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
