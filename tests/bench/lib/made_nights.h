#pragma once
/*
 * made_nights - nights that were never measured, for the benchmarks of the store: queued, leased
 * and taken in as a server does it. The later configurations cost more in every other stretch of
 * nights; 1 % between loops, 0.5 % between nights, from a seed.
 */
#include "server/store/store.h"

#include <jansson.h>

#define MADE_FIRST_DAY 1000 /* since 1970; the days before it are for back-fill */
#define MADE_DAY_MS INT64_C(86400000)
#define MADE_CONFIGURATIONS_MAX 5

typedef struct {
    srv_store *store;
    GRand *random;
    int configurations, loops; /* of a night, at most MADE_CONFIGURATIONS_MAX of the former */
    int stretch;               /* nights on one level */
} made;

/** made_projects - these projects, and no others. */
void made_projects(const made *m, const char *const *names, int count);

/** made_queue - project's night at a place (0: the first; negative: before it) is waiting for a
 * node. */
void made_queue(const made *m, const char *project, int place);

/* A result that a node has, and is not sent yet. */
typedef struct {
    int64_t job, now_ms;
    json_t *body; /* owned */
} made_result;

/** made_lease - the next job that waits is given to a node, which measures it. A node that has one
 * and says nothing gets the same again, so give each its own; what they measure in is the same. */
made_result made_lease(const made *m, const char *node, int64_t now_ms);

/** made_send - takes the result in; frees its body. */
void made_send(const made *m, made_result *result);

/** made_night - all three. */
void made_night(const made *m, const char *project, int place);

/** made_die - a benchmark cannot go on: says why, and ends. */
void made_die(const char *what, const GError *error) G_GNUC_NORETURN;
