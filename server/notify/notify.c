#include "server/notify/notify.h"

#include "config/log.h"
#include "server/ground/clock.h"
#include "server/ground/thread.h"
#include "server/notify/notify_deliver.h"
#include "server/notify/notify_round.h"
#include "server/notify/notify_send.h"
#include "server/notify/troubles.h"

#include <stdatomic.h>

#define AFTER_ERROR_MS 60000
#define TROUBLES_MS 60000 /* how often they are looked for */
#define LOOK_MS 60000 /* as long as something waits: the wall clock may have been set meanwhile */

struct srv_notify {
    srv_context *context;
    srv_store *store;
    srv_github_tokens *tokens;
    GHashTable *told; /* troubles (troubles.h) */
    srv_timer *timer; /* its one slot is a round */
    atomic_bool ending;
};

/* It ends, or another server tells people from now on. */
static bool stops(void *user) {
    srv_notify *notify = user;
    return atomic_load(&notify->ending) || !srv_leader_leads(notify->context->leader);
}

/* Whoever runs the server hears once of what is wrong with it. What cannot be sent is told the next
 * time. */
static void tell_operator(srv_notify *notify) {
    const cfg_mail *mail = &notify->context->config->mail;
    json_auto_t *problems = json_array();
    g_auto(srv_sent) out = {0};
    srv_troubles_add(notify->context, notify->store, problems);
    g_autofree char *news =
        srv_troubles_unsent(notify->told, notify->store, problems, srv_now_ms());
    if (!news)
        return;
    srv_deliver_to_operator(mail, news, srv_now_ms(), (srv_send_stop){stops, notify}, &out);
    if (out.delivered)
        srv_troubles_sent(notify->told, notify->store, problems, srv_now_ms());
    else
        cfg_log("warning", "notify", "operator_not_told", "reason=%s", out.problem);
}

/* One round; when the next one is due, Unix ms. */
static int64_t one_round(srv_notify *notify) {
    g_autoptr(GError) error = NULL;
    int64_t next_ms = INT64_MAX;
    const int64_t now_ms = srv_now_ms();
    if (!srv_leader_leads(notify->context->leader)) {
        g_hash_table_remove_all(notify->told); /* the store has what others tell meanwhile */
        return INT64_MAX;                      /* it is woken when its turn comes */
    }
    srv_catalog *catalog = srv_context_catalog(notify->context);
    const srv_notify_means means = {.server = notify->context->config,
                                    .projects = catalog->projects,
                                    .tokens = notify->tokens,
                                    .stop = stops,
                                    .user = notify};
    const bool good = srv_notify_round(notify->store, &means, now_ms, &next_ms, &error);
    srv_catalog_free(catalog);
    if (notify->context->config->mail.operator) {
        tell_operator(notify);
        next_ms = MIN(next_ms, now_ms + TROUBLES_MS);
    }
    if (good)
        return next_ms;
    cfg_log("error", "notify", "round_failed", "reason=%s", error->message);
    return now_ms + AFTER_ERROR_MS;
}

static void round_due(void *user) {
    srv_notify *notify = user;
    const int64_t due_ms = one_round(notify);
    if (due_ms != INT64_MAX)
        srv_timer_within(notify->timer, 0, CLAMP(due_ms - srv_now_ms(), 0, LOOK_MS));
}

srv_notify *srv_notify_start(srv_context *context, GError **error) {
    srv_store *store = srv_context_store(context, error);
    if (!store)
        return NULL;
    srv_notify *notify = g_new0(srv_notify, 1);
    notify->context = context;
    notify->store = store;
    notify->tokens = srv_github_tokens_new();
    notify->told = srv_troubles_new();
    notify->timer = srv_timer_new("messenger", round_due, notify, error);
    if (notify->timer) {
        srv_notify_wake(notify);
        return notify;
    }
    srv_notify_stop(notify);
    return NULL;
}

void srv_notify_wake(srv_notify *notify) {
    if (notify)
        srv_timer_within(notify->timer, 0, 0);
}

void srv_notify_stop(srv_notify *notify) {
    if (!notify)
        return;
    atomic_store(&notify->ending, true);
    srv_timer_free(notify->timer);
    srv_store_close(notify->store);
    srv_github_tokens_free(notify->tokens);
    g_hash_table_unref(notify->told);
    g_free(notify);
}
