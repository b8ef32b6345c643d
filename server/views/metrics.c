#include "server/views/views.h"

#include <math.h>
#include <stdarg.h>

struct srv_metrics {
    GString *text;
    const char *name; /* of the family under way; borrowed from the caller's constants */
};

srv_metrics *srv_metrics_new(void) {
    srv_metrics *metrics = g_new0(srv_metrics, 1);
    metrics->text = g_string_new("");
    return metrics;
}

void srv_metrics_free(srv_metrics *metrics) {
    if (!metrics)
        return;
    g_string_free(metrics->text, TRUE);
    g_free(metrics);
}

static void append_escaped(GString *text, const char *value) {
    g_autofree char *valid = g_utf8_make_valid(value, -1);
    for (const char *c = valid; *c != '\0'; c++)
        if (*c == '\n')
            g_string_append(text, "\\n");
        else if (*c == '"' || *c == '\\')
            g_string_append_printf(text, "\\%c", *c);
        else
            g_string_append_c(text, *c);
}

void srv_metrics_family(srv_metrics *metrics, const char *name, const char *type, const char *unit,
                        const char *help) {
    metrics->name = name;
    g_string_append_printf(metrics->text, "# TYPE %s %s\n", name, type);
    if (unit)
        g_string_append_printf(metrics->text, "# UNIT %s %s\n", name, unit);
    g_string_append_printf(metrics->text, "# HELP %s ", name);
    append_escaped(metrics->text, help);
    g_string_append_c(metrics->text, '\n');
}

void srv_metrics_sample(srv_metrics *metrics, double value, ...) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    va_list pairs;
    if (!isfinite(value))
        return;
    g_string_append(metrics->text, metrics->name);
    va_start(pairs, value);
    char open = '{';
    for (const char *name = va_arg(pairs, const char *); name; name = va_arg(pairs, const char *)) {
        g_string_append_printf(metrics->text, "%c%s=\"", open, name);
        append_escaped(metrics->text, va_arg(pairs, const char *));
        g_string_append_c(metrics->text, '"');
        open = ',';
    }
    va_end(pairs);
    if (open == ',')
        g_string_append_c(metrics->text, '}');
    /* A point as the decimal separator whatever the locale. */
    g_string_append_printf(metrics->text, " %s\n",
                           g_ascii_formatd(number, sizeof number, "%.15g", value));
}

char *srv_metrics_text(srv_metrics *metrics) {
    return g_strconcat(metrics->text->str, "# EOF\n", NULL);
}
