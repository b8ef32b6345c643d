#include "server/views/views.h"

#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/views/views_page.h"
#include "server/views/views_parts.h"
#include "sql/views.h"

json_t *srv_view_status(srv_store *store, int64_t started_ms, int64_t silent_ms,
                        const GPtrArray *problems, int64_t now_ms, GError **error) {
    json_t *queue, *list = json_array();
    for (guint i = 0; problems && i < problems->len; i++)
        json_array_append_new(list, json_string(problems->pdata[i]));
    json_t *node_list =
        srv__array(store, SQL(nodes_list), SRV__ARGS(SRV__I(now_ms - silent_ms)), error);
    if (node_list && srv__object(store, SQL(queue_counts), SRV__NO_ARGS, &queue, error))
        return json_pack("{s:s,s:I,s:o,s:o,s:o}", "version", MOOWATCH_VERSION, "started_ms",
                         (json_int_t)started_ms, "queue", queue, "nodes", node_list, "problems",
                         list);
    json_decref(node_list);
    json_decref(list);
    return NULL;
}

typedef json_t *(*views_fn)(srv_store *store, const GArray *ids, GError **error);

static json_t *jobs_of(srv_store *store, const GArray *ids, GError **error) {
    json_t *items = json_array();
    for (guint i = 0; i < ids->len; i++) {
        json_t *item = srv__job_view(store, g_array_index(ids, int64_t, i), false, error);
        if (!item) {
            json_decref(items);
            return NULL;
        }
        json_array_append_new(items, item);
    }
    return items;
}

/* What is listed: the statements of its keys, of all projects and of one, and its views. */
typedef struct {
    const srv_sql *keys, *keys_of_project;
    views_fn views;
} listed;

/* The keys of a page, then their views. state: NULL is any. */
static json_t *page_view(srv_store *store, const listed *what, const char *project,
                         const char *state, srv_page page, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id = 0;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, false, &cursor, error) ||
        (project && !srv__project_id(store, project, &id, error)))
        return NULL;
    const srv__arg args[] = {SRV__T(state),
                             SRV__I(cursor.id),
                             SRV__I(limit + 1),
                             project ? SRV__I(id) : (srv__arg){.kind = 0},
                             {.kind = 0}};
    g_autoptr(GArray) ids =
        srv__ids(store, project ? what->keys_of_project : what->keys, args, error);
    json_t *items = ids ? what->views(store, ids, error) : NULL;
    return items ? srv__page_of(items, limit, srv__page_by_id) : NULL;
}

json_t *srv_view_alerts(srv_store *store, const char *project, const char *state, srv_page page,
                        GError **error) {
    const listed alerts = {SQL(alert_keys), SQL(alert_keys_of_project), srv__alert_views};
    return page_view(store, &alerts, project, state, page, error);
}

json_t *srv_view_alert(srv_store *store, int64_t alert, GError **error) {
    return srv__alert_view(store, alert, error);
}

json_t *srv_view_jobs(srv_store *store, const char *project, const char *state, srv_page page,
                      GError **error) {
    const listed jobs = {SQL(job_keys), SQL(job_keys_of_project), jobs_of};
    return page_view(store, &jobs, project, state, page, error);
}

json_t *srv_view_job(srv_store *store, int64_t job, GError **error) {
    return srv__job_view(store, job, true, error);
}

char *srv_view_project_of(srv_store *store, srv_thing thing, int64_t id, GError **error) {
    static const char *const tables[] = {
        [SRV_THING_JOB] = "job",           [SRV_THING_SWEEP] = "sweep",
        [SRV_THING_ALERT] = "alert",       [SRV_THING_INCIDENT] = "incident",
        [SRV_THING_PULL] = "pull",         [SRV_THING_NOTE] = "note",
        [SRV_THING_BASELINE] = "baseline", [SRV_THING_EXPERIMENT] = "experiment"};
    char *name = NULL;
    if (srv__text(store, SQL(project_of), SRV__ARGS(SRV__I(id), SRV__T(tables[thing])), &name,
                  error) &&
        !name)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "nothing here has the number %" G_GINT64_FORMAT, id);
    return name;
}
