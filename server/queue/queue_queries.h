#pragma once
/*
 * queue_queries - what the queue asks of the database: jobs, nodes, artifacts; and the pieces of
 * SQL over a job that views/ asks with, too.
 */
#include "server/queue/queue.h"
#include "server/store/store_sql.h"

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
/* Does the job need an artifact, of its commit or of the one before it, that is not
 * there? */
#define SRV__ARTIFACT_MISSING                                                                      \
    "(b.artifact IS NOT NULL AND (NOT EXISTS(SELECT 1 FROM artifact w"                             \
    " WHERE w.project_id=j.project_id AND w.sha=r.sha AND w.name=b.artifact"                       \
    " AND w.removed_ms IS NULL) OR (j.before_id IS NOT NULL AND NOT EXISTS(SELECT 1"               \
    " FROM artifact w JOIN revision s ON s.id=j.before_id WHERE w.project_id=j.project_id"         \
    " AND w.sha=s.sha AND w.name=b.artifact AND w.removed_ms IS NULL))))"
/* Until when it may wait, Unix ms: a night for so long, a trial not at all (its nights had
 * theirs). */
#define SRV__ARTIFACT_UNTIL                                                                        \
    "(j.queued_ms + CASE WHEN j.before_id IS NULL THEN 1000*b.artifact_wait_s ELSE 0 END)"

/* An artifact f as people see it (docs/api.md), to be followed by WHERE. */
#define SRV__ARTIFACT_VIEW                                                                         \
    "SELECT f.id, f.sha AS \"commit\", f.name, f.sha256, f.bytes, f.author, f.stored_ms,"          \
    " '/api/v1/projects/' || p.name || '/artifacts/' || f.sha || '/' || f.name AS url"             \
    " FROM artifact f JOIN project p ON p.id=f.project_id"

/* SQL over project p: does it ask for labels? Over p and node n: does n lack one of them? */
#define SRV__LABELS_ASKED "EXISTS(SELECT 1 FROM project_label l WHERE l.project_id=p.id)"
#define SRV__LABELS_LACK                                                                           \
    "EXISTS(SELECT 1 FROM project_label l WHERE l.project_id=p.id AND NOT EXISTS(SELECT 1"         \
    " FROM node_label h WHERE h.node=n.name AND h.label=l.label))"
/* SQL over job j, its benchmark b, project p and node n: could n do it? */
#define SRV__NODE_ABLE                                                                             \
    "(j.only_node IS NULL OR j.only_node=n.name) AND NOT " SRV__LABELS_LACK                        \
    " AND (j.kind NOT IN ('confirmation','bisection','pull') OR n.can_confirm=1)"                  \
    " AND (j.kind<>'explain' OR n.can_explain=1)"                                                  \
    " AND (b.artifact IS NULL OR n.can_artifact=1)"
/* SQL over project p at a moment, a parameter such as "$2": ms that measuring again took in the 24
 * hours before, and that it may take (detection.remeasure_minutes). */
#define SRV__LAST_DAY(now) "t.project_id=p.id AND t.finished_ms>" now "-86400000"
#define SRV__NIGHTS_OF_DAY(now)                                                                    \
    " FROM job t WHERE " SRV__LAST_DAY(                                                            \
        now) " AND t.state='done'"                                                                 \
             " AND t.kind NOT IN "                                                                 \
             "('confirmation','bisection','sweep','explain','pull')"
#define SRV__NIGHTS_MS(now)                                                                        \
    "(SELECT coalesce(CAST(sum(t.finished_ms-t.started_ms) AS BIGINT),0)" SRV__NIGHTS_OF_DAY(      \
        now) ")"
#define SRV__REMEASURE_SPENT(now)                                                                  \
    "(SELECT coalesce(CAST(sum(t.finished_ms-t.started_ms) AS BIGINT),0) FROM job t"               \
    " WHERE " SRV__LAST_DAY(now) " AND t.kind='confirmation')"
#define SRV__REMEASURE_ALLOWED(now)                                                                \
    "(CASE WHEN p.remeasure_minutes>0 THEN 60000*p.remeasure_minutes*"                             \
    "(SELECT CASE WHEN count(*)>1 THEN count(*) ELSE 1 END" SRV__NIGHTS_OF_DAY(                    \
        now) ")"                                                                                   \
             " WHEN " SRV__NIGHTS_MS(now) ">3600000 THEN " SRV__NIGHTS_MS(                         \
                 now) "/2 ELSE 1800000 END)"
/* SQL over job j and p: is it measuring again, and nothing left of what that may take? */
#define SRV__REMEASURE_OVER(now)                                                                   \
    "(j.kind='confirmation' AND " SRV__REMEASURE_SPENT(now) ">=" SRV__REMEASURE_ALLOWED(now) ")"
