#include "server/store/store_move.h"

#include "server/ground/error.h"
#include "server/store/db.h"
#include "server/store/schema.h"
#include "server/store/store_core.h"

#include <string.h>

static void cannot_count(const srv_db *db, const char *url, GError **error) {
    const char *text;
    (void)srv_db_problem(db, &text);
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %s", url, text);
}

/* Rows: out, of this table; false with a problem of the connection. */
static bool table_count(srv_db *db, const char *table, int64_t *rows) {
    g_autofree char *sql = g_strdup_printf("SELECT count(*) FROM \"%s\"", table);
    srv_db_statement *query = srv_db_prepare(db, sql, "");
    const bool good = query && srv_db_next(query) == SRV_DB_ROW;
    *rows = good ? srv_db_column(query, 0).integer : 0;
    srv_db_finish(query);
    return good;
}

static json_t *counted(srv_db *db, const char *url, GError **error) {
    const int64_t version = db->driver->version(db);
    if (version > 0 && version != srv__schema_version()) {
        g_set_error(
            error, SRV_ERROR, SRV_ERROR_INTERNAL,
            "%s: the database has version %d, but this moowatch reads version %u alone; use "
            "the moowatch that wrote it",
            url, (int)version, srv__schema_version());
        return NULL;
    }
    if (version < 0 || !db->driver->begin_reading(db)) {
        cannot_count(db, url, error);
        return NULL;
    }
    g_autofree char *sql = version > 0 ? srv__schema("") : g_strdup("");
    g_autoptr(GPtrArray) tables = srv__tables(sql);
    json_t *rows = json_object();
    bool good = true;
    for (guint i = 0; good && i < tables->len; i++) {
        const char *table = ((const srv__table *)tables->pdata[i])->name;
        int64_t count;
        good = table_count(db, table, &count);
        json_object_set_new(rows, table, json_integer(count));
    }
    srv_db_roll_back(db);
    if (good)
        return json_pack("{s:I, s:o}", "version", (json_int_t)version, "rows", rows);
    cannot_count(db, url, error);
    json_decref(rows);
    return NULL;
}

json_t *srv_store_counts(const char *url, GError **error) {
    srv_db *db = srv_db_open(url, SRV_DB_EXISTING);
    json_t *counts = NULL;
    if (db->usable)
        counts = counted(db, url, error);
    else
        cannot_count(db, url, error);
    srv_db_close(db);
    return counts;
}

enum { PAGE = 1000 };

/* The rows of a table, a page after the other in the order of its key. */
typedef struct {
    srv_store *store;
    srv_db_statement *first, *next; /* the first page; the one after a key */
    srv_db_statement *page;         /* the present one */
    const srv__table *table;
    int *keys;      /* [of the key] their columns */
    GBytes **bound; /* likewise; what the page after them was asked with */
    int at;         /* rows of this page so far */
} rows;

typedef struct {
    srv_store *from, *to;
    const srv__table *table;
    GPtrArray *columns; /* char*, the same in both */
    char *letters;      /* a type each, as they are in to */
    srv_move *moved;
} move;

static char *list_of(const GPtrArray *columns) {
    GString *list = g_string_new(NULL);
    for (guint i = 0; i < columns->len; i++)
        g_string_append_printf(list, "%s\"%s\"", i > 0 ? ", " : "", (char *)columns->pdata[i]);
    return g_string_free(list, FALSE);
}

/* $1, $2, … */
static char *parameters(guint count) {
    GString *list = g_string_new(NULL);
    for (guint i = 1; i <= count; i++)
        g_string_append_printf(list, "%s$%u", i > 1 ? ", " : "", i);
    return g_string_free(list, FALSE);
}

static void bound_clear(rows *r) {
    for (guint i = 0; i < g_strv_length(r->table->keys); i++)
        g_clear_pointer(&r->bound[i], g_bytes_unref);
}

static void rows_close(rows *r) {
    srv_db_finish(r->first);
    srv_db_finish(r->next);
    if (r->bound)
        bound_clear(r);
    g_free(r->bound);
    g_free(r->keys);
}

static int place_of(const GPtrArray *columns, const char *name) {
    for (guint i = 0; i < columns->len; i++)
        if (g_str_equal(columns->pdata[i], name))
            return (int)i;
    return -1;
}

