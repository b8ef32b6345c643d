#pragma once
/*
 * removal - a directory and all that is in it goes, whoever wrote it.
 *
 * As walk.h goes: by descriptor, no path, no link followed, few descriptors. Nothing but two
 * numbers a level is kept in memory, so there is no number of entries and no depth that it cannot
 * remove.
 */
#include <glib.h>
#include <stdbool.h>

/**
 * run_removal - nobody may write there meanwhile.
 * top  a directory, not a link to one
 * Returns false with RUN_ERROR_NODE at the first entry that cannot be removed (something is mounted
 * there, the kernel holds it immutable, the disk fails).
 */
bool run_removal(const char *top, GError **error) G_GNUC_WARN_UNUSED_RESULT;
