#include "web/paint/paint.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/web/nights.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "web/chart/chart.h"

enum { WIDTH = 37, HEIGHT = 11, STRIDE = 40 };

typedef struct {
    const unsigned char *pixels;
    int stride, band, asked;
} picture;

/* Each band in the same memory as the one before. */
static const unsigned char *rows_of(void *user, int first, GError **error) {
    static unsigned char copy[HEIGHT * STRIDE * sizeof(uint32_t)];
    picture *self = user;
    (void)error;
    self->asked++;
    memset(copy, 0xa5, sizeof copy);
    memcpy(copy, self->pixels + (size_t)first * (size_t)self->stride,
           (size_t)MIN(self->band, HEIGHT - first) * (size_t)self->stride);
    return copy;
}

static const unsigned char *no_rows(void *user, int first, GError **error) {
    (void)user;
    if (first == 0)
        return rows_of(user, first, error);
    g_set_error_literal(error, WEB_CHART_ERROR, WEB_CHART_ERROR_PAINT, "no more");
    return NULL;
}

/* What libpng reads from our bytes is what we gave it, whatever stands between the rows, and in
 * bands that do not divide the height. */
static void pixels_come_back_as_they_were(void **state) {
    (void)state;
    uint32_t pixels[HEIGHT][STRIDE];
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < STRIDE; x++)
            pixels[y][x] = (x * 7 % 256) << 16 | (y * 23 % 256) << 8 | (x * y % 256);
    picture self = {(const unsigned char *)pixels, STRIDE * (int)sizeof(uint32_t), 4, 0};
    web__png_image wanted = {WIDTH, HEIGHT, self.stride, self.band, rows_of, &self};
    GBytes *file = png_encode(&wanted, NULL);
    assert_non_null(file);
    assert_int_equal(self.asked, 3);
    gsize size;
    const void *data = g_bytes_get_data(file, &size);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, data, size));
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    image.format = PNG_FORMAT_RGB;
    unsigned char back[HEIGHT][WIDTH][3];
    assert_true(png_image_finish_read(&image, NULL, back, 0, NULL));
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            assert_int_equal((uint32_t)back[y][x][0] << 16 | (uint32_t)back[y][x][1] << 8 |
                                 back[y][x][2],
                             pixels[y][x]);
    g_bytes_unref(file);
}

static void what_is_no_picture_is_an_error(void **state) {
    (void)state;
    uint32_t pixel = 0;
    GError *error = NULL;
    picture self = {(const unsigned char *)&pixel, 4, 1, 0};
    web__png_image wanted = {0, 1, 4, 1, rows_of, &self};
    GBytes *file = png_encode(&wanted, &error);
    assert_null(file);
    assert_true(g_error_matches(error, WEB_CHART_ERROR, WEB_CHART_ERROR_PAINT));
    g_clear_error(&error);
}

static void rows_that_fail_end_it(void **state) {
    (void)state;
    static const unsigned char pixels[HEIGHT * STRIDE * sizeof(uint32_t)];
    picture self = {pixels, STRIDE * (int)sizeof(uint32_t), 4, 0};
    web__png_image wanted = {WIDTH, HEIGHT, self.stride, self.band, no_rows, &self};
    GError *error = NULL;
    assert_null(png_encode(&wanted, &error));
    assert_string_equal(error->message, "no more");
    g_clear_error(&error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_come_back_as_they_were),
        cmocka_unit_test(rows_that_fail_end_it),
        cmocka_unit_test(what_is_no_picture_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
