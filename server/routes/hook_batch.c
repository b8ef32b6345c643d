#include "server/routes/hook_batch.h"

#include "server/app.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/ground/log.h"

enum { FAULT_PAUSE_S = 60 };

typedef struct {
    srv_request *request;
    GPtrArray *deliveries;
} entry;

struct srv_hook_batch {
    srv_app *app;
    pthread_mutex_t lock;
    GArray *entries;
    bool pushed; /* a flush is on its way */
};

srv_hook_batch *srv_hook_batch_new(srv_app *app) {
    srv_hook_batch *batch = g_new0(srv_hook_batch, 1);
    batch->app = app;
    batch->entries = g_array_new(FALSE, FALSE, sizeof(entry));
    pthread_mutex_init(&batch->lock, NULL);
    return batch;
}

void srv_hook_batch_free(srv_hook_batch *batch) {
    if (!batch)
        return;
    pthread_mutex_destroy(&batch->lock);
    g_array_unref(batch->entries);
    g_free(batch);
}

static srv_reply *taken(const GPtrArray *deliveries) {
    bool fresh = false;
    json_t *projects = json_array();
    for (guint i = 0; i < deliveries->len; i++) {
        const srv_delivery *delivery = g_ptr_array_index(deliveries, i);
        fresh = fresh || delivery->fresh;
        json_array_append_new(projects, json_string(delivery->project));
    }
    const srv_delivery *first = g_ptr_array_index(deliveries, 0);
    srv_reply *reply = srv_reply_json(fresh ? 202 : 200,
                                      json_pack("{s:s, s:s, s:s, s:o}", "state",
                                                fresh ? "taken" : "known", "delivery", first->id,
                                                "commit", first->sha, "projects", projects));
    reply->cache = "no-store";
    return reply;
}

/* The delivery is a good one, and its sender shall repeat it: the fault is here. */
static srv_reply *not_kept(const GError *error) {
    if (g_error_matches(error, SRV_ERROR, SRV_ERROR_FULL))
        return srv_reply_error(g_error_copy(error));
    srv_log_error("hook", "not_kept", "reason", error->message, NULL);
    return srv_reply_later("the delivery could not be kept; the log says why", FAULT_PAUSE_S);
}

static void flush(srv_store *store, void *data) {
    srv_hook_batch *batch = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    pthread_mutex_lock(&batch->lock);
    g_autoptr(GArray) entries = batch->entries;
    batch->entries = g_array_new(FALSE, FALSE, sizeof(entry));
    batch->pushed = false;
    pthread_mutex_unlock(&batch->lock);
    for (guint i = 0; i < entries->len; i++) {
        const GPtrArray *deliveries = g_array_index(entries, entry, i).deliveries;
        for (guint k = 0; k < deliveries->len; k++)
            g_ptr_array_add(all, g_ptr_array_index(deliveries, k));
    }
    bool good = srv_delivery_take(store, all, srv_now_ms(), &error);
    for (guint i = 0; good && i < all->len; i++) {
        const srv_delivery *delivery = g_ptr_array_index(all, i);
        if (delivery->fresh)
            srv_poller_kick(batch->app->poller, delivery->project);
    }
    for (guint i = 0; i < entries->len; i++) {
        entry next = g_array_index(entries, entry, i);
        srv_http_answer(next.request, good ? taken(next.deliveries) : not_kept(error));
    }
}

bool srv_hook_batch_add(srv_hook_batch *batch, srv_request *request, GPtrArray *deliveries) {
    entry next = {request, deliveries};
    pthread_mutex_lock(&batch->lock);
    bool room = batch->pushed || srv_work_push(batch->app->writer, flush, batch);
    batch->pushed = room;
    if (room)
        g_array_append_val(batch->entries, next);
    pthread_mutex_unlock(&batch->lock);
    return room;
}
