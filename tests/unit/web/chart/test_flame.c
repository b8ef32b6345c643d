/* Where frames go: exact boxes of profiles made by hand, and that no profile breaks the picture. */

#include "web/chart/flame.c" /* NOLINT(bugprone-suspicious-include) */

#include <jansson.h>
#include <string.h>

#include "tests/unit/test.h"

#define WIDTH 416 /* 400 between the margins */

typedef struct {
    det_stacks *stacks;
    double calls[4];
    det_contrast_plan plan;
    web_flame_options options;
} made;

static void make(made *m, const char *before, const char *after) {
    const char *const texts[] = {before, after};
    *m = (made){.stacks = det_stacks_new(4), .calls = {1, 1, 1, 1}};
    m->plan = (det_contrast_plan){1, 1, m->calls, 0.95};
    m->options = (web_flame_options){
        .title = "C rose", .unit = "instructions", .scale_ns = 2, .width = WIDTH};
    for (int i = 0; i < 2; i++) {
        det_stacks_error error;
        assert_int_equal(det_stacks_read(m->stacks, det_contrast_column(&m->plan, i, 0, 0),
                                         texts[i], strlen(texts[i]), &error),
                         DET_OK);
    }
}

static const web_flame_rect *rect_of(const made *m, const web_flame_layout *layout,
                                     const char *name) {
    for (guint i = 0; i < layout->rects->len; i++) {
        const web_flame_rect *rect = &g_array_index(layout->rects, web_flame_rect, i);
        if (strcmp(det_stacks_frame(m->stacks, rect->frame).name, name) == 0)
            return rect;
    }
    return NULL;
}

static const char *label_at(const web_flame_layout *layout, const web_flame_rect *rect) {
    for (guint i = 0; i < layout->labels->len; i++) {
        const web_label *label = &g_array_index(layout->labels, web_label, i);
        if (label->role == WEB_LABEL_VALUE && label->x > rect->box.x &&
            label->x < rect->box.x + rect->box.width && label->y > rect->box.y &&
            label->y < rect->box.y + rect->box.height)
            return label->text;
    }
    return NULL;
}

static void box_is(const web_flame_rect *rect, double x, double width, int row) {
    assert_non_null(rect);
    assert_float_equal(rect->box.x, x, 1e-3);
    assert_float_equal(rect->box.width, (width - 0.5), 1e-3);
    assert_float_equal(rect->box.y, (44 + row * WEB__FLAME_ROW), 1e-3);
}

static void a_difference_is_as_wide_as_what_changed(void **state) {
    (void)state;
    made m;
    make(&m, "m 100\nm;a 10\nm;b 50\n", "m 100\nm;a 70\nm;b 10\nm;b;new 20\n");
    g_autoptr(web_flame_layout) layout = flame_layout_new(m.stacks, &m.plan, &m.options);
    box_is(rect_of(&m, layout, "m"), 8, 400, 0);
    box_is(rect_of(&m, layout, "a"), 8, 200, 1);
    box_is(rect_of(&m, layout, "b"), 208, 200, 1);
    box_is(rect_of(&m, layout, "new"), 208, (400.0 * 20 / 120), 2);
    assert_float_equal(rect_of(&m, layout, "a")->share, 1, 1e-12);
    assert_float_equal(rect_of(&m, layout, "b")->share, (-20.0 / 60), 1e-6);
    assert_string_equal(label_at(layout, rect_of(&m, layout, "a")), "▲ a +120 ns");
    assert_string_equal(label_at(layout, rect_of(&m, layout, "b")), "▼ b -40.0 ns");
    assert_float_equal(layout->height, (44 + 3 * WEB__FLAME_ROW + 8), 1e-3);
    det_stacks_free(m.stacks);
}

static void before_and_after_are_as_wide_as_they_cost(void **state) {
    (void)state;
    made m;
    make(&m, "m 100\nm;a 300\n", "m 100\nm;b 100\n");
    m.options.view = WEB_FLAME_BEFORE;
    g_autoptr(web_flame_layout) older = flame_layout_new(m.stacks, &m.plan, &m.options);
    box_is(rect_of(&m, older, "a"), 8, 300, 1);
    assert_null(rect_of(&m, older, "b"));
    assert_float_equal(rect_of(&m, older, "a")->share, 0, 0);
    assert_string_equal(label_at(older, rect_of(&m, older, "a")), "a 300 instructions");
    m.options.view = WEB_FLAME_AFTER;
    g_autoptr(web_flame_layout) newer = flame_layout_new(m.stacks, &m.plan, &m.options);
    box_is(rect_of(&m, newer, "b"), 8, 200, 1);
    assert_null(rect_of(&m, newer, "a"));
    det_stacks_free(m.stacks);
}

static void below_a_function_each_of_its_stacks_is_beside_the_other(void **state) {
    (void)state;
    made m;
    make(&m, "m 1\n", "m 1\nm;x;f 30\nm;y;f;g 10\nm;y 60\n");
    m.options.frame = "f";
    g_autoptr(web_flame_layout) layout = flame_layout_new(m.stacks, &m.plan, &m.options);
    box_is(rect_of(&m, layout, "f"), 8, 300, 0);
    box_is(rect_of(&m, layout, "g"), 308, 100, 1);
    assert_null(rect_of(&m, layout, "m"));
    assert_null(rect_of(&m, layout, "y"));
    assert_int_equal(layout->rects->len, 3);
    det_stacks_free(m.stacks);
}

static const char *label_over(const web_flame_layout *layout, double y) {
    for (guint i = 0; i < layout->labels->len; i++) {
        const web_label *label = &g_array_index(layout->labels, web_label, i);
        if (label->y > y - 1 && label->y < y + 1)
            return label->text;
    }
    return NULL;
}

