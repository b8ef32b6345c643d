#pragma once
/*
 * series_walk - what going over a series has at hand, for one series and one transaction.
 */
#include "detector/statistics/dimension.h"
#include "detector/watch/watch.h"
#include "server/alarm/series_rows.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

typedef struct {
    srv_store *store;
    int64_t id, project, now_ms;
    int64_t last; /* the newest night of the series; 0: it has none */
    json_t *benchmark;
    json_t *baselines; /* what people said of its levels */
    srv__tree tree;
    const det_dimension *of; /* what is watched; NULL: time */
    bool dimensions;         /* others than time are watched as well */
    const char *dimension;   /* its name, "time" */
    det_policy policy;
    det_watch *watch;
    GArray *ids;       /* int64_t, in order; only when gone over again */
    bool confirms;     /* it was begun for a night of a node that can measure two commits in turn */
    GArray *incidents; /* int64_t: keys of those that these nights show */
    bool asked;        /* for the incidents that are open: */
    model_list open;
    GArray *anomalies; /* srv__anomaly, of the nights whose verdicts are written down, */
    int64_t from;      /* from this place on, where the series was gone over; -1: one step on */
} srv__walk;

/* One night of it. */
typedef struct {
    int64_t id;
    bool remeasure; /* on a node that can measure two commits in turn */
    char label[DET_LABEL_MAX];
    size_t rounds;
    double *means; /* [configurations * rounds], ns a call or of what is watched; NaN: the loop is
                      missing */
    int64_t ordinals[DET_CONFIGURATIONS_MAX]; /* in the night; -1: the configuration is missing */
    int64_t moved_from;                       /* the night before in another environment; 0: none */
    char *moved; /* first of its series, and the nights before were elsewhere: what differs */
} srv__walk_night;

/*
 * series_baseline - what people said of levels (baselines.h), while a series is gone over.
 */

/* srv__walk_baselines_load - those in force, once a walk. */
bool srv__walk_baselines_load(srv__walk *walk, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__walk_baselines_ask - before a night: where somebody moved or removed a level the detector
 * asks before it believes in a change. */
void srv__walk_baselines_ask(srv__walk *walk, const char *night);

/* srv__walk_baselines - after a night: a level begins where somebody says so, and none does where
 * somebody moved or removed one. verdicts  [count] */
bool srv__walk_baselines(srv__walk *walk, const srv__walk_night *n, det_verdict *verdicts,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * series_incidents - what the nights of a series show of machine and harness, as incidents.
 */

/* srv__walk_incidents - after a night was judged: incidents open, last, are over or settle. */
bool srv__walk_incidents(srv__walk *walk, const srv__walk_night *n,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incidents_reconcile - the series was gone over again from a place of walk->ids: what was
 * opened at or after it and is not shown any more is withdrawn. */
bool srv__incidents_reconcile(srv__walk *walk, guint from,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incidents_end_left - another environment of the project is over with the first night that is
 * back in one of before it, whatever series that is of. */
bool srv__incidents_end_left(srv__walk *walk, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * series_step - one step of going over a series: the detector judges a night.
 */

/* srv__walk_step - the detector judges the next night; keep: verdicts, alerts' anomalies and new
 * suspicions are written down. first: of its series. */
bool srv__walk_step(srv__walk *walk, int64_t experiment, bool first, bool keep,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__walk_policy - what a configuration is judged by: the walk's policy, or that of its unit. */
det_policy srv__walk_policy(const srv__walk *walk, size_t configuration);

/* srv__walk_place - an experiment's place among walk->ids; their number when it is not there. */
guint srv__walk_place(const srv__walk *walk, int64_t experiment);

/* srv__reason_put - what people are told, cut where it is too long. */
void srv__reason_put(char out[static DET_REASON_MAX], const char *reason);

/*
 * series_suspect - what becomes of the suspicions of a night.
 */

/* srv__walk_by_evidence - the configurations of a night, that with the most evidence first.
 * ranked  out [count] */
void srv__walk_by_evidence(const det_verdict *verdicts, size_t count, size_t *ranked);

/* srv__walk_outcomes - the suspicions of a night: outcomes that are known are applied, the
 * strongest of the others is measured again, the rest is left to the nights to come.
 * may_raise  false while nights are only judged again
 * outcomes   out [count] */
bool srv__walk_outcomes(srv__walk *walk, const srv__walk_night *n, const srv__suspect_night *night,
                        det_verdict *verdicts, bool may_raise, srv__outcome *outcomes,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
