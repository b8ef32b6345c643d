#include "tests/unit/web/drawn.h"

static void set_release(json_t *json, size_t at, const char *tag) {
    json_object_set_new(json_array_get(json, at), "release", json_string(tag));
}

static guint count(const web_layout *l, web_boundary_kind kind) {
    guint n = 0;
    for (guint i = 0; i < l->boundaries->len; i++)
        n += AT(l->boundaries, web_boundary, i)->kind == kind;
    return n;
}

static void three_kinds_stand_beside_each_other(void **state) {
    (void)state;
    json_t *json = nights(10);
    json_t *one = json_array_get(json, 4);
    json_object_set_new(one, "environment_changed", json_true());
    json_object_set_new(one, "accepted", json_true());
    set_release(json, 4, "v1.7");
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(d.layout->boundaries->len, 3);
    double left = d.layout->plot.x + 5 * d.layout->column_width, last = left - 1;
    for (guint i = 0; i < 3; i++) {
        const web_boundary *b = AT(d.layout->boundaries, web_boundary, i);
        assert_int_equal(b->kind, i);
        assert_true(b->x > last && b->x < left + d.layout->column_width / 4);
        last = b->x;
    }
    assert_true(fabs(find_label(d.layout, WEB_LABEL_RELEASE, "v1.7")->x - left) < EPSILON);
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

static void an_incident_has_its_name_over_the_plot(void **state) {
    (void)state;
    json_t *json = nights(10);
    json_object_set_new(json_array_get(json, 4), "incident",
                        json_pack("{s:s,s:s}", "kind", "scale", "headline", "Everything × 0.5"));
    json_object_set_new(
        json_array_get(json, 7), "incident",
        json_pack("{s:s,s:s}", "kind", "environment", "headline", "Another environment"));
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(d.layout->boundaries->len, 1);
    assert_int_equal(count(d.layout, WEB_BOUNDARY_INCIDENT), 1);
    const double left = d.layout->plot.x + 5 * d.layout->column_width;
    const web_label *name = find_label(d.layout, WEB_LABEL_INCIDENT, "Everything × 0.5");
    assert_true(fabs(name->x - left) < EPSILON && name->y < d.layout->plot.y);
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

/* What people wrote of the fifth night is over the plot where that night begins; of the eighth they
 * wrote nothing. */
static void check_written(const char *member, json_t *nothing, web_boundary_kind kind,
                          const char *legend) {
    json_t *json = nights(10);
    json_object_set_new(json_array_get(json, 4), member, json_string("JDK updated"));
    json_object_set_new(json_array_get(json, 7), member, nothing);
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(d.layout->boundaries->len, 1);
    assert_int_equal(count(d.layout, kind), 1);
    const double left = d.layout->plot.x + 5 * d.layout->column_width;
    const web_label *text = find_label(d.layout, WEB_LABEL_INCIDENT, "JDK updated");
    assert_true(fabs(text->x - left) < EPSILON && text->y < d.layout->plot.y);
    assert_non_null(find_label(d.layout, WEB_LABEL_LEGEND, legend));
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

static void a_note_has_its_text_over_the_plot(void **state) {
    (void)state;
    check_written("note", json_string(""), WEB_BOUNDARY_NOTE, "note");
}

static void a_level_set_by_hand_has_its_reason(void **state) {
    (void)state;
    check_written("baseline", json_null(), WEB_BOUNDARY_BASELINE, "level set by hand");
}

/* Another environment has its own line; what joins it to the one before is written over it, whole.
 */
static void a_bridge_is_a_name_and_no_second_line(void **state) {
    (void)state;
    static const char name[] = "Levels before × 1.25 ± 0.01";
    json_t *json = nights(10), *first = json_array_get(json, 4);
    json_object_set_new(first, "environment_changed", json_true());
    json_object_set_new(first, "incident",
                        json_pack("{s:s,s:s}", "kind", "environment", "headline", name));
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(d.layout->boundaries->len, 1);
    assert_int_equal(count(d.layout, WEB_BOUNDARY_ENVIRONMENT), 1);
    const web_label *label = find_label(d.layout, WEB_LABEL_INCIDENT, name);
    assert_true(web_text_width(name, label->size) <= label->max_width);
    check_sane(d.layout);
    check_no_collision(d.layout);
    release(&d);
}

static void a_long_name_has_the_room_up_to_the_next(void **state) {
    (void)state;
    static const char name[] = "I+C+W Pinpoint No Measurement missing since";
    json_t *json = nights(30);
    json_object_set_new(json_array_get(json, 25), "note", json_string(name));
    drawn d = lay(json_incref(json), (web_chart_options){.width = 900});
    const web_label *label = find_label(d.layout, WEB_LABEL_INCIDENT, name);
    assert_true(web_text_width(name, label->size) <= label->max_width && label->max_width > 180);
    check_no_collision(d.layout);
    release(&d);

    set_release(json, 18, "v2");
    d = lay(json, (web_chart_options){.width = 900});
    label = find_label(d.layout, WEB_LABEL_INCIDENT, name);
    assert_true(label->max_width < web_text_width(name, label->size));
    assert_non_null(find_label(d.layout, WEB_LABEL_RELEASE, "v2"));
    check_no_collision(d.layout);
    release(&d);
}

/* The oldest night has nothing before it to be divided from; a release it still is. */
static void the_oldest_night_is_only_a_release(void **state) {
    (void)state;
    json_t *json = nights(3);
    json_object_set_new(json_array_get(json, 2), "environment_changed", json_true());
    json_object_set_new(json_array_get(json, 2), "accepted", json_true());
    set_release(json, 2, "v1");
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(d.layout->boundaries->len, 1);
    assert_int_equal(count(d.layout, WEB_BOUNDARY_RELEASE), 1);
    release(&d);
}

static void names_never_collide(void **state) {
    (void)state;
    static const int counts[] = {1, 2, 10, 30, 89, 365, 3650};
    static const int widths[] = {240, 390, 900, 2400};
    for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
        for (size_t k = 0; k < G_N_ELEMENTS(widths); k++) {
            json_t *json = nights(counts[i]);
            for (int n = 0; n < counts[i]; n += 1 + n % 5) {
                g_autofree char *tag = g_strdup_printf("release-%d.%d.0-with-a-long-name", n, n);
                set_release(json, (size_t)n, tag);
            }
            drawn d = lay(json, (web_chart_options){.title = "Kieker", .width = widths[k]});
            assert_true(count(d.layout, WEB_BOUNDARY_RELEASE) > 0);
            assert_non_null(find_label(d.layout, WEB_LABEL_RELEASE, NULL));
            check_sane(d.layout);
            check_no_collision(d.layout);
            release(&d);
        }
    }
}

static void a_merged_column_keeps_its_boundaries(void **state) {
    (void)state;
    json_t *json = nights(3650);
    set_release(json, 1000, "v1");
    set_release(json, 1001, "v0");
    json_object_set_new(json_array_get(json, 500), "environment_changed", json_true());
    drawn d = lay(json, (web_chart_options){0});
    assert_int_equal(count(d.layout, WEB_BOUNDARY_ENVIRONMENT), 1);
    assert_true(count(d.layout, WEB_BOUNDARY_RELEASE) >= 1);
    assert_non_null(find_label(d.layout, WEB_LABEL_RELEASE, "v1"));
    release(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_kinds_stand_beside_each_other),
        cmocka_unit_test(an_incident_has_its_name_over_the_plot),
        cmocka_unit_test(a_note_has_its_text_over_the_plot),
        cmocka_unit_test(a_level_set_by_hand_has_its_reason),
        cmocka_unit_test(a_bridge_is_a_name_and_no_second_line),
        cmocka_unit_test(a_long_name_has_the_room_up_to_the_next),
        cmocka_unit_test(the_oldest_night_is_only_a_release),
        cmocka_unit_test(names_never_collide),
        cmocka_unit_test(a_merged_column_keeps_its_boundaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
