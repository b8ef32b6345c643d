#pragma once
/* clock - for those who start things; what can be given a time takes it. */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** srv_now_ms - Unix milliseconds. */
int64_t srv_now_ms(void);

/** srv_monotonic_ms - milliseconds of a clock that goes on evenly and that nobody sets: for what is
 * waited for. A wall clock that is set back would make it wait longer by as much. */
int64_t srv_monotonic_ms(void);

#define SRV_DAY_MS INT64_C(86400000)

/** srv_day_read - "YYYY-MM-DD" as days since 1970-01-01; false when it is not a date (or NULL). */
bool srv_day_read(const char *date, int64_t *day);

/** srv_day_text - the inverse; out has room for "YYYY-MM-DD", years 0001 to 9999. */
void srv_day_text(int64_t day, char out[11]);

/** srv_minute_text - "2026-11-27 22:10 UTC"; caller frees. */
char *srv_minute_text(int64_t at_ms);

/**
 * srv_night_over_ms - when a night was over everywhere on Earth, at most now: what it tells is as
 * old as that.
 * night  YYYY-MM-DD; NULL or no date: now
 */
int64_t srv_night_over_ms(const char *night, int64_t now_ms);

/* span - a length of time as people write it: "90d", "12h", "30m", "2w". */

/**
 * srv_span_read - text in milliseconds: a whole number and m, h, d or w.
 * max_ms  the longest that is taken
 * Returns false with error (G_IO_ERROR_INVALID_ARGUMENT) that says what is.
 */
bool srv_span_read(const char *text, int64_t max_ms, int64_t *ms,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
