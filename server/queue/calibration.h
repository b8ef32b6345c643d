#pragma once
/*
 * calibration - the nodes of a project measure one reference commit in turn (calibration.commit),
 * so that it is known by which factor each portion differs between them.
 *
 * A run is a job of kind "calibration" for one node: it comes after all other work, is not begun
 * when it would last into a night, is hidden from the nights and in no series. What the runs of a
 * node say is compared with the project's usual node, that of its newest night of its own: factors
 * are known with three runs on each side, of the same benchmark and commit, each side in its
 * present environment, none older than calibration.limit_days by the server's clock.
 */
#include "detector/statistics/calibration.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

/**
 * srv_calibrations_look - queue the runs that are due, and give up those that no node came for.
 * Call every few seconds. Not in a transaction.
 */
bool srv_calibrations_look(srv_store *store, int64_t now_ms,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv__calibration_renew - work the factors of a project out anew; in a transaction. */
bool srv__calibration_renew(srv_store *store, int64_t project, int64_t now_ms,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv__calibration_check - likewise, where a night of its own says that its usual node, or that
 * node's environment, is another one than the factors are for. */
bool srv__calibration_check(srv_store *store, int64_t project, int64_t now_ms,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
