#include "server/command/backup_folder.h"

#include "server/command/backup_copy.h"
#include "server/command/backup_manifest.h"
#include "server/ground/auth.h"
#include "server/ground/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#define BEGUN "partial"

/* Of a generation's name; 0: it is none. */
static guint64 number_of(const char *name) {
    char *end;
    const guint64 number = g_ascii_isdigit(*name) ? g_ascii_strtoull(name, &end, 10) : 0;
    return number > 0 && *end == '-' ? number : 0;
}

static int by_number(const void *a, const void *b) {
    g_autofree char *one = g_path_get_basename(*(char *const *)a);
    g_autofree char *other = g_path_get_basename(*(char *const *)b);
    const guint64 x = number_of(one), y = number_of(other);
    return (x > y) - (x < y);
}

/* With numbers, oldest first. */
static GPtrArray *numbered(const char *folder) {
    GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)))
        if (number_of(name) > 0)
            g_ptr_array_add(found, g_build_filename(folder, name, NULL));
    g_ptr_array_sort(found, by_number);
    return found;
}

static GPtrArray *all(const char *folder) {
    GPtrArray *found = numbered(folder);
    g_autofree char *own = g_build_filename(folder, SRV__BACKUP_DATABASE, NULL);
    if (g_file_test(own, G_FILE_TEST_EXISTS))
        g_ptr_array_insert(found, 0, g_strdup(folder));
    return found;
}

GPtrArray *srv__backups(const char *folder, GError **error) {
    g_autoptr(GPtrArray) found = all(folder);
    if (found->len > 0)
        return g_steal_pointer(&found);
    g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                "%s: holds no backup; give the folder that moowatchd backup --to made", folder);
    return NULL;
}

char *srv__backup_raw(const char *generation) {
    g_autofree char *own = g_build_filename(generation, "raw", NULL);
    if (g_file_test(own, G_FILE_TEST_EXISTS))
        return g_steal_pointer(&own);
    return g_build_filename(generation, "..", "raw", NULL);
}

bool srv__backup_clear(const char *path, GError **error) {
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        if (g_unlink(file) != 0)
            return srv__backup_fail(error, "cannot remove", file);
    }
    return g_rmdir(path) == 0 || errno == ENOENT || srv__backup_fail(error, "cannot remove", path);
}

char *srv__backup_begin(const char *folder, int *lock, GError **error) {
    g_autofree char *begun = g_build_filename(folder, BEGUN, NULL);
    const bool made = g_mkdir_with_parents(folder, 0700) == 0;
    *lock = made ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (*lock < 0) {
        srv__backup_fail(error, made ? "cannot read" : "cannot make", folder);
        return NULL;
    }
    if (flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                    "%s: another backup goes on; wait for its end", folder);
        return NULL;
    }
    if (!srv__backup_clear(begun, error))
        return NULL;
    if (g_mkdir(begun, 0700) == 0)
        return g_steal_pointer(&begun);
    srv__backup_fail(error, "cannot make", begun);
    return NULL;
}

/* In one step, too; what is left of it then is no backup. */
static bool drop(const char *folder, const char *generation, GError **error) {
    static const char *const own[] = {SRV__BACKUP_DATABASE, SRV__MANIFEST, SRV_AUTH_FILE};
    g_autofree char *aside = g_build_filename(folder, BEGUN, NULL);
    if (!g_str_equal(folder, generation))
        return (g_rename(generation, aside) == 0 ||
                srv__backup_fail(error, "cannot remove", generation)) &&
               srv__backup_clear(aside, error);
    for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
        g_autofree char *path = g_build_filename(folder, own[i], NULL);
        if (g_unlink(path) != 0 && errno != ENOENT)
            return srv__backup_fail(error, "cannot remove", path);
    }
    return true;
}

/* The name of the next one; owned. */
static char *next_path(const char *folder, int64_t now_ms) {
    g_autoptr(GPtrArray) before = numbered(folder);
    g_autofree char *last =
        g_path_get_basename(before->len > 0 ? before->pdata[before->len - 1] : "0");
    g_autoptr(GDateTime) now = g_date_time_new_from_unix_utc(now_ms / 1000);
    g_autofree char *day = g_date_time_format(now, "%Y-%m-%d");
    return g_strdup_printf("%s/%06" G_GUINT64_FORMAT "-%s", folder, number_of(last) + 1, day);
}

char *srv__backup_take_over(const char *folder, const char *begun, unsigned keep, int64_t now_ms,
                            GError **error) {
    g_autofree char *path = next_path(folder, now_ms);
    if (!srv__backup_sync(begun, error))
        return NULL;
    if (g_rename(begun, path) != 0) {
        srv__backup_fail(error, "cannot make", path);
        return NULL;
    }
    bool good = srv__backup_sync(folder, error);
    g_autoptr(GPtrArray) generations = all(folder);
    for (guint i = 0; good && i + keep < generations->len; i++)
        good = drop(folder, generations->pdata[i], error);
    return good ? g_steal_pointer(&path) : NULL;
}
