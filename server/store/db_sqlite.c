/*
 * db_sqlite - the driver of SQLite: a database is a file, and its write-ahead log beside it.
 */
#include "server/store/db.h"
#include "server/store/db_gate.h"

#include <sqlite3.h>
#include <string.h>

/* Longer than any transaction of ours; a second server on the same file is refused by then. */
#define BUSY_TIMEOUT_MS 10000

/* What a database file of ours carries in its header, so that no other one is taken for it. */
#define APPLICATION_ID 0x6d6f6f77 /* "moow" */

#define FREE_PAGES_AT_ONCE 512

#define COPY_PAGES_AT_ONCE 4096
#define COPY_BUSY_MS 50
#define COPY_BUSY_TRIES 1200 /* a minute */

typedef struct {
    srv_db base;
    sqlite3 *handle;
    srv_db_class class; /* of the last problem */
    char *text;         /* likewise; owned, NULL: none yet */
    srv__gate *gate;
    bool inside; /* it has the gate */
} connection;

typedef struct {
    srv_db_statement base;
    connection *db;
    sqlite3_stmt *handle;
    int parameters;
    int at[]; /* [parameters] To SQLite $2 is a name; its number is that of its first place. */
} statement;

static srv_db_class class_of(int code) {
    switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return SRV_DB_BUSY;
    case SQLITE_FULL:
        return SRV_DB_FULL;
    case SQLITE_IOERR:
        return SRV_DB_UNWRITABLE;
    case SQLITE_CANTOPEN:
        return SRV_DB_ABSENT;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        return SRV_DB_DAMAGED;
    case SQLITE_CONSTRAINT:
        return SRV_DB_CONSTRAINT;
    default:
        return SRV_DB_OTHER;
    }
}

/* Keep what went wrong; returns false. */
static bool fail_with(connection *db, srv_db_class class, const char *text) {
    char *kept = g_strdup(text);
    g_free(db->text);
    db->text = kept;
    db->class = class;
    return false;
}

static bool fail(connection *db) {
    return fail_with(db, class_of(sqlite3_errcode(db->handle)), sqlite3_errmsg(db->handle));
}

static bool execute(connection *db, const char *sql) {
    return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK || fail(db);
}

/* The first column of the first row; false with a problem. */
static bool number_of(connection *db, const char *sql, int64_t *number) {
    sqlite3_stmt *handle = NULL;
    bool good = sqlite3_prepare_v2(db->handle, sql, -1, &handle, NULL) == SQLITE_OK &&
                sqlite3_step(handle) == SQLITE_ROW;
    if (good)
        *number = sqlite3_column_int64(handle, 0);
    else
        fail(db);
    sqlite3_finalize(handle);
    return good;
}

/* What is free in a file can be given back (db_compact) if it began so. Asked first: else each
 * connection would write it down anew. */
static bool set_up_new(connection *db) {
    int64_t pages;
    return number_of(db, "PRAGMA page_count", &pages) &&
           (pages > 0 || execute(db, "PRAGMA auto_vacuum=INCREMENTAL"));
}

static bool set_up(connection *db) {
    sqlite3_busy_timeout(db->handle, BUSY_TIMEOUT_MS);
    sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    /* FULL: in WAL mode NORMAL would lose the last commits when the power goes. A checkpoint every
     * 16 MB: a result writes 60 pages, most of them again with the next one. */
    return set_up_new(db) && execute(db, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                                         "PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;"
                                         "PRAGMA cell_size_check=ON; PRAGMA cache_size=-2048;"
                                         "PRAGMA wal_autocheckpoint=4000");
}

