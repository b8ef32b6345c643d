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
#include "server/queue/artifact.h"
#include "server/store/store_sql.h"

#include <stdatomic.h>

typedef struct srv_retention srv_retention;

/* srv_retention_new - policy is borrowed, and outlives it. */
srv_retention *srv_retention_new(const cfg_storage *policy);
void srv_retention_free(srv_retention *retention);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(srv_retention, srv_retention_free)

/*
 * tidy - what nobody needs any more goes step by step: raw data that the policy lets go
 * (retention.h), then the artifacts' files in the bucket. The leader alone does it.
 */

/* Borrowed. */
typedef struct {
    srv_retention *retention;
    srv__place *raw;
    srv_artifacts *artifacts;
    atomic_bool *sweeping; /* the raw data of this pass are looked at; false at first */
} srv_tidy;

/**
 * srv_tidy_step - go on where the step before ended.
 * more   out: false when all has been looked at; the next step begins anew, as it does after an
 *        error
 */
bool srv_tidy_step(const srv_tidy *tidy, srv_store *store, int64_t now_ms, bool *more,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_retention_report - what a policy keeps of each project's raw data, and what goes by it, for
 * people: a line a project and reason, of all projects that have or had raw data, by name; removes
 * nothing. Caller frees; NULL with error. */
char *srv_retention_report(srv_store *store, const cfg_storage *policy, int64_t now_ms,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
