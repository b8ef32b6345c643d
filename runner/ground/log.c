#include "runner/ground/log.h"

#include "config/shown.h"
#include "runner/ground/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

G_DEFINE_QUARK(moowatch - run - error - quark, run_error)

typedef struct {
    GString *line;
    bool quoted; /* between quotation marks of the format */
    va_list values;
} writer;

/* A text behind "key=" or between quotation marks is a value, whatever it holds; -1: all of it. */
static void append_text(writer *w, const char *text, int most) {
    g_autofree char *value = most < 0 ? g_strdup(text ? text : "") : g_strndup(text, (gsize)most);
    if (w->quoted)
        cfg_log_escape(w->line, value);
    else if (g_str_has_suffix(w->line->str, "="))
        cfg_log_value(w->line, value);
    else
        g_string_append(w->line, value);
}

/* What stands behind a '%'; returns what stands behind that. As far as this program's lines go. */
static const char *append(writer *w, const char *c) {
    int precision = -1;
    if (*c == '.') {
        char *end = NULL;
        precision = (int)strtol(c + 1, &end, 10);
        c = end;
    }
    const size_t longs = strspn(c, "l");
    c += longs;
    if (*c == 's')
        append_text(w, va_arg(w->values, const char *), precision);
    else if (*c == 'f')
        g_string_append_printf(w->line, "%.*f", precision, va_arg(w->values, double));
    else if (*c == 'u' && longs > 0)
        g_string_append_printf(w->line, "%lu", va_arg(w->values, unsigned long));
    else if (*c == 'u')
        g_string_append_printf(w->line, "%u", va_arg(w->values, unsigned));
    else if (*c == 'd' && longs > 1)
        g_string_append_printf(w->line, "%lld", va_arg(w->values, long long));
    else if (*c == 'd' && longs > 0)
        g_string_append_printf(w->line, "%ld", va_arg(w->values, long));
    else if (*c == 'd')
        g_string_append_printf(w->line, "%d", va_arg(w->values, int));
    else
        g_error("a line of the log has a conversion that is not known: %s", c);
    return c + 1;
}

void run_log(const char *level, const char *component, const char *event, const char *format, ...) {
    g_autofree char *begin = cfg_log_begin();
    writer w = {.line = g_string_new(begin)};
    g_string_append_printf(w.line, "%s %s %s ", level, component, event);
    va_start(w.values, format);
    for (const char *c = format; *c != '\0';) {
        if (*c == '%') {
            c = append(&w, c + 1);
            continue;
        }
        w.quoted ^= *c == '"';
        g_string_append_c(w.line, *c++);
    }
    va_end(w.values);
    g_strchomp(w.line->str);
    g_autofree char *whole = g_strconcat(w.line->str, "\n", NULL);
    g_string_free(w.line, TRUE);
    /* A log that cannot be written must not end a measurement. */
    ssize_t written = write(STDERR_FILENO, whole, strlen(whole));
    (void)written;
}

bool run_fail(GError **error, run_error code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    g_set_error_literal(error, RUN_ERROR, code, valid);
    return false;
}

bool run_cannot(GError **error, const char *what, const char *path) {
    return run_fail(error, RUN_ERROR_NODE, "cannot %s %s: %s", what, path, g_strerror(errno));
}
