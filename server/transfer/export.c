#include "server/transfer/export.h"

#include "server/result/benchmark.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/transfer/export_night.h"

typedef struct {
    srv_store *store;
    int64_t project;
    srv_export_fn function;
    void *user;
} output;

/* Takes the object. */
static bool put(const output *out, json_t *object, GError **error) {
    if (!object)
        return false;
    g_autofree char *line = srv_json_canonical(object);
    json_decref(object);
    return out->function(line, out->user, error);
}

static bool put_header(const output *out, int64_t now_ms, GError **error) {
    json_t *header;
    if (!srv__object(out->store,
                     "SELECT 1 AS moowatch_export, name AS project, title, repository, branch,"
                     " commit_url, detection AS \"detection{\", $2 AS exported_ms FROM project"
                     " WHERE id=$1",
                     SRV__ARGS(SRV__I(out->project), SRV__I(now_ms)), &header, error))
        return false;
    return put(out, header, error);
}

static json_t *benchmark_line(srv_store *store, int64_t id, GError **error) {
    json_t *line;
    if (!srv__object(store,
                     "SELECT 'benchmark' AS type, body_hash AS hash, body AS \"body{\""
                     " FROM benchmark WHERE id=$1",
                     SRV__ARGS(SRV__I(id)), &line, error))
        return NULL;
    return line;
}

static json_t *alert_line(srv_store *store, int64_t id, GError **error) {
    json_t *line;
    if (!srv__object(store,
                     "SELECT 'alert' AS type, a.configuration, a.portion, a.direction, a.state,"
                     " r.sha AS \"commit\", e.night FROM alert a"
                     " JOIN experiment e ON e.id=a.to_experiment"
                     " JOIN revision r ON r.id=e.revision_id WHERE a.id=$1",
                     SRV__ARGS(SRV__I(id)), &line, error))
        return NULL;
    json_t *audit = srv__array(store,
                               "SELECT at_ms, new_state AS state, author, reason"
                               " FROM alert_audit WHERE alert_id=$1 ORDER BY id",
                               SRV__ARGS(SRV__I(id)), error);
    if (audit) {
        json_object_set_new(line, "audit", audit);
        return line;
    }
    json_decref(line);
    return NULL;
}

static bool put_all(const output *out, const char *sql,
                    json_t *(*line)(srv_store *, int64_t, GError **), GError **error) {
    g_autoptr(GArray) list = srv__ids(out->store, sql, SRV__ARGS(SRV__I(out->project)), error);
    for (guint i = 0; list && i < list->len; i++)
        if (!put(out, line(out->store, g_array_index(list, int64_t, i), error), error))
            return false;
    return list != NULL;
}

bool srv_export_project(srv_store *store, const char *project, int64_t now_ms,
                        srv_export_fn function, void *user, GError **error) {
    output out = {.store = store, .function = function, .user = user};
    return srv__project_id(store, project, &out.project, error) &&
           put_header(&out, now_ms, error) &&
           put_all(&out,
                   "SELECT id FROM benchmark WHERE id IN"
                   " (SELECT benchmark_id FROM experiment WHERE project_id=$1"
                   "  UNION SELECT benchmark_id FROM project WHERE id=$1) ORDER BY id",
                   benchmark_line, error) &&
           put_all(&out,
                   "SELECT id FROM experiment WHERE project_id=$1 AND hidden=0"
                   " AND state<>'failed' ORDER BY night, time_ms, id",
                   srv__export_night, error) &&
           put_all(&out,
                   "SELECT id FROM alert WHERE project_id=$1 AND state<>'withdrawn' ORDER BY id",
                   alert_line, error);
}
