#include "server/git/mirror.h"

#include "config/number.h"
#include "server/ground/error.h"

#include <errno.h>
#include <gio/gio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MARK "moowatch-bytes"
/* As libgit2's indexer names what it has not finished. */
#define UNFINISHED "pack_"

enum { BLOCK = 512 /* of st_blocks */ };

static char *aside(const char *mirror, const char *suffix) {
    return g_strconcat(mirror, suffix, NULL);
}

/* Only libgit2 writes here: the tree is flat and no link leads out of it. */
static void each(const char *folder, void (*visit)(const char *path, bool is_folder, void *data),
                 void *data) {
    g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
    const char *name;
    while (entries && (name = g_dir_read_name(entries))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        struct stat info;
        if (lstat(path, &info) == 0)
            visit(path, S_ISDIR(info.st_mode), data);
    }
}

static void add_bytes(const char *path, bool is_folder, void *data) {
    uint64_t *sum = data;
    struct stat info;
    if (is_folder)
        each(path, add_bytes, sum);
    else if (lstat(path, &info) == 0)
        *sum += (uint64_t)info.st_blocks * BLOCK;
}

uint64_t srv__mirror_bytes(const char *mirror) {
    uint64_t sum = 0;
    each(mirror, add_bytes, &sum);
    return sum;
}

static void remove_one(const char *path, bool is_folder, void *data) {
    (void)data;
    if (is_folder)
        each(path, remove_one, NULL);
    (void)remove(path);
}

void srv__mirror_forget(const char *mirror) {
    remove_one(mirror, true, NULL);
}

static void remove_unfinished(const char *path, bool is_folder, void *data) {
    (void)data;
    const char *name = strrchr(path, '/') + 1;
    if (!is_folder && g_str_has_prefix(name, UNFINISHED))
        (void)unlink(path);
}

/* Whoever held it was killed, and git waits for nobody: it would refuse for ever. deep: in the
 * folders below, too. */
static void remove_lock(const char *path, bool is_folder, void *deep) {
    if (is_folder && deep)
        each(path, remove_lock, deep);
    else if (!is_folder && g_str_has_suffix(path, ".lock"))
        (void)unlink(path);
}

static void remove_locks(const char *mirror) {
    bool deep = true;
    g_autofree char *refs = g_build_filename(mirror, "refs", NULL);
    each(mirror, remove_lock, NULL);
    each(refs, remove_lock, &deep);
}

void srv__mirror_sweep(const char *mirror) {
    g_autofree char *new = aside(mirror, ".new");
    g_autofree char *old = aside(mirror, ".old");
    g_autofree char *packs = g_build_filename(mirror, "objects", "pack", NULL);
    if (access(mirror, F_OK) != 0)
        (void)rename(old, mirror);
    srv__mirror_forget(new);
    srv__mirror_forget(old);
    each(packs, remove_unfinished, NULL);
    remove_locks(mirror);
}

void srv__mirror_mark(const char *mirror) {
    g_autofree char *path = g_build_filename(mirror, MARK, NULL);
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT "\n", srv__mirror_bytes(mirror));
    /* Without it the mirror is fetched anew once more than needed. */
    (void)g_file_set_contents(path, text, -1, NULL);
}

uint64_t srv__mirror_marked(const char *mirror) {
    g_autofree char *path = g_build_filename(mirror, MARK, NULL);
    g_autofree char *text = NULL;
    uint64_t bytes = 0;
    if (g_file_get_contents(path, &text, NULL, NULL))
        (void)cfg_number_unsigned(g_strstrip(text), 0, UINT64_MAX, &bytes);
    return bytes;
}

char *srv__mirror_next(const char *mirror) {
    char *new = aside(mirror, ".new");
    srv__mirror_forget(new);
    return new;
}

static bool move(const char *from, const char *to, GError **error) {
    if (rename(from, to) == 0)
        return true;
    return SRV__FAIL(error, G_IO_ERROR, g_io_error_from_errno(errno), "cannot rename %s to %s: %s",
                     from, to, g_strerror(errno));
}

bool srv__mirror_replace(const char *mirror, GError **error) {
    g_autofree char *new = aside(mirror, ".new");
    g_autofree char *old = aside(mirror, ".old");
    srv__mirror_forget(old);
    if (!move(mirror, old, error))
        return false;
    if (!move(new, mirror, error)) {
        (void)rename(old, mirror);
        return false;
    }
    srv__mirror_forget(old);
    return true;
}

/* The file's name is added to made when it was not there. */
static bool share_file(const char *from, const char *to, const char *name, GPtrArray *made) {
    g_autofree char *theirs = g_build_filename(from, name, NULL);
    char *ours = g_build_filename(to, name, NULL);
    const bool linked = link(theirs, ours) == 0;
    const bool good = linked || errno == EEXIST;
    if (linked)
        g_ptr_array_add(made, ours);
    else
        g_free(ours);
    return good;
}

/* Half of them would look like a whole history: then none. */
bool srv__mirror_share(const char *mirror, const char *from) {
    g_autofree char *theirs = g_build_filename(from, "objects", "pack", NULL);
    g_autofree char *ours = g_build_filename(mirror, "objects", "pack", NULL);
    g_autoptr(GDir) entries = g_dir_open(theirs, 0, NULL);
    g_autoptr(GPtrArray) made = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    bool good = entries != NULL;
    while (good && (name = g_dir_read_name(entries)))
        good = !g_str_has_prefix(name, "pack-") || share_file(theirs, ours, name, made);
    for (guint i = 0; !good && i < made->len; i++)
        (void)unlink(made->pdata[i]);
    return good;
}

bool srv__mirror_room(const char *mirror, uint64_t reserve_bytes, GError **error) {
    g_autofree char *folder = g_path_get_dirname(mirror);
    struct statvfs space;
    int code = -1;
    /* What is not there yet is made in what is. */
    while ((code = statvfs(folder, &space)) != 0 && strlen(folder) > 1) {
        char *above = g_path_get_dirname(folder);
        g_free(folder);
        folder = above;
    }
    if (reserve_bytes == 0 || code != 0)
        return true;
    const uint64_t available = (uint64_t)space.f_bavail * space.f_frsize;
    if (available > reserve_bytes)
        return true;
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                     "nothing is fetched: %s has %" G_GUINT64_FORMAT
                     " MiB free, and %" G_GUINT64_FORMAT
                     " MiB must stay free; free some space or lower disk_reserve_bytes",
                     folder, available >> 20, reserve_bytes >> 20);
}
