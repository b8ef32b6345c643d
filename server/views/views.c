#include "server/views/views.h"

#include "server/store/projects.h"
#include "server/views/views_page.h"
#include "server/views/views_parts.h"
#include "server/views/views_queries.h"

json_t *srv_view_status(srv_store *store, int64_t started_ms, int64_t silent_ms,
                        const GPtrArray *problems, int64_t now_ms, GError **error) {
    json_t *queue, *list = json_array();
    for (guint i = 0; problems && i < problems->len; i++)
        json_array_append_new(list, json_string(problems->pdata[i]));
    json_t *node_list = srv__nodes_list(store, silent_ms, now_ms, error);
    if (node_list && srv__queue_counts(store, &queue, error))
        return json_pack("{s:s,s:I,s:o,s:o,s:o}", "version", MOOWATCH_VERSION, "started_ms",
                         (json_int_t)started_ms, "queue", queue, "nodes", node_list, "problems",
                         list);
    json_decref(node_list);
    json_decref(list);
    return NULL;
}

typedef GArray *(*keys_fn)(srv_store *store, const srv__page_of_keys *page, GError **error);
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

/* The keys of a page, then their views. */
static json_t *page_view(srv_store *store, keys_fn keys, const char *project, const char *state,
                         srv_page page, views_fn views, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    srv__page_of_keys wanted = {.state = state};
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, false, &cursor, error) ||
        (project && !srv__project_id(store, project, &wanted.project, error)))
        return NULL;
    wanted.below = cursor.id;
    wanted.count = limit + 1;
    g_autoptr(GArray) ids = keys(store, &wanted, error);
    json_t *items = ids ? views(store, ids, error) : NULL;
    return items ? srv__page_of(items, limit, srv__page_by_id) : NULL;
}

json_t *srv_view_alerts(srv_store *store, const char *project, const char *state, srv_page page,
                        GError **error) {
    return page_view(store, srv__alert_keys, project, state, page, srv__alert_views, error);
}

json_t *srv_view_alert(srv_store *store, int64_t alert, GError **error) {
    return srv__alert_view(store, alert, error);
}

json_t *srv_view_jobs(srv_store *store, const char *project, const char *state, srv_page page,
                      GError **error) {
    return page_view(store, srv__job_keys, project, state, page, jobs_of, error);
}

json_t *srv_view_job(srv_store *store, int64_t job, GError **error) {
    return srv__job_view(store, job, true, error);
}

char *srv_view_project_of(srv_store *store, srv_thing thing, int64_t id, GError **error) {
    json_t *row;
    if (!srv__project_of(store, thing, id, &row, error))
        return NULL;
    char *name = g_strdup(json_string_value(json_object_get(row, "name")));
    json_decref(row);
    if (!name)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "nothing here has the number %" G_GINT64_FORMAT, id);
    return name;
}
