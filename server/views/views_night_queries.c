#include "server/views/views_queries.h"

#define NIGHT_COLUMNS                                                                              \
    "SELECT e.id AS experiment, e.job_id AS job, p.name AS project, e.night, e.state, "            \
    "e.reason, " SRV__COMMIT_FIELDS(                                                               \
        "r") ", substr(v.hash,1,12) AS environment,"                                               \
             " coalesce((SELECT o.environment_id<>e.environment_id FROM experiment o"              \
             " WHERE o.project_id=e.project_id AND o.hidden=0 AND o.state='measured'"              \
             " AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)"                          \
             " ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1), FALSE) AS "              \
             "\"environment_changed?\", EXISTS(SELECT 1 FROM alert x"                              \
             " WHERE x.series_id=e.series_id AND x.to_experiment=e.id AND x.state='accepted') AS " \
             "\"accepted?\","                                                                      \
             " e.finished_ms, e.loops, e.total_mean_ns AS \"total.mean_ns\","                      \
             " e.total_low_ns AS \"total.low_ns\", e.total_high_ns AS \"total.high_ns\","          \
             " e.total_median_ns AS \"total.median_ns\", e.total_median_low_ns AS"                 \
             " \"total.median_low_ns\", e.total_median_high_ns AS \"total.median_high_ns\","       \
             " r.release, (SELECT n.text FROM note n WHERE n.project_id=e.project_id AND"          \
             " n.night=e.night AND n.removed_ms IS NULL ORDER BY n.id DESC LIMIT 1) AS note,"      \
             " (SELECT m.reason FROM baseline m WHERE m.project_id=e.project_id AND"               \
             " m.night=e.night AND m.undone_ms IS NULL ORDER BY m.id DESC LIMIT 1) AS baseline,"   \
             " e.level"
#define NIGHT_TABLES                                                                               \
    " FROM experiment e JOIN project p ON p.id=e.project_id JOIN revision r ON r.id=e.revision_id" \
    " LEFT JOIN environment v ON v.id=e.environment_id"

#define PORTION_COLUMNS                                                                            \
    "o.portion, o.configuration, o.parent, o.mean_ns, o.low_ns, o.high_ns, o.median_ns,"           \
    " o.median_low_ns, o.median_high_ns, o.method,"                                                \
    " o.judged_mean_ns AS \"judged.mean_ns\", o.judged_low_ns AS \"judged.low_ns\","               \
    " o.judged_high_ns AS \"judged.high_ns\", o.verdict, o.rule, o.direction,"                     \
    " o.reference_mean_ns AS \"reference.mean_ns\", o.reference_low_ns AS \"reference.low_ns\","   \
    " o.reference_high_ns AS \"reference.high_ns\", o.reference_nights AS \"reference.nights\","   \
    " o.reference_from AS \"reference.from_experiment\", o.reference_to AS "                       \
    "\"reference.to_experiment\","                                                                 \
    " o.difference_mean_ns AS \"difference.mean_ns\","                                             \
    " o.difference_low_ns AS \"difference.low_ns\","                                               \
    " o.difference_high_ns AS \"difference.high_ns\", o.reason, " SRV__CONFIRMATION_FIELDS
/* What charts and tables show of one, and what the night's headline is made of. */
#define PORTION_BRIEF_COLUMNS                                                                      \
    "o.portion, o.configuration, o.parent, o.mean_ns, o.low_ns, o.high_ns,"                        \
    " o.judged_low_ns AS \"judged.low_ns\", o.judged_high_ns AS \"judged.high_ns\", o.verdict,"    \
    " o.direction, o.reference_low_ns AS \"reference.low_ns\","                                    \
    " o.reference_high_ns AS \"reference.high_ns\","                                               \
    " CASE WHEN o.verdict='anomaly' THEN o.reference_mean_ns END AS \"reference.mean_ns\","        \
    " CASE WHEN o.verdict='anomaly' THEN o.difference_mean_ns END AS \"difference.mean_ns\","      \
    " CASE WHEN o.verdict NOT IN ('ok','first') THEN o.reason END AS reason,"                      \
    " CASE WHEN o.rule='pending' THEN o.rule END AS rule"
#define PORTION_TABLES                                                                             \
    " LEFT JOIN suspicion s ON s.id=(SELECT max(x.id) FROM suspicion x"                            \
    "  WHERE x.seen_experiment=o.experiment_id AND x.configuration=o.configuration)"               \
    " LEFT JOIN question q ON q.id=s.question_id"

#define CONFIGURATION_COLUMNS                                                                      \
    "c.name, c.label, c.loops, c.mean_ns, c.low_ns, c.high_ns, c.median_ns, c.median_low_ns,"      \
    " c.median_high_ns"
/* The shown nights of a project from one to another, newest first. What the rows say of the night
 * alone stands there once more: so a planner knows that they are few. */
