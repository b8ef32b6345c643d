#include "server/store/store.h"

#include "server/store/store_core.h"

#include <string.h>

static void statements_free(void *memory) {
    g_ptr_array_free(memory, TRUE);
}

srv_store *srv_store_open(const char *url, GError **error) {
    srv_store *store = g_new0(srv_store, 1);
    store->idle = g_hash_table_new_full(NULL, NULL, NULL, statements_free);
    store->events = g_array_new(FALSE, FALSE, sizeof(srv__pending));
    store->db = srv_db_open(url, SRV_DB_WRITE);
    if (!store->db->usable)
        srv__store_fail(store, "opening the database", error);
    else if ((store->changes = srv_changes_open(url, error)) && srv__store_schema(store, error))
        return store;
    g_prefix_error(error, "%s: ", srv_db_is_server(url) ? url : srv_db_place(url));
    srv_store_close(store);
    return NULL;
}

void srv_store_close(srv_store *store) {
    if (!store)
        return;
    g_hash_table_destroy(store->idle);
    g_array_free(store->events, TRUE);
    srv_db_close(store->db);
    srv_changes_close(store->changes);
    g_free(store);
}

bool srv_store_check(srv_store *store, GError **error) {
    const char *text;
    if (srv_db_check(store->db, true))
        return true;
    if (srv_db_problem(store->db, &text) == SRV_DB_DAMAGED)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "the database is damaged (%s); restore the last backup", text);
    else
        srv__store_fail(store, "checking the database", error);
    return false;
}

bool srv_store_space(srv_store *store, int64_t *bytes, int64_t *free_bytes, GError **error) {
    if (srv_db_space(store->db, bytes, free_bytes))
        return true;
    srv__store_fail(store, "asking for the database's size", error);
    return false;
}

bool srv_store_compact(srv_store *store, bool *more, GError **error) {
    g_assert(!store->in_transaction);
    if (srv_db_compact(store->db, more))
        return true;
    srv__store_fail(store, "giving free space back to the disk", error);
    return false;
}

void srv_store_on_event(srv_store *store, srv_event_fn function, void *user) {
    store->tell = function;
    store->tell_user = user;
}
