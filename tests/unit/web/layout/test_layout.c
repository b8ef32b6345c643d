#include "tests/unit/web/drawn.h"

static void an_empty_history_says_so(void **state) {
    (void)state;
    drawn d = lay(json_array(), (web_chart_options){.title = "Kieker"});
    assert_non_null(find_label(d.layout, WEB_LABEL_EMPTY, "No night has been measured yet"));
    assert_int_equal(d.layout->rects->len, 0);
    assert_string_equal(d.layout->description, "No night has been measured yet.");
    check_sane(d.layout);
    release(&d);
}

static void only_failed_nights_say_so(void **state) {
    (void)state;
    drawn d = lay(json_pack("[o]", bare_night(0, "failed")), (web_chart_options){0});
    assert_non_null(find_label(d.layout, WEB_LABEL_EMPTY, "No night could be measured"));
    release(&d);
}

static void one_night_is_a_stack_with_its_interval(void **state) {
    (void)state;
    drawn d = lay(json_pack("[o]", night(65, 70, 200, 830, 2550)), (web_chart_options){0});
    const web_layout *l = d.layout;
    assert_int_equal(l->rects->len, 4);
    double scale = AT(l->rects, web_rect, 0)->box.height / 70;
    static const double means[] = {70, 200, 830, 2550};
    for (guint i = 0; i < 4; i++) {
        const web_rect *r = AT(l->rects, web_rect, i);
        assert_int_equal(r->portion, i);
        assert_true(fabs(r->box.height - means[i] * scale) < EPSILON);
        double floor_y = i == 0 ? l->zero_y : AT(l->rects, web_rect, i - 1)->box.y;
        assert_true(fabs(r->box.y + r->box.height - floor_y) < EPSILON);
    }
    assert_int_equal(l->whiskers->len, 1);
    assert_true(fabs(AT(l->whiskers, web_whisker, 0)->mean_y - AT(l->rects, web_rect, 3)->box.y) <
                EPSILON);
    assert_non_null(find_label(l, WEB_LABEL_VALUE, "3.65"));
    assert_non_null(find_label(l, WEB_LABEL_VALUE, "±0.07"));
    assert_non_null(find_label(l, WEB_LABEL_UNIT, "µs per call"));
    assert_non_null(find_label(l, WEB_LABEL_DATE, "7 Mar"));
    assert_non_null(find_label(l, WEB_LABEL_COMMIT, "c00000041"));
    check_sane(l);
    check_no_collision(l);
    release(&d);
}

static void one_portion_is_enough(void **state) {
    (void)state;
    json_t *one = bare_night(0, "measured");
    json_array_append_new(json_object_get(one, "portions"),
                          portion("T", "none", NULL, 70, "first", NULL));
    drawn d = lay(json_pack("[o]", one), (web_chart_options){0});
    assert_int_equal(d.layout->rects->len, 1);
    assert_int_equal(d.layout->whiskers->len, 1);
    assert_non_null(find_label(d.layout, WEB_LABEL_UNIT, "ns per call"));
    check_sane(d.layout);
    release(&d);
}

static void negative_portions_hang_below_zero(void **state) {
    (void)state;
    drawn d = lay(json_pack("[o]", night(0, 70, 200, -40, 300)), (web_chart_options){0});
    const web_rect *c = AT(d.layout->rects, web_rect, 2), *w = AT(d.layout->rects, web_rect, 3);
    assert_true(w->box.y < d.layout->zero_y);
    assert_true(fabs(c->box.y - d.layout->zero_y) < EPSILON);
    assert_true(d.layout->axis.low < 0);
    /* the stack above zero is 40 higher than the total that the whisker marks */
    assert_true(AT(d.layout->whiskers, web_whisker, 0)->mean_y > w->box.y);
    check_sane(d.layout);
    release(&d);
}