#define NIGHTS_BETWEEN                                                                             \
    " WHERE e.project_id=$1 AND e.hidden=0 AND (e.night, e.time_ms, e.id)>=($2, $3, $4)"           \
    " AND (e.night, e.time_ms, e.id)<=($5, $6, $7) AND e.night>=$2 AND e.night<=$5"                \
    " ORDER BY e.night DESC, e.time_ms DESC, e.id DESC, "
#define SPAN_ARGS                                                                                  \
    SRV__ARGS(SRV__I(span->project), SRV__T(span->oldest.night), SRV__I(span->oldest.time_ms),     \
              SRV__I(span->oldest.id), SRV__T(span->newest.night), SRV__I(span->newest.time_ms),   \
              SRV__I(span->newest.id))

bool srv__night_row(srv_store *store, int64_t experiment, json_t **row, GError **error) {
    return srv__object(store, NIGHT_COLUMNS NIGHT_TABLES " WHERE e.id=$1",
                       SRV__ARGS(SRV__I(experiment)), row, error);
}

json_t *srv__night_rows(srv_store *store, const srv__page_of_nights *page, GError **error) {
    return srv__array(
        store,
        NIGHT_COLUMNS NIGHT_TABLES
        " WHERE e.project_id=$1 AND e.hidden=0 AND (e.night, e.time_ms, e.id)<($2, $3, $4)"
        " AND e.night<=$5 AND e.night>=$6"
        " ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT $7",
        SRV__ARGS(SRV__I(page->project), SRV__T(page->before.night), SRV__I(page->before.time_ms),
                  SRV__I(page->before.id), SRV__T(page->until), SRV__T(page->since),
                  SRV__I(page->count)),
        error);
}

json_t *srv__portion_rows(srv_store *store, int64_t experiment, GError **error) {
    return srv__array(store,
                      "SELECT " PORTION_COLUMNS " FROM portion o" PORTION_TABLES
                      " WHERE o.experiment_id=$1 ORDER BY o.ordinal",
                      SRV__ARGS(SRV__I(experiment)), error);
}

bool srv__portion_rows_between(srv_store *store, const srv__span *span, srv__take take, void *user,
                               GError **error) {
    return srv__each(
        store,
        span->brief ? "SELECT e.id, " PORTION_BRIEF_COLUMNS
                      " FROM experiment e JOIN portion o ON o.experiment_id=e.id" NIGHTS_BETWEEN
                      "o.ordinal"
                    : "SELECT e.id, " PORTION_COLUMNS
                      " FROM experiment e JOIN portion o ON o.experiment_id=e.id" PORTION_TABLES
                          NIGHTS_BETWEEN "o.ordinal",
        SPAN_ARGS, take, user, error);
}

json_t *srv__configuration_heads(srv_store *store, int64_t experiment, GError **error) {
    return srv__array(store,
                      "SELECT " CONFIGURATION_COLUMNS
                      " FROM configuration c WHERE c.experiment_id=$1 ORDER BY c.ordinal",
                      SRV__ARGS(SRV__I(experiment)), error);
}

bool srv__configuration_heads_between(srv_store *store, const srv__span *span, srv__take take,
                                      void *user, GError **error) {
    return srv__each(
        store,
        "SELECT e.id, " CONFIGURATION_COLUMNS
        " FROM experiment e JOIN configuration c ON c.experiment_id=e.id" NIGHTS_BETWEEN
        "c.ordinal",
        SPAN_ARGS, take, user, error);
}

/* By alert and configuration. Asked from either night: there may be many more alerts than nights on
 * a page. */
#define DATED_BACK(from)                                                                           \
    "SELECT p.seen_experiment AS seen, a.to_experiment AS began, t.night, p.configuration,"        \
    " p.direction, a.id AS alert FROM " from                                                       \
    " AND a.state<>'withdrawn' AND p.seen_experiment<>a.to_experiment"
#define SHOWN(x)                                                                                   \
    " WHERE " x ".project_id=$1 AND " x ".hidden=0 AND " x ".night>=$2 AND " x ".night<=$3"

json_t *srv__changes_dated_back(srv_store *store, int64_t project, const char *since,
                                const char *until, GError **error) {
    return srv__array(
        store,
        DATED_BACK(
            "experiment s JOIN alert_portion p ON p.seen_experiment=s.id"
            " JOIN alert a ON a.id=p.alert_id JOIN experiment t ON t.id=a.to_experiment" SHOWN(
                "s")) " UNION " DATED_BACK("experiment t JOIN alert a ON a.series_id=t.series_id "
                                           "AND a.to_experiment=t.id"
                                           " JOIN alert_portion p ON p.alert_id=a.id" SHOWN(
                                               "t")) " ORDER BY 6, 4",
        SRV__ARGS(SRV__I(project), SRV__T(since), SRV__T(until)), error);
}