static bool rows_open(rows *r, srv_store *store, const move *m, GError **error) {
    const guint keys = g_strv_length(m->table->keys);
    g_autofree char *list = list_of(m->columns), *places = parameters(keys);
    g_autofree char *bare = g_strjoinv("\", \"", m->table->keys);
    g_autofree char *key = g_strconcat("\"", bare, "\"", NULL);
    g_autofree char *letters = g_new0(char, keys + 1);
    *r = (rows){.store = store,
                .table = m->table,
                .keys = g_new(int, keys),
                .bound = g_new0(GBytes *, keys)};
    for (guint i = 0; i < keys; i++) {
        r->keys[i] = place_of(m->columns, m->table->keys[i]);
        letters[i] = m->letters[r->keys[i]];
    }
    g_autofree char *first =
        g_strdup_printf("SELECT %s FROM %s ORDER BY %s LIMIT %d", list, m->table->name, key, PAGE);
    g_autofree char *next =
        g_strdup_printf("SELECT %s FROM %s WHERE (%s)>(%s) ORDER BY %s LIMIT %d", list,
                        m->table->name, key, places, key, PAGE);
    r->first = srv_db_prepare(store->db, first, "");
    r->next = r->first ? srv_db_prepare(store->db, next, letters) : NULL;
    r->page = r->first;
    return r->next || srv__store_fail(store, m->table->name, error);
}

/* Begins the page after the present row. */
static bool page_turn(rows *r) {
    const guint keys = g_strv_length(r->table->keys);
    g_autofree srv_db_value *key = g_new0(srv_db_value, keys);
    g_autofree GBytes **copies = g_new0(GBytes *, keys);
    for (guint i = 0; i < keys; i++) {
        key[i] = srv_db_column(r->page, r->keys[i]);
        copies[i] = g_bytes_new(key[i].data, key[i].size);
        if (key[i].size > 0)
            key[i].data = g_bytes_get_data(copies[i], NULL);
    }
    srv_db_reset(r->page);
    bound_clear(r);
    for (guint i = 0; i < keys; i++)
        r->bound[i] = copies[i];
    r->page = r->next;
    r->at = 0;
    bool good = true;
    for (guint i = 0; good && i < keys; i++)
        good = srv_db_bind(r->page, (int)i + 1, &key[i]);
    return good;
}

static srv_db_step rows_next(rows *r, GError **error) {
    const bool good = r->at < PAGE || page_turn(r);
    const srv_db_step step = good ? srv_db_next(r->page) : SRV_DB_ERROR;
    r->at++;
    if (step == SRV_DB_ERROR)
        srv__store_fail(r->store, r->table->name, error);
    return step;
}

/* What the new database has: its columns, and what they hold. */
static bool columns_read(move *m, GError **error) {
    g_autofree char *sql = g_strdup_printf("SELECT * FROM %s", m->table->name);
    srv_db_statement *all = srv_db_prepare(m->to->db, sql, "");
    if (!all)
        return srv__store_fail(m->to, m->table->name, error);
    const int count = srv_db_columns(all);
    m->columns = g_ptr_array_new_with_free_func(g_free);
    m->letters = g_new0(char, (gsize)count + 1);
    for (int i = 0; i < count; i++) {
        g_ptr_array_add(m->columns, g_strdup(srv_db_column_name(all, i)));
        m->letters[i] = srv_db_column_letter(all, i);
    }
    srv_db_finish(all);
    return true;
}

/* A reference to a row that comes later has to wait for it. */
static bool row_put(const move *m, srv_db_statement *put, srv_db_statement *from) {
    bool good = true;
    for (guint i = 0; good && i < m->columns->len; i++) {
        const bool waits = g_strcmp0(m->table->to_self, m->columns->pdata[i]) == 0;
        const srv_db_value value =
            waits ? (srv_db_value){.type = SRV_DB_NULL} : srv_db_column(from, (int)i);
        good = srv_db_bind(put, (int)i + 1, &value);
    }
    good = good && srv_db_next(put) == SRV_DB_END;
    srv_db_reset(put);
    return good;
}

static bool rows_put(move *m, GError **error) {
    g_autofree char *list = list_of(m->columns), *places = parameters(m->columns->len);
    g_autofree char *sql =
        g_strdup_printf("INSERT INTO %s(%s) VALUES(%s)", m->table->name, list, places);
    srv_db_statement *put = srv_db_prepare(m->to->db, sql, m->letters);
    rows from = {0};
    srv_db_step step = put ? SRV_DB_ROW : SRV_DB_ERROR;
    if (!put)
        srv__store_fail(m->to, m->table->name, error);
    else if (!rows_open(&from, m->from, m, error))
        step = SRV_DB_ERROR;
    while (step == SRV_DB_ROW && (step = rows_next(&from, error)) == SRV_DB_ROW)
        if (row_put(m, put, from.page)) {
            m->moved->rows++;
        } else {
            srv__store_fail(m->to, m->table->name, error);
            step = SRV_DB_ERROR;
        }
    rows_close(&from);
    srv_db_finish(put);
    return step == SRV_DB_END;
}

