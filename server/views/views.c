#include "server/views/views.h"

#include "config/json_text.h"
#include "server/alarm/bisection.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/views/views_parts.h"
#include "sql/audit.h"
#include "sql/incident.h"
#include "sql/views.h"

const char *srv_event_name(srv_event what) {
    static const char *const names[] = {[SRV_EVENT_JOB] = "job",
                                        [SRV_EVENT_NIGHT] = "night",
                                        [SRV_EVENT_ALERT] = "alert",
                                        [SRV_EVENT_INCIDENT] = "incident",
                                        [SRV_EVENT_PULL] = "pull_request"};
    return names[what];
}

json_t *srv_event_view(srv_store *store, srv_event what, int64_t id, GError **error) {
    switch (what) {
    case SRV_EVENT_JOB:
        return srv__job_view(store, id, false, error);
    case SRV_EVENT_NIGHT:
        return srv__only_row(store, SQL(night_event), id, "experiment", error);
    case SRV_EVENT_INCIDENT:
        return srv_view_incident(store, id, error);
    case SRV_EVENT_PULL:
        return srv_view_pull(store, id, error);
    default:
        return srv_view_alert(store, id, error);
    }
}

static void name(json_t *open, json_int_t count, const char *one, const char *many) {
    if (count == 0)
        return;
    g_autofree char *text =
        g_strdup_printf("%" JSON_INTEGER_FORMAT " %s", count, count == 1 ? one : many);
    json_array_append_new(open, json_string(text));
}

bool srv__settled_add(srv_store *store, json_t *project, GError **error) {
    /* An alert is told in one transaction, and its search begins with the next poll. */
    g_auto(model_list) wanted = {0};
    if (!srv_bisections_wanted(store, cfg_json_word(project, "name", NULL), &wanted, error))
        return false;
    const json_t *counts = json_object_get(project, "open");
    const char *const keys[] = {"webhooks", "running", "trials", "trials_waiting", "searches"};
    json_int_t n[G_N_ELEMENTS(keys)];
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        n[i] = cfg_json_integer(counts, keys[i]);
    json_t *open = json_array();
    name(open, n[0], "webhook waiting for its commit", "webhooks waiting for their commits");
    name(open, cfg_json_integer(project, "queued"), "job queued", "jobs queued");
    name(open, n[1], "job running", "jobs running");
    name(open, n[2], "trial of two commits running", "trials of two commits running");
    name(open, n[3], "trial of two commits waiting to be measured",
         "trials of two commits waiting to be measured"); /* for a node, or for nights between */
    name(open, n[4], "search for a commit running", "searches for a commit running");
    name(open, (json_int_t)wanted.count, "search for a commit to begin",
         "searches for a commit to begin");
    json_object_set_new(project, "settled", json_boolean(json_array_size(open) == 0));
    json_object_set_new(project, "open", open);
    return true;
}

json_t *srv_view_status(srv_store *store, int64_t started_ms, int64_t silent_ms,
                        const GPtrArray *problems, int64_t now_ms, GError **error) {
    json_t *queue, *list = problems ? cfg_json_texts((char *const *)problems->pdata, problems->len)
                                    : json_array();
    json_t *node_list = srv__array(store, ASK(nodes_list, now_ms - silent_ms), error);
    if (node_list && srv__object(store, ASK(queue_counts), &queue, error))
        return json_pack("{s:s,s:I,s:o,s:o,s:o}", "version", MOOWATCH_VERSION, "started_ms",
                         (json_int_t)started_ms, "queue", queue, "nodes", node_list, "problems",
                         list);
    json_decref(node_list);
    json_decref(list);
    return NULL;
}

typedef json_t *(*view_fn)(srv_store *store, int64_t id, GError **error);

static json_t *each_of(srv_store *store, const GArray *ids, view_fn view, GError **error) {
    json_t *items = json_array();
    for (guint i = 0; items && i < ids->len; i++) {
        json_t *item = view(store, g_array_index(ids, int64_t, i), error);
        if (!item || json_array_append_new(items, item) != 0)
            g_clear_pointer(&items, json_decref);
    }
    return items;
}

