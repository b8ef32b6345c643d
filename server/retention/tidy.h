#pragma once
/*
 * tidy - what nobody needs any more goes step by step: raw data that the policy lets go
 * (retention.h), then the artifacts' files in the bucket. The leader alone does it.
 */
#include "server/queue/artifact.h"
#include "server/retention/retention.h"

#include <stdatomic.h>

/* Borrowed. */
typedef struct {
    srv_retention *retention;
    srv_raw_store *raw;
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