static void a_missing_portion_is_a_hole_below_the_total(void **state) {
    (void)state;
    json_t *one = night(0, 70, 200, 830, 2650);
    json_object_set_new(json_array_get(json_object_get(one, "portions"), 2), "mean_ns",
                        json_null());
    drawn d = lay(json_pack("[o, o]", night(1, 70, 200, 830, 2650), one), (web_chart_options){0});
    assert_int_equal(d.layout->rects->len, 7);
    const web_box *whole_w = NULL, *i = NULL, *w = NULL;
    for (guint k = 0; k < d.layout->rects->len; k++) {
        const web_rect *r = AT(d.layout->rects, web_rect, k);
        if (r->night == 1 && r->portion == 3)
            whole_w = &r->box;
        else if (r->night == 0 && r->portion == 1)
            i = &r->box;
        else if (r->night == 0 && r->portion == 3)
            w = &r->box;
    }
    assert_true(whole_w && i && w);
    assert_true(fabs(w->y - whole_w->y) < EPSILON && fabs(w->height - whole_w->height) < EPSILON);
    assert_true(fabs(i->y - (w->y + w->height) - w->height * 830 / 2650) < EPSILON);
    check_sane(d.layout);
    release(&d);
}

static void anomalies_are_ringed_with_their_direction(void **state) {
    (void)state;
    json_t *json = nights(10);
    mark(json_array_get(json, 1), 1, "up");
    mark(json_array_get(json, 0), 1, "down");
    mark(json_array_get(json, 0), 2, "up");
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(d.layout->rings->len, 3);
    static const int directions[] = {1, -1, 1};
    for (guint i = 0; i < 3; i++) {
        const web_ring *ring = AT(d.layout->rings, web_ring, i);
        assert_int_equal(ring->direction, directions[i]);
        assert_true(ring->mark_y < ring->cy - ring->ry + EPSILON);
        bool around = false;
        for (guint k = 0; k < d.layout->rects->len; k++) {
            const web_rect *r = AT(d.layout->rects, web_rect, k);
            if (r->night == ring->night && r->portion == ring->portion)
                around = fabs(r->box.x + r->box.width / 2 - ring->cx) < EPSILON &&
                         ring->rx > r->box.width / 2 && ring->ry > r->box.height / 2;
        }
        assert_true(around);
    }
    assert_true(AT(d.layout->rings, web_ring, 1)->mark_y !=
                AT(d.layout->rings, web_ring, 2)->mark_y);
    assert_non_null(strstr(d.layout->description, "I fell."));
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

static void arrows_have_room_above_the_highest_bar(void **state) {
    (void)state;
    json_t *json = nights(10);
    for (size_t i = 0; i < 4; i++)
        mark(json_array_get(json, 0), i, i % 2 ? "up" : "down");
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(d.layout->rings->len, 4);
    for (guint i = 0; i < 4; i++)
        assert_true(AT(d.layout->rings, web_ring, i)->mark_y > d.layout->plot.y - 12);
    release(&d);
}

/* "W" of the fall would stand right of its arrow, across the ring of the rise a night later. */
static void a_name_keeps_off_other_rings(void **state) {
    (void)state;
    json_t *json = nights(40);
    json_array_set_new(json, 21, night(18, 70, 200, 830, 2000));
    mark(json_array_get(json, 21), 3, "down");
    mark(json_array_get(json, 20), 3, "up");
    drawn d = lay(json, (web_chart_options){0});
    const web_ring *fall = AT(d.layout->rings, web_ring, 0);
    const web_ring *rise = AT(d.layout->rings, web_ring, 1);
    guint names = 0;
    for (guint i = 0; i < d.layout->labels->len; i++) {
        const web_label *label = AT(d.layout->labels, web_label, i);
        if (label->role != WEB_LABEL_RING || label->y != fall->mark_y)
            continue;
        assert_true(label->x + label->max_width <= rise->cx - rise->rx || label->x < fall->cx);
        names++;
    }
    assert_int_equal(names, 1);
    release(&d);
}

static void dates_and_commits_are_never_cut(void **state) {
    (void)state;
    static const int counts[] = {1, 8, 20, 30, 60, 365};
    for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
        drawn d = lay(nights(counts[i]), (web_chart_options){.width = 1200, .height = 400});
        for (guint k = 0; k < d.layout->labels->len; k++) {
            const web_label *label = AT(d.layout->labels, web_label, k);
            assert_true(web_text_width(label->text, label->size) <= label->max_width + EPSILON);
        }
        release(&d);
    }
}

