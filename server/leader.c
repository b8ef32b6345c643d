#include "server/leader.h"

#include "config/log.h"
#include "server/ground/auth_random.h"
#include "server/ground/clock.h"
#include "server/ground/thread.h"
#include "server/store/db.h"
#include "server/store/schema.h"
#include "server/store/store.h"
#include "server/store/store_sql.h"
#include "sql/servers.h"

#include <pthread.h>
#include <stdatomic.h>

enum { SRV_LEADER_LOOK_MS = 1000, SRV_LEADER_HELD_MS = 4000 };

static bool projects_drop(srv_store *store, const char *server, GError **error) {
    return srv__run(store, ASK(server_projects_drop, server), error);
}

static bool drop(srv_store *store, const char *server, GError **error) {
    return projects_drop(store, server, error) && srv__run(store, ASK(server_drop, server), error);
}

static bool projects_put(srv_store *store, const srv_servers *s, GError **error) {
    GHashTableIter all;
    void *project, *hash;
    bool good = projects_drop(store, s->own, error);
    g_hash_table_iter_init(&all, s->hashes);
    while (good && g_hash_table_iter_next(&all, &project, &hash))
        good = srv__run(store,
                        ASK(server_project_put, s->own, (const char *)project, (const char *)hash),
                        error);
    return good;
}

/* Names whose servers do not live, out of names. */
static GPtrArray *gone_of(const srv_servers *s, GHashTable *names,
                          bool (*lives)(void *user, const char *name), void *user) {
    GPtrArray *gone = g_ptr_array_new();
    GHashTableIter all;
    void *name;
    g_hash_table_iter_init(&all, names);
    while (g_hash_table_iter_next(&all, &name, NULL))
        if (!g_str_equal(name, s->own) && !lives(user, name))
            g_ptr_array_add(gone, name);
    return gone;
}

/* In a transaction. The own row may have been removed: then this server was thought to be gone. */
static bool write_new(srv_store *store, const srv_servers *s, const GPtrArray *gone, bool own,
                      GError **error) {
    bool good = true;
    for (guint i = 0; good && i < gone->len; i++)
        good = drop(store, gone->pdata[i], error);
    return good && (!own || (srv__run(store, ASK(server_add, s->own), error) &&
                             projects_put(store, s, error)));
}

static bool differences_look(srv_store *store, srv_servers *s, GError **error) {
    g_autofree char *name = NULL;
    if (!srv__text(store, ASK(servers_difference), &name, error))
        return false;
    g_strlcpy(s->differs, name ? name : "", sizeof s->differs);
    return true;
}

/* It lives, with this configuration; the rows of those that do not are removed.
 * lives   is the server of this name there?
 * Sets differs. Writes only what is new. */
static bool servers_look(srv_store *store, srv_servers *s,
                         bool (*lives)(void *user, const char *name), void *user, GError **error) {
    g_autoptr(GHashTable) names = srv__words(store, ASK(servers_all), error);
    if (!names)
        return false;
    g_autoptr(GPtrArray) gone = gone_of(s, names, lives, user);
    const bool own = s->stale || !g_hash_table_contains(names, s->own);
    if (own || gone->len > 0) {
        if (!srv__begin(store, error) ||
            !srv__end(store, write_new(store, s, gone, own, error), error))
            return false;
        s->stale = false;
    }
    return differences_look(store, s, error);
}

static bool servers_leave(srv_store *store, const srv_servers *s, GError **error) {
    return srv__begin(store, error) && srv__end(store, drop(store, s->own, error), error);
}

/* Srv_servers_leave - it is going. */
static void servers_clear(srv_servers *s) {
    g_clear_pointer(&s->hashes, g_hash_table_unref);
}

#define LOCK "leader"

struct srv_leader {
    bool is_alone;
    char *database;
    srv_store *store;
    srv_db *db; /* holds the lock, and the server's name */
    char own[SRV_AUTH_UUID_SIZE];
    srv_servers servers; /* of its thread, but for: */
    GHashTable *fresh;   /* under lock: hashes that servers does not have yet */
    void (*led)(void *user);
    void *user;
    bool holds, leads, troubled;         /* as the last look found it */
    _Atomic int64_t leads_ms, leads_not; /* from when until when it leads, monotonic */
    pthread_mutex_t lock;                /* of fresh */
    srv_timer *timer;                    /* of its looks; NULL: it does not run */
};

bool srv_leader_leads(srv_leader *leader) {
    const int64_t now_ms = srv_monotonic_ms();
    return !leader || leader->is_alone ||
           (now_ms >= atomic_load(&leader->leads_ms) && now_ms < atomic_load(&leader->leads_not));
}

/* Static, or of the connection: why this server may not act; NULL: it may, if it holds the lock. */
static const char *trouble(srv_leader *leader, bool *holds) {
    const char *text = NULL;
    bool own;
    *holds = false;
    if (!leader->db->usable || !leader->db->driver->hold(leader->db, leader->own, &own) ||
        !leader->db->driver->hold(leader->db, LOCK, holds))
        srv_db_problem(leader->db, &text);
    else if (!own)
        text = "its previous connection has not ended yet";
    else if (leader->db->driver->version(leader->db) > srv__schema_version())
        text = "the database is of a newer version than this server";
    return text;
}

