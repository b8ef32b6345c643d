#include "server/views/views_queries.h"

#include "server/store/servers.h"

/* The only row with a key, $1; what: what is missing ("job") when there is none. */
static json_t *one(srv_store *store, const char *sql, int64_t id, const char *what,
                   GError **error) {
    json_t *object;
    if (!srv__object(store, sql, SRV__ARGS(SRV__I(id)), &object, error))
        return NULL;
    if (!object)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no %s %" G_GINT64_FORMAT, what,
                    id);
    return object;
}

/* Likewise the older commit of a trial, of table revision o. */
#define COMMIT_BEFORE                                                                              \
    "o.sha AS \"before.sha\", substr(o.sha,1,9) AS \"before.short\","                              \
    " o.author AS \"before.author\", o.time_ms AS \"before.time_ms\","                             \
    " o.subject AS \"before.subject\""

#define JOB_COLUMNS                                                                                \
    "j.id, p.name AS project, j.kind, j.priority, j.state, j.night, " SRV__COMMIT_FIELDS(          \
        "r") ", " COMMIT_BEFORE ", q.trial_id AS trial, j.attempts, j.node, j.queued_ms, "         \
             "j.started_ms, j.finished_ms, j.error,"                                               \
             " j.experiment_id AS experiment, j.progress AS \"progress{\","                        \
             " CASE WHEN j.state='queued' AND " SRV__ARTIFACT_MISSING " THEN b.artifact END"       \
             " AS \"waiting.artifact\", " SRV__ARTIFACT_UNTIL                                      \
             " AS \"waiting.until_ms\", CASE WHEN " SRV__LABELS_NOWHERE                            \
             " THEN p.detection END AS \"unmatched_labels{\""
#define JOB_TABLES                                                                                 \
    " FROM job j JOIN project p ON p.id=j.project_id JOIN revision r ON r.id=j.revision_id"        \
    " JOIN benchmark b ON b.id=j.benchmark_id LEFT JOIN revision o ON o.id=j.before_id"            \
    " LEFT JOIN trial_job q ON q.job_id=j.id"

json_t *srv__job_row(srv_store *store, int64_t job, bool with_log, GError **error) {
    json_t *row = one(store,
                      with_log ? "SELECT " JOB_COLUMNS ", j.log" JOB_TABLES " WHERE j.id=$1"
                               : "SELECT " JOB_COLUMNS JOB_TABLES " WHERE j.id=$1",
                      job, "job", error);
    srv__member_instead(row, "unmatched_labels", "node_labels");
    return row;
}

json_t *srv__trial_row(srv_store *store, int64_t trial, int64_t job, GError **error) {
    json_t *row;
    if (!srv__object(store,
                     "SELECT t.id, t.state, t.experiment_id AS experiment, (SELECT count(*)"
                     " FROM trial_job j WHERE j.trial_id=t.id AND j.job_id<=$2) AS batch,"
                     " (SELECT max(q.loops) FROM question q WHERE q.trial_id=t.id) AS loops,"
                     " p.detection AS \"maximum{\", (SELECT max(q.ends_loops) FROM question q"
                     "  WHERE q.trial_id=t.id AND q.state='open') AS ends_loops"
                     " FROM trial t JOIN project p ON p.id=t.project_id WHERE t.id=$1",
                     SRV__ARGS(SRV__I(trial), SRV__I(job)), &row, error))
        return NULL;
    srv__member_instead(row, "maximum", "remeasure_loops");
    return row;
}

json_t *srv__trial_question_rows(srv_store *store, int64_t trial, GError **error) {
    return srv__array(
        store,
        "SELECT portion, configuration, CASE state WHEN 'open' THEN 'waiting'"
        " WHEN 'yes' THEN 'confirmed' WHEN 'no' THEN 'cleared' ELSE state END"
        " AS state, CASE WHEN stage='alone' THEN whole END AS whole, loops, ends_loops,"
        " before_mean_ns AS \"before.mean_ns\","
        " before_low_ns AS \"before.low_ns\", before_high_ns AS \"before.high_ns\","
        " after_mean_ns AS \"after.mean_ns\", after_low_ns AS \"after.low_ns\","
        " after_high_ns AS \"after.high_ns\","
        " difference_mean_ns AS \"difference.mean_ns\","
        " difference_low_ns AS \"difference.low_ns\","
        " difference_high_ns AS \"difference.high_ns\", reason,"
        " counted AS \"counted{\" FROM question"
        " WHERE trial_id=$1 ORDER BY id",
        SRV__ARGS(SRV__I(trial)), error);
}

