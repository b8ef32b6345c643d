#include "config/shown.h"

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPLACEMENT = 0xfffd };

static bool is_obeyed(gunichar c) {
    const bool control = (c < ' ' && c != '\n' && c != '\t') || (c >= 0x7f && c < 0xa0);
    const bool turn =
        c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return control || turn;
}

char *cfg_shown(const char *text) {
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    GString *out = g_string_new(NULL);
    for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);
        g_string_append_unichar(out, is_obeyed(c) ? REPLACEMENT : c);
    }
    return g_string_free(out, FALSE);
}

void cfg_complain(const char *who, const char *text) {
    g_autofree char *shown = cfg_shown(text);
    (void)fprintf(stderr, "%s: %s\n", who, shown);
}

enum { VALUE_MAX = 2000 };

static bool plain(const char *value) {
    if (value[0] == '\0')
        return false;
    for (const char *c = value; *c != '\0'; c++)
        if (!g_ascii_isalnum(*c) && strchr("._-/:+,@%", *c) == NULL)
            return false;
    return true;
}

void cfg_log_escape(GString *line, const char *value) {
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

void cfg_log_value(GString *line, const char *value) {
    if (plain(value) && strlen(value) <= VALUE_MAX) {
        g_string_append(line, value);
        return;
    }
    g_string_append_c(line, '"');
    cfg_log_escape(line, value);
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

char *cfg_log_begin(void) {
    if (log_is_timed(STDERR_FILENO, g_getenv("JOURNAL_STREAM")))
        return g_strdup("");
    return log_time(g_get_real_time());
}
