#pragma once
/* shown - text of others (labels, names in archives, what a server or a receiver answers) for a
 * terminal: all that our programs write there goes through here. */
#include <glib.h>

/**
 * cfg_shown - a copy without what a terminal or a reader's eye would obey: control characters other
 * than line feed and tab, those of U+0080 to U+009F, and turns of the direction of writing become
 * U+FFFD, as does what is not UTF-8. Caller frees.
 */
char *cfg_shown(const char *text);

/** cfg_complain - "WHO: TEXT" as cfg_shown has it, and a line feed, to stderr. */
void cfg_complain(const char *who, const char *text);

/*
 * log - what a line of a log needs: its time in front, where nobody else notes it, and a stranger's
 * text so that it can neither end the value nor the line.
 */

/* cfg_log_escape - as it stands between quotation marks: those, backslashes, control characters,
 * turns of the direction of writing and what is not UTF-8 are escaped; at most 2000 bytes of it. */
void cfg_log_escape(GString *line, const char *value);

/* cfg_log_value - as it stands behind "key=": in quotation marks, unless it is plain. */
void cfg_log_value(GString *line, const char *value);

/** cfg_log_begin - what a line on standard error begins with now: the time, or "". Caller frees. */
char *cfg_log_begin(void);
