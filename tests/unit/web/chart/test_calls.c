#include "tests/unit/web/nights.h"

#include <glib.h>
#include <math.h>

#include "web/chart/compare.h"

static json_int_t sum(const json_t *array) {
    json_int_t total = 0;
    size_t i;
    const json_t *item;
    json_array_foreach (array, i, item)
        total += json_integer_value(item);
    return total;
}

static double at(const json_t *object, const char *key, size_t i) {
    return json_number_value(json_array_get(json_object_get(object, key), i));
}

static void every_call_is_in_one_bin(void **state) {
    (void)state;
    static const double ns[] = {9999, 0, 0.5, 1, 70, 71, 1e3, 2.5e6, 1e12, 1e300, -4};
    json_t *digest = web_calls_digest(ns, G_N_ELEMENTS(ns), 1);
    const json_t *spread = json_object_get(digest, "histogram");
    const json_t *counts = json_object_get(spread, "counts");
    assert_int_equal(sum(counts), G_N_ELEMENTS(ns) - 1); /* the warm-up is not in it */
    assert_int_equal(json_array_size(json_object_get(spread, "edges_ns")),
                     json_array_size(counts) + 1);
    assert_int_equal(json_integer_value(json_array_get(counts, 0)), 4); /* at most 1 ns */
    for (size_t i = 0; i < json_array_size(counts); i++)
        assert_true(at(spread, "edges_ns", i) < at(spread, "edges_ns", i + 1));
    json_decref(digest);
}

static void bins_hold_what_their_edges_say(void **state) {
    (void)state;
    for (int i = 0; i < 19; i++) {
        double v = 1.5 * pow(3.7, i);
        json_t *digest = web_calls_digest(&v, 1, 0);
        const json_t *spread = json_object_get(digest, "histogram");
        assert_int_equal(json_array_size(json_object_get(spread, "counts")), 1);
        assert_true(at(spread, "edges_ns", 0) <= v * 1.001);
        assert_true(at(spread, "edges_ns", 1) >= v * 0.999);
        json_decref(digest);
    }
}

static void the_course_has_quantiles_of_equal_buckets(void **state) {
    (void)state;
    enum { N = 2050 };
    double ns[N];
    for (int i = 0; i < N; i++)
        ns[i] = 1000.0 * floor(i / 11.0) + i % 11; /* buckets of 11: 0 … 10 above a step */
    json_t *digest = web_calls_digest(ns, N, N / 2);
    const json_t *course = json_object_get(digest, "course");
    assert_int_equal(json_integer_value(json_object_get(course, "bucket_calls")), 11);
    assert_int_equal(json_integer_value(json_object_get(course, "warmup_calls")), N / 2);
    assert_int_equal(json_array_size(json_object_get(course, "median_ns")), 187);
    assert_true(fabs(at(course, "low_ns", 0) - 1) < 1e-9);
    assert_true(fabs(at(course, "median_ns", 0) - 5) < 1e-9);
    assert_true(fabs(at(course, "high_ns", 0) - 9) < 1e-9);
    assert_true(fabs(at(course, "median_ns", 1) - 1005) < 1e-9);
    json_decref(digest);
}

static void no_call_and_one_call_are_enough(void **state) {
    (void)state;
    static const double one = 42;
    static const struct {
        size_t n, warmup, buckets, bins;
    } cases[] = {{0, 0, 0, 0}, {1, 0, 1, 1}, {1, 1, 1, 0}, {1, 9, 1, 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *digest = web_calls_digest(&one, cases[i].n, cases[i].warmup);
        assert_int_equal(
            json_array_size(json_object_get(json_object_get(digest, "course"), "median_ns")),
            cases[i].buckets);
        assert_int_equal(
            json_array_size(json_object_get(json_object_get(digest, "histogram"), "counts")),
            cases[i].bins);
        json_decref(digest);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_is_in_one_bin),
        cmocka_unit_test(bins_hold_what_their_edges_say),
        cmocka_unit_test(the_course_has_quantiles_of_equal_buckets),
        cmocka_unit_test(no_call_and_one_call_are_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
