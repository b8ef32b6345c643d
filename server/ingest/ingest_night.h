#pragma once
/*
 * ingest_night - a checked result of one commit becomes an experiment in its series.
 */
#include "server/result/result.h"
#include "server/store/store_sql.h"

typedef struct {
    int64_t project, job, revision, benchmark; /* keys */
    const char *kind, *night, *branch;
    const char *lineage; /* of the benchmark: names the series */
    const char *result_hash;
    double level;     /* of the intervals, 0 < … < 1 */
    bool remeasure;   /* suspicions may be measured again, if the node can */
    bool tried;       /* the commit may have nights that were not measured */
    const char *flaw; /* why it is quarantined, NULL: it is not */
} srv__night;

/* srv__night_store - in a transaction: rows, detector, verdicts, alerts.
 * experiment   out, the new row's key */
bool srv__night_store(srv_store *store, const srv__night *night, const srv__tree *tree,
                      const srv__result *result, int64_t now_ms, int64_t *experiment,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
