/* A picture that is drawn in bands is the one that is drawn at once. */
#include "tests/unit/web/drawn.h"

#include "web/paint/cairo_pen.h"
#include "web/paint/paint.h"

enum { WIDTH = 2400, HEIGHT = 1200, SCALE = 2 }; /* 11.5 million pixels: three bands */

typedef struct {
    const unsigned char *at;
    gsize left;
} reading;

static cairo_status_t read_bytes(void *user, unsigned char *to, unsigned size) {
    reading *from = user;
    if (size > from->left)
        return CAIRO_STATUS_READ_ERROR;
    memcpy(to, from->at, size);
    from->at += size;
    from->left -= size;
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *surface_of(GBytes *png) {
    reading from = {NULL, 0};
    from.at = g_bytes_get_data(png, &from.left);
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(read_bytes, &from);
    assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
    return surface;
}

static cairo_surface_t *whole(const drawn *d) {
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, WIDTH * SCALE, HEIGHT * SCALE);
    cairo_surface_set_device_scale(surface, SCALE, SCALE);
    cairo_t *cr = cairo_create(surface);
    web__cairo_pen pen;
    web__cairo_pen_take(&pen, cr);
    web__draw(&pen.pen, d->layout, d->history, WEB_THEME_LIGHT);
    web__cairo_pen_drop(&pen);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    return surface;
}

/* Pixels whose colour differs by more than rounding. */
static unsigned differing(cairo_surface_t *a, cairo_surface_t *b) {
    const size_t stride = (size_t)cairo_image_surface_get_stride(a);
    unsigned count = 0;
    assert_int_equal(stride, cairo_image_surface_get_stride(b));
    for (size_t y = 0; y < HEIGHT * SCALE; y++)
        for (size_t x = 0; x < WIDTH * SCALE; x++) {
            const unsigned char *p = cairo_image_surface_get_data(a) + y * stride + x * 4;
            const unsigned char *q = cairo_image_surface_get_data(b) + y * stride + x * 4;
            count += abs(p[0] - q[0]) > 1 || abs(p[1] - q[1]) > 1 || abs(p[2] - q[2]) > 1;
        }
    return count;
}

static void bands_make_the_same_picture(void **state) {
    (void)state;
    drawn d = lay(nights(40), (web_chart_options){.width = WIDTH, .height = HEIGHT});
    GError *error = NULL;
    GBytes *png = web__paint(d.layout, d.history, WEB_THEME_LIGHT, WEB_CHART_PNG, SCALE, &error);
    assert_null(error);
    cairo_surface_t *ours = surface_of(png), *theirs = whole(&d);
    assert_int_equal(differing(ours, theirs), 0);
    cairo_surface_destroy(ours);
    cairo_surface_destroy(theirs);
    g_bytes_unref(png);
    release(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bands_make_the_same_picture)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
