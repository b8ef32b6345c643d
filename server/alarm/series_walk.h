#pragma once
/*
 * series_walk - what going over a series has at hand, and one step of it.
 */
#include "detector/watch.h"
#include "server/alarm/suspicion.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* Everything that going over a series needs at hand. */
typedef struct {
    srv_store *store;
    int64_t id, project, now_ms;
    json_t *benchmark;
    srv__tree tree;
    det_policy policy;
    det_watch *watch;
    GArray *ids; /* int64_t, in order; only when gone over again */
    GArray *anomalies;
} srv__walk;

typedef struct {
    int64_t id;
    bool remeasure; /* on a node that can measure two commits in turn */
    char label[DET_LABEL_MAX];
    size_t rounds;
    double *means;
    char *moved; /* first of its series, and the nights before were elsewhere: what differs */
} srv__walk_night;

/* srv__walk_step - the detector judges the next night; keep: verdicts, alerts' anomalies and new
 * suspicions are written down. first: of its series. */
bool srv__walk_step(srv__walk *walk, int64_t experiment, bool first, bool keep, GError **error);

/* srv__walk_place - an experiment's place among walk->ids; their number when it is not there. */
guint srv__walk_place(const srv__walk *walk, int64_t experiment);

/* srv__walk_outcomes - the suspicions of a night: outcomes that are known are applied, the
 * strongest of the others is measured again, the rest is left to the nights to come.
 * known   out [count] */
bool srv__walk_outcomes(srv__walk *walk, const srv__walk_night *night,
                        const srv__suspect_night *seen, det_verdict *verdicts, bool keep,
                        srv__suspicion *known, GError **error);