/* Now every row is there that another one of its table refers to. */
static bool references_put(const move *m, GError **error) {
    const char *column = m->table->to_self;
    if (!column)
        return true;
    const int place = place_of(m->columns, column), key = place_of(m->columns, m->table->keys[0]);
    g_autofree char *sql = g_strdup_printf("UPDATE %s SET %s=$2 WHERE %s=$1", m->table->name,
                                           column, m->table->keys[0]);
    srv_db_statement *put = srv_db_prepare(m->to->db, sql, "ii");
    if (!put)
        return srv__store_fail(m->to, m->table->name, error);
    rows from = {0};
    srv_db_step step = rows_open(&from, m->from, m, error) ? SRV_DB_ROW : SRV_DB_ERROR;
    while (step == SRV_DB_ROW && (step = rows_next(&from, error)) == SRV_DB_ROW) {
        const srv_db_value to = srv_db_column(from.page, place), id = srv_db_column(from.page, key);
        if (to.type == SRV_DB_NULL)
            continue;
        if (!srv_db_bind(put, 1, &id) || !srv_db_bind(put, 2, &to) ||
            srv_db_next(put) != SRV_DB_END) {
            srv__store_fail(m->to, m->table->name, error);
            step = SRV_DB_ERROR;
        }
        srv_db_reset(put);
    }
    rows_close(&from);
    srv_db_finish(put);
    return step == SRV_DB_END;
}

/* Also of what equals nothing, not even itself. */
static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static bool same(const srv_db_value *a, const srv_db_value *b) {
    if (a->type != b->type || a->integer != b->integer || a->size != b->size)
        return false;
    return bits_of(a->real) == bits_of(b->real) &&
           (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static bool rows_same(move *m, rows *from, rows *to, GError **error) {
    for (;;) {
        const srv_db_step a = rows_next(from, error);
        const srv_db_step b = a == SRV_DB_ERROR ? a : rows_next(to, error);
        if (b == SRV_DB_ERROR)
            return false;
        bool good = a == b;
        for (guint i = 0; good && a == SRV_DB_ROW && i < m->columns->len; i++) {
            const srv_db_value there = srv_db_column(from->page, (int)i),
                               here = srv_db_column(to->page, (int)i);
            good = same(&there, &here);
        }
        if (!good)
            return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                             "table %s: row %" G_GINT64_FORMAT
                             " is not the same in both databases; "
                             "nothing was kept in the new one",
                             m->table->name, (int64_t)to->at);
        if (a == SRV_DB_END)
            return true;
        m->moved->compared++;
    }
}

static bool compare(move *m, GError **error) {
    rows from = {0}, to = {0};
    const bool good = rows_open(&from, m->from, m, error) && rows_open(&to, m->to, m, error) &&
                      rows_same(m, &from, &to, error);
    rows_close(&from);
    rows_close(&to);
    return good;
}

static bool is_empty(srv_store *to, const srv__table *table, GError **error) {
    int64_t count;
    if (!table_count(to->db, table->name, &count))
        return srv__store_fail(to, table->name, error);
    if (count > 0)
        g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                    "the new database has %" G_GINT64_FORMAT
                    " rows in its table %s; give one that is empty",
                    count, table->name);
    return count == 0;
}

/* All tables: first, that they are empty. */
static bool tables_move(srv_store *from, srv_store *to, const GPtrArray *tables, srv_move *moved,
                        const srv_move_watch *watch, GError **error) {
    bool good = true;
    for (guint i = 0; good && i < tables->len; i++)
        good = is_empty(to, tables->pdata[i], error);
    for (guint i = 0; good && i < tables->len; i++) {
        move m = {.from = from, .to = to, .table = tables->pdata[i], .moved = moved};
        good = columns_read(&m, error) && rows_put(&m, error) && references_put(&m, error) &&
               compare(&m, error);
        moved->table = m.table->name;
        if (good && watch)
            watch->tell(moved, watch->user);
        g_clear_pointer(&m.columns, g_ptr_array_unref);
        g_free(m.letters);
    }
    return good && (to->db->driver->renumber(to->db) || srv__store_fail(to, "numbering", error));
}

static bool old_begin(srv_store *old, bool locks, GError **error) {
    if (locks)
        return srv__begin(old, error);
    return old->db->driver->begin_reading(old->db) ||
           srv__store_fail(old, "beginning to read", error);
}

/* Nothing was written there. */
static void old_end(srv_store *old, bool locks) {
    if (!locks)
        srv_db_roll_back(old->db);
    else if (srv__end(old, false, NULL))
        g_assert_not_reached();
}

bool srv_store_move(const char *from, const char *to, bool locks, const srv_move_watch *watch,
                    srv_move *moved, GError **error) {
    g_autofree char *sql = srv__schema("");
    g_autoptr(GPtrArray) tables = srv__tables(sql);
    g_autoptr(srv_store) old = srv_store_open(from, error);
    g_autoptr(srv_store) fresh = old ? srv_store_open(to, error) : NULL;
    *moved = (srv_move){.table = ""};
    if (!fresh || !old_begin(old, locks, error))
        return false;
    bool good = srv__begin(fresh, error);
    if (good)
        good = srv__end(fresh, tables_move(old, fresh, tables, moved, watch, error), error);
    old_end(old, locks);
    return good;
}
