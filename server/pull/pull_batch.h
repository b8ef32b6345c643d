#pragma once
/* pull_batch - the jobs of a pull request: how many rounds the next one has. */
#include "server/store/store_sql.h"

/* What is known of the time a round takes; see srv__pull_rounds_next. */
typedef struct {
    double left_s;  /* of the project's minutes */
    double round_s; /* a loop of each wanted configuration and commit; 0: unknown */
    int64_t rounds; /* measured so far */
} srv__pull_pace;

/* srv__pull_rounds_next - half as many rounds as were measured so far, so that looks are few, no
 * more than the time left allows; the first job tries SRV__PULL_FIRST, or what half of the time
 * allows. 0: the time is spent. Pure. */
#define SRV__PULL_FIRST 10
#define SRV__PULL_LEAST 3
#define SRV__PULL_MOST 200
int64_t srv__pull_rounds_next(const srv__pull_pace *pace);

/* srv__pull_batch - queue its next job, for the portions that are still open; in a transaction.
 * queued: out, false: the time is spent. */
bool srv__pull_batch(srv_store *store, int64_t pull, int64_t now_ms, bool *queued,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
