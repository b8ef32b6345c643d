#include "server/queue/artifact.h"

#include "config/json_text.h"
#include "config/number.h"
#include "server/queue/queue_internal.h"
#include "server/store/files.h"
#include "server/store/store_sql.h"
#include "sql/queue.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <time.h>

#define COMING_S 3600 /* from the file to its row: far longer than any transaction waits */

/* From the folder. */
static bool unlink_unused(const srv__artifact_files *files, srv_store *store, const char *sha256,
                          GError **error) {
    int64_t users;
    if (!srv__number(store, ASK(artifact_users, sha256), 0, &users, error))
        return false;
    if (users == 0) {
        g_autofree char *path = srv__place_path(files->place, sha256);
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
    if (!files->place->bucket)
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
        g_autofree char *folder = g_strdup_printf("%s/%02x", files->place->dir, i);
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
        g_autofree char *path = srv__place_path(files->place, sha256);
        if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
            good = srv__run(store, ASK(artifact_forget, sha256), error);
    }
    return good;
}

bool srv__artifact_files_check(const srv__artifact_files *files, srv_store *store, GError **error) {
    return sweep(files, store, error) &&
           (files->place->bucket || forget_missing(files, store, error));
}

int srv__artifact_file_read(const srv__artifact_files *files, srv_store *store, const char *sha256,
                            uint64_t *bytes, GError **error) {
    g_autoptr(GError) problem = NULL;
    const int fd = srv__place_read(files->place, sha256, bytes, &problem);
    if (fd < 0 && files->place->bucket &&
        g_error_matches(problem, SRV_ERROR, SRV_ERROR_NOT_FOUND) &&
        !srv__run(store, ASK(artifact_forget, sha256), error))
        return -1;
    if (fd < 0)
        g_propagate_error(error, g_steal_pointer(&problem));
    return fd;
}
