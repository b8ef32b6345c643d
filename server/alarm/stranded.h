#pragma once
/* stranded - queued jobs that only one node may take, and that node does not come back. */
#include "server/store/store_sql.h"

#define SRV__STRANDED_MS                                                                           \
    (INT64_C(3) * 24 * 3600 * 1000) /* after it, what waits for the node must wait no longer */

/* srv__job_failed - tells who asked for the job that it gets no answer; in a transaction. */
typedef bool (*srv__job_failed)(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                                GError **error);

/* Jobs that wait for a node, and what is to be said of them. */
typedef struct {
    /* [int64_t] those that were queued before; owned, NULL with error */
    GArray *(*list)(srv_store *store, int64_t before_ms, GError **error);
    const char *reason; /* kept with each job */
    srv__job_failed failed;
} srv__stranded;

/* srv__stranded_cancel - cancel those that have waited for SRV__STRANDED_MS, all or none, and tell
 * who asked for them. One that a node has taken meanwhile is its. Not in a transaction. */
bool srv__stranded_cancel(srv_store *store, const srv__stranded *stranded, int64_t now_ms,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
