#include "server/transfer/export_night.h"

/* Members that are null were not there. */
static void drop_nulls(json_t *object) {
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe (object, next, key, value)
        if (json_is_null(value))
            json_object_del(object, key);
}

static json_t *loops_of(srv_store *store, int64_t experiment, GError **error) {
    json_t *loops = srv__array(
        store,
        "SELECT c.name AS configuration, l.loop, l.position AS \"order\", l.started_ms,"
        " l.seconds, l.disturbed AS \"disturbed?\", l.failed, l.calls, l.warmup_calls,"
        " l.summary AS \"summary{\", l.calls_per_second AS \"calls_per_second{\","
        " l.readings AS \"readings{\", l.raw_sha256 AS \"raw.sha256\", l.raw_bytes AS"
        " \"raw.bytes\", l.raw_uncompressed_bytes AS \"raw.uncompressed_bytes\" FROM loop l"
        " JOIN configuration c ON c.experiment_id=l.experiment_id AND c.ordinal=l.ordinal"
        " WHERE l.experiment_id=$1 ORDER BY l.position, l.ordinal, l.loop",
        SRV__ARGS(SRV__I(experiment)), error);
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop) {
        if (json_is_null(json_object_get(json_object_get(loop, "raw"), "sha256")))
            json_object_del(loop, "raw");
        drop_nulls(loop);
    }
    return loops;
}

json_t *srv__export_night(srv_store *store, int64_t experiment, GError **error) {
    json_t *night, *row;
    if (!srv__object(store,
                     "SELECT 'night' AS type, e.kind, e.night, e.state, s.branch,"
                     " b.body_hash AS benchmark, r.sha AS \"commit.sha\","
                     " r.author AS \"commit.author\", r.author_email AS \"commit.author_email\","
                     " r.time_ms AS \"commit.time_ms\", r.subject AS \"commit.subject\","
                     " r.parent AS \"commit.parent\", r.release AS \"commit.release\""
                     " FROM experiment e"
                     " JOIN benchmark b ON b.id=e.benchmark_id"
                     " JOIN revision r ON r.id=e.revision_id"
                     " LEFT JOIN series s ON s.id=e.series_id WHERE e.id=$1",
                     SRV__ARGS(SRV__I(experiment)), &night, error))
        return NULL;
    if (!srv__object(store,
                     "SELECT e.node, e.started_ms, e.finished_ms, v.body AS \"environment{\","
                     " e.environment_detail AS \"detail{\" FROM experiment e"
                     " JOIN environment v ON v.id=e.environment_id WHERE e.id=$1",
                     SRV__ARGS(SRV__I(experiment)), &row, error)) {
        json_decref(night);
        return NULL;
    }
    json_t *loops = loops_of(store, experiment, error);
    if (!loops) {
        json_decref(night);
        json_decref(row);
        return NULL;
    }
    if (!json_is_null(json_object_get(row, "detail")))
        json_object_set(json_object_get(row, "environment"), "detail",
                        json_object_get(row, "detail"));
    json_object_del(row, "detail");
    json_object_set_new(row, "loops", loops);
    json_object_set_new(night, "result", row);
    drop_nulls(night);
    return night;
}
