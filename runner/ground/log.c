#include "runner/ground/log.h"

#include "config/log_time.h"

#include <unistd.h>

void run_log(const char *level, const char *component, const char *event, const char *format, ...) {
    g_autofree char *begin = cfg_log_begin();
    g_autoptr(GString) line = g_string_new(begin);
    g_string_append_printf(line, "%s %s %s ", level, component, event);
    va_list values;
    va_start(values, format);
    g_string_append_vprintf(line, format, values);
    va_end(values);
    for (gsize i = 0; i < line->len; i++)
        if ((unsigned char)line->str[i] < ' ' || line->str[i] == 0x7f)
            line->str[i] = ' ';
    while (line->len > 0 && line->str[line->len - 1] == ' ')
        g_string_truncate(line, line->len - 1);
    g_string_append_c(line, '\n');
    /* A log that cannot be written must not end a measurement. */
    ssize_t written = write(STDERR_FILENO, line->str, line->len);
    (void)written;
}
