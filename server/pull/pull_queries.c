#include "server/pull/pull_queries.h"

#include "server/alarm/trial_queries.h"
#include "server/store/kinds.h"

#include <math.h>

bool srv__pull_latest(srv_store *store, int64_t project, const char *provider, int64_t number,
                      json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT id, head, state, labelled AS \"labelled?\", fork AS \"fork?\", ref,"
                       " title, author, url FROM pull WHERE project_id=$1 AND provider=$2"
                       " AND number=$3 ORDER BY id DESC LIMIT 1",
                       SRV__ARGS(SRV__I(project), SRV__T(provider), SRV__I(number)), row, error);
}

bool srv__pull_same(srv_store *store, int64_t project, const char *head, int64_t *id,
                    GError **error) {
    return srv__number(store,
                       "SELECT max(id) FROM pull WHERE project_id=$1 AND number IS NULL"
                       " AND head=$2 AND state NOT IN ('failed','dropped')",
                       SRV__ARGS(SRV__I(project), SRV__T(head)), 0, id, error);
}

bool srv__pull_insert(srv_store *store, int64_t project_id, const cfg_project *project,
                      const srv_pull_facts *facts, int64_t now_ms, int64_t *id, GError **error) {
    return srv__insert(
        store,
        "INSERT INTO pull(project_id, provider, number, title, author, url, ref, fork, labelled,"
        " head, branch, state, minutes, percent, asked_ms)"
        " VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15) RETURNING id",
        SRV__ARGS(SRV__I(project_id), SRV__T(facts->provider), SRV__ID(facts->number),
                  SRV__T(facts->title), SRV__T(facts->author), SRV__T(facts->url),
                  SRV__T(facts->ref), SRV__I(facts->fork), SRV__I(facts->labelled),
                  SRV__T(facts->head), SRV__T(project->branch),
                  SRV__T(facts->fork ? "held" : "waiting"), SRV__D(project->pull_requests.minutes),
                  SRV__D(project->pull_requests.percent), SRV__I(now_ms)),
        id, error);
}

GArray *srv__pulls_open(srv_store *store, int64_t project, const char *provider, int64_t number,
                        GError **error) {
    return srv__ids(store,
                    "SELECT id FROM pull WHERE project_id=$1 AND provider=$2 AND number=$3"
                    " AND state IN ('held','waiting','measuring') ORDER BY id",
                    SRV__ARGS(SRV__I(project), SRV__T(provider), SRV__I(number)), error);
}

GArray *srv__pull_jobs_open(srv_store *store, int64_t pull, GError **error) {
    return srv__ids(store,
                    "SELECT j.id FROM pull_job q JOIN job j ON j.id=q.job_id WHERE q.pull_id=$1"
                    " AND j.state IN ('queued','leased')",
                    SRV__ARGS(SRV__I(pull)), error);
}

GArray *srv__pull_jobs_stranded(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store,
                    "SELECT j.id FROM job j JOIN pull_job q ON q.job_id=j.id"
                    " LEFT JOIN node n ON n.name=j.only_node WHERE j.state='queued'"
                    " AND j.only_node IS NOT NULL AND j.queued_ms<$1"
                    " AND (coalesce(n.seen_ms, 0)<$1 OR coalesce(n.can_confirm, 0)=0)",
                    SRV__ARGS(SRV__I(before_ms)), error);
}

bool srv__pull_labelled(srv_store *store, int64_t pull, bool labelled, GError **error) {
    return srv__run(store, "UPDATE pull SET labelled=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(pull), SRV__I(labelled)), NULL, error);
}

bool srv__pull_release(srv_store *store, int64_t pull, GError **error) {
    return srv__run(store, "UPDATE pull SET state='waiting' WHERE id=$1 AND state='held'",
                    SRV__ARGS(SRV__I(pull)), NULL, error);
}

json_t *srv_pulls_waiting(srv_store *store, const char *project, GError **error) {
    return srv__array(store,
                      "SELECT u.id, u.head, u.ref, u.attempts FROM pull u JOIN project p"
                      " ON p.id=u.project_id WHERE p.name=$1 AND u.state='waiting' ORDER BY u.id"
                      " LIMIT 100",
                      SRV__ARGS(SRV__T(project)), error);
}

bool srv__pull_commits(srv_store *store, int64_t pull, int64_t after, int64_t before,
                       int64_t now_ms, GError **error) {
    return srv__run(
        store,
        "UPDATE pull SET after_id=$2, before_id=$3, state='measuring', reason=NULL,"
        " started_ms=$4,"
        " benchmark_id=(SELECT p.benchmark_id FROM project p WHERE p.id=pull.project_id)"
        " WHERE id=$1",
        SRV__ARGS(SRV__I(pull), SRV__I(after), SRV__I(before), SRV__I(now_ms)), NULL, error);
}

bool srv__pull_project(srv_store *store, int64_t pull, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT u.project_id, u.state, b.body AS \"body{\" FROM pull u"
                       " JOIN project p ON p.id=u.project_id"
                       " JOIN benchmark b ON b.id=p.benchmark_id WHERE u.id=$1",
                       SRV__ARGS(SRV__I(pull)), row, error);
}

