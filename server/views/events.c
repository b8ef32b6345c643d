#include "server/views/events.h"

#include "server/views/views_parts.h"

const char *srv_event_name(srv_event what) {
    static const char *const names[] = {
        [SRV_EVENT_JOB] = "job", [SRV_EVENT_NIGHT] = "night", [SRV_EVENT_ALERT] = "alert"};
    return names[what];
}

static json_t *night(srv_store *store, int64_t experiment, GError **error) {
    return srv__one(store,
                    "SELECT p.name AS project, e.id AS experiment FROM experiment e"
                    " JOIN project p ON p.id=e.project_id WHERE e.id=$1",
                    experiment, "experiment", error);
}

json_t *srv_event_view(srv_store *store, srv_event what, int64_t id, GError **error) {
    switch (what) {
    case SRV_EVENT_JOB:
        return srv__job_view(store, id, false, error);
    case SRV_EVENT_NIGHT:
        return night(store, id, error);
    default:
        return srv__alert_view(store, id, error);
    }
}
