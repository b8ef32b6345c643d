#pragma once
/* shown - text of others (labels, names in archives, what a server answers) for a terminal. */

/**
 * ci_shown - a copy without what a terminal or a reader's eye would obey: control characters other
 * than line feed and tab, those of U+0080 to U+009F, and turns of the direction of writing become
 * U+FFFD, as does what is not UTF-8. Caller frees.
 */
char *ci_shown(const char *text);
