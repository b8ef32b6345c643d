#pragma once
/* project_file - the file that measures a project again, from what the API says of it. */
#include <glib.h>
#include <jansson.h>

/**
 * ci_project_file - YAML (of its flow style, which JSON is) that `moowatch run` reads.
 * project    as the API has it; benchmark: of an experiment, with the values of environment
 *            variables; level: of the intervals
 * Caller frees; NULL with error (CI_ERROR_INPUT): those values are withheld.
 */
char *ci_project_file(const json_t *project, const json_t *experiment,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
