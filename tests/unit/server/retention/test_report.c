/* What a policy would keep and remove, told beforehand; nothing is removed by it. */
#include "kept.h"

#include "server/retention/report.h"
#include "tests/unit/server/expect.h"

static const double means[4] = {70, 470, 1600, 3200};

static json_t *report(fixture *fix, const cfg_storage *policy, int64_t now_ms) {
    GError *error = NULL;
    json_t *all = srv_retention_report(fix->store, policy, now_ms, &error);
    assert_no_error(error);
    return all;
}

static void sums(const json_t *project, const char *group, const char *word, int64_t jobs) {
    const json_t *found = json_object_get(json_object_get(project, group), word);
    assert_int_equal(number_of(found, "jobs"), jobs);
    assert_int_equal(number_of(found, "files"), jobs * JOB_FILES);
    assert_true((number_of(found, "bytes") > 0) == (jobs > 0));
}

static void without_raw_data_there_is_nothing_to_say(void **state) {
    fixture *fix = *state;
    const cfg_storage none = {.keep_raw_days = 0};
    json_t *all = report(fix, &none, fix->now_ms);
    assert_int_equal(json_array_size(all), 0);
    g_autofree char *text = srv_retention_report_text(all);
    assert_string_equal(text, "project\traw data\tjobs\tfiles\tbytes\n");
    json_decref(all);
}

static void it_says_what_a_pass_does_then(void **state) {
    fixture *fix = *state;
    const cfg_storage policy = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_FIRST_OF_MONTH] = true}};
    fix_nights(fix, "kieker", 1, 4, means);
    fix->now_ms += 2 * DAY_MS;
    fix_nights(fix, "kieker", 5, 5, means);
    json_t *all = report(fix, &policy, fix->now_ms);
    const json_t *kieker = json_array_get(all, 0);
    assert_string_equal(text_of(kieker, "project"), "kieker");
    sums(kieker, "stays", "first_of_month", 1);
    sums(kieker, "stays", "young", 1);
    sums(kieker, "goes", "age", 3);
    sums(kieker, "goes", "budget", 0);
    g_autofree char *text = srv_retention_report_text(all);
    assert_says(text, "kieker\tstays: first of its month\t1\t17\t");
    assert_says(text, "kieker\tgoes: too old\t3\t51\t");
    assert_says(text, "kieker\tremoved before\t0\t0\t0\n");
    json_decref(all);
    there(fix, 5 * JOB_FILES, 0, 0);
    pass(fix, &policy, fix->now_ms);
    there(fix, 2 * JOB_FILES, 3 * JOB_FILES, 3);
    all = report(fix, &policy, fix->now_ms);
    const json_t *removed = json_object_get(json_array_get(all, 0), "removed");
    assert_int_equal(number_of(removed, "jobs"), 3);
    assert_int_equal(number_of(removed, "files"), 3 * JOB_FILES);
    assert_true(number_of(removed, "bytes") > 0);
    sums(json_array_get(all, 0), "goes", "age", 0);
    json_decref(all);
}

static void a_budget_is_told_likewise(void **state) {
    fixture *fix = *state;
    const cfg_storage policy = {.raw_budget_bytes = 1};
    fix_nights(fix, "kieker", 1, 2, means);
    json_t *all = report(fix, &policy, fix->now_ms);
    sums(json_array_get(all, 0), "goes", "budget", 2);
    g_autofree char *text = srv_retention_report_text(all);
    assert_says(text, "kieker\tgoes: over the budget\t2\t34\t");
    json_decref(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(without_raw_data_there_is_nothing_to_say),
        FIX_TEST(it_says_what_a_pass_does_then),
        FIX_TEST(a_budget_is_told_likewise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
