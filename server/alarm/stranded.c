#include "server/alarm/stranded.h"

#include "server/alarm/trial_queries.h"

bool srv__stranded_cancel(srv_store *store, const GArray *jobs, const char *reason,
                          srv__job_failed failed, int64_t now_ms, GError **error) {
    if (!jobs || jobs->len == 0)
        return jobs != NULL;
    if (!srv__begin(store, error))
        return false;
    bool good = true;
    for (guint i = 0; good && i < jobs->len; i++) {
        const int64_t job = g_array_index(jobs, int64_t, i);
        good = srv__job_cancel(store, job, reason, now_ms, error) &&
               srv__event(store, SRV_EVENT_JOB, job) && failed(store, job, reason, now_ms, error);
    }
    return srv__end(store, good, error);
}
