#include "server/transfer/export.h"

#include "config/credential.h"
#include "config/json_text.h"
#include "server/alarm/explanation.h"
#include "server/result/result.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/transfer.h"

/* export_night - one night as a line of an export. */

/* Members that are null were not there. */
static void drop_nulls(json_t *object) {
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe (object, next, key, value)
        if (json_is_null(value))
            json_object_del(object, key);
}

static json_t *loops_of(srv_store *store, int64_t experiment, GError **error) {
    json_t *loops = srv__array(store, ASK(export_loops, experiment), error);
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop) {
        if (json_is_null(json_object_get(json_object_get(loop, "raw"), "sha256")))
            json_object_del(loop, "raw");
        drop_nulls(loop);
    }
    return loops;
}

/* Owned; NULL with error. */
static json_t *export_night(srv_store *store, int64_t experiment, GError **error) {
    json_auto_t *night = NULL, *row = NULL;
    if (!srv__object(store, ASK(export_experiment, experiment), &night, error) ||
        !srv__object(store, ASK(export_result, experiment), &row, error))
        return NULL;
    json_t *loops = loops_of(store, experiment, error);
    if (!loops)
        return NULL;
    if (!json_is_null(json_object_get(row, "detail")))
        json_object_set(json_object_get(row, "environment"), "detail",
                        json_object_get(row, "detail"));
    json_object_del(row, "detail");
    json_object_set_new(row, "loops", loops);
    json_object_set(night, "result", row);
    drop_nulls(night);
    return json_incref(night);
}

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

/* The file is handed on; who takes it in has a password of his own. */
static char *without_password(const char *url) {
    g_auto(cfg_credential) parts = {0};
    cfg_credential_take(url, &parts);
    return g_strdup(parts.address);
}

static bool put_header(const output *out, int64_t now_ms, GError **error) {
    json_t *header;
    if (!srv__object(out->store, ASK(export_header, out->project, now_ms), &header, error))
        return false;
    const char *url = cfg_json_word(header, "repository", NULL);
    g_autofree char *shown = url ? without_password(url) : NULL;
    if (shown)
        json_object_set_new(header, "repository", json_string(shown));
    return put(out, header, error);
}

static json_t *benchmark_line(srv_store *store, int64_t id, GError **error) {
    json_t *line;
    return srv__object(store, ASK(export_benchmark, id), &line, error) ? line : NULL;
}

/* With what was said and decided. */
static json_t *audited_line(srv_store *store, const srv_sql *what, const srv_sql *audit, int64_t id,
                            GError **error) {
    json_auto_t *line = NULL;
    json_t *said = srv__object(store, what, SRV__ARGS(id), &line, error)
                       ? srv__array(store, audit, SRV__ARGS(id), error)
                       : NULL;
    if (said)
        json_object_set_new(line, "audit", said);
    return said ? json_incref(line) : NULL;
}

static json_t *alert_line(srv_store *store, int64_t id, GError **error) {
    json_t *line = audited_line(store, SQL(export_alert), SQL(export_audit), id, error);
    drop_nulls(line);
    return line;
}

/* Profiles in the order of their loops, into a result; none: it stays as it is. */
static bool profiles_into(srv_store *store, const char *dimension, int64_t alert, json_t *result,
                          GError **error) {
    json_auto_t *profiles = srv__array(store, ASK(export_profiles, alert, dimension), error);
    return profiles &&
           (json_array_size(profiles) == 0 || json_object_set(result, "profiles", profiles) == 0);
}

/* What a runner found, as it sent it. */
static json_t *explanation_line(srv_store *store, int64_t alert, GError **error) {
    json_t *line;
    if (!srv__object(store, ASK(export_explanation, alert), &line, error))
        return NULL;
    json_t *result = json_object_get(line, "result");
    json_t *allocations = json_object_get(result, "allocations");
    drop_nulls(line);
    drop_nulls(json_object_get(line, "before"));
    drop_nulls(json_object_get(line, "after"));
    drop_nulls(result);
    drop_nulls(allocations);
    if (profiles_into(store, SRV_PROFILE_TIME, alert, result, error) &&
        profiles_into(store, SRV_PROFILE_BYTES, alert, allocations, error)) {
        if (json_object_size(allocations) == 0)
            json_object_del(result, "allocations");
        return line;
    }
    json_decref(line);
    return NULL;
}

/* Only what people decided: the nights show the rest again. */
static json_t *incident_line(srv_store *store, int64_t id, GError **error) {
    return audited_line(store, SQL(export_incident), SQL(export_incident_audit), id, error);
}

static json_t *note_line(srv_store *store, int64_t id, GError **error) {
    json_t *line;
    return srv__object(store, ASK(export_note, id), &line, error) ? line : NULL;
}

/* As srv_baseline names them. */
static json_t *names_of(const json_t *portions) {
    json_t *names = json_array(), *one;
    size_t i;
    json_array_foreach (portions, i, one)
        json_array_append(names, json_object_get(one, "configuration"));
    return names;
}

static json_t *baseline_line(srv_store *store, int64_t id, GError **error) {
    json_t *line;
    if (!srv__object(store, ASK(export_baseline, id), &line, error))
        return NULL;
    drop_nulls(json_object_get(line, "alert"));
    const bool own = json_object_size(json_object_get(line, "alert")) == 0;
    if (own && json_is_array(json_object_get(line, "portions")))
        json_object_set_new(line, "portions", names_of(json_object_get(line, "portions")));
    json_object_del(line, own ? "alert" : "portions");
    drop_nulls(line);
    return line;
}

static bool put_all(const output *out, const srv_sql *keys,
                    json_t *(*line)(srv_store *, int64_t, GError **), GError **error) {
    g_autoptr(GArray) list = srv__ids(out->store, keys, SRV__ARGS(out->project), error);
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
           put_all(&out, SQL(export_benchmarks), benchmark_line, error) &&
           put_all(&out, SQL(export_nights), export_night, error) &&
           put_all(&out, SQL(export_notes), note_line, error) &&
           put_all(&out, SQL(export_baselines), baseline_line, error) &&
           put_all(&out, SQL(export_alerts), alert_line, error) &&
           put_all(&out, SQL(export_explanations), explanation_line, error) &&
           put_all(&out, SQL(export_incidents), incident_line, error);
}
