#include "runner/process/walk.h"

#include "runner/ground/error.h"
#include "runner/ground/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
#define SHOWN_BYTES 200 /* of a place in an error */
#define AT_ONCE 256     /* names of a directory that is emptied; of a deep one 1 */

/* A directory that has been entered. */
typedef struct {
    int fd;           /* -1: too deep to be kept open; current is the only one there */
    char *name;       /* NULL: the top */
    GPtrArray *names; /* of what is in it; the last is next */
    bool more;        /* of one that is emptied: there may be others */
    size_t names_bytes;
    struct stat status;
    size_t path_length; /* of walk.path before this one was added */
} level;

typedef struct {
    const char *top;
    unsigned flags;
    run_walk_visit visit;
    void *data;
    GArray *levels;
    GString *path;
    uint64_t entries;
    size_t names_bytes;
} walk;

static bool fail(const walk *work, const char *name, const char *what, GError **error) {
    const char *shown = name ? name : "";
    g_autofree char *valid = g_utf8_make_valid(shown, -1);
    return run_fail(error, RUN_ERROR_NODE, "cannot %s %s%s%.*s (%u levels deep): %s", what,
                    work->top, name ? "/…/" : "", SHOWN_BYTES, valid, work->levels->len,
                    g_strerror(errno));
}

static level *deepest(const walk *work) {
    return &g_array_index(work->levels, level, work->levels->len - 1);
}

static bool is_gone(const walk *work) {
    return (work->flags & RUN_WALK_ALIVE) &&
           (errno == ENOENT || errno == ENOTDIR || errno == ELOOP);
}

/* Through a descriptor that only names it: fchmodat would follow a link put there meanwhile. */
static bool allow(int folder, const char *name) {
    struct stat status;
    g_auto(run_fd) fd = openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    return fd >= 0 && fstat(fd, &status) == 0 &&
           ((status.st_mode & 0700) == 0700 || chmod(path, 0700) == 0);
}

int run_walk_open(int folder, const char *name, bool take) {
    if (take && !allow(folder, name))
        return -1;
    return openat(folder, name, FOLDER_FLAGS);
}

static int by_name_backwards(const void *a, const void *b) {
    return strcmp(*(char *const *)b, *(char *const *)a);
}

static bool add_name(walk *work, level *at, const char *name, GError **error) {
    size_t bytes = strlen(name) + 1 + sizeof(char *);
    if (!(work->flags & RUN_WALK_EMPTIES) &&
        (++work->entries > RUN_WALK_ENTRIES_MAX ||
         work->names_bytes + bytes > RUN_WALK_NAMES_BYTES_MAX)) {
        errno = EFBIG;
        return fail(work, NULL, "look at so many entries of", error);
    }
    g_ptr_array_add(at->names, g_strdup(name));
    at->names_bytes += bytes;
    work->names_bytes += bytes;
    return true;
}

/* How many names of a directory are held at a time. */
static guint names_at_once(const walk *work) {
    const guint few = work->levels->len > RUN_WALK_OPEN_MAX ? 1 : AT_ONCE;
    return work->flags & RUN_WALK_EMPTIES ? few : G_MAXUINT;
}

static bool read_names(walk *work, level *at, GError **error) {
    int own = dup(at->fd);
    DIR *folder = own >= 0 ? fdopendir(own) : NULL;
    if (!folder) {
        fail(work, at->name, "read", error);
        if (own >= 0)
            close(own);
        return false;
    }
    const struct dirent *entry;
    bool good = true;
    rewinddir(folder); /* it may have been read before */
    errno = 0;
    while (good && at->names->len < names_at_once(work) && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            good = add_name(work, at, entry->d_name, error);
        errno = 0;
    }
    if (good && errno != 0 && !is_gone(work))
        good = fail(work, at->name, "read", error);
    closedir(folder);
    at->more = (work->flags & RUN_WALK_EMPTIES) && at->names->len > 0;
    if (work->flags & RUN_WALK_SORTED)
        g_ptr_array_sort(at->names, by_name_backwards);
    return good;
}

static bool tell(walk *work, run_walk_event event, int folder, const level *at, GError **error) {
    run_walk_step step = {.event = event,
                          .folder = folder,
                          .opened = event == RUN_WALK_ENTER ? at->fd : -1,
                          .name = at->name ? at->name : work->top,
                          .status = &at->status,
                          .below = work->path->str};
    return work->visit(work->data, &step, error);
}

static void clear_level(void *memory) {
    level *at = memory;
    if (at->fd >= 0)
        close(at->fd);
    g_clear_pointer(&at->names, g_ptr_array_unref);
    g_free(at->name);
}

