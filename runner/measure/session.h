#pragma once
/*
 * session - one job from lease to acknowledgement: checkout, prepare, measure, upload.
 *
 * All that must survive is in the spool; a session can be begun again from it at any point.
 */
#include "runner/link/spool.h"
#include "runner/node/node.h"
#include "runner/prepare/cache.h"

typedef enum {
    RUN_SESSION_DONE,   /* the result is with the server */
    RUN_SESSION_FAILED, /* the job failed, and the server knows */
    RUN_SESSION_LOST,   /* the job is somebody else's now, or cancelled */
    RUN_SESSION_STOPPED /* the agent was told to stop; the spool waits for the next start */
} run_session_end;

/**
 * run_session - works on the job of a spool until it ends, whatever happens.
 * cache      of prepared trees; NULL: none
 * spool      its head is {"job", "lease", "started_ms", …}; the folder is gone afterwards, except
 *            with RUN_SESSION_STOPPED
 * expires_s  of the lease; 0: found in the spool at start, the server must be asked first
 */
run_session_end run_session(const run_node *node, run_cache *cache, run_spool *spool,
                            unsigned expires_s);
