#pragma once
/*
 * series_suspect - what becomes of the suspicions of a night.
 */
#include "server/alarm/series_walk.h"

/* srv__walk_outcomes - the suspicions of a night: outcomes that are known are applied, the
 * strongest of the others is measured again, the rest is left to the nights to come.
 * known   out [count] */
bool srv__walk_outcomes(srv__walk *walk, const srv__walk_night *night,
                        const srv__suspect_night *seen, det_verdict *verdicts, bool keep,
                        srv__suspicion *known, GError **error) G_GNUC_WARN_UNUSED_RESULT;
