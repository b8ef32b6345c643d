#include "web/paint/paint.h"

#include "web/chart/chart.h"
#include "web/paint/cairo_pen.h"

#include <cairo-pdf.h>
#include <png.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

/* Level 2 without filters: measured best in time for charts, within a fifth of the smallest
 * size. */
enum { COMPRESSION = 2 };

typedef struct {
    GByteArray *out;
    char reason[120];
} sink;

static void write_bytes(png_structp png, png_bytep data, png_size_t length) {
    sink *s = png_get_io_ptr(png);
    g_byte_array_append(s->out, data, (guint)length);
}

static void keep_reason(png_structp png, png_const_charp text) {
    sink *s = png_get_error_ptr(png);
    g_strlcpy(s->reason, text, sizeof s->reason);
    longjmp(png_jmpbuf(png), 1);
}

static void ignore_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void write_row(png_structp png, const unsigned char *pixels, int width, png_bytep row) {
    for (int x = 0; x < width; x++) {
        guint32 pixel;
        memcpy(&pixel, pixels + (gsize)x * 4, sizeof pixel);
        row[3 * x] = (png_byte)(pixel >> 16 & 0xff);
        row[3 * x + 1] = (png_byte)(pixel >> 8 & 0xff);
        row[3 * x + 2] = (png_byte)(pixel & 0xff);
    }
    png_write_row(png, row);
}

static bool write_rows(png_structp png, const web__png_image *image, png_bytep row,
                       GError **error) {
    const unsigned char *band = NULL;
    for (int y = 0; y < image->height; y++) {
        if (y % image->band == 0)
            band = image->rows(image->user, y, error);
        if (!band)
            return false;
        write_row(png, band + (gsize)(y % image->band) * (gsize)image->stride, image->width, row);
    }
    return true;
}

/* What lives over the jump is in the caller's frame. */
static bool encode(png_structp png, png_infop info, const web__png_image *image, png_bytep row,
                   GError **error) {
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, COMPRESSION);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(png, info);
    if (!write_rows(png, image, row, error))
        return false;
    png_write_end(png, info);
    return true;
}

/* Returns the file's bytes or NULL and WEB_CHART_ERROR_PAINT, or the error of `rows`.
 * Thread-safe. */
static GBytes *png_encode(const web__png_image *image, GError **error) {
    sink s = {g_byte_array_new(), "no memory"};
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, &s, keep_reason, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    g_autofree png_bytep row = g_malloc((gsize)image->width * 3);
    g_autoptr(GError) problem = NULL;
    bool done = false;
    if (info) {
        png_set_write_fn(png, &s, write_bytes, NULL);
        done = encode(png, info, image, row, &problem);
    }
    png_destroy_write_struct(&png, &info);
    if (done)
        return g_byte_array_free_to_bytes(s.out);
    if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    else
        g_set_error(error, WEB_CHART_ERROR, WEB_CHART_ERROR_PAINT, "writing the PNG failed: %s",
                    s.reason);
    g_byte_array_unref(s.out);
    return NULL;
}

static cairo_status_t append(void *closure, const unsigned char *data, unsigned length) {
    g_byte_array_append(closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

/*
 * Cairo and Pango promise to be thread-safe, but their shared glyph caches have raced before; texts
 * are most of a chart, so drawing is serial. Compressing a PNG takes longer and is not.
 */
static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;

/* Pixels of a PNG that are in memory at once: 16 MiB. Most charts are smaller; the largest take
 * three times as much. */
enum { BAND_PIXELS = 4 << 20 };

/* A page's strokes, for any pen. */
typedef struct {
    const web_layout *chart; /* or */
    const web_flame_layout *flame;
    const web_history *history; /* of the chart */
    web_theme theme;
    int width, height;
} drawn;

static cairo_status_t draw(cairo_surface_t *surface, const drawn *what) {
    cairo_t *cr = cairo_create(surface);
    web__cairo_pen pen;
    web__cairo_pen_take(&pen, cr);
    if (what->chart)
        web__draw(&pen.pen, what->chart, what->history, what->theme);
    else
        web__flame_draw(&pen.pen, what->flame, what->theme);
    web__cairo_pen_drop(&pen);
    cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    return status;
}

static GBytes *paint_error(cairo_status_t status, GError **error) {
    g_set_error(error, WEB_CHART_ERROR, WEB_CHART_ERROR_PAINT, "drawing the chart failed: %s",
                cairo_status_to_string(status));
    return NULL;
}

static GBytes *paint_pdf(const drawn *what, GError **error) {
    GByteArray *out = g_byte_array_new();
    pthread_mutex_lock(&drawing);
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(append, out, what->width, what->height);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, what->chart->title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, what->chart->description);
    cairo_status_t status = draw(surface, what);
    cairo_surface_finish(surface); /* writes the file, fonts included */
    pthread_mutex_unlock(&drawing);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return g_byte_array_free_to_bytes(out);
    g_byte_array_unref(out);
    return paint_error(status, error);
}

typedef struct {
    cairo_surface_t *surface;
    const drawn *what;
} bands;

/* The whole page is drawn; what lies outside the band is clipped. */
static const unsigned char *draw_band(void *user, int first, GError **error) {
    const bands *self = user;
    cairo_surface_set_device_offset(self->surface, 0, -first);
    pthread_mutex_lock(&drawing);
    const cairo_status_t status = draw(self->surface, self->what);
    pthread_mutex_unlock(&drawing);
    cairo_surface_flush(self->surface);
    if (status == CAIRO_STATUS_SUCCESS)
        return cairo_image_surface_get_data(self->surface);
    paint_error(status, error);
    return NULL;
}

static GBytes *paint_png(const drawn *what, int scale, GError **error) {
    const int factor = scale >= 2 ? 2 : 1;
    const int width = what->width * factor, height = what->height * factor;
    const int band = CLAMP(BAND_PIXELS / MAX(width, 1), 1, MAX(height, 1));
    bands self = {cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, band), what};
    cairo_surface_set_device_scale(self.surface, factor, factor);
    const web__png_image image = {.width = width,
                                  .height = height,
                                  .stride = cairo_image_surface_get_stride(self.surface),
                                  .band = band,
                                  .rows = draw_band,
                                  .user = &self};
    GBytes *png = png_encode(&image, error);
    cairo_surface_destroy(self.surface);
    return png;
}

GBytes *web__paint_flame(const web_flame_layout *layout, web_theme theme, int scale,
                         GError **error) {
    const drawn what = {.flame = layout,
                        .theme = theme,
                        .width = (int)layout->width,
                        .height = (int)layout->height};
    return paint_png(&what, scale, error);
}

GBytes *web__paint(const web_layout *layout, const web_history *history, web_theme theme,
                   web_chart_format format, int scale, GError **error) {
    const drawn what = {.chart = layout,
                        .history = history,
                        .theme = theme,
                        .width = (int)layout->width,
                        .height = (int)layout->height};
    return format == WEB_CHART_PNG ? paint_png(&what, scale, error) : paint_pdf(&what, error);
}

#ifdef __SANITIZE_ADDRESS__
/*
 * Fontconfig and Pango keep some hundred bytes once a process. Giving them back at the end
 * (cairo_debug_reset_static_data) aborts when Pango's font thread is still busy, so the leak
 * checker is told instead.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libfontconfig\nleak:libpango\nleak:libcairo\n";
}
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) {
    return "print_suppressions=0";
}
#endif

#ifdef __SANITIZE_THREAD__
/* These libraries are not compiled for the checker: it does not see Pango's own locks. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
    return "race:libpango\nrace:libfontconfig\nrace:libcairo\n";
}
#endif
