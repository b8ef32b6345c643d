#pragma once
/*
 * trial_judge - a trial's loops, and what they say so far.
 */
#include "detector/watch/confirm.h"
#include "detector/words/counted.h"
#include "server/alarm/trial_rows.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__confirm_policy - the sequential test's settings for a series: the detector's defaults within
 * what its project allows (detection.remeasure_loops). */
bool srv__confirm_policy(srv_store *store, int64_t series, det_confirm_policy *policy,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__confirm_of - the settings for a question about this dimension ("time"). */
det_confirm_policy srv__confirm_of(const det_confirm_policy *policy, const char *dimension);

/* srv__counted_of - as the detector takes it (NULL: nothing was counted, its means are no numbers);
 * srv__witness_of - what it says of a suspicion in a direction, +1 or -1. */
det_counted srv__counted_of(const srv__counted *counted);
det_witness srv__witness_of(const srv__counted *counted, int direction);

/* srv__trial_loops_insert - keep a job's loops, each with the commit it measured; in a
 * transaction. */
bool srv__trial_loops_insert(srv_store *store, int64_t trial, int64_t job,
                             const srv__result *result, const srv__tree *tree,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* How the questions of a trial stand after a job. */
typedef struct {
    size_t open;     /* have no answer yet */
    size_t useless;  /* of those: got nothing from this job */
    size_t answered; /* have theirs since this job */
} srv__stand;

/* srv__trial_judge - put every open question to the test. */
bool srv__trial_judge(srv_store *store, int64_t trial, int64_t job,
                      const det_confirm_policy *policy, srv__stand *stand,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
