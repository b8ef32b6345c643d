#pragma once
/*
 * log - one line an event on standard error: "level component event key=value …", with its time in
 * front where nobody else notes it.
 *
 * Values are quoted when they hold anything but plain characters; control characters are escaped,
 * so a stranger's text can never make a second line. Never give it a secret. Thread-safe: one write
 * a line.
 */
#include <glib.h>

/* cfg_log - prints one line. A %s behind "key=" or between quotation marks is a value: it is
 * escaped, and quoted if need be; where it is NULL, its key is left out. level: info, warning or
 * error; component and event are plain words. */
void cfg_log(const char *level, const char *component, const char *event, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
