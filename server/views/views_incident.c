#include "server/alarm/bridge.h"
#include "server/alarm/incidents.h"
#include "server/store/projects.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/incident.h"
#include "web/words/incident.h"

/* Replace the number of a night by the night; 0 and null become null. */
static bool end_expand(srv_store *store, json_t *incident, const char *key, const char *column,
                       GError **error) {
    const int64_t experiment = json_integer_value(json_object_get(incident, column));
    json_t *row = NULL;
    if (experiment != 0 &&
        !srv__object(store, SQL(incident_end), SRV__ARGS(SRV__I(experiment)), &row, error))
        return false;
    json_object_set_new(incident, key, row ? row : json_null());
    json_object_del(incident, column);
    return true;
}

/* What joins it to the environment before. */
static bool bridge_add(srv_store *store, json_t *incident, int64_t id, GError **error) {
    json_t *bridge;
    if (!srv__bridge_view(store, id, &bridge, error))
        return false;
    json_object_set_new(incident, "bridge", bridge);
    return true;
}

json_t *srv__incident_view(srv_store *store, int64_t id, GError **error) {
    json_t *incident;
    if (!srv__object(store, SQL(incident_row), SRV__ARGS(SRV__I(id)), &incident, error))
        return NULL;
    if (!incident) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no incident %" G_GINT64_FORMAT,
                    id);
        return NULL;
    }
    json_t *audit = srv__array(store, SQL(incident_audit), SRV__ARGS(SRV__I(id)), error);
    if (audit && bridge_add(store, incident, id, error) &&
        end_expand(store, incident, "from", "from_experiment", error) &&
        end_expand(store, incident, "to", "to_experiment", error) &&
        end_expand(store, incident, "seen", "seen_experiment", error) &&
        end_expand(store, incident, "over", "over_experiment", error)) {
        web_incident_say(incident);
        srv__drop_empty(incident, "factor", "mean");
        json_object_set_new(incident, "audit", audit);
        return incident;
    }
    json_decref(audit);
    json_decref(incident);
    return NULL;
}

json_t *srv_view_incident(srv_store *store, int64_t incident, GError **error) {
    return srv__incident_view(store, incident, error);
}

json_t *srv_view_incidents(srv_store *store, const char *project, const char *state, srv_page page,
                           GError **error) {
    unsigned limit;
    int64_t id = 0;
    srv__cursor cursor;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, false, &cursor, error) ||
        (project && !srv__project_id(store, project, &id, error)))
        return NULL;
    g_autoptr(GArray) ids =
        srv__ids(store, SQL(incident_keys),
                 SRV__ARGS(SRV__I(id), SRV__T(state), SRV__I(cursor.id), SRV__I(limit + 1)), error);
    json_t *items = ids ? json_array() : NULL;
    for (guint i = 0; items && i < ids->len; i++) {
        json_t *item = srv__incident_view(store, g_array_index(ids, int64_t, i), error);
        if (item)
            json_array_append_new(items, item);
        else
            g_clear_pointer(&items, json_decref);
    }
    return items ? srv__page_of(items, limit, srv__page_by_id) : NULL;
}

/* In a table of nights there is one sentence for both. */
static void bridge_say(json_t *row) {
    const char *bridge =
        json_string_value(json_object_get(json_object_get(row, "bridge"), "sentence"));
    g_autofree char *both =
        bridge
            ? g_strdup_printf("%s; %s", json_string_value(json_object_get(row, "sentence")), bridge)
            : NULL;
    if (both)
        json_object_set_new(row, "sentence", json_string(both));
}

/* A row becomes what a chart and a table of nights say of it. */
static bool incident_put(srv_store *store, cfg_night *night, json_t *row, GError **error) {
    if (!bridge_add(store, row, json_integer_value(json_object_get(row, "id")), error))
        return false;
    web_incident_say(row);
    bridge_say(row);
    if (night->incident)
        model_clear(&cfg_incident_model, night->incident);
    night->incident = g_renew(cfg_incident, night->incident, 1);
    model_read_leniently(&cfg_incident_model, row, night->incident);
    return true;
}

bool srv__incidents_hand_out(srv_store *store, int64_t project, cfg_night *nights, size_t count,
                             GError **error) {
    json_auto_t *rows = srv__array(
        store, SQL(incidents_between),
        SRV__ARGS(SRV__I(project), SRV__T(nights[count - 1].night), SRV__T(nights[0].night)),
        error);
    bool good = rows != NULL;
    for (size_t i = 0; good && i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        cfg_night *night =
            srv__night_among(nights, count, json_integer_value(json_object_get(row, "experiment")));
        good = !night || incident_put(store, night, row, error);
    }
    return good;
}
