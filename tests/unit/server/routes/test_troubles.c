/* What is wrong with the server: told to those who are signed in, and counted for a probe. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "server/store/store_sql.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/sql_text.h"

static json_t *problems(const desk *at, const char *headers) {
    json_t *status = desk_json(at, "GET", "/api/v1/status", headers, NULL, 200);
    json_t *list = json_incref(json_object_get(status, "problems"));
    json_decref(status);
    return list;
}

/* The only one says this. */
static void expect_problem(const desk *at, const char *text) {
    json_auto_t *seen = problems(at, at->admin), *hidden = problems(at, NULL);
    assert_int_equal(json_array_size(seen), text ? 1 : 0);
    if (text)
        assert_says(json_string_value(json_array_get(seen, 0)), text);
    assert_int_equal(json_array_size(hidden), 0);
    json_auto_t *ready = desk_get(at, "/readyz");
    assert_int_equal(number_of(ready, "problems"), text ? 1 : 0);
}

static void run(const desk *at, const char *sql) {
    assert_true(srv__run(at->fix->store, sql_text(sql, ""), SRV__NO_ARGS, NULL));
}

static void each_is_told_while_it_lasts(void **state) {
    desk *at = *state;
    cfg_server config = *at->app->config;
    config.data_dir = config.shared_dir = at->fix->dir;
    config.disk_reserve_bytes = 0;
    at->app->context.config = &config;
    expect_problem(at, NULL);
    config.disk_reserve_bytes = UINT64_MAX;
    expect_problem(at, "must stay free (disk_reserve_bytes)");
    config.disk_reserve_bytes = 0;
    run(at, "INSERT INTO channel(id, project_id, name, opened_ms, after_alert, after_experiment,"
            " after_incident) SELECT 1, min(id), 'mail', 1, 0, 0, 0 FROM project");
    run(at, "INSERT INTO outbox(channel_id, subject, subject_id, event, state, attempts, made_ms,"
            " not_before_ms, note) VALUES(1, 'alert', 1, 'raised', 'waiting', 2, 1, 1,"
            " 'smtp://mail.example: refused')");
    expect_problem(at, "messages: 1 could not be sent and are tried again; the newest, of kieker "
                       "by mail: smtp://mail.example: refused");
    run(at, "UPDATE outbox SET state='sent'");
    expect_problem(at, NULL);
    at->listener->options.on_fault(at->app, "the bucket has other bytes");
    expect_problem(at, "requests: 1 failed since the start; the last, ");
    at->app->context.fault_ms -= 86400000;
    expect_problem(at, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {DESK_TEST(each_is_told_while_it_lasts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
