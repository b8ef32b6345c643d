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
