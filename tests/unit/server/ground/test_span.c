/* Spans of time: what people write, and what is refused. */
#include "tests/unit/test.h"

#include "server/ground/clock.h"

#include <string.h>

#define YEAR_MS (INT64_C(365) * 86400000)

static void a_span_is_a_number_and_a_unit(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } cases[] = {{"0h", 0},          {"1m", 60000},
                 {"24h", 86400000},  {"90d", INT64_C(7776000000)},
                 {"2w", 1209600000}, {"365d", YEAR_MS}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        int64_t ms = -1;
        assert_true(srv_span_read(cases[i].text, YEAR_MS, &ms, NULL));
        assert_int_equal(ms, cases[i].ms);
    }
}

static void all_else_is_refused(void **state) {
    (void)state;
    static const char *const cases[] = {
        "", "d", "90", "-1d", "1.5d", "1y", "90D", " 1d", "1 d", "366d", "99999999999999999999d"};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        int64_t ms = -1;
        if (srv_span_read(cases[i], YEAR_MS, &ms, &error))
            fail_msg("\"%s\" is taken", cases[i]);
        assert_non_null(strstr(error->message, "at most 365d"));
        assert_int_equal(ms, -1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_span_is_a_number_and_a_unit),
        cmocka_unit_test(all_else_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
