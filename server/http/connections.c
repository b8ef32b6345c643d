#include "server/http/http_exchange.h"

#include "server/ground/thread.h"
#include "server/http/rate.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>

enum { LOOK_EACH_MS = 1000 };

typedef struct {
    int fd;
    bool counted;                   /* among the connections of its client */
    char client[SRV_RATE_KEY_SIZE]; /* "": this machine */
    atomic_llong until_us;          /* monotonic; 0: for ever */
    atomic_llong idle_us;           /* since when it waits for a request; 0: it does not */
} watched;

struct srv__connections {
    srv__connections_limits limits;
    pthread_mutex_t lock;
    srv_timer *timer;
    GHashTable *open;    /* watched */
    GHashTable *clients; /* key → how many */
};

/* A descriptor in the table is open: the library tells of the end before it closes it. */
static void end_the_late(srv__connections *all) {
    GHashTableIter each;
    gpointer item;
    const gint64 now_us = g_get_monotonic_time();
    g_hash_table_iter_init(&each, all->open);
    while (g_hash_table_iter_next(&each, &item, NULL)) {
        watched *w = item;
        const long long until_us = atomic_load(&w->until_us);
        if (until_us > 0 && until_us < now_us)
            shutdown(w->fd, SHUT_RDWR);
    }
}

static void look(void *user) {
    srv__connections *all = user;
    pthread_mutex_lock(&all->lock);
    end_the_late(all);
    pthread_mutex_unlock(&all->lock);
    srv_timer_within(all->timer, 0, LOOK_EACH_MS);
}

srv__connections *srv__connections_new(const srv__connections_limits *limits, GError **error) {
    srv__connections *all = g_new0(srv__connections, 1);
    all->limits = *limits;
    all->open = g_hash_table_new(NULL, NULL);
    all->clients = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    pthread_mutex_init(&all->lock, NULL);
    all->timer = srv_timer_new("connections", look, all, error);
    if (all->timer) {
        srv_timer_within(all->timer, 0, LOOK_EACH_MS);
        return all;
    }
    srv__connections_free(all);
    return NULL;
}

void srv__connections_free(srv__connections *all) {
    if (!all)
        return;
    srv_timer_free(all->timer);
    pthread_mutex_destroy(&all->lock);
    g_hash_table_unref(all->open);
    g_hash_table_unref(all->clients);
    g_free(all);
}

/* An IP address as text; "": NULL or of another family; caller frees. */
static char *connections_text(const struct sockaddr *address) {
    char text[INET6_ADDRSTRLEN] = "";
    struct sockaddr_in6 v6;
    struct sockaddr_in v4;
    if (address && address->sa_family == AF_INET6) {
        memcpy(&v6, address, sizeof v6);
        inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
    } else if (address && address->sa_family == AF_INET) {
        memcpy(&v4, address, sizeof v4);
        inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
    }
    return g_strdup(text);
}

char *srv__connections_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return connections_text(info ? info->client_addr : NULL);
}

static void name(watched *w, struct MHD_Connection *connection) {
    g_autofree char *address = srv__connections_address(connection);
    if (!srv_rate_is_loopback(address))
        srv_rate_key(address, w->client);
}

static long long after(unsigned seconds) {
    return g_get_monotonic_time() + (long long)seconds * G_USEC_PER_SEC;
}

/* The one that has waited longest for a request makes room; NULL: none waits. With the lock. */
static watched *longest_idle(srv__connections *all, const watched *but) {
    GHashTableIter each;
    gpointer item;
    watched *longest = NULL;
    g_hash_table_iter_init(&each, all->open);
    while (g_hash_table_iter_next(&each, &item, NULL)) {
        watched *w = item;
        const long long idle_us = atomic_load(&w->idle_us);
        if (w != but && idle_us > 0 && (!longest || idle_us < atomic_load(&longest->idle_us)))
            longest = w;
    }
    return longest;
}

/* One too many: either an idle one ends, or the new one. It is not idle, so it is not ended twice.
 */
static void make_room(srv__connections *all, watched *newest) {
    watched *w = longest_idle(all, newest);
    w = w ? w : newest;
    atomic_store(&w->idle_us, 0);
    shutdown(w->fd, SHUT_RDWR);
}

static watched *begin(srv__connections *all, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    watched *w = g_new0(watched, 1);
    w->fd = info ? info->connect_fd : -1;
    atomic_init(&w->until_us, after(all->limits.head_s));
    atomic_init(&w->idle_us, g_get_monotonic_time());
    name(w, connection);
    /* A proxy or a program on this machine is not. */
    w->counted = all->limits.per_client > 0 && w->client[0] != '\0';
    SRV_HOLD(&all->lock);
    g_hash_table_add(all->open, w);
    if (g_hash_table_size(all->open) > all->limits.total)
        make_room(all, w);
    if (w->counted) {
        const guint n = GPOINTER_TO_UINT(g_hash_table_lookup(all->clients, w->client)) + 1;
        g_hash_table_insert(all->clients, g_strdup(w->client), GUINT_TO_POINTER(n));
        if (n > all->limits.per_client)
            shutdown(w->fd, SHUT_RDWR);
    }
    return w;
}

static void end(srv__connections *all, watched *w) {
    SRV_HOLD(&all->lock);
    g_hash_table_remove(all->open, w);
    const guint n = w->counted ? GPOINTER_TO_UINT(g_hash_table_lookup(all->clients, w->client)) : 0;
    if (n > 1)
        g_hash_table_insert(all->clients, g_strdup(w->client), GUINT_TO_POINTER(n - 1));
    else if (w->counted)
        g_hash_table_remove(all->clients, w->client);
    g_free(w);
}

void srv__connections_notify(void *data, struct MHD_Connection *connection, void **slot,
                             enum MHD_ConnectionNotificationCode what) {
    if (what == MHD_CONNECTION_NOTIFY_STARTED)
        *slot = begin(data, connection);
    else if (*slot)
        end(data, g_steal_pointer(slot));
}

static watched *of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

void srv__connections_await(srv__connections *all, struct MHD_Connection *connection,
                            srv__awaits what) {
    watched *w = of(connection);
    const unsigned seconds[] = {[SRV__AWAITS_NEXT] = all->limits.idle_s + all->limits.head_s,
                                [SRV__AWAITS_BODY] = all->limits.body_s,
                                [SRV__AWAITS_RAW] = all->limits.raw_s};
    if (!w)
        return;
    atomic_store(&w->until_us, what == SRV__AWAITS_US ? 0 : after(seconds[what]));
    atomic_store(&w->idle_us, what == SRV__AWAITS_NEXT ? g_get_monotonic_time() : 0);
}