static void missing_and_failed_nights_are_gaps(void **state) {
    (void)state;
    json_t *json = json_array();
    static const int days[] = {0, 1, 2, 3, 4, 7, 8, 374, 375};
    for (size_t i = 0; i < G_N_ELEMENTS(days); i++)
        json_array_append_new(json, days[i] == 3 ? bare_night(3, "failed")
                                                 : night(days[i], 70, 200, 830, 2650));
    json_array_append_new(json, bare_night(376, "quarantined"));
    drawn d = lay(json, (web_chart_options){0});
    static const struct {
        web_gap_kind kind;
        guint nights;
    } gaps[] = {{WEB_GAP_FAILED, 0},
                {WEB_GAP_MISSING, 1},
                {WEB_GAP_MISSING, 1},
                {WEB_GAP_MISSING, 365},
                {WEB_GAP_QUARANTINED, 0}};
    assert_int_equal(d.layout->gaps->len, G_N_ELEMENTS(gaps));
    for (guint i = 0; i < G_N_ELEMENTS(gaps); i++) {
        assert_int_equal(AT(d.layout->gaps, web_gap, i)->kind, gaps[i].kind);
        assert_int_equal(AT(d.layout->gaps, web_gap, i)->nights, gaps[i].nights);
    }
    assert_non_null(find_label(d.layout, WEB_LABEL_GAP, "365 days without a night"));
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

/* A history of releases has years between its nights: those are no gaps. */
static void irregular_dates_make_no_gaps(void **state) {
    (void)state;
    json_t *json = json_array();
    for (int i = 0; i < 10; i++)
        json_array_append_new(json, night(i * 150, 70, 200, 830, 2650));
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(d.layout->gaps->len, 0);
    assert_non_null(find_label(d.layout, WEB_LABEL_DATE, "2013-05-31"));
    check_no_collision(d.layout);
    release(&d);
}

static void an_environment_change_is_a_boundary(void **state) {
    (void)state;
    json_t *json = nights(10);
    json_object_set_new(json_array_get(json, 4), "environment_changed", json_true());
    json_object_set_new(json_array_get(json, 9), "environment_changed", json_true());
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(d.layout->boundaries->len, 1); /* the oldest night has nothing before it */
    double x = AT(d.layout->boundaries, web_boundary, 0)->x;
    assert_true(fabs(x - (d.layout->plot.x + 5 * d.layout->column_width)) < EPSILON);
    release(&d);
}

static void no_label_collides_at_any_size(void **state) {
    (void)state;
    static const int counts[] = {1, 2, 3, 7, 10, 14, 20, 30, 45, 60, 89, 120, 277, 365, 1000, 3650};
    static const int widths[] = {1, 240, 320, 360, 640, 900, 1240, 2400, 100000};
    for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
        for (size_t k = 0; k < G_N_ELEMENTS(widths); k++) {
            drawn d = lay(nights(counts[i]), (web_chart_options){.title = "Kieker for Java",
                                                                 .width = widths[k],
                                                                 .height = (int)(widths[k] / 3)});
            check_sane(d.layout);
            check_no_collision(d.layout);
            release(&d);
        }
    }
}

static void more_nights_than_pixels_are_aggregated(void **state) {
    (void)state;
    json_t *json = nights(1000);
    json_t *slow = night(999, 70, 200, 830, 5300);
    json_array_set_new(json, 0, slow);
    mark(json_array_get(json, 500), 1, "up");
    drawn d = lay(json, (web_chart_options){0});
    guint n = d.layout->nights_per_column;
    assert_true(n > 1);
    assert_true(d.layout->column_width >= 3);
    assert_int_equal(d.layout->whiskers->len, (1000 + n - 1) / n);
    assert_int_equal(d.layout->rects->len, 4 * d.layout->whiskers->len);
    const web_whisker *last = AT(d.layout->whiskers, web_whisker, d.layout->whiskers->len - 1);
    assert_true(last->high_y <
                last->mean_y); /* the range holds the slow night, the median does not */
    assert_int_equal(d.layout->rings->len, 1);
    g_autofree char *note = g_strdup_printf("a column: median and range of %u results", n);
    assert_non_null(find_label(d.layout, WEB_LABEL_NOTE, note));
    check_sane(d.layout);
    release(&d);
}