/* fd is taken over. Its parent is closed when it is too deep to be kept. */
static bool enter(walk *work, int folder, int fd, const char *name, const struct stat *status,
                  GError **error) {
    level one = {.fd = fd,
                 .name = g_strdup(name),
                 .names = g_ptr_array_new_with_free_func(g_free),
                 .status = *status,
                 .path_length = work->path->len};
    if (name && (work->flags & RUN_WALK_PATHS))
        g_string_append_printf(work->path, "/%s", name);
    g_array_append_val(work->levels, one);
    bool good = tell(work, RUN_WALK_ENTER, folder, deepest(work), error) &&
                read_names(work, deepest(work), error);
    if (good && work->levels->len > RUN_WALK_OPEN_MAX) {
        level *above = &g_array_index(work->levels, level, work->levels->len - 2);
        close(above->fd);
        above->fd = -1;
    }
    return good;
}

/* The directory above again: by the way that was come, and not where somebody has moved it to. */
static bool reopen(const walk *work, level *above, int from, GError **error) {
    struct stat status;
    int fd = openat(from, "..", FOLDER_FLAGS);
    if (fd < 0 || fstat(fd, &status) != 0)
        return fail(work, above->name, "go back to", error);
    above->fd = fd;
    errno = ESTALE;
    return (status.st_dev == above->status.st_dev && status.st_ino == above->status.st_ino) ||
           fail(work, above->name, "go back to", error);
}

static bool leave(walk *work, GError **error) {
    level *at = deepest(work);
    level *above =
        work->levels->len > 1 ? &g_array_index(work->levels, level, work->levels->len - 2) : NULL;
    if (above && above->fd < 0 && !reopen(work, above, at->fd, error))
        return false;
    if (!tell(work, RUN_WALK_LEAVE, above ? above->fd : AT_FDCWD, at, error))
        return false;
    work->names_bytes -= at->names_bytes;
    g_string_truncate(work->path, at->path_length);
    g_array_set_size(work->levels, work->levels->len - 1);
    return true;
}

static bool tell_other(walk *work, int folder, char *name, const struct stat *status,
                       GError **error) {
    level one = {.fd = -1, .name = name, .status = *status};
    gsize before = work->path->len;
    if (work->flags & RUN_WALK_PATHS)
        g_string_append_printf(work->path, "/%s", name);
    bool good = tell(work, RUN_WALK_OTHER, folder, &one, error);
    g_string_truncate(work->path, before);
    return good;
}

static bool look_at(walk *work, int folder, char *name, GError **error) {
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return is_gone(work) || fail(work, name, "look at", error);
    const struct stat *top = &g_array_index(work->levels, level, 0).status;
    if (!S_ISDIR(status.st_mode) || status.st_dev != top->st_dev)
        return tell_other(work, folder, name, &status, error);
    int fd = run_walk_open(folder, name, work->flags & RUN_WALK_EMPTIES);
    if (fd < 0)
        return is_gone(work) || fail(work, name, "open", error);
    if (fstat(fd, &status) != 0 || status.st_dev != top->st_dev) {
        close(fd);
        return (work->flags & RUN_WALK_ALIVE) || fail(work, name, "open", error);
    }
    return enter(work, folder, fd, name, &status, error);
}

static bool go_through(walk *work, GError **error) {
    while (work->levels->len > 0) {
        level *at = deepest(work);
        if (at->names->len == 0 && at->more && !read_names(work, at, error))
            return false;
        if (at->names->len == 0) {
            if (!leave(work, error))
                return false;
            continue;
        }
        g_autofree char *name = g_ptr_array_steal_index(at->names, at->names->len - 1);
        if (!look_at(work, at->fd, name, error))
            return false;
    }
    return true;
}

bool run_walk(const char *top, unsigned flags, run_walk_visit visit, void *data, GError **error) {
    walk work = {.top = top, .flags = flags, .visit = visit, .data = data};
    struct stat status;
    work.levels = g_array_new(FALSE, TRUE, sizeof(level));
    g_array_set_clear_func(work.levels, clear_level);
    work.path = g_string_new(NULL);
    int fd = run_walk_open(AT_FDCWD, top, flags & RUN_WALK_EMPTIES);
    bool good = (fd >= 0 && fstat(fd, &status) == 0) || fail(&work, NULL, "open", error);
    good = good && enter(&work, AT_FDCWD, fd, NULL, &status, error) && go_through(&work, error);
    g_array_unref(work.levels);
    g_string_free(work.path, TRUE);
    return good;
}
