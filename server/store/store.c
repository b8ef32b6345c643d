#include "server/store/store.h"

#include "server/ground/error.h"
#include "server/store/schema.h"
#include "server/store/store_core.h"

static bool refuse(int64_t version, int64_t known, GError **error) {
    const char *hint =
        version > known
            ? "start the newer moowatch that wrote it, or restore a backup"
            : "export its projects with the moowatch that wrote it (moowatchd export), and import "
              "them into a new database";
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                     "the database has version %d, but this moowatch reads version %d alone; %s",
                     (int)version, (int)known, hint);
}

static bool make(srv_store *store, int64_t version, GError **error) {
    g_autofree char *sql = srv__schema(store->db->driver->name);
    return store->db->driver->upgrade(store->db, sql, version) ||
           srv__store_fail(store, "making the database", error);
}

/* Make the tables of a new database; one of another version is refused. */
static bool store_schema(srv_store *store, GError **error) {
    const int64_t known = srv__schema_version(), version = store->db->driver->version(store->db);
    if (version < 0)
        return srv__store_fail(store, "reading the version of the database", error);
    if (version == 0 && !make(store, known, error))
        return false;
    srv_db_expect(store->db, known);
    return version == 0 || version == known || refuse(version, known, error);
}

/* What is said before the database's own words and after them. */
typedef struct {
    srv_error code;
    const char *before, *after, *of_driver;
} saying;

static saying saying_of(srv_db_class class, const srv_db_driver *driver) {
    switch (class) {
    case SRV_DB_ABSENT:
        return (saying){SRV_ERROR_INTERNAL, "", "; ", driver->absent};
    case SRV_DB_DAMAGED:
        return (saying){SRV_ERROR_INTERNAL, "", "; ", driver->damaged};
    case SRV_DB_FOREIGN:
        return (saying){SRV_ERROR_INTERNAL, "", "; ", driver->foreign};
    case SRV_DB_REFUSED:
        return (saying){SRV_ERROR_INTERNAL, "",
                        "; moowatchd needs a database that its user owns and may write to", ""};
    case SRV_DB_BUSY:
        return (saying){SRV_ERROR_BUSY, "the database is in use (", "); try again", ""};
    case SRV_DB_FULL:
        return (saying){SRV_ERROR_FULL, "the disk is full (",
                        "); free some space, nothing was changed", ""};
    case SRV_DB_UNWRITABLE:
        return (saying){SRV_ERROR_FULL, "the database cannot be written (",
                        "); check the disk, nothing was changed", ""};
    case SRV_DB_LOST:
        return (saying){SRV_ERROR_BUSY, "the database does not answer (",
                        "); nothing was changed, try again", ""};
    case SRV_DB_UNKNOWN:
        return (saying){SRV_ERROR_BUSY, "", "; check whether it was done before you try again", ""};
    case SRV_DB_NEWER:
        return (saying){SRV_ERROR_BUSY, "the database is of a newer version than this server (",
                        "); nothing was changed; ask another server, and upgrade this one", ""};
    case SRV_DB_OTHER:
    case SRV_DB_CONSTRAINT:
        break;
    }
    return (saying){SRV_ERROR_INTERNAL, "", "", ""};
}

void srv__store_failed(srv_store *store, const char *doing, GError **error) {
    const char *text;
    const srv_db_class class = srv_db_problem(store->db, &text);
    const bool foreign = class == SRV_DB_FOREIGN;
    const saying says = saying_of(class, store->db->driver);
    g_set_error(error, SRV_ERROR, says.code, "%s%s%s%s%s%s", foreign ? "" : doing,
                foreign ? "" : ": ", says.before, text, says.after, says.of_driver);
}

void srv__store_wrote(srv_store *store) {
    store->wrote = store->in_transaction;
    if (!store->in_transaction)
        srv_changes_note(store->changes);
}

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
    g_autoptr(GPtrArray) texts = srv__notice_texts(store->events);
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
    else if ((store->changes = srv_changes_open(url, error)) && store_schema(store, error))
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

bool srv_store_space(srv_store *store, int64_t *bytes, int64_t *free_bytes, GError **error) {
    return store->db->driver->space(store->db, bytes, free_bytes) ||
           srv__store_fail(store, "asking for the database's size", error);
}

bool srv_store_compact(srv_store *store, bool *more, GError **error) {
    g_assert(!store->in_transaction);
    return srv_db_compact(store->db, more) ||
           srv__store_fail(store, "giving free space back to the disk", error);
}

void srv_store_on_event(srv_store *store, srv_event_fn function, void *user) {
    store->tell = function;
    store->tell_user = user;
}
