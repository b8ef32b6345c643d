#pragma once
/*
 * series_walk - what going over a series has at hand, for one series and one transaction.
 */
#include "detector/statistics/dimension.h"
#include "detector/watch/watch.h"
#include "server/alarm/suspicion.h"
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
