#pragma once
/*
 * series_suspect - what becomes of the suspicions of a night.
 */
#include "server/alarm/series_walk.h"

/* srv__walk_by_evidence - the configurations of a night, that with the most evidence first.
 * ranked  out [count] */
void srv__walk_by_evidence(const det_verdict *verdicts, size_t count, size_t *ranked);

/* srv__walk_outcomes - the suspicions of a night: outcomes that are known are applied, the
 * strongest of the others is measured again, the rest is left to the nights to come.
 * may_raise  false while nights are only judged again
 * outcomes   out [count] */
bool srv__walk_outcomes(srv__walk *walk, const srv__walk_night *n, const srv__suspect_night *night,
                        det_verdict *verdicts, bool may_raise, srv__outcome *outcomes,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
