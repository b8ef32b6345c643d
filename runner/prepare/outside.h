#pragma once
/*
 * outside - what `prepare` names that no commit holds: a script of the node's. When somebody edits
 * it, what was prepared with it before is out of date.
 */
#include <glib.h>

/**
 * run_outside_hash - hex SHA-256 over the files that words name by an absolute path, or below
 * {harness}; NULL: there are none. To g_free.
 * words        of the command; NULL-ended, may be NULL
 * harness_dir  what {harness} stands for
 * The bytes of a regular file count; of what cannot be read or is larger than 64 MiB its size, its
 * inode and when it was changed. Folders and programs that PATH finds are not looked at.
 */
char *run_outside_hash(char *const *words, const char *harness_dir);