bool srv__pull_portion_insert(srv_store *store, int64_t pull, const srv__tree *tree, size_t c,
                              GError **error) {
    const int parent = tree->chain.parent[c];
    return srv__run(store,
                    "INSERT INTO pull_portion(pull_id, ordinal, configuration, parent, portion,"
                    " answer) VALUES($1,$2,$3,$4,$5,'more')",
                    SRV__ARGS(SRV__I(pull), SRV__I(c), SRV__T(tree->name[c]),
                              SRV__T(parent >= 0 ? tree->name[parent] : NULL),
                              SRV__T(tree->portion[c])),
                    NULL, error);
}

bool srv__pull_about(srv_store *store, int64_t pull, json_t **row, GError **error) {
    return srv__object(
        store,
        "SELECT u.minutes, b.body AS \"body{\","
        " (SELECT CAST(sum(j.finished_ms-j.started_ms) AS BIGINT) FROM pull_job q"
        "  JOIN job j ON j.id=q.job_id WHERE q.pull_id=u.id) AS spent_ms,"
        " (SELECT CAST(sum(q.loops) AS BIGINT) FROM pull_job q WHERE q.pull_id=u.id) AS rounds,"
        " (SELECT count(*) FROM pull_loop l WHERE l.pull_id=u.id) AS loops,"
        " coalesce((SELECT avg(l.seconds) FROM pull_loop l WHERE l.pull_id=u.id AND l.used=1),"
        "  (SELECT avg(l.seconds) FROM loop l WHERE l.used=1 AND l.experiment_id=(SELECT max(e.id)"
        "  FROM experiment e JOIN benchmark c ON c.id=e.benchmark_id WHERE e.project_id=p.id"
        "  AND e.state='measured' AND c.identity=b.identity))) AS loop_seconds"
        " FROM pull u JOIN project p ON p.id=u.project_id"
        " JOIN benchmark b ON b.id=u.benchmark_id WHERE u.id=$1",
        SRV__ARGS(SRV__I(pull)), row, error);
}

GHashTable *srv__pull_names_open(srv_store *store, int64_t pull, GError **error) {
    return srv__words(store,
                      "SELECT configuration, parent FROM pull_portion WHERE pull_id=$1"
                      " AND answer='more'",
                      SRV__ARGS(SRV__I(pull)), error);
}

bool srv__pull_job_insert(srv_store *store, int64_t pull, int64_t benchmark, const char *night,
                          int64_t now_ms, int64_t *job, GError **error) {
    return srv__insert(
        store,
        "INSERT INTO job(project_id, revision_id, before_id, benchmark_id, branch,"
        " kind, priority, night, state, only_node, queued_ms)"
        " SELECT u.project_id, u.after_id, u.before_id, $2, u.branch, $3, $4, $5,"
        " 'queued', u.node, $6 FROM pull u WHERE u.id=$1 RETURNING id",
        SRV__ARGS(SRV__I(pull), SRV__I(benchmark), SRV__T(srv__kind_name(SRV_KIND_PULL)),
                  SRV__I(srv__priority(SRV_KIND_PULL)), SRV__T(night), SRV__I(now_ms)),
        job, error);
}

bool srv__pull_job_note(srv_store *store, int64_t job, int64_t pull, int64_t rounds,
                        GError **error) {
    return srv__run(store, "INSERT INTO pull_job(job_id, pull_id, loops) VALUES($1,$2,$3)",
                    SRV__ARGS(SRV__I(job), SRV__I(pull), SRV__I(rounds)), NULL, error) &&
           srv__run(store, "UPDATE pull SET batches=batches+1 WHERE id=$1", SRV__ARGS(SRV__I(pull)),
                    NULL, error);
}

bool srv__pull_of_job(srv_store *store, int64_t job, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT u.id, u.state, q.result_hash FROM pull_job q"
                       " JOIN pull u ON u.id=q.pull_id WHERE q.job_id=$1",
                       SRV__ARGS(SRV__I(job)), row, error);
}

bool srv__pull_job_result(srv_store *store, int64_t job, const char *hash, GError **error) {
    return srv__run(store, "UPDATE pull_job SET result_hash=$2 WHERE job_id=$1",
                    SRV__ARGS(SRV__I(job), SRV__T(hash)), NULL, error);
}

bool srv__pull_node(srv_store *store, int64_t pull, const char *node, GError **error) {
    return srv__run(store, "UPDATE pull SET node=$2 WHERE id=$1 AND node IS NULL",
                    SRV__ARGS(SRV__I(pull), SRV__T(node)), NULL, error);
}

