#pragma once
/*
 * notify_round - one pass: what is new goes into the outbox, what is due goes out.
 *
 * A line of the outbox is (channel, subject, event): "alert 7 was raised" for one channel of one
 * project. It is written once, ever, so nobody is told twice and nothing is forgotten over a crash.
 * What is older than a channel's first sight is never told there.
 *
 * States: waiting, sent, skipped (the rule did not want it), over (it ended before it was told),
 * dead (given up).
 */
#include "config/config.h"
#include "server/notify/notify_deliver.h"
#include "server/store/store.h"

/* What a round works with; borrowed. */
typedef struct {
    const cfg_server *server;
    const GPtrArray *projects; /* [cfg_project*] of this moment */
    srv_github_tokens *tokens; /* of GitHub Apps, kept from round to round; NULL: fetched anew */
    bool (*stop)(void *user);  /* asked between two messages; NULL: never */
    void *user;                /* handed to stop */
} srv_notify_means;

/**
 * srv_notify_round - blocking: up to SRV_SEND_TIMEOUT_S a channel.
 * next_ms   out, when the next line is due; INT64_MAX: none waits
 * A receiver that fails is not an error: its lines wait. Returns false with error: the store
 * failed.
 */
bool srv_notify_round(srv_store *store, const srv_notify_means *means, int64_t now_ms,
                      int64_t *next_ms, GError **error) G_GNUC_WARN_UNUSED_RESULT;
