#include "tests/unit/web/nights.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "web/chart/chart.h"
#include "web/paint/png.h"

enum { WIDTH = 37, HEIGHT = 11, STRIDE = 40 };

/* What libpng reads from our bytes is what we gave it, whatever stands between the rows. */
static void pixels_come_back_as_they_were(void **state) {
    (void)state;
    uint32_t pixels[HEIGHT][STRIDE];
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < STRIDE; x++)
            pixels[y][x] = (x * 7 % 256) << 16 | (y * 23 % 256) << 8 | (x * y % 256);
    GBytes *file = web__png_encode((const unsigned char *)pixels, WIDTH, HEIGHT,
                                   STRIDE * (int)sizeof(uint32_t), NULL);
    assert_non_null(file);
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
    GBytes *file = web__png_encode((const unsigned char *)&pixel, 0, 1, 4, &error);
    assert_null(file);
    assert_true(g_error_matches(error, WEB_CHART_ERROR, WEB_CHART_ERROR_PAINT));
    g_clear_error(&error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_come_back_as_they_were),
        cmocka_unit_test(what_is_no_picture_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