/* A connection that may not be good for anything any more holds nothing. */
static void let_go(srv_leader *leader, const char *why) {
    if (!leader->troubled)
        cfg_log("warning", "leader", "no_look", "reason=%s", why);
    srv_db_close(leader->db);
    leader->db = srv_db_open(leader->database, SRV_DB_EXISTING);
}

static void look(srv_leader *leader) {
    const int64_t now_ms = srv_monotonic_ms();
    bool holds;
    const char *why = trouble(leader, &holds);
    if (why)
        let_go(leader, why);
    leader->troubled = why != NULL;
    holds = holds && !why;
    if (holds && !leader->holds)
        atomic_store(&leader->leads_ms, srv_monotonic_ms() + SRV_LEADER_HELD_MS);
    atomic_store(&leader->leads_not, holds ? now_ms + SRV_LEADER_HELD_MS : 0);
    leader->holds = holds;
}

static void one_beat(srv_leader *leader) {
    look(leader);
    const bool before = leader->leads;
    leader->leads = srv_leader_leads(leader);
    if (leader->leads != before)
        cfg_log("info", "leader", leader->leads ? "leads" : "follows", "server=%s", leader->own);
    if (leader->leads && !before)
        leader->led(leader->user);
}

static void take_fresh(srv_leader *leader) {
    SRV_HOLD(&leader->lock);
    if (leader->fresh) {
        g_clear_pointer(&leader->servers.hashes, g_hash_table_unref);
        leader->servers.hashes = g_steal_pointer(&leader->fresh);
        leader->servers.stale = true;
    }
}

static void tell_difference(const srv_leader *leader, const char *before) {
    const char *now = leader->servers.differs;
    if (g_str_equal(before, now))
        return;
    if (*now != '\0')
        cfg_log("warning", "config", "servers_differ",
                "project=%s hint=\"give all servers the same projects_dir, and reload them\"", now);
    else
        cfg_log("info", "config", "servers_agree", "%s", "");
}

/* Of another server: nobody else holds its name then. */
static bool lives(void *user, const char *name) {
    srv_leader *leader = user;
    bool ours;
    if (!leader->db->driver->hold(leader->db, name, &ours) || !ours)
        return true;
    (void)leader->db->driver->release(leader->db, name);
    return false;
}

/* What the other servers are to know of this one. */
static void show(srv_leader *leader) {
    g_autoptr(GError) error = NULL;
    char before[sizeof leader->servers.differs];
    g_strlcpy(before, leader->servers.differs, sizeof before);
    take_fresh(leader);
    if (!leader->servers.hashes || leader->troubled)
        return;
    if (!servers_look(leader->store, &leader->servers, lives, leader, &error))
        cfg_log("warning", "leader", "not_shown", "reason=%s", error->message);
    else
        tell_difference(leader, before);
}

static void beat(void *user) {
    srv_leader *leader = user;
    one_beat(leader);
    show(leader);
    srv_timer_within(leader->timer, 0, SRV_LEADER_LOOK_MS);
}

srv_leader *srv_leader_new(const char *database, void (*led)(void *user), void *user,
                           GError **error) {
    srv_leader *leader = g_new0(srv_leader, 1);
    leader->led = led;
    leader->user = user;
    leader->database = g_strdup(database);
    leader->servers.own = leader->own;
    leader->is_alone = !srv_db_is_server(database);
    pthread_mutex_init(&leader->lock, NULL);
    if (leader->is_alone)
        return leader;
    leader->db = srv_db_open(database, SRV_DB_EXISTING);
    if (srv_auth_uuid(leader->own, error) && (leader->store = srv_store_open(database, error)))
        return leader;
    srv_leader_free(leader);
    return NULL;
}

void srv_leader_configured(srv_leader *leader, GHashTable *hashes) {
    SRV_HOLD(&leader->lock);
    g_clear_pointer(&leader->fresh, g_hash_table_unref);
    leader->fresh = hashes;
}

bool srv_leader_run(srv_leader *leader, GError **error) {
    if (leader->is_alone)
        return true;
    leader->timer = srv_timer_new("leader", beat, leader, error);
    if (leader->timer)
        srv_timer_within(leader->timer, 0, 0);
    return leader->timer != NULL;
}

void srv_leader_stop(srv_leader *leader) {
    if (!leader)
        return;
    srv_timer_free(leader->timer); /* its last beat still arms it */
    leader->timer = NULL;
}

void srv_leader_free(srv_leader *leader) {
    g_autoptr(GError) error = NULL;
    if (!leader)
        return;
    srv_leader_stop(leader);
    if (leader->store && !servers_leave(leader->store, &leader->servers, &error))
        cfg_log("warning", "leader", "not_taken_away", "reason=%s", error->message);
    srv_store_close(leader->store);
    srv_db_close(leader->db);
    servers_clear(&leader->servers);
    g_clear_pointer(&leader->fresh, g_hash_table_unref);
    g_free(leader->database);
    pthread_mutex_destroy(&leader->lock);
    g_free(leader);
}
