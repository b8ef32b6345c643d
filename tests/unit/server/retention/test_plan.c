/* What of a project's raw data goes: by age, by budget, and never what is kept or in use. */
#include "tests/unit/test.h"

#include "server/retention/plan.h"

#define DAY_MS INT64_C(86400000)
#define NOW_MS (1000 * DAY_MS)

/* A job so many days old. */
static srv_fate judged(srv__plan *plan, int64_t days, const char *kept) {
    srv__raw_job job = {.job = 7,
                        .files = 2,
                        .bytes = 100,
                        .stored_ms = NOW_MS - days * DAY_MS,
                        .in_use = g_str_equal(kept, "in_use")};
    for (unsigned keep = 0; keep < CFG_KEEP_COUNT; keep++)
        job.kept[keep] = g_str_equal(kept, cfg_keep_words[keep]);
    const srv_fate fate = srv__plan_judge(plan, &job);
    assert_int_equal(plan->place.job, 7);
    assert_int_equal(plan->place.stored_ms, NOW_MS - days * DAY_MS);
    return fate;
}

static void age_counts_in_whole_days_and_more(void **state) {
    const cfg_storage policy = {.keep_raw_days = 10};
    srv__plan plan = {.policy = &policy, .now_ms = NOW_MS, .bytes = 1000};
    (void)state;
    assert_int_equal(judged(&plan, 11, ""), SRV_FATE_AGE);
    assert_int_equal(plan.bytes, 900);
    assert_false(srv__plan_ended(&plan));
    assert_int_equal(judged(&plan, 10, ""), SRV_FATE_YOUNG);
    assert_int_equal(plan.bytes, 900);
    assert_true(srv__plan_ended(&plan));
}

static void without_days_and_budget_nothing_goes(void **state) {
    const cfg_storage policy = {.keep_raw_days = 0};
    srv__plan plan = {.policy = &policy, .now_ms = NOW_MS, .bytes = INT64_MAX};
    (void)state;
    assert_int_equal(judged(&plan, 999, ""), SRV_FATE_YOUNG);
    assert_true(srv__plan_ended(&plan));
}

/* The oldest go until the rest fits. */
static void what_is_beyond_the_budget_goes(void **state) {
    const cfg_storage policy = {.raw_budget_bytes = 250};
    srv__plan plan = {.policy = &policy, .now_ms = NOW_MS, .bytes = 400};
    (void)state;
    assert_int_equal(judged(&plan, 3, ""), SRV_FATE_BUDGET);
    assert_false(srv__plan_ended(&plan));
    assert_int_equal(judged(&plan, 2, ""), SRV_FATE_BUDGET);
    assert_int_equal(judged(&plan, 1, ""), SRV_FATE_YOUNG);
    assert_int_equal(plan.bytes, 200);
    assert_true(srv__plan_ended(&plan));
}

/* What is kept is so by its word in the policy; what is in use always is. */
static void what_is_kept_stays(void **state) {
    static const srv_fate fates[CFG_KEEP_COUNT] = {SRV_FATE_ALERTS, SRV_FATE_RELEASES,
                                                   SRV_FATE_FIRST_OF_MONTH};
    (void)state;
    for (unsigned keep = 0; keep < CFG_KEEP_COUNT; keep++) {
        cfg_storage policy = {.keep_raw_days = 1, .raw_budget_bytes = 1};
        srv__plan plan = {.policy = &policy, .now_ms = NOW_MS, .bytes = 400};
        assert_int_equal(judged(&plan, 3, cfg_keep_words[keep]), SRV_FATE_AGE);
        assert_int_equal(judged(&plan, 3, "in_use"), SRV_FATE_IN_USE);
        policy.keeps[keep] = true;
        assert_int_equal(judged(&plan, 3, cfg_keep_words[keep]), fates[keep]);
        assert_int_equal(judged(&plan, 0, cfg_keep_words[keep]), fates[keep]);
        assert_int_equal(judged(&plan, 0, ""), SRV_FATE_BUDGET);
    }
}

static void each_fate_has_a_word(void **state) {
    (void)state;
    for (srv_fate fate = 0; fate < SRV_FATE_COUNT; fate++)
        assert_non_null(srv_fate_words[fate]);
    assert_true(srv_fate_goes(SRV_FATE_AGE) && srv_fate_goes(SRV_FATE_BUDGET));
    assert_false(srv_fate_goes(SRV_FATE_FIRST_OF_MONTH) || srv_fate_goes(SRV_FATE_YOUNG));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(age_counts_in_whole_days_and_more),
        cmocka_unit_test(without_days_and_budget_nothing_goes),
        cmocka_unit_test(what_is_beyond_the_budget_goes),
        cmocka_unit_test(what_is_kept_stays),
        cmocka_unit_test(each_fate_has_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
