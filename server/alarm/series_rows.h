#pragma once
/*
 * series_rows - what judging nights asks of the database: series, suspicions, announcements.
 * What is asked of trials and searches: trial_rows.h.
 */
#include "detector/watch/confirm.h"
#include "detector/watch/watch.h"
#include "server/alarm/series_alerts.h"
#include "server/alarm/trial.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

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
    bool with_time; /* believed, since the time of its configuration was confirmed */
    int64_t from;   /* measured again: the last night that surely is from before */
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

/* What follows from a suspicion that nothing is known of. */
typedef enum {
    SRV__PLAN_NOTHING, /* too weak for what clearing it costs: later nights will tell */
    SRV__PLAN_MEASURE, /* the two commits in turn */
    SRV__PLAN_SAME,    /* both are of one commit, which in turn with itself tells nothing */
    SRV__PLAN_BELIEVE  /* no number of loops would tell, but the nights agree for long enough */
} srv__plan;

/* The detector after a night; place: that night's in the series, from 1; 0: there is none. */
typedef struct {
    int64_t experiment, place;
    void *bytes; /* owned */
    size_t size;
} srv__series_state;

/* srv__series_state_but - of a dimension: the state after the last night of a series that is not
 * this one; bytes: out, owned. */
bool srv__series_state_but(srv_store *store, int64_t series, const char *dimension,
                           int64_t experiment, srv__series_state *state,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__series_state_upto - the newest state at a place, or before it; bytes: out, owned. */
bool srv__series_state_upto(srv_store *store, int64_t series, const char *dimension, int64_t place,
                            srv__series_state *state, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__series_state_put - the state at its place, new or anew. */
bool srv__series_state_put(srv_store *store, int64_t series, const char *dimension,
                           const srv__series_state *state,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__night_about - label: out, [size], the night's date; remeasure: out, was it measured on a
 * node that can measure two commits in turn? */
bool srv__night_about(srv_store *store, int64_t experiment, char *label, size_t size,
                      bool *remeasure, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* An announcement as the commit that makes it has it. */
typedef struct {
    int64_t place, time_ms;
    char *text; /* NULL: the commit announces nothing */
    char *sha, *author, *author_email, *subject;
} srv__announcement;
