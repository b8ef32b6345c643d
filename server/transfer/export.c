#include "server/transfer/export.h"

#include "config/credential.h"
#include "config/json_text.h"
#include "config/model/detection.h"
#include "server/alarm/explanation.h"
#include "server/result/result.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/transfer.h"

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
        drop_nulls(loop);
        cfg_summary_keep_known(json_object_get(loop, "summary"));
    }
    return loops;
}

static bool night_finish(srv_store *store, int64_t experiment, json_t *line, GError **error) {
    json_auto_t *row = NULL;
    if (!srv__object(store, ASK(export_result, experiment), &row, error))
        return false;
    json_t *loops = loops_of(store, experiment, error);
    if (!loops)
        return false;
    json_t *detail = json_object_get(row, "detail");
    if (!json_is_null(detail))
        json_object_set(json_object_get(row, "environment"), "detail", detail);
    json_object_del(row, "detail");
    json_object_set_new(row, "loops", loops);
    json_object_set(line, "result", row);
    return true;
}

typedef struct {
    srv_store *store;
    int64_t project;
    srv_export_fn function;
    void *user;
} output;

static bool put(const output *out, const json_t *object, GError **error) {
    g_autofree char *line = srv_json_canonical(object);
    return out->function(line, out->user, error);
}

/* The file is handed on; who takes it in has a password of his own. */
static char *without_password(const char *url) {
    g_auto(cfg_credential) parts = {0};
    cfg_credential_take(url, &parts);
    return g_strdup(parts.address);
}

static bool put_header(const output *out, int64_t now_ms, GError **error) {
    json_auto_t *header = NULL;
    if (!srv__object(out->store, ASK(export_header, out->project, now_ms), &header, error))
        return false;
    const char *url = cfg_json_word(header, "repository", NULL);
    g_autofree char *shown = url ? without_password(url) : NULL;
    if (shown)
        json_object_set_new(header, "repository", json_string(shown));
    return put(out, header, error);
}

/* Profiles in the order of their loops, into a result; none: it stays as it is. */
static bool profiles_into(srv_store *store, const char *dimension, int64_t alert, json_t *result,
                          GError **error) {
    json_auto_t *profiles = srv__array(store, ASK(export_profiles, alert, dimension), error);
    return profiles &&
           (json_array_size(profiles) == 0 || json_object_set(result, "profiles", profiles) == 0);
}

/* What a runner found, as it sent it. */
static bool explanation_finish(srv_store *store, int64_t alert, json_t *line, GError **error) {
    json_t *result = json_object_get(line, "result");
    json_t *allocations = json_object_get(result, "allocations");
    drop_nulls(json_object_get(line, "before"));
    drop_nulls(json_object_get(line, "after"));
    drop_nulls(result);
    drop_nulls(allocations);
    const bool good = profiles_into(store, SRV_PROFILE_TIME, alert, result, error) &&
                      profiles_into(store, SRV_PROFILE_BYTES, alert, allocations, error);
    if (json_object_size(allocations) == 0)
        json_object_del(result, "allocations");
    return good;
}

/* As srv_baseline names them. */
static json_t *names_of(const json_t *portions) {
    json_t *names = json_array(), *one;
    size_t i;
    json_array_foreach (portions, i, one)
        json_array_append(names, json_object_get(one, "configuration"));
    return names;
}

static bool baseline_finish(srv_store *store, int64_t id, json_t *line, GError **error) {
    (void)store;
    (void)id;
    (void)error;
    json_t *alert = json_object_get(line, "alert"), *portions = json_object_get(line, "portions");
    drop_nulls(alert);
    if (alert)
        json_object_del(line, "portions");
    else if (portions)
        json_object_set_new(line, "portions", names_of(portions));
    return true;
}

/* What is a line each, in the order in which an import needs them. */
static const struct line_kind {
    const srv_sql *keys, *line;
    const srv_sql *audit; /* what was said and decided of it; NULL: nothing is */
    bool (*finish)(srv_store *, int64_t, json_t *, GError **); /* NULL: it is whole */
} kinds[] = {{SQL(export_benchmarks), SQL(export_benchmark), NULL, NULL},
             {SQL(export_nights), SQL(export_experiment), NULL, night_finish},
             {SQL(export_notes), SQL(export_note), NULL, NULL},
             {SQL(export_baselines), SQL(export_baseline), NULL, baseline_finish},
             {SQL(export_alerts), SQL(export_alert), SQL(export_audit), NULL},
             {SQL(export_explanations), SQL(export_explanation), NULL, explanation_finish},
             /* Only what people decided: the nights show the rest again. */
             {SQL(export_incidents), SQL(export_incident), SQL(export_incident_audit), NULL}};

static bool put_one(const output *out, const struct line_kind *kind, int64_t id, GError **error) {
    json_auto_t *line = NULL;
    if (!srv__object(out->store, kind->line, SRV__ARGS(id), &line, error))
        return false;
    drop_nulls(line);
    json_t *audit = kind->audit ? srv__array(out->store, kind->audit, SRV__ARGS(id), error) : NULL;
    if (audit)
        json_object_set_new(line, "audit", audit);
    return !audit == !kind->audit && (!kind->finish || kind->finish(out->store, id, line, error)) &&
           put(out, line, error);
}

static bool put_all(const output *out, const struct line_kind *kind, GError **error) {
    g_autoptr(GArray) list = srv__ids(out->store, kind->keys, SRV__ARGS(out->project), error);
    bool good = list != NULL;
    for (guint i = 0; good && i < list->len; i++)
        good = put_one(out, kind, g_array_index(list, int64_t, i), error);
    return good;
}

bool srv_export_project(srv_store *store, const char *project, int64_t now_ms,
                        srv_export_fn function, void *user, GError **error) {
    output out = {.store = store, .function = function, .user = user};
    bool good =
        srv__project_id(store, project, &out.project, error) && put_header(&out, now_ms, error);
    for (size_t i = 0; good && i < G_N_ELEMENTS(kinds); i++)
        good = put_all(&out, &kinds[i], error);
    return good;
}
