#pragma once
/*
 * series_alerts - anomalies of a series against the alerts that were raised from it. All inside a
 * transaction; false with error.
 */
#include "detector/watch/watch.h"
#include "server/alarm/alerts.h"

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
