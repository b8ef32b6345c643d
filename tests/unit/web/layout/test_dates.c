#include "web/layout/dates.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/web/drawn.h"

static void a_year_is_said_only_where_it_is_needed(void **state) {
    (void)state;
    web_night one = {.date = (char[]){"2013-03-07"}};
    g_date_clear(&one.day, 1);
    g_autofree char *undated = night_label(&one, false);
    assert_string_equal(undated, "2013-03-07");
    g_date_set_dmy(&one.day, 7, G_DATE_MARCH, 2013);
    g_autofree char *brief = night_label(&one, false), *full = night_label(&one, true);
    assert_string_equal(brief, "7 Mar");
    assert_string_equal(full, "2013-03-07");
}

static guint dates(const web_layout *l, bool slanted) {
    guint n = 0;
    for (guint i = 0; i < l->labels->len; i++) {
        const web_label *label = AT(l->labels, web_label, i);
        n += label->role == WEB_LABEL_DATE && (label->angle != 0) == slanted;
    }
    return n;
}

/* Flat with the commit below, then slanted with it, then thinned out without. */
static void dates_make_way_for_each_other(void **state) {
    (void)state;
    static const struct {
        int nights, width, height;
        bool slanted, commits;
        guint least, most;
    } cases[] = {{8, 900, 380, false, true, 8, 8},      {30, 900, 380, true, false, 30, 30},
                 {30, 900, 240, false, false, 3, 29},   {365, 900, 380, false, false, 3, 30},
                 {3650, 900, 380, false, false, 3, 30}, {2, 240, 200, false, true, 1, 2}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        drawn d = lay(nights(cases[i].nights),
                      (web_chart_options){.width = cases[i].width, .height = cases[i].height});
        guint n = dates(d.layout, cases[i].slanted);
        assert_in_range(n, cases[i].least, cases[i].most);
        assert_int_equal(dates(d.layout, !cases[i].slanted), 0);
        assert_int_equal(find_label(d.layout, WEB_LABEL_COMMIT, NULL) != NULL, cases[i].commits);
        check_no_collision(d.layout);
        release(&d);
    }
}

/* One commit in all nights is none that a date could be told by. */
static void the_only_commit_is_not_named(void **state) {
    (void)state;
    json_t *json = nights(8);
    size_t i;
    json_t *night;
    json_array_foreach (json, i, night)
        json_object_set_new(json_object_get(night, "commit"), "short", json_string("c0ffee"));
    drawn d = lay(json, (web_chart_options){.width = 900, .height = 380});
    assert_null(find_label(d.layout, WEB_LABEL_COMMIT, NULL));
    assert_int_equal(dates(d.layout, false), 8);
    release(&d);
}

static void what_is_no_date_is_shown_as_it_is(void **state) {
    (void)state;
    json_t *json = nights(3);
    json_object_set_new(json_array_get(json, 0), "night", json_string("someday"));
    drawn d = lay(json, (web_chart_options){0});
    assert_non_null(find_label(d.layout, WEB_LABEL_DATE, "someday"));
    check_sane(d.layout);
    release(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_year_is_said_only_where_it_is_needed),
        cmocka_unit_test(dates_make_way_for_each_other),
        cmocka_unit_test(the_only_commit_is_not_named),
        cmocka_unit_test(what_is_no_date_is_shown_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
