#pragma once
/*
 * bridge - from one environment to the next: the last commit measured before is measured again in
 * the new one, in turn with the first night there.
 *
 * What it then takes, by what it took before, is the machine's factor; how the new night's commit
 * differs from it is the code's change. Both are told with the incident. Series are not converted:
 * the nights before stay as they were measured. Once for an environment, at its first night, so
 * environments that alternate are bridged once each. Where the commits cannot be measured in turn
 * there is none, and the series starts anew.
 */
#include "config/model/night.h"
#include "server/alarm/series_walk.h"

/**
 * srv__bridge_begin - for an incident of kind environment that has just been opened by this night.
 * Inside a transaction. Where the node cannot measure two commits in turn nothing is done.
 */
bool srv__bridge_begin(srv__walk *w, const srv__walk_night *n, int64_t incident,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv__bridge_settle - a trial has ended; nothing when it is no bridge.
 * failed  why it has no answer; NULL: it has
 */
bool srv__bridge_settle(srv_store *store, int64_t trial, const char *failed,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv__bridge_read - what joins an incident to the environment before.
 * bridge  out, owned, also after an error; NULL: nothing does
 */
bool srv__bridge_read(srv_store *store, int64_t incident, cfg_bridge **bridge,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
