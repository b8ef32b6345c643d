#include "server/store/store_core.h"

bool srv__event(srv_store *store, srv_event what, int64_t id) {
    for (guint i = 0; i < store->events->len; i++) {
        const srv__pending *event = &g_array_index(store->events, srv__pending, i);
        if (event->what == what && event->id == id)
            return true;
    }
    g_array_append_val(store->events, ((srv__pending){what, id}));
    return true;
}

static void tell_events(srv_store *store) {
    for (guint i = 0; i < store->events->len && store->tell; i++) {
        const srv__pending *event = &g_array_index(store->events, srv__pending, i);
        store->tell(store, event->what, event->id, store->tell_user);
    }
    g_array_set_size(store->events, 0);
}

bool srv__begin(srv_store *store, GError **error) {
    return srv__begin_project(store, 0, error);
}

bool srv__begin_project(srv_store *store, int64_t project, GError **error) {
    g_assert(!store->in_transaction);
    store->in_transaction = srv_db_begin_part(store->db, project);
    if (!store->in_transaction)
        srv__store_fail(store, "beginning to write", error);
    store->wrote = false;
    return store->in_transaction;
}

/* The other servers on this database hear of what was written when it is committed. */
static bool tell_servers(srv_store *store) {
    if (!store->wrote || !store->db->driver->is_server)
        return true;
    g_autoptr(GPtrArray) texts = srv__news_texts(store->events);
    bool good = true;
    for (guint i = 0; good && i < texts->len; i++)
        good = srv_db_tell(store->db, texts->pdata[i]);
    return good;
}

bool srv__end(srv_store *store, bool good, GError **error) {
    g_assert(store->in_transaction);
    store->in_transaction = false;
    const bool committed = good && tell_servers(store) && srv_db_commit(store->db);
    if (good && !committed)
        srv__store_fail(store, "committing", error);
    if (committed) {
        if (store->wrote)
            srv_changes_note(store->changes);
        tell_events(store);
        return true;
    }
    g_array_set_size(store->events, 0);
    srv_db_roll_back(store->db);
    return false;
}
