/* The parts of a night that every reader makes: names are cleaned, what is no number is counted. */
#include "tests/unit/ci/formats/reader.h"

static void a_night_without_anything(void **state) {
    (void)state;
    json_t *night = ci_night_new("x", NULL, -1);
    static const char *const empty[] = {"suite", "night", "time_ms", "commit"};
    for (size_t i = 0; i < G_N_ELEMENTS(empty); i++)
        assert_true(json_is_null(json_object_get(night, empty[i])));
    expect_values(night, 0, 0);
    json_decref(night);
}

static void the_day_is_utc(void **state) {
    (void)state;
    static const struct {
        gint64 ms;
        const char *day;
    } cases[] = {{0, "1970-01-01"},
                 {86399999, "1970-01-01"},
                 {86400000, "1970-01-02"},
                 {951782400000, "2000-02-29"},
                 {-1, NULL},
                 {G_MAXINT64, NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *night = ci_night_new("x", "s", cases[i].ms);
        expect_text(night, "night", cases[i].day);
        assert_true(json_is_null(json_object_get(night, "time_ms")) == !cases[i].day);
        json_decref(night);
    }
}

static void what_is_no_number_is_counted(void **state) {
    (void)state;
    const double loops[] = {1, NAN, 3};
    json_t *night = ci_night_new("x", NULL, -1);
    ci_night_value(night, NULL, 1, NAN, NAN, NULL, 0);
    ci_night_value(night, "a", NAN, 1, 2, NULL, 0);
    ci_night_value(night, "a", INFINITY, 1, 2, NULL, 0);
    ci_night_left_out(night);
    ci_night_value(night, "a", -2, -INFINITY, 2, loops, 3);
    expect_values(night, 1, 4);
    expect_mean(value_at(night, 0), "a", -2, NAN, 2);
    const json_t *list = json_object_get(value_at(night, 0), "loops_ns");
    assert_int_equal(json_array_size(list), 3);
    assert_true(json_is_null(json_array_get(list, 1)));
    json_decref(night);
}

static void names_are_cleaned_and_cut(void **state) {
    (void)state;
    g_autofree char *lengthy = g_strnfill(1000, 'x');
    json_t *night = ci_night_new("x", "su\nite\x1b[2J", -1);
    ci_night_value(night, "a\r\n\tb", 1, NAN, NAN, NULL, 0);
    ci_night_value(night, lengthy, 1, NAN, NAN, NULL, 0);
    assert_null(strpbrk(ci_json_text(night, "suite", ""), "\n\x1b"));
    assert_null(strpbrk(ci_json_text(value_at(night, 0), "name", ""), "\r\n\t"));
    assert_int_equal(g_utf8_strlen(ci_json_text(value_at(night, 1), "name", ""), -1),
                     201); /* and "…" */
    json_decref(night);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_night_without_anything),
        cmocka_unit_test(the_day_is_utc),
        cmocka_unit_test(what_is_no_number_is_counted),
        cmocka_unit_test(names_are_cleaned_and_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
