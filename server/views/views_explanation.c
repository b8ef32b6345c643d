#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/views.h"

/* What was found of each portion and from which profiles. */
static void add_found(json_t *view, json_t *portions, json_t *profiles) {
    json_object_set_new(view, "portions", portions);
    json_object_set_new(view, "profiles", profiles);
}

/* Takes a member out of an object. */
static json_t *steal(json_t *object, const char *key) {
    json_t *value = json_incref(json_object_get(object, key));
    json_object_del(object, key);
    return value;
}

/* {"profiler","unit","reason","portions","profiles"} of the bytes that are allocated, or null. */
static json_t *allocations_of(json_t *view, const srv__alert_parts *parts, int64_t alert) {
    json_auto_t *profiler = steal(view, "allocated_profiler");
    json_auto_t *reason = steal(view, "allocated_reason");
    if (!json_is_string(profiler) && !json_is_string(reason))
        return json_null();
    json_t *allocations =
        json_pack("{s:O, s:s, s:O}", "profiler", profiler, "unit", "bytes", "reason", reason);
    add_found(allocations, srv__alert_rows(parts, SRV__ALERT_BYTES, alert),
              srv__alert_rows(parts, SRV__ALERT_BYTES_OF, alert));
    return allocations;
}

json_t *srv__explanation_view(const srv__alert_parts *parts, int64_t alert) {
    json_t *view = srv__alert_only(parts, SRV__ALERT_WHY, alert);
    if (!view)
        return json_null();
    add_found(view, srv__alert_rows(parts, SRV__ALERT_WHERE, alert),
              srv__alert_rows(parts, SRV__ALERT_PROFILES, alert));
    json_object_set_new(view, "allocations", allocations_of(view, parts, alert));
    return view;
}

json_t *srv__profile_rows(srv_store *store, const srv_profile_name *name, GError **error) {
    const bool bytes = g_str_equal(name->dimension, SRV_PROFILE_BYTES);
    return srv__array(
        store, bytes ? SQL(allocated_profile_rows) : SQL(profile_rows),
        SRV__ARGS(SRV__I(name->alert), SRV__T(name->configuration), SRV__I(name->before)), error);
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
