#include "server/views/views_parts.h"

static json_t *commit_at(srv_store *store, int64_t bisection, int64_t place, GError **error) {
    json_t *row;
    if (!srv__object(store,
                     "SELECT " SRV__COMMIT("r") " FROM bisection_commit c"
                                                " JOIN revision r ON r.id=c.revision_id"
                                                " WHERE c.bisection_id=$1 AND c.place=$2",
                     SRV__ARGS(SRV__I(bisection), SRV__I(place)), &row, error))
        return NULL;
    json_t *commit = json_incref(json_object_get(row, "commit"));
    json_decref(row);
    return commit ? commit : json_null();
}

/* The steps in the order in which they were made. */
static json_t *steps(srv_store *store, int64_t bisection, GError **error) {
    return srv__array(
        store,
        "SELECT " SRV__COMMIT(
            "r") ", c.place, c.state, q.trial_id AS trial,"
                 " q.loops, q.before_mean_ns AS \"before.mean_ns\","
                 " q.before_low_ns AS \"before.low_ns\", q.before_high_ns AS"
                 " \"before.high_ns\", q.after_mean_ns AS \"after.mean_ns\","
                 " q.after_low_ns AS \"after.low_ns\", q.after_high_ns AS \"after.high_ns\","
                 " q.reason FROM bisection_commit c JOIN revision r ON r.id=c.revision_id"
                 " JOIN question q ON q.id=c.question_id WHERE c.bisection_id=$1"
                 " ORDER BY q.id",
        SRV__ARGS(SRV__I(bisection)), error);
}

json_t *srv__bisection_view(srv_store *store, int64_t alert, GError **error) {
    json_t *view;
    if (!srv__object(store,
                     "SELECT b.id, b.state, b.reason, b.started_ms, b.finished_ms, b.low, b.high,"
                     " (SELECT count(*) FROM bisection_commit c WHERE c.bisection_id=b.id)"
                     " AS commits FROM bisection b WHERE b.alert_id=$1",
                     SRV__ARGS(SRV__I(alert)), &view, error))
        return NULL;
    if (!view)
        return json_null();
    int64_t id = json_integer_value(json_object_get(view, "id"));
    bool found = g_str_equal(json_string_value(json_object_get(view, "state")), "found");
    bool range = g_str_equal(json_string_value(json_object_get(view, "state")), "range");
    int64_t low = json_integer_value(json_object_get(view, "low"));
    json_t *list = steps(store, id, error);
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
