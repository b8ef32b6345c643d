#include "server/leader.h"

#include "server/ground/clock.h"
#include "server/ground/log.h"
#include "server/ground/thread.h"
#include "server/store/db.h"
#include "server/store/servers.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct srv_leader {
    bool is_alone;
    srv_store *store;
    srv_duty duty;
    srv_servers servers; /* of its thread, but for: */
    GHashTable *fresh;   /* under lock: hashes that servers does not have yet */
    char *called;        /* set before it runs */
    void (*led)(void *user);
    void *user;
    _Atomic int64_t held_ms; /* of duty, for all threads */
    pthread_mutex_t lock;    /* of ending */
    pthread_cond_t changed;
    bool ending, runs;
    pthread_t thread;
};

bool srv_leader_leads(srv_leader *leader) {
    return !leader || leader->is_alone || srv_monotonic_ms() < atomic_load(&leader->held_ms);
}

static void one_beat(srv_leader *leader) {
    g_autoptr(GError) error = NULL;
    const bool before = srv_leader_leads(leader);
    if (!srv_duty_beat(leader->store, &leader->duty, srv_monotonic_ms(), &error))
        srv_log_warning("leader", "no_beat", "reason", error->message, NULL);
    atomic_store(&leader->held_ms, leader->duty.held_ms);
    const bool now = srv_leader_leads(leader);
    if (now != before)
        srv_log_info("leader", now ? "leads" : "follows", "server", leader->duty.own, NULL);
    if (now && !before)
        leader->led(leader->user);
}

static void take_fresh(srv_leader *leader) {
    pthread_mutex_lock(&leader->lock);
    if (leader->fresh) {
        g_clear_pointer(&leader->servers.hashes, g_hash_table_unref);
        leader->servers.hashes = g_steal_pointer(&leader->fresh);
        leader->servers.stale = true;
    }
    pthread_mutex_unlock(&leader->lock);
}

static void tell_difference(const srv_leader *leader, const char *before) {
    const char *now = leader->servers.differs;
    if (g_str_equal(before, now))
        return;
    if (*now != '\0')
        srv_log_warning("config", "servers_differ", "project", now, "hint",
                        "give all servers the same projects_dir, and reload them", NULL);
    else
        srv_log_info("config", "servers_agree", NULL);
}

/* What the other servers are to know of this one. */
static void show(srv_leader *leader) {
    g_autoptr(GError) error = NULL;
    char before[sizeof leader->servers.differs];
    g_strlcpy(before, leader->servers.differs, sizeof before);
    take_fresh(leader);
    if (!leader->servers.hashes)
        return;
    if (!srv_servers_beat(leader->store, &leader->servers, srv_monotonic_ms(), &error))
        srv_log_warning("leader", "not_shown", "reason", error->message, NULL);
    else
        tell_difference(leader, before);
}

/* False: it is the end. */
static bool rest(srv_leader *leader) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += SRV_DUTY_BEAT_MS / 1000;
    pthread_mutex_lock(&leader->lock);
    int code = 0;
    while (!leader->ending && code == 0)
        code = pthread_cond_timedwait(&leader->changed, &leader->lock, &until);
    const bool more = !leader->ending;
    pthread_mutex_unlock(&leader->lock);
    return more;
}

static void *beat_loop(void *data) {
    srv_leader *leader = data;
    do {
        one_beat(leader);
        show(leader);
    } while (rest(leader));
    return NULL;
}

srv_leader *srv_leader_new(const char *database, void (*led)(void *user), void *user,
                           GError **error) {
    srv_leader *leader = g_new0(srv_leader, 1);
    leader->led = led;
    leader->user = user;
    leader->duty.name = "leader";
    leader->servers.own = leader->duty.own;
    leader->is_alone = !srv_db_is_server(database);
    srv_thread_cond_init(&leader->changed);
    pthread_mutex_init(&leader->lock, NULL);
    if (leader->is_alone || (srv_auth_uuid(leader->duty.own, error) &&
                             (leader->store = srv_store_open(database, error))))
        return leader;
    srv_leader_free(leader);
    return NULL;
}

void srv_leader_configured(srv_leader *leader, const char *called, GHashTable *hashes) {
    pthread_mutex_lock(&leader->lock);
    if (!leader->called)
        leader->servers.called = leader->called = g_strdup(called);
    g_clear_pointer(&leader->fresh, g_hash_table_unref);
    leader->fresh = hashes;
    pthread_mutex_unlock(&leader->lock);
}

bool srv_leader_run(srv_leader *leader, GError **error) {
    leader->runs =
        leader->is_alone || srv_thread_start(&leader->thread, "leader", beat_loop, leader, error);
    return leader->runs;
}

void srv_leader_stop(srv_leader *leader) {
    if (!leader || leader->is_alone || !leader->runs)
        return;
    pthread_mutex_lock(&leader->lock);
    leader->ending = true;
    pthread_cond_signal(&leader->changed);
    pthread_mutex_unlock(&leader->lock);
    pthread_join(leader->thread, NULL);
    leader->runs = false;
}

void srv_leader_free(srv_leader *leader) {
    g_autoptr(GError) error = NULL;
    if (!leader)
        return;
    srv_leader_stop(leader);
    if (leader->store && !srv_duty_leave(leader->store, &leader->duty, &error))
        srv_log_warning("leader", "not_handed_on", "reason", error->message, NULL);
    g_clear_error(&error);
    if (leader->store && !srv_servers_leave(leader->store, &leader->servers, &error))
        srv_log_warning("leader", "not_taken_away", "reason", error->message, NULL);
    srv_store_close(leader->store);
    srv_servers_clear(&leader->servers);
    g_clear_pointer(&leader->fresh, g_hash_table_unref);
    g_free(leader->called);
    pthread_cond_destroy(&leader->changed);
    pthread_mutex_destroy(&leader->lock);
    g_free(leader);
}
