#pragma once
/*
 * nights - a project's nights in a site, a file a month and project: the nights themselves, and
 * what the API says of each experiment beside. A new night changes the newest month alone.
 */
#include "ci/site/source.h"

/**
 * ci_site_nights - writes what changed of a project's nights.
 * places  gets an object {id, project, month} of each experiment; locked by the caller
 */
bool ci_site_nights(const ci_source *source, const char *project, json_t *places,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_site_experiment - an experiment as a site has it: without addresses of raw values; owned. */
json_t *ci_site_experiment(const ci_source *source, json_int_t id,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_site_round - every real in a value with at most so many significant digits, in place. */
void ci_site_round(json_t *value, int digits);

/** ci_site_subtract - what of a is not just so in b: objects by key, lists of one length by
 * element; NULL: nothing. Owned. */
json_t *ci_site_subtract(json_t *a, const json_t *b);
