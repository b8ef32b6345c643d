#pragma once
/*
 * commits - the rows of the commits that are, or were, to be measured.
 */
#include "server/store/store.h"

/* A commit as git shows it; strings are UTF-8 (the caller has cleaned them) and borrowed. */
typedef struct {
    const char *sha; /* full hex id: 40 or 64 digits */
    const char *author;
    const char *author_email;
    int64_t time_ms; /* committer's time */
    const char *subject;
    const char *parent; /* first parent's id; NULL: unknown or none */
    int64_t place;      /* on its branch's first-parent line, from 1; 0: unknown */
} srv_commit;

/* srv__commit_check - a full commit id, and a date that exists? Error: INVALID. */
bool srv__commit_check(const srv_commit *commit, const char *night,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__revision_keep - the key of a commit's row, made when new; in a transaction. */
bool srv__revision_keep(srv_store *store, int64_t project, const srv_commit *commit, int64_t *id,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
