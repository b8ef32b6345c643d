#pragma once
/*
 * locks - what a git that was killed has locked in a mirror for ever.
 *
 * git takes a lock by making NAME.lock and removes it when it ends; after kill -9, a limit or a
 * power cut it stays, and each later fetch is refused that name: a branch stays where it was, and
 * all after it is fetched again each time.
 */
#include <glib.h>
#include <stdbool.h>

/**
 * run_locks_remove - from a bare repository that no git works on now; one that is not there has
 * none. Links are not followed. Returns false with RUN_ERROR_NODE when it cannot be looked through.
 */
bool run_locks_remove(const char *mirror, GError **error) G_GNUC_WARN_UNUSED_RESULT;
