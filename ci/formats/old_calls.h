#pragma once
/* old_calls - raw files of moowatch 0.1: columns in blocks, ".calls". Read, never written.
 */
#include <glib.h>
#include <stdio.h>

#define CI_OLD_CALLS_MAGIC "\x89MWCALS" /* and a byte, the version: 1 */

/**
 * ci_old_calls_write - the lines of such a file, byte for byte, to an open file.
 * bytes  [size] the whole file, beginning with the magic
 * Returns NULL, or what is wrong in a clause ("it is cut off"), static.
 */
const char *ci_old_calls_write(const guint8 *bytes, gsize size, FILE *to);
