/* Both pens draw the same: what a third one writes down is held against what each of them left. */
#include "tests/unit/web/drawn.h"

#include "strokes.h"
#include "web/paint/cairo_pen.h"
#include "web/paint/paint.h"

static json_t *none(void) {
    return json_array();
}

static json_t *one_night(void) {
    return json_pack("[o]", night(0, 70, 200, 830, 2650));
}

static json_t *a_week(void) {
    return nights(8);
}

static json_t *a_year(void) {
    return nights(365);
}

static json_t *ten_years(void) {
    return nights(3650);
}

/* Every mark, boundary and kind of night there is. */
static json_t *everything(void) {
    json_t *json = nights(14);
    mark(json_array_get(json, 0), 1, "up");
    mark(json_array_get(json, 0), 2, "down");
    mark(json_array_get(json, 3), 3, "sideways");
    set_verdict(json_array_get(json, 5), 1, "cleared");
    set_verdict(json_array_get(json, 6), 1, "suspect");
    json_array_set_new(json, 8, bare_night(5, "failed"));
    json_array_set_new(json, 9, bare_night(4, "quarantined"));
    json_object_set_new(json_array_get(json, 2), "release", json_string("1.7"));
    json_object_set_new(json_array_get(json, 4), "environment_changed", json_true());
    json_object_set_new(json_array_get(json, 7), "accepted", json_true());
    json_object_set_new(json_array_get(json, 6), "incident",
                        json_pack("{s:s,s:s}", "kind", "scale", "headline", "Everything × 0.5"));
    json_array_remove(json, 11);
    return json;
}

static json_t *an_absurd_night(void) {
    json_t *json = nights(40);
    json_array_set_new(json, 12, night(27, 7000, -90000, 83000, 265000));
    return json;
}

static json_t *negatives(void) {
    return json_pack("[o, o, o]", night(2, 70, 200, -40, 300), night(1, -1, -2, -3, -4),
                     night(0, 70, -500, 1, 1));
}

static json_t *nothing_measured(void) {
    return json_pack("[o, o]", bare_night(1, "failed"), bare_night(0, "quarantined"));
}

static json_t *foreign_names(void) {
    json_t *json = nights(3);
    json_t *portions = json_object_get(json_array_get(json, 2), "portions");
    json_object_set_new(json_array_get(portions, 1), "portion", json_string("<b>إصلاح</b>"));
    json_object_set_new(json_array_get(portions, 2), "portion", json_string("🐮 & co"));
    return json;
}

static const struct {
    const char *name;
    json_t *(*make)(void);
} CASES[] = {
    {"no night", none},
    {"one night", one_night},
    {"a week", a_week},
    {"a year", a_year},
    {"ten years", ten_years},
    {"everything", everything},
    {"an absurd night", an_absurd_night},
    {"negative portions", negatives},
    {"nothing measured", nothing_measured},
    {"foreign names", foreign_names},
};

static const int SIZES[][2] = {{240, 200}, {390, 320}, {900, 380}, {1600, 500}};

typedef void (*check)(const drawn *d, web_theme theme, const GPtrArray *strokes, const char *what);

/* Calls check for each case, size, view and theme, with what the recording pen wrote. */
static void for_each_layout(check run) {
    for (size_t c = 0; c < G_N_ELEMENTS(CASES); c++)
        for (unsigned k = 0; k < 4 * G_N_ELEMENTS(SIZES); k++) {
            const web_chart_options o = {.title = CASES[c].name,
                                         .width = SIZES[k / 4][0],
                                         .height = SIZES[k / 4][1],
                                         .view = k & 1 ? WEB_VIEW_LINES : WEB_VIEW_BARS,
                                         .theme = k & 2 ? WEB_THEME_DARK : WEB_THEME_LIGHT};
            drawn d = lay(CASES[c].make(), o);
            recorder r = recorder_new();
            web__draw(&r.pen, d.layout, d.history, o.theme);
            run(&d, o.theme, r.strokes, CASES[c].name);
            g_ptr_array_unref(r.strokes);
            release(&d);
        }
}

static void check_svg(const drawn *d, web_theme theme, const GPtrArray *strokes, const char *what) {
    g_autoptr(GBytes) svg = web__svg_write(d->layout, d->history, theme);
    g_autoptr(GPtrArray) written = strokes_of_svg(svg);
    for (guint i = 0; i < MIN(strokes->len, written->len); i++)
        if (strcmp(g_ptr_array_index(strokes, i), g_ptr_array_index(written, i)) != 0)
            fail_msg("%s: stroke %u is \"%s\", but \"%s\" in the SVG", what, i,
                     (const char *)g_ptr_array_index(strokes, i),
                     (const char *)g_ptr_array_index(written, i));
    assert_int_equal(written->len, strokes->len);
}

static void the_svg_has_every_stroke(void **state) {
    (void)state;
    for_each_layout(check_svg);
}

static void saw_paint(cairo_surface_t *observer, cairo_surface_t *target, void *seen) {
    (void)observer;
    (void)target;
    g_string_append_c(seen, 'P');
}

