#include "server/views/views_queries.h"

/* The level that the night was compared with; of nights of an older release: the night before. */
#define OF_LEVEL                                                                                   \
    ", d.verdict, d.direction, d.slow AS \"slow?\","                                               \
    " CASE WHEN d.verdict IS NULL THEN b.mean ELSE d.before_mean END AS \"before.mean\","          \
    " CASE WHEN d.verdict IS NULL THEN b.low ELSE d.before_low END AS \"before.low\","             \
    " CASE WHEN d.verdict IS NULL THEN b.high ELSE d.before_high END AS \"before.high\","          \
    " CASE WHEN d.verdict IS NULL THEN b.experiment_id WHEN d.before_mean IS NULL THEN NULL"       \
    " ELSE d.from_experiment END AS \"before.experiment\" FROM dimension d"

json_t *srv__dimension_rows(srv_store *store, int64_t experiment, GError **error) {
    return srv__array(
        store,
        "SELECT " SRV__DIMENSION_FIELDS OF_LEVEL " JOIN experiment e ON e.id=d.experiment_id"
        " LEFT JOIN dimension b ON b.experiment_id=(SELECT o.id FROM experiment o"
        "  WHERE o.series_id=e.series_id AND o.hidden=0 AND o.state='measured'"
        "  AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)"
        "  AND EXISTS(SELECT 1 FROM dimension x WHERE x.experiment_id=o.id"
        "   AND x.dimension=d.dimension)"
        "  ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1)" SRV__DIMENSIONS_ALIKE
        " WHERE d.experiment_id=$1 ORDER BY d.ordinal",
        SRV__ARGS(SRV__I(experiment)), error);
}

json_t *srv__counted_nights(srv_store *store, const srv__page_of_counts *page, GError **error) {
    const srv__page_of_nights *of = &page->nights;
    return srv__array(store,
                      "SELECT e.id AS experiment, e.night, r.sha AS \"commit.sha\","
                      " substr(r.sha,1,9) AS \"commit.short\", r.time_ms AS \"commit.time_ms\""
                      " FROM experiment e JOIN revision r ON r.id=e.revision_id"
                      " WHERE e.project_id=$1 AND e.hidden=0 AND e.state='measured'"
                      " AND (e.night, e.time_ms, e.id)<($2, $3, $4)"
                      " AND e.night<=$5 AND e.night>=$6"
                      " AND EXISTS(SELECT 1 FROM dimension d WHERE d.experiment_id=e.id"
                      "  AND d.dimension=$7)"
                      " ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT $8",
                      SRV__ARGS(SRV__I(of->project), SRV__T(of->before.night),
                                SRV__I(of->before.time_ms), SRV__I(of->before.id),
                                SRV__T(of->until), SRV__T(of->since), SRV__T(page->dimension),
                                SRV__I(of->count)),
                      error);
}

json_t *srv__counted_portions(srv_store *store, int64_t project, const char *dimension,
                              const srv__night_key *oldest, const srv__night_key *newest,
                              GError **error) {
    return srv__array(store,
                      "SELECT e.id AS experiment, d.portion, d.configuration, d.parent, d.mean,"
                      " d.low, d.high, d.total FROM experiment e"
                      " JOIN dimension d ON d.experiment_id=e.id WHERE e.project_id=$1"
                      " AND e.hidden=0 AND e.state='measured' AND d.dimension=$2"
                      " AND (e.night, e.time_ms, e.id)>=($3, $4, $5)"
                      " AND (e.night, e.time_ms, e.id)<=($6, $7, $8)"
                      " ORDER BY e.night DESC, e.time_ms DESC, e.id DESC, d.ordinal",
                      SRV__ARGS(SRV__I(project), SRV__T(dimension), SRV__T(oldest->night),
                                SRV__I(oldest->time_ms), SRV__I(oldest->id), SRV__T(newest->night),
                                SRV__I(newest->time_ms), SRV__I(newest->id)),
                      error);
}
