#include "server/store/store_sql.h"

#include "server/store/store_core.h"

#include <math.h>
#include <string.h>

/* Where a column's value goes: object.into.key, or object.key. */
typedef struct {
    char *into; /* or NULL */
    char *key;
    char mark;    /* '?' or '{' as the name ends, else 0 */
    bool goes_on; /* into the group of the column before */
    model_place place;
} target;

typedef struct {
    srv_db_statement *statement;
    int columns;
    bool writes;  /* not only reads */
    target *plan; /* [columns], made for the first row that becomes an object or a struct */
    const model_noun *noun; /* that the places in plan are of */
} prepared_statement;

typedef struct {
    srv_store *store;
    const srv_sql *sql;
    prepared_statement *prepared;
    srv_db_statement *statement; /* of prepared */
    bool alone;                  /* in a transaction of its own, which is open */
} rows;

static void prepared_free(void *memory) {
    prepared_statement *prepared = memory;
    if (!prepared)
        return;
    srv_db_finish(prepared->statement);
    for (int i = 0; prepared->plan && i < prepared->columns; i++) {
        g_free(prepared->plan[i].into);
        g_free(prepared->plan[i].key);
    }
    g_free(prepared->plan);
    g_free(prepared);
}

/* Are these the parameters that it names? */
static bool is_asked_for(const srv_sql *sql, const srv__arg *args) {
    const char *letter = sql->types;
    while (*letter != '\0' && args->kind == *letter)
        letter++, args++;
    return *letter == '\0' && args->kind == 0;
}

static prepared_statement *prepared_take(srv_store *store, const srv_sql *sql) {
    GPtrArray *idle = g_hash_table_lookup(store->idle, sql);
    if (idle && idle->len > 0)
        return g_ptr_array_steal_index_fast(idle, idle->len - 1);
    srv_db_statement *statement = srv_db_prepare(store->db, sql->text, sql->types);
    if (!statement)
        return NULL;
    prepared_statement *prepared = g_new0(prepared_statement, 1);
    prepared->statement = statement;
    prepared->columns = srv_db_columns(statement);
    prepared->writes = !srv_db_only_reads(sql->text);
    return prepared;
}

static void prepared_give(srv_store *store, const srv_sql *sql, prepared_statement *prepared) {
    GPtrArray *idle = g_hash_table_lookup(store->idle, sql);
    if (!idle) {
        idle = g_ptr_array_new_with_free_func(prepared_free);
        const union {
            const srv_sql *sql;
            gpointer key;
        } of = {sql};
        g_hash_table_insert(store->idle, of.key, idle);
    }
    g_ptr_array_add(idle, prepared);
}

static bool bind_one(srv_db_statement *statement, int parameter, const srv__arg *arg) {
    srv_db_value value = arg->value;
    if (value.type == SRV_DB_TEXT && value.data)
        value.size = strlen(value.data);
    else if (value.type == SRV_DB_TEXT || (value.type == SRV_DB_REAL && !isfinite(value.real)))
        value.type = SRV_DB_NULL;
    return srv_db_bind(statement, parameter, &value);
}

static void query_free(rows *query);

/* Binds; NULL with error. Freed before the transaction ends. */
static rows *query_new(srv_store *store, const srv_sql *sql, const srv__arg *args, GError **error) {
    g_assert(is_asked_for(sql, args));
    store->statements++;
    prepared_statement *prepared = prepared_take(store, sql);
    bool good = prepared != NULL;
    for (int i = 0; good && args[i].kind != 0; i++)
        good = bind_one(prepared->statement, i + 1, &args[i]);
    if (!good) {
        srv__store_fail(store, sql->name, error);
        prepared_free(prepared);
        return NULL;
    }
    rows *query = g_new0(rows, 1);
    *query = (rows){store, sql, prepared, prepared->statement, false};
    if (prepared->writes && !store->in_transaction && store->db->driver->is_server) {
        query->alone = srv__begin(store, error);
        if (!query->alone)
            g_clear_pointer(&query, query_free);
    }
    return query;
}

/* What was written alone is committed, when good, and told to the other servers like the rest. */
static bool end_alone(rows *query, bool good, GError **error) {
    if (!query->alone)
        return good;
    query->alone = false;
    return srv__end(query->store, good, error);
}

