#include "server/alarm/series_counts.h"

#include "server/alarm/count_rows.h"
#include "sql/series.h"

#include <math.h>

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static int64_t integer_of(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static det_interval interval_of(const json_t *object) {
    return (det_interval){.mean = number_of(object, "mean"),
                          .low = number_of(object, "low"),
                          .high = number_of(object, "high")};
}

/* What was known after the last counted night; of an older release only that night itself. */
static det_counts_level level_of(const json_t *row) {
    const json_t *level = json_object_get(row, "level"), *last = json_object_get(row, "last");
    const det_interval was = interval_of(last);
    const double half = (was.high - was.low) / 2;
    if (json_is_object(level))
        return (det_counts_level){number_of(level, "mean"), number_of(level, "half"),
                                  (unsigned)integer_of(level, "nights"), integer_of(level, "to")};
    if (isfinite(half))
        return (det_counts_level){was.mean, half, 1, integer_of(last, "experiment")};
    return (det_counts_level){.nights = 0};
}

static bool judge(srv_store *store, int64_t experiment, const json_t *row, GError **error) {
    const json_t *last = json_object_get(row, "last");
    const char *name = json_string_value(json_object_get(row, "dimension"));
    const det_counts_night night = {.id = experiment,
                                    .now = interval_of(row),
                                    .last = interval_of(last),
                                    .last_id = integer_of(last, "experiment")};
    det_counts_level level = level_of(row);
    det_counts_verdict verdict;
    /* what is not watched, or was not counted to the end, stays without a verdict */
    if (det_counts_judge(&level, det_dimension_find(name), &night, &verdict) != DET_OK)
        return true;
    const srv__count_judged judged = {.experiment = experiment,
                                      .ordinal = integer_of(row, "ordinal"),
                                      .dimension = name,
                                      .verdict = &verdict,
                                      .level = &level};
    return srv__count_put(store, &judged, error);
}

bool srv__walk_counts(srv_store *store, int64_t experiment, GError **error) {
    json_auto_t *rows =
        srv__array(store, SQL(counts_of_night), SRV__ARGS(SRV__I(experiment)), error);
    bool good = rows != NULL;
    for (size_t i = 0; good && i < json_array_size(rows); i++)
        good = judge(store, experiment, json_array_get(rows, i), error);
    return good;
}
