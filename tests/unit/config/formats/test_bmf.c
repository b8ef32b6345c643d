/* Bencher Metric Format, as its documentation has it; latency is in nanoseconds. */
#include "tests/unit/config/formats/reader.h"

static void latency_with_its_bounds(void **state) {
    (void)state;
    fmt_night *night =
        night_of("bmf", "{'kieker W': {'latency': {'value': 2650.5, 'lower_value': 2600,"
                        " 'upper_value': 2701.25}}, 'kieker C': {'latency': {'value': 830}}}");
    expect_values(night, 2, 0);
    expect_mean(value_at(night, 0), "kieker W", 2650.5, 2600, 2701.25);
    expect_mean(value_at(night, 1), "kieker C", 830, NAN, NAN);
    expect_note(night, "\"lower_value\" and \"upper_value\" are read as a 95 % interval; the file "
                       "does not say what they are");
    fmt_night_free(night);
}

static void other_measures_are_left_out(void **state) {
    (void)state;
    fmt_night *night =
        night_of("bmf", "{'a': {'throughput': {'value': 12}}, 'b': {'latency': {'value': 1},"
                        " 'throughput': {'value': 3}}}");
    expect_values(night, 1, 1);
    expect_left(night, 0, "a", "no latency");
    expect_mean(value_at(night, 0), "b", 1, NAN, NAN);
    expect_note(night, "beside the times, not read: throughput");
    fmt_night_free(night);
}

/* One benchmark that failed does not take the file with it. */
static void a_failed_one_is_left_out(void **state) {
    (void)state;
    fmt_night *night = night_of("bmf", "{'a': {'latency': {'value': null}}, 'b': {'latency':"
                                       " {'value': '7'}}, 'c': {'latency': {'value': 5}}}");
    expect_values(night, 2, 1);
    expect_left(night, 0, "a", "is not a number");
    expect_mean(value_at(night, 0), "b", 7, NAN, NAN);
    fmt_night_free(night);
    expect_refused("bmf", "{'a': {'latency': {'value': null}}}");
}

static void one_bound_alone_is_kept_as_it_is(void **state) {
    (void)state;
    fmt_night *night = night_of("bmf", "{'a': {'latency': {'value': 5, 'upper_value': 6}}}");
    expect_mean(value_at(night, 0), "a", 5, NAN, 6);
    expect_note(night, "of some \"lower_value\" or \"upper_value\" is missing or on the other side "
                       "of the value: that is no interval");
    fmt_night_free(night);
    night = night_of("bmf", "{'a': {'latency': {'value': 5, 'lower_value': 6, 'upper_value': 7}}}");
    expect_mean(value_at(night, 0), "a", 5, NAN, 7);
    assert_int_equal(night->notes->len, 1);
    fmt_night_free(night);
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{}",
        "[]",
        "[{'latency': {'value': 1}}]",
        "{'a': 3}",
        "{'a': []}",
        "{'a': {}}",
        "{'a': {'latency': 3}}",
        "{'a': {'latency': {}}}",
        "{'a': {'latency': {'value': '3'}}}",
        "{'a': {'latency': {'value': 1}}, 'b': null}",
        "{'a': {'latency': {'value': 1}, 'more': {'value': null}}}",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused("bmf", texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_with_its_bounds),
        cmocka_unit_test(other_measures_are_left_out),
        cmocka_unit_test(one_bound_alone_is_kept_as_it_is),
        cmocka_unit_test(a_failed_one_is_left_out),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
