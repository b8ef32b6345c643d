#pragma once
/* crate - what says of a data set what it is: RO-Crate metadata, CITATION.cff, a README. */
#include <glib.h>
#include <jansson.h>

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
