#include "server/alarm/count_rows.h"
#include "sql/series.h"

static const char *direction_text(int direction) {
    return direction > 0 ? "up" : direction < 0 ? "down" : NULL;
}

bool srv__count_put(srv_store *store, const srv__count_judged *judged, GError **error) {
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
