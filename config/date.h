#pragma once
/*
 * date - the days that people write: "2013-04-17".
 */
#include <glib.h>
#include <stdbool.h>

/**
 * cfg_date_read - YYYY-MM-DD, a day of the calendar, and nothing else; text may be NULL.
 * out  written only when true
 */
bool cfg_date_read(const char *text, GDate *out);
