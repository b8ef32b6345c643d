#include "server/views/views.h"

#include "server/store/projects.h"
#include "server/views/views_page.h"
#include "server/views/views_parts.h"

static json_t *nodes(srv_store *store, int64_t silent_ms, int64_t now_ms, GError **error) {
    return srv__array(store,
                      "SELECT n.name, n.version, n.labels AS \"labels{\", n.seen_ms, n.paused,"
                      " CASE WHEN n.seen_ms<$1 THEN 'silent' WHEN j.id IS NOT NULL THEN 'busy'"
                      " WHEN n.paused IS NOT NULL THEN 'paused' ELSE 'idle' END AS state,"
                      " j.id AS job, j.progress AS \"progress{\""
                      " FROM node n LEFT JOIN job j ON j.id=n.job_id AND j.state='leased'"
                      " ORDER BY n.name",
                      SRV__ARGS(SRV__I(now_ms - silent_ms)), error);
}

json_t *srv_view_status(srv_store *store, int64_t started_ms, int64_t silent_ms,
                        const GPtrArray *problems, int64_t now_ms, GError **error) {
    json_t *queue, *list = json_array();
    for (guint i = 0; problems && i < problems->len; i++)
        json_array_append_new(list, json_string(problems->pdata[i]));
    json_t *node_list = nodes(store, silent_ms, now_ms, error);
    if (node_list && srv__object(store,
                                 "SELECT (SELECT count(*) FROM job WHERE state='queued') AS queued,"
                                 " (SELECT count(*) FROM job WHERE state='leased') AS leased,"
                                 " (SELECT count(*) FROM job WHERE state='failed') AS failed",
                                 SRV__NO_ARGS, &queue, error))
        return json_pack("{s:s,s:I,s:o,s:o,s:o}", "version", MOOWATCH_VERSION, "started_ms",
                         (json_int_t)started_ms, "queue", queue, "nodes", node_list, "problems",
                         list);
    json_decref(node_list);
    json_decref(list);
    return NULL;
}

typedef json_t *(*view_fn)(srv_store *store, int64_t id, GError **error);

static json_t *job_of(srv_store *store, int64_t id, GError **error) {
    return srv__job_view(store, id, false, error);
}

/* The ids of a page, then each one's view. sql: $1 project, $2 state, $3 below, $4 how many. */
static json_t *page_view(srv_store *store, const char *sql, const char *project, const char *state,
                         srv_page page, view_fn view, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id = 0;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, false, &cursor, error) ||
        (project && !srv__project_id(store, project, &id, error)))
        return NULL;
    json_t *ids = srv__array(
        store, sql, SRV__ARGS(SRV__ID(id), SRV__T(state), SRV__I(cursor.id), SRV__I(limit + 1)),
        error);
    if (!ids)
        return NULL;
    json_t *items = json_array();
    size_t i;
    json_t *item;
    json_array_foreach (ids, i, item) {
        json_t *one = view(store, json_integer_value(json_object_get(item, "id")), error);
        if (!one) {
            json_decref(ids);
            json_decref(items);
            return NULL;
        }
        json_array_append_new(items, one);
    }
    json_decref(ids);
    return srv__page_of(items, limit, srv__page_by_id);
}

json_t *srv_view_alerts(srv_store *store, const char *project, const char *state, srv_page page,
                        GError **error) {
#define STATE "($2 IS NULL OR a.state=$2 OR ($2='aged' AND " SRV__ALERT_AGED "))"
#define OF " FROM alert a JOIN project p ON p.id=a.project_id"
    const char *sql = project ? "SELECT a.id" OF " WHERE a.project_id=$1 AND " STATE
                                " AND a.id<$3 ORDER BY a.id DESC LIMIT $4"
                              : "SELECT a.id" OF " WHERE $1 IS NULL AND " STATE
                                " AND a.id<$3 ORDER BY a.id DESC LIMIT $4";
#undef STATE
#undef OF
    return page_view(store, sql, project, state, page, srv__alert_view, error);
}

json_t *srv_view_alert(srv_store *store, int64_t alert, GError **error) {
    return srv__alert_view(store, alert, error);
}

json_t *srv_view_jobs(srv_store *store, const char *project, const char *state, srv_page page,
                      GError **error) {
    const char *sql = project
                          ? "SELECT id FROM job WHERE project_id=$1 AND ($2 IS NULL OR state=$2)"
                            " AND id<$3 ORDER BY id DESC LIMIT $4"
                          : "SELECT id FROM job WHERE $1 IS NULL AND ($2 IS NULL OR state=$2)"
                            " AND id<$3 ORDER BY id DESC LIMIT $4";
    return page_view(store, sql, project, state, page, job_of, error);
}

json_t *srv_view_job(srv_store *store, int64_t job, GError **error) {
    return srv__job_view(store, job, true, error);
}
