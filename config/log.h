#pragma once
/*
 * log - what a line of a log needs: its time in front, where nobody else notes it, and a stranger's
 * text so that it can neither end the value nor the line.
 */
#include <glib.h>
#include <stdbool.h>

/* cfg_log_escape - as it stands between quotation marks: those, backslashes, control characters,
 * turns of the direction of writing and what is not UTF-8 are escaped; at most 2000 bytes of it. */
void cfg_log_escape(GString *line, const char *value);

/* cfg_log_value - as it stands behind "key=": in quotation marks, unless it is plain. */
void cfg_log_value(GString *line, const char *value);

/**
 * cfg_log_is_timed - does what reads this file note the time of each line itself, as the journal
 * does? systemd names the journal's socket in $JOURNAL_STREAM ("device:inode").
 * stream  that variable, or NULL
 */
bool cfg_log_is_timed(int file, const char *stream);

/** cfg_log_time - "2026-11-22T08:20:05Z " of Unix microseconds; caller frees. */
char *cfg_log_time(gint64 now_us);

/** cfg_log_begin - what a line on standard error begins with now: the time, or "". Caller frees. */
char *cfg_log_begin(void);
