#pragma once
/*
 * ingest_rows - an experiment's loops, configurations and portions as rows; in a transaction.
 */
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__raw_check_rows - every raw file named is stored, with the size said, which is one that so
 * many calls can have; INVALID naming the loop otherwise. */
bool srv__raw_check_rows(srv_store *store, const srv__result *result,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Configurations and portions of a result, of its loops' means and of their medians. */
typedef struct {
    det_portions mean, median;
    double level; /* of their intervals */
} srv__figures;

/* srv__figures_of - level: between 0 and 1. INVALID where they cannot be evaluated. */
bool srv__figures_of(srv__figures *out, const srv__tree *tree, const srv__result *result,
                     double level, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__rows_insert - verdicts are "first", or "harness" with the flaw, until the series says. */
bool srv__rows_insert(srv_store *store, int64_t experiment, const srv__tree *tree,
                      const srv__result *result, const srv__figures *figures, const char *flaw,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