static void query_free(rows *query) {
    if (!query)
        return;
    (void)end_alone(query, false, NULL);
    srv_db_reset(query->statement);
    prepared_give(query->store, query->sql, query->prepared);
    g_free(query);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(rows, query_free)

/* A row, the end, or an error, which is then set. */
static srv_db_step query_next(rows *query, GError **error) {
    const srv_db_step step = srv_db_next(query->statement);
    if (step == SRV_DB_ERROR)
        srv__store_fail(query->store, query->sql->name, error);
    if (step == SRV_DB_END && query->prepared->writes &&
        query->store->db->driver->changes(query->store->db) > 0)
        srv__store_wrote(query->store);
    if (step != SRV_DB_ROW && !end_alone(query, step == SRV_DB_END, error))
        return SRV_DB_ERROR;
    return step;
}

/* Columns of the present row, counted from 0; a number has no text. Text is borrowed until the next
 * step. */
static bool query_null(rows *query, int column) {
    return srv_db_column(query->statement, column).type == SRV_DB_NULL;
}

static int64_t query_int(rows *query, int column) {
    const srv_db_value value = srv_db_column(query->statement, column);
    return value.type == SRV_DB_REAL ? (int64_t)value.real : value.integer;
}

static const char *query_text(rows *query, int column) {
    return srv_db_column(query->statement, column).data;
}

static json_t *text_json(const srv_db_value *value, char mark) {
    const char *text = value->data;
    json_t *json = mark == '{' ? json_loads(text, JSON_DECODE_ANY, NULL) : json_string(text);
    return json ? json : json_null();
}

static json_t *value_json(const srv_db_value *value, char mark) {
    switch (value->type) {
    case SRV_DB_INTEGER:
        return mark == '?' ? json_boolean(value->integer) : json_integer(value->integer);
    case SRV_DB_REAL:
        return json_real(value->real);
    case SRV_DB_TEXT:
        return text_json(value, mark);
    case SRV_DB_BLOB:
    case SRV_DB_NULL:
        break;
    }
    return mark == '?' ? json_false() : json_null();
}

static target *plan_make(srv_db_statement *statement, int columns) {
    target *plan = g_new0(target, (gsize)columns);
    for (int i = 0; i < columns; i++) {
        g_auto(GStrv) part = g_strsplit(srv_db_column_name(statement, i), ".", 2);
        bool nested = part[1] != NULL;
        plan[i].key = g_strdup(part[nested]);
        plan[i].into = nested ? g_strdup(part[0]) : NULL;
        char *last = plan[i].key + strlen(plan[i].key) - (*plan[i].key != '\0');
        if (*last == '?' || *last == '{') {
            plan[i].mark = *last;
            *last = '\0';
        }
        plan[i].goes_on = nested && i > 0 && g_strcmp0(plan[i].into, plan[i - 1].into) == 0;
    }
    return plan;
}

static void member_set(json_t *object, const target *to, const srv_db_value *value) {
    json_object_set_new_nocheck(object, to->key, value_json(value, to->mark));
}

/* The object of a column's group, made at the first member that is not null, with those before,
 * which are null. */
static json_t *group_make(const rows *query, json_t *object, int column) {
    static const srv_db_value nothing = {.type = SRV_DB_NULL};
    const target *plan = query->prepared->plan;
    json_t *group = json_object();
    for (int i = 0; i < column; i++)
        if (g_strcmp0(plan[i].into, plan[column].into) == 0)
            member_set(group, &plan[i], &nothing);
    json_object_set_new_nocheck(object, plan[column].into, group);
    return group;
}

/* The columns from first on. A group with nothing in it, such as that of a row which an outer join
 * did not find, is null. */
static json_t *row_object(rows *query, int first) {
    prepared_statement *prepared = query->prepared;
    json_t *object = json_object(), *group = NULL;
    if (!prepared->plan)
        prepared->plan = plan_make(query->statement, prepared->columns);
    for (int i = first; i < prepared->columns; i++) {
        const target *to = &prepared->plan[i];
        const srv_db_value value = srv_db_column(query->statement, i);
        if (!to->into) {
            member_set(object, to, &value);
            continue;
        }
        if (!to->goes_on || i == first)
            group = json_object_get(object, to->into);
        if (value.type == SRV_DB_NULL && !json_is_object(group)) {
            if (!group)
                json_object_set_new_nocheck(object, to->into, group = json_null());
            continue;
        }
        if (!json_is_object(group))
            group = group_make(query, object, i);
        member_set(group, to, &value);
    }
    return object;
}

/* The row that was asked for is there. What writes has written when it has run to its end. */
static bool run_out(rows *query, GError **error) {
    srv_db_step step = query->prepared->writes ? SRV_DB_ROW : SRV_DB_END;
    while (step == SRV_DB_ROW)
        step = query_next(query, error);
    return step == SRV_DB_END;
}

uint64_t srv__statements(const srv_store *store) {
    return store->statements;
}

bool srv__run(srv_store *store, const srv_sql *sql, const srv__arg *args, GError **error) {
    int64_t changed;
    return srv__change(store, sql, args, &changed, error);
}

bool srv__change(srv_store *store, const srv_sql *sql, const srv__arg *args, int64_t *changed,
                 GError **error) {
    g_autoptr(rows) query = query_new(store, sql, args, error);
    if (!query)
        return false;
    srv_db_step step;
    while ((step = query_next(query, error)) == SRV_DB_ROW)
        ;
    if (step == SRV_DB_END)
        *changed = store->db->driver->changes(store->db);
    return step == SRV_DB_END;
}

bool srv__insert(srv_store *store, const srv_sql *sql, const srv__arg *args, int64_t *id,
                 GError **error) {
    return srv__number(store, sql, args, 0, id, error);
}

bool srv__number(srv_store *store, const srv_sql *sql, const srv__arg *args, int64_t missing,
                 int64_t *number, GError **error) {
    g_autoptr(rows) query = query_new(store, sql, args, error);
    if (!query)
        return false;
    srv_db_step step = query_next(query, error);
    *number = step == SRV_DB_ROW && !query_null(query, 0) ? query_int(query, 0) : missing;
    return step == SRV_DB_END || (step == SRV_DB_ROW && run_out(query, error));
}

bool srv__text(srv_store *store, const srv_sql *sql, const srv__arg *args, char **text,
               GError **error) {
    *text = NULL;
    g_autoptr(rows) query = query_new(store, sql, args, error);
    const srv_db_step step = query ? query_next(query, error) : SRV_DB_ERROR;
    if (step == SRV_DB_ROW)
        *text = g_strdup(query_text(query, 0));
    return step != SRV_DB_ERROR;
}

bool srv__blob(srv_store *store, const srv_sql *sql, const srv__arg *args, int64_t *first,
               int64_t *second, GBytes **blob, GError **error) {
    g_autoptr(rows) query = query_new(store, sql, args, error);
    const srv_db_step step = query ? query_next(query, error) : SRV_DB_ERROR;
    *blob = NULL;
    if (step == SRV_DB_ROW) {
        const srv_db_value value = srv_db_column(query->statement, 2);
        *first = query_int(query, 0);
        *second = query_int(query, 1);
        *blob = g_bytes_new(value.data, value.size);
    }
    return step != SRV_DB_ERROR;
}

bool srv__object(srv_store *store, const srv_sql *sql, const srv__arg *args, json_t **object,
                 GError **error) {
    *object = NULL;
    g_autoptr(rows) query = query_new(store, sql, args, error);
    if (!query)
        return false;
    const srv_db_step step = query_next(query, error);
    if (step != SRV_DB_ROW)
        return step == SRV_DB_END;
    *object = row_object(query, 0);
    if (run_out(query, error))
        return true;
    g_clear_pointer(object, json_decref);
    return false;
}

json_t *srv__array(srv_store *store, const srv_sql *sql, const srv__arg *args, GError **error) {
    g_autoptr(rows) query = query_new(store, sql, args, error);
    if (!query)
        return NULL;
    json_auto_t *array = json_array();
    srv_db_step step;
    while ((step = query_next(query, error)) == SRV_DB_ROW)
        json_array_append_new(array, row_object(query, 0));
    return step == SRV_DB_END ? json_incref(array) : NULL;
}

static bool places_find(prepared_statement *prepared, const model_noun *noun, int first,
                        GError **error) {
    if (!prepared->plan)
        prepared->plan = plan_make(prepared->statement, prepared->columns);
    prepared->noun = NULL;
    for (int i = first; i < prepared->columns; i++) {
        target *to = &prepared->plan[i];
        if (!model_find(noun, to->into, to->key, &to->place, error))
            return false;
    }
    prepared->noun = noun;
    return true;
}

/* The columns from first on as a struct, which was begun. */
static bool row_fill(rows *query, const model_noun *noun, int first, void *out, GError **error) {
    prepared_statement *prepared = query->prepared;
    g_autoptr(GError) problem = NULL;
    bool good = prepared->noun == noun || places_find(prepared, noun, first, &problem);
    for (int i = first; good && i < prepared->columns; i++) {
        const target *to = &prepared->plan[i];
        const srv_db_value value = srv_db_column(query->statement, i);
        good = model_put(&to->place, out, value_json(&value, to->mark), &problem);
    }
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "a row of %s: %s", noun->name,
                    problem->message);
    return good;
}

