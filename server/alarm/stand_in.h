#pragma once
/*
 * stand_in - a night that another node measured while the usual one was silent, in the series of
 * the usual one: what it measured is kept as it is, and judged as the usual node would have shown
 * it. Its factors are kept with it, so that it is judged alike whenever the series is gone over.
 * All inside a transaction; false with error.
 */
#include "detector/statistics/calibration.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* A result that is to be a night; borrowed. */
typedef struct {
    int64_t project, benchmark, environment;
    const char *branch, *lineage;
    const srv__tree *tree;
    const srv__result *result;
} srv__stand_in_wanted;

/* For whom a node stands in. */
typedef struct {
    int64_t calibration, series; /* keys; 0: for nobody: it is a night of the node's own */
    char *sentence;              /* owned */
    /* Of an import, whose factors are no calibration's here; borrowed. */
    const char *usual;
    const json_t *factors; /* rows as srv__stand_in_rows has them, one a configuration */
} srv__stand_in;

/**
 * srv__stand_in_find - whose series is a result's? A node that the calibration does not hold for
 * (its environment is another one, a configuration cannot be scaled) stands in for nobody; one
 * whose environment changed is not known any more, and says so.
 */
bool srv__stand_in_find(srv_store *store, const srv__stand_in_wanted *wanted, srv__stand_in *out,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv__stand_in_keep - of an experiment that has been stored. */
bool srv__stand_in_keep(srv_store *store, const srv__stand_in *stand_in, int64_t experiment,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv__stand_in_night - a night of a series that has such nights, as its usual node shows it.
 * means    [configurations * rounds] rewritten where another node measured it
 * unsure   [configurations] out: det_night.unsure
 * factors  [configurations] out: of the node that measured it; 1 for the usual one
 */
typedef struct {
    double unsure[DET_CONFIGURATIONS_MAX];
    double factor[DET_CONFIGURATIONS_MAX];
} srv__stand_in_view;

bool srv__stand_in_night(srv_store *store, int64_t experiment, const srv__tree *tree, size_t rounds,
                         double *means, srv__stand_in_view *out,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
