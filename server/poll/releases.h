#pragma once
/*
 * releases - which of the measured commits carry a tag that makes them a release.
 */
#include "server/store/store.h"

#include <jansson.h>

/**
 * srv_releases_mark - make the project's releases exactly these.
 * releases   {"<commit's full id>": "<tag>"}; commits that the store does not know are passed
 *            over, earlier releases that are not among them are dropped. NULL: none
 */
bool srv_releases_mark(srv_store *store, const char *project, json_t *releases,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
