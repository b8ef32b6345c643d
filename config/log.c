#include "config/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VALUE_MAX = 2000 };

static bool plain(const char *value) {
    if (value[0] == '\0')
        return false;
    for (const char *c = value; *c != '\0'; c++)
        if (!g_ascii_isalnum(*c) && strchr("._-/:+,@%", *c) == NULL)
            return false;
    return true;
}

/* As it stands between quotation marks: those, backslashes, control characters, turns of the
 * direction of writing and what is not UTF-8 are escaped; at most VALUE_MAX bytes of it. */
static void log_escape(GString *line, const char *value) {
    g_autofree char *cut = g_strndup(value, VALUE_MAX);
    g_autofree char *valid = g_utf8_make_valid(cut, -1);
    for (const char *c = valid; *c != '\0'; c = g_utf8_next_char(c)) {
        gunichar u = g_utf8_get_char(c);
        if (u == '"' || u == '\\')
            g_string_append_printf(line, "\\%c", (char)u);
        else if (u == '\n')
            g_string_append(line, "\\n");
        else if (g_unichar_iscntrl(u) || g_unichar_type(u) == G_UNICODE_FORMAT || u == 0x2028 ||
                 u == 0x2029)
            g_string_append_printf(line, "\\u%04x", u);
        else
            g_string_append_unichar(line, u);
    }
}

/* As it stands behind "key=": in quotation marks, unless it is plain. */
static void log_value(GString *line, const char *value) {
    if (plain(value) && strlen(value) <= VALUE_MAX) {
        g_string_append(line, value);
        return;
    }
    g_string_append_c(line, '"');
    log_escape(line, value);
    g_string_append_c(line, '"');
}

/* Does what reads this file note the time of each line itself, as the journal
 * does? systemd names the journal's socket in $JOURNAL_STREAM ("device:inode").
 * stream  that variable, or NULL */
static bool log_is_timed(int file, const char *stream) {
    struct stat status;
    if (!stream || fstat(file, &status) != 0)
        return false;
    g_autofree char *own = g_strdup_printf("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                           (guint64)status.st_dev, (guint64)status.st_ino);
    return g_str_equal(own, stream);
}

/* "2026-11-22T08:20:05Z " of Unix microseconds; caller frees. */
static char *log_time(gint64 now_us) {
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(now_us / G_USEC_PER_SEC);
    return g_date_time_format(time, "%Y-%m-%dT%H:%M:%SZ ");
}

/* What a line on standard error begins with now: the time, or "". Caller frees. */
static char *log_begin(void) {
    if (log_is_timed(STDERR_FILENO, g_getenv("JOURNAL_STREAM")))
        return g_strdup("");
    return log_time(g_get_real_time());
}

typedef struct {
    GString *line;
    bool quoted; /* between quotation marks of the format */
    va_list values;
} writer;

/* A text behind "key=" or between quotation marks is a value, whatever it holds; -1: all of it.
 * text  NULL: the key that it stands behind goes, too */
static void append_text(writer *w, const char *text, int most) {
    g_autofree char *value = most < 0 ? g_strdup(text ? text : "") : g_strndup(text, (gsize)most);
    const bool is_value = !w->quoted && g_str_has_suffix(w->line->str, "=");
    if (w->quoted)
        log_escape(w->line, value);
    else if (is_value && !text)
        g_string_truncate(w->line, (gsize)(strrchr(w->line->str, ' ') - w->line->str));
    else if (is_value)
        log_value(w->line, value);
    else
        g_string_append(w->line, value);
}

/* What stands behind a '%'; returns what stands behind that. As far as our lines go. */
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

void cfg_log(const char *level, const char *component, const char *event, const char *format, ...) {
    g_autofree char *begin = log_begin();
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
    /* A log that cannot be written is nobody's reason to stop. */
    while (write(STDERR_FILENO, whole, strlen(whole)) < 0 && errno == EINTR) {
    }
}
