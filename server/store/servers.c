#include "server/store/servers.h"

#include "server/store/store_sql.h"
#include "sql/servers.h"

static bool projects_drop(srv_store *store, const char *server, GError **error) {
    return srv__run(store, SQL(server_projects_drop), SRV__ARGS(SRV__T(server)), NULL, error);
}

static bool drop(srv_store *store, const char *server, GError **error) {
    return projects_drop(store, server, error) &&
           srv__run(store, SQL(server_drop), SRV__ARGS(SRV__T(server)), NULL, error);
}

static bool projects_put(srv_store *store, const srv_servers *s, GError **error) {
    GHashTableIter all;
    void *project, *hash;
    bool good = projects_drop(store, s->own, error);
    g_hash_table_iter_init(&all, s->hashes);
    while (good && g_hash_table_iter_next(&all, &project, &hash))
        good = srv__run(
            store, SQL(server_project_put),
            SRV__ARGS(SRV__T(s->own), SRV__T((const char *)project), SRV__T((const char *)hash)),
            NULL, error);
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
    return good && (!own || (srv__run(store, SQL(server_add),
                                      SRV__ARGS(SRV__T(s->own), SRV__T(s->called)), NULL, error) &&
                             projects_put(store, s, error)));
}

static bool differences_look(srv_store *store, srv_servers *s, GError **error) {
    g_autofree char *name = NULL;
    if (!srv__text(store, SQL(servers_difference), SRV__NO_ARGS, &name, error))
        return false;
    g_strlcpy(s->differs, name ? name : "", sizeof s->differs);
    return true;
}

bool srv_servers_look(srv_store *store, srv_servers *s, bool (*lives)(void *user, const char *name),
                      void *user, GError **error) {
    g_autoptr(GHashTable) names = srv__words(store, SQL(servers_all), SRV__NO_ARGS, error);
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

bool srv_servers_leave(srv_store *store, const srv_servers *s, GError **error) {
    return srv__begin(store, error) && srv__end(store, drop(store, s->own, error), error);
}

void srv_servers_clear(srv_servers *s) {
    g_clear_pointer(&s->hashes, g_hash_table_unref);
}
