#pragma once
/*
 * series_incidents - what the nights of a series show of machine and harness, as incidents.
 */
#include "server/alarm/series_walk.h"

/* srv__walk_incidents - after a night was judged: incidents open, last, are over or settle. */
bool srv__walk_incidents(srv__walk *walk, const srv__walk_night *n,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incidents_reconcile - the series was gone over again from a place of walk->ids: what was
 * opened at or after it and is not shown any more is withdrawn. */
bool srv__incidents_reconcile(srv__walk *walk, guint from,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
