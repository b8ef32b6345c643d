#pragma once
/* pull_batch - the jobs of a pull request: how many rounds the next one has. */
#include "config/config.h"
#include "server/store/store.h"
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

/*
 * pull_day - how much of a day a project's pull requests may take (pull_requests.minutes_a_day).
 *
 * A day is one of UTC. It is charged with what was begun in it: with the minutes it was measured,
 * and while it is being measured with all that it may take. One may always begin when nothing was
 * charged yet, whatever it may take.
 */

/**
 * srv_pull_today - may this one, which waits for its commits, begin today? If not, it is written
 * down why, and told; when it may again, that is taken back. Not in a transaction.
 * may  out
 */
bool srv_pull_today(srv_store *store, const cfg_project *project, int64_t pull, int64_t now_ms,
                    bool *may, GError **error) G_GNUC_WARN_UNUSED_RESULT;
