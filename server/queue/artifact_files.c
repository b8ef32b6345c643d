#include "server/queue/artifact.h"

#include "config/number.h"
#include "server/queue/queue_internal.h"
#include "server/store/files.h"
#include "server/store/store_sql.h"
#include "sql/queue.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <time.h>

#define COMING_S 3600 /* from the file to its row: far longer than any transaction waits */

static char *path_of(const srv__artifact_files *files, const char *sha256) {
    return srv__place_path(&files->place, sha256, "");
}

/* In the bucket. */
static char *key_of(const char *sha256) {
    return g_strdup_printf(SRV__REMOVAL_ARTIFACTS "/%.2s/%s", sha256, sha256 + 2);
}

/* From the folder. */
static bool unlink_unused(const srv__artifact_files *files, srv_store *store, const char *sha256,
                          GError **error) {
    int64_t users;
    if (!srv__number(store, ASK(artifact_users, sha256), 0, &users, error))
        return false;
    if (users == 0) {
        g_autofree char *path = path_of(files, sha256);
        g_unlink(path);
    }
    return true;
}

/* In a transaction: nobody notes a row of it meanwhile. */
static bool note_unused(srv_store *store, const char *sha256, int64_t now_ms, GError **error) {
    int64_t users;
    return srv__number(store, ASK(artifact_users, sha256), 0, &users, error) &&
           (users > 0 || srv__removal_add(store, SRV__REMOVAL_ARTIFACTS, sha256, now_ms, error));
}

bool srv__artifact_file_drop(const srv__artifact_files *files, srv_store *store, const char *sha256,
                             int64_t now_ms, GError **error) {
    if (!files->bucket)
        return unlink_unused(files, store, sha256, error);
    return srv__begin(store, error) &&
           srv__end(store, note_unused(store, sha256, now_ms, error), error);
}

/* Another server has the file, and is about to write its row. */
static bool is_coming(const srv__artifact_files *files, const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    struct stat about;
    return files->is_shared && stat(path, &about) == 0 && about.st_mtime > time(NULL) - COMING_S;
}

/* What a crash between the file and the database left. */
static bool sweep(const srv__artifact_files *files, srv_store *store, GError **error) {
    bool good = true;
    for (unsigned i = 0; good && i < 256; i++) {
        g_autofree char *folder = g_strdup_printf("%s/%02x", files->place.dir, i);
        g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
        const char *name;
        while (good && dir && (name = g_dir_read_name(dir))) {
            g_autofree char *sha256 = g_strdup_printf("%02x%s", i, name);
            good = !cfg_is_sha256(sha256) || is_coming(files, folder, name) ||
                   unlink_unused(files, store, sha256, error);
        }
    }
    return good;
}

/* A database that came from a backup names files that did not. */
static bool forget_missing(const srv__artifact_files *files, srv_store *store, GError **error) {
    g_autoptr(GHashTable) hashes = srv__words(store, ASK(artifact_hashes), error);
    bool good = hashes != NULL;
    GHashTableIter i;
    void *sha256;
    if (good)
        g_hash_table_iter_init(&i, hashes);
    while (good && g_hash_table_iter_next(&i, &sha256, NULL)) {
        g_autofree char *path = path_of(files, sha256);
        if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
            good = srv__run(store, ASK(artifact_forget, sha256), error);
    }
    return good;
}

bool srv__artifact_files_open(const srv__artifact_files *files, srv_store *store, GError **error) {
    return srv__place_open(&files->place, error) && sweep(files, store, error) &&
           (files->bucket || forget_missing(files, store, error));
}

bool srv__artifact_file_keep(const srv__artifact_files *files, srv_store *store,
                             srv__incoming *incoming, const char *sha256, int64_t now_ms,
                             GError **error) {
    g_autofree char *path = path_of(files, sha256), *key = key_of(sha256);
    if (!files->bucket)
        return srv__incoming_settle(incoming, path, error);
    return srv__removal_claim(store, SRV__REMOVAL_ARTIFACTS, sha256, now_ms, error) &&
           srv__bucket_settle(files->bucket, incoming, key, sha256, error);
}

int srv__artifact_file_read(const srv__artifact_files *files, srv_store *store, const char *sha256,
                            uint64_t *bytes, GError **error) {
    g_autofree char *path = path_of(files, sha256), *key = key_of(sha256);
    g_autoptr(GError) problem = NULL;
    if (!files->bucket || g_file_test(path, G_FILE_TEST_EXISTS))
        return srv__place_read(&files->place, path, bytes, error);
    const int fd = srv__bucket_fetch(files->bucket, &files->place, key, sha256, bytes, &problem);
    if (fd < 0 && g_error_matches(problem, SRV_ERROR, SRV_ERROR_NOT_FOUND) &&
        !srv__run(store, ASK(artifact_forget, sha256), error))
        return -1;
    if (fd < 0)
        g_propagate_error(error, g_steal_pointer(&problem));
    return fd;
}

static bool remove_one(const srv__artifact_files *files, const char *sha256, GError **error) {
    g_autofree char *path = path_of(files, sha256), *key = key_of(sha256);
    g_unlink(path);
    return !files->bucket || srv_bucket_delete(files->bucket, key, error);
}

bool srv__artifact_files_remove(const srv__artifact_files *files, srv_store *store, int64_t now_ms,
                                unsigned count, bool *more, GError **error) {
    json_t *rows = srv__removal_take(store, SRV__REMOVAL_ARTIFACTS, now_ms, count, error), *row;
    bool good = rows != NULL;
    size_t i, removed = 0;
    json_array_foreach (rows, i, row) {
        good = good && remove_one(files, json_string_value(json_object_get(row, "sha256")), error);
        removed += good;
    }
    good = srv__removal_done(store, SRV__REMOVAL_ARTIFACTS, rows, removed, good ? error : NULL) &&
           good;
    *more = good && json_array_size(rows) == count;
    json_decref(rows);
    return good;
}
