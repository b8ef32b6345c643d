#pragma once
/*
 * series_baseline - what people said of levels (baselines.h), while a series is gone over.
 */
#include "server/alarm/series_walk.h"

/* srv__walk_baselines_load - those in force, once a walk. */
bool srv__walk_baselines_load(srv__walk *walk, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__walk_baselines_ask - before a night: where somebody moved or removed a level the detector
 * asks before it believes in a change. */
void srv__walk_baselines_ask(srv__walk *walk, const char *night);

/* srv__walk_baselines - after a night: a level begins where somebody says so, and none does where
 * somebody moved or removed one. verdicts  [count] */
bool srv__walk_baselines(srv__walk *walk, const srv__walk_night *n, det_verdict *verdicts,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
