#include "tests/unit/web/drawn.h"

static const web_chart_options LINES = {.view = WEB_VIEW_LINES};

static void every_portion_is_a_line_from_zero(void **state) {
    (void)state;
    drawn d = lay(nights(10), LINES);
    assert_int_equal(d.layout->rects->len, 0);
    assert_int_equal(d.layout->points->len, 40);
    static const double means[] = {70, 200, 830, 2650};
    double scale = (d.layout->zero_y - AT(d.layout->points, web_point, 30)->y) / 2650;
    for (guint s = 0; s < 4; s++) {
        const web_point *p = AT(d.layout->points, web_point, s * 10);
        assert_int_equal(p->portion, s);
        assert_true(p->starts && !AT(d.layout->points, web_point, s * 10 + 1)->starts);
        assert_true(fabs(d.layout->zero_y - p->y - means[s] * scale) < EPSILON);
    }
    assert_int_equal(d.layout->whiskers->len, 40);
    assert_null(find_label(d.layout, WEB_LABEL_VALUE, NULL));
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

static void every_line_has_its_letter(void **state) {
    (void)state;
    static const int heights[] = {200, 380, 1200};
    for (size_t k = 0; k < G_N_ELEMENTS(heights); k++) {
        /* T and C end at the same place, I below zero */
        drawn d = lay(json_pack("[o]", night(0, 70, -20, 70, 2650)),
                      (web_chart_options){.view = WEB_VIEW_LINES, .height = heights[k]});
        static const char *const letters[] = {"T", "I", "C", "W"};
        for (size_t i = 0; i < G_N_ELEMENTS(letters); i++) {
            const web_label *label = find_label(d.layout, WEB_LABEL_LINE, letters[i]);
            assert_non_null(label);
            assert_true(label->x >= d.layout->plot.x + d.layout->plot.width);
            assert_true(label->x + label->max_width <= d.layout->width + 2);
            assert_true(label->y >= d.layout->plot.y &&
                        label->y <= d.layout->plot.y + d.layout->plot.height);
        }
        assert_true(find_label(d.layout, WEB_LABEL_LINE, "W")->y <
                    find_label(d.layout, WEB_LABEL_LINE, "T")->y);
        check_no_collision(d.layout);
        release(&d);
    }
}

static void a_gap_interrupts_the_lines(void **state) {
    (void)state;
    json_t *json = nights(10);
    json_array_set_new(json, 4, bare_night(5, "failed"));
    json_array_remove(json, 7);
    drawn d = lay(json, LINES);
    assert_int_equal(d.layout->points->len, 32);
    assert_int_equal(d.layout->gaps->len, 2);
    guint starts = 0;
    for (guint i = 0; i < 8; i++)
        starts += AT(d.layout->points, web_point, i)->starts;
    assert_int_equal(starts, 3);
    check_sane(d.layout);
    release(&d);
}

static void rings_are_small_and_marked(void **state) {
    (void)state;
    json_t *json = nights(10);
    mark(json_array_get(json, 0), 3, "up");
    set_verdict(json_array_get(json, 1), 1, "cleared");
    set_verdict(json_array_get(json, 2), 1, "suspect");
    drawn d = lay(json, LINES);
    assert_int_equal(d.layout->rings->len, 2); /* what was cleared is marked no more */
    static const web_ring_kind kinds[] = {WEB_RING_WATCHED, WEB_RING_ANOMALY};
    for (guint i = 0; i < 2; i++) {
        const web_ring *ring = AT(d.layout->rings, web_ring, i);
        assert_int_equal(ring->kind, kinds[i]);
        assert_true(ring->rx < 10 && ring->mark_y != ring->cy);
        assert_true(ring->mark_y > d.layout->plot.y - 12);
    }
    release(&d);
}

static void many_nights_become_ranges(void **state) {
    (void)state;
    drawn d = lay(nights(3650), LINES);
    assert_true(d.layout->nights_per_column > 1);
    assert_int_equal(d.layout->points->len, d.layout->whiskers->len);
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

static void negative_values_hang_below_zero(void **state) {
    (void)state;
    drawn d =
        lay(json_pack("[o, o]", night(1, 70, 200, -40, 300), night(0, 70, 200, 10, 300)), LINES);
    assert_true(AT(d.layout->points, web_point, 5)->y > d.layout->zero_y);
    check_sane(d.layout);
    release(&d);
}

static void medians_are_drawn_where_they_are_known(void **state) {
    (void)state;
    for (int view = WEB_VIEW_BARS; view <= WEB_VIEW_LINES; view++) {
        json_t *json = nights(5);
        for (size_t i = 0; i < 4; i++)
            add_medians(json_array_get(json, i));
        drawn d = lay(json, (web_chart_options){.view = (web_chart_view)view, .of = WEB_OF_MEDIAN});
        const GArray *drawn_ = view == WEB_VIEW_LINES ? d.layout->points : d.layout->rects;
        assert_int_equal(drawn_->len, 16); /* the oldest night has none */
        const web_value total = AT(d.history->nights, web_night, 4)->total[WEB_OF_MEDIAN];
        assert_true(total.present && fabs(total.mean_ns - 0.9 * 3750) < EPSILON);
        assert_true(g_str_has_prefix(find_label(d.layout, WEB_LABEL_NOTE, NULL)->text, "median"));
        assert_non_null(strstr(d.layout->description, "medians:"));
        check_sane(d.layout);
        release(&d);
    }
}

static void without_any_median_the_chart_says_so(void **state) {
    (void)state;
    drawn d = lay(nights(3), (web_chart_options){.of = WEB_OF_MEDIAN});
    assert_non_null(find_label(d.layout, WEB_LABEL_EMPTY, "No medians are known for these nights"));
    release(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_portion_is_a_line_from_zero),
        cmocka_unit_test(every_line_has_its_letter),
        cmocka_unit_test(a_gap_interrupts_the_lines),
        cmocka_unit_test(rings_are_small_and_marked),
        cmocka_unit_test(many_nights_become_ranges),
        cmocka_unit_test(negative_values_hang_below_zero),
        cmocka_unit_test(medians_are_drawn_where_they_are_known),
        cmocka_unit_test(without_any_median_the_chart_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
