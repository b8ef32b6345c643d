#include "runner/process/scratch.h"

#include "runner/ground/error.h"
#include "runner/process/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/*
 * removal - a directory and all that is in it goes, whoever wrote it.
 *
 * As walk.h goes: by descriptor, no path, no link followed, few descriptors. Nothing but two
 * numbers a level is kept in memory, so there is no number of entries and no depth that it cannot
 * remove.
 */

#define SHOWN_BYTES 200 /* of a name in an error */

/* A directory that is being emptied. Deep ones are closed, and read from their start again. */
typedef struct {
    DIR *folder; /* NULL: closed */
    char *child; /* what is emptied in it now; NULL: none, or it is found again */
    dev_t device;
    ino_t inode;
} level;

typedef struct {
    const char *top;
    GArray *levels;
} removal;

typedef enum { GONE, FULL, STAYS } outcome;

static bool fail_removal(const removal *work, const char *name, GError **error) {
    int code = errno;
    g_autofree char *valid = g_utf8_make_valid(name, -1);
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot remove %.*s in %s (%u levels deep): %s",
                SHOWN_BYTES, valid, work->top, work->levels->len, g_strerror(code));
    return false;
}

static void clear_level(void *memory) {
    level *at = memory;
    if (at->folder)
        closedir(at->folder);
    g_free(at->child);
}

static level *deepest(const removal *work) {
    return &g_array_index(work->levels, level, work->levels->len - 1);
}

static void shut(level *at) {
    closedir(at->folder);
    at->folder = NULL;
    g_clear_pointer(&at->child, g_free);
}

/* fd is taken over. */
static bool push(removal *work, int fd) {
    struct stat status;
    DIR *folder = fd >= 0 && fstat(fd, &status) == 0 ? fdopendir(fd) : NULL;
    if (!folder) {
        int code = errno;
        if (fd >= 0)
            close(fd);
        errno = code;
        return false;
    }
    if (work->levels->len >= RUN_WALK_OPEN_MAX)
        shut(deepest(work));
    level one = {.folder = folder, .device = status.st_dev, .inode = status.st_ino};
    g_array_append_val(work->levels, one);
    return true;
}

static outcome remove_entry(int folder, const char *name) {
    if (unlinkat(folder, name, 0) == 0 || errno == ENOENT)
        return GONE;
    if (errno != EISDIR) /* of a directory; everything else is about something else */
        return STAYS;
    if (unlinkat(folder, name, AT_REMOVEDIR) == 0)
        return GONE;
    return errno == ENOTEMPTY || errno == EEXIST ? FULL : STAYS;
}

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Removes what can go at once. full: a directory in it that cannot; NULL: it is empty now. */
static bool empty(removal *work, char **full, GError **error) {
    level *at = deepest(work);
    unsigned removed = 0;
    *full = NULL;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(at->folder);
        if (!entry && errno != 0)
            return fail_removal(work, "what", error);
        /* What was passed over while others went is seen the next time round. */
        if (!entry && removed == 0)
            return true;
        if (!entry) {
            removed = 0;
            rewinddir(at->folder);
            continue;
        }
        outcome came =
            is_dots(entry->d_name) ? FULL : remove_entry(dirfd(at->folder), entry->d_name);
        removed += came == GONE;
        if (came == STAYS)
            return fail_removal(work, entry->d_name, error);
        if (came == FULL && !is_dots(entry->d_name)) {
            *full = g_strdup(entry->d_name);
            return true;
        }
    }
}

static bool descend(removal *work, char *name, GError **error) {
    level *at = deepest(work);
    at->child = name;
    g_autofree char *said = g_strdup(name);
    struct stat status;
    int fd = run_walk_open(dirfd(at->folder), name, true);
    bool inside = fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == at->device;
    if (fd >= 0 && !inside) {
        close(fd);
        errno = EBUSY; /* another file system */
    }
    return (inside && push(work, fd)) || fail_removal(work, said, error);
}

