#include "runner/process/removal.h"

#include "runner/ground/error.h"
#include "runner/process/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static bool fail(const removal *work, const char *name, GError **error) {
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
            return fail(work, "what", error);
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
            return fail(work, entry->d_name, error);
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
    return (inside && push(work, fd)) || fail(work, said, error);
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
    return above->folder || fail(work, "..", error);
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
           fail(work, child, error);
}

bool run_removal(const char *top, GError **error) {
    removal work = {.top = top, .levels = g_array_new(FALSE, TRUE, sizeof(level))};
    g_array_set_clear_func(work.levels, clear_level);
    bool good = push(&work, run_walk_open(AT_FDCWD, top, true)) || fail(&work, ".", error);
    while (good && work.levels->len > 0) {
        char *full = NULL;
        good = empty(&work, &full, error) &&
               (full ? descend(&work, full, error) : ascend(&work, error));
    }
    g_array_unref(work.levels);
    return good && (rmdir(top) == 0 || fail(&work, ".", error));
}
