#pragma once
/*
 * links - the configurations of imported nights: one key for one thing, and what is compared with
 * what.
 */
#include "ci/formats/chain.h"

#include <jansson.h>

/**
 * ci_links_of_nights - one for each name; a label that MooBench has renamed is the same one, and is
 * called as in the newest night.
 * chain  as told on the command line (chain.h); NULL: MooBench's where its labels are there, else
 *        none: nothing is subtracted
 * told   [char*] gets what was concluded
 * Returns [ci_link*] with keys as names, parents first, to g_ptr_array_unref; NULL with error
 * (CI_ERROR_INPUT): no value, more than can be analysed, two names of one thing in one night.
 */
GPtrArray *ci_links_of_nights(const json_t *nights, const char *chain, GPtrArray *told,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_links_find - where the one of that name is, -1: nowhere. */
int ci_links_find(const GPtrArray *links, const char *name);
