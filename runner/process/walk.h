#pragma once
/*
 * walk - every entry of a directory tree that somebody else wrote, however deep, whatever is in it.
 *
 * By descriptor from directory to directory: no path is ever built, so none can be too long, and no
 * link is followed. At most RUN_WALK_OPEN_MAX descriptors are open; below so many levels the way
 * back is "..", which must be the directory that was left. Other file systems mounted inside are
 * entries that are not entered. Names are held in memory: more than RUN_WALK_ENTRIES_MAX entries,
 * or RUN_WALK_NAMES_BYTES_MAX of names at a time, end the walk.
 */
#include <glib.h>
#include <stdbool.h>
#include <sys/stat.h>

#define RUN_WALK_OPEN_MAX 32
#define RUN_WALK_ENTRIES_MAX 1000000
#define RUN_WALK_NAMES_BYTES_MAX ((size_t)64 << 20)

typedef enum {
    RUN_WALK_ENTER, /* a directory, before what is in it */
    RUN_WALK_LEAVE, /* the same, afterwards */
    RUN_WALK_OTHER  /* anything else, and directories that are not entered */
} run_walk_event;

typedef struct {
    run_walk_event event;
    int folder;       /* the directory that holds it; for the top AT_FDCWD */
    int opened;       /* ENTER: the directory itself; else -1 */
    const char *name; /* in folder */
    const struct stat *status;
    const char *below; /* path from the top, "" for the top itself; made for RUN_WALK_PATHS only */
} run_walk_step;

/* False ends the walk; error is set. */
typedef bool (*run_walk_visit)(void *data, const run_walk_step *step, GError **error);

enum {
    RUN_WALK_SORTED = 1, /* the entries of a directory in the order of their bytes */
    RUN_WALK_PATHS = 2,  /* below is made: costs time in deep trees */
    RUN_WALK_ALIVE = 4,  /* others may write meanwhile: what vanishes or changes is left out */
    RUN_WALK_EMPTIES = 8 /* the visit removes each entry, of which there may be any number; what
                            forbids its owner to enter is made to allow it first */
};

/**
 * run_walk - the top itself first and last.
 * top  a directory, not a link to one
 * Returns false with RUN_ERROR_NODE that names the place (shortened), or the visit's own error.
 */
bool run_walk(const char *top, unsigned flags, run_walk_visit visit, void *data,
              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_walk_open - the directory `name` in `folder` (or AT_FDCWD), not through a link.
 * take  one that forbids its owner to enter is made to allow it first
 * Returns a descriptor, or -1 with errno.
 */
int run_walk_open(int folder, const char *name, bool take);