static void saw_fill(cairo_surface_t *observer, cairo_surface_t *target, void *seen) {
    (void)observer;
    (void)target;
    g_string_append_c(seen, 'F');
}

static void saw_stroke(cairo_surface_t *observer, cairo_surface_t *target, void *seen) {
    (void)observer;
    (void)target;
    g_string_append_c(seen, 'S');
}

/* A text may be several runs of glyphs: texts in a row are one T. */
static void saw_text(cairo_surface_t *observer, cairo_surface_t *target, void *data) {
    (void)observer;
    (void)target;
    GString *seen = data;
    if (seen->len == 0 || seen->str[seen->len - 1] != 'T')
        g_string_append_c(seen, 'T');
}

/* What Cairo must have been asked for to leave a recorded stroke, as a pattern: an area may be too
 * small for any line of its hatch. */
static void append_expected(GString *out, const char *stroke, guint index) {
    bool empty = g_str_has_suffix(stroke, "without ink");
    if (index == 0)
        g_string_append_c(out, 'P');
    else if (g_str_has_prefix(stroke, "text")) {
        if (g_str_has_suffix(stroke, "halo"))
            g_string_append_c(out, 'S');
        saw_text(NULL, NULL, out);
    } else if (g_str_has_prefix(stroke, "block"))
        g_string_append_c(out, 'F');
    else if (!empty && g_str_has_prefix(stroke, "area"))
        g_string_append(out, strstr(stroke, "url(") ? "FS?" : "F");
    else if (!empty)
        g_string_append(out, g_str_has_prefix(stroke, "shape") ? "FS" : "S");
}

static void check_cairo(const drawn *d, web_theme theme, const GPtrArray *strokes,
                        const char *what) {
    g_autoptr(GString) seen = g_string_new(NULL);
    g_autoptr(GString) expected = g_string_new(NULL);
    cairo_surface_t *paper = cairo_recording_surface_create(CAIRO_CONTENT_COLOR, NULL);
    cairo_surface_t *observer = cairo_surface_create_observer(paper, CAIRO_SURFACE_OBSERVER_NORMAL);
    cairo_surface_observer_add_paint_callback(observer, saw_paint, seen);
    cairo_surface_observer_add_fill_callback(observer, saw_fill, seen);
    cairo_surface_observer_add_stroke_callback(observer, saw_stroke, seen);
    cairo_surface_observer_add_glyphs_callback(observer, saw_text, seen);
    cairo_t *cr = cairo_create(observer);
    web__cairo_pen pen;
    web__cairo_pen_take(&pen, cr);
    web__draw(&pen.pen, d->layout, d->history, theme);
    web__cairo_pen_drop(&pen);
    assert_int_equal(cairo_status(cr), CAIRO_STATUS_SUCCESS);
    cairo_destroy(cr);
    cairo_surface_destroy(observer);
    cairo_surface_destroy(paper);
    for (guint i = 0; i < strokes->len; i++)
        append_expected(expected, g_ptr_array_index(strokes, i), i);
    g_string_prepend_c(expected, '^');
    g_string_append_c(expected, '$');
    if (!g_regex_match_simple(expected->str, seen->str, 0, 0))
        fail_msg("%s: Cairo was asked for\n%s, not for\n%s", what, seen->str, expected->str);
}

static void cairo_is_asked_for_every_stroke(void **state) {
    (void)state;
    for_each_layout(check_cairo);
}

/* How many strokes begin so. */
static guint count(const GPtrArray *strokes, const char *prefix) {
    guint n = 0;
    for (guint i = 0; i < strokes->len; i++)
        n += g_str_has_prefix(g_ptr_array_index(strokes, i), prefix) ? 1 : 0;
    return n;
}

static void every_mark_has_one_look(void **state) {
    (void)state;
    drawn d = lay(everything(), (web_chart_options){0});
    recorder r = recorder_new();
    web__draw(&r.pen, d.layout, d.history, WEB_THEME_LIGHT);
    assert_int_equal(count(r.strokes, "shape #c4002b"), 2);              /* up and down */
    assert_int_equal(count(r.strokes, "line #c4002b 6.0 round : 1"), 1); /* unknown: a dot */
    /* in the plot and in the legend */
    assert_int_equal(count(r.strokes, "line #57606a 1.2 5.0 4.0 : 1"), 2);
    assert_int_equal(count(r.strokes, "line #57606a 1.2 8.0 2.0 2.0 2.0 : 1"), 2);
    assert_int_equal(count(r.strokes, "line #57606a 1.2 1.5 2.5 : 1"), 2);
    assert_int_equal(count(r.strokes, "ellipse #c4002b"), 4);
    assert_int_equal(count(r.strokes, "ellipse #57606a 2.0 3.0 2.0"), 2); /* cleared has none */
    g_ptr_array_unref(r.strokes);
    release(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_svg_has_every_stroke),
        cmocka_unit_test(cairo_is_asked_for_every_stroke),
        cmocka_unit_test(every_mark_has_one_look),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
