#include "server/views/histories.h"

#include "config/json_text.h"
#include "server/ground/lru.h"
#include "server/views/views.h"

#include <string.h>

enum { TEXT_BYTES = 64 }; /* of a night's date, commit and reason, with what malloc adds */

struct srv_histories {
    srv_lru *kept;
    const srv_changes *changes;
};

static void clear(gpointer data) {
    srv_history *history = data;
    web_history_free(history->nights);
    g_free(history->title);
}

static gpointer ref(gpointer history) {
    return g_atomic_rc_box_acquire(history);
}

static void unref(gpointer history) {
    g_atomic_rc_box_release_full(history, clear);
}

srv_histories *srv_histories_new(gsize max_bytes, const srv_changes *changes) {
    srv_histories *histories = g_new0(srv_histories, 1);
    histories->kept = srv_lru_new(max_bytes, ref, unref);
    histories->changes = changes;
    return histories;
}

void srv_histories_free(srv_histories *histories) {
    if (!histories)
        return;
    srv_lru_free(histories->kept);
    g_free(histories);
}

void srv_history_done(srv_history *history) {
    unref(history);
}

static gsize bytes_of(const web_history *history) {
    gsize bytes = sizeof *history;
    for (guint i = 0; i < history->nights->len; i++) {
        const web_night *night = &g_array_index(history->nights, web_night, i);
        bytes += sizeof *night + TEXT_BYTES + night->count * sizeof(web_value);
        bytes += night->reason ? strlen(night->reason) : 0;
    }
    return bytes;
}

static bool add_nights(void *user, const cfg_night *nights, unsigned count, GError **error) {
    (void)error;
    web_history_add(user, nights, count);
    return true;
}

web_history *srv_history_read(srv_store *store, const char *project, const char *until,
                              const char *leaf, unsigned limit, GError **error) {
    g_autoptr(web_history) nights = web_history_begin(until, leaf, limit);
    const srv_nights_taker taker = {false, add_nights, nights};
    g_autofree char *next = NULL;
    if (!srv_nights_each(store, project, (srv_dates){.until = until}, (srv_page){.limit = limit},
                         &taker, &next, error))
        return NULL;
    web_history_end(nights);
    return g_steal_pointer(&nights);
}

static srv_history *read_history(srv_store *store, const char *project, const char *until,
                                 const char *leaf, unsigned limit, GError **error) {
    json_auto_t *about = srv_view_project(store, project, error);
    web_history *nights =
        about ? srv_history_read(store, project, until, leaf, limit, error) : NULL;
    if (!nights)
        return NULL;
    srv_history *history = g_atomic_rc_box_new0(srv_history);
    history->nights = nights;
    history->title = g_strdup(cfg_json_word(about, "title", NULL));
    history->bytes = bytes_of(history->nights) + sizeof *history + strlen(history->title);
    return history;
}

srv_history *srv_histories_get(srv_histories *histories, srv_store *store, const char *project,
                               const char *until, const char *leaf, unsigned limit,
                               GError **error) {
    g_autofree char *key =
        g_strdup_printf("%s\n%u\n%s\n%s", project, limit, until ? until : "", leaf ? leaf : "");
    const uint64_t generation = srv_changes_now(histories->changes);
    srv_history *history = srv_lru_get(histories->kept, key, generation);
    if (history)
        return history;
    history = read_history(store, project, until, leaf, limit, error);
    if (history)
        srv_lru_put(histories->kept, key, generation, history, history->bytes);
    return history;
}