static json_t *job_of(srv_store *store, int64_t id, GError **error) {
    return srv__job_view(store, id, false, error);
}

static json_t *jobs_of(srv_store *store, const GArray *ids, GError **error) {
    return each_of(store, ids, job_of, error);
}

static json_t *incidents_of(srv_store *store, const GArray *ids, GError **error) {
    return each_of(store, ids, srv_view_incident, error);
}

static json_t *alerts_of(srv_store *store, const GArray *ids, GError **error) {
    g_auto(model_list) alerts = {0};
    if (!srv__alerts_read(store, ids, &alerts, error))
        return NULL;
    json_t *views = json_array();
    for (unsigned i = 0; i < alerts.count; i++)
        json_array_append_new(views, cfg_alert_json((const cfg_alert *)alerts.items + i));
    return views;
}

/* Which of them a page shows. */
typedef struct {
    const char *state; /* NULL: any */
    int64_t project;   /* 0: of all */
    int64_t below;     /* its keys */
    unsigned count;
} part;

static GArray *keys_of(srv_store *store, const srv_list *list, const part *p, GError **error) {
    return p->project ? srv__ids(store, list->keys_of_project,
                                 SRV__ARGS(p->state, p->below, p->count, p->project), error)
                      : srv__ids(store, list->keys, SRV__ARGS(p->state, p->below, p->count), error);
}

static json_t *rows_of(srv_store *store, const srv_list *list, const part *p, GError **error) {
    json_t *rows =
        list->rows ? srv__array(store, list->rows, SRV__ARGS(p->project, p->below, p->count), error)
                   : srv__array(store, list->keys, SRV__ARGS(p->state, p->below, p->count), error);
    for (size_t i = 0; list->finish && i < json_array_size(rows); i++)
        list->finish(json_array_get(rows, i));
    return rows;
}

static json_t *items_of(srv_store *store, const srv_list *list, const part *p, GError **error) {
    if (!list->views)
        return rows_of(store, list, p, error);
    g_autoptr(GArray) ids = keys_of(store, list, p, error);
    return ids ? list->views(store, ids, error) : NULL;
}

static char *by_id(const json_t *item) {
    return g_strdup_printf("%" JSON_INTEGER_FORMAT, cfg_json_integer(item, "id"));
}

json_t *srv_view_list(srv_store *store, const srv_list *list, const char *project,
                      const char *state, srv_page page, GError **error) {
    unsigned limit;
    srv__cursor from;
    part p = {.state = state};
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, false, &from, error) ||
        (project && !srv__project_id(store, project, &p.project, error)))
        return NULL;
    p.below = from.id;
    p.count = limit + 1;
    json_t *items = items_of(store, list, &p, error);
    return items ? srv__page_of(items, limit, by_id) : NULL;
}

const srv_list srv_list_alerts = {
    .keys = SQL(alert_keys), .keys_of_project = SQL(alert_keys_of_project), .views = alerts_of};
const srv_list srv_list_incidents = {.keys = SQL(incident_keys),
                                     .keys_of_project = SQL(incident_keys_of_project),
                                     .views = incidents_of};
const srv_list srv_list_jobs = {
    .keys = SQL(job_keys), .keys_of_project = SQL(job_keys_of_project), .views = jobs_of};
const srv_list srv_list_audit = {.keys = SQL(audit_page)};
const srv_list srv_list_notes = {.rows = SQL(note_rows)};
const srv_list srv_list_baselines = {.rows = SQL(baseline_rows)};
const srv_list srv_list_artifacts = {.rows = SQL(artifact_rows)};

bool srv_alerts_newest(srv_store *store, const char *project, unsigned limit, model_list *alerts,
                       GError **error) {
    part p = {.below = INT64_MAX, .count = limit};
    if (project && !srv__project_id(store, project, &p.project, error))
        return false;
    g_autoptr(GArray) ids = keys_of(store, &srv_list_alerts, &p, error);
    return ids && srv__alerts_read(store, ids, alerts, error);
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
    if (srv__text(store, ASK(project_of, id, tables[thing]), &name, error) && !name)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "nothing here has the number %" G_GINT64_FORMAT, id);
    return name;
}
