#pragma once
/*
 * dataset - a project's nights as a data set for an archive: tables with a dictionary,
 * environments, how it was measured, checksums, licence, citation, RO-Crate metadata.
 */
#include "ci/command/client.h"
#include "ci/dataset/crate.h"

#include <glib.h>
#include <stdbool.h>

typedef struct {
    const char *folder;
    const char *title;          /* NULL: of the project */
    const char *license;        /* NULL: CC-BY-4.0 */
    const char *const *authors; /* NULL or none: the project's contributors */
    const char *date;
    unsigned nights; /* the newest; 0: all */
    bool raw;        /* with the raw values that the server has */
} ci_dataset_options;

/**
 * ci_dataset_write - into a new or empty folder; false with error: CI_ERROR_INPUT, CI_ERROR_SERVER.
 */
bool ci_dataset_write(ci_client *client, const char *project, const ci_dataset_options *options,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* sums - SHA-256 of a folder's files, as sha256sum writes and checks them. */

#define CI_SUMS "SHA256SUMS"

/** ci_sums_write - of these files below the folder, into its SHA256SUMS. paths: NULL-terminated. */
bool ci_sums_write(const char *folder, char **paths, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_sums_check - every file that SHA256SUMS names is there and as it was; else CI_ERROR_INPUT
 * names the first that is not. needed  NULL-terminated: paths that it must name, those that are
 * read
 */
bool ci_sums_check(const char *folder, const char *const *needed,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
