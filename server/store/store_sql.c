#include "server/store/store_sql.h"

#include "server/store/store_core.h"

#include <math.h>
#include <string.h>

/* Where a column's value goes: object.into.key, or object.key. */
typedef struct {
    char *into; /* or NULL */
    char *key;
    char mark; /* '?' or '{' as the name ends, else 0 */
} target;

typedef struct {
    sqlite3_stmt *statement;
    int columns;
    bool writes, nights; /* what it changes */
    target *plan;        /* [columns], made for the first row that becomes an object */
} prepared_statement;

struct srv__query {
    srv_store *store;
    const char *sql;
    prepared_statement *prepared;
    sqlite3_stmt *statement; /* of prepared */
};

static void prepared_free(void *memory) {
    prepared_statement *prepared = memory;
    if (!prepared)
        return;
    sqlite3_finalize(prepared->statement);
    for (int i = 0; prepared->plan && i < prepared->columns; i++) {
        g_free(prepared->plan[i].into);
        g_free(prepared->plan[i].key);
    }
    g_free(prepared->plan);
    g_free(prepared);
}

static prepared_statement *prepared_take(srv_store *store, const char *sql) {
    GPtrArray *idle = g_hash_table_lookup(store->idle, sql);
    if (idle && idle->len > 0)
        return g_ptr_array_steal_index_fast(idle, idle->len - 1);
    sqlite3_stmt *statement = NULL;
    store->preparing_writes = store->preparing_nights = false;
    if (sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) !=
        SQLITE_OK)
        return NULL;
    prepared_statement *prepared = g_new0(prepared_statement, 1);
    prepared->statement = statement;
    prepared->columns = sqlite3_column_count(statement);
    prepared->writes = store->preparing_writes;
    prepared->nights = store->preparing_nights;
    return prepared;
}

static void prepared_give(srv_store *store, const char *sql, prepared_statement *prepared) {
    GPtrArray *idle = g_hash_table_lookup(store->idle, sql);
    if (!idle) {
        idle = g_ptr_array_new_with_free_func(prepared_free);
        g_hash_table_insert(store->idle, g_strdup(sql), idle);
    }
    g_ptr_array_add(idle, prepared);
}

static int bind_one(sqlite3_stmt *statement, int at, const srv__arg *arg) {
    switch (arg->kind) {
    case 'i':
        return sqlite3_bind_int64(statement, at, arg->number);
    case 'd':
        if (!isfinite(arg->real))
            return sqlite3_bind_null(statement, at);
        return sqlite3_bind_double(statement, at, arg->real);
    case 't':
        if (!arg->data)
            return sqlite3_bind_null(statement, at);
        return sqlite3_bind_text(statement, at, arg->data, -1, SQLITE_STATIC);
    case 'b':
        return sqlite3_bind_blob64(statement, at, arg->data, arg->size, SQLITE_STATIC);
    default:
        return sqlite3_bind_null(statement, at);
    }
}

srv__query *srv__query_new(srv_store *store, const char *sql, const srv__arg *args,
                           GError **error) {
    prepared_statement *prepared = prepared_take(store, sql);
    if (!prepared) {
        srv__store_fail(store, sql, error);
        return NULL;
    }
    sqlite3_stmt *statement = prepared->statement;
    for (size_t i = 0; args[i].kind != 0; i++) {
        /* To SQLite $2 is a name, and its number is that of its first place in the text. */
        char name[8];
        g_snprintf(name, sizeof name, "$%u", (unsigned)i + 1);
        int at = sqlite3_bind_parameter_index(statement, name);
        g_assert(at > 0);
        if (bind_one(statement, at, &args[i]) != SQLITE_OK) {
            srv__store_fail(store, sql, error);
            prepared_free(prepared);
            return NULL;
        }
    }
    srv__query *query = g_new0(srv__query, 1);
    *query = (srv__query){store, sql, prepared, statement};
    return query;
}

void srv__query_free(srv__query *query) {
    if (!query)
        return;
    sqlite3_reset(query->statement);
    sqlite3_clear_bindings(query->statement);
    prepared_give(query->store, query->sql, query->prepared);
    g_free(query);
}

bool srv__query_next(srv__query *query, GError **error) {
    int code = sqlite3_step(query->statement);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        srv__store_fail(query->store, query->sql, error);
    if (code == SQLITE_DONE && query->prepared->writes && sqlite3_changes64(query->store->db) > 0)
        srv__store_wrote(query->store, query->prepared->nights);
    return code == SQLITE_ROW;
}

bool srv__query_null(srv__query *query, int column) {
    return sqlite3_column_type(query->statement, column) == SQLITE_NULL;
}

int64_t srv__query_int(srv__query *query, int column) {
    return sqlite3_column_int64(query->statement, column);
}

