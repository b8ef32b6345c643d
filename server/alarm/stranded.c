#include "server/alarm/stranded.h"

#include "server/alarm/trial_rows.h"

static bool cancel(srv_store *store, const srv__stranded *s, const GArray *jobs, int64_t now_ms,
                   GError **error) {
    bool good = jobs != NULL;
    for (guint i = 0; good && i < jobs->len; i++) {
        const int64_t job = g_array_index(jobs, int64_t, i);
        good = srv__job_cancel(store, job, s->reason, now_ms, error) &&
               srv__event(store, SRV_EVENT_JOB, job) &&
               s->failed(store, job, s->reason, now_ms, error);
    }
    return good;
}

bool srv__stranded_cancel(srv_store *store, const srv__stranded *stranded, int64_t now_ms,
                          GError **error) {
    const int64_t before_ms = now_ms - SRV__STRANDED_MS;
    g_autoptr(GArray) seen = stranded->list(store, before_ms, error);
    if (!seen || seen->len == 0)
        return seen != NULL;
    if (!srv__begin(store, error))
        return false;
    /* Again inside the transaction: a node may just have come for one. */
    g_autoptr(GArray) jobs = stranded->list(store, before_ms, error);
    return srv__end(store, cancel(store, stranded, jobs, now_ms, error), error);
}
