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
