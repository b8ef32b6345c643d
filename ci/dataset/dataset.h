#pragma once
/*
 * dataset - a project's nights as a data set for an archive: tables with a dictionary,
 * environments, how it was measured, checksums, licence, citation, RO-Crate metadata.
 */
#include "ci/command/client.h"

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/* crate - what says of a data set what it is: RO-Crate metadata, CITATION.cff, a README. */

typedef struct {
    const char *title, *description;
    const char *repository;     /* of the code that was measured; may be no web address */
    const char *license;        /* an SPDX identifier, as "CC-BY-4.0" */
    const char *const *authors; /* NULL-terminated, at least one */
    const char *date;           /* "2026-11-22": when the data set was made */
} ci_about;

typedef struct {
    const char *path, *about, *type; /* type: a media type */
    guint64 bytes;
} ci_part;

/** ci_crate_metadata - ro-crate-metadata.json (RO-Crate 1.1); parts: of the data set; owned. */
json_t *ci_crate_metadata(const ci_about *about, const ci_part *parts, gsize count);

/** ci_crate_citation - CITATION.cff (1.2.0); caller frees. */
char *ci_crate_citation(const ci_about *about);

/** ci_crate_license - the text of LICENSE; caller frees. */
char *ci_crate_license(const ci_about *about);

/** ci_crate_readme - README.md; caller frees. */
char *ci_crate_readme(const ci_about *about, const ci_part *parts, gsize count);

/* project_file - the file that measures a project again, from what the API says of it. */

/**
 * ci_project_file - YAML (of its flow style, which JSON is) that `moowatch run` reads.
 * project    as the API has it; benchmark: of an experiment, with the values of environment
 *            variables; level: of the intervals
 * Caller frees; NULL with error (CI_ERROR_INPUT): those values are withheld.
 */
char *ci_project_file(const json_t *project, const json_t *experiment,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

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

/**
 * ci_sums_check - every file that SHA256SUMS names is there and as it was; else CI_ERROR_INPUT
 * names the first that is not. needed  NULL-terminated: paths that it must name, those that are
 * read
 */
bool ci_sums_check(const char *folder, const char *const *needed,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* table - the tables of a data set: CSV as RFC 4180 has it, and the dictionary of their columns. */

typedef struct {
    const char *name;
    const char *path; /* where a row's object has it: "it.statistics.sd_ns" */
    const char *unit; /* "ns", "ms since 1970", "" */
    const char *meaning;
} ci_column;

typedef struct {
    const char *file; /* "portions.csv" */
    const char *about;
    const ci_column *columns; /* up to one without a name */
} ci_table;

/* ci_tables - all tables of a data set, up to one without a file: nights, portions, configurations,
 * loops. */
extern const ci_table ci_tables[];

/** ci_table_csv - head and rows, lines ending in CR LF; numbers as short as they read back the
 * same, null is empty. experiments: as the API has them, oldest first. Caller frees. */
char *ci_table_csv(const ci_table *table, const json_t *experiments);

/** ci_table_dictionary - a row for every column of every table; caller frees. */
char *ci_table_dictionary(void);
