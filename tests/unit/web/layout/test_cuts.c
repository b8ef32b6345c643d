#include "tests/unit/web/readable.h"
#include "tests/unit/web/real_history.h"

static const int SIZES[][2] = {{390, 320}, {1280, 400}};

static const struct {
    guint first, count, absurd;
    bool cut;
} STRETCHES[] = {
    {546, 30, 0, false}, /* the newest */
    {211, 365, 0, true}, {0, 576, 0, true}, {0, 576, 6, true},  {0, 30, 6, true},
    {0, 365, 6, true},   {0, 8, 2, true},   {320, 30, 0, true},
};

static void a_real_history_is_readable(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(STRETCHES); i++) {
        json_t *json = real_history(STRETCHES[i].first, STRETCHES[i].count, STRETCHES[i].absurd);
        for (unsigned k = 0; k < 2 * G_N_ELEMENTS(SIZES); k++) {
            const web_chart_options o = {.title = "Kieker for Java",
                                         .width = SIZES[k / 2][0],
                                         .height = SIZES[k / 2][1],
                                         .view = k & 1 ? WEB_VIEW_LINES : WEB_VIEW_BARS};
            drawn d = lay(json_incref(json), o);
            check_sane(d.layout);
            check_no_collision(d.layout);
            check_readable(d.layout);
            check_whole(d.layout);
            assert_true(typical_share(&d) >= 0.5);
            assert_int_equal(d.layout->cut_above, STRETCHES[i].cut);
            assert_int_equal(d.layout->cuts->len > 0, STRETCHES[i].cut);
            release(&d);
        }
        json_decref(json);
    }
}

static void the_full_range_cuts_nothing(void **state) {
    (void)state;
    for (int view = WEB_VIEW_BARS; view <= WEB_VIEW_LINES; view++) {
        drawn d = lay(real_history(0, 30, 6),
                      (web_chart_options){.range = WEB_RANGE_FULL, .view = (web_chart_view)view});
        assert_int_equal(d.layout->cuts->len, 0);
        assert_null(find_label(d.layout, WEB_LABEL_CUT, NULL));
        assert_true(typical_share(&d) < 0.01);
        check_sane(d.layout);
        release(&d);
    }
}

/* n nights as usual, of which the oldest k are a hundred times as slow. */
static json_t *with_absurd(int n, int k) {
    json_t *json = json_array();
    for (int day = n - 1; day >= 0; day--)
        json_array_append_new(json, day < k ? night(day, 7000, 20000, 83000, 265000)
                                            : night(day, 70, 200, 830, 2650));
    return json;
}

static void what_is_cut_off_ends_at_the_edge_with_its_value(void **state) {
    (void)state;
    drawn d = lay(with_absurd(40, 1), (web_chart_options){0});
    const web_layout *l = d.layout;
    assert_int_equal(l->cuts->len, 1);
    const web_cut *cut = AT(l->cuts, web_cut, 0);
    double edge = web__y_of(l, l->shown.high_ns);
    assert_true(fabs(cut->edge_y - edge) < EPSILON && cut->y > edge && !cut->below);
    const web_rect *rect = AT(l->rects, web_rect, 0);
    assert_true(fabs(rect->box.y - edge) < EPSILON &&
                fabs(cut->x - rect->box.x - rect->box.width / 2) < EPSILON);
    assert_int_equal(l->rects->len, 1 + 4 * 39); /* I, C and W of that night are all outside */
    assert_int_equal(l->whiskers->len, 39);
    assert_non_null(find_label(l, WEB_LABEL_CUT, "375 µs"));
    assert_non_null(find_label(l, WEB_LABEL_LEGEND, "cut off, with its value"));
    assert_non_null(strstr(l->description, "1 column is cut off: the scale shows 0 ns to "));
    release(&d);
}

static void a_value_beside_its_bar_is_not_written_twice(void **state) {
    (void)state;
    drawn d = lay(with_absurd(8, 1), (web_chart_options){0});
    assert_int_equal(d.layout->cuts->len, 1);
    assert_non_null(find_label(d.layout, WEB_LABEL_VALUE, "375"));
    assert_null(find_label(d.layout, WEB_LABEL_CUT, NULL));
    check_no_collision(d.layout);
    release(&d);
}

static void of_neighbours_the_farthest_has_its_value(void **state) {
    (void)state;
    json_t *json = with_absurd(60, 3);
    json_array_set_new(json, 58, night(1, 7000, 20000, 83000, 900000));
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(d.layout->cuts->len, 3);
    assert_non_null(find_label(d.layout, WEB_LABEL_CUT, "1.01 ms"));
    check_readable(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

static void rings_stand_over_the_value(void **state) {
    (void)state;
    json_t *json = with_absurd(40, 1);
    for (size_t i = 0; i < 4; i++)
        mark(json_array_get(json, 39), i, "up");
    drawn d = lay(json, (web_chart_options){0});
    const web_label *value = find_label(d.layout, WEB_LABEL_CUT, NULL);
    assert_int_equal(d.layout->rings->len, 4);
    for (guint i = 0; i < 4; i++)
        assert_true(AT(d.layout->rings, web_ring, i)->mark_y < value->y - value->size);
    assert_true(typical_share(&d) >= 0.5);
    check_readable(d.layout);
    check_sane(d.layout);
    release(&d);
}

static void below_zero_is_cut_as_well(void **state) {
    (void)state;
    json_t *json = nights(40);
    json_array_set_new(json, 20, night(19, 70, -90000, 830, 2650));
    drawn d = lay(json, (web_chart_options){0});
    assert_true(d.layout->cut_below && !d.layout->cut_above);
    assert_int_equal(d.layout->cuts->len, 1);
    assert_true(AT(d.layout->cuts, web_cut, 0)->below);
    assert_non_null(find_label(d.layout, WEB_LABEL_CUT, NULL));
    assert_true(typical_share(&d) >= 0.5);
    check_sane(d.layout);
    check_no_collision(d.layout);
    check_readable(d.layout);
    release(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_real_history_is_readable),
        cmocka_unit_test(the_full_range_cuts_nothing),
        cmocka_unit_test(what_is_cut_off_ends_at_the_edge_with_its_value),
        cmocka_unit_test(a_value_beside_its_bar_is_not_written_twice),
        cmocka_unit_test(of_neighbours_the_farthest_has_its_value),
        cmocka_unit_test(rings_stand_over_the_value),
        cmocka_unit_test(below_zero_is_cut_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
