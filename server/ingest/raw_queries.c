#include "server/ingest/raw_queries.h"

#include "server/store/gone.h"

bool srv__raw_get(srv_store *store, const char *sha256, json_t **row, GError **error) {
    return srv__object(store, "SELECT bytes, uncompressed_bytes FROM raw WHERE sha256=$1",
                       SRV__ARGS(SRV__T(sha256)), row, error);
}

/* What a job has more, or from now on. */
static bool job_add(srv_store *store, int64_t job, int64_t files, uint64_t bytes, int64_t now_ms,
                    GError **error) {
    return srv__run(store,
                    "INSERT INTO raw_job(job_id, project_id, files, bytes, stored_ms)"
                    " SELECT id, project_id, $2, $3, $4 FROM job WHERE id=$1"
                    " ON CONFLICT(job_id) DO UPDATE SET files=raw_job.files+excluded.files,"
                    " bytes=raw_job.bytes+excluded.bytes",
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
    return srv__run(store,
                    "INSERT INTO raw_share(sha256, job_id) SELECT sha256, $2 FROM raw"
                    " WHERE sha256=$1 AND job_id<>$2 ON CONFLICT(sha256, job_id) DO NOTHING",
                    SRV__ARGS(SRV__T(row->sha256), SRV__I(row->job)), &changed, error) &&
           (changed == 0 || job_add(store, row->job, 0, 0, now_ms, error));
}

bool srv__raw_insert(srv_store *store, const srv__raw_row *row, int64_t now_ms, bool *created,
                     GError **error) {
    int64_t changed = 0;
    const bool good =
        srv__run(store,
                 "INSERT INTO raw(sha256, bytes, uncompressed_bytes, job_id, stored_ms)"
                 " VALUES($1,$2,$3,$4,$5) ON CONFLICT(sha256) DO NOTHING",
                 SRV__ARGS(SRV__T(row->sha256), SRV__I(row->bytes), SRV__I(row->uncompressed_bytes),
                           SRV__I(row->job), SRV__I(now_ms)),
                 &changed, error);
    *created = changed > 0;
    return good && (*created ? inserted : met)(store, row, now_ms, error);
}

bool srv__raw_share(srv_store *store, int64_t experiment, int64_t job, int64_t now_ms,
                    GError **error) {
    int64_t changed = 0;
    return srv__run(store,
                    "INSERT INTO raw_share(sha256, job_id) SELECT DISTINCT r.sha256, $2"
                    " FROM loop l JOIN raw r ON r.sha256=l.raw_sha256"
                    " WHERE l.experiment_id=$1 AND r.job_id<>$2"
                    " ON CONFLICT(sha256, job_id) DO NOTHING",
                    SRV__ARGS(SRV__I(experiment), SRV__I(job)), &changed, error) &&
           (changed == 0 || job_add(store, job, 0, 0, now_ms, error));
}

/* The next one of those that have the same bytes gets the row; that it also shares its own is
 * harmless. */
#define HEIR "(SELECT min(s.job_id) FROM raw_share s WHERE s.sha256=raw.sha256 AND s.job_id<>$1)"

static bool hand_on_bytes(srv_store *store, int64_t job, GError **error) {
#define OF_HEIR " FROM raw WHERE raw.job_id=$1 AND " HEIR "=raw_job.job_id)"
    return srv__run(store,
                    "UPDATE raw_job SET files=files+(SELECT count(*)" OF_HEIR
                    ", bytes=bytes+(SELECT coalesce(CAST(sum(raw.bytes) AS BIGINT), 0)" OF_HEIR
                    " WHERE job_id IN (SELECT s.job_id FROM raw_share s JOIN raw r"
                    " ON r.sha256=s.sha256 WHERE r.job_id=$1 AND s.job_id<>$1)",
                    SRV__ARGS(SRV__I(job)), NULL, error);
#undef OF_HEIR
}

static bool hand_on(srv_store *store, int64_t job, GError **error) {
    int64_t shared;
    if (!srv__run(store, "DELETE FROM raw_share WHERE job_id=$1", SRV__ARGS(SRV__I(job)), NULL,
                  error) ||
        !srv__number(store,
                     "SELECT count(*) FROM raw r JOIN raw_share s ON s.sha256=r.sha256"
                     " WHERE r.job_id=$1",
                     SRV__ARGS(SRV__I(job)), 0, &shared, error))
        return false;
    return shared == 0 || (hand_on_bytes(store, job, error) &&
                           srv__run(store,
                                    "UPDATE raw SET job_id=" HEIR " WHERE job_id=$1 AND EXISTS"
                                    "(SELECT 1 FROM raw_share s WHERE s.sha256=raw.sha256)",
                                    SRV__ARGS(SRV__I(job)), NULL, error));
}

static bool mark(srv_store *store, int64_t job, const char *rule, int64_t now_ms, GError **error) {
    return srv__run(store,
                    "UPDATE raw_job SET pruned_ms=$2, rule=$3,"
                    " files=(SELECT count(*) FROM raw r WHERE r.job_id=$1),"
                    " bytes=(SELECT coalesce(CAST(sum(r.bytes) AS BIGINT), 0) FROM raw r"
                    " WHERE r.job_id=$1) WHERE job_id=$1",
                    SRV__ARGS(SRV__I(job), SRV__I(now_ms), SRV__T(rule)), NULL, error);
}

bool srv__raw_drop(srv_store *store, int64_t job, const char *rule, int64_t now_ms, int64_t *files,
                   GError **error) {
    return hand_on(store, job, error) && mark(store, job, rule, now_ms, error) &&
           srv__run(
               store,
               "INSERT INTO gone(folder, sha256, at_ms, removing)"
               " SELECT '" SRV__GONE_RAW "', sha256, $2, 0 FROM raw"
               " WHERE job_id=$1 ON CONFLICT(folder, sha256) DO UPDATE SET at_ms=excluded.at_ms",
               SRV__ARGS(SRV__I(job), SRV__I(now_ms)), NULL, error) &&
           srv__run(store, "DELETE FROM raw WHERE job_id=$1", SRV__ARGS(SRV__I(job)), files, error);
}
