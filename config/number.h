#pragma once
/*
 * number - whole numbers from text, read by us alone.
 *
 * GLib's g_ascii_string_to_unsigned() looks at errno after it has made its locale, once a process:
 * when two threads come to that together, one of them finds errno of the lock it waited for and
 * calls a good number wrong. Requests right after a start were answered 400 so.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * cfg_number_unsigned - decimal digits and nothing else, from min to max.
 * text  NULL is not a number
 * out   written only when true
 */
bool cfg_number_unsigned(const char *text, uint64_t min, uint64_t max, uint64_t *out);

/** cfg_number_signed - the same with at most one '-' before the digits. */
bool cfg_number_signed(const char *text, int64_t min, int64_t max, int64_t *out);

/** cfg_is_sha256, cfg_is_commit - 64 hexadecimal digits in small letters and nothing else; the
 * full id of a commit, which has 40 or 64. NULL: false. */
bool cfg_is_sha256(const char *text);
bool cfg_is_commit(const char *text);

/*
 * date - the days and the times of day that people write: "2013-04-17", "03:00".
 */

/** cfg_clock_read - the minute of the day of "HH:MM" and what stands behind it; -1: it is none.
 * cfg_is_clock - it is one, and nothing else. */
int cfg_clock_read(const char *text, char end);
bool cfg_is_clock(const char *text);

/**
 * cfg_date_read - YYYY-MM-DD, a day of the calendar, and nothing else; text may be NULL.
 * out  written only when true
 */
bool cfg_date_read(const char *text, GDate *out);
