#include "server/store/servers.h"

#include "server/store/store_sql.h"
#include "sql/servers.h"

/* Since when a server has the beat that was seen last. */
typedef struct {
    int64_t beat, since_ms;
} seen;

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

/* The row may have been taken away: then this server was thought to be gone. */
static bool own_beat(srv_store *store, srv_servers *s, bool *news, GError **error) {
    int64_t changed;
    if (!srv__run(store, SQL(server_beat), SRV__ARGS(SRV__T(s->own)), &changed, error))
        return false;
    *news = changed == 0 || s->stale;
    return !*news || (srv__run(store, SQL(server_add), SRV__ARGS(SRV__T(s->own), SRV__T(s->called)),
                               NULL, error) &&
                      projects_put(store, s, error));
}

/* Is it the same as ever, for too long? */
static bool is_silent(srv_servers *s, const char *name, int64_t beat, int64_t now_ms) {
    seen *known = g_hash_table_lookup(s->others, name);
    if (!known) {
        known = g_new0(seen, 1);
        g_hash_table_insert(s->others, g_strdup(name), known);
        *known = (seen){beat, now_ms};
    }
    if (known->beat != beat)
        *known = (seen){beat, now_ms};
    return now_ms - known->since_ms >= SRV_DUTY_SILENT_MS;
}

static bool others_look(srv_store *store, srv_servers *s, int64_t now_ms, bool *news,
                        GError **error) {
    json_auto_t *rows = srv__array(store, SQL(servers_others), SRV__ARGS(SRV__T(s->own)), error);
    bool good = rows != NULL;
    size_t i;
    json_t *row;
    json_array_foreach (rows, i, row) {
        const char *name = json_string_value(json_object_get(row, "name"));
        if (!good || !is_silent(s, name, json_integer_value(json_object_get(row, "beat")), now_ms))
            continue;
        good = drop(store, name, error);
        g_hash_table_remove(s->others, name);
        *news = true;
    }
    return good;
}

static bool differences_look(srv_store *store, srv_servers *s, GError **error) {
    json_auto_t *row = NULL;
    if (!srv__object(store, SQL(servers_difference), SRV__NO_ARGS, &row, error))
        return false;
    const char *name = json_string_value(json_object_get(row, "name"));
    g_strlcpy(s->differs, name ? name : "", sizeof s->differs);
    return true;
}

bool srv_servers_beat(srv_store *store, srv_servers *s, int64_t now_ms, GError **error) {
    bool news = false;
    if (!s->others)
        s->others = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    if (!srv__begin(store, error))
        return false;
    bool good = own_beat(store, s, &news, error) && others_look(store, s, now_ms, &news, error) &&
                differences_look(store, s, error);
    if (!srv__end(store, good, error))
        return false;
    s->stale = false;
    return true;
}

bool srv_servers_leave(srv_store *store, const srv_servers *s, GError **error) {
    return srv__begin(store, error) && srv__end(store, drop(store, s->own, error), error);
}

void srv_servers_clear(srv_servers *s) {
    g_clear_pointer(&s->others, g_hash_table_unref);
    g_clear_pointer(&s->hashes, g_hash_table_unref);
}
