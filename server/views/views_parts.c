#include "server/views/views_parts.h"

#include "server/queue/queue_queries.h"

#define JOB_COLUMNS                                                                                \
    "j.id, p.name AS project, j.kind, j.priority, j.state, j.night, " SRV__COMMIT(                 \
        "r") ", j.attempts, j.node, j.queued_ms, j.started_ms, j.finished_ms, j.error,"            \
             " j.experiment_id AS experiment, j.progress AS \"progress{\","                        \
             " CASE WHEN j.state='queued' AND " SRV__ARTIFACT_MISSING " THEN b.artifact END"       \
             " AS \"waiting.artifact\", " SRV__ARTIFACT_UNTIL                                      \
             " AS \"waiting.until_ms\", " SRV__LABELS_NOWHERE " AS \"unmatched_labels{\""
#define JOB_TABLES                                                                                 \
    " FROM job j JOIN project p ON p.id=j.project_id JOIN revision r ON r.id=j.revision_id"        \
    " JOIN benchmark b ON b.id=j.benchmark_id"

void srv__drop_empty(json_t *object, const char *key, const char *member) {
    json_t *inner = json_object_get(object, key);
    if (inner && json_is_null(json_object_get(inner, member)))
        json_object_set_new(object, key, json_null());
}

json_t *srv__one(srv_store *store, const char *sql, int64_t id, const char *what, GError **error) {
    json_t *object;
    if (!srv__object(store, sql, SRV__ARGS(SRV__I(id)), &object, error))
        return NULL;
    if (!object)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no %s %" G_GINT64_FORMAT, what,
                    id);
    return object;
}

json_t *srv__job_view(srv_store *store, int64_t job, bool with_log, GError **error) {
    json_t *view = srv__one(store,
                            with_log ? "SELECT " JOB_COLUMNS ", j.log" JOB_TABLES " WHERE j.id=$1"
                                     : "SELECT " JOB_COLUMNS JOB_TABLES " WHERE j.id=$1",
                            job, "job", error);
    if (view)
        srv__drop_empty(view, "waiting", "artifact");
    return view;
}