static srv_db *db_open(const char *place, srv_db_mode mode) {
    static const int flags[] = {[SRV_DB_WRITE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                                                 SQLITE_OPEN_NOMUTEX,
                                [SRV_DB_EXISTING] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                                [SRV_DB_READ] = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX};
    connection *db = g_new0(connection, 1);
    db->base.driver = &srv_db_sqlite;
    db->gate = srv__gate_open(place);
    db->base.usable = sqlite3_open_v2(place, &db->handle, flags[mode], NULL) == SQLITE_OK;
    if (!db->base.usable)
        fail(db);
    else if (mode == SRV_DB_WRITE)
        db->base.usable = set_up(db);
    return &db->base;
}

static void gate_leave(connection *db) {
    if (db->inside)
        srv__gate_leave(db->gate);
    db->inside = false;
}

static void db_close(srv_db *base) {
    connection *db = (connection *)base;
    sqlite3_close_v2(db->handle);
    gate_leave(db);
    srv__gate_close(db->gate);
    g_free(db->text);
    g_free(db);
}

static srv_db_class db_problem(const srv_db *base, const char **text) {
    const connection *db = (const connection *)base;
    *text = db->text ? db->text : "no problem";
    return db->class;
}

static int64_t db_version(srv_db *base) {
    connection *db = (connection *)base;
    int64_t version, application, tables;
    if (!number_of(db, "PRAGMA user_version", &version) ||
        !number_of(db, "PRAGMA application_id", &application) ||
        !number_of(db, "SELECT count(*) FROM sqlite_schema", &tables))
        return -1;
    if (application == APPLICATION_ID || (application == 0 && tables == 0))
        return version;
    fail_with(db, SRV_DB_FOREIGN, "this is a database of another program");
    return -1;
}

/* The first text of the first row, NULL when there is none; owned. False with a problem. */
static bool text_of(connection *db, const char *sql, char **text) {
    sqlite3_stmt *handle = NULL;
    int code = sqlite3_prepare_v2(db->handle, sql, -1, &handle, NULL);
    *text = NULL;
    if (code == SQLITE_OK && (code = sqlite3_step(handle)) == SQLITE_ROW)
        *text = g_strdup((const char *)sqlite3_column_text(handle, 0));
    const bool good = code == SQLITE_ROW || code == SQLITE_DONE || fail(db);
    sqlite3_finalize(handle);
    return good;
}

/* In a transaction. Another process may have made the schema meanwhile. */
static bool schema_make(connection *db, const char *sql, int64_t version) {
    int64_t now = 0;
    if (!number_of(db, "PRAGMA user_version", &now) || now >= version)
        return now >= version;
    g_autofree char *mark = g_strdup_printf("PRAGMA application_id=%d; PRAGMA user_version=%d",
                                            APPLICATION_ID, (int)version);
    return execute(db, sql) && execute(db, mark);
}

static bool db_upgrade(srv_db *base, const char *sql, int64_t version) {
    const bool good =
        srv_db_begin(base) && schema_make((connection *)base, sql, version) && srv_db_commit(base);
    srv_db_roll_back(base);
    return good;
}

static void db_finish(srv_db_statement *base) {
    statement *s = (statement *)base;
    sqlite3_finalize(s->handle);
    g_free(s);
}

static int bind_at(sqlite3_stmt *handle, int at, const srv_db_value *value) {
    switch (value->type) {
    case SRV_DB_INTEGER:
        return sqlite3_bind_int64(handle, at, value->integer);
    case SRV_DB_REAL:
        return sqlite3_bind_double(handle, at, value->real);
    case SRV_DB_TEXT:
        return sqlite3_bind_text64(handle, at, value->data, value->size, SQLITE_STATIC,
                                   SQLITE_UTF8);
    case SRV_DB_BLOB:
        return sqlite3_bind_blob64(handle, at, value->data, value->size, SQLITE_STATIC);
    case SRV_DB_NULL:
        break;
    }
    return sqlite3_bind_null(handle, at);
}

static bool db_bind(srv_db_statement *base, int parameter, const srv_db_value *value) {
    statement *s = (statement *)base;
    if (parameter < 1 || parameter > s->parameters || s->at[parameter - 1] == 0)
        return fail_with(s->db, SRV_DB_OTHER, "the statement has no such parameter");
    return bind_at(s->handle, s->at[parameter - 1], value) == SQLITE_OK || fail(s->db);
}

static srv_db_step db_next(srv_db_statement *base) {
    statement *s = (statement *)base;
    switch (sqlite3_step(s->handle)) {
    case SQLITE_ROW:
        return SRV_DB_ROW;
    case SQLITE_DONE:
        return SRV_DB_END;
    default:
        fail(s->db);
        return SRV_DB_ERROR;
    }
}

static void db_reset(srv_db_statement *base) {
    statement *s = (statement *)base;
    sqlite3_reset(s->handle);
    sqlite3_clear_bindings(s->handle);
}

static int db_columns(srv_db_statement *base) {
    return sqlite3_column_count(((statement *)base)->handle);
}

static const char *db_column_name(srv_db_statement *base, int column) {
    return sqlite3_column_name(((statement *)base)->handle, column);
}

static char db_column_letter(srv_db_statement *base, int column) {
    const char *type = sqlite3_column_decltype(((statement *)base)->handle, column);
    return !type                          ? 't'
           : g_str_equal(type, "INTEGER") ? 'i'
           : g_str_equal(type, "REAL")    ? 'd'
           : g_str_equal(type, "BLOB")    ? 'b'
                                          : 't';
}

static srv_db_value db_column(srv_db_statement *base, int column) {
    sqlite3_stmt *handle = ((statement *)base)->handle;
    srv_db_value value = {.type = SRV_DB_NULL};
    switch (sqlite3_column_type(handle, column)) {
    case SQLITE_INTEGER:
        value.type = SRV_DB_INTEGER;
        value.integer = sqlite3_column_int64(handle, column);
        break;
    case SQLITE_FLOAT:
        value.type = SRV_DB_REAL;
        value.real = sqlite3_column_double(handle, column);
        break;
    case SQLITE_TEXT:
        value.type = SRV_DB_TEXT;
        value.data = sqlite3_column_text(handle, column);
        value.size = (size_t)sqlite3_column_bytes(handle, column);
        break;
    case SQLITE_BLOB:
        value.type = SRV_DB_BLOB;
        value.data = sqlite3_column_blob(handle, column);
        value.size = (size_t)sqlite3_column_bytes(handle, column);
        break;
    default:
        break;
    }
    return value;
}

static const srv_db_rows rows = {.finish = db_finish,
                                 .bind = db_bind,
                                 .next = db_next,
                                 .reset = db_reset,
                                 .columns = db_columns,
                                 .column_name = db_column_name,
                                 .column_letter = db_column_letter,
                                 .column = db_column};

static srv_db_statement *db_prepare(srv_db *base, const char *sql, const char *types) {
    connection *db = (connection *)base;
    sqlite3_stmt *handle = NULL;
    if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &handle, NULL) !=
        SQLITE_OK) {
        fail(db);
        return NULL;
    }
    const int parameters = (int)strlen(types);
    statement *made = g_malloc0(sizeof *made + (gsize)parameters * sizeof made->at[0]);
    made->base.driver = &rows;
    made->db = db;
    made->handle = handle;
    made->parameters = parameters;
    for (int i = 0; i < parameters; i++) {
        char name[12];
        g_snprintf(name, sizeof name, "$%d", i + 1);
        made->at[i] = sqlite3_bind_parameter_index(handle, name);
    }
    return &made->base;
}