json_t *srv__night_event(srv_store *store, int64_t experiment, GError **error) {
    return one(store,
               "SELECT p.name AS project, e.id AS experiment FROM experiment e"
               " JOIN project p ON p.id=e.project_id WHERE e.id=$1",
               experiment, "experiment", error);
}

json_t *srv__nodes_list(srv_store *store, int64_t silent_ms, int64_t now_ms, GError **error) {
    return srv__array(store,
                      "SELECT n.name, n.version, n.labels AS \"labels{\", n.seen_ms, n.paused,"
                      " CASE WHEN n.seen_ms<$1 THEN 'silent' WHEN j.id IS NOT NULL THEN 'busy'"
                      " WHEN n.paused IS NOT NULL THEN 'paused' ELSE 'idle' END AS state,"
                      " j.id AS job, j.progress AS \"progress{\""
                      " FROM node n LEFT JOIN job j ON j.id=n.job_id AND j.state='leased'"
                      " ORDER BY n.name",
                      SRV__ARGS(SRV__I(now_ms - silent_ms)), error);
}

bool srv__queue_counts(srv_store *store, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT (SELECT count(*) FROM job WHERE state='queued') AS queued,"
                       " (SELECT count(*) FROM job WHERE state='leased') AS leased,"
                       " (SELECT count(*) FROM job WHERE state='failed') AS failed",
                       SRV__NO_ARGS, row, error);
}

json_t *srv__artifact_rows(srv_store *store, int64_t project, int64_t below, unsigned count,
                           GError **error) {
    return srv__array(store,
                      SRV__ARTIFACT_VIEW " WHERE f.project_id=$1 AND f.removed_ms IS NULL"
                                         " AND f.id<$2 ORDER BY f.id DESC LIMIT $3",
                      SRV__ARGS(SRV__I(project), SRV__I(below), SRV__I(count)), error);
}

json_t *srv__loop_rows(srv_store *store, int64_t experiment, size_t ordinal, GError **error) {
    return srv__array(store,
                      "SELECT loop, position, started_ms, seconds, disturbed AS \"disturbed?\","
                      " failed, used AS \"used?\", calls, warmup_calls, summary AS \"summary{\","
                      " calls_per_second AS \"calls_per_second{\", readings AS \"readings{\","
                      " raw_sha256 AS \"raw.sha256\", raw_bytes AS \"raw.bytes\","
                      " raw_uncompressed_bytes AS \"raw.uncompressed_bytes\","
                      /* as srv__raw_of_loop finds it */
                      " CASE row_number() OVER (PARTITION BY loop, raw_sha256 IS NULL"
                      " ORDER BY used DESC, position DESC) WHEN 1 THEN 1 ELSE 0 END"
                      " AS \"raw.named?\" FROM loop"
                      " WHERE experiment_id=$1 AND ordinal=$2 ORDER BY loop, position",
                      SRV__ARGS(SRV__I(experiment), SRV__I(ordinal)), error);
}

json_t *srv__configuration_rows(srv_store *store, int64_t experiment, GError **error) {
    return srv__array(
        store,
        "SELECT name, label, loops, mean_ns, low_ns, high_ns, median_ns, median_low_ns,"
        " median_high_ns, n AS \"statistics.n\","
        " mean_ns AS \"statistics.mean_ns\", sd_ns AS \"statistics.sd_ns\","
        " low_ns AS \"statistics.low_ns\", high_ns AS \"statistics.high_ns\","
        " min_ns AS \"statistics.min_ns\", q1_ns AS \"statistics.q1_ns\","
        " median_ns AS \"statistics.median_ns\", q3_ns AS \"statistics.q3_ns\","
        " max_ns AS \"statistics.max_ns\", calls_low_ns AS \"statistics.calls_low_ns\","
        " calls_high_ns AS \"statistics.calls_high_ns\", statistics AS \"stored{\""
        " FROM configuration WHERE experiment_id=$1 ORDER BY ordinal",
        SRV__ARGS(SRV__I(experiment)), error);
}

bool srv__experiment_context(srv_store *store, int64_t experiment, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT e.node, e.started_ms, b.body AS \"benchmark{\","
                       " v.body AS \"environment_detail{\", e.environment_detail AS \"detail{\","
                       " NULL AS ended_early, k.pruned_ms AS \"raw_removed.at_ms\","
                       " k.rule AS \"raw_removed.rule\","
                       " j.log, (SELECT p.id FROM experiment p WHERE p.project_id=e.project_id"
                       " AND p.hidden=0 AND p.state='measured'"
                       " AND (p.night, p.time_ms, p.id) < (e.night, e.time_ms, e.id)"
                       " ORDER BY p.night DESC, p.time_ms DESC, p.id DESC LIMIT 1) AS previous"
                       " FROM experiment e JOIN benchmark b ON b.id=e.benchmark_id"
                       " JOIN job j ON j.id=e.job_id LEFT JOIN raw_job k ON k.job_id=e.job_id"
                       " AND k.pruned_ms IS NOT NULL LEFT JOIN environment v ON "
                       "v.id=e.environment_id WHERE e.id=$1",
                       SRV__ARGS(SRV__I(experiment)), row, error);
}

