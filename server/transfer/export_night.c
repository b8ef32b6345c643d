#include "server/transfer/export_night.h"

#include "server/alarm/baselines.h"
#include "server/alarm/notes.h"
#include "server/ingest/ingest_night.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/transfer.h"

void srv__drop_nulls(json_t *object) {
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe (object, next, key, value)
        if (json_is_null(value))
            json_object_del(object, key);
}

static json_t *loops_of(srv_store *store, int64_t experiment, GError **error) {
    json_t *loops = srv__array(store, SQL(export_loops), SRV__ARGS(SRV__I(experiment)), error);
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop) {
        if (json_is_null(json_object_get(json_object_get(loop, "raw"), "sha256")))
            json_object_del(loop, "raw");
        srv__drop_nulls(loop);
    }
    return loops;
}

json_t *srv__export_night(srv_store *store, int64_t experiment, GError **error) {
    json_auto_t *night = NULL, *row = NULL;
    if (!srv__object(store, SQL(export_experiment), SRV__ARGS(SRV__I(experiment)), &night, error) ||
        !srv__object(store, SQL(export_result), SRV__ARGS(SRV__I(experiment)), &row, error))
        return NULL;
    json_t *loops = loops_of(store, experiment, error);
    if (!loops)
        return NULL;
    if (!json_is_null(json_object_get(row, "detail")))
        json_object_set(json_object_get(row, "environment"), "detail",
                        json_object_get(row, "detail"));
    json_object_del(row, "detail");
    json_object_set_new(row, "loops", loops);
    json_object_set(night, "result", row);
    srv__drop_nulls(night);
    return json_incref(night);
}