static int64_t db_changes(srv_db *base) {
    return sqlite3_changes64(((connection *)base)->handle);
}

static bool db_begin(srv_db *base, int64_t part) {
    (void)part; /* one writes at a time, whatever it is */
    connection *db = (connection *)base;
    if (db->inside)
        return fail_with(db, SRV_DB_OTHER, "a transaction is open already");
    if (!srv__gate_enter(db->gate, BUSY_TIMEOUT_MS))
        return fail_with(db, SRV_DB_BUSY, "database is locked");
    db->inside = true;
    /* A transaction that began by reading could not wait for its turn to write. */
    const bool good = execute(db, "BEGIN IMMEDIATE");
    if (!good)
        gate_leave(db);
    return good;
}

/* What it sees is settled by its first read. */
static bool db_begin_reading(srv_db *base) {
    int64_t version;
    connection *db = (connection *)base;
    return execute(db, "BEGIN") && number_of(db, "PRAGMA user_version", &version);
}

static bool db_commit(srv_db *base) {
    connection *db = (connection *)base;
    const bool good = execute(db, "COMMIT");
    if (good)
        gate_leave(db);
    return good;
}

/* Some failures have rolled back already. */
static void db_roll_back(srv_db *base) {
    connection *db = (connection *)base;
    if (!sqlite3_get_autocommit(db->handle))
        sqlite3_exec(db->handle, "ROLLBACK", NULL, NULL, NULL);
    gate_leave(db);
}

