#pragma once
/*
 * suspicion - what a night made the detector suspect, and what measuring again has shown.
 *
 * waiting     the two commits are being measured in turn
 * confirmed   they differ: the anomaly stands, people are told
 * cleared     they do not: the night was an outlier
 * believed    it could not be measured again: the night's own measurement stands, people are told
 *
 * All inside a transaction; false with error.
 */
#include "detector/watch/confirm.h"
#include "detector/watch/watch.h"
#include "server/alarm/trial.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

typedef enum {
    SRV__OUTCOME_NONE,
    SRV__OUTCOME_WAITING,
    SRV__OUTCOME_CONFIRMED,
    SRV__OUTCOME_CLEARED,
    SRV__OUTCOME_BELIEVED,
    SRV__OUTCOME_UNDECIDED /* told to nobody, asked again when later nights agree */
} srv__outcome_state;

typedef struct {
    srv__outcome_state state;
    det_interval before, after, difference; /* measured again; NaN when that was not done */
    char reason[DET_REASON_MAX];
} srv__outcome;

/* One night as the series sees it. */
typedef struct {
    int64_t series, experiment;
    const srv__tree *tree;
    const det_policy *policy;
    const double *means; /* [configurations * rounds], ns a call or of the dimension; NaN: the loop
                            is missing */
    size_t rounds;
    const char *dimension; /* "time" */
} srv__suspect_night;

/* srv__suspicion_find - what is known of (portion, first night of the new level) at this night;
 * out->state is NONE when nothing is. */
bool srv__suspicion_find(srv_store *store, const srv__suspect_night *night, size_t configuration,
                         int64_t to, srv__outcome *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What follows from a suspicion that nothing is known of. */
typedef enum {
    SRV__PLAN_NOTHING, /* too weak for what clearing it costs: later nights will tell */
    SRV__PLAN_MEASURE, /* the two commits in turn */
    SRV__PLAN_BELIEVE  /* no number of loops would tell, but the nights agree for long enough */
} srv__plan;

/* srv__suspicion_plan - what measuring it again would cost says what to do.
 * verdict       of this configuration's portion
 * question      out: what to ask about it */
bool srv__suspicion_plan(srv_store *store, const srv__suspect_night *night, size_t configuration,
                         const det_verdict *verdict, srv__plan *plan, srv__question *question,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv__suspicion_raise - queue the measuring of the strongest suspicion of a night, and with it of
 * those portions that moved with the same night by themselves: one change is told once, whole.
 * question  of the portion whose suspicion is the strongest
 * verdicts  [count] of the night's portions
 * raised    out, false when an earlier night's suspicion of the same portion and direction still
 *           waits for its answer
 */
bool srv__suspicion_raise(srv_store *store, const srv__suspect_night *night,
                          const det_verdict *verdicts, srv__question question, int64_t now_ms,
                          bool *raised, GError **error) G_GNUC_WARN_UNUSED_RESULT;
