#pragma once
/* folder - a temporary folder of a test, in memory where that is possible: each acknowledged call
 * of a store waits for the disk. */

/* Its path; the caller's. */
char *folder_new(void);
/* Removes it with all that is in it, and frees the path. */
void folder_free(char *path);
/* Writes a file into it; its path, the caller's. */
char *folder_file(const char *path, const char *name, const char *text);
