#pragma once
/*
 * catalog - the projects as configured now, and what is wrong with those that are not.
 * Replaced as a whole on reload; whoever uses one holds a reference. Immutable once made.
 */
#include "config/config.h"

typedef struct srv_catalog {
    GPtrArray *projects; /* cfg_project* */
    GPtrArray *problems; /* char*, "FILE:LINE: …" */
    unsigned references; /* guarded by the holder's lock (app.h) */
} srv_catalog;

/**
 * srv_catalog_load - every usable project of a folder; addresses and branch names are checked too.
 * NULL with error when the folder cannot be read.
 */
srv_catalog *srv_catalog_load(const char *projects_dir, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_catalog_free(srv_catalog *catalog);

/** srv_catalog_find - by name; borrowed; NULL when there is none. */
const cfg_project *srv_catalog_find(const srv_catalog *catalog, const char *name);
