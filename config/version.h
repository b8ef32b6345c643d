#pragma once
/* version - which moowatch this is. */

/**
 * cfg_version_commit - the commit that the program was built from: 12 digits, and "+" when a file
 * of it was changed. "": not known, in a debug build and outside of a repository.
 */
const char *cfg_version_commit(void);

/** cfg_version_print - "moowatchd 0.1.0 (ab0b069c1234)", a line on standard output. */
void cfg_version_print(const char *program);
