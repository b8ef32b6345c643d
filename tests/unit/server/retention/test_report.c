/* What a policy would keep and remove, told beforehand; nothing is removed by it. */
#include "kept.h"

#include "server/retention/report.h"
#include "tests/unit/server/expect.h"

static const double means[4] = {70, 470, 1600, 3200};

static GArray *report(fixture *fix, const cfg_storage *policy, int64_t now_ms) {
    GError *error = NULL;
    GArray *all = srv_retention_report(fix->store, policy, now_ms, &error);
    assert_no_error(error);
    return all;
}

static const srv_retention_sums *first(const GArray *all) {
    assert_true(all->len > 0);
    return &g_array_index(all, srv_retention_sums, 0);
}

static void sums(const GArray *all, srv_fate fate, int64_t jobs) {
    const srv_raw_sums *found = &first(all)->fate[fate];
    assert_int_equal(found->jobs, jobs);
    assert_int_equal(found->files, jobs * JOB_FILES);
    assert_true((found->bytes > 0) == (jobs > 0));
}

static void without_raw_data_there_is_nothing_to_say(void **state) {
    fixture *fix = *state;
    const cfg_storage none = {.keep_raw_days = 0};
    GArray *all = report(fix, &none, fix->now_ms);
    assert_int_equal(all->len, 0);
    g_autofree char *text = srv_retention_report_text(all);
    assert_string_equal(text, "project\traw data\tjobs\tfiles\tbytes\n");
    g_array_unref(all);
}

static void it_says_what_a_pass_does_then(void **state) {
    fixture *fix = *state;
    const cfg_storage policy = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_FIRST_OF_MONTH] = true}};
    fix_nights(fix, "kieker", 1, 4, means);
    fix->now_ms += 2 * DAY_MS;
    fix_nights(fix, "kieker", 5, 5, means);
    GArray *all = report(fix, &policy, fix->now_ms);
    assert_string_equal(first(all)->project, "kieker");
    sums(all, SRV_FATE_FIRST_OF_MONTH, 1);
    sums(all, SRV_FATE_YOUNG, 1);
    sums(all, SRV_FATE_AGE, 3);
    sums(all, SRV_FATE_BUDGET, 0);
    g_autofree char *text = srv_retention_report_text(all);
    assert_says(text, "kieker\tstays: first of its month\t1\t17\t");
    assert_says(text, "kieker\tgoes: too old\t3\t51\t");
    assert_says(text, "kieker\tremoved before\t0\t0\t0\n");
    g_array_unref(all);
    there(fix, 5 * JOB_FILES, 0, 0);
    pass(fix, &policy, fix->now_ms);
    there(fix, 2 * JOB_FILES, 3 * JOB_FILES, 3);
    all = report(fix, &policy, fix->now_ms);
    const srv_raw_sums *removed = &first(all)->removed;
    assert_int_equal(removed->jobs, 3);
    assert_int_equal(removed->files, 3 * JOB_FILES);
    assert_true(removed->bytes > 0);
    sums(all, SRV_FATE_AGE, 0);
    g_array_unref(all);
}

static void a_budget_is_told_likewise(void **state) {
    fixture *fix = *state;
    const cfg_storage policy = {.raw_budget_bytes = 1};
    fix_nights(fix, "kieker", 1, 2, means);
    GArray *all = report(fix, &policy, fix->now_ms);
    sums(all, SRV_FATE_BUDGET, 2);
    g_autofree char *text = srv_retention_report_text(all);
    assert_says(text, "kieker\tgoes: over the budget\t2\t34\t");
    g_array_unref(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(without_raw_data_there_is_nothing_to_say),
        FIX_TEST(it_says_what_a_pass_does_then),
        FIX_TEST(a_budget_is_told_likewise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
