#include "server/alarm/count_queries.h"

/* A configuration that was not counted on a night goes on from the night before that one. */
#define OF_NIGHT                                                                                   \
    "SELECT d.ordinal, d.dimension, d.mean, d.low, d.high,"                                        \
    " b.experiment_id AS \"last.experiment\", b.mean AS \"last.mean\", b.low AS \"last.low\","     \
    " b.high AS \"last.high\", b.level_mean AS \"level.mean\", b.level_half AS \"level.half\","    \
    " b.level_nights AS \"level.nights\", b.level_to AS \"level.to\" FROM dimension d"             \
    " JOIN experiment e ON e.id=d.experiment_id"                                                   \
    " LEFT JOIN dimension b ON b.experiment_id=(SELECT o.id FROM experiment o"                     \
    "  JOIN dimension x ON x.experiment_id=o.id AND x.dimension=d.dimension"                       \
    "  AND x.configuration=d.configuration WHERE o.series_id=e.series_id AND o.hidden=0"           \
    "  AND o.state='measured' AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)"           \
    "  ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1)"                                  \
    " AND b.dimension=d.dimension AND b.configuration=d.configuration AND b.counter=d.counter"     \
    " WHERE d.experiment_id=$1 AND d.counter IS NOT NULL ORDER BY d.dimension, d.ordinal"

json_t *srv__counts_of_night(srv_store *store, int64_t experiment, GError **error) {
    return srv__array(store, OF_NIGHT, SRV__ARGS(SRV__I(experiment)), error);
}

static const char *direction_text(int direction) {
    return direction > 0 ? "up" : direction < 0 ? "down" : NULL;
}

bool srv__count_put(srv_store *store, const srv__count_judged *judged, GError **error) {
    const det_counts_verdict *v = judged->verdict;
    const det_counts_level *level = judged->level;
    return srv__run(
        store,
        "UPDATE dimension SET verdict=$4, direction=$5, slow=$6, before_mean=$7,"
        " before_low=$8, before_high=$9, from_experiment=$10, level_mean=$11,"
        " level_half=$12, level_nights=$13, level_to=$14"
        " WHERE experiment_id=$1 AND dimension=$2 AND ordinal=$3",
        SRV__ARGS(SRV__I(judged->experiment), SRV__T(judged->dimension), SRV__I(judged->ordinal),
                  SRV__T(det_verdict_text(v->verdict)), SRV__T(direction_text(v->direction)),
                  SRV__I(v->rule == DET_RULE_SLOW), SRV__D(v->before.mean), SRV__D(v->before.low),
                  SRV__D(v->before.high), SRV__I(v->from), SRV__D(level->mean), SRV__D(level->half),
                  SRV__I(level->nights), SRV__I(level->to)),
        NULL, error);
}
