#include "server/ingest/raw_rows.h"

#include "server/store/gone.h"
#include "sql/raw.h"

/* What a job has more, or from now on. */
static bool job_add(srv_store *store, int64_t job, int64_t files, uint64_t bytes, int64_t now_ms,
                    GError **error) {
    return srv__run(store, SQL(raw_job_add),
                    SRV__ARGS(SRV__I(job), SRV__I(files), SRV__I(bytes), SRV__I(now_ms)), NULL,
                    error);
}

static bool inserted(srv_store *store, const srv__raw_row *row, int64_t now_ms, GError **error) {
    return srv__gone_back(store, SRV__GONE_RAW, row->sha256, error) &&
           job_add(store, row->job, 1, row->bytes, now_ms, error);
}

/* The same bytes from another job; from the same one nothing is new. */
static bool met(srv_store *store, const srv__raw_row *row, int64_t now_ms, GError **error) {
    int64_t changed = 0;
    return srv__run(store, SQL(raw_met), SRV__ARGS(SRV__T(row->sha256), SRV__I(row->job)), &changed,
                    error) &&
           (changed == 0 || job_add(store, row->job, 0, 0, now_ms, error));
}

bool srv__raw_insert(srv_store *store, const srv__raw_row *row, int64_t now_ms, bool *created,
                     GError **error) {
    int64_t changed = 0;
    const bool good =
        srv__run(store, SQL(raw_insert),
                 SRV__ARGS(SRV__T(row->sha256), SRV__I(row->bytes), SRV__I(row->uncompressed_bytes),
                           SRV__I(row->job), SRV__I(now_ms)),
                 &changed, error);
    *created = changed > 0;
    return good && (*created ? inserted : met)(store, row, now_ms, error);
}

bool srv__raw_share(srv_store *store, int64_t experiment, int64_t job, int64_t now_ms,
                    GError **error) {
    int64_t changed = 0;
    return srv__run(store, SQL(raw_share), SRV__ARGS(SRV__I(experiment), SRV__I(job)), &changed,
                    error) &&
           (changed == 0 || job_add(store, job, 0, 0, now_ms, error));
}

static bool hand_on_bytes(srv_store *store, int64_t job, GError **error) {
    return srv__run(store, SQL(raw_hand_on_bytes), SRV__ARGS(SRV__I(job)), NULL, error);
}

static bool hand_on(srv_store *store, int64_t job, GError **error) {
    int64_t shared;
    if (!srv__run(store, SQL(raw_unshare), SRV__ARGS(SRV__I(job)), NULL, error) ||
        !srv__number(store, SQL(raw_shared), SRV__ARGS(SRV__I(job)), 0, &shared, error))
        return false;
    return shared == 0 || (hand_on_bytes(store, job, error) &&
                           srv__run(store, SQL(raw_hand_on), SRV__ARGS(SRV__I(job)), NULL, error));
}

static bool mark(srv_store *store, int64_t job, const char *rule, int64_t now_ms, GError **error) {
    return srv__run(store, SQL(raw_pruned), SRV__ARGS(SRV__I(job), SRV__I(now_ms), SRV__T(rule)),
                    NULL, error);
}

bool srv__raw_drop(srv_store *store, int64_t job, const char *rule, int64_t now_ms, int64_t *files,
                   GError **error) {
    return hand_on(store, job, error) && mark(store, job, rule, now_ms, error) &&
           srv__run(store, SQL(raw_gone), SRV__ARGS(SRV__I(job), SRV__I(now_ms)), NULL, error) &&
           srv__run(store, SQL(raw_drop), SRV__ARGS(SRV__I(job)), files, error);
}
