#include "server/http/stream.h"

#include "config/log.h"
#include "server/ground/thread.h"
#include "server/http/rate.h"

#include <microhttpd.h>
#include <pthread.h>
#include <string.h>

enum {
    BLOCK_SIZE = 1024, /* memory a stream inside the HTTP library */
    QUEUE_MAX_BYTES =
        256 << 10 /* some hundred job events: seconds of a storm, minutes of a night */
};

typedef struct {
    srv_stream_hub *hub;
    struct MHD_Connection *connection;
    GQueue texts; /* GBytes, the first partly sent */
    size_t offset;
    size_t queued_bytes;
    bool waiting; /* suspended by the reader; only then it may be resumed */
    bool closing;
    char who[SRV_RATE_KEY_SIZE]; /* "": not counted */
    char *token;                 /* the key of the secret that opened it (auth.h); NULL: none */
    bool details;
} client;

struct srv_stream_hub {
    pthread_mutex_t lock; /* all of the above too */
    GQueue clients;
    unsigned limit, per_client;
    bool closed;
};

srv_stream_hub *srv_stream_hub_new(unsigned limit, unsigned per_client) {
    srv_stream_hub *hub = g_new0(srv_stream_hub, 1);
    pthread_mutex_init(&hub->lock, NULL);
    hub->limit = limit;
    hub->per_client = per_client;
    return hub;
}

void srv_stream_hub_free(srv_stream_hub *hub) {
    if (!hub)
        return;
    pthread_mutex_destroy(&hub->lock);
    g_free(hub);
}

static void wake(client *c) {
    if (!c->waiting)
        return;
    c->waiting = false;
    MHD_resume_connection(c->connection);
}

/* Copies as much of the queue as fits. */
static size_t take(client *c, char *out, size_t max) {
    size_t taken = 0;
    while (taken < max && !g_queue_is_empty(&c->texts)) {
        GBytes *first = g_queue_peek_head(&c->texts);
        gsize size = 0;
        const char *data = g_bytes_get_data(first, &size);
        size_t part = MIN(size - c->offset, max - taken);
        memcpy(out + taken, data + c->offset, part);
        taken += part;
        c->offset += part;
        c->queued_bytes -= part;
        if (c->offset == size) {
            g_bytes_unref(g_queue_pop_head(&c->texts));
            c->offset = 0;
        }
    }
    return taken;
}

static ssize_t read_stream(void *data, uint64_t position, char *out, size_t max) {
    (void)position;
    client *c = data;
    SRV_HOLD(&c->hub->lock);
    ssize_t taken = (ssize_t)take(c, out, max);
    if (taken == 0 && c->closing) {
        taken = MHD_CONTENT_READER_END_OF_STREAM;
    } else if (taken == 0) {
        /* Returning 0 without suspending would make the library ask again at once, for ever. */
        c->waiting = true;
        MHD_suspend_connection(c->connection);
    }
    return taken;
}

static void free_client(void *data) {
    client *c = data;
    srv_stream_hub *hub = c->hub;
    pthread_mutex_lock(&hub->lock);
    g_queue_remove(&hub->clients, c);
    g_queue_clear_full(&c->texts, (GDestroyNotify)g_bytes_unref);
    pthread_mutex_unlock(&hub->lock);
    g_free(c->token);
    g_free(c);
}

/* With the lock held. */
static void enqueue(client *c, GBytes *text) {
    if (c->closing)
        return;
    if (c->queued_bytes + g_bytes_get_size(text) > QUEUE_MAX_BYTES) {
        c->closing = true;
        wake(c);
        cfg_log("info", "stream", "dropped", "reason=\"client too slow\"");
        return;
    }
    g_queue_push_tail(&c->texts, g_bytes_ref(text));
    c->queued_bytes += g_bytes_get_size(text);
    wake(c);
}

/* With the lock held. */
static bool has_room(const srv_stream_hub *hub, const char *who) {
    unsigned own = 0;
    for (const GList *at = hub->clients.head; at && *who != '\0'; at = at->next)
        own += strcmp(((const client *)at->data)->who, who) == 0;
    return !hub->closed && hub->clients.length < hub->limit && own < hub->per_client;
}

struct MHD_Response *srv_stream_open(srv_stream_hub *hub, struct MHD_Connection *connection,
                                     const char *address, const char *token, bool details) {
    static const char greeting[] = ": moowatch\nretry: 5000\n\n";
    client *c = g_new0(client, 1);
    c->hub = hub;
    c->connection = connection;
    if (!srv_rate_is_loopback(address))
        srv_rate_key(address, c->who);
    c->token = g_strdup(token);
    c->details = details;
    g_queue_init(&c->texts);
    pthread_mutex_lock(&hub->lock);
    bool room = has_room(hub, c->who);
    if (room) {
        g_autoptr(GBytes) text = g_bytes_new_static(greeting, sizeof greeting - 1);
        g_queue_push_head(&hub->clients, c);
        enqueue(c, text);
    }
    pthread_mutex_unlock(&hub->lock);
    if (!room) {
        g_free(c->token);
        g_free(c);
        return NULL;
    }
    struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_SIZE,
                                                                      read_stream, c, free_client);
    if (!response)
        free_client(c);
    return response;
}

/* Takes both over; shown: for those without details. All their references come and go under the
 * lock, which thread checkers can see. */
static void send_to_all(srv_stream_hub *hub, GBytes *text, GBytes *shown) {
    SRV_HOLD(&hub->lock);
    for (GList *at = hub->clients.head; at; at = at->next)
        enqueue(at->data, ((client *)at->data)->details ? text : shown);
    g_bytes_unref(text);
    g_bytes_unref(shown);
}

static GBytes *event_of(const char *type, const char *data) {
    char *event = g_strdup_printf("event: %s\ndata: %s\n\n", type, data);
    return g_bytes_new_take(event, strlen(event));
}

void srv_stream_publish(srv_stream_hub *hub, const char *type, const char *data,
                        const char *shown) {
    if (srv_stream_count(hub) == 0)
        return;
    send_to_all(hub, event_of(type, data), event_of(type, shown ? shown : data));
}

void srv_stream_heartbeat(srv_stream_hub *hub) {
    static const char beat[] = ": hb\n\n";
    send_to_all(hub, g_bytes_new_static(beat, sizeof beat - 1),
                g_bytes_new_static(beat, sizeof beat - 1));
}

void srv_stream_review(srv_stream_hub *hub, bool (*valid)(void *user, const char *token),
                       void *user) {
    SRV_HOLD(&hub->lock);
    for (GList *at = hub->clients.head; at; at = at->next) {
        client *c = at->data;
        if (c->closing || !c->token || valid(user, c->token))
            continue;
        c->closing = true;
        g_queue_clear_full(&c->texts, (GDestroyNotify)g_bytes_unref);
        c->offset = c->queued_bytes = 0;
        wake(c);
        /* not which: what is here is made of the secret */
        cfg_log("info", "stream", "ended", "reason=\"its secret is no longer valid\"");
    }
}

unsigned srv_stream_count(srv_stream_hub *hub) {
    SRV_HOLD(&hub->lock);
    return hub->clients.length;
}

void srv_stream_close(srv_stream_hub *hub) {
    SRV_HOLD(&hub->lock);
    hub->closed = true;
    for (GList *at = hub->clients.head; at; at = at->next) {
        client *c = at->data;
        c->closing = true;
        wake(c);
    }
}