double srv__query_real(srv__query *query, int column) {
    return srv__query_null(query, column) ? NAN : sqlite3_column_double(query->statement, column);
}

const char *srv__query_text(srv__query *query, int column) {
    return (const char *)sqlite3_column_text(query->statement, column);
}

const void *srv__query_blob(srv__query *query, int column, size_t *size) {
    const void *blob = sqlite3_column_blob(query->statement, column);
    *size = (size_t)sqlite3_column_bytes(query->statement, column);
    return blob;
}

static json_t *column_json(srv__query *query, int column, int mark) {
    switch (sqlite3_column_type(query->statement, column)) {
    case SQLITE_INTEGER:
        if (mark == '?')
            return json_boolean(srv__query_int(query, column));
        return json_integer(srv__query_int(query, column));
    case SQLITE_FLOAT:
        return json_real(sqlite3_column_double(query->statement, column));
    case SQLITE_TEXT: {
        const char *text = srv__query_text(query, column);
        json_t *json = mark == '{' ? json_loads(text, JSON_DECODE_ANY, NULL) : json_string(text);
        return json ? json : json_null();
    }
    default:
        return mark == '?' ? json_false() : json_null();
    }
}

static target *plan_make(sqlite3_stmt *statement, int columns) {
    target *plan = g_new0(target, (gsize)columns);
    for (int i = 0; i < columns; i++) {
        g_auto(GStrv) part = g_strsplit(sqlite3_column_name(statement, i), ".", 2);
        bool nested = part[1] != NULL;
        plan[i].key = g_strdup(part[nested]);
        plan[i].into = nested ? g_strdup(part[0]) : NULL;
        char *last = plan[i].key + strlen(plan[i].key) - (*plan[i].key != '\0');
        if (*last == '?' || *last == '{') {
            plan[i].mark = *last;
            *last = '\0';
        }
    }
    return plan;
}

static json_t *row_object(srv__query *query) {
    prepared_statement *prepared = query->prepared;
    json_t *object = json_object();
    if (!prepared->plan)
        prepared->plan = plan_make(query->statement, prepared->columns);
    for (int i = 0; i < prepared->columns; i++) {
        const target *to = &prepared->plan[i];
        json_t *into = object;
        if (to->into && !(into = json_object_get(object, to->into))) {
            into = json_object();
            json_object_set_new_nocheck(object, to->into, into);
        }
        json_object_set_new_nocheck(into, to->key, column_json(query, i, to->mark));
    }
    return object;
}

bool srv__run(srv_store *store, const char *sql, const srv__arg *args, int64_t *changed,
              GError **error) {
    g_autoptr(srv__query) query = srv__query_new(store, sql, args, error);
    if (!query)
        return false;
    GError *failure = NULL;
    while (srv__query_next(query, &failure))
        ;
    if (failure) {
        g_propagate_error(error, failure);
        return false;
    }
    if (changed)
        *changed = sqlite3_changes64(store->db);
    return true;
}

bool srv__insert(srv_store *store, const char *sql, const srv__arg *args, int64_t *id,
                 GError **error) {
    if (!srv__run(store, sql, args, NULL, error))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    return true;
}

bool srv__number(srv_store *store, const char *sql, const srv__arg *args, int64_t missing,
                 int64_t *number, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(store, sql, args, error);
    if (!query)
        return false;
    GError *failure = NULL;
    bool row = srv__query_next(query, &failure);
    *number = row && !srv__query_null(query, 0) ? srv__query_int(query, 0) : missing;
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}

bool srv__object(srv_store *store, const char *sql, const srv__arg *args, json_t **object,
                 GError **error) {
    *object = NULL;
    g_autoptr(srv__query) query = srv__query_new(store, sql, args, error);
    if (!query)
        return false;
    GError *failure = NULL;
    if (srv__query_next(query, &failure))
        *object = row_object(query);
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}

json_t *srv__array(srv_store *store, const char *sql, const srv__arg *args, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(store, sql, args, error);
    if (!query)
        return NULL;
    json_t *array = json_array();
    GError *failure = NULL;
    while (srv__query_next(query, &failure))
        json_array_append_new(array, row_object(query));
    if (!failure)
        return array;
    g_propagate_error(error, failure);
    json_decref(array);
    return NULL;
}

GArray *srv__ids(srv_store *store, const char *sql, const srv__arg *args, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(store, sql, args, error);
    if (!query)
        return NULL;
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
    GError *failure = NULL;
    while (srv__query_next(query, &failure)) {
        int64_t id = srv__query_int(query, 0);
        g_array_append_val(ids, id);
    }
    if (!failure)
        return g_steal_pointer(&ids);
    g_propagate_error(error, failure);
    return NULL;
}
