#include "server/views/events.h"

#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/views.h"

const char *srv_event_name(srv_event what) {
    static const char *const names[] = {[SRV_EVENT_JOB] = "job",
                                        [SRV_EVENT_NIGHT] = "night",
                                        [SRV_EVENT_ALERT] = "alert",
                                        [SRV_EVENT_INCIDENT] = "incident",
                                        [SRV_EVENT_PULL] = "pull_request"};
    return names[what];
}

json_t *srv_event_view(srv_store *store, srv_event what, int64_t id, GError **error) {
    switch (what) {
    case SRV_EVENT_JOB:
        return srv__job_view(store, id, false, error);
    case SRV_EVENT_NIGHT:
        return srv__only_row(store, SQL(night_event), id, "experiment", error);
    case SRV_EVENT_INCIDENT:
        return srv__incident_view(store, id, error);
    case SRV_EVENT_PULL:
        return srv_view_pull(store, id, error);
    default:
        return srv__alert_view(store, id, error);
    }
}
