/* Of several servers one does what must happen once, whichever lives. */
#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/fixture.h"

#include "server/store/duty.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/sql_text.h"

static srv_duty server(const char *own) {
    srv_duty duty = {.name = "leader"};
    g_strlcpy(duty.own, own, sizeof duty.own);
    return duty;
}

static bool has_it(fixture *fix, srv_duty *duty, int64_t now_ms) {
    g_autoptr(GError) error = NULL;
    if (!srv_duty_beat(fix->store, duty, now_ms, &error))
        fail_msg("%s", error->message);
    return srv_duty_held(duty, now_ms);
}

static void the_first_one_has_it(void **state) {
    srv_duty a = server("a"), b = server("b");
    assert_false(srv_duty_held(&a, 0));
    assert_true(has_it(*state, &a, 100));
    assert_false(has_it(*state, &b, 100));
    assert_true(has_it(*state, &a, 100 + SRV_DUTY_BEAT_MS));
    assert_false(has_it(*state, &b, 100 + SRV_DUTY_BEAT_MS));
}

/* As long as it beats, however long that is. */
static void whoever_beats_keeps_it(void **state) {
    srv_duty a = server("a"), b = server("b");
    for (int64_t now_ms = 0; now_ms < 10 * SRV_DUTY_SILENT_MS; now_ms += SRV_DUTY_BEAT_MS) {
        assert_true(has_it(*state, &a, now_ms));
        assert_false(has_it(*state, &b, now_ms));
    }
}

/* By the other one's own time: a's clock is a year ahead. */
static void a_silent_one_loses_it(void **state) {
    srv_duty a = server("a"), b = server("b");
    const int64_t year_ms = INT64_C(31536000000), last_ms = 500;
    assert_true(has_it(*state, &a, year_ms + last_ms));
    assert_false(has_it(*state, &b, last_ms));
    assert_false(has_it(*state, &b, last_ms + SRV_DUTY_SILENT_MS - 1));
    /* a has stopped to act before */
    assert_false(srv_duty_held(&a, year_ms + last_ms + SRV_DUTY_HELD_MS));
    assert_true(SRV_DUTY_HELD_MS < SRV_DUTY_SILENT_MS);
    assert_true(has_it(*state, &b, last_ms + SRV_DUTY_SILENT_MS));
    /* and does not get it back while b has it */
    assert_false(has_it(*state, &a, year_ms + last_ms + SRV_DUTY_SILENT_MS));
}

static void whoever_leaves_hands_it_on(void **state) {
    fixture *fix = *state;
    srv_duty a = server("a"), b = server("b");
    assert_true(has_it(fix, &a, 1));
    assert_false(has_it(fix, &b, 1));
    assert_true(srv_duty_leave(fix->store, &b, NULL)); /* it is not its */
    assert_false(has_it(fix, &b, 2));
    assert_true(srv_duty_leave(fix->store, &a, NULL));
    assert_false(srv_duty_held(&a, 2));
    assert_true(has_it(fix, &b, 3));
}

/* Two that see the silence at the same time. */
static void one_of_two_takes_it_over(void **state) {
    srv_duty a = server("a"), b = server("b"), c = server("c");
    assert_true(has_it(*state, &a, 0));
    assert_false(has_it(*state, &b, 0));
    assert_false(has_it(*state, &c, 0));
    assert_true(has_it(*state, &b, SRV_DUTY_SILENT_MS));
    assert_false(has_it(*state, &c, SRV_DUTY_SILENT_MS));
}

static void a_beat_that_fails_changes_nothing(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    srv_duty a = server("a");
    assert_true(has_it(fix, &a, 0));
    assert_true(srv__run(fix->store, sql_text("ALTER TABLE duty RENAME TO away", ""), SRV__NO_ARGS,
                         NULL, NULL));
    assert_false(srv_duty_beat(fix->store, &a, 5, &error));
    assert_srv_error(error, INTERNAL, "duty");
    assert_true(srv_duty_held(&a, SRV_DUTY_HELD_MS - 1));
    assert_false(srv_duty_held(&a, SRV_DUTY_HELD_MS));
    assert_true(srv__run(fix->store, sql_text("ALTER TABLE away RENAME TO duty", ""), SRV__NO_ARGS,
                         NULL, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(the_first_one_has_it),     FIX_TEST(whoever_beats_keeps_it),
        FIX_TEST(a_silent_one_loses_it),    FIX_TEST(whoever_leaves_hands_it_on),
        FIX_TEST(one_of_two_takes_it_over), FIX_TEST(a_beat_that_fails_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
