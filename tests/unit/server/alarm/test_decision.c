/* What a person says of an alert or an incident: short enough to keep, and text. */
#include "tests/unit/test.h"

#include "server/alarm/decision.h"
#include "server/ground/error.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_text_is_not_empty_short_and_utf8)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
