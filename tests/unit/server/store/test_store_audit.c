/* The audit log: what is kept, and that neither a flood nor a year of changes fills the disk. */
#include "tests/unit/test.h"

#include "server/store/store_audit.h"
#include "server/store/store_sql.h"
#include "sql/audit.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"

#define HOUR_MS INT64_C(3600000)

static const srv_audit_row change = {5, 5, "token", "root", "", "token ci added", "", 1};

static json_t *page(fixture *fix, const char *kind) {
    json_t *rows = srv__array(fix->store, ASK(audit_page, kind, INT64_MAX, 1000000), NULL);
    assert_non_null(rows);
    return rows;
}

static size_t rows_of(fixture *fix, const char *kind) {
    json_t *rows = page(fix, kind);
    const size_t count = json_array_size(rows);
    json_decref(rows);
    return count;
}

static srv_audit_row refusal(int64_t at_ms, const char *client, int64_t count) {
    return (srv_audit_row){at_ms,  at_ms + 1, SRV_AUDIT_REFUSED, "ci",
                           client, "GET /x",  "scope",           count};
}

static void refusals_of_an_hour_are_one_row(void **state) {
    fixture *fix = *state;
    const srv_audit_row rows[] = {refusal(10, "192.0.2.1", 3), refusal(20, "192.0.2.2", 1)};
    const srv_audit_row later[] = {refusal(HOUR_MS - 5, "192.0.2.1", 4),
                                   refusal(HOUR_MS + 5, "192.0.2.1", 1)};
    assert_true(srv_audit_refusals(fix->store, rows, 2, NULL));
    assert_true(srv_audit_refusals(fix->store, later, 2, NULL));
    assert_true(srv_audit_change(fix->store, &change, NULL));
    assert_true(srv_audit_change(fix->store, &change, NULL));
    assert_int_equal(rows_of(fix, "token"), 2);
    assert_int_equal(rows_of(fix, NULL), 5);
    json_t *kept = page(fix, SRV_AUDIT_REFUSED);
    assert_int_equal(json_array_size(kept), 3);
    const json_t *first = json_array_get(kept, 2); /* newest first */
    assert_int_equal(number_of(first, "count"), 7);
    assert_int_equal(number_of(first, "at_ms"), 10);
    assert_int_equal(number_of(first, "last_ms"), HOUR_MS - 4);
    assert_string_equal(text_of(first, "client"), "192.0.2.1");
    json_decref(kept);
}

static void neither_drives_the_other_out(void **state) {
    fixture *fix = *state;
    assert_true(srv_audit_change(fix->store, &change, NULL));
    for (int64_t hour = 0; hour < SRV_AUDIT_REFUSALS / 100 + 5; hour++) {
        srv_audit_row rows[100];
        char clients[100][16];
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
            g_snprintf(clients[i], sizeof clients[i], "192.0.2.%zu", i);
            rows[i] = refusal(hour * HOUR_MS, clients[i], 1);
        }
        assert_true(srv_audit_refusals(fix->store, rows, G_N_ELEMENTS(rows), NULL));
    }
    assert_int_equal(rows_of(fix, SRV_AUDIT_REFUSED), SRV_AUDIT_REFUSALS);
    assert_int_equal(rows_of(fix, "token"), 1);
    json_t *kept = page(fix, SRV_AUDIT_REFUSED);
    assert_true(number_of(json_array_get(kept, SRV_AUDIT_REFUSALS - 1), "at_ms") >= 5 * HOUR_MS);
    json_decref(kept);
}

static void the_oldest_changes_go(void **state) {
    fixture *fix = *state;
    assert_true(srv__begin(fix->store, NULL));
    for (int i = 0; i < SRV_AUDIT_CHANGES; i++)
        assert_true(srv__run(
            fix->store,
            sql_text("INSERT INTO audit(at_ms, last_ms, kind, who, client, what, why, count)"
                     " VALUES($1,$1,'alert','a','','w','y',1)",
                     "i"),
            SRV__ARGS(i), NULL));
    assert_true(srv__end(fix->store, true, NULL));
    assert_true(srv_audit_change(fix->store, &change, NULL));
    assert_int_equal(rows_of(fix, NULL), SRV_AUDIT_CHANGES);
    assert_int_equal(rows_of(fix, "token"), 1);
    assert_int_equal(rows_of(fix, "alert"), SRV_AUDIT_CHANGES - 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(refusals_of_an_hour_are_one_row),
        FIX_TEST(neither_drives_the_other_out),
        FIX_TEST(the_oldest_changes_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
