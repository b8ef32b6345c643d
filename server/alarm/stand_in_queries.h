#pragma once
/* stand_in_queries - what is asked of nights that another node measured. All inside a transaction
 * where something is written; false or NULL with error. */
#include "server/alarm/stand_in.h"

/* srv__stand_in_series - {"calibration","series","usual"} of a node with a calibration that holds;
 * row: out, owned, NULL: there is none. */
bool srv__stand_in_series(srv_store *store, const srv__stand_in_wanted *wanted, json_t **row,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__stand_in_void - a calibration for another environment of this node is not known any more:
 * it has no runs in this one. problem: why, a sentence */
bool srv__stand_in_void(srv_store *store, const srv__stand_in_wanted *wanted, const char *problem,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__stand_in_factors - [{"configuration","portion","factor","factor_low","factor_high",
 * "level_ns","share","part"}] of a calibration. srv__stand_in_rows - likewise of a night. */
json_t *srv__stand_in_factors(srv_store *store, int64_t calibration,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv__stand_in_rows(srv_store *store, int64_t experiment,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

bool srv__stand_in_insert(srv_store *store, const srv__stand_in *stand_in, int64_t experiment,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__stand_in_insert_told - with its own factors, not a calibration's. */
bool srv__stand_in_insert_told(srv_store *store, const srv__stand_in *stand_in, int64_t experiment,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__stand_in_before - the night before one in its series, 0: there is none. */
bool srv__stand_in_before(srv_store *store, int64_t experiment, int64_t *before,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__usual_node_set - this node has measured a night, which is the project's newest own unless a
 * later one is there. Where nodes are calibrated the usual one stays while it has the project's
 * labels. */
bool srv__usual_node_set(srv_store *store, int64_t project, const char *node, const char *night,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__usual_node_import - likewise elsewhere: a node that measures here stays the usual one. */
bool srv__usual_node_import(srv_store *store, int64_t project, const char *node, const char *night,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