static void intervals_are_written_only_where_they_fit(void **state) {
    (void)state;
    static const struct {
        int nights, width;
        bool written;
    } cases[] = {
        {1, 240, true}, {8, 900, true}, {30, 900, false}, {8, 240, false}, {30, 2400, true}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        drawn d = lay(nights(cases[i].nights), (web_chart_options){.width = cases[i].width});
        assert_int_equal(find_label(d.layout, WEB_LABEL_VALUE, NULL) != NULL, cases[i].written);
        release(&d);
    }
}

static json_t *chain_of(int length, const char *name) {
    json_t *one = bare_night(0, "measured");
    char last[16] = "", configuration[16];
    for (int i = 0; i < length; i++) {
        g_autofree char *portion_name = g_strdup_printf("%s%d", name, i);
        snprintf(configuration, sizeof configuration, "run%d", i);
        json_array_append_new(
            json_object_get(one, "portions"),
            portion(portion_name, configuration, i ? last : NULL, 10 + i, "ok", NULL));
        memcpy(last, configuration, sizeof last);
    }
    return json_pack("[o]", one);
}

static void forty_configurations_fit(void **state) {
    (void)state;
    drawn d = lay(chain_of(40, "P"), (web_chart_options){.width = 360});
    assert_int_equal(d.layout->rects->len, 40);
    assert_int_equal(d.history->portions->len, 40);
    assert_true(d.layout->swatches->len < 40);
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

static void endless_and_foreign_names_are_cut(void **state) {
    (void)state;
    g_autofree char *endless = g_strnfill(300, 'x');
    const char *const names[] = {
        endless, "إصلاح كاتب",  "🐮👩‍👩‍👧‍👦", "<script>alert(1)</script>",
        "a\nb",  "日本語の名前"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        drawn d = lay(chain_of(4, names[i]), (web_chart_options){.title = names[i], .width = 320});
        check_sane(d.layout);
        check_no_collision(d.layout);
        for (guint k = 0; k < d.layout->labels->len; k++) {
            const web_label *label = AT(d.layout->labels, web_label, k);
            assert_true(label->x - label->align * label->max_width >= -EPSILON);
        }
        release(&d);
    }
}

static void values_from_a_nanosecond_to_ten_seconds(void **state) {
    (void)state;
    json_t *json =
        json_pack("[o, o, o]", night(2, 1, 0, 0, 1e10), night(1, 1, 0, 0, 0), night(0, 0, 0, 0, 0));
    drawn d = lay(json, (web_chart_options){0});
    assert_non_null(find_label(d.layout, WEB_LABEL_UNIT, "s per call"));
    assert_non_null(find_label(d.layout, WEB_LABEL_VALUE, "10.0"));
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_history_says_so),
        cmocka_unit_test(only_failed_nights_say_so),
        cmocka_unit_test(one_night_is_a_stack_with_its_interval),
        cmocka_unit_test(one_portion_is_enough),
        cmocka_unit_test(negative_portions_hang_below_zero),
        cmocka_unit_test(a_missing_portion_is_a_hole_below_the_total),
        cmocka_unit_test(anomalies_are_ringed_with_their_direction),
        cmocka_unit_test(arrows_have_room_above_the_highest_bar),
        cmocka_unit_test(a_name_keeps_off_other_rings),
        cmocka_unit_test(dates_and_commits_are_never_cut),
        cmocka_unit_test(missing_and_failed_nights_are_gaps),
        cmocka_unit_test(irregular_dates_make_no_gaps),
        cmocka_unit_test(an_environment_change_is_a_boundary),
        cmocka_unit_test(no_label_collides_at_any_size),
        cmocka_unit_test(more_nights_than_pixels_are_aggregated),
        cmocka_unit_test(intervals_are_written_only_where_they_fit),
        cmocka_unit_test(forty_configurations_fit),
        cmocka_unit_test(endless_and_foreign_names_are_cut),
        cmocka_unit_test(values_from_a_nanosecond_to_ten_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
