#pragma once
/*
 * bridge_queries - what is asked of bridges. All inside a transaction where something is written;
 * false or NULL with error.
 */
#include "server/store/store_sql.h"

/* srv__bridge_ends - {"from","to","after_id","before_id","after","before","night","node"} of an
 * incident: its nights, their commits (numbers, and short ids) and the date of the first of the new
 * environment; row: out, owned, NULL: there was no night before. */
bool srv__bridge_ends(srv_store *store, int64_t incident, json_t **row,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bridge_insert - trial 0: the same commit. */
bool srv__bridge_insert(srv_store *store, int64_t incident, int64_t trial, const char *state,
                        const char *reason, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bridge_end - it is done, or failed; and why. */
bool srv__bridge_end(srv_store *store, int64_t incident, const char *state, const char *reason,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bridge_of_trial - the incident that a trial is the bridge of; 0: the trial is not a bridge.
 */
bool srv__bridge_of_trial(srv_store *store, int64_t trial, int64_t *incident,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bridge_state - {"state","sentence"}; row: out, owned, NULL: there is none. */
bool srv__bridge_state(srv_store *store, int64_t incident, json_t **row,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bridge_levels - by portion, in the chain's order: [{"portion","old":{"mean","low","high"},
 * "here":{…},"change":{…},"state"}]; old: in the last night before, here: of the same commit in the
 * new environment; change and state: of the code in the first night there, state as a question's,
 * null where there was nothing to ask. Owned. */
json_t *srv__bridge_levels(srv_store *store, int64_t incident,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
