#pragma once
/*
 * ingest_dimensions - what an experiment counted beside the time of a call, as rows: what loops of
 * their own counted (docs/protocol.md, environment.detail.counts), and what is read off the loops
 * that were measured.
 */
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__dimensions_insert - in a transaction. What is no count is left out: the night stands
 * without it. */
bool srv__dimensions_insert(srv_store *store, int64_t experiment, const srv__tree *tree,
                            const srv__result *result, double level,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
