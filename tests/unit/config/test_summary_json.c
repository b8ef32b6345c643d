#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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

static void few_values_do_not_know_all(void **state) {
    (void)state;
    static const struct {
        int n;
        const char *known;
    } cases[] = {{1, "n mean_ns min_ns median_ns max_ns"},
                 {2, "n mean_ns sd_ns min_ns q1_ns median_ns q3_ns max_ns"},
                 {999, "n mean_ns sd_ns min_ns q1_ns median_ns q3_ns max_ns"},
                 {1000, "n mean_ns sd_ns min_ns q1_ns median_ns q3_ns p99_ns max_ns"},
                 {0, "n mean_ns sd_ns min_ns q1_ns median_ns q3_ns p99_ns p99_9_ns max_ns"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        det_summary all = {.n = (size_t)cases[i].n, 5, 1, 5, 5, 5, 5, 5, 5, 5}, read;
        json_t *object = cfg_summary_json(&all); /* an older runner told all of them */
        (void)cfg_summary_read(object, &read);
        cfg_summary_keep_known(object);
        char keys[128] = "";
        const char *key;
        json_t *value;
        json_object_foreach (object, key, value)
            strcat(strcat(keys, keys[0] != '\0' ? " " : ""), key);
        assert_string_equal(keys, cases[i].known);
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
