#pragma once
/*
 * error - what can go wrong on the node, sorted by what happens next.
 */
#include <glib.h>
#include <stdbool.h>

#define RUN_ERROR (run_error_quark())
GQuark run_error_quark(void);

typedef enum {
    RUN_ERROR_JOB,  /* the job cannot succeed: told to the server, not tried again */
    RUN_ERROR_NODE, /* this node's or network's trouble (disk full, fetch): another try may help */
    RUN_ERROR_BUSY, /* the node did not get idle: as NODE, but what is measured may do */
    RUN_ERROR_AWAY, /* the server does not answer, or says "later": wait and repeat the call */
    RUN_ERROR_LOST, /* the job is no longer ours: drop it */
    RUN_ERROR_REFUSED, /* the server refuses this call for good */
    RUN_ERROR_STOPPED  /* the agent was told to stop: leave the spool for the next start */
} run_error;

/* run_fail - sets it; what is not UTF-8 of the text is replaced. Returns false. */
bool run_fail(GError **error, run_error code, const char *format, ...) G_GNUC_PRINTF(3, 4);
#define run_wrong(error, ...) run_fail(error, RUN_ERROR_JOB, __VA_ARGS__)

/* run_cannot - RUN_ERROR_NODE of a system call: "cannot WHAT PATH: ", and what errno says. */
bool run_cannot(GError **error, const char *what, const char *path);
