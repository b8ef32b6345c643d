#pragma once
/*
 * series_step - one step of going over a series: the detector judges a night.
 */
#include "server/alarm/series_walk.h"

/* srv__walk_step - the detector judges the next night; keep: verdicts, alerts' anomalies and new
 * suspicions are written down. first: of its series. */
bool srv__walk_step(srv__walk *walk, int64_t experiment, bool first, bool keep,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__walk_place - an experiment's place among walk->ids; their number when it is not there. */
guint srv__walk_place(const srv__walk *walk, int64_t experiment);
