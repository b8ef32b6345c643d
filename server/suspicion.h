#pragma once
/*
 * suspicion - what a night made the detector suspect, and what measuring again has shown.
 *
 * waiting     the two commits are being measured in turn
 * confirmed   they differ: the anomaly stands, people are told
 * cleared     they do not: the night was an outlier
 * believed    it could not be measured again: the night is taken at its word, people are told
 */
#include "detector/confirm.h"
#include "detector/watch.h"
#include "server/result.h"
#include "server/store_sql.h"

typedef enum {
    SRV__SUSPICION_NONE,
    SRV__SUSPICION_WAITING,
    SRV__SUSPICION_CONFIRMED,
    SRV__SUSPICION_CLEARED,
    SRV__SUSPICION_BELIEVED
} srv__suspicion_state;

typedef struct {
    srv__suspicion_state state;
    det_interval before, after, difference; /* measured again; NaN when that was not done */
    char reason[DET_REASON_MAX];
} srv__suspicion;

/* One night as the series sees it. */
typedef struct {
    int64_t series, experiment;
    const srv__tree *tree;
    const det_policy *policy;
    const double *means; /* [count * rounds] */
    size_t rounds;
} srv__suspect_night;

/* srv__suspicion_find - what is known of (portion, first night of the new level) at this night. */
bool srv__suspicion_find(srv_store *store, const srv__suspect_night *night, size_t configuration,
                         int64_t since, srv__suspicion *out, GError **error);

/**
 * srv__suspicions_raise - queue the measuring again of a night's new suspicions.
 * verdicts   [count]; those in which are set are new suspicions
 * One that an earlier night raised, and that still waits, is not raised again. One that measuring
 * again could not tell in reasonable time only waits for further nights.
 */
bool srv__suspicions_raise(srv_store *store, const srv__suspect_night *night,
                           const det_verdict *verdicts, const bool *which, int64_t now_ms,
                           GError **error);

/* srv__suspicions_settle - the trial's questions are answered; failed: it could not be done. */
bool srv__suspicions_settle(srv_store *store, int64_t trial, const char *failed, int64_t now_ms,
                            GError **error);