bool srv__pull_loop_insert(srv_store *store, int64_t pull, int64_t job, guint place,
                           const srv__loop *loop, const srv__tree *tree, GError **error) {
    return srv__run(
        store,
        "INSERT INTO pull_loop(pull_id, job_id, place, configuration, before, loop, position,"
        " used, failed, seconds, mean_ns, raw_sha256, duet)"
        " VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13)",
        SRV__ARGS(SRV__I(pull), SRV__I(job), SRV__I(place), SRV__T(tree->name[loop->configuration]),
                  SRV__I(loop->before), SRV__I(loop->loop), SRV__I(loop->position),
                  SRV__I(loop->used), SRV__T(loop->failed), SRV__D(loop->seconds),
                  SRV__D(loop->failed ? NAN : loop->summary.mean), SRV__T(loop->raw_sha256),
                  SRV__I(loop->duet)),
        NULL, error);
}

json_t *srv__pull_portions(srv_store *store, int64_t pull, GError **error) {
    return srv__array(store,
                      "SELECT q.ordinal, q.configuration, q.parent, q.portion, u.percent,"
                      " p.detection AS \"detection{\" FROM pull_portion q"
                      " JOIN pull u ON u.id=q.pull_id JOIN project p ON p.id=u.project_id"
                      " WHERE q.pull_id=$1 ORDER BY q.ordinal",
                      SRV__ARGS(SRV__I(pull)), error);
}

GArray *srv__pull_means(srv_store *store, int64_t pull, const char *name, const char *parent,
                        GError **error) {
    return srv__means_read(store, SRV__MEANS " FROM pull_loop WHERE pull_id=$1" SRV__MEANS_OF,
                           SRV__ARGS(SRV__I(pull), SRV__T(name), SRV__T(parent ? parent : "")),
                           error);
}

bool srv__pull_portion_answer(srv_store *store, int64_t pull, const json_t *portion,
                              const det_merge_result *r, GError **error) {
    return srv__run(
        store,
        "UPDATE pull_portion SET answer=$3, loops=$4, before_mean_ns=$5, before_low_ns=$6,"
        " before_high_ns=$7, after_mean_ns=$8, after_low_ns=$9, after_high_ns=$10,"
        " difference_mean_ns=$11, difference_low_ns=$12, difference_high_ns=$13, least_ns=$14,"
        " seen_ns=$15, sentence=$16 WHERE pull_id=$1 AND ordinal=$2",
        SRV__ARGS(SRV__I(pull), SRV__I(json_integer_value(json_object_get(portion, "ordinal"))),
                  SRV__T(det_merge_text(r->answer)), SRV__I(r->loops), SRV__D(r->before.mean),
                  SRV__D(r->before.low), SRV__D(r->before.high), SRV__D(r->after.mean),
                  SRV__D(r->after.low), SRV__D(r->after.high), SRV__D(r->difference.mean),
                  SRV__D(r->difference.low), SRV__D(r->difference.high), SRV__D(r->least_ns),
                  SRV__D(r->seen_ns), SRV__T(r->sentence)),
        NULL, error);
}

bool srv__pulls_charged(srv_store *store, int64_t pull, int64_t since_ms, int64_t *charged_ms,
                        GError **error) {
    return srv__number(
        store,
        "SELECT CAST(sum(CASE WHEN u.state='measuring' THEN 60000*u.minutes ELSE coalesce("
        " (SELECT CAST(sum(coalesce(j.finished_ms, j.started_ms)-j.started_ms) AS BIGINT)"
        "  FROM pull_job q JOIN job j ON j.id=q.job_id WHERE q.pull_id=u.id), 0) END) AS BIGINT)"
        " FROM pull u WHERE u.project_id=(SELECT w.project_id FROM pull w WHERE w.id=$1)"
        " AND u.started_ms>=$2",
        SRV__ARGS(SRV__I(pull), SRV__I(since_ms)), 0, charged_ms, error);
}

bool srv__pull_wish(srv_store *store, int64_t pull, json_t **row, GError **error) {
    return srv__object(store, "SELECT minutes, reason FROM pull WHERE id=$1",
                       SRV__ARGS(SRV__I(pull)), row, error);
}

bool srv__pull_waits(srv_store *store, int64_t pull, const char *reason, bool *changed,
                     GError **error) {
    int64_t rows = 0;
    const bool good = srv__run(store,
                               "UPDATE pull SET reason=$2 WHERE id=$1 AND state='waiting'"
                               " AND reason IS DISTINCT FROM $2",
                               SRV__ARGS(SRV__I(pull), SRV__T(reason)), &rows, error);
    *changed = rows > 0;
    return good;
}

bool srv__pull_end(srv_store *store, int64_t pull, const char *state, const char *reason,
                   int64_t now_ms, GError **error) {
    return srv__run(store, "UPDATE pull SET state=$2, reason=$3, finished_ms=$4 WHERE id=$1",
                    SRV__ARGS(SRV__I(pull), SRV__T(state), SRV__T(reason), SRV__I(now_ms)), NULL,
                    error);
}

bool srv_pull_try(srv_store *store, int64_t id, GError **error) {
    return srv__run(store, "UPDATE pull SET attempts=attempts+1 WHERE id=$1", SRV__ARGS(SRV__I(id)),
                    NULL, error);
}
