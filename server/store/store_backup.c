#include "config/number.h"
#include "server/store/db.h"
#include "server/store/schema.h"
#include "server/store/store_core.h"
#include "server/store/store_move.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* What is wrong with a copy may be what is wrong with the original: from, else to, is to blame. */
static bool fail(const srv_db *db, const char *from, const char *to, GError **error) {
    const char *text;
    const bool damaged = srv_db_problem(db, &text) == SRV_DB_DAMAGED;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %s", damaged ? from : to, text);
}

/* On disk for good, before it takes the old one's name. */
static bool keep(const char *partial, const char *to, GError **error) {
    const int file = open(partial, O_RDONLY | O_CLOEXEC);
    const bool good = file >= 0 && fsync(file) == 0 && g_rename(partial, to) == 0;
    if (file >= 0)
        close(file);
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_FULL, "%s could not be written", to);
    return good;
}

static bool file_copy(const char *from, const char *to, GError **error) {
    srv_db *db = srv_db_open(from, SRV_DB_EXISTING);
    const bool good = (db->usable || fail(db, from, from, error)) &&
                      (db->driver->copy(db, to) || fail(db, from, to, error));
    srv_db_close(db);
    return good;
}

/* A backup is a file of SQLite's, whichever database it is of; one without a log beside it. */
static bool rows_copy(const char *from, const char *to, GError **error) {
    srv_move moved;
    g_autofree char *rows = g_strconcat(to, ".rows", NULL);
    g_autofree char *beside = g_strconcat(rows, "-changes", NULL);
    (void)g_unlink(rows);
    const bool good =
        srv_store_move(from, rows, false, NULL, &moved, error) && file_copy(rows, to, error);
    (void)g_unlink(beside);
    (void)g_unlink(rows);
    return good;
}

bool srv_store_backup(const char *from, const char *to, GError **error) {
    g_autofree char *partial = g_strconcat(to, ".partial", NULL);
    (void)g_unlink(partial);
    /* The store fills what is there, so the copy is its owner's alone from its first byte on. */
    const int file = open(partial, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    const bool is_server = srv_db_is_server(from);
    const bool good =
        (is_server ? rows_copy : file_copy)(from, partial, error) && keep(partial, to, error);
    if (!good)
        (void)g_unlink(partial);
    return good;
}

/* Each becomes a path. */
static bool raw_names(srv_db *db, const char *path, GPtrArray *raw, GError **error) {
    srv_db_statement *query = srv_db_prepare(db, "SELECT sha256 FROM raw", "");
    srv_db_step step = query ? SRV_DB_ROW : SRV_DB_ERROR;
    while (step == SRV_DB_ROW && (step = srv_db_next(query)) == SRV_DB_ROW)
        g_ptr_array_add(raw, g_strdup(srv_db_column(query, 0).data));
    bool good = step == SRV_DB_END || fail(db, path, path, error);
    srv_db_finish(query);
    for (guint i = 0; good && i < raw->len; i++)
        good = cfg_is_sha256(raw->pdata[i]);
    if (!good && step == SRV_DB_END)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "%s names a raw file by what is no SHA-256; moowatchd did not write it", path);
    return good;
}

static bool check(srv_db *db, const char *path, GError **error) {
    const char *text;
    if (db->driver->check(db))
        return true;
    if (srv_db_problem(db, &text) != SRV_DB_DAMAGED)
        return fail(db, path, path, error);
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s is damaged: %s", path, text);
}

bool srv_store_file_check(const char *path, GPtrArray **raw, GError **error) {
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    srv_db *db = srv_db_open(path, SRV_DB_READ);
    const bool good = (db->usable || fail(db, path, path, error)) && check(db, path, error) &&
                      raw_names(db, path, names, error);
    srv_db_close(db);
    if (good)
        *raw = g_steal_pointer(&names);
    return good;
}

/* The first number of the first row; false with a problem. */
static bool run_with(srv_db *db, const char *sql, const char *types, const srv_db_value *values,
                     int64_t *number) {
    srv_db_statement *query = srv_db_prepare(db, sql, types);
    bool good = query != NULL;
    for (int i = 0; good && types[i] != '\0'; i++)
        good = srv_db_bind(query, i + 1, &values[i]);
    srv_db_step step = good ? srv_db_next(query) : SRV_DB_ERROR;
    if (step == SRV_DB_ROW && number)
        *number = srv_db_column(query, 0).integer;
    while (step == SRV_DB_ROW)
        step = srv_db_next(query);
    srv_db_finish(query);
    return step == SRV_DB_END;
}

static srv_db_value text_value(const char *text) {
    return (srv_db_value){.type = SRV_DB_TEXT, .data = text, .size = strlen(text)};
}

bool srv_store_raw_there(const char *url, const char *sha256, bool *there, GError **error) {
    const srv_db_value value = text_value(sha256);
    int64_t rows = 0;
    srv_db *db = srv_db_open(url, SRV_DB_EXISTING);
    const bool good = (db->usable && run_with(db, "SELECT count(*) FROM raw WHERE sha256=$1", "t",
                                              &value, &rows)) ||
                      fail(db, url, url, error);
    *there = rows > 0;
    srv_db_close(db);
    return good;
}

