#include "server/http/rate.h"

#include "server/ground/thread.h"

#include <arpa/inet.h>
#include <glib.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>

/* 4096 addresses times 80 bytes; each looks at a row of 8. */
enum { ROWS = 512, WAYS = 8, NAME_SIZE = SRV_RATE_KEY_SIZE, PREFIX_BYTES = 8 };

typedef struct {
    char client[NAME_SIZE];
    double tokens;
    int64_t at_us;
} bucket;

struct srv_rate {
    pthread_mutex_t lock;
    double per_s;
    double burst;
    bucket *buckets; /* [ROWS * WAYS] */
};

srv_rate *srv_rate_new(double per_s, double burst) {
    srv_rate *rate = g_new0(srv_rate, 1);
    pthread_mutex_init(&rate->lock, NULL);
    rate->per_s = per_s;
    rate->burst = burst;
    if (per_s > 0)
        rate->buckets = g_new0(bucket, (size_t)ROWS * WAYS);
    return rate;
}

void srv_rate_free(srv_rate *rate) {
    if (!rate)
        return;
    pthread_mutex_destroy(&rate->lock);
    g_free(rate->buckets);
    g_free(rate);
}

static bool v6_of(const char *address, struct in6_addr *out) {
    return strchr(address, ':') && inet_pton(AF_INET6, address, out) == 1;
}

void srv_rate_key(const char *address, char out[SRV_RATE_KEY_SIZE]) {
    struct in6_addr v6;
    g_strlcpy(out, address, SRV_RATE_KEY_SIZE);
    if (!v6_of(address, &v6) || IN6_IS_ADDR_LOOPBACK(&v6))
        return;
    if (IN6_IS_ADDR_V4MAPPED(&v6)) {
        inet_ntop(AF_INET, v6.s6_addr + 12, out, SRV_RATE_KEY_SIZE);
        return;
    }
    memset(v6.s6_addr + PREFIX_BYTES, 0, sizeof v6.s6_addr - PREFIX_BYTES);
    inet_ntop(AF_INET6, &v6, out, SRV_RATE_KEY_SIZE);
    g_strlcat(out, "/64", SRV_RATE_KEY_SIZE);
}

bool srv_rate_is_loopback(const char *address) {
    struct in6_addr v6;
    struct in_addr v4;
    if (v6_of(address, &v6))
        return IN6_IS_ADDR_LOOPBACK(&v6) ||
               (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == IN_LOOPBACKNET);
    return g_str_has_prefix(address, "127.") && inet_pton(AF_INET, address, &v4) == 1;
}

static void fill(const srv_rate *rate, bucket *b, int64_t now_us) {
    b->tokens = MIN(rate->burst, b->tokens + (double)(now_us - b->at_us) * 1e-6 * rate->per_s);
    b->at_us = now_us;
}

/* The client's bucket; if it has none, the fullest of its row becomes its own. */
static bucket *find(srv_rate *rate, const char *client, int64_t now_us) {
    bucket *row = rate->buckets + (size_t)(g_str_hash(client) % ROWS) * WAYS;
    bucket *spare = row;
    for (unsigned i = 0; i < WAYS; i++) {
        if (row[i].client[0] == '\0') {
            spare = &row[i];
            break;
        }
        fill(rate, &row[i], now_us);
        if (strncmp(row[i].client, client, NAME_SIZE - 1) == 0)
            return &row[i];
        if (row[i].tokens > spare->tokens)
            spare = &row[i];
    }
    g_strlcpy(spare->client, client, NAME_SIZE);
    spare->tokens = rate->burst;
    spare->at_us = now_us;
    return spare;
}

static bool ask(srv_rate *rate, const char *client, int64_t now_us, double price) {
    char key[NAME_SIZE];
    if (rate->per_s <= 0)
        return true;
    srv_rate_key(client, key);
    SRV_HOLD(&rate->lock);
    bucket *b = find(rate, key, now_us);
    bool has = b->tokens >= 1 || price < 0;
    if (has)
        b->tokens = MIN(rate->burst, b->tokens - price);
    return has;
}

void srv_rate_give(srv_rate *rate, const char *client, int64_t now_us) {
    ask(rate, client, now_us, -1);
}

bool srv_rate_take(srv_rate *rate, const char *client, int64_t now_us) {
    return ask(rate, client, now_us, 1);
}

struct srv__expensive {
    pthread_mutex_t lock;
    GHashTable *clients; /* of whom there are any: key → how many */
    unsigned all;
};

srv__expensive *srv__expensive_new(void) {
    srv__expensive *expensive = g_new0(srv__expensive, 1);
    pthread_mutex_init(&expensive->lock, NULL);
    expensive->clients = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return expensive;
}

void srv__expensive_free(srv__expensive *expensive) {
    if (!expensive)
        return;
    pthread_mutex_destroy(&expensive->lock);
    g_hash_table_unref(expensive->clients);
    g_free(expensive);
}

static unsigned of_client(const srv__expensive *expensive, const char *key) {
    return GPOINTER_TO_UINT(g_hash_table_lookup(expensive->clients, key));
}

bool srv__expensive_enter(srv__expensive *expensive, const char *client) {
    const unsigned most = srv_rate_is_loopback(client) ? SRV__EXPENSIVE_MAX : SRV__EXPENSIVE_CLIENT;
    char key[SRV_RATE_KEY_SIZE];
    srv_rate_key(client, key);
    SRV_HOLD(&expensive->lock);
    const unsigned own = of_client(expensive, key);
    const bool room = expensive->all < SRV__EXPENSIVE_MAX && own < most;
    if (room) {
        expensive->all++;
        g_hash_table_insert(expensive->clients, g_strdup(key), GUINT_TO_POINTER(own + 1));
    }
    return room;
}

void srv__expensive_leave(srv__expensive *expensive, const char *client) {
    char key[SRV_RATE_KEY_SIZE];
    srv_rate_key(client, key);
    SRV_HOLD(&expensive->lock);
    const unsigned own = of_client(expensive, key);
    expensive->all--;
    if (own > 1)
        g_hash_table_insert(expensive->clients, g_strdup(key), GUINT_TO_POINTER(own - 1));
    else
        g_hash_table_remove(expensive->clients, key);
}
