#include "tests/unit/test.h"

#include <math.h>

#include "config/model/detection.h"

#define CALLS 10000 /* the 99.9th percentile is not told of fewer */

static void every_statistic_comes_back(void **state) {
    (void)state;
    det_summary before, after;
    static double calls[CALLS];
    for (int i = 0; i < CALLS; i++)
        calls[i] = (i * 7919) % CALLS;
    assert_int_equal(det_summary_of(&before, calls, CALLS), DET_OK);
    json_t *object = cfg_summary_json(&before);
    assert_int_equal(json_object_size(object), 1 + DET_SUMMARY_MEMBERS);
    assert_true(cfg_summary_read(object, &after));
    assert_int_equal(after.n, CALLS);
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const det_summary_member *member = &det_summary_members[i];
        assert_true(json_number_value(json_object_get(object, member->key)) ==
                    det_summary_get(&before, member));
        assert_true(det_summary_get(&after, member) == det_summary_get(&before, member));
    }
    json_decref(object);
}

static void what_is_unknown_is_left_out(void **state) {
    (void)state;
    det_summary bare = det_summary_unknown(), after;
    bare.n = 1;
    bare.mean = 7.5;
    json_t *object = cfg_summary_json(&bare);
    assert_int_equal(json_object_size(object), 2);
    assert_false(cfg_summary_read(object, &after));
    assert_int_equal(after.n, 1);
    assert_true(after.mean == 7.5 && isnan(after.max));
    json_decref(object);
}

/* Are all of these names there, or none of them? */
static void expect_keys(const json_t *object, const char *names, bool there) {
    g_auto(GStrv) each = g_strsplit(names, " ", -1);
    for (size_t i = 0; each[i]; i++)
        assert_int_equal(json_object_get(object, each[i]) != NULL, there);
}

static void few_values_do_not_know_all(void **state) {
    (void)state;
    static const struct {
        size_t n;
        const char *known, *unknown;
    } cases[] = {{1, "n mean_ns min_ns median_ns max_ns", "sd_ns q1_ns q3_ns p99_ns p99_9_ns"},
                 {2, "n mean_ns sd_ns min_ns q1_ns median_ns q3_ns max_ns", "p99_ns p99_9_ns"},
                 {999, "n mean_ns sd_ns min_ns q1_ns median_ns q3_ns max_ns", "p99_ns p99_9_ns"},
                 {1000, "n mean_ns sd_ns min_ns q1_ns median_ns q3_ns p99_ns max_ns", "p99_9_ns"},
                 {0, "n mean_ns sd_ns min_ns q1_ns median_ns q3_ns p99_ns p99_9_ns max_ns", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        det_summary all = {.n = cases[i].n}, read; /* an older runner told all of them */
        json_t *object = cfg_summary_json(&all);
        (void)cfg_summary_read(object, &read);
        cfg_summary_keep_known(object);
        expect_keys(object, cases[i].known, true);
        expect_keys(object, cases[i].unknown, false);
        json_t *again = cfg_summary_json(&read);
        assert_true(json_equal(again, object));
        json_decref(again);
        json_decref(object);
    }
}

static void what_is_no_summary(void **state) {
    (void)state;
    det_summary after;
    assert_false(cfg_summary_read(NULL, &after));
    assert_int_equal(after.n, 0);
    json_t *object = json_pack("{s:i, s:s}", "n", -1, "mean_ns", "7.5");
    assert_false(cfg_summary_read(object, &after));
    assert_int_equal(after.n, 0);
    assert_true(isnan(after.mean));
    json_decref(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statistic_comes_back), cmocka_unit_test(what_is_unknown_is_left_out),
        cmocka_unit_test(few_values_do_not_know_all), cmocka_unit_test(what_is_no_summary)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
