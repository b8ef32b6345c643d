#include "runner/prepare/cache.h"

#include "runner/ground/error.h"
#include "runner/process/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)256 * 1024)
#define MODE_MASK 0777
#define TICK_EVERY 64            /* blocks or entries */
#define BELOW_BYTES_MAX PATH_MAX /* no program could use a longer path */
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

typedef struct {
    const char *from, *to;
    run_tree_copying *copying;
    GChecksum *sum;
    char *block;
    int into; /* the directory of the copy that is filled now */
    unsigned since_tick;
} copy;

static bool tick(copy *work, GError **error) {
    if (!work->copying->tick || ++work->since_tick < TICK_EVERY)
        return true;
    work->since_tick = 0;
    return work->copying->tick(work->copying->tick_data, error);
}

static void note(copy *work, const char *kind, const char *below, const struct stat *status) {
    g_autofree char *line =
        g_strdup_printf("%s %o %" PRIu64 " %s", kind, (unsigned)status->st_mode & MODE_MASK,
                        kind[0] == 'f' ? (uint64_t)status->st_size : 0, below);
    g_checksum_update(work->sum, (const guchar *)line, (gssize)strlen(line) + 1);
}

static bool count(copy *work, uint64_t bytes, GError **error) {
    work->copying->bytes += bytes;
    if (work->copying->bytes <= work->copying->limit_bytes)
        return true;
    return run_fail(error, RUN_ERROR_NODE, "%s is larger than %" PRIu64 " MB", work->from,
                    work->copying->limit_bytes >> 20);
}

/* size bytes from the present place of one file to that of the other. */
static bool copy_bytes(copy *work, int in, int out, const char *path, off_t size, GError **error) {
    while (size > 0) {
        ssize_t got = read(in, work->block, (size_t)MIN(size, (off_t)BLOCK_BYTES));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return run_cannot(error, "read", path);
        g_checksum_update(work->sum, (const guchar *)work->block, got);
        for (ssize_t done = 0; done < got;) {
            ssize_t written = write(out, work->block + done, (size_t)(got - done));
            if (written < 0 && errno != EINTR)
                return run_cannot(error, "write", path);
            done += MAX(written, 0);
        }
        size -= got;
        if (!count(work, (uint64_t)got, error) || !tick(work, error))
            return false;
    }
    return true;
}

/* Only where there is data: a file of a terabyte with nothing in it costs nothing. */
static bool copy_data(copy *work, int in, int out, const char *path, off_t size, GError **error) {
    off_t at = 0;
    while (at < size) {
        off_t data = lseek(in, at, SEEK_DATA);
        if (data < 0 && errno == ENXIO)
            break;
        off_t hole = data >= 0 ? lseek(in, data, SEEK_HOLE) : -1;
        if (hole < 0 || lseek(in, data, SEEK_SET) < 0 || lseek(out, data, SEEK_SET) < 0)
            return run_cannot(error, "read", path);
        if (!copy_bytes(work, in, out, path, MIN(hole, size) - data, error))
            return false;
        at = hole;
    }
    return ftruncate(out, size) == 0 || run_cannot(error, "write", path);
}

static bool copy_open(copy *work, int in, int out, const char *path, const struct stat *status,
                      GError **error) {
    if (!copy_data(work, in, out, path, status->st_size, error))
        return false;
    const struct timespec times[] = {status->st_atim, status->st_mtim};
    return (fchmod(out, status->st_mode & MODE_MASK) == 0 && futimens(out, times) == 0) ||
           run_cannot(error, "write", path);
}

static int open_file(const run_walk_step *step, struct stat *status) {
    int in = openat(step->folder, step->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0 || (fstat(in, status) == 0 && S_ISREG(status->st_mode)))
        return in;
    close(in);
    errno = ESTALE;
    return -1;
}

static bool copy_file(copy *work, const run_walk_step *step, GError **error) {
    struct stat status;
    int in = open_file(step, &status);
    if (in < 0)
        return run_cannot(error, "read", step->name);
    int out =
        openat(work->into, step->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool good = out >= 0 ? copy_open(work, in, out, step->name, &status, error)
                         : run_cannot(error, "make", step->name);
    close(in);
    if (out >= 0 && close(out) != 0 && good)
        good = run_cannot(error, "write", step->name);
    return good;
}

static bool copy_link(copy *work, const run_walk_step *step, GError **error) {
    char target[PATH_MAX + 1];
    ssize_t length = readlinkat(step->folder, step->name, target, PATH_MAX);
    if (length < 0)
        return run_cannot(error, "read", step->name);
    target[length] = '\0';
    g_checksum_update(work->sum, (const guchar *)target, length + 1);
    return symlinkat(target, work->into, step->name) == 0 || run_cannot(error, "make", step->name);
}

/* From here on into is the new directory. */
static bool enter(copy *work, const run_walk_step *step, GError **error) {
    bool top = step->below[0] == '\0';
    const char *name = top ? work->to : step->name;
    int above = work->into;
    if (mkdirat(above, name, 0700) != 0)
        return run_cannot(error, "make", name);
    work->into = openat(above, name, FOLDER_FLAGS);
    if (!top)
        close(above);
    return work->into >= 0 || run_cannot(error, "open", name);
}

/* Now that nothing more is put into it. The copy is the agent's own: ".." leads where it came from.
 */
static bool leave(copy *work, const run_walk_step *step, GError **error) {
    int done = work->into;
    bool top = step->below[0] == '\0';
    work->into = top ? AT_FDCWD : openat(done, "..", FOLDER_FLAGS);
    bool good = (top || work->into >= 0) && fchmod(done, step->status->st_mode & MODE_MASK) == 0;
    if (!good)
        run_cannot(error, "make", step->name);
    close(done);
    return good;
}

static bool copy_other(copy *work, const run_walk_step *step, GError **error) {
    switch (step->status->st_mode & S_IFMT) {
    case S_IFREG:
        note(work, "f", step->below, step->status);
        return copy_file(work, step, error);
    case S_IFLNK:
        note(work, "l", step->below, step->status);
        return copy_link(work, step, error);
    case S_IFDIR:
        errno = EXDEV;
        return run_cannot(error, "read", step->name);
    default: /* pipes, sockets, devices */
        return true;
    }
}

static bool copy_step(void *data, const run_walk_step *step, GError **error) {
    copy *work = data;
    if (strlen(step->below) > BELOW_BYTES_MAX)
        return run_wrong(error, "a path in the tree has more than %d bytes; make it less deep",
                         BELOW_BYTES_MAX);
    if (!tick(work, error))
        return false;
    if (step->event == RUN_WALK_LEAVE)
        return leave(work, step, error);
    if (step->event == RUN_WALK_OTHER)
        return copy_other(work, step, error);
    note(work, "d", step->below, step->status);
    return enter(work, step, error);
}

bool run_tree_copy(const char *from, const char *to, run_tree_copying *copying, GChecksum *sum,
                   GError **error) {
    copy work = {.from = from, .to = to, .copying = copying, .sum = sum, .into = AT_FDCWD};
    copying->bytes = 0;
    work.block = g_malloc(BLOCK_BYTES);
    bool good = run_walk(from, RUN_WALK_SORTED | RUN_WALK_PATHS, copy_step, &work, error);
    if (work.into >= 0)
        close(work.into);
    g_free(work.block);
    return good;
}
