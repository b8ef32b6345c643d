#include "tests/unit/web/drawn.h"

#include "web/layout/layout.h"

/* Nights whose T is 1, 2, … n, oldest first, in one column. */
static web__values merged(int n, web_history **h, GArray **columns) {
    json_t *json = json_array();
    for (int day = 0; day < n; day++)
        json_array_append_new(json, night(day, day + 1, 10, 20, 30));
    *h = web_history_new(json, NULL, NULL, 0, NULL);
    json_decref(json);
    web__column one = {.first = 0, .count = (guint)n};
    *columns = g_array_new(FALSE, TRUE, sizeof one);
    g_array_append_val(*columns, one);
    return web__values_make(*h, WEB_OF_MEAN, *columns);
}

static void one_night_is_itself(void **state) {
    (void)state;
    web_history *h;
    GArray *columns;
    web__values m = merged(1, &h, &columns);
    const web_value *t = web__value_at(&m, 0, 0);
    assert_true(t->mean_ns == 1 && t->low_ns == 0.95 && t->high_ns == 1.05);
    assert_true(web__total_at(&m, 0)->mean_ns == 61);
    g_free(m.values);
    g_array_unref(columns);
    web_history_free(h);
}

static void several_nights_are_their_median_and_range(void **state) {
    (void)state;
    static const struct {
        int nights;
        double median;
    } cases[] = {{2, 1.5}, {3, 2}, {64, 32.5}, {65, 33}, {201, 101}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        web_history *h;
        GArray *columns;
        web__values m = merged(cases[i].nights, &h, &columns);
        const web_value *t = web__value_at(&m, 0, 0);
        assert_true(t->present && t->mean_ns == cases[i].median);
        assert_true(t->low_ns == 1 && t->high_ns == cases[i].nights);
        g_free(m.values);
        g_array_unref(columns);
        web_history_free(h);
    }
}

static void failed_nights_do_not_count(void **state) {
    (void)state;
    json_t *json = json_pack("[o, o, o]", bare_night(2, "failed"), night(1, 5, 1, 1, 1),
                             bare_night(0, "quarantined"));
    json_array_append_new(json_object_get(json_array_get(json, 0), "portions"),
                          portion("T", "none", NULL, 900, "ok", NULL));
    web_history *h = web_history_new(json, NULL, NULL, 0, NULL);
    json_decref(json);
    GArray *columns = g_array_new(FALSE, TRUE, sizeof(web__column));
    web__column all = {.first = 0, .count = 3}, lost = {.first = 2, .count = 1};
    g_array_append_val(columns, all);
    g_array_append_val(columns, lost);
    web__values m = web__values_make(h, WEB_OF_MEAN, columns);
    assert_true(web__value_at(&m, 0, 0)->mean_ns == 5 && web__value_at(&m, 0, 0)->high_ns == 5);
    assert_false(web__value_at(&m, 1, 0)->present);
    g_free(m.values);
    g_array_unref(columns);
    web_history_free(h);
}

static void an_anomaly_outlives_merging(void **state) {
    (void)state;
    json_t *json = nights(9);
    mark(json_array_get(json, 4), 2, "down");
    set_verdict(json_array_get(json, 5), 1, "suspect");
    web_history *h = web_history_new(json, NULL, NULL, 0, NULL);
    json_decref(json);
    GArray *columns = g_array_new(FALSE, TRUE, sizeof(web__column));
    web__column all = {.first = 0, .count = 9};
    g_array_append_val(columns, all);
    web__values m = web__values_make(h, WEB_OF_MEAN, columns);
    assert_int_equal(web__value_at(&m, 0, 2)->verdict, WEB_VERDICT_ANOMALY);
    assert_int_equal(web__value_at(&m, 0, 2)->direction, -1);
    assert_int_equal(web__value_at(&m, 0, 1)->verdict, WEB_VERDICT_OK);
    g_free(m.values);
    g_array_unref(columns);
    web_history_free(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_night_is_itself),
        cmocka_unit_test(several_nights_are_their_median_and_range),
        cmocka_unit_test(failed_nights_do_not_count),
        cmocka_unit_test(an_anomaly_outlives_merging),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
