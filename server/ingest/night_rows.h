#pragma once
/*
 * night_rows - what a result that comes in looks up, and the rows it becomes.
 */
#include "server/ingest/ingest_night.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__ingest_tried - has the commit nights that were not measured? */
bool srv__ingest_tried(srv_store *store, int64_t revision, bool *tried,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__environment_key - of an environment, which is kept where it is new. */
bool srv__environment_key(srv_store *store, const char *hash, const json_t *environment,
                          int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A night that was measured, as its row; borrowed. */
typedef struct {
    const srv__night *night;
    const srv__result *result;
    int64_t environment, series;        /* keys; series 0: quarantined, or of a sweep */
    const det_interval *total, *median; /* response time of the night, of means and of medians */
} srv__experiment_row;

/* srv__experiment_insert - remeasure is set where the project wants it and the node can. */
bool srv__experiment_insert(srv_store *store, const srv__experiment_row *row, int64_t *id,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__loop_add - one loop, used or not. */
bool srv__loop_add(srv_store *store, int64_t experiment, const srv__loop *loop,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A configuration of a night; times in ns a call. */
typedef struct {
    size_t ordinal, loops; /* loops that count */
    const char *name, *label;
    det_summary summary;          /* of the loops' means; its order statistics are those of calls */
    det_interval mean, median;    /* over the loops */
    double calls_low, calls_high; /* over all calls */
} srv__configuration_row;

/* A portion of a night before the series has judged it; times in ns a call. */
typedef struct {
    size_t ordinal;
    const char *portion, *configuration, *parent; /* parent NULL: none */
    const char *method, *verdict, *reason;
    det_interval mean, median;
} srv__portion_row;

bool srv__configuration_add(srv_store *store, int64_t experiment, const srv__configuration_row *row,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What was counted of a portion. */
typedef struct {
    size_t ordinal;                  /* of the configuration */
    const char *dimension, *counter; /* counter NULL: it is read off the loops */
    const char *portion, *configuration, *parent;
    det_interval mean; /* of the portion */
    double total;      /* of the configuration */
} srv__dimension_row;
