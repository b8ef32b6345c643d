#include "tests/unit/web/nights.h"

#include <math.h>

#include "web/chart/chart.h"
#include "web/chart/history.h"
#include "web/layout/text.h"

static web_night *night_at(web_history *h, guint i) {
    return &g_array_index(h->nights, web_night, i);
}

static web_history *history_of(json_t *json, const char *until, const char *leaf, unsigned limit) {
    g_autoptr(GError) error = NULL;
    web_history *h = web_history_new(json, until, leaf, limit, &error);
    assert_null(error);
    json_decref(json);
    return h;
}

static void nights_come_out_oldest_first_and_limited(void **state) {
    (void)state;
    g_autoptr(web_history) h = history_of(nights(40), "2013-01-31", NULL, 10);
    assert_int_equal(h->nights->len, 10);
    assert_string_equal(night_at(h, 0)->date, "2013-01-22");
    assert_string_equal(night_at(h, 9)->date, "2013-01-31");
    assert_true(g_date_valid(&night_at(h, 9)->day));
    assert_int_equal(h->portions->len, 4);
    assert_string_equal(g_array_index(h->portions, web_portion, 1).name, "I");
    assert_string_equal(g_array_index(h->portions, web_portion, 1).label, "instrumentation");
}

static void what_is_no_night_is_refused(void **state) {
    (void)state;
    json_t *const bad[] = {json_object(), json_string("x"), json_pack("[s]", "night"),
                           json_pack("[{}, i]", 3)};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(web_history_new(bad[i], NULL, NULL, 0, &error));
        assert_true(g_error_matches(error, WEB_CHART_ERROR, WEB_CHART_ERROR_INPUT));
        json_decref(bad[i]);
    }
}

static void damaged_numbers_are_absent(void **state) {
    (void)state;
    static const char *const values[] = {"null", "\"1\"", "1e300", "-1e300", "[1]", "true"};
    for (size_t i = 0; i < G_N_ELEMENTS(values); i++) {
        json_t *json = nights(1);
        json_t *value = json_loads(values[i], JSON_DECODE_ANY, NULL);
        json_t *portions = json_object_get(json_array_get(json, 0), "portions");
        json_object_set_new(json_array_get(portions, 2), "mean_ns", value);
        g_autoptr(web_history) h = history_of(json, NULL, NULL, 0);
        assert_false(night_at(h, 0)->values[WEB_OF_MEAN][2].present);
        assert_true(night_at(h, 0)->values[WEB_OF_MEAN][3].present);
    }
}

/* The third night told it, the second was the first of the new level. */
static void a_change_stands_where_its_level_began(void **state) {
    (void)state;
    json_t *json = nights(3); /* newest first */
    json_t *told = json_array_get(json_object_get(json_array_get(json, 0), "portions"), 2);
    json_object_set_new(told, "verdict", json_string("anomaly"));
    json_object_set_new(told, "direction", json_string("up"));
    json_object_set(told, "since", json_object_get(json_array_get(json, 1), "night"));
    json_object_set_new(json_array_get(json, 1), "began",
                        json_pack("[{s:O,s:s},{s:s,s:s},i]", "configuration",
                                  json_object_get(told, "configuration"), "direction", "up",
                                  "configuration", "no such one", "direction", "up", 7));
    g_autoptr(web_history) h = history_of(json, NULL, NULL, 0);
    static const web_verdict wanted[] = {WEB_VERDICT_OK, WEB_VERDICT_ANOMALY, WEB_VERDICT_OK};
    for (guint i = 0; i < 3; i++)
        for (int of = WEB_OF_MEAN; of <= WEB_OF_MEDIAN; of++) {
            assert_int_equal(night_at(h, i)->values[of][2].verdict, wanted[i]);
            assert_int_equal(night_at(h, i)->values[of][2].direction, i == 1);
        }
}

/* A night without its writer: what is below it is drawn, as high as it is. */
static void a_missing_end_of_the_chain_leaves_the_rest(void **state) {
    (void)state;
    json_t *json = nights(1), *night = json_array_get(json, 0);
    json_t *portions = json_object_get(night, "portions");
    json_object_set_new(json_array_get(portions, 3), "mean_ns", json_null());
    json_object_set_new(night, "total", json_null());
    g_autoptr(web_history) h = history_of(json, NULL, NULL, 0);
    const web_value *values = night_at(h, 0)->values[WEB_OF_MEAN];
    assert_int_equal(h->portions->len, 3);
    assert_true(night_at(h, 0)->total[WEB_OF_MEAN].present);
    double sum = values[0].mean_ns + values[1].mean_ns + values[2].mean_ns;
    assert_true(fabs(night_at(h, 0)->total[WEB_OF_MEAN].mean_ns - sum) < 1);
}

