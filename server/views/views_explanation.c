#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "server/views/views_queries.h"

/* What was found of each portion and from which profiles, of a dimension. */
static bool add_found(json_t *view, srv_store *store, int64_t alert, const char *dimension,
                      GError **error) {
    json_t *portions = srv__explanation_portion_rows(store, alert, dimension, error);
    json_t *profiles =
        portions ? srv__explanation_profile_rows(store, alert, dimension, error) : NULL;
    if (!profiles) {
        json_decref(portions);
        return false;
    }
    json_object_set_new(view, "portions", portions);
    json_object_set_new(view, "profiles", profiles);
    return true;
}

/* Takes a member out of an object. */
static json_t *steal(json_t *object, const char *key) {
    json_t *value = json_incref(json_object_get(object, key));
    json_object_del(object, key);
    return value;
}

/* {"profiler","unit","reason","portions","profiles"} of the bytes that are allocated, or null. */
static bool add_allocations(json_t *view, srv_store *store, int64_t alert, GError **error) {
    json_t *profiler = steal(view, "allocated_profiler");
    json_t *reason = steal(view, "allocated_reason");
    const bool known = json_is_string(profiler) || json_is_string(reason);
    json_t *allocations =
        json_pack("{s:o, s:s, s:o}", "profiler", profiler, "unit", "bytes", "reason", reason);
    const bool good = !known || add_found(allocations, store, alert, SRV_PROFILE_BYTES, error);
    json_object_set_new(view, "allocations", known ? json_incref(allocations) : json_null());
    json_decref(allocations);
    return good;
}

json_t *srv__explanation_view(srv_store *store, int64_t alert, GError **error) {
    json_t *view;
    if (!srv__explanation_row(store, alert, &view, error))
        return NULL;
    if (!view)
        return json_null();
    if (add_found(view, store, alert, SRV_PROFILE_TIME, error) &&
        add_allocations(view, store, alert, error))
        return view;
    json_decref(view);
    return NULL;
}

char *srv_view_profile(srv_store *store, const srv_profile_name *name, GError **error) {
    json_auto_t *rows = srv__profile_rows(store, name, error);
    if (!rows)
        return NULL;
    if (json_array_size(rows) == 0) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "alert %" G_GINT64_FORMAT " has no profile of %s", name->alert,
                    name->configuration);
        return NULL;
    }
    GString *text = g_string_new(NULL);
    size_t i;
    const json_t *row;
    json_array_foreach (rows, i, row)
        g_string_append(text, json_string_value(json_object_get(row, "stacks")));
    return g_string_free(text, FALSE);
}
