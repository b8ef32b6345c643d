
#include "config/shown.h"
#include "server/command/backup.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/file.h>

#define BEGUN "partial"

/* Of a generation's name; 0: it is none. */
static guint64 number_of(const char *name) {
    return g_regex_match_simple("^[0-9]{6,18}-[0-9]{4}-[0-9]{2}-[0-9]{2}\\z", name, 0, 0)
               ? g_ascii_strtoull(name, NULL, 10)
               : 0;
}

static int by_number(const void *a, const void *b) {
    g_autofree char *one = g_path_get_basename(*(char *const *)a);
    g_autofree char *other = g_path_get_basename(*(char *const *)b);
    const guint64 x = number_of(one), y = number_of(other);
    return (x > y) - (x < y);
}

static bool holds(const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

/* Anything else that stands in the folder is somebody else's. */
static bool is_generation(const char *path) {
    return !g_file_test(path, G_FILE_TEST_IS_SYMLINK) &&
           (holds(path, SRV__BACKUP_DATABASE) || holds(path, SRV__MANIFEST));
}

/* last: out, the highest number that any name has. */
static GPtrArray *numbered(const char *folder, guint64 *last) {
    GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    *last = 0;
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        const guint64 number = number_of(name);
        *last = MAX(*last, number);
        if (number > 0 && is_generation(path))
            g_ptr_array_add(found, g_steal_pointer(&path));
    }
    g_ptr_array_sort(found, by_number);
    return found;
}

GPtrArray *srv__backups(const char *folder, GError **error) {
    guint64 last;
    g_autoptr(GPtrArray) found = numbered(folder, &last);
    if (holds(folder, SRV__BACKUP_DATABASE))
        g_ptr_array_insert(found, 0, g_strdup(folder));
    if (found->len > 0)
        return g_steal_pointer(&found);
    return SRV__NULL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                     "%s: holds no backup; give the folder that moowatchd backup --to made",
                     folder);
}

char *srv__backup_raw(const char *generation) {
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
    if (flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                         "%s: another backup goes on; wait for its end", folder);
    if (!srv__backup_clear(begun, error))
        return NULL;
    if (g_mkdir(begun, 0700) == 0)
        return g_steal_pointer(&begun);
    srv__backup_fail(error, "cannot make", begun);
    return NULL;
}

/* Which no backup makes. */
static bool has_folder(const char *path, GError **error) {
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        if (!g_file_test(below, G_FILE_TEST_IS_DIR))
            continue;
        g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                    "%s stays, since it has a folder that no backup made; move it away", below);
        return true;
    }
    return false;
}

/* In one step, too; what is left of it then is no backup. */
static bool drop(const char *folder, const char *generation, GError **error) {
    g_autofree char *aside = g_build_filename(folder, BEGUN, NULL);
    return !has_folder(generation, error) &&
           (g_rename(generation, aside) == 0 ||
            srv__backup_fail(error, "cannot remove", generation)) &&
           srv__backup_clear(aside, error);
}

/* The name of the next one; owned. */
static char *next_path(const char *folder, int64_t now_ms) {
    guint64 last;
    g_ptr_array_unref(numbered(folder, &last));
    char day[11];
    srv_day_text(now_ms / SRV_DAY_MS, day);
    return g_strdup_printf("%s/%06" G_GUINT64_FORMAT "-%s", folder, last + 1, day);
}

char *srv__backup_take_over(const char *folder, const char *begun, int64_t now_ms, GError **error) {
    g_autofree char *path = next_path(folder, now_ms);
    if (!srv__backup_sync(begun, error))
        return NULL;
    if (g_rename(begun, path) != 0) {
        srv__backup_fail(error, "cannot make", path);
        return NULL;
    }
    return srv__backup_sync(folder, error) ? g_steal_pointer(&path) : NULL;
}

unsigned srv__backup_thin(const char *folder, unsigned keep) {
    guint64 last;
    g_autoptr(GPtrArray) generations = numbered(folder, &last);
    unsigned left = 0;
    for (guint i = 0; i + keep < generations->len; i++) {
        g_autoptr(GError) problem = NULL;
        if (drop(folder, generations->pdata[i], &problem))
            continue;
        cfg_complain(generations->pdata[i], problem->message);
        left++;
    }
    return left;
}
