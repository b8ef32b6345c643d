#include "runner/ground/log.h"

#include "config/log_time.h"
#include "config/shown.h"

#include <string.h>
#include <unistd.h>

void run_log(const char *level, const char *component, const char *event, const char *format, ...) {
    g_autofree char *begin = cfg_log_begin();
    g_autoptr(GString) line = g_string_new(begin);
    g_string_append_printf(line, "%s %s %s ", level, component, event);
    va_list values;
    va_start(values, format);
    g_string_append_vprintf(line, format, values);
    va_end(values);
    g_autofree char *shown = cfg_shown(line->str);
    g_strdelimit(shown, "\n\t", ' ');
    g_autofree char *whole = g_strconcat(g_strchomp(shown), "\n", NULL);
    /* A log that cannot be written must not end a measurement. */
    ssize_t written = write(STDERR_FILENO, whole, strlen(whole));
    (void)written;
}
