#pragma once
/*
 * log - one line per event on stderr: `level component event key=value …`, with its time in
 * front where nobody else notes it (config/shown.h).
 */
#include <glib.h>

/* run_log - prints one line. A %s behind "key=" or between quotation marks is a value: it is
 * escaped (config/shown.h), and quoted if need be. Never pass a secret. */
void run_log(const char *level, const char *component, const char *event, const char *format, ...)
    G_GNUC_PRINTF(4, 5);