static void a_long_title_goes_on_below(void **state) {
    (void)state;
    made m;
    make(&m, "m 100\n", "m 200\n");
    m.options.title = "C rose: +1.17 µs in `history_add` (new), called from `probe`";
    g_autoptr(web_flame_layout) two = flame_layout_new(m.stacks, &m.plan, &m.options);
    assert_string_equal(label_over(two, 14), "C rose");
    assert_string_equal(label_over(two, 31), "+1.17 µs in history_add (new), called from probe");
    assert_float_equal(rect_of(&m, two, "m")->box.y, 44 + 17, 1e-3);
    m.options.width = 2400;
    g_autoptr(web_flame_layout) one = flame_layout_new(m.stacks, &m.plan, &m.options);
    assert_string_equal(label_over(one, 14),
                        "C rose: +1.17 µs in history_add (new), called from probe");
    assert_float_equal(rect_of(&m, one, "m")->box.y, 44, 1e-3);
    det_stacks_free(m.stacks);
}

/* For a page: the same boxes, each with its words, also where a picture has no room for them. */
static void as_data_each_frame_has_its_place_and_words(void **state) {
    (void)state;
    made m;
    make(&m, "m 1000\nm;b 50\n", "m 1000\nm;a<b> 999\nm;b 49\nm;b;\"q\" 0\n");
    for (int theme = 0; theme < 2; theme++) {
        m.options.theme = theme ? WEB_THEME_DARK : WEB_THEME_LIGHT;
        g_autoptr(GBytes) bytes = web_flame_json(m.stacks, &m.plan, &m.options);
        json_t *json = json_loadb(g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes), 0, NULL);
        json_t *frames = json_object_get(json, "frames");
        assert_int_equal(json_integer_value(json_object_get(json, "rows")), 2);
        assert_true(json_number_value(json_object_get(json, "width")) == WIDTH);
        assert_int_equal(json_array_size(frames), 2); /* half a pixel and less is not drawn */
        json_t *wide = json_array_get(frames, 1);
        assert_string_equal(json_string_value(json_object_get(wide, "name")), "a<b>");
        assert_string_equal(json_string_value(json_object_get(wide, "words")), "▲ a<b> +2.00 µs");
        assert_int_equal(json_integer_value(json_object_get(wide, "row")), 1);
        assert_string_equal(json_string_value(json_object_get(wide, "fill")), "#f0a020");
        json_decref(json);
    }
    det_stacks_free(m.stacks);
}

static void nothing_to_show_is_said(void **state) {
    (void)state;
    made m;
    make(&m, "m 1\n", "m 1\n");
    g_autoptr(web_flame_layout) layout = flame_layout_new(m.stacks, &m.plan, &m.options);
    assert_int_equal(layout->rects->len, 0);
    assert_string_equal(layout->description, "There is nothing to show here");
    m.options.frame = "nobody";
    g_autoptr(web_flame_layout) none = flame_layout_new(m.stacks, &m.plan, &m.options);
    assert_int_equal(none->rects->len, 0);
    det_stacks_free(m.stacks);
}

static void narrow_and_deep_frames_are_left_out(void **state) {
    (void)state;
    g_autoptr(GString) deep = g_string_new("m");
    for (int i = 0; i < 100; i++)
        g_string_append(deep, ";d");
    g_string_append(deep, " 99999\nm;thin 1\nm;small 6000\n");
    made m;
    make(&m, "m 1\n", deep->str);
    g_autoptr(web_flame_layout) layout = flame_layout_new(m.stacks, &m.plan, &m.options);
    assert_null(rect_of(&m, layout, "thin"));
    assert_non_null(rect_of(&m, layout, "small"));
    assert_null(label_at(layout, rect_of(&m, layout, "small")));
    assert_int_equal(layout->rects->len, WEB_FLAME_ROWS_MAX + 1);
    assert_non_null(strstr(layout->description, "41 frames deeper than 60 rows are left out"));
    assert_true(layout->height < 44 + 61 * WEB__FLAME_ROW);
    det_stacks_free(m.stacks);
}

static void a_picture_is_made_of_any_names(void **state) {
    (void)state;
    made m;
    make(&m, "m 1\n",
         "m 1\nm;<script>alert(1)</script>&\" 400\nm;gr\xc3\xb6\xc3\x9f\x65\xff 300\n");
    for (int format = WEB_CHART_SVG; format <= WEB_CHART_PNG; format++) {
        g_autoptr(GError) error = NULL;
        GBytes *file =
            web_flame_render(m.stacks, &m.plan, &m.options, (web_chart_format)format, &error);
        assert_non_null(file);
        gsize size;
        const char *text = g_bytes_get_data(file, &size);
        g_autofree char *copy = g_strndup(text, size);
        if (format == WEB_CHART_SVG) {
            assert_null(strstr(copy, "<script"));
            assert_non_null(strstr(copy, "&lt;script&gt;"));
            assert_true(g_utf8_validate(copy, -1, NULL));
            assert_true(g_str_has_suffix(copy, "</svg>\n"));
        } else
            assert_memory_equal(text, "\x89PNG", 4);
        g_bytes_unref(file);
    }
    det_stacks_free(m.stacks);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_is_as_wide_as_what_changed),
        cmocka_unit_test(before_and_after_are_as_wide_as_they_cost),
        cmocka_unit_test(below_a_function_each_of_its_stacks_is_beside_the_other),
        cmocka_unit_test(a_long_title_goes_on_below),
        cmocka_unit_test(as_data_each_frame_has_its_place_and_words),
        cmocka_unit_test(nothing_to_show_is_said),
        cmocka_unit_test(narrow_and_deep_frames_are_left_out),
        cmocka_unit_test(a_picture_is_made_of_any_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