bool srv__experiment_environment(srv_store *store, int64_t experiment, json_t **row,
                                 GError **error) {
    return srv__object(store,
                       "SELECT v.body AS \"body{\" FROM experiment e JOIN environment v"
                       " ON v.id=e.environment_id WHERE e.id=$1",
                       SRV__ARGS(SRV__I(experiment)), row, error);
}

json_t *srv__accepted_in_advance(srv_store *store, int64_t experiment, GError **error) {
    return srv__array(
        store,
        "SELECT m.configuration, m.direction FROM alert_portion m JOIN alert a ON a.id=m.alert_id"
        " WHERE m.seen_experiment=$1 AND a.state='accepted' AND EXISTS(SELECT 1 FROM alert_audit u"
        " WHERE u.alert_id=a.id AND u.new_state='accepted' AND u.at_ms=a.raised_ms)",
        SRV__ARGS(SRV__I(experiment)), error);
}

json_t *srv__expectation_rows(srv_store *store, int64_t experiment, GError **error) {
    return srv__array(
        store,
        "SELECT " SRV__COMMIT_FIELDS(
            "x") ", x.text, x.portions AS \"portions{\","
                 " x.direction, x.percent, x.ns, x.reason, x.problem FROM experiment e"
                 " JOIN revision r ON r.id=e.revision_id JOIN expectation x ON "
                 "x.project_id=e.project_id"
                 " AND x.place<=r.place AND x.place>coalesce((SELECT q.place FROM revision q"
                 "  JOIN experiment o ON o.revision_id=q.id WHERE q.project_id=e.project_id"
                 "  AND o.hidden=0 AND o.state='measured' AND q.place<r.place"
                 "  ORDER BY q.place DESC LIMIT 1), r.place-1) WHERE e.id=$1 ORDER BY x.place, "
                 "x.id",
        SRV__ARGS(SRV__I(experiment)), error);
}

bool srv__raw_of_loop(srv_store *store, int64_t experiment, const char *configuration, int64_t loop,
                      json_t **row, GError **error) {
    return srv__object(
        store,
        "SELECT l.raw_sha256 AS sha, k.pruned_ms AS \"raw_removed.at_ms\","
        " k.rule AS \"raw_removed.rule\" FROM loop l JOIN configuration c"
        " ON c.experiment_id=l.experiment_id AND c.ordinal=l.ordinal"
        " JOIN experiment e ON e.id=l.experiment_id"
        " LEFT JOIN raw_job k ON k.job_id=e.job_id AND k.pruned_ms IS NOT NULL"
        " WHERE l.experiment_id=$1 AND c.name=$2 AND l.loop=$3"
        " AND l.raw_sha256 IS NOT NULL ORDER BY l.used DESC, l.position DESC LIMIT 1",
        SRV__ARGS(SRV__I(experiment), SRV__T(configuration), SRV__I(loop)), row, error);
}

#define HELD_TABLES                                                                                \
    " FROM job j JOIN project p ON p.id=j.project_id JOIN benchmark b ON b.id=j.benchmark_id"
/* As the queue decides it (queue_lease.c). */
#define IS_ABLE SRV__NODE_ABLE

json_t *srv__nodes_able(srv_store *store, int64_t job, GError **error) {
    return srv__array(store,
                      "SELECT n.name, n.seen_ms, n.paused" HELD_TABLES " JOIN node n ON " IS_ABLE
                      " WHERE j.id=$1 ORDER BY n.seen_ms DESC, n.name",
                      SRV__ARGS(SRV__I(job)), error);
}

json_t *srv__jobs_unasked(srv_store *store, int64_t low, int64_t high, int64_t silent_before_ms,
                          GError **error) {
    return srv__array(
        store,
        "SELECT j.id, j.project_id, j.kind IN ('confirmation','bisection','pull') AS \"trial?\","
        " b.artifact IS NOT NULL AS \"artifact?\", j.only_node" HELD_TABLES
        " WHERE j.state='queued' AND j.id BETWEEN $1 AND $2 AND NOT EXISTS(SELECT 1 FROM node n"
        " WHERE n.seen_ms>=$3 AND n.paused IS NULL AND " IS_ABLE ")",
        SRV__ARGS(SRV__I(low), SRV__I(high), SRV__I(silent_before_ms)), error);
}

