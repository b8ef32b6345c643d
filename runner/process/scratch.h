#pragma once
/*
 * scratch - directories that untrusted programs wrote into: made, weighed, given away, removed.
 *
 * Symbolic links are never followed, however deep or hostile the tree is (walk.h).
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* run_scratch_is_below - is it the folder, or a path that begins with it? Both as they are written.
 */
bool run_scratch_is_below(const char *path, const char *folder);

/* run_scratch_make - an empty directory (an old one is removed), mode 0700, parents as needed. */
bool run_scratch_make(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_scratch_open - let another user pass through an existing directory, not list it: mode
 * 0711. */
bool run_scratch_open(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_scratch_remove - the whole tree; a missing one is fine. */
bool run_scratch_remove(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_scratch_give - hand the whole tree to another user. */
bool run_scratch_give(const char *path, uid_t uid, gid_t gid,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_scratch_bytes - disk blocks below path in bytes, 0 when there is no path; UINT64_MAX when it
 * cannot be weighed: what cannot be looked at, is not a directory, or has more entries than
 * RUN_WALK_ENTRIES_MAX, is too much. */
uint64_t run_scratch_bytes(const char *path);

/* run_scratch_free_bytes - free for us on path's file system; UINT64_MAX when it cannot be told. */
uint64_t run_scratch_free_bytes(const char *path);

/* run_scratch_reserve - error (RUN_ERROR_NODE) when less than reserve_bytes is free at path. */
bool run_scratch_reserve(const char *path, uint64_t reserve_bytes,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