static bool db_check(srv_db *base) {
    connection *db = (connection *)base;
    g_autofree char *verdict = NULL;
    if (!text_of(db, "PRAGMA integrity_check(1)", &verdict))
        return false;
    return g_strcmp0(verdict, "ok") == 0 ||
           fail_with(db, SRV_DB_DAMAGED, verdict ? verdict : "it cannot be read");
}

static bool is_busy(int code) {
    return class_of(code) == SRV_DB_BUSY;
}

static bool pages_copy(connection *from, connection *to) {
    sqlite3_backup *backup = sqlite3_backup_init(to->handle, "main", from->handle, "main");
    if (!backup)
        return fail(to);
    int code = SQLITE_OK, tries = 0;
    while (code == SQLITE_OK || (is_busy(code) && tries++ < COPY_BUSY_TRIES)) {
        code = sqlite3_backup_step(backup, COPY_PAGES_AT_ONCE);
        if (is_busy(code))
            sqlite3_sleep(COPY_BUSY_MS);
    }
    (void)sqlite3_backup_finish(backup);
    return code == SQLITE_DONE || fail_with(to, class_of(code), sqlite3_errmsg(to->handle));
}

/* One file that is whole by itself, without a log beside it. In a transaction that reads: else what
 * others write between two steps would begin it anew, and it might never end. */
static bool db_copy(srv_db *base, const char *path) {
    connection to = {.base = {.driver = base->driver}};
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (!db_begin_reading(base))
        return false;
    const bool good = (sqlite3_open_v2(path, &to.handle, flags, NULL) == SQLITE_OK || fail(&to)) &&
                      pages_copy((connection *)base, &to) &&
                      execute(&to, "PRAGMA journal_mode=DELETE");
    if (!good)
        fail_with((connection *)base, to.class, to.text);
    sqlite3_close(to.handle);
    g_free(to.text);
    db_roll_back(base);
    return good;
}

/* It looks for the largest key itself. */
static bool db_renumber(srv_db *base) {
    (void)base;
    return true;
}

static bool db_space(srv_db *base, int64_t *bytes, int64_t *free_bytes) {
    connection *db = (connection *)base;
    int64_t size, pages, empty;
    const bool good = number_of(db, "PRAGMA page_size", &size) &&
                      number_of(db, "PRAGMA page_count", &pages) &&
                      number_of(db, "PRAGMA freelist_count", &empty);
    if (good) {
        *bytes = pages * size;
        *free_bytes = empty * size;
    }
    return good;
}

/* The file itself becomes shorter when its log is written back: as much as can be is, now, and
 * whoever still reads is not waited for. */
static bool db_compact(srv_db *base, bool *more) {
    connection *db = (connection *)base;
    int64_t left = 0;
    g_autofree char *sql = g_strdup_printf("PRAGMA incremental_vacuum(%d)", FREE_PAGES_AT_ONCE);
    if (!execute(db, sql) || !number_of(db, "PRAGMA freelist_count", &left))
        return false;
    *more = left > 0;
    return *more || execute(db, "PRAGMA wal_checkpoint(PASSIVE)");
}

const srv_db_driver srv_db_sqlite = {
    .name = "sqlite",
    .absent =
        "it must be a file in an existing folder, and the user that moowatchd runs as must be "
        "able to write to both",
    .damaged = "move the file away, then restore the last backup with moowatchd restore",
    .foreign = "set data_dir to a folder of its own",
    .open = db_open,
    .close = db_close,
    .problem = db_problem,
    .version = db_version,
    .upgrade = db_upgrade,
    .prepare = db_prepare,
    .changes = db_changes,
    .begin = db_begin,
    .begin_reading = db_begin_reading,
    .commit = db_commit,
    .roll_back = db_roll_back,
    .check = db_check,
    .copy = db_copy,
    .renumber = db_renumber,
    .space = db_space,
    .compact = db_compact,
};
