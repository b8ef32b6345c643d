#pragma once
/*
 * kinds - why a commit is measured, and which of these reasons goes first.
 */
#include <stdbool.h>

typedef enum {
    SRV_KIND_NIGHTLY,
    SRV_KIND_BACKFILL, /* a night of long ago, which nobody waits for */
    SRV_KIND_MANUAL,   /* also measures again what has been measured */
    SRV_KIND_WEBHOOK,
    SRV_KIND_CONFIRMATION, /* made by the server itself */
    SRV_KIND_BISECTION,    /* likewise */
    SRV_KIND_SWEEP,        /* one value of a sweep (queue/sweep.h): no night, in no series */
    SRV_KIND_EXPLAIN,      /* two commits are profiled; made by the server itself, after all else */
    SRV_KIND_PULL          /* a pull request and its merge base: people wait for it (pull/pull.h) */
} srv_kind;

/* The explanation of a time, which takes minutes where a search may take hours; and what asks of
 * other dimensions alone: it waits for both, and that of a night of long ago for all such nights.
 */
#define SRV__PRIORITY_OF_TIME 16
#define SRV__PRIORITY_BESIDE_TIME 13
#define SRV__PRIORITY_BESIDE_LONG_AGO 9

/* srv__kind_name - as in the API and the store; srv__priority - higher goes first. */
const char *srv__kind_name(srv_kind kind);
int srv__priority(srv_kind kind);

/* srv__is_kind - is that the kind of this name? */
bool srv__is_kind(const char *name, srv_kind kind);
/* srv__is_trial - does a job of this kind measure two commits in turn (alarm/trial.h)? */
bool srv__is_trial(const char *name);
