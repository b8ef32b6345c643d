#include "server/series_alerts.h"

#include "server/alert_fix.h"
#include "server/views_parts.h"

#include <math.h>

#define AUTHOR "detector"

bool srv__alert_note(srv_store *store, int64_t alert, const char *state, const char *author,
                     const char *reason, int64_t now_ms, GError **error) {
    return srv__run(store,
                    "INSERT INTO alert_audit(alert_id, at_ms, old_state, new_state, author,"
                    " reason) SELECT id, $2, state, $3, $4, $5 FROM alert WHERE id=$1",
                    SRV__ARGS(SRV__I(alert), SRV__I(now_ms), SRV__T(state), SRV__T(author),
                              SRV__T(reason)),
                    NULL, error) &&
           srv__run(store, "UPDATE alert SET state=$2 WHERE id=$1",
                    SRV__ARGS(SRV__I(alert), SRV__T(state)), NULL, error) &&
           srv__alert_event(store, alert, error);
}

static const char *direction_text(const srv__anomaly *anomaly) {
    return anomaly->direction > 0 ? "up" : "down";
}

static double percent(const srv__anomaly *anomaly) {
    return anomaly->before.mean != 0 ? 100 * anomaly->difference.mean / fabs(anomaly->before.mean)
                                     : NAN;
}

static bool alert_insert(srv_store *store, int64_t series, const srv__anomaly *a, int64_t now_ms,
                         GError **error) {
    int64_t id;
    return srv__insert(
               store,
               "INSERT INTO alert(project_id, series_id, portion, configuration, direction, state,"
               " from_experiment, to_experiment, seen_experiment, raised_ms, before_mean_ns,"
               " before_low_ns, before_high_ns, after_mean_ns, after_low_ns, after_high_ns,"
               " difference_mean_ns, difference_low_ns, difference_high_ns, difference_percent,"
               " reason) SELECT project_id, id, $2, $3, $4, 'open', $5, $6, $7, $8, $9, $10, $11,"
               " $12, $13, $14, $15, $16, $17, $18, $19 FROM series WHERE id=$1",
               SRV__ARGS(SRV__I(series), SRV__T(a->portion), SRV__T(a->configuration_name),
                         SRV__T(direction_text(a)), SRV__I(a->from), SRV__I(a->to), SRV__I(a->seen),
                         SRV__I(now_ms), SRV__D(a->before.mean), SRV__D(a->before.low),
                         SRV__D(a->before.high), SRV__D(a->after.mean), SRV__D(a->after.low),
                         SRV__D(a->after.high), SRV__D(a->difference.mean),
                         SRV__D(a->difference.low), SRV__D(a->difference.high), SRV__D(percent(a)),
                         SRV__T(a->reason)),
               &id, error) &&
           srv__alert_note(store, id, "open", AUTHOR, a->reason, now_ms, error) &&
           srv__alert_fixes(store, id, now_ms, error);
}

/* The alert that tells of this anomaly, 0 when there is none; withdrawn: out. */
static bool alert_find(srv_store *store, int64_t series, const srv__anomaly *a, int64_t *id,
                       bool *withdrawn, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store,
                       "SELECT id, state='withdrawn' FROM alert WHERE series_id=$1"
                       " AND configuration=$2 AND to_experiment=$3 AND direction=$4",
                       SRV__ARGS(SRV__I(series), SRV__T(a->configuration_name), SRV__I(a->to),
                                 SRV__T(direction_text(a))),
                       error);
    GError *failure = NULL;
    *id = 0;
    if (query == NULL)
        return false;
    if (srv__query_next(query, &failure)) {
        *id = srv__query_int(query, 0);
        *withdrawn = srv__query_int(query, 1) != 0;
    }
    if (failure != NULL)
        g_propagate_error(error, failure);
    return failure == NULL;
}

static bool alert_update(srv_store *store, int64_t id, const srv__anomaly *a, GError **error) {
    return srv__run(
        store,
        "UPDATE alert SET from_experiment=$2, to_experiment=$3, seen_experiment=$4,"
        " before_mean_ns=$5, before_low_ns=$6, before_high_ns=$7, after_mean_ns=$8,"
        " after_low_ns=$9, after_high_ns=$10, difference_mean_ns=$11, difference_low_ns=$12,"
        " difference_high_ns=$13, difference_percent=$14, reason=$15 WHERE id=$1",
        SRV__ARGS(SRV__I(id), SRV__I(a->from), SRV__I(a->to), SRV__I(a->seen),
                  SRV__D(a->before.mean), SRV__D(a->before.low), SRV__D(a->before.high),
                  SRV__D(a->after.mean), SRV__D(a->after.low), SRV__D(a->after.high),
                  SRV__D(a->difference.mean), SRV__D(a->difference.low), SRV__D(a->difference.high),
                  SRV__D(percent(a)), SRV__T(a->reason)),
        NULL, error);
}