/* The present row as a struct. */
static bool row_struct(rows *query, const model_noun *noun, void *out, GError **error) {
    model_begin(noun, out);
    if (row_fill(query, noun, 0, out, error))
        return true;
    model_clear(noun, out);
    return false;
}

bool srv__one(srv_store *store, const srv_sql *sql, const srv__arg *args, const model_noun *noun,
              void *out, bool *there, GError **error) {
    memset(out, 0, noun->size);
    g_autoptr(rows) query = query_new(store, sql, args, error);
    const srv_db_step step = query ? query_next(query, error) : SRV_DB_ERROR;
    if (there)
        *there = step == SRV_DB_ROW;
    if (step == SRV_DB_END && !there)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "there is no %s", noun->name);
    if (step != SRV_DB_ROW)
        return step == SRV_DB_END && there;
    if (row_struct(query, noun, out, error) && run_out(query, error))
        return true;
    model_clear(noun, out);
    return false;
}

bool srv__more(srv_store *store, const srv_sql *sql, const srv__arg *args, const model_noun *noun,
               void *out, GError **error) {
    g_autoptr(rows) query = query_new(store, sql, args, error);
    const srv_db_step step = query ? query_next(query, error) : SRV_DB_ERROR;
    return step == SRV_DB_ROW ? row_fill(query, noun, 0, out, error) : step == SRV_DB_END;
}

