#pragma once
/*
 * series_alerts - anomalies of a series against the alerts that were raised from it.
 */
#include "detector/watch.h"
#include "server/store/store_sql.h"

/* One anomaly the detector sees now; experiments with their places in the series. */
typedef struct {
    size_t configuration;
    const char *configuration_name, *portion; /* borrowed */
    int direction;
    int64_t from, to, seen; /* last night before, first night after, night it was seen */
    guint from_place, to_place;
    det_interval before, after, difference;
    char reason[DET_REASON_MAX];
} srv__anomaly;

/**
 * srv__alerts_add - raise what has no alert yet: one for all portions whose new level begins with
 * the same night. The largest is the guilty one; a portion found later joins what is still open.
 * srv__alerts_reconcile - the series was gone over again from some night on: anomalies are all
 * that were seen at or after it, old ones that are not among them are narrowed or withdrawn.
 * ids   [int64_t] the experiments of the series in order; seen_from: place of that night
 */
bool srv__alerts_add(srv_store *store, int64_t series, const GArray *anomalies, int64_t now_ms,
                     GError **error);
bool srv__alerts_reconcile(srv_store *store, int64_t series, const GArray *anomalies,
                           const GArray *ids, guint seen_from, int64_t now_ms, GError **error);

/* srv__alert_note - a change of state, with its audit line. */
bool srv__alert_note(srv_store *store, int64_t alert, const char *state, const char *author,
                     const char *reason, int64_t now_ms, GError **error);

/* srv__alert_keep - an audit line that leaves the state as it is. */
bool srv__alert_keep(srv_store *store, int64_t alert, const char *reason, int64_t now_ms,
                     GError **error);

/* srv__alert_state_ok - may a person give an alert this state? */
bool srv__alert_state_ok(const char *state);
