#pragma once
/*
 * log - one line an event on standard error: "level component event key=value …", with its time in
 * front where nobody else notes it (config/shown.h).
 * Values are quoted when they hold anything but plain characters; control characters are escaped,
 * so a stranger's text can never make a second line. Never give it a secret. Thread-safe: one write
 * a line.
 */
#include <glib.h>

/**
 * srv_log_info, srv_log_warning, srv_log_error - component and event are plain words; then pairs of
 * key and value (const char *, NULL value: left out), ended by NULL.
 */
void srv_log_info(const char *component, const char *event, ...) G_GNUC_NULL_TERMINATED;
void srv_log_warning(const char *component, const char *event, ...) G_GNUC_NULL_TERMINATED;
void srv_log_error(const char *component, const char *event, ...) G_GNUC_NULL_TERMINATED;