/* Back to the directory above, and not to where somebody has moved this one. */
static bool reopen(removal *work, level *above, int from, GError **error) {
    struct stat status;
    int fd = openat(from, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool same = fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == above->device &&
                status.st_ino == above->inode;
    if (fd >= 0 && !same) {
        close(fd);
        errno = ESTALE;
    }
    above->folder = same ? fdopendir(fd) : NULL;
    return above->folder || fail_removal(work, "..", error);
}

static bool ascend(removal *work, GError **error) {
    if (work->levels->len == 1) {
        g_array_set_size(work->levels, 0);
        return true;
    }
    level *above = &g_array_index(work->levels, level, work->levels->len - 2);
    if (!above->folder && !reopen(work, above, dirfd(deepest(work)->folder), error))
        return false;
    g_array_set_size(work->levels, work->levels->len - 1);
    above = deepest(work);
    g_autofree char *child = g_steal_pointer(&above->child);
    return !child || unlinkat(dirfd(above->folder), child, AT_REMOVEDIR) == 0 ||
           fail_removal(work, child, error);
}

/*
 * Nobody may write there meanwhile.
 * top  a directory, not a link to one
 * Returns false with RUN_ERROR_NODE at the first entry that cannot be removed (something is mounted
 * there, the kernel holds it immutable, the disk fails).
 */
static bool remove_tree(const char *top, GError **error) {
    removal work = {.top = top, .levels = g_array_new(FALSE, TRUE, sizeof(level))};
    g_array_set_clear_func(work.levels, clear_level);
    bool good = push(&work, run_walk_open(AT_FDCWD, top, true)) || fail_removal(&work, ".", error);
    while (good && work.levels->len > 0) {
        char *full = NULL;
        good = empty(&work, &full, error) &&
               (full ? descend(&work, full, error) : ascend(&work, error));
    }
    g_array_unref(work.levels);
    return good && (rmdir(top) == 0 || fail_removal(&work, ".", error));
}

#define FREE_UNKNOWN UINT64_MAX

static bool fail(GError **error, const char *what, const char *path) {
    int code = errno;
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot %s %s: %s", what, path, g_strerror(code));
    return false;
}

bool run_scratch_make(const char *path, GError **error) {
    if (!run_scratch_remove(path, error))
        return false;
    return g_mkdir_with_parents(path, 0700) == 0 ? true : fail(error, "make directory", path);
}

bool run_scratch_open(const char *path, GError **error) {
    return chmod(path, 0711) == 0 ? true : fail(error, "set the mode of", path);
}

bool run_scratch_remove(const char *path, GError **error) {
    struct stat status;
    if (lstat(path, &status) != 0)
        return errno == ENOENT ? true : fail(error, "look at", path);
    if (!S_ISDIR(status.st_mode))
        return unlink(path) == 0 ? true : fail(error, "remove", path);
    return remove_tree(path, error);
}

typedef struct {
    uid_t uid;
    gid_t gid;
} owner;

static bool give(void *data, const run_walk_step *step, GError **error) {
    const owner *to = data;
    int status = step->event == RUN_WALK_ENTER ? fchown(step->opened, to->uid, to->gid)
                 : step->event == RUN_WALK_OTHER
                     ? fchownat(step->folder, step->name, to->uid, to->gid, AT_SYMLINK_NOFOLLOW)
                     : 0;
    return status == 0 || fail(error, "hand over", step->name);
}

bool run_scratch_give(const char *path, uid_t uid, gid_t gid, GError **error) {
    owner to = {uid, gid};
    return run_walk(path, 0, give, &to, error);
}

static bool weigh(void *data, const run_walk_step *step, GError **error) {
    (void)error;
    if (step->event != RUN_WALK_LEAVE)
        *(uint64_t *)data += (uint64_t)step->status->st_blocks * 512;
    return true;
}

uint64_t run_scratch_bytes(const char *path) {
    struct stat status;
    uint64_t bytes = 0;
    g_autoptr(GError) problem = NULL;
    if (lstat(path, &status) != 0 && errno == ENOENT)
        return 0;
    return run_walk(path, RUN_WALK_ALIVE, weigh, &bytes, &problem) ? bytes : UINT64_MAX;
}

uint64_t run_scratch_free_bytes(const char *path) {
    struct statvfs status;
    if (statvfs(path, &status) != 0)
        return FREE_UNKNOWN;
    return (uint64_t)status.f_bavail * status.f_frsize;
}

bool run_scratch_reserve(const char *path, uint64_t reserve_bytes, GError **error) {
    uint64_t bytes = run_scratch_free_bytes(path);
    if (bytes >= reserve_bytes)
        return true;
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE,
                "disk full: %" PRIu64 " MB free below %s, but %" PRIu64
                " MB must stay free (disk_reserve_bytes); free some space on the node",
                bytes >> 20, path, reserve_bytes >> 20);
    return false;
}