static void an_interval_that_excludes_its_mean_is_dropped(void **state) {
    (void)state;
    json_t *json = nights(1);
    json_t *p = json_array_get(json_object_get(json_array_get(json, 0), "portions"), 0);
    json_object_set_new(p, "low_ns", json_real(90));
    json_object_set_new(p, "high_ns", json_null());
    g_autoptr(web_history) h = history_of(json, NULL, NULL, 0);
    assert_true(night_at(h, 0)->values[WEB_OF_MEAN][0].low_ns == 70);
    assert_true(night_at(h, 0)->values[WEB_OF_MEAN][0].high_ns == 70);
}

/* Forty writers under one collecting run: the first is stacked, any other can be chosen. */
static void one_chain_of_a_tree_is_stacked(void **state) {
    (void)state;
    for (int chosen = 0; chosen < 2; chosen++) {
        json_t *json = nights(1);
        json_t *portions = json_object_get(json_array_get(json, 0), "portions");
        for (int i = 0; i < 40; i++) {
            char name[16];
            snprintf(name, sizeof name, "writer%d", i);
            json_array_append_new(portions, portion("W", name, "collecting", 100 + i, "ok", NULL));
        }
        g_autoptr(web_history) h = history_of(json, NULL, chosen ? "writer7" : NULL, 0);
        assert_int_equal(h->portions->len, 4);
        assert_true(night_at(h, 0)->values[WEB_OF_MEAN][3].mean_ns == (chosen ? 107 : 2650));
        assert_true(night_at(h, 0)->total[WEB_OF_MEAN].mean_ns ==
                    70 + 200 + 830 + (chosen ? 107 : 2650));
    }
}

static void a_circle_of_parents_ends(void **state) {
    (void)state;
    json_t *json = json_array();
    json_t *one = bare_night(0, "measured");
    json_t *portions = json_object_get(one, "portions");
    json_array_append_new(portions, portion("A", "a", "b", 1, "ok", NULL));
    json_array_append_new(portions, portion("B", "b", "a", 1, "ok", NULL));
    json_array_append_new(json, one);
    g_autoptr(web_history) h = history_of(json, NULL, "a", 0);
    assert_int_equal(h->portions->len, 2 + 2); /* seen twice: by name, then by configuration */
}

static void texts_are_made_harmless(void **state) {
    (void)state;
    static const struct {
        const char *in, *out;
    } cases[] = {
        {NULL, ""},
        {"", ""},
        {"plain", "plain"},
        {"two\nlines\tand\x01", "two lines and "},
        {"\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xe2\x80\xaetxt.exe", "txt.exe"}, /* right-to-left override */
        {"إصلاح", "إصلاح"},
        {"🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮", "🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮🐮…"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *out = web_text_clean(cases[i].in, 14);
        assert_string_equal(out, cases[i].out);
        assert_true(g_utf8_validate(out, -1, NULL));
    }
}

static void states_and_verdicts_are_read(void **state) {
    (void)state;
    json_t *json = nights(1);
    mark(json_array_get(json, 0), 1, "down");
    json_array_append_new(json, bare_night(7, "failed"));
    json_array_append_new(json, bare_night(8, "quarantined"));
    g_autoptr(web_history) h = history_of(json, NULL, NULL, 0);
    assert_int_equal(night_at(h, 0)->values[WEB_OF_MEAN][1].verdict, WEB_VERDICT_ANOMALY);
    assert_int_equal(night_at(h, 0)->values[WEB_OF_MEAN][1].direction, -1);
    assert_int_equal(night_at(h, 1)->state, WEB_NIGHT_FAILED);
    assert_int_equal(night_at(h, 2)->state, WEB_NIGHT_QUARANTINED);
    assert_false(night_at(h, 2)->total[WEB_OF_MEAN].present);
}

static void a_date_is_a_date_or_none(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool valid;
    } cases[] = {{"2013-03-07", true},
                 {"2012-02-29", true},
                 {"2013-02-29", false},
                 {"2013-13-01", false},
                 {"0000-01-01", false},
                 {"2013-3-7", false},
                 {"2013-03-0", false},
                 {"20-13-03-7", false},
                 {"2013-03--1", false},
                 {"release 9", false},
                 {"", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *json = nights(1);
        json_object_set_new(json_array_get(json, 0), "night", json_string(cases[i].text));
        g_autoptr(web_history) h = history_of(json, NULL, NULL, 0);
        assert_int_equal(g_date_valid(&night_at(h, 0)->day), cases[i].valid);
        assert_string_equal(night_at(h, 0)->date, cases[i].text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nights_come_out_oldest_first_and_limited),
        cmocka_unit_test(what_is_no_night_is_refused),
        cmocka_unit_test(damaged_numbers_are_absent),
        cmocka_unit_test(a_change_stands_where_its_level_began),
        cmocka_unit_test(a_missing_end_of_the_chain_leaves_the_rest),
        cmocka_unit_test(an_interval_that_excludes_its_mean_is_dropped),
        cmocka_unit_test(one_chain_of_a_tree_is_stacked),
        cmocka_unit_test(a_circle_of_parents_ends),
        cmocka_unit_test(texts_are_made_harmless),
        cmocka_unit_test(a_date_is_a_date_or_none),
        cmocka_unit_test(states_and_verdicts_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
