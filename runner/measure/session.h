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
    RUN_SESSION_DONE,    /* the result is with the server */
    RUN_SESSION_FAILED,  /* the job failed, and the server knows */
    RUN_SESSION_LOST,    /* the job is somebody else's now, or cancelled */
    RUN_SESSION_STOPPED, /* the agent was told to stop; the spool waits for the next start */
    RUN_SESSION_OPEN     /* its turn is over, the job is not */
} run_session_end;

typedef struct run_session run_session;

/**
 * run_session_open - a job to work on; nothing is done yet.
 * cache      of prepared trees; NULL: none
 * spool      its head is {"job", "lease", "started_ms", …}; it must outlive the session
 * expires_s  of the lease; 0: found in the spool at start, the server must be asked first
 */
run_session *run_session_open(const run_node *node, run_cache *cache, run_spool *spool,
                              unsigned expires_s);
void run_session_close(run_session *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_session, run_session_close)

/* run_session_finish - works on the job until it ends, whatever happens: never RUN_SESSION_OPEN.
 * The spool's folder is gone afterwards, except with RUN_SESSION_STOPPED. */
run_session_end run_session_finish(run_session *session);

/**
 * run_session_turn - makes the job ready, and measures a round of it (rounds.h).
 * RUN_SESSION_OPEN: it goes on with its next turn or, once it is measured, with
 * run_session_finish, which hands it over. Else it has ended, as above.
 */
run_session_end run_session_turn(run_session *session);

/* run_session_measured - whether all of it is measured, and waits to be handed over. */
bool run_session_measured(const run_session *session);

/* run_session_beside - it waits from now on: its heartbeat becomes one of these, which beat for
 * each other (heartbeat.h), and must outlive it there. */
void run_session_beside(run_session *session, GPtrArray *beats);

/* run_session_leave - it is none of these any more. */
void run_session_leave(run_session *session, GPtrArray *beats);

/* run_session_run - run_session_open, _finish and _close. */
run_session_end run_session_run(const run_node *node, run_cache *cache, run_spool *spool,
                                unsigned expires_s) G_GNUC_WARN_UNUSED_RESULT;
