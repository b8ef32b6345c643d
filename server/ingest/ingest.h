#pragma once
/*
 * ingest - a runner's result becomes an experiment, its verdicts and alerts, in one transaction.
 */
#include "server/ingest/raw_store.h"
#include "server/store/store.h"

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
