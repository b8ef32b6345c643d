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

static cairo_status_t draw(cairo_surface_t *surface, const web_layout *layout,
                           const web_history *history, web_theme theme) {
    cairo_t *cr = cairo_create(surface);
    web__cairo_pen pen;
    web__cairo_pen_take(&pen, cr);
    web__draw(&pen.pen, layout, history, theme);
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

static GBytes *paint_pdf(const web_layout *layout, const web_history *history, web_theme theme,
                         GError **error) {
    GByteArray *out = g_byte_array_new();
    pthread_mutex_lock(&drawing);
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(append, out, layout->width, layout->height);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, layout->title);
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, layout->description);
    cairo_status_t status = draw(surface, layout, history, theme);
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

/* The surface's pixels; it is destroyed. */
static GBytes *png_of(cairo_surface_t *surface, cairo_status_t status, GError **error) {
    cairo_surface_flush(surface);
    GBytes *png = status == CAIRO_STATUS_SUCCESS
                      ? web__png_encode(cairo_image_surface_get_data(surface),
                                        cairo_image_surface_get_width(surface),
                                        cairo_image_surface_get_height(surface),
                                        cairo_image_surface_get_stride(surface), error)
                      : paint_error(status, error);
    cairo_surface_destroy(surface);
    return png;
}

static GBytes *paint_png(const web_layout *layout, const web_history *history, web_theme theme,
                         int scale, GError **error) {
    int width = (int)layout->width * scale, height = (int)layout->height * scale;
    pthread_mutex_lock(&drawing);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_surface_set_device_scale(surface, scale, scale);
    cairo_status_t status = draw(surface, layout, history, theme);
    pthread_mutex_unlock(&drawing);
    return png_of(surface, status, error);
}

GBytes *web__paint_flame(const web_flame_layout *layout, web_theme theme, int scale,
                         GError **error) {
    const int factor = scale >= 2 ? 2 : 1;
    const int width = (int)layout->width * factor, height = (int)layout->height * factor;
    pthread_mutex_lock(&drawing);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_surface_set_device_scale(surface, factor, factor);
    cairo_t *cr = cairo_create(surface);
    web__cairo_pen pen;
    web__cairo_pen_take(&pen, cr);
    web__flame_draw(&pen.pen, layout, theme);
    web__cairo_pen_drop(&pen);
    const cairo_status_t status = cairo_status(cr);
    cairo_destroy(cr);
    pthread_mutex_unlock(&drawing);
    return png_of(surface, status, error);
}

GBytes *web__paint(const web_layout *layout, const web_history *history, web_theme theme,
                   web_chart_format format, int scale, GError **error) {
    if (format == WEB_CHART_PNG)
        return paint_png(layout, history, theme, scale >= 2 ? 2 : 1, error);
    return paint_pdf(layout, history, theme, error);
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
