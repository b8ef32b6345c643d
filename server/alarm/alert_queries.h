#pragma once
/*
 * alert_queries - what is asked of alerts, of their portions, and of what was done about them.
 * All inside a transaction; false with error.
 */
#include "detector/watch/watch.h"
#include "server/store/store_sql.h"

/* One anomaly the detector sees now; experiments with their places in the series, intervals in ns
 * a call. */
typedef struct {
    size_t configuration;
    const char *configuration_name, *portion; /* borrowed */
    int direction;                            /* +1 rose, -1 fell */
    int64_t from, to, seen; /* last night before, first night after, night it was seen */
    guint from_place, to_place;
    det_interval before, after, difference;
    char reason[DET_REASON_MAX];
} srv__anomaly;

/* Which alert tells of an anomaly; id 0: none. */
typedef struct {
    int64_t id;
    bool withdrawn;
} srv__alert_of;

/* srv__alert_find - the alert with this portion's change of that night, a live one first. */
bool srv__alert_find(srv_store *store, int64_t series, const srv__anomaly *anomaly,
                     srv__alert_of *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_joins - the open or acknowledged alert of the same change, 0: none. */
bool srv__alert_joins(srv_store *store, int64_t series, const srv__anomaly *anomaly, int64_t *id,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_withdrawn_around - the withdrawn alert of this portion and direction that spanned the
 * nights of this one, 0: none. */
bool srv__alert_withdrawn_around(srv_store *store, int64_t series, const srv__anomaly *anomaly,
                                 int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_insert - a new alert with this portion as the largest one. */
bool srv__alert_insert(srv_store *store, int64_t series, const srv__anomaly *anomaly,
                       int64_t now_ms, int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* SRV__ALERT_TO - UPDATE's columns of the night an alert begins with; to: its experiment. */
#define SRV__ALERT_TO(to)                                                                          \
    "to_experiment=" to ", to_night=(SELECT e.night FROM experiment e WHERE e.id=" to "),"         \
    " to_time_ms=(SELECT e.time_ms FROM experiment e WHERE e.id=" to "),"                          \
    " searched=(SELECT CASE WHEN e.remeasure=1 AND NOT EXISTS(SELECT 1 FROM bisection b"           \
    " WHERE b.alert_id=alert.id) THEN 0 ELSE 1 END FROM experiment e WHERE e.id=" to ")"

/* srv__alert_lead - nights and largest portion are those of this anomaly from now on. */
bool srv__alert_lead(srv_store *store, int64_t id, const srv__anomaly *anomaly,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_portion_put - the portion's figures, new or anew. _drop - it is not part of it;
 * _portions_drop - none is. */
bool srv__alert_portion_put(srv_store *store, int64_t id, const srv__anomaly *anomaly,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__alert_portion_drop(srv_store *store, int64_t id, const char *configuration,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

bool srv__alert_portions_drop(srv_store *store, int64_t id,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Who a change of state is by when nobody decided it. */
#define SRV__DETECTOR "detector"

/* srv__alert_note - a change of state, with its audit line; who listens is told. */
bool srv__alert_note(srv_store *store, int64_t alert, const char *state, const char *author,
                     const char *reason, int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_keep - an audit line of the detector that leaves the state as it is; likewise. */
bool srv__alert_keep(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_state_ok - may a person give an alert this state: open, acknowledged, accepted, fixed,
 * false? */
bool srv__alert_state_ok(const char *state);

/* srv__alert_withdrawn - {"withdrawn"} of an alert; row: out, owned, NULL when there is none. */
bool srv__alert_withdrawn(srv_store *store, int64_t alert, json_t **row,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_reason - {"reason"} of an alert; row: out, owned. */
bool srv__alert_reason(srv_store *store, int64_t id, json_t **row,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_portions_of_series - the portions of its alerts that stand and that nobody moved
 * by hand, an alert's largest one first:
 * {"id","to_experiment","configuration","up","from_experiment","largest","seen_experiment"}; owned,
 * NULL with error. */
json_t *srv__alert_portions_of_series(srv_store *store, int64_t series,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_still_told - an alert that tells of a portion's change from this night on and was not
 * withdrawn, 0: none. */
bool srv__alert_still_told(srv_store *store, int64_t series, const char *configuration, int64_t to,
                           int64_t *alert, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_fixed_portions - the portions of the live alerts whose every portion that rose has
 * been taken back, this alert having had a part in it:
 * {"id","portion","before_mean_ns","after_mean_ns","night","commit_id"} by alert; owned, NULL with
 * error. */
json_t *srv__alert_fixed_portions(srv_store *store, int64_t alert,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_portions_fix - portions that rose in earlier live alerts and that fell in this one
 * take back by at least half are fixed by it from now on. */
bool srv__alert_portions_fix(srv_store *store, int64_t alert,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_fixed_by - which alert took it back; 0: none. */
bool srv__alert_fixed_by(srv_store *store, int64_t id, int64_t fixed_by,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_fixed_list - {"id"} of the fixed alerts that this one had a part in; owned, NULL with
 * error. */
json_t *srv__alert_fixed_list(srv_store *store, int64_t alert,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_portions_unfix - what this alert had fixed is not, any more. */
bool srv__alert_portions_unfix(srv_store *store, int64_t alert,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alerts_ageing - the open ones that may age, or are aged: {"id","aged","raised_ms",
 * "ageing_days","night" that showed it last,"decided_ms" by a person or null}; owned, NULL with
 * error. */
json_t *srv__alerts_ageing(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_set_aged - it asks for attention no longer, or does again. */
bool srv__alert_set_aged(srv_store *store, int64_t alert, bool aged,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
