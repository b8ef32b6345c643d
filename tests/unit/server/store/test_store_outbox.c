/* Which lines of the outbox are due, whatever has become of the clock since they were written. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/store/store_outbox.h"

#define MINUTE INT64_C(60000)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* One line of "kieker" that may be told at now_ms + later. */
static void waiting(fixture *fix, int64_t later_ms) {
    static char project[] = "kieker", channel[] = "c", subject[] = "alert", event[] = "raised";
    const srv_outbox_line line = {.subject_id = 1,
                                  .made_ms = fix->now_ms,
                                  .project = project,
                                  .channel = channel,
                                  .subject = subject,
                                  .event = event};
    fix_sync(fix, project, NULL);
    assert_true(srv_outbox_open(fix->store, project, channel, fix->now_ms, NULL));
    assert_true(srv_outbox_add(fix->store, &line, "waiting", fix->now_ms + later_ms, NULL, NULL));
}

static void expect_due(fixture *fix, int64_t moment_ms, guint expected) {
    g_autoptr(GPtrArray) due = srv_outbox_due(fix->store, moment_ms, NULL);
    assert_non_null(due);
    assert_int_equal(due->len, expected);
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
    assert_true(srv_outbox_next(fix->store, &next_ms, NULL));
    assert_true(next_ms == INT64_MAX);
    waiting(fix, HOUR);
    assert_true(srv_outbox_next(fix->store, &next_ms, NULL));
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
