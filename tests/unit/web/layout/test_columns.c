#include "tests/unit/web/drawn.h"

#include "web/layout/layout.h"

static GArray *columns_of(json_t *json, double width, web_layout *l, web_history **h) {
    *h = web_history_new(json, NULL, NULL, 0, NULL);
    json_decref(json);
    l->plot = (web_box){60, 0, width, 100};
    return web__columns_new(*h, l);
}

static void nights_fill_the_plot_from_left_to_right(void **state) {
    (void)state;
    web_layout l = {0};
    web_history *h;
    GArray *columns = columns_of(nights(10), 500, &l, &h);
    assert_int_equal(columns->len, 10);
    assert_true(l.column_width == 50 && l.nights_per_column == 1);
    for (guint i = 0; i < 10; i++) {
        const web__column *c = AT(columns, web__column, i);
        assert_int_equal(c->first, i);
        assert_int_equal(c->count, 1);
        assert_true(fabs(c->x - 60 - 50 * i) < EPSILON);
    }
    g_array_unref(columns);
    web_history_free(h);
}

static void short_gaps_are_days_long_ones_a_column(void **state) {
    (void)state;
    static const struct {
        int missing;
        guint columns, told;
    } cases[] = {{1, 1, 1}, {3, 3, 1}, {4, 1, 4}, {365, 1, 365}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *json = nights(5);
        for (size_t n = 0; n < 5; n++) /* after the gap */
            json_array_insert_new(json, n, night(5 + cases[i].missing + 4 - (int)n, 1, 1, 1, 1));
        web_layout l = {0};
        web_history *h;
        GArray *columns = columns_of(json, 5000, &l, &h);
        assert_int_equal(columns->len, 10 + cases[i].columns);
        assert_int_equal(AT(columns, web__column, 5)->count, 0);
        assert_int_equal(AT(columns, web__column, 5)->missing, cases[i].told);
        g_array_unref(columns);
        web_history_free(h);
    }
}

/* Only where most nights follow the day before is a day without one a gap. */
static void irregular_dates_have_no_gaps(void **state) {
    (void)state;
    static const struct {
        int days[7]; /* up to the first 0 behind the first */
        guint columns;
    } cases[] = {{{0, 30, 60, 90}, 4},       {{0, 1, 2, 3, 8, 13}, 8},  {{0, 1, 2, 7, 12, 17}, 6},
                 {{0, 5, 6, 11, 12}, 5},     {{0, 5, 10, 11}, 4},       {{0, 9}, 2},
                 {{0, 1, 2, 4, 5, 6, 7}, 8}, {{0, 1, 1, 1, 1, 1, 6}, 8}}; /* several of one date */
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *json = json_array();
        for (size_t n = 0; n < 7 && (n == 0 || cases[i].days[n] > 0); n++)
            json_array_insert_new(json, 0, night(cases[i].days[n], 1, 1, 1, 1));
        web_layout l = {0};
        web_history *h;
        GArray *columns = columns_of(json, 5000, &l, &h);
        if (columns->len != cases[i].columns)
            fail_msg("case %zu: %u columns", i, columns->len);
        g_array_unref(columns);
        web_history_free(h);
    }
}

static void narrow_plots_merge_nights(void **state) {
    (void)state;
    static const struct {
        int nights;
        double width;
        guint each, columns;
    } cases[] = {{100, 300, 1, 100}, {101, 300, 2, 51}, {3650, 824, 14, 261}, {5, 0, 15, 1}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        web_layout l = {0};
        web_history *h;
        GArray *columns = columns_of(nights(cases[i].nights), cases[i].width, &l, &h);
        assert_int_equal(l.nights_per_column, cases[i].each);
        assert_int_equal(columns->len, cases[i].columns);
        guint sum = 0;
        for (guint k = 0; k < columns->len; k++)
            sum += AT(columns, web__column, k)->count;
        assert_int_equal(sum, cases[i].nights);
        g_array_unref(columns);
        web_history_free(h);
    }
}

static void a_long_gap_parts_merged_nights(void **state) {
    (void)state;
    json_t *json = nights(400);
    for (int n = 0; n < 210; n++) /* 100 days later */
        json_array_insert_new(json, (size_t)n, night(499 + 210 - n, 1, 1, 1, 1));
    web_layout l = {0};
    web_history *h;
    GArray *columns = columns_of(json, 300, &l, &h);
    assert_int_equal(l.nights_per_column, 7);
    assert_int_equal(columns->len, 58 + 1 + 30); /* the 58th has one night */
    assert_int_equal(AT(columns, web__column, 57)->count, 1);
    assert_int_equal(AT(columns, web__column, 58)->missing, 100);
    assert_int_equal(AT(columns, web__column, 59)->first, 400);
    g_array_unref(columns);
    web_history_free(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nights_fill_the_plot_from_left_to_right),
        cmocka_unit_test(short_gaps_are_days_long_ones_a_column),
        cmocka_unit_test(irregular_dates_have_no_gaps),
        cmocka_unit_test(narrow_plots_merge_nights),
        cmocka_unit_test(a_long_gap_parts_merged_nights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