static srv_db_value number_value(int64_t number) {
    return (srv_db_value){.type = SRV_DB_INTEGER, .integer = number};
}

/* What a job has lost. */
typedef struct {
    int64_t files, bytes;
} loss;

static loss *loss_of(GHashTable *losses, int64_t job) {
    loss *of = g_hash_table_lookup(losses, &job);
    if (!of) {
        of = g_new0(loss, 1);
        g_hash_table_insert(losses, g_memdup2(&job, sizeof job), of);
    }
    return of;
}

/* The job whose file it is loses it; one that has the same bytes has them no more. */
static bool count_loss(srv_db *db, const srv_db_value *sha256, GHashTable *losses) {
    srv_db_statement *query =
        srv_db_prepare(db,
                       "SELECT job_id, 1, bytes FROM raw WHERE sha256=$1"
                       " UNION ALL SELECT job_id, 0, 0 FROM raw_share WHERE sha256=$1",
                       "t");
    srv_db_step step = query && srv_db_bind(query, 1, sha256) ? SRV_DB_ROW : SRV_DB_ERROR;
    while (step == SRV_DB_ROW && (step = srv_db_next(query)) == SRV_DB_ROW) {
        loss *of = loss_of(losses, srv_db_column(query, 0).integer);
        of->files += srv_db_column(query, 1).integer;
        of->bytes += srv_db_column(query, 2).integer;
    }
    srv_db_finish(query);
    return step == SRV_DB_END;
}

static bool forget_one(srv_db *db, const char *sha256, GHashTable *losses) {
    const srv_db_value value = text_value(sha256);
    return count_loss(db, &value, losses) &&
           run_with(db, "DELETE FROM raw_share WHERE sha256=$1", "t", &value, NULL) &&
           run_with(db, "DELETE FROM raw WHERE sha256=$1", "t", &value, NULL);
}

/* What a job still has is removed in its time, and so the job is no removed one before. */
static bool job_forget(srv_db *db, int64_t job, const loss *lost, int64_t now_ms) {
    const srv_db_value removed[] = {number_value(job), number_value(now_ms)};
    const srv_db_value fewer[] = {number_value(job), number_value(lost->files),
                                  number_value(lost->bytes)};
    int64_t left = 0;
    if (!run_with(db,
                  "SELECT (SELECT count(*) FROM raw WHERE job_id=$1)"
                  "+(SELECT count(*) FROM raw_share WHERE job_id=$1)",
                  "i", removed, &left))
        return false;
    return left > 0 ? run_with(db,
                               "UPDATE raw_job SET files=files-$2, bytes=bytes-$3 WHERE job_id=$1"
                               " AND removed_ms IS NULL",
                               "iii", fewer, NULL)
                    : run_with(db,
                               "UPDATE raw_job SET removed_ms=$2, rule='age' WHERE job_id=$1"
                               " AND removed_ms IS NULL",
                               "ii", removed, NULL);
}

/* As the database itself has it by now. */
static bool forget_all(srv_db *db, const GPtrArray *raw, int64_t now_ms) {
    g_autoptr(GHashTable) losses =
        g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    GHashTableIter jobs;
    gpointer job, lost;
    bool good = true;
    for (guint i = 0; good && i < raw->len; i++)
        good = forget_one(db, raw->pdata[i], losses);
    g_hash_table_iter_init(&jobs, losses);
    while (good && g_hash_table_iter_next(&jobs, &job, &lost))
        good = job_forget(db, *(int64_t *)job, lost, now_ms);
    return good;
}

bool srv_store_file_forget(const char *path, const GPtrArray *raw, int64_t now_ms, GError **error) {
    srv_db *db = srv_db_open(path, SRV_DB_EXISTING);
    const bool good =
        (db->usable && srv_db_begin(db) && forget_all(db, raw, now_ms) && srv_db_commit(db)) ||
        fail(db, path, path, error);
    srv_db_close(db);
    return good;
}

static bool rows_remove(srv_store *store, const char *table, const char *condition,
                        const char *name) {
    const srv_db_value value = {.type = SRV_DB_TEXT, .data = name, .size = strlen(name)};
    g_autofree char *sql = g_strdup_printf("DELETE FROM %s WHERE %s", table, condition);
    srv_db_statement *statement = srv_db_prepare(store->db, sql, "t");
    const bool good =
        statement && srv_db_bind(statement, 1, &value) && srv_db_next(statement) == SRV_DB_END;
    srv_db_finish(statement);
    srv__store_wrote(store);
    return good;
}

bool srv__project_remove(srv_store *store, const char *name, GError **error) {
    g_autofree char *schema = srv__schema("");
    g_autoptr(GPtrArray) tables = srv__tables(schema);
    g_autoptr(GPtrArray) conditions = srv__tables_of(
        tables, "project", "id IN (SELECT id FROM project WHERE name=$1 OR main=$1)");
    for (guint i = tables->len; i-- > 0;) {
        const srv__table *table = tables->pdata[i];
        const char *condition = conditions->pdata[i];
        if (condition && !rows_remove(store, table->name, condition, name))
            return srv__store_fail(store, table->name, error);
    }
    return true;
}
