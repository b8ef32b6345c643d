#pragma once
/*
 * alert_rows - what is asked of alerts, of their portions, and of what was done about them.
 * All inside a transaction; false with error.
 */
#include "detector/watch/watch.h"
#include "server/store/store_sql.h"

/* What is watched: a series, in time or in another dimension. */
typedef struct {
    int64_t series;
    const char *dimension;
} srv__watched;

/* One anomaly the detector sees now; experiments with their places in the series, intervals in ns
 * a call, or in the unit of another dimension than "time". */
typedef struct {
    size_t configuration;
    const char *configuration_name, *portion, *dimension; /* borrowed */
    double weight;          /* its size, in units of the least that is told of its dimension */
    int direction;          /* +1 rose, -1 fell */
    int64_t from, to, seen; /* last night before, first night after, night it was seen */
    guint from_place, to_place;
    det_interval before, after, difference;
    char reason[DET_REASON_MAX];
} srv__anomaly;

/* Which alert tells of an anomaly; id 0: none. */
typedef struct {
    int64_t id;
    bool withdrawn, alike; /* alike: it is led by the same dimension */
} srv__alert_of;

/* srv__alert_find - the alert with this portion's change of that night, a live one first. */
bool srv__alert_find(srv_store *store, int64_t series, const srv__anomaly *anomaly,
                     srv__alert_of *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_withdrawn_around - the withdrawn alert of this portion and direction that spanned the
 * nights of this one, 0: none. */
bool srv__alert_withdrawn_around(srv_store *store, int64_t series, const srv__anomaly *anomaly,
                                 int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_insert - a new alert with this portion as the largest one. */
bool srv__alert_insert(srv_store *store, int64_t series, const srv__anomaly *anomaly,
                       int64_t now_ms, int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_lead - nights and largest portion are those of this anomaly from now on. */
bool srv__alert_lead(srv_store *store, int64_t id, const srv__anomaly *anomaly,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_portion_put - the portion's figures, new or anew. _drop - it is not part of it;
 * _portions_drop - none is. */
bool srv__alert_portion_put(srv_store *store, int64_t id, const srv__anomaly *anomaly,
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

/*
 * series_alerts - anomalies of a series against the alerts that were raised from it.
 */

/**
 * srv__alerts_add - raise what has no alert yet: one for all portions and dimensions whose new
 * level begins with the same night. The worst is told first; a portion found later joins what is
 * still open.
 * srv__alerts_reconcile - a dimension of the series was gone over again from some night on, before
 * _add: anomalies are all that were seen at or after it, old ones that are not among them are
 * narrowed or withdrawn.
 * ids   [int64_t] the experiments of the series in order; seen_from: place of that night
 */
bool srv__alerts_add(srv_store *store, int64_t series, const GArray *anomalies, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__alerts_reconcile(srv_store *store, srv__watched of, const GArray *anomalies,
                           const GArray *ids, guint seen_from, int64_t now_ms,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
