#include "server/views/views_parts.h"
#include "server/views/views_queries.h"

static json_t *commit_at(srv_store *store, int64_t bisection, int64_t place, GError **error) {
    json_t *row;
    if (!srv__bisection_commit_at(store, bisection, place, &row, error))
        return NULL;
    json_t *commit = json_incref(json_object_get(row, "commit"));
    json_decref(row);
    return commit ? commit : json_null();
}

json_t *srv__bisection_view(srv_store *store, int64_t alert, GError **error) {
    json_t *view;
    if (!srv__bisection_row(store, alert, &view, error))
        return NULL;
    if (!view)
        return json_null();
    int64_t id = json_integer_value(json_object_get(view, "id"));
    bool found = g_str_equal(json_string_value(json_object_get(view, "state")), "found");
    bool range = g_str_equal(json_string_value(json_object_get(view, "state")), "range");
    int64_t low = json_integer_value(json_object_get(view, "low"));
    json_t *list = srv__bisection_steps(store, id, error);
    /* First and last commit that may have done it; the same one when it was found. */
    json_t *last =
        found || range
            ? commit_at(store, id, json_integer_value(json_object_get(view, "high")), error)
            : json_null();
    json_t *first = range ? commit_at(store, id, low + 1, error) : json_incref(last);
    if (list && last && first) {
        json_object_set_new(view, "steps", list);
        json_object_set(view, "culprit", found ? last : json_null());
        json_object_set_new(view, "first", first);
        json_object_set_new(view, "last", last);
        json_object_del(view, "low");
        json_object_del(view, "high");
        json_object_del(view, "id");
        return view;
    }
    json_decref(list);
    json_decref(first);
    json_decref(last);
    json_decref(view);
    return NULL;
}