bool srv__alerts_add(srv_store *store, int64_t series, const GArray *anomalies, int64_t now_ms,
                     GError **error) {
    for (guint i = 0; i < anomalies->len; i++) {
        const srv__anomaly *anomaly = &g_array_index(anomalies, srv__anomaly, i);
        int64_t id;
        bool withdrawn;
        if (!alert_find(store, series, anomaly, &id, &withdrawn, error))
            return false;
        if (id == 0 && !alert_insert(store, series, anomaly, now_ms, error))
            return false;
        if (id != 0 && withdrawn &&
            (!alert_update(store, id, anomaly, error) ||
             !srv__alert_note(store, id, "open", AUTHOR, "it follows from the nights again", now_ms,
                              error)))
            return false;
    }
    return true;
}

/* An alert as it was raised, with the places its nights have now. */
typedef struct {
    int64_t id, to;
    char *configuration;
    int direction;
    guint from_place, to_place;
    char state[16];
} raised;

static void raised_clear(void *memory) {
    g_free(((raised *)memory)->configuration);
}

static guint place_in(const GArray *ids, int64_t id) {
    for (guint i = 0; i < ids->len; i++)
        if (g_array_index(ids, int64_t, i) == id)
            return i;
    return ids->len;
}

/* The alerts seen at or after a place, withdrawn ones left out. */
static GArray *raised_load(srv_store *store, int64_t series, const GArray *ids, guint seen_from,
                           GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store,
                       "SELECT id, to_experiment, configuration, direction='up', from_experiment,"
                       " state, seen_experiment FROM alert WHERE series_id=$1"
                       " AND state<>'withdrawn' ORDER BY id",
                       SRV__ARGS(SRV__I(series)), error);
    if (query == NULL)
        return NULL;
    GArray *list = g_array_new(FALSE, TRUE, sizeof(raised));
    g_array_set_clear_func(list, raised_clear);
    GError *failure = NULL;
    while (srv__query_next(query, &failure)) {
        if (place_in(ids, srv__query_int(query, 6)) < seen_from)
            continue;
        raised one = {.id = srv__query_int(query, 0),
                      .to = srv__query_int(query, 1),
                      .configuration = g_strdup(srv__query_text(query, 2)),
                      .direction = srv__query_int(query, 3) ? 1 : -1,
                      .from_place = place_in(ids, srv__query_int(query, 4)),
                      .to_place = place_in(ids, srv__query_int(query, 1))};
        g_strlcpy(one.state, srv__query_text(query, 5), sizeof one.state);
        g_array_append_val(list, one);
    }
    if (failure == NULL)
        return list;
    g_propagate_error(error, failure);
    g_array_free(list, TRUE);
    return NULL;
}

static bool same_kind(const raised *alert, const srv__anomaly *anomaly) {
    return alert->direction == anomaly->direction &&
           g_str_equal(alert->configuration, anomaly->configuration_name);
}

/* The anomaly that is this alert's, exactly or within the nights it spanned. */
static const srv__anomaly *successor(const raised *alert, const GArray *anomalies) {
    const srv__anomaly *inside = NULL;
    for (guint i = 0; i < anomalies->len; i++) {
        const srv__anomaly *anomaly = &g_array_index(anomalies, srv__anomaly, i);
        if (!same_kind(alert, anomaly))
            continue;
        if (anomaly->to == alert->to)
            return anomaly;
        if (inside == NULL && anomaly->from_place >= alert->from_place &&
            anomaly->to_place <= alert->to_place)
            inside = anomaly;
    }
    return inside;
}

bool srv__alerts_reconcile(srv_store *store, int64_t series, const GArray *anomalies,
                           const GArray *ids, guint seen_from, int64_t now_ms, GError **error) {
    g_autoptr(GArray) list = raised_load(store, series, ids, seen_from, error);
    if (list == NULL)
        return false;
    for (guint i = 0; i < list->len; i++) {
        const raised *alert = &g_array_index(list, raised, i);
        const srv__anomaly *now = successor(alert, anomalies);
        bool good;
        if (now == NULL) {
            good = srv__alert_note(store, alert->id, "withdrawn", AUTHOR,
                                   "an earlier night came in, and the change no longer follows",
                                   now_ms, error) &&
                   srv__alert_unfix(store, alert->id, now_ms, error);
        } else {
            int64_t other;
            bool withdrawn = false;
            good = alert_find(store, series, now, &other, &withdrawn, error);
            bool taken = good && other != 0 && other != alert->id;
            if (good && taken)
                good = srv__alert_note(store, alert->id, "withdrawn", AUTHOR,
                                       "another alert tells of the same change", now_ms, error);
            else if (good)
                good = alert_update(store, alert->id, now, error) &&
                       (now->to == alert->to ||
                        srv__alert_note(store, alert->id, alert->state, AUTHOR,
                                        "an earlier night came in: the range is smaller now",
                                        now_ms, error));
        }
        if (!good)
            return false;
    }
    return srv__alerts_add(store, series, anomalies, now_ms, error);
}
