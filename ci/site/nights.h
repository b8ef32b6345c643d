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

/** ci_site_nights_places - of nights that are kept as they are. */
void ci_site_nights_places(const ci_source *source, const char *project, json_t *places);
