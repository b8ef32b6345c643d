/* Which lines of the outbox are due, whatever has become of the clock since they were written. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/notify/notify_round.c" /* NOLINT(bugprone-suspicious-include) */

#define MINUTE INT64_C(60000)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* One line of "kieker" that may be told at now_ms + later. */
static void waiting(fixture *fix, int64_t later_ms) {
    fix_sync(fix, "kieker", NULL);
    assert_true(srv__run(fix->store, ASK(outbox_open, "kieker", "c", fix->now_ms), NULL));
    assert_true(srv__run(fix->store,
                         ASK(outbox_add, "kieker", "c", "alert", 1, "raised", "waiting",
                             fix->now_ms, fix->now_ms + later_ms, NULL),
                         NULL));
}

static void expect_due(fixture *fix, int64_t moment_ms, unsigned expected) {
    g_auto(model_list) due = {0};
    assert_true(srv__many(fix->store, ASK(outbox_due, moment_ms, moment_ms + WAIT_MOST_MS),
                          &line_noun, &due, NULL));
    assert_int_equal(due.count, expected);
}

static void a_line_is_due_from_its_moment_on(void **state) {
    fixture *fix = *state;
    waiting(fix, HOUR);
    expect_due(fix, fix->now_ms, 0);
    expect_due(fix, fix->now_ms + HOUR - 1, 0);
    expect_due(fix, fix->now_ms + HOUR, 1);
    expect_due(fix, fix->now_ms + 5 * DAY, 1);
}

/* Found by tests/campaign: it waited for as long as the clock was set back. */
static void a_clock_that_is_set_back_holds_up_no_line(void **state) {
    fixture *fix = *state;
    waiting(fix, HOUR);
    expect_due(fix, fix->now_ms - DAY, 0); /* quiet hours may last so long */
    expect_due(fix, fix->now_ms - DAY - 1, 1);
    expect_due(fix, fix->now_ms - 400 * DAY, 1);
}

static void the_next_moment_is_the_first(void **state) {
    fixture *fix = *state;
    int64_t next_ms = 0;
    assert_true(srv__number(fix->store, ASK(outbox_next), INT64_MAX, &next_ms, NULL));
    assert_true(next_ms == INT64_MAX);
    waiting(fix, HOUR);
    assert_true(srv__number(fix->store, ASK(outbox_next), INT64_MAX, &next_ms, NULL));
    assert_int_equal(next_ms, fix->now_ms + HOUR);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(a_line_is_due_from_its_moment_on),
        FIX_TEST(a_clock_that_is_set_back_holds_up_no_line),
        FIX_TEST(the_next_moment_is_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