json_t *srv__jobs_over_budget(srv_store *store, int64_t low, int64_t high, int64_t now_ms,
                              GError **error) {
    return srv__array(
        store,
        "SELECT j.id, CAST(" SRV__REMEASURE_SPENT("$3") " AS DOUBLE PRECISION)/60000 AS spent, "
                                                        "CAST(" SRV__REMEASURE_ALLOWED(
                                                            "$3") " AS DOUBLE PRECISION)/60000 AS "
                                                                  "allowed"
                                                                  " FROM job j JOIN project p ON "
                                                                  "p.id=j.project_id WHERE "
                                                                  "j.state='queued'"
                                                                  " AND j.id BETWEEN $1 AND $2 "
                                                                  "AND " SRV__REMEASURE_OVER("$3"),
        SRV__ARGS(SRV__I(low), SRV__I(high), SRV__I(now_ms)), error);
}

GArray *srv__alert_keys(srv_store *store, const srv__page_of_keys *page, GError **error) {
#define STATE "(a.state=$1 OR $1 IS NULL OR ($1='aged' AND " SRV__ALERT_AGED "))"
#define PAGE " AND a.id<$2 ORDER BY a.id DESC LIMIT $3"
    if (page->project == 0)
        return srv__ids(store, "SELECT a.id FROM alert a WHERE " STATE PAGE,
                        SRV__ARGS(SRV__T(page->state), SRV__I(page->below), SRV__I(page->count)),
                        error);
    return srv__ids(store, "SELECT a.id FROM alert a WHERE a.project_id=$4 AND " STATE PAGE,
                    SRV__ARGS(SRV__T(page->state), SRV__I(page->below), SRV__I(page->count),
                              SRV__I(page->project)),
                    error);
#undef STATE
#undef PAGE
}

GArray *srv__job_keys(srv_store *store, const srv__page_of_keys *page, GError **error) {
#define PAGE "(state=$1 OR $1 IS NULL) AND id<$2 ORDER BY id DESC LIMIT $3"
    if (page->project == 0)
        return srv__ids(store, "SELECT id FROM job WHERE " PAGE,
                        SRV__ARGS(SRV__T(page->state), SRV__I(page->below), SRV__I(page->count)),
                        error);
    return srv__ids(store, "SELECT id FROM job WHERE project_id=$4 AND " PAGE,
                    SRV__ARGS(SRV__T(page->state), SRV__I(page->below), SRV__I(page->count),
                              SRV__I(page->project)),
                    error);
#undef PAGE
}

#define PROJECT_ROW                                                                                \
    "SELECT p.id, p.name, p.title, p.repository, p.branch, p.enabled AS \"enabled?\","             \
    " p.commit_url, coalesce(p.fetch_problem, p.job_problem) AS problem, p.polled_ms,"             \
    " p.next_night_ms, p.ageing_days, p.main,"                                                     \
    " " SRV__NIGHTS_SHOWN " AS nights,"                                                            \
    " (SELECT count(*) FROM job j WHERE j.state='queued' AND j.project_id=p.id) AS queued,"        \
    " (SELECT count(*) FROM job j WHERE j.state='leased' AND j.project_id=p.id)"                   \
    " AS \"open.running\","                                                                        \
    " (SELECT count(*) FROM delivery d WHERE d.state='waiting' AND d.project_id=p.id)"             \
    " AS \"open.webhooks\","                                                                       \
    " (SELECT count(*) FROM trial t WHERE t.state='running' AND t.project_id=p.id)"                \
    " AS \"open.trials\","                                                                         \
    " (SELECT count(*) FROM bisection y JOIN alert a ON a.id=y.alert_id WHERE y.state='running'"   \
    " AND a.project_id=p.id) AS \"open.searches\","                                                \
    " (SELECT count(*) FROM alert a WHERE a.project_id=p.id AND " SRV__ALERT_FRESH                 \
    ") AS open_alerts,"                                                                            \
    " (SELECT count(*) FROM alert a WHERE a.project_id=p.id AND " SRV__ALERT_AGED                  \
    ") AS aged_alerts,"                                                                            \
    " (SELECT count(*) FROM series e CROSS JOIN suspicion s WHERE e.project_id=p.id"               \
    " AND s.series_id=e.id AND s.state='waiting') AS suspicions,"                                  \
    " (SELECT count(*) FROM series e CROSS JOIN suspicion s WHERE e.project_id=p.id"               \
    " AND s.series_id=e.id AND s.state='cleared') AS cleared,"                                     \
    " (SELECT e.id FROM experiment e WHERE e.project_id=p.id AND e.hidden=0"                       \
    " ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT 1) AS latest,"                        \
    " (SELECT max(a.id) FROM alert a WHERE a.project_id=p.id AND " SRV__ALERT_FRESH ") AS alert,"  \
    " (SELECT min(j.id) FROM job j WHERE j.state='leased' AND j.project_id=p.id) AS running,"      \
    " (SELECT CASE WHEN " SRV__SERVERS_DIFFER " THEN 1 ELSE 0 END FROM server_project x"           \
    " WHERE x.project_id=p.id GROUP BY x.project_id) AS \"servers_differ?\","                      \
    " CASE WHEN EXISTS(SELECT 1 FROM pull x WHERE x.project_id=p.id) THEN 1 ELSE 0 END"            \
    " AS \"pull_requests?\", b.body AS \"benchmark{\" FROM project p JOIN benchmark b ON "         \
    "b.id=p.benchmark_id"

