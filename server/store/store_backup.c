#include "server/store/store_backup.h"

#include "server/store/store_core.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

#define PAGES_AT_ONCE 4096
#define BUSY_MS 50
#define BUSY_TRIES 1200 /* a minute */

static bool fail(sqlite3 *db, const char *path, GError **error) {
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s: %s", path,
                db ? sqlite3_errmsg(db) : "no memory");
    return false;
}

/* What is wrong with the copy may be what is wrong with the original. */
static const char *to_blame(int code, const char *from, const char *to) {
    return code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? from : to;
}

static bool copy(sqlite3 *from, const char *from_path, sqlite3 *to, const char *path,
                 GError **error) {
    sqlite3_backup *backup = sqlite3_backup_init(to, "main", from, "main");
    if (!backup)
        return fail(to, path, error);
    int code = SQLITE_OK, tries = 0;
    while (code == SQLITE_OK ||
           ((code == SQLITE_BUSY || code == SQLITE_LOCKED) && tries++ < BUSY_TRIES)) {
        code = sqlite3_backup_step(backup, PAGES_AT_ONCE);
        if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
            sqlite3_sleep(BUSY_MS);
    }
    (void)sqlite3_backup_finish(backup);
    return code == SQLITE_DONE || fail(to, to_blame(code & 0xff, from_path, path), error);
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

bool srv_store_backup(const char *from, const char *to, GError **error) {
    g_autofree char *partial = g_strconcat(to, ".partial", NULL);
    sqlite3 *source = NULL, *target = NULL;
    (void)g_unlink(partial);
    bool good =
        (sqlite3_open_v2(from, &source, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK ||
         fail(source, from, error)) &&
        (sqlite3_open_v2(partial, &target, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ==
             SQLITE_OK ||
         fail(target, partial, error)) &&
        copy(source, from, target, partial, error) &&
        (sqlite3_exec(target, "PRAGMA journal_mode=DELETE", NULL, NULL, NULL) == SQLITE_OK ||
         fail(target, partial, error));
    sqlite3_close(source);
    sqlite3_close(target);
    good = good && keep(partial, to, error);
    if (!good)
        (void)g_unlink(partial);
    return good;
}

static bool raw_names(sqlite3 *db, const char *path, GPtrArray *raw, GError **error) {
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(db, "SELECT sha256 FROM raw", -1, &query, NULL) != SQLITE_OK)
        return fail(db, path, error);
    while (sqlite3_step(query) == SQLITE_ROW)
        g_ptr_array_add(raw, g_strdup((const char *)sqlite3_column_text(query, 0)));
    return sqlite3_finalize(query) == SQLITE_OK || fail(db, path, error);
}

static int first_row(void *user, int columns, char **values, char **names) {
    (void)names;
    if (columns > 0 && !*(char **)user)
        *(char **)user = g_strdup(values[0]);
    return 0;
}

bool srv_store_file_check(const char *path, GPtrArray **raw, GError **error) {
    sqlite3 *db = NULL;
    g_autofree char *verdict = NULL;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    bool good = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
                sqlite3_exec(db, "PRAGMA integrity_check", first_row, &verdict, NULL) == SQLITE_OK;
    if (!good) {
        fail(db, path, error);
    } else if (g_strcmp0(verdict, "ok") != 0) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s is damaged: %s", path,
                    verdict ? verdict : "");
        good = false;
    }
    good = good && raw_names(db, path, names, error);
    sqlite3_close(db);
    if (good)
        *raw = g_steal_pointer(&names);
    return good;
}
