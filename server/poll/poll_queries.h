#pragma once
/*
 * poll_queries - what is asked of the releases among a project's commits, and of the commits that
 * its other branches may have.
 */
#include "server/store/store_sql.h"

/* srv__releases_marked - {"sha","release"} of the commits that carry one; owned, NULL with error.
 */
json_t *srv__releases_marked(srv_store *store, int64_t project,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__release_set - the release of a commit, NULL: it has none; one that is so already, or that
 * nobody measured, is not written. */
bool srv__release_set(srv_store *store, int64_t project, const char *sha, const char *release,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__backports_wanted - {"alert","project","commit"} of the newest alerts of a project's other
 * branches whose commit is known, and that this branch was not asked for at this head, those last
 * that it could not be asked for most often; project: the name that the alert's branch is kept
 * under. Owned, NULL with error. */
json_t *srv__backports_wanted(srv_store *store, const char *project, const char *head,
                              unsigned count, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What a branch answered. */
typedef struct {
    int64_t alert;
    const char *project; /* the name that the branch is kept under */
    const char *head;    /* its newest commit */
    const char *state;   /* has, picked, lacks, unknown */
    const char *as;      /* of picked: the id; else NULL */
} srv__backport;

/* srv__backport_tried - a branch (the name it is kept under) could not be asked for an alert. */
bool srv__backport_tried(srv_store *store, const char *project, int64_t alert,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__backport_keep - in place of what it answered before. */
bool srv__backport_keep(srv_store *store, const srv__backport *backport,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