/* SQL over job j and p: does it wait for labels that no node which has asked carries? */
#define SRV__LABELS_NOWHERE                                                                        \
    "(j.state='queued' AND " SRV__LABELS_ASKED " AND NOT EXISTS(SELECT 1 FROM node n"              \
    " WHERE (j.only_node IS NULL OR j.only_node=n.name) AND NOT " SRV__LABELS_LACK "))"

/* srv__job_insert - a night is queued, with the benchmark the project has now. */
bool srv__job_insert(srv_store *store, int64_t project, int64_t revision,
                     const srv_measurement *wanted, int64_t now_ms, int64_t *job,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_same - the job that makes another one for this revision needless, 0 when there is none.
 */
bool srv__job_same(srv_store *store, int64_t project, int64_t revision, srv_kind kind, int64_t *job,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_enabled - 1 or 0. */
bool srv__project_enabled(srv_store *store, int64_t project, int64_t *enabled,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_project - {"name"} of a job's project; row: out, owned, NULL when there is no such job.
 */
bool srv__job_project(srv_store *store, int64_t job, json_t **row,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_order - a job as it goes to a runner, with its lease and extra members; row: out, owned.
 */
bool srv__job_order(srv_store *store, int64_t job, json_t **row,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_holding - who holds a job:
 * {"project_id","revision_id","benchmark_id","attempts","state","lease","kind"}; row: out, owned,
 * NULL when there is no such job. */
bool srv__job_holding(srv_store *store, int64_t job, json_t **row,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__node_touch - a node was heard of now. */
bool srv__node_touch(srv_store *store, const char *node, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_again - the job that a node holds without having reported on it: its answer may have
 * been lost; 0: none. */
bool srv__job_again(srv_store *store, const char *node, int64_t now_ms, int64_t *job,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Who has a job, and until when; borrowed. */
typedef struct {
    int64_t job;
    const char *node, *id; /* id: the secret that the node shows */
    int64_t expires_ms;
    bool fresh; /* a new attempt begins with it */
} srv__lease;

/* srv__job_lease - the job is its node's from now on. */
bool srv__job_lease(srv_store *store, const srv__lease *lease, int64_t now_ms,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__node_holds - what a node is doing. */
bool srv__node_holds(srv_store *store, const char *node, int64_t job,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_served - its project had its turn. */
bool srv__project_served(srv_store *store, int64_t job, int64_t now_ms,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__node_pause_set - who paused a node and why, NULL: it works; changed: out, 0 when there is no
 * such node. */
bool srv__node_pause_set(srv_store *store, const char *node, const char *why, int64_t *changed,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_progress_get - {"progress"} of the last report; row: out, owned. */
bool srv__job_progress_get(srv_store *store, int64_t job, json_t **row,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_progress - a report came in: the lease goes on; progress: JSON. */
bool srv__job_progress(srv_store *store, int64_t job, const char *progress, int64_t expires_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__node_reports - the node of a job was heard of now, and is busy with it. */
bool srv__node_reports(srv_store *store, int64_t job, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__node_free - who was busy with this job is not, any more. */
bool srv__node_free(srv_store *store, int64_t job, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_failed - for good; experiment: the night that shows it, 0: none. */
bool srv__job_failed(srv_store *store, int64_t job, int64_t experiment, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__nights_measured - how often a commit was measured with a benchmark. */
bool srv__nights_measured(srv_store *store, int64_t revision, int64_t benchmark, int64_t *count,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__experiment_failed - a night without a result, as its job was; hidden: it is not shown. */
bool srv__experiment_failed(srv_store *store, int64_t job, const char *reason, bool hidden,
                            int64_t now_ms, int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_error - why the attempt failed; log NULL: the one before stays. */
bool srv__job_error(srv_store *store, int64_t job, const char *reason, const char *log,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

#define SRV__PAUSE_LAST_MS 3600000 /* no job waits longer for its next attempt */

/* srv__job_requeue - it waits for its next attempt, not before then. The lease stays. */
bool srv__job_requeue(srv_store *store, int64_t job, int64_t not_before_ms,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__leases_too_long - the jobs that are leased for longer than until then: [int64_t]; owned,
 * NULL with error. */
GArray *srv__leases_too_long(srv_store *store, int64_t latest_ms,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__leases_shorten - they end then. */
bool srv__leases_shorten(srv_store *store, int64_t latest_ms,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__jobs_expired - the jobs whose lease is over: [int64_t]; owned, NULL with error. */
GArray *srv__jobs_expired(srv_store *store, int64_t now_ms,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_done_set - its result is in, as this night. */
bool srv__job_done_set(srv_store *store, int64_t job, int64_t experiment, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_job_problem - what was wrong with the newest job of a project; NULL: nothing. */
bool srv__project_job_problem(srv_store *store, int64_t project, const char *problem,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__experiments_hide - what a commit has that was not measured is no longer shown. */
bool srv__experiments_hide(srv_store *store, int64_t revision,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__jobs_overdue - {"id","artifact","wait_s","trial"} of those whose time to wait for an
 * artifact is up; owned, NULL with error. */
json_t *srv__jobs_overdue(srv_store *store, int64_t now_ms,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__jobs_overdue_next - when the next one's time is up, INT64_MAX: none waits. */
bool srv__jobs_overdue_next(srv_store *store, int64_t *due_ms,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_gave_up - the newest job of a commit, if it failed for want of this artifact: its error
 * begins so; 0: it did not. */
bool srv__job_gave_up(srv_store *store, int64_t project, const char *sha, const char *name,
                      const char *error_begins, int64_t *job,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_insert_again - a job like an old one. */
bool srv__job_insert_again(srv_store *store, int64_t old, int64_t now_ms, int64_t *id,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__jobs_waiting_for - {"id"} of the queued jobs that want this artifact; owned, NULL with
 * error. */
json_t *srv__jobs_waiting_for(srv_store *store, int64_t project, const char *sha, const char *name,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_users - how many artifacts are this file. */
bool srv__artifact_users(srv_store *store, const char *sha256, int64_t *count,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_hashes - {"sha256"} of those that are there; owned, NULL with error. */
json_t *srv__artifact_hashes(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_forget - the bytes of a file have gone. */
bool srv__artifact_forget(srv_store *store, const char *sha256,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_known - {"sha256","present"}, also when its bytes have gone; row: out, owned, NULL
 * when there was none. */
bool srv__artifact_known(srv_store *store, int64_t project, const char *commit, const char *name,
                         json_t **row, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_oldest - the oldest of a project (0: of any) from before then that nobody wants:
 * {"id","sha256","bytes"}; row: out, owned, NULL when there is none. */
bool srv__artifact_oldest(srv_store *store, int64_t project, int64_t before_ms, json_t **row,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_retire - its bytes go. */
bool srv__artifact_retire(srv_store *store, int64_t id, int64_t now_ms,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_bytes - how many bytes a project keeps. */
bool srv__artifact_bytes(srv_store *store, int64_t project, int64_t *bytes,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_bytes_wanted - how many of them some job is going to want. */
bool srv__artifact_bytes_wanted(srv_store *store, int64_t project, int64_t *bytes,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* An artifact, as its row; borrowed. */
typedef struct {
    int64_t project;
    const char *commit, *name, *sha256;
    uint64_t bytes;
    const char *by; /* who handed it in, NULL: unknown */
} srv__artifact_row;

/* srv__artifact_put - an artifact is there, new or again. */
bool srv__artifact_put(srv_store *store, const srv__artifact_row *row, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_get - an artifact as people see it; row: out, owned, NULL when it is not there. */
bool srv__artifact_get(srv_store *store, int64_t project, const char *commit, const char *name,
                       json_t **row, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_wanted - 1 when some job is going to want it, else 0. */
bool srv__artifact_wanted(srv_store *store, int64_t id, int64_t *wanted,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_leased - how many leased jobs of the node (NULL: any) measure the commit. */
bool srv__artifact_leased(srv_store *store, int64_t project, const char *commit, const char *node,
                          int64_t *jobs, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_delete - as if it had never been. */
bool srv__artifact_delete(srv_store *store, int64_t id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__artifact_first_ms - when the oldest one came, INT64_MAX: there is none. */
bool srv__artifact_first_ms(srv_store *store, int64_t *stored_ms,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__member_instead - what a row has as a whole object becomes one member of it, null when there
 * is none. */
void srv__member_instead(json_t *row, const char *key, const char *member);

/* srv__node_get - {"seen_ms","labels","can"}, the lists as text; row: out, owned, NULL when it has
 * never asked. */
bool srv__node_get(srv_store *store, const char *node, json_t **row,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What a node says of itself. */
typedef struct {
    const char *name, *version;
    const char *labels, *can; /* JSON lists, as they are shown */
    bool confirms, takes_artifacts, explains;
} srv__node_row;

/* srv__node_put - new or anew; its labels are rows of their own. */
bool srv__node_put(srv_store *store, const srv__node_row *node, int64_t now_ms,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__node_labels_drop - all of them. _add - one more, if it is not there. */
bool srv__node_labels_drop(srv_store *store, const char *node,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

bool srv__node_label_add(srv_store *store, const char *node, const char *label,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_next - the first job in the queue that a node can do now; 0: none. One that has to wait
 * longer than a pause lasts is from before the clock was set back: it waits no more.
 * node  its name, and what it has already */
bool srv__job_next(srv_store *store, const srv_node *node, int64_t now_ms, int64_t *job,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
