/* Nights as columns: the same values, none with digits that its interval makes noise. */
#include "server/views/views_nights.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "tests/unit/nights_of.h"
#include "tests/unit/server/fixture.h"

#include <math.h>

#include "config/json_text.h"

#include "server/ground/error.h"
#include "server/views/views.h"

static const double level[4] = {70, 270, 1400, 3000};
static const double faster[4] = {70, 150, 1280, 2880};
static const double machine[4] = {140, 300, 2560, 5760};

static const json_t *value_at(const json_t *one, const char *key, size_t at) {
    return json_array_get(json_object_get(one, key), at);
}

/* Nights, each a piece of its own, made into columns. */
static json_t *columns_of(char *text, const char *next) {
    json_auto_t *json = json_loads(g_strdelimit(text, "'", '"'), 0, NULL);
    g_auto(model_list) nights = nights_of(json);
    night_columns *columns = columns_new();
    const cfg_night *all = nights.items;
    assert_non_null(json);
    for (unsigned i = 0; i < nights.count; i++)
        columns_add(columns, &all[i], 1);
    return columns_end(columns, next);
}

static void numbers_have_three_digits_of_their_half_width(void **state) {
    (void)state;
    static const struct {
        const char *mean, *low, *high; /* as they come */
        const char *is, *below, *above;
    } cases[] = {
        {"351.0089", "341.5234", "360.4944", "351.01", "9.49", "null"},
        {"2052.94", "1973.267", "2132.613", "2052.9", "79.7", "null"},
        {"1234567", "1210000", "1259134", "1234600", "24600", "null"},
        {"100.1234", "99.01234", "104.5678", "100.12", "1.11", "4.448"},
        {"70.12345", "70.12345", "70.12345", "70.12345", "0", "null"},
        {"70.12345", "null", "null", "70.12345", "null", "null"},
        {"-12.34567", "-15.34567", "-9.34567", "-12.346", "3", "null"},
        {"null", "null", "null", "null", "null", "null"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *nights = g_strdup_printf(
            "[{'experiment': 1, 'total': null, 'portions': [{'portion': 'T', 'configuration': "
            "'none', 'parent': null, 'mean_ns': %s, 'low_ns': %s, 'high_ns': %s, 'judged': null,"
            " 'verdict': 'ok', 'direction': null, 'reference': null}]}]",
            cases[i].mean, cases[i].low, cases[i].high);
        json_t *page = columns_of(nights, NULL);
        const json_t *one = json_array_get(json_object_get(page, "columns"), 0);
        const char *const keys[] = {"mean_ns", "below_ns", "above_ns"};
        const char *const want[] = {cases[i].is, cases[i].below, cases[i].above};
        for (size_t k = 0; k < G_N_ELEMENTS(keys); k++) {
            g_autofree char *text =
                cfg_json_text(value_at(one, keys[k], 0), JSON_ENCODE_ANY | JSON_COMPACT);
            assert_string_equal(text, want[k]);
        }
        json_decref(page);
    }
}

/* Of a value and its half width: the text of the mean that goes out. */
static char *shown_of(double value, double half) {
    g_autofree char *nights = g_strdup_printf(
        "[{'portions': [], 'total': {'mean_ns': %.17g, 'low_ns': %.17g, 'high_ns': %.17g}}]", value,
        value - half, value + half);
    json_auto_t *page = columns_of(nights, NULL);
    return cfg_json_text(value_at(json_object_get(page, "total"), "mean_ns", 0),
                         JSON_ENCODE_ANY | JSON_COMPACT);
}

/* 1244.66 is 1.24 thousand, not 1.25 by way of 1245: whoever shows fewer digits comes to what he
 * would have come to from the whole value. */
static void what_is_shown_shorter_is_not_rounded_twice(void **state) {
    (void)state;
    g_autofree char *issue = shown_of(1244.66, 300);
    assert_string_equal(issue, "1244.7");
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    for (unsigned i = 0; i < 20000; i++) {
        const double value = g_rand_double_range(random, 100, 9999);
        const double half = value * pow(10, g_rand_double_range(random, -3, -0.3));
        g_autofree char *text = shown_of(value, half);
        const double shown = g_ascii_strtod(text, NULL);
        for (int power = (int)floor(log10(half)) - 1; power <= 2; power++) {
            const double unit = pow(10, power);
            if (round(shown / unit) != round(value / unit))
                fail_msg("%.9g went out as %s, which is another multiple of %g", value, text, unit);
        }
    }
}

static void nights_without_a_portion_have_a_zero(void **state) {
    (void)state;
    g_autofree char *nights = g_strdup(
        "[{'portions': [], 'total': {'mean_ns': 5, 'low_ns': 4, 'high_ns': 6}},"
        " {'portions': [{'portion': 'T', 'configuration': 'a', 'parent': null, 'mean_ns': 5,"
        " 'verdict': 'anomaly', 'direction': 'up', 'reason': 'it rose', 'since': '2024-01-01'}],"
        " 'total': null}, {'portions': [], 'total': null}]");
    json_t *columns = columns_of(nights, "x");
    const json_t *one = json_array_get(json_object_get(columns, "columns"), 0);
    assert_string_equal(text_of(one, "nights"), "01");
    assert_string_equal(text_of(json_object_get(columns, "total"), "nights"), "1");
    assert_string_equal(text_of(columns, "next"), "x");
    const json_t *told = json_object_get(json_object_get(one, "told"), "0");
    assert_string_equal(text_of(told, "reason"), "it rose");
    assert_string_equal(text_of(told, "since"), "2024-01-01");
    assert_null(json_object_get(json_array_get(json_object_get(columns, "items"), 1), "portions"));
    json_decref(columns);
}

static double known(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static double column_number(const json_t *one, const char *key, size_t at) {
    return json_number_value(value_at(one, key, at));
}

/* Off by at most a fiftieth of the half width. */
static void near(double is, double should, const json_t *interval) {
    const double half = (known(interval, "high_ns") - known(interval, "low_ns")) / 2;
    if (fabs(is - should) > half / 50 + 1e-9 * fabs(should))
        fail_msg("%.17g is not %.17g, half width %g", is, should, half);
}

static void same_portion(const json_t *one, size_t at, const json_t *portion) {
    const double mean = column_number(one, "mean_ns", at);
    const json_t *above = value_at(one, "above_ns", at);
    const double below = column_number(one, "below_ns", at);
    near(mean, known(portion, "mean_ns"), portion);
    near(mean - below, known(portion, "low_ns"), portion);
    near(mean + (json_is_null(above) ? below : json_number_value(above)), known(portion, "high_ns"),
         portion);
    const json_t *reference = json_object_get(portion, "reference");
    const double low = column_number(one, "reference_low_ns", at);
    near(low, known(reference, "low_ns"), reference);
    near(low + column_number(one, "reference_width_ns", at), known(reference, "high_ns"),
         reference);
    assert_true(json_equal(value_at(one, "verdict", at), json_object_get(portion, "verdict")));
    assert_true(json_equal(value_at(one, "direction", at), json_object_get(portion, "direction")));
    g_autofree char *place = g_strdup_printf("%zu", at);
    const json_t *told = json_object_get(json_object_get(one, "told"), place);
    static const char *const few[] = {"reason", "rule", "standing", "words"};
    for (size_t i = 0; i < G_N_ELEMENTS(few); i++)
        assert_string_equal(cfg_json_word(told, few[i], ""), cfg_json_word(portion, few[i], ""));
}

/* Nights and totals as in brief, and every portion where its night is. */
static void columns_say_what_brief_nights_say(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 7, faster);
    fix_nights(fix, "kieker", 8, 8, machine);
    const srv_page page = {8, NULL};
    json_t *brief = srv_view_nights_brief(fix->store, "kieker", (srv_dates){0}, page, NULL);
    json_t *view = srv_view_nights_columns(fix->store, "kieker", (srv_dates){0}, page, NULL);
    const json_t *columns = json_object_get(view, "columns"), *night;
    assert_int_equal(json_array_size(columns), 4);
    size_t i;
    json_array_foreach (json_object_get(brief, "items"), i, night) {
        const json_t *head = json_array_get(json_object_get(view, "items"), i);
        assert_string_equal(text_of(head, "headline"), text_of(night, "headline"));
        assert_null(json_object_get(head, "total"));
        near(column_number(json_object_get(view, "total"), "mean_ns", i),
             known(json_object_get(night, "total"), "mean_ns"), json_object_get(night, "total"));
        for (size_t k = 0; k < 4; k++)
            same_portion(json_array_get(columns, k), i,
                         json_array_get(json_object_get(night, "portions"), k));
    }
    json_decref(brief);
    json_decref(view);
}

static void a_project_that_is_not_there_is_an_error(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    assert_null(
        srv_view_nights_columns(fix->store, "nobody", (srv_dates){0}, (srv_page){0}, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_NOT_FOUND));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_three_digits_of_their_half_width),
        cmocka_unit_test(what_is_shown_shorter_is_not_rounded_twice),
        cmocka_unit_test(nights_without_a_portion_have_a_zero),
        FIX_TEST(columns_say_what_brief_nights_say),
        FIX_TEST(a_project_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
