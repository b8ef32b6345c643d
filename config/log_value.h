#pragma once
/* log_value - a stranger's text in a line of a log: it can neither end the value nor the line. */
#include <glib.h>

/* cfg_log_escape - as it stands between quotation marks: those, backslashes, control characters,
 * turns of the direction of writing and what is not UTF-8 are escaped; at most 2000 bytes of it. */
void cfg_log_escape(GString *line, const char *value);

/* cfg_log_value - as it stands behind "key=": in quotation marks, unless it is plain. */
void cfg_log_value(GString *line, const char *value);
