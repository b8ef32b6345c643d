#include "tests/unit/web/nights.h"

#include <cairo.h>
#include <string.h>

#include "web/chart/chart.h"

static GBytes *render(json_t *json, web_chart_options options, web_chart_format format) {
    g_autoptr(GError) error = NULL;
    GBytes *file = web_chart_render(json, &options, format, &error);
    json_decref(json);
    if (!file)
        fail_msg("%s", error->message);
    return file;
}

typedef struct {
    const guint8 *data;
    gsize left;
} stream;

static cairo_status_t read_stream(void *closure, unsigned char *out, unsigned length) {
    stream *s = closure;
    if (length > s->left)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(out, s->data, length);
    s->data += length;
    s->left -= length;
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *decode(GBytes *png) {
    stream s;
    s.data = g_bytes_get_data(png, &s.left);
    cairo_surface_t *image = cairo_image_surface_create_from_png_stream(read_stream, &s);
    assert_int_equal(cairo_surface_status(image), CAIRO_STATUS_SUCCESS);
    return image;
}

static unsigned count_pixels(cairo_surface_t *image, uint32_t colour) {
    const unsigned char *data = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    unsigned n = 0;
    for (int y = 0; y < cairo_image_surface_get_height(image); y++) {
        for (int x = 0; x < cairo_image_surface_get_width(image); x++) {
            uint32_t pixel;
            memcpy(&pixel, data + y * stride + x * 4, sizeof pixel);
            n += (pixel & 0xffffff) == colour;
        }
    }
    return n;
}

static void a_png_has_its_size_and_colours(void **state) {
    (void)state;
    static const struct {
        int scale;
        web_theme theme;
        uint32_t background, grey, ring;
    } cases[] = {{1, WEB_THEME_LIGHT, 0xffffff, 0x6e7781, 0xc4002b},
                 {2, WEB_THEME_DARK, 0x15191e, 0x9aa4ae, 0xff6b81}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *json = json_pack("[o]", night(0, 800, 200, 830, 2650));
        mark(json_array_get(json, 0), 1, "up");
        g_autoptr(GBytes) png = render(
            json,
            (web_chart_options){
                .width = 600, .height = 300, .scale = cases[i].scale, .theme = cases[i].theme},
            WEB_CHART_PNG);
        cairo_surface_t *image = decode(png);
        assert_int_equal(cairo_image_surface_get_width(image), 600 * cases[i].scale);
        assert_int_equal(cairo_image_surface_get_height(image), 300 * cases[i].scale);
        assert_true(count_pixels(image, cases[i].background) > 10000);
        assert_true(count_pixels(image, cases[i].grey) > 500); /* T has no hatch */
        assert_true(count_pixels(image, cases[i].ring) > 30);
        cairo_surface_destroy(image);
    }
}

static void an_svg_speaks_and_escapes(void **state) {
    (void)state;
    g_autoptr(GBytes) svg =
        render(nights(30), (web_chart_options){.title = "<script>alert('x')</script> & co"},
               WEB_CHART_SVG);
    gsize size;
    const char *text = g_bytes_get_data(svg, &size);
    g_autofree char *copy = g_strndup(text, size);
    assert_non_null(strstr(copy, "role=\"img\" aria-labelledby=\"title desc\""));
    assert_non_null(strstr(copy, "&lt;script&gt;alert(&apos;x&apos;)&lt;/script&gt; &amp; co"));
    assert_non_null(strstr(copy, "<desc id=\"desc\">30 nights from 2013-01-01 to 2013-01-30."));
    assert_null(strstr(copy, "<script"));
    g_autoptr(GMarkupParseContext) parser =
        g_markup_parse_context_new(&(GMarkupParser){0}, 0, NULL, NULL);
    assert_true(g_markup_parse_context_parse(parser, copy, (gssize)size, NULL));
    assert_true(g_markup_parse_context_end_parse(parser, NULL));
}

static void a_pdf_is_one(void **state) {
    (void)state;
    g_autoptr(GBytes) pdf = render(nights(3), (web_chart_options){0}, WEB_CHART_PDF);
    gsize size;
    const char *text = g_bytes_get_data(pdf, &size);
    assert_true(size > 2000);
    assert_memory_equal(text, "%PDF-", 5);
}

static void what_is_no_list_of_nights_is_an_error(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    json_t *json = json_object();
    assert_null(web_chart_render(json, NULL, WEB_CHART_SVG, &error));
    assert_true(g_error_matches(error, WEB_CHART_ERROR, WEB_CHART_ERROR_INPUT));
    json_decref(json);
}

static void an_empty_list_is_a_picture(void **state) {
    (void)state;
    for (int format = WEB_CHART_SVG; format <= WEB_CHART_PDF; format++) {
        g_autoptr(GBytes) file =
            render(json_array(), (web_chart_options){.title = "Kieker"}, (web_chart_format)format);
        assert_true(g_bytes_get_size(file) > 500);
    }
}

static gpointer draw_many(gpointer data) {
    for (int i = 0; i < 5; i++) {
        GBytes *file = web_chart_render(data, NULL, i % 2 ? WEB_CHART_PNG : WEB_CHART_SVG, NULL);
        if (!file)
            return GINT_TO_POINTER(1);
        g_bytes_unref(file);
    }
    return NULL;
}

static void several_threads_draw_at_once(void **state) {
    (void)state;
    GThread *threads[4];
    json_t *json = nights(30);
    for (size_t i = 0; i < G_N_ELEMENTS(threads); i++)
        threads[i] = g_thread_new("draw", draw_many, json);
    for (size_t i = 0; i < G_N_ELEMENTS(threads); i++)
        assert_null(g_thread_join(threads[i]));
    json_decref(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_png_has_its_size_and_colours),
        cmocka_unit_test(an_svg_speaks_and_escapes),
        cmocka_unit_test(a_pdf_is_one),
        cmocka_unit_test(what_is_no_list_of_nights_is_an_error),
        cmocka_unit_test(an_empty_list_is_a_picture),
        cmocka_unit_test(several_threads_draw_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
