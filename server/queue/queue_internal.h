#pragma once
/*
 * queue_internal - what the other parts of the server may do to a job.
 */
#include "server/queue/queue.h"
#include "server/store/store_sql.h"

#define SRV__LOG_LIMIT_BYTES (64u * 1024u)

/* SQL over job j, its revision r, its benchmark b, and f, the artifact of a revision, LEFT
 * JOINed. */
#define SRV__ARTIFACT_JOIN(f, r)                                                                   \
    " LEFT JOIN artifact " f " ON " f ".project_id=j.project_id AND " f ".sha=" r ".sha AND " f    \
    ".name=b.artifact AND " f ".removed_ms IS NULL"
/* The artifact as a job carries it to a runner. */
#define SRV__ARTIFACT_FIELDS(f, r, key)                                                            \
    f ".name AS \"" key ".name\", " f ".sha256 AS \"" key ".sha256\", " f ".bytes AS \"" key       \
      ".bytes\", '/api/v1/projects/' || p.name || '/artifacts/' || " r ".sha || '/' || " f         \
      ".name AS \"" key ".url\""
/* Does the job need an artifact, of its commit or of the one it is held against, that is not
 * there? */
#define SRV__ARTIFACT_MISSING                                                                      \
    "(b.artifact IS NOT NULL AND (NOT EXISTS(SELECT 1 FROM artifact w"                             \
    " WHERE w.project_id=j.project_id AND w.sha=r.sha AND w.name=b.artifact"                       \
    " AND w.removed_ms IS NULL) OR (j.against_id IS NOT NULL AND NOT EXISTS(SELECT 1"              \
    " FROM artifact w JOIN revision s ON s.id=j.against_id WHERE w.project_id=j.project_id"        \
    " AND w.sha=s.sha AND w.name=b.artifact AND w.removed_ms IS NULL))))"
/* Until when it may wait, Unix ms: a night for so long, a trial not at all (its nights had
 * theirs). */
#define SRV__ARTIFACT_UNTIL                                                                        \
    "(j.queued_ms + CASE WHEN j.against_id IS NULL THEN 1000*b.artifact_wait_s ELSE 0 END)"

/* An artifact f as people see it (docs/api.md), to be followed by WHERE. */
#define SRV__ARTIFACT_VIEW                                                                         \
    "SELECT f.id, f.sha AS \"commit\", f.name, f.sha256, f.bytes, f.author, f.stored_ms,"          \
    " '/api/v1/projects/' || p.name || '/artifacts/' || f.sha || '/' || f.name AS url"             \
    " FROM artifact f JOIN project p ON p.id=f.project_id"

/* SQL over project p: does a node with these labels (SQL of a JSON array) lack one that is
 * needed? */
#define SRV__LABELS_LACK(labels)                                                                   \
    "EXISTS(SELECT 1 FROM json_each(p.detection, '$.node_labels') l WHERE NOT EXISTS(SELECT 1"     \
    " FROM json_each(" labels ") h WHERE h.value=l.value))"
/* SQL over job j, its benchmark b and project p: could a node do it? name, labels, can: SQL of the
 * node's name and of two JSON arrays, what it has and what it knows. */
#define SRV__NODE_ABLE(name, labels, can)                                                          \
    "(j.only_node IS NULL OR j.only_node=" name ") AND NOT " SRV__LABELS_LACK(                     \
        labels) " AND (j.kind NOT IN ('confirmation','bisection') OR " can                         \
                " LIKE '%\"confirmation\"%')"                                                      \
                " AND (b.artifact IS NULL OR " can " LIKE '%\"artifact\"%')"
/* SQL over job j, too: the labels it waits for, a JSON array; NULL: a node that has asked has
 * them. */
#define SRV__LABELS_NOWHERE                                                                        \
    "CASE WHEN j.state='queued' AND " SRV__LABELS_LACK(                                            \
        "'[]'") " AND NOT EXISTS(SELECT 1"                                                         \
                " FROM node n WHERE (j.only_node IS NULL OR j.only_node=n.name)"                   \
                " AND NOT " SRV__LABELS_LACK(                                                      \
                    "n.labels") ") THEN json_extract(p.detection,'$.node_labels') END"

/* What one row of job says about who holds it. */
typedef struct {
    int64_t id, project, revision, benchmark, attempts;
    char state[16], kind[16];
    bool held; /* the given lease is the job's present one */
} srv__holding;

/* srv__holding_get - NOT_FOUND when there is no such job. lease NULL: never held. */
bool srv__holding_get(srv_store *store, int64_t job, const char *lease, srv__holding *holding,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__holding_lost - set CONFLICT: who has it now; returns false. */
bool srv__holding_lost(const srv__holding *holding, GError **error);

/* srv__concerns_job - as srv__concerns, with the project of this job. */
bool srv__concerns_job(srv_store *store, int64_t job, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_done - the job's result is in; inside a transaction. */
bool srv__job_done(srv_store *store, int64_t job, int64_t experiment, int64_t now_ms,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_give_up - no further attempt; inside a transaction. */
bool srv__job_give_up(srv_store *store, const srv__holding *holding, const char *reason,
                      int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__queue_artifact_came - jobs that waited for it may go, one that gave up is queued anew;
 * inside a transaction. */
bool srv__queue_artifact_came(srv_store *store, int64_t project, const char *sha, const char *name,
                              int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;
