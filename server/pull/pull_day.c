#include "server/pull/pull_day.h"

#include "detector/watch/merge.h"
#include "server/git/nights.h"
#include "server/pull/pull.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "sql/pull.h"

#define DAY_MS INT64_C(86400000)
#define MINUTE_MS 60000.0

/* Of what stays the same all day, so that it is written and told once. */
static char *reason_of(const cfg_project *project, double wanted_ms, int64_t day) {
    char tomorrow[11];
    srv_nights_date(day + 1, tomorrow);
    return g_strdup_printf("it needs %g minutes, more than is left of today's %g for pull "
                           "requests of %s; it starts when there is room, or on %s (UTC)",
                           wanted_ms / MINUTE_MS, project->pull_requests.minutes_a_day,
                           project->name, tomorrow);
}

/* Why one that waits is not begun; NULL: it may. changed: out, the reason is a
 * new one. */
static bool pull_waits(srv_store *store, int64_t pull, const char *reason, bool *changed,
                       GError **error) {
    int64_t rows = 0;
    const bool good =
        srv__run(store, SQL(pull_waits), SRV__ARGS(SRV__I(pull), SRV__T(reason)), &rows, error);
    *changed = rows > 0;
    return good;
}

static bool tell(srv_store *store, int64_t pull, const char *reason, GError **error) {
    bool changed;
    return pull_waits(store, pull, reason, &changed, error) &&
           (!changed || srv__event(store, SRV_EVENT_PULL, pull));
}

/* Why one waits, NULL: it need not. A poll that finds the same as the last one writes nothing. */
static bool explain(srv_store *store, int64_t pull, const char *before, const char *reason,
                    GError **error) {
    return g_strcmp0(before, reason) == 0 ||
           (srv__begin(store, error) && srv__end(store, tell(store, pull, reason, error), error));
}

typedef struct {
    double minutes; /* that it may take */
    char *reason;   /* why it waits; NULL: it does not */
} wish;

static const model_member wish_members[] = {MODEL(wish, minutes, "minutes"),
                                            MODEL(wish, reason, "reason", MODEL_NULL)};
static const model_noun wish_noun = MODEL_NOUN(wish, wish_members, "pull request");

static bool look(srv_store *store, const cfg_project *project, int64_t pull, int64_t now_ms,
                 const wish *row, bool *may, GError **error) {
    const int64_t day = now_ms / DAY_MS;
    const double wanted_ms = row->minutes * MINUTE_MS;
    const double bound_ms = project->pull_requests.minutes_a_day * MINUTE_MS;
    int64_t charged_ms = 0;
    if (bound_ms > 0 &&
        !srv__number(store, SQL(pulls_charged), SRV__ARGS(SRV__I(pull), SRV__I(day * DAY_MS)), 0,
                     &charged_ms, error))
        return false;
    *may = charged_ms == 0 || (double)charged_ms + wanted_ms <= bound_ms;
    g_autofree char *reason = *may ? NULL : reason_of(project, wanted_ms, day);
    return explain(store, pull, row->reason, reason, error);
}

bool srv_pull_today(srv_store *store, const cfg_project *project, int64_t pull, int64_t now_ms,
                    bool *may, GError **error) {
    wish row;
    bool there;
    if (!srv__one(store, SQL(pull_wish), SRV__ARGS(SRV__I(pull)), &wish_noun, &row, &there, error))
        return false;
    const bool good = look(store, project, pull, now_ms, &row, may, error);
    model_clear(&wish_noun, &row);
    return good;
}
