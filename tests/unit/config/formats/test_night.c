/* Values of a night: means of loops, what is no time of a call, names that are there twice. */
#include "tests/unit/config/formats/reader.h"

static void the_mean_is_of_the_loops(void **state) {
    (void)state;
    g_autoptr(GPtrArray) nights = g_ptr_array_new_with_free_func(fmt_night_free);
    fmt_night *night = fmt_night_new(nights, "x");
    fmt_value *value = fmt_night_value(night, "a", NULL);
    const double numbers[] = {1, 3, 8};
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        if (i != 1)
            fmt_value_loop(value);
        fmt_value_add(value, numbers[i]);
    }
    fmt_value_loop(value); /* which stays empty */
    fmt_value_add(fmt_night_value(night, "b", NULL), 4);
    fmt_value_add(fmt_night_value(night, "b", NULL), 6);
    assert_true(fmt_night_end(night, NULL));
    assert_int_equal(value->loops->len, 2);
    assert_true(value->mean_ns == 5 && value->low_ns < 5 && value->high_ns > 5);
    expect_mean(value_at(night, 1), "b", 5, NAN, NAN);
    assert_true(fmt_night_value(night, "a", NULL) == value);
}

static void what_is_no_time_is_left_out(void **state) {
    (void)state;
    static const struct {
        double mean;
        const char *why;
    } cases[] = {{NAN, "not a number"}, {INFINITY, "not a number"}, {-1, "negative"}, {0, "is 0"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GPtrArray) nights = g_ptr_array_new_with_free_func(fmt_night_free);
        fmt_night *night = fmt_night_new(nights, "x");
        fmt_night_value(night, "a", NULL)->mean_ns = cases[i].mean;
        assert_true(fmt_night_end(night, NULL));
        expect_values(night, 0, 1);
        expect_left(night, 0, "a", cases[i].why);
    }
}

static void equal_names_are_told_apart_or_refused(void **state) {
    (void)state;
    static const char *const parts[][2] = {{"1", "2"}, {"1", NULL}, {NULL, NULL}};
    for (size_t i = 0; i < 2; i++) {
        g_autoptr(GPtrArray) nights = g_ptr_array_new_with_free_func(fmt_night_free);
        fmt_night *night = fmt_night_new(nights, "x");
        fmt_night_value(night, "a", parts[i][0])->mean_ns = 1;
        fmt_night_value(night, "a", parts[i][1])->mean_ns = 2;
        assert_true(fmt_night_end(night, NULL));
        assert_string_equal(value_at(night, 0)->name, "a [1]");
        assert_string_equal(value_at(night, 1)->name, i ? "a" : "a [2]");
    }
    g_autoptr(GPtrArray) nights = g_ptr_array_new_with_free_func(fmt_night_free);
    fmt_night *night = fmt_night_new(nights, "x");
    g_autoptr(GError) error = NULL;
    fmt_night_value(night, "a [1]", "x")->mean_ns = 1;
    fmt_night_value(night, "a", "1")->mean_ns = 2;
    fmt_night_value(night, "a", "2")->mean_ns = 3;
    fmt_night_value(night, "a [1]", "x]")->mean_ns = 4;
    (void)fmt_night_end(night, &error);
    fmt_night_note(night, "once");
    fmt_night_note(night, "once");
    assert_int_equal(night->notes->len, 1);
}

static void a_time_without_a_zone_is_utc(void **state) {
    (void)state;
    assert_true(fmt_time_ms("2024-03-05T12:00:00") == INT64_C(1709640000000));
    assert_true(fmt_time_ms("2024-03-05T12:00:00+02:00") == INT64_C(1709632800000));
    assert_true(fmt_time_ms("yesterday") == -1 && fmt_time_ms(NULL) == -1);
}

/* Once each, and not without end. */
static void what_stands_beside_the_times(void **state) {
    (void)state;
    g_autoptr(GPtrArray) nights = g_ptr_array_new_with_free_func(fmt_night_free);
    fmt_night *night = fmt_night_new(nights, "x");
    for (char name[] = "a"; *name <= 'l'; (*name)++) {
        fmt_night_unread(night, name);
        fmt_night_unread(night, name);
    }
    assert_true(fmt_night_end(night, NULL));
    expect_note(night, "beside the times, not read: a, b, c, d, e, f, g, h, i, j and 2 more");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_beside_the_times),
        cmocka_unit_test(the_mean_is_of_the_loops),
        cmocka_unit_test(what_is_no_time_is_left_out),
        cmocka_unit_test(equal_names_are_told_apart_or_refused),
        cmocka_unit_test(a_time_without_a_zone_is_utc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