bool srv__many(srv_store *store, const srv_sql *sql, const srv__arg *args, const model_noun *noun,
               model_list *list, GError **error) {
    *list = (model_list){.noun = noun};
    g_autoptr(rows) query = query_new(store, sql, args, error);
    srv_db_step step = query ? SRV_DB_ROW : SRV_DB_ERROR;
    while (step == SRV_DB_ROW && (step = query_next(query, error)) == SRV_DB_ROW)
        if (!row_struct(query, noun, model_list_add(list), error))
            step = SRV_DB_ERROR;
    if (step != SRV_DB_END)
        model_list_clear(list);
    return step == SRV_DB_END;
}

bool srv__each_struct(srv_store *store, const srv_sql *sql, const srv__arg *args,
                      const model_noun *noun, srv__struct_of struct_of, void *user,
                      GError **error) {
    g_autoptr(rows) query = query_new(store, sql, args, error);
    srv_db_step step = query ? SRV_DB_ROW : SRV_DB_ERROR;
    while (step == SRV_DB_ROW && (step = query_next(query, error)) == SRV_DB_ROW) {
        const int64_t owner = query_int(query, 0);
        void *to = struct_of(user, owner);
        if (!to)
            g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                        "a row of %s belongs to %" G_GINT64_FORMAT ", which was not asked for",
                        noun->name, owner);
        if (!to || !row_fill(query, noun, 1, to, error))
            step = SRV_DB_ERROR;
    }
    return step == SRV_DB_END;
}

enum { KEYS = 64 }; /* of {keys} (sql/compile) */

bool srv__each_of(srv_store *store, const srv_sql *sql, const GArray *keys, const model_noun *noun,
                  srv__struct_of struct_of, void *user, GError **error) {
    bool good = true;
    for (guint i = 0; good && i < keys->len; i += KEYS) {
        srv__arg args[KEYS + 1] = {0};
        for (guint k = 0; k < KEYS; k++) /* so that the same statement serves any number of keys */
            args[k] = SRV__VALUE(g_array_index(keys, int64_t, i + k < keys->len ? i + k : i));
        good = srv__each_struct(store, sql, args, noun, struct_of, user, error);
    }
    return good;
}

GHashTable *srv__words(srv_store *store, const srv_sql *sql, const srv__arg *args, GError **error) {
    g_autoptr(rows) query = query_new(store, sql, args, error);
    if (!query)
        return NULL;
    g_autoptr(GHashTable) words = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    srv_db_step step;
    while ((step = query_next(query, error)) == SRV_DB_ROW)
        for (int i = 0; i < query->prepared->columns; i++)
            if (!query_null(query, i))
                g_hash_table_add(words, g_strdup(query_text(query, i)));
    return step == SRV_DB_END ? g_steal_pointer(&words) : NULL;
}

GArray *srv__ids(srv_store *store, const srv_sql *sql, const srv__arg *args, GError **error) {
    g_autoptr(rows) query = query_new(store, sql, args, error);
    if (!query)
        return NULL;
    g_autoptr(GArray) ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
    srv_db_step step;
    while ((step = query_next(query, error)) == SRV_DB_ROW) {
        int64_t id = query_int(query, 0);
        g_array_append_val(ids, id);
    }
    return step == SRV_DB_END ? g_steal_pointer(&ids) : NULL;
}

guint srv__ids_place(const GArray *ids, int64_t id) {
    guint i = ids->len; /* what is asked for is mostly new */
    while (i > 0 && g_array_index(ids, int64_t, i - 1) != id)
        i--;
    return i > 0 ? i - 1 : ids->len;
}

void srv__member_instead(json_t *row, const char *key, const char *member) {
    json_t *value = json_object_get(json_object_get(row, key), member);
    if (row)
        json_object_set_new(row, key, value ? json_incref(value) : json_null());
}
