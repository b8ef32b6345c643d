#include "server/notify/notify.h"

#include "server/ground/clock.h"
#include "server/ground/log.h"
#include "server/ground/thread.h"
#include "server/notify/notify_deliver.h"
#include "server/notify/notify_round.h"
#include "server/notify/notify_send.h"
#include "server/notify/troubles.h"

#include <pthread.h>
#include <time.h>

#define AFTER_ERROR_MS 60000
#define TROUBLES_MS 60000 /* how often they are looked for */
#define LOOK_MS 60000 /* as long as something waits: the wall clock may have been set meanwhile */

struct srv_notify {
    srv_context *context;
    srv_store *store;
    srv_github_tokens *tokens;
    GHashTable *told; /* troubles (troubles.h) */
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    bool woken, ending;
};

static bool is_ending(void *user) {
    srv_notify *notify = user;
    pthread_mutex_lock(&notify->lock);
    const bool ending = notify->ending;
    pthread_mutex_unlock(&notify->lock);
    return ending;
}

/* It ends, or another server tells people from now on. */
static bool stops(void *user) {
    return is_ending(user) || !srv_leader_leads(((srv_notify *)user)->context->leader);
}

/* Whoever runs the server hears once of what is wrong with it. What cannot be sent is told the next
 * time. */
static void tell_operator(srv_notify *notify) {
    const cfg_mail *mail = &notify->context->config->mail;
    json_auto_t *problems = json_array();
    g_auto(srv_sent) out = {0};
    srv_troubles_add(notify->context, notify->store, problems);
    g_autofree char *news = srv_troubles_news(notify->told, notify->store, problems, srv_now_ms());
    if (!news)
        return;
    srv_deliver_to_operator(mail, news, srv_now_ms(), (srv_send_stop){stops, notify}, &out);
    if (out.delivered)
        srv_troubles_told(notify->told, notify->store, problems, srv_now_ms());
    else
        srv_log_warning("notify", "operator_not_told", "reason", out.problem, NULL);
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
    srv_context_catalog_done(notify->context, catalog);
    if (notify->context->config->mail.operator) {
        tell_operator(notify);
        next_ms = MIN(next_ms, now_ms + TROUBLES_MS);
    }
    if (good)
        return next_ms;
    srv_log_error("notify", "round_failed", "reason", error->message, NULL);
    return now_ms + AFTER_ERROR_MS;
}

/* Until woken, ending, or due (Unix ms). */
static void rest(srv_notify *notify, int64_t due_ms) {
    const int64_t left_ms = CLAMP(due_ms - srv_now_ms(), 0, LOOK_MS);
    const int64_t until_ms = srv_monotonic_ms() + left_ms;
    const struct timespec until = {.tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000};
    pthread_mutex_lock(&notify->lock);
    int code = 0;
    while (!notify->woken && !notify->ending && code == 0)
        code = due_ms == INT64_MAX
                   ? pthread_cond_wait(&notify->changed, &notify->lock)
                   : pthread_cond_timedwait(&notify->changed, &notify->lock, &until);
    notify->woken = false;
    pthread_mutex_unlock(&notify->lock);
}

static void *work(void *user) {
    srv_notify *notify = user;
    while (!is_ending(notify))
        rest(notify, one_round(notify));
    return NULL;
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
    pthread_mutex_init(&notify->lock, NULL);
    srv_thread_cond_init(&notify->changed);
    if (srv_thread_start(&notify->thread, "messenger", work, notify, error))
        return notify;
    srv_store_close(store);
    srv_github_tokens_free(notify->tokens);
    g_hash_table_unref(notify->told);
    g_free(notify);
    return NULL;
}

void srv_notify_wake(srv_notify *notify) {
    if (!notify)
        return;
    pthread_mutex_lock(&notify->lock);
    notify->woken = true;
    pthread_cond_signal(&notify->changed);
    pthread_mutex_unlock(&notify->lock);
}

void srv_notify_stop(srv_notify *notify) {
    if (!notify)
        return;
    pthread_mutex_lock(&notify->lock);
    notify->ending = true;
    pthread_cond_signal(&notify->changed);
    pthread_mutex_unlock(&notify->lock);
    pthread_join(notify->thread, NULL);
    pthread_cond_destroy(&notify->changed);
    pthread_mutex_destroy(&notify->lock);
    srv_store_close(notify->store);
    srv_github_tokens_free(notify->tokens);
    g_hash_table_unref(notify->told);
    g_free(notify);
}
