#include "tests/unit/web/drawn.h"

static guint entries(const web_layout *l, const char *text) {
    guint n = 0;
    for (guint i = 0; i < l->labels->len; i++) {
        const web_label *label = AT(l->labels, web_label, i);
        n += label->role == WEB_LABEL_LEGEND && strcmp(label->text, text) == 0;
    }
    return n;
}

/* Ten nights with every mark there is, twice where it can be. */
static json_t *everything(void) {
    json_t *json = nights(20);
    for (size_t i = 0; i < 2; i++) {
        mark(json_array_get(json, i), 1, "up");
        set_verdict(json_array_get(json, 2 + i), 2, "suspect");
        set_verdict(json_array_get(json, 4 + i), 3, "cleared"); /* no mark any more */
        json_object_set_new(json_array_get(json, 6 + i), "environment_changed", json_true());
        json_object_set_new(json_array_get(json, 8 + i), "accepted", json_true());
        json_object_set_new(json_array_get(json, 10 + i), "release", json_string("v1"));
        json_array_set_new(json, 12 + i, bare_night(7 - (int)i, "failed"));
        json_array_set_new(json, 14 + i, bare_night(5 - (int)i, "quarantined"));
    }
    json_array_remove(json, 17);
    return json;
}

static const char *const MARKS[] = {
    "anomaly", "to be measured again", "environment changed", "change accepted", "release",
    "failed",  "quarantined",          "not measured"};

static void each_mark_is_told_once(void **state) {
    (void)state;
    drawn d = lay(everything(), (web_chart_options){.title = "Kieker"});
    static const char *const portions[] = {"T method time", "I instrumentation", "C collection",
                                           "W writing"};
    for (size_t i = 0; i < G_N_ELEMENTS(portions); i++)
        assert_int_equal(entries(d.layout, portions[i]), 1);
    for (size_t i = 0; i < G_N_ELEMENTS(MARKS); i++)
        assert_int_equal(entries(d.layout, MARKS[i]), 1);
    assert_int_equal(d.layout->swatches->len, 4 + G_N_ELEMENTS(MARKS));
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

static void what_is_not_drawn_is_not_told(void **state) {
    (void)state;
    drawn d = lay(nights(10), (web_chart_options){0});
    for (size_t i = 0; i < G_N_ELEMENTS(MARKS); i++)
        assert_int_equal(entries(d.layout, MARKS[i]), 0);
    assert_int_equal(d.layout->swatches->len, 4);
    release(&d);
}

/* On a phone the letters are enough: the page spells them out below. */
static void a_narrow_chart_uses_letters(void **state) {
    (void)state;
    drawn d = lay(everything(), (web_chart_options){.width = 360, .height = 320});
    assert_int_equal(entries(d.layout, "T"), 1);
    assert_int_equal(entries(d.layout, "not measured"), 1);
    assert_int_equal(entries(d.layout, "environment"), 1);
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

/* Of a kept history only what the window holds is told. */
static void a_window_tells_only_its_own(void **state) {
    (void)state;
    json_t *json = nights(10);
    json_array_append_new(json_object_get(json_array_get(json, 9), "portions"),
                          portion("R", "reconstructing", "writing", 20, "ok", NULL));
    web_history *all = web_history_new(json, NULL, NULL, 0, NULL);
    json_decref(json);
    assert_int_equal(all->portions->len, 5);
    static const struct {
        const char *until;
        unsigned limit;
        guint nights, entries;
    } cases[] = {{NULL, 0, 10, 5},        {NULL, 3, 3, 4},         {"2013-01-03", 0, 3, 5},
                 {"2013-01-03", 2, 2, 4}, {"2012-12-31", 5, 0, 0}, {"2013-01-05", 100, 5, 5}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        web_history *h = web_history_window(all, cases[i].until, cases[i].limit);
        assert_int_equal(h->nights->len, cases[i].nights);
        web_layout *l = web_layout_new(h, NULL);
        assert_int_equal(l->swatches->len, cases[i].entries);
        web_layout_free(l);
        web_history_free(h);
    }
    web_history_free(all);
}

/* The note under the title, of nights at the one level and at the other. */
static char *note(double first, double second) {
    json_t *json = nights(2);
    json_object_set_new(json_array_get(json, 0), "level", json_real(first));
    json_object_set_new(json_array_get(json, 1), "level", json_real(second));
    drawn d = lay(json, (web_chart_options){0});
    char *text = g_strdup(find_label(d.layout, WEB_LABEL_NOTE, NULL)->text);
    release(&d);
    return text;
}

static void the_level_is_that_of_the_nights(void **state) {
    (void)state;
    g_autofree char *same = note(0.99, 0.99), *other = note(0.99, 0.95);
    assert_non_null(strstr(same, " and its 99 % interval, 2013"));
    assert_non_null(strstr(other, " and its interval, 2013"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mark_is_told_once),
        cmocka_unit_test(what_is_not_drawn_is_not_told),
        cmocka_unit_test(a_narrow_chart_uses_letters),
        cmocka_unit_test(a_window_tells_only_its_own),
        cmocka_unit_test(the_level_is_that_of_the_nights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
