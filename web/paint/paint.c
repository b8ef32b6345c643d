#include "web/paint/paint.h"

#include <cairo-pdf.h>
#include <pthread.h>

#include "web/paint/cairo_pen.h"
#include "web/paint/draw.h"
#include "web/paint/flame.h"
#include "web/paint/png.h"

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
    GBytes *png = web__png_encode(&image, error);
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
