#include "server/views/views_parts.h"

/* The commit at a place of the search; JSON null when it is not among the suspects. */
static json_t *commit_at(const json_t *suspects, int64_t place) {
    size_t i;
    const json_t *row;
    json_array_foreach (suspects, i, row)
        if (json_integer_value(json_object_get(row, "place")) == place)
            return json_incref(json_object_get(row, "commit"));
    return json_null();
}

json_t *srv__bisection_view(const srv__alert_parts *parts, int64_t alert) {
    json_t *view = srv__alert_only(parts, SRV__ALERT_SEARCH, alert);
    if (!view)
        return json_null();
    const char *state = json_string_value(json_object_get(view, "state"));
    const bool found = g_str_equal(state, "found"), range = g_str_equal(state, "range");
    const int64_t low = json_integer_value(json_object_get(view, "low"));
    const int64_t high = json_integer_value(json_object_get(view, "high"));
    json_auto_t *suspects = srv__alert_rows(parts, SRV__ALERT_SUSPECTS, alert);
    /* First and last commit that may have done it; the same one when it was found. */
    json_t *last = found || range ? commit_at(suspects, high) : json_null();
    json_t *first = range ? commit_at(suspects, low + 1) : json_incref(last);
    json_object_set_new(view, "steps", srv__alert_rows(parts, SRV__ALERT_STEPS, alert));
    json_object_set(view, "culprit", found ? last : json_null());
    json_object_set_new(view, "first", first);
    json_object_set_new(view, "last", last);
    json_object_del(view, "low");
    json_object_del(view, "high");
    json_object_del(view, "id");
    return view;
}
