#include "ci/command/outputs.h"

#include "ci/formats/write.h"
#include "web/chart/chart.h"

#include <stdio.h>

static bool is_stdout(const char *path) {
    return path && g_str_equal(path, "-");
}

bool ci_outputs_stdout(const ci_outputs *o) {
    return is_stdout(o->markdown) || is_stdout(o->junit) || is_stdout(o->plot_csv) ||
           is_stdout(o->html);
}

bool ci_write(const char *path, const char *text, GError **error) {
    if (!is_stdout(path))
        return g_file_set_contents(path, text, -1, error);
    if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
        return true;
    return ci_wrong(error, "cannot write to stdout");
}

/* The format is what the file's name ends in. */
static bool chart_write(const json_t *nights, const char *title, const char *path, GError **error) {
    const web_chart_format format = g_str_has_suffix(path, ".png")   ? WEB_CHART_PNG
                                    : g_str_has_suffix(path, ".pdf") ? WEB_CHART_PDF
                                                                     : WEB_CHART_SVG;
    if (format == WEB_CHART_SVG && !g_str_has_suffix(path, ".svg"))
        return ci_misused(error, "--chart %s: the name must end in .svg, .png or .pdf", path);
    const web_chart_options options = {.title = title};
    g_autoptr(GBytes) bytes = web_chart_render(nights, &options, format, error);
    return bytes && g_file_set_contents(path, g_bytes_get_data(bytes, NULL),
                                        (gssize)g_bytes_get_size(bytes), error);
}

static bool write_one(const char *path, char *(*make)(const char *, const json_t *),
                      const char *title, const json_t *night, GError **error) {
    g_autofree char *text = path ? make(title, night) : NULL;
    return !path || ci_write(path, text, error);
}

bool ci_outputs_write(const ci_outputs *o, const char *title, const json_t *night,
                      const json_t *nights, GError **error) {
    json_auto_t *alone = nights ? NULL : json_pack("[O]", night);
    const bool good = write_one(o->markdown, ci_markdown, title, night, error) &&
                      write_one(o->junit, ci_junit, title, night, error) &&
                      write_one(o->plot_csv, ci_plot_csv, title, night, error) &&
                      write_one(o->html, ci_html, title, night, error) &&
                      (!o->chart || chart_write(nights ? nights : alone, title, o->chart, error));
    return good;
}
