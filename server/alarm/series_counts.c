#include "server/alarm/series_counts.h"

#include "detector/watch/counts.h"
#include "server/store/store_sql.h"
#include "sql/series.h"

#include <math.h>

/* A dimension that a night counted, and what was known before. */
typedef struct {
    int64_t ordinal;
    char *dimension;
    det_interval now;
    struct {
        int64_t experiment; /* 0: none counted it */
        det_interval interval;
    } last;
    det_counts_level *level; /* after that night; NULL: of an older release */
} counted;

// NOLINTBEGIN(bugprone-macro-parentheses): a type and the path of a member
#define INTERVAL(S, field)                                                                         \
    MODEL(S, field.mean, "mean", MODEL_NULL, NAN), MODEL(S, field.low, "low", MODEL_NULL, NAN),    \
        MODEL(S, field.high, "high", MODEL_NULL, NAN)
// NOLINTEND(bugprone-macro-parentheses)

static const model_member last_members[] = {
    MODEL(counted, last.experiment, "experiment", MODEL_NULL), INTERVAL(counted, last.interval)};
static const model_noun last_noun = MODEL_NOUN(counted, last_members, "night before");

static const model_member level_members[] = {MODEL(det_counts_level, mean, "mean", MODEL_NULL, NAN),
                                             MODEL(det_counts_level, half, "half", MODEL_NULL, NAN),
                                             MODEL(det_counts_level, nights, "nights", MODEL_NULL),
                                             MODEL(det_counts_level, to, "to", MODEL_NULL)};
static const model_noun level_noun = MODEL_NOUN(det_counts_level, level_members, "level");

static const model_member counted_members[] = {
    MODEL(counted, ordinal, "ordinal"), MODEL(counted, dimension, "dimension"),
    INTERVAL(counted, now), MODEL_INSIDE(last_noun, "last", MODEL_NULL),
    MODEL_A(counted, level, level_noun, MODEL_OWN, "level", MODEL_NULL)};
static const model_noun counted_noun = MODEL_NOUN(counted, counted_members, "count");

/* What was known after the last counted night; of an older release only that night itself. */
static det_counts_level level_of(const counted *row) {
    const det_interval *was = &row->last.interval;
    const double half = (was->high - was->low) / 2;
    if (row->level)
        return *row->level;
    if (isfinite(half))
        return (det_counts_level){was->mean, half, 1, row->last.experiment};
    return (det_counts_level){.nights = 0};
}

/* A night's dimension of a configuration, as it was judged; borrowed. */
typedef struct {
    int64_t experiment, ordinal;
    const char *dimension;
    const det_counts_verdict *verdict;
    const det_counts_level *level;
} srv__count_judged;

static const char *direction_text(int direction) {
    return direction > 0 ? "up" : direction < 0 ? "down" : NULL;
}

/* The verdict, and the level that is known from then on. */
static bool count_put(srv_store *store, const srv__count_judged *judged, GError **error) {
    const det_counts_verdict *v = judged->verdict;
    const det_counts_level *level = judged->level;
    return srv__run(
        store, SQL(count_put),
        SRV__ARGS(SRV__I(judged->experiment), SRV__T(judged->dimension), SRV__I(judged->ordinal),
                  SRV__T(det_verdict_text(v->verdict)), SRV__T(direction_text(v->direction)),
                  SRV__I(v->rule == DET_RULE_SLOW), SRV__D(v->before.mean), SRV__D(v->before.low),
                  SRV__D(v->before.high), SRV__I(v->from), SRV__D(level->mean), SRV__D(level->half),
                  SRV__I(level->nights), SRV__I(level->to)),
        NULL, error);
}

static bool judge(srv_store *store, int64_t experiment, const counted *row, GError **error) {
    const det_counts_night night = {.id = experiment,
                                    .now = row->now,
                                    .last = row->last.interval,
                                    .last_id = row->last.experiment};
    det_counts_level level = level_of(row);
    det_counts_verdict verdict;
    /* what is not watched, or was not counted to the end, stays without a verdict */
    if (det_counts_judge(&level, det_dimension_find(row->dimension), &night, &verdict) != DET_OK)
        return true;
    const srv__count_judged judged = {.experiment = experiment,
                                      .ordinal = row->ordinal,
                                      .dimension = row->dimension,
                                      .verdict = &verdict,
                                      .level = &level};
    return count_put(store, &judged, error);
}

bool srv__walk_counts(srv_store *store, int64_t experiment, GError **error) {
    g_auto(model_list) rows = {0};
    bool good = srv__many(store, SQL(counts_of_night), SRV__ARGS(SRV__I(experiment)), &counted_noun,
                          &rows, error);
    for (unsigned i = 0; good && i < rows.count; i++)
        good = judge(store, experiment, (const counted *)rows.items + i, error);
    return good;
}
