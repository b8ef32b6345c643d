#include "tests/unit/web/nights.h"

#include <math.h>
#include <string.h>

#include "web/chart/history.h"
#include "web/paint/paint.h"

/* The SVG of these nights as text; the caller frees it. */
static char *draw(json_t *json, web_chart_options options) {
    g_autoptr(web_history) history = web_history_new(json, NULL, NULL, 0, NULL);
    g_autoptr(web_layout) layout = web_layout_new(history, &options);
    g_autoptr(GBytes) file = web__svg_write(layout, history, options.theme);
    json_decref(json);
    gsize size;
    const char *data = g_bytes_get_data(file, &size);
    return g_strndup(data, size);
}

static size_t count(const char *text, const char *part) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        n++;
    return n;
}

static void texts_stay_texts(void **state) {
    (void)state;
    g_autofree char *svg = draw(nights(8), (web_chart_options){.title = "Kieker"});
    static const char *const texts[] = {
        ">Kieker<", ">8 Jan<", ">c00000007<", ">µs per call<", ">I instrumentation<",
        ">3.75<",   ">±0.07<"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        if (!strstr(svg, texts[i]))
            fail_msg("%s is missing", texts[i]);
}

static void one_path_a_portion_holds_all_nights(void **state) {
    (void)state;
    g_autofree char *svg = draw(nights(365), (web_chart_options){0});
    assert_int_equal(count(svg, "<path fill=\"#e69f00\""), 1); /* too narrow for a hatch */
    const char *path = strstr(svg, "<path fill=\"#e69f00\"");
    g_autofree char *only = g_strndup(path, (gsize)(strstr(path, "/>") - path));
    assert_true(count(only, "M") >= 182); /* two nights a column at 900 px */
    assert_true(strlen(svg) < 40000);
}

/* A number of a path: a sign where it needs one, whole digits, a tenth that is not 0. */
static const char *number_end(const char *text, double *value) {
    const char *at = text + (*text == '-');
    const char *whole = at;
    while (g_ascii_isdigit(*at))
        at++;
    assert_true(at > whole && (*whole != '0' || at == whole + 1));
    if (*at == '.') {
        assert_true(at[1] >= '1' && at[1] <= '9' && !g_ascii_isdigit(at[2]));
        at += 2;
    }
    *value = g_ascii_strtod(text, NULL);
    return at;
}

static void boxes_close_where_they_began(void **state) {
    (void)state;
    g_autofree char *svg = draw(nights(365), (web_chart_options){.width = 1333});
    const char *at = strstr(svg, "<path fill=\"#e69f00\"");
    at = strstr(at, " d=\"") + 4;
    double x, y, width, height, back, right = 0;
    for (; *at == 'M'; at++) {
        at = number_end(at + 1, &x);
        assert_int_equal(*at, ' ');
        at = number_end(at + 1, &y);
        assert_int_equal(*at, 'h');
        at = number_end(at + 1, &width);
        assert_int_equal(*at, 'v');
        at = number_end(at + 1, &height);
        assert_int_equal(*at, 'h');
        at = number_end(at + 1, &back);
        assert_int_equal(*at, 'z');
        assert_true(x >= right && width > 0 && height > 0 && fabs(width + back) < 1e-9);
        assert_true(y >= 0 && y + height <= 380 && x + width <= 1333);
        right = x;
    }
    assert_int_equal(*at, '"');
    assert_true(right > 1200);
}

static void wide_bars_are_hatched(void **state) {
    (void)state;
    g_autofree char *svg = draw(nights(8), (web_chart_options){0});
    assert_int_equal(count(svg, "<pattern id=\"h"), 3);   /* T has none */
    assert_int_equal(count(svg, "fill=\"url(#h1)\""), 2); /* bars and legend */
}

static void the_same_nights_give_the_same_bytes(void **state) {
    (void)state;
    g_autofree char *one = draw(nights(30), (web_chart_options){.theme = WEB_THEME_DARK});
    g_autofree char *two = draw(nights(30), (web_chart_options){.theme = WEB_THEME_DARK});
    assert_string_equal(one, two);
}

/* Over the plot and in the legend: a boundary that has only its name is none. */
static void an_incident_has_its_line(void **state) {
    (void)state;
    json_t *json = nights(8);
    json_object_set_new(json_array_get(json, 3), "incident",
                        json_pack("{s:s,s:s}", "kind", "scale", "headline", "Everything × 0.5"));
    g_autofree char *svg = draw(json, (web_chart_options){0});
    assert_int_equal(count(svg, "stroke-dasharray=\"10 3\""), 2);
    assert_non_null(strstr(svg, ">Everything × 0.5<"));
}

static char *arrow_of(const char *direction) {
    json_t *json = nights(3);
    mark(json_array_get(json, 0), 1, direction);
    g_autofree char *svg = draw(json, (web_chart_options){0});
    const char *arrow = strstr(svg, "<path stroke-width=\"1.5\"");
    assert_non_null(arrow);
    assert_int_equal(count(svg, "<ellipse"), 2); /* ring and legend */
    return g_strndup(arrow, (gsize)(strstr(arrow, "/>") - arrow));
}

static void directions_have_shapes_of_their_own(void **state) {
    (void)state;
    g_autofree char *up = arrow_of("up"), *down = arrow_of("down");
    assert_non_null(strstr(up, "fill=\"#c4002b\""));
    assert_non_null(strstr(down, "fill=\"#c4002b\""));
    assert_string_not_equal(up, down);
}

static void long_texts_end_in_an_ellipsis(void **state) {
    (void)state;
    g_autofree char *title = g_strnfill(150, 'x');
    g_autofree char *svg = draw(nights(3), (web_chart_options){.title = title, .width = 320});
    assert_non_null(strstr(svg, "x…</text>"));
}

static void every_kind_of_night_is_well_formed(void **state) {
    (void)state;
    json_t *json = json_pack("[o, o, o, o]", bare_night(9, "quarantined"), bare_night(8, "failed"),
                             night(7, 1, -2, 1e10, 0), night(0, 70, 200, 830, 2650));
    json_object_set_new(json_array_get(json, 2), "environment_changed", json_true());
    g_autofree char *svg = draw(json, (web_chart_options){.title = "a & b <c> \"d\""});
    g_autoptr(GMarkupParseContext) parser =
        g_markup_parse_context_new(&(GMarkupParser){0}, 0, NULL, NULL);
    assert_true(g_markup_parse_context_parse(parser, svg, -1, NULL));
    assert_true(g_markup_parse_context_end_parse(parser, NULL));
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    assert_non_null(strstr(svg, "stroke-dasharray=\"5 4\""));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_stay_texts),
        cmocka_unit_test(one_path_a_portion_holds_all_nights),
        cmocka_unit_test(boxes_close_where_they_began),
        cmocka_unit_test(wide_bars_are_hatched),
        cmocka_unit_test(the_same_nights_give_the_same_bytes),
        cmocka_unit_test(an_incident_has_its_line),
        cmocka_unit_test(directions_have_shapes_of_their_own),
        cmocka_unit_test(long_texts_end_in_an_ellipsis),
        cmocka_unit_test(every_kind_of_night_is_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
