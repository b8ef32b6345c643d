#include "server/alarm/explanation_queries.h"

#include "server/store/kinds.h"

/*
 * The two ends of the range: of the search, or the alert's two nights where it found no commits.
 * Nights that are not measured again are not searched: theirs are the two, when a runner measured
 * them. Those of an import have none that could.
 */
bool srv__explanation_wanted(srv_store *store, int64_t alert, json_t **row, GError **error) {
    return srv__object(
        store,
        "SELECT EXISTS(SELECT 1 FROM explanation x WHERE x.alert_id=a.id) AS \"there?\","
        " coalesce((SELECT c.revision_id FROM bisection_commit c WHERE c.bisection_id=s.id"
        "  AND c.place=s.low), s.from_id, f.revision_id) AS before_id,"
        " coalesce((SELECT c.revision_id FROM bisection_commit c WHERE c.bisection_id=s.id"
        "  AND c.place=s.high), t.revision_id) AS after_id, e.node,"
        " NOT EXISTS(SELECT 1 FROM node k WHERE k.name=e.node AND k.can_explain=0) AS \"can?\","
        " p.detection AS \"detection{\", b.body AS \"body{\""
        " FROM alert a LEFT JOIN bisection s ON s.alert_id=a.id"
        " JOIN experiment f ON f.id=a.from_experiment JOIN experiment t ON t.id=a.to_experiment"
        " JOIN experiment e ON e.id=a.seen_experiment"
        " JOIN benchmark b ON b.id=e.benchmark_id JOIN project p ON p.id=a.project_id"
        " WHERE a.id=$1 AND (s.state<>'running' OR (s.id IS NULL AND t.remeasure=0"
        "  AND EXISTS(SELECT 1 FROM node k WHERE k.name=e.node)))",
        SRV__ARGS(SRV__I(alert)), row, error);
}

bool srv__explanation_queued(srv_store *store, int64_t alert, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT j.id AS job, x.before_id, x.after_id FROM explanation x"
                       " JOIN job j ON j.id=x.job_id WHERE x.alert_id=$1 AND x.state='waiting'"
                       " AND j.state='queued'",
                       SRV__ARGS(SRV__I(alert)), row, error);
}

bool srv__explanation_remove(srv_store *store, int64_t alert, GError **error) {
    return srv__run(store, "DELETE FROM explanation WHERE alert_id=$1", SRV__ARGS(SRV__I(alert)),
                    NULL, error);
}

bool srv__explanation_job_insert(srv_store *store, const srv__explanation_job *wanted,
                                 int64_t now_ms, int64_t *job, GError **error) {
    return srv__insert(store,
                       "INSERT INTO job(project_id, revision_id, before_id, benchmark_id, branch,"
                       " kind, priority, night, state, only_node, queued_ms, extra)"
                       " SELECT a.project_id, $2, $3, $4, s.branch, $5, $6, e.night, 'queued', $7,"
                       " $8, $9 FROM alert a JOIN series s ON s.id=a.series_id"
                       " JOIN experiment e ON e.id=a.seen_experiment WHERE a.id=$1 RETURNING id",
                       SRV__ARGS(SRV__I(wanted->alert), SRV__I(wanted->after),
                                 SRV__I(wanted->before), SRV__I(wanted->benchmark),
                                 SRV__T(srv__kind_name(SRV_KIND_EXPLAIN)),
                                 SRV__I(srv__priority(SRV_KIND_EXPLAIN)), SRV__T(wanted->node),
                                 SRV__I(now_ms), SRV__T(wanted->extra)),
                       job, error);
}

bool srv__explanation_insert(srv_store *store, const srv__explanation_job *wanted, int64_t job,
                             int64_t now_ms, GError **error) {
    return srv__run(store,
                    "INSERT INTO explanation(alert_id, job_id, before_id, after_id, state,"
                    " started_ms) VALUES($1,$2,$3,$4,'waiting',$5)",
                    SRV__ARGS(SRV__I(wanted->alert), SRV__ID(job), SRV__I(wanted->before),
                              SRV__I(wanted->after), SRV__I(now_ms)),
                    NULL, error);
}

bool srv__explanation_of_job(srv_store *store, int64_t job, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT x.alert_id, a.seen_experiment AS experiment, x.result_hash,"
                       " o.sha AS before, n.sha AS \"after\", e.level, b.body AS \"body{\""
                       " FROM explanation x JOIN alert a ON a.id=x.alert_id"
                       " JOIN experiment e ON e.id=a.seen_experiment"
                       " JOIN job j ON j.id=x.job_id JOIN benchmark b ON b.id=j.benchmark_id"
                       " JOIN revision o ON o.id=x.before_id JOIN revision n ON n.id=x.after_id"
                       " WHERE x.job_id=$1",
                       SRV__ARGS(SRV__I(job)), row, error);
}

