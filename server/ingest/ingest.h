#pragma once
/*
 * ingest - a runner's result becomes an experiment, its verdicts and alerts, in one transaction.
 */
#include "server/ingest/raw_store.h"
#include "server/result/result.h"
#include "server/store/store.h"
#include "server/store/store_sql.h"

/**
 * srv_ingest_result - take a result in.
 * body      as in docs/protocol.md "The result"; nothing in it is changed
 * created   out: false when this very result was taken in before
 * Returns {"experiment": n}, owned by the caller, or NULL with error:
 * INVALID (malformed: nothing is stored), REJECTED (stored as quarantined with this reason, never
 * part of a baseline; the same again answers the same), CONFLICT (lease lost, or another result
 * is there), NOT_FOUND (job), FULL, BUSY.
 */
json_t *srv_ingest_result(srv_store *store, int64_t job, json_t *body, int64_t now_ms,
                          bool *created, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * ingest_night - a checked result of one commit becomes an experiment in its series.
 */

typedef struct {
    int64_t project, job, revision, benchmark; /* keys */
    const char *kind, *night, *branch;
    const char *lineage; /* of the benchmark: names the series */
    const char *result_hash;
    double level;     /* of the intervals, 0 < … < 1 */
    bool remeasure;   /* suspicions may be measured again, if the node can */
    bool tried;       /* the commit may have nights that were not measured */
    const char *flaw; /* why it is quarantined, NULL: it is not */
    /* Configurations that its series has no result of yet, nor waits for: it has none of them. */
    bool to_come[DET_CONFIGURATIONS_MAX];
} srv__night;

/* srv__night_store - in a transaction: rows, detector, verdicts, alerts.
 * experiment   out, the new row's key */
bool srv__night_store(srv_store *store, const srv__night *night, const srv__tree *tree,
                      const srv__result *result, int64_t now_ms, int64_t *experiment,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__night_replace - in a transaction: a night that is here has the values of this result, and is
 * of this series (0: of none). Its verdicts are up to the caller. */
bool srv__night_replace(srv_store *store, const srv__night *night, const srv__tree *tree,
                        const srv__result *result, int64_t experiment, int64_t series,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * ingest_rows - an experiment's loops, configurations and portions as rows; in a transaction.
 */

/* srv__raw_check_rows - every raw file named is stored, with the size said, which is one that so
 * many calls can have; INVALID naming the loop otherwise. */
bool srv__raw_check_rows(srv_store *store, const srv__result *result,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Configurations and portions of a result, of its loops' means and of their medians. */
typedef struct {
    det_portions mean, median;
    double level;                        /* of their intervals */
    bool stated[DET_CONFIGURATIONS_MAX]; /* the mean's interval comes from what a file states */
} srv__figures;

/* srv__rows_insert - verdicts are "first", or "harness" with the night's flaw, until the series
 * says. */
bool srv__rows_insert(srv_store *store, int64_t experiment, const srv__tree *tree,
                      const srv__result *result, const srv__figures *figures,
                      const srv__night *night, GError **error) G_GNUC_WARN_UNUSED_RESULT;