/* An older server beside this one leaves to_night empty. */
bool srv__project_changed_last(srv_store *store, int64_t project, json_t **row, GError **error) {
#define TOLD "a.project_id=$1 AND a.state NOT IN ('withdrawn','false')"
    return srv__object(
        store,
        "SELECT night, time_ms, id FROM (SELECT * FROM (SELECT a.to_night AS night,"
        " a.to_time_ms AS time_ms, a.to_experiment AS id FROM alert a WHERE " TOLD
        " AND a.to_night IS NOT NULL ORDER BY a.to_night DESC, a.to_time_ms DESC,"
        " a.to_experiment DESC LIMIT 1) AS newest UNION ALL SELECT o.night, o.time_ms, o.id"
        " FROM alert a JOIN experiment o ON o.id=a.to_experiment WHERE " TOLD
        " AND a.to_night IS NULL) AS either ORDER BY night DESC, time_ms DESC, id DESC LIMIT 1",
        SRV__ARGS(SRV__I(project)), row, error);
#undef TOLD
}

json_t *srv__project_sparks(srv_store *store, int64_t project, unsigned nights, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(
        store,
        "SELECT e.place, o.configuration, o.mean_ns, e.places FROM (SELECT id, night, time_ms,"
        " row_number() OVER (ORDER BY night, time_ms, id)-1 AS place, count(*) OVER () AS places"
        " FROM (SELECT id, night, time_ms FROM experiment WHERE project_id=$1 AND hidden=0"
        " AND state='measured' ORDER BY night DESC, time_ms DESC, id DESC LIMIT $2) AS newest) e"
        " JOIN portion o ON o.experiment_id=e.id ORDER BY e.place",
        SRV__ARGS(SRV__I(project), SRV__I(nights)), error);
    if (!query)
        return NULL;
    json_t *all = json_object();
    srv_db_step step;
    while ((step = srv__query_next(query, error)) == SRV_DB_ROW) {
        const char *name = srv__query_text(query, 1);
        json_t *values = json_object_get(all, name);
        if (!values) {
            values = json_array();
            for (int64_t i = 0; i < srv__query_int(query, 3); i++)
                json_array_append_new(values, json_null());
            json_object_set_new(all, name, values);
        }
        if (!srv__query_null(query, 2))
            json_array_set_new(values, (size_t)srv__query_int(query, 0),
                               json_real(srv__query_real(query, 2)));
    }
    if (step == SRV_DB_END)
        return all;
    json_decref(all);
    return NULL;
}

json_t *srv__project_rows(srv_store *store, GError **error) {
    return srv__array(store, PROJECT_ROW " ORDER BY p.name", SRV__NO_ARGS, error);
}

bool srv__project_row(srv_store *store, const char *project, json_t **row, GError **error) {
    return srv__object(store, PROJECT_ROW " WHERE p.name=$1", SRV__ARGS(SRV__T(project)), row,
                       error);
}

json_t *srv__project_branches(srv_store *store, int64_t project, GError **error) {
    return srv__array(store,
                      "SELECT o.branch, o.name AS project, o.enabled AS \"enabled?\" FROM project p"
                      " JOIN project o ON o.name=coalesce(p.main, p.name)"
                      " OR o.main=coalesce(p.main, p.name) WHERE p.id=$1"
                      " ORDER BY CASE WHEN o.main IS NULL THEN 0 ELSE 1 END, o.id",
                      SRV__ARGS(SRV__I(project)), error);
}

json_t *srv__project_names(srv_store *store, GError **error) {
    return srv__array(store, "SELECT name FROM project ORDER BY id", SRV__NO_ARGS, error);
}