json_t *srv__explanation_portions(srv_store *store, int64_t alert, GError **error) {
    return srv__array(store,
                      "SELECT configuration, portion, difference_mean_ns AS change_ns"
                      " FROM alert_portion WHERE alert_id=$1 ORDER BY configuration",
                      SRV__ARGS(SRV__I(alert)), error);
}

static bool is_of_bytes(const char *dimension) {
    return g_str_equal(dimension, SRV_PROFILE_BYTES);
}

#define INSERT_PROFILE(table)                                                                      \
    "INSERT INTO " table "(alert_id, configuration, before, loop, calls, stacks)"                  \
    " VALUES($1,$2,$3,$4,$5,$6)"

bool srv__profile_insert(srv_store *store, const srv__profile_row *row, GError **error) {
    return srv__run(store,
                    is_of_bytes(row->dimension) ? INSERT_PROFILE("allocated_profile")
                                                : INSERT_PROFILE("profile"),
                    SRV__ARGS(SRV__I(row->alert), SRV__T(row->configuration), SRV__I(row->before),
                              SRV__I(row->loop), SRV__I(row->calls), SRV__T(row->stacks)),
                    NULL, error);
}

#define INSERT_PORTION(table)                                                                      \
    "INSERT INTO " table "(alert_id, configuration, parent, portion, sentence, change_ns,"         \
    " before_units, after_units, functions) VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9)"

bool srv__explanation_portion_insert(srv_store *store, const srv__explanation_portion_row *row,
                                     GError **error) {
    return srv__run(store,
                    is_of_bytes(row->dimension) ? INSERT_PORTION("allocated_portion")
                                                : INSERT_PORTION("explanation_portion"),
                    SRV__ARGS(SRV__I(row->alert), SRV__T(row->configuration), SRV__T(row->parent),
                              SRV__T(row->portion), SRV__T(row->sentence), SRV__D(row->change_ns),
                              SRV__D(row->before_units), SRV__D(row->after_units),
                              SRV__T(row->functions)),
                    NULL, error);
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

bool srv__explanation_done(srv_store *store, int64_t alert, const json_t *body, const char *hash,
                           int64_t now_ms, GError **error) {
    const json_t *allocations = json_object_get(body, "allocations");
    return srv__run(
        store,
        "UPDATE explanation SET state='done', profiler=$2, unit=$3, result_hash=$4,"
        " finished_ms=$5, reason=$6, allocated_profiler=$7, allocated_reason=$8"
        " WHERE alert_id=$1",
        SRV__ARGS(SRV__I(alert), SRV__T(text_of(body, "profiler")), SRV__T(text_of(body, "unit")),
                  SRV__T(hash), SRV__I(now_ms), SRV__T(text_of(body, "note")),
                  SRV__T(text_of(allocations, "profiler")), SRV__T(text_of(allocations, "reason"))),
        NULL, error);
}

bool srv__explanation_fail(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                           GError **error) {
    return srv__run(store,
                    "UPDATE explanation SET state='failed', reason=$2, finished_ms=$3"
                    " WHERE alert_id=$1",
                    SRV__ARGS(SRV__I(alert), SRV__T(reason), SRV__I(now_ms)), NULL, error);
}

GArray *srv__explanation_jobs_stranded(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store,
                    "SELECT j.id FROM explanation x JOIN job j ON j.id=x.job_id"
                    " LEFT JOIN node n ON n.name=j.only_node WHERE x.state='waiting'"
                    " AND j.state='queued' AND j.queued_ms<$1"
                    " AND (coalesce(n.seen_ms, 0)<$1 OR coalesce(n.can_explain, 0)=0)",
                    SRV__ARGS(SRV__I(before_ms)), error);
}

GArray *srv__explanations_old(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store,
                    "SELECT x.alert_id FROM explanation x JOIN alert a ON a.id=x.alert_id"
                    " WHERE x.state='done' AND x.pruned_ms IS NULL AND x.finished_ms<$1"
                    " AND a.state NOT IN ('open','acknowledged') ORDER BY x.alert_id LIMIT 100",
                    SRV__ARGS(SRV__I(before_ms)), error);
}

bool srv__profiles_remove(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    return srv__run(store, "DELETE FROM profile WHERE alert_id=$1", SRV__ARGS(SRV__I(alert)), NULL,
                    error) &&
           srv__run(store, "DELETE FROM allocated_profile WHERE alert_id=$1",
                    SRV__ARGS(SRV__I(alert)), NULL, error) &&
           srv__run(store, "UPDATE explanation SET pruned_ms=$2 WHERE alert_id=$1",
                    SRV__ARGS(SRV__I(alert), SRV__I(now_ms)), NULL, error);
}
