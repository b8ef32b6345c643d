#pragma once
/*
 * catalog - the projects as configured now, and what is wrong with those that are not.
 * Replaced as a whole on reload; whoever uses one holds a reference. Immutable once made.
 */
#include "config/config.h"
#include "config/schedule.h"

typedef struct srv_catalog {
    GPtrArray *projects; /* cfg_project* */
    GPtrArray *problems; /* char*, "FILE:LINE: …" */
    unsigned references; /* guarded by the lock of its holder (context.h) */
} srv_catalog;

/**
 * srv_catalog_load - every usable project of a folder; addresses and branch names are checked too.
 * NULL with error when the folder cannot be read.
 */
srv_catalog *srv_catalog_load(const char *projects_dir, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_catalog_free(srv_catalog *catalog);

/** srv_catalog_find - by name; borrowed; NULL when there is none. */
const cfg_project *srv_catalog_find(const srv_catalog *catalog, const char *name);

/** srv_catalog_branch - the name that a branch of a project is kept under; one that is not followed
 * (any more) has the name that it would have. Caller frees. */
char *srv_catalog_branch(const srv_catalog *catalog, const char *project, const char *branch);

/** srv_catalog_schedule - when a project's nights are. Owned by the caller; NULL with error. */
cfg_schedule *srv_catalog_schedule(const cfg_project *project,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_catalog_night - the date of the night that a commit belongs to by its own time.
 * time_ms  committer's time; one in the future counts as now_ms
 */
void srv_catalog_night(const cfg_project *project, int64_t time_ms, int64_t now_ms, char out[11]);
