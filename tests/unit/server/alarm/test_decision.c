/* What a person says of an alert or an incident: short enough to keep, and text. */
#include "tests/unit/test.h"

#include "server/alarm/notes.h"
#include "server/ground/error.h"
#include "server/store/store_sql.h"
#include "sql/audit.h"
#include "tests/unit/server/fixture.h"

#include <string.h>

static void a_text_is_not_empty_short_and_utf8(void **state) {
    (void)state;
    char most[4002];
    memset(most, 'x', sizeof most);
    most[4001] = '\0';
    const char *const wrong[] = {NULL, "", "\xff", "half \xc3", most};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        assert_false(srv__decision_text_check("reason", wrong[i], &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_INVALID));
        assert_string_equal(error->message, "reason: must be 1 to 4000 bytes of UTF-8");
    }
    most[4000] = '\0';
    assert_true(srv__decision_text_check("reason", most, NULL));
    assert_true(srv__decision_text_check("author", "größe", NULL));
}

static void a_decision_is_in_the_audit_log(void **state) {
    fixture *fix = *state;
    const srv__decision decision = {"alert", 7, "accepted", "ada", "ticket #996", 77};
    assert_true(srv__begin(fix->store, NULL));
    assert_true(srv__end(fix->store, srv__decision_audit(fix->store, &decision, NULL), NULL));
    json_t *rows = srv__array(fix->store, ASK(audit_page, NULL, INT64_MAX, 10), NULL);
    const json_t *row = json_array_get(rows, 0);
    assert_string_equal(text_of(row, "what"), "alert 7 accepted");
    assert_string_equal(text_of(row, "who"), "ada");
    assert_string_equal(text_of(row, "why"), "ticket #996");
    assert_int_equal(number_of(row, "at_ms"), 77);
    json_decref(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_text_is_not_empty_short_and_utf8),
                                       FIX_TEST(a_decision_is_in_the_audit_log)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
