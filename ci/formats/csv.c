#include "ci/formats/night.h"
#include "ci/formats/write.h"
#include "web/layout/text.h"

#include <math.h>
#include <string.h>

#define TEXT_MAX 100

/* A quoted field that no spreadsheet takes for a formula. */
static void field(GString *to, const char *text) {
    g_autofree char *clean = web_text_clean(text, TEXT_MAX);
    g_auto(GStrv) parts = g_strsplit(clean, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);
    g_string_append_printf(to, "\"%s%s\"", strchr("=+-@", clean[0]) && clean[0] ? "'" : "",
                           doubled);
}

char *ci_plot_csv(const char *title, const json_t *night) {
    (void)title;
    g_autoptr(GString) values = g_string_new(NULL);
    GString *to = g_string_new(NULL);
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p) {
        const double mean = ci_json_real(p, "mean_ns");
        char text[G_ASCII_DTOSTR_BUF_SIZE] = "";
        if (isfinite(mean))
            g_ascii_formatd(text, sizeof text, "%.3f", mean);
        if (i) {
            g_string_append_c(to, ',');
            g_string_append_c(values, ',');
        }
        field(to, ci_json_text(p, "portion", "?"));
        g_string_append(values, text);
    }
    g_string_append_printf(to, "\n%s\n", values->str);
    return g_string_free(to, FALSE);
}
