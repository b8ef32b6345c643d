#pragma once
/*
 * lines - results from elsewhere as the JSON lines that moowatchd import takes in (docs/export.md).
 *
 * Nothing is made up: what a file does not say is left out. Loops that a file has are loops; a
 * value with an interval alone becomes two loops around it whose Student interval is that one; a
 * value without becomes a single loop. What is left out, moved or concluded is told.
 */
#include "ci/formats/moobench.h"

#include <jansson.h>

typedef struct {
    const char *project; /* its name on the server */
    const char *suite;   /* which one; NULL: the only one there is */
    const char *chain;   /* see chain.h; NULL: by upstream's labels */
    const char *commit;  /* full id, of results that name none; NULL: none is known */
    const char *night;   /* "YYYY-MM-DD", of results that name none; NULL: none is known */
    GPtrArray *told;     /* [char*] gets lines for people; NULL: nobody reads them */
} ci_lines_options;

/**
 * ci_lines_of_nights - what ci_import gives, one suite of it.
 * Returns an array of the lines as objects, oldest night first, owned; NULL with error
 * (CI_ERROR_INPUT, CI_ERROR_USAGE).
 */
json_t *ci_lines_of_nights(const json_t *nights, const ci_lines_options *options,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_lines_of_results - raw results: every loop with its statistics. Needs commit and night. */
json_t *ci_lines_of_results(const ci_results *results, const ci_lines_options *options,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
