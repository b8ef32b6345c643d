#pragma once
/*
 * retention - the raw data that the policy lets go are removed, in small steps; what was computed
 * from them stays for ever. The leader alone does it.
 *
 * First the rows, in a transaction (ingest/raw_rows.h: what a job had, when and why it went),
 * then, an hour later, the files. A step reads a few jobs and removes at most a few hundred rows or
 * files, so nobody waits for it for long. Thread-safe: a step beside another one does nothing.
 */
#include "config/config.h"
#include "server/ingest/raw_store.h"

typedef struct srv_retention srv_retention;

/* srv_retention_new - policy is borrowed, and outlives it. */
srv_retention *srv_retention_new(const cfg_storage *policy);
void srv_retention_free(srv_retention *retention);

/**
 * srv_retention_step - go on where the step before ended.
 * more   out: false when all has been looked at; the next step begins anew
 * False with error: the next step begins anew, too, and nothing is lost. With a bucket it waits for
 * the network.
 */
bool srv_retention_step(srv_retention *retention, srv_store *store, srv_raw_store *raw,
                        int64_t now_ms, bool *more, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_retention, srv_retention_free)
