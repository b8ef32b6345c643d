#pragma once
/*
 * delivery - webhooks that were taken in: each once, kept until its commit has been queued.
 *
 * A delivery is (provider, id, project). It waits until the poller has fetched the commit, then it
 * is queued (or known: measured already), or after a few tries dead: the commit is not there.
 */
#include "server/store/store.h"

typedef struct {
    const char *provider;
    const char *id; /* the provider's, or the body's hash */
    const char *project;
    const char *sha;
    const char *pull; /* what it says of a pull request, JSON (hook.h); NULL: it is of a commit */
    bool fresh;       /* out: not known before */
} srv_delivery;

/**
 * srv_delivery_take - many at once, in one transaction: what is acknowledged is on disk.
 * deliveries  [srv_delivery*], their texts borrowed
 * Returns false with error; then none is taken. NOT_FOUND: a project is not there.
 */
bool srv_delivery_take(srv_store *store, const GPtrArray *deliveries, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_delivery_waiting - commits of a project that deliveries wait for, the least tried and then
 * the oldest first: [{"sha","attempts"}], at most SRV_DELIVERY_PAGE. NULL with error.
 */
#define SRV_DELIVERY_PAGE 1000
json_t *srv_delivery_waiting(srv_store *store, const char *project,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_delivery_close - all that wait for this commit are done with.
 * state  "queued" with the job's number, or "dead" (job 0) with a note
 */
bool srv_delivery_close(srv_store *store, const char *project, const char *sha, const char *state,
                        int64_t job, const char *note, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_delivery_pulls - what webhooks said of pull requests and nobody has heard yet, in the order
 * in which it came: [{"id","provider","pull"}], at most SRV_DELIVERY_PAGE. NULL with error.
 */
json_t *srv_delivery_pulls(srv_store *store, const char *project,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_delivery_heard - one of these is done with; note: why nothing followed, NULL: it did. */
bool srv_delivery_heard(srv_store *store, int64_t id, const char *note,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_delivery_try - count one more try that found no such commit. */
bool srv_delivery_try(srv_store *store, const char *project, const char *sha,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
