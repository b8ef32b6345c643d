#include "server/views/views_parts.h"

#include "server/views/views_queries.h"

void srv__drop_empty(json_t *object, const char *key, const char *member) {
    json_t *inner = json_object_get(object, key);
    if (inner && json_is_null(json_object_get(inner, member)))
        json_object_set_new(object, key, json_null());
}

json_t *srv__job_view(srv_store *store, int64_t job, bool with_log, GError **error) {
    json_t *view = srv__job_row(store, job, with_log, error);
    if (view)
        srv__drop_empty(view, "waiting", "artifact");
    return view;
}
