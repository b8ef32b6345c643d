#pragma once
/*
 * series_alerts - anomalies of a series against the alerts that were raised from it.
 */
#include "server/alarm/alert_rows.h"

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
bool srv__alerts_reconcile(srv_store *store, int64_t series, const char *dimension,
                           const GArray *anomalies, const GArray *ids, guint seen_from,
                           int64_t now_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;
