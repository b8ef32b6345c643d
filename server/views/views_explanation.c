#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "server/views/views_queries.h"

json_t *srv__explanation_view(srv_store *store, int64_t alert, GError **error) {
    json_t *view;
    if (!srv__explanation_row(store, alert, &view, error))
        return NULL;
    if (!view)
        return json_null();
    json_t *portions = srv__explanation_portion_rows(store, alert, error);
    json_t *profiles = portions ? srv__explanation_profile_rows(store, alert, error) : NULL;
    if (!profiles) {
        json_decref(portions);
        json_decref(view);
        return NULL;
    }
    json_object_set_new(view, "portions", portions);
    json_object_set_new(view, "profiles", profiles);
    return view;
}

char *srv_view_profile(srv_store *store, int64_t alert, const char *configuration, bool before,
                       GError **error) {
    json_auto_t *rows = srv__profile_rows(store, alert, configuration, before, error);
    if (!rows)
        return NULL;
    if (json_array_size(rows) == 0) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "alert %" G_GINT64_FORMAT " has no profile of %s", alert, configuration);
        return NULL;
    }
    GString *text = g_string_new(NULL);
    size_t i;
    const json_t *row;
    json_array_foreach (rows, i, row)
        g_string_append(text, json_string_value(json_object_get(row, "stacks")));
    return g_string_free(text, FALSE);
}
