#include "runner/prepare/tree.h"

#include "runner/ground/error.h"
#include "runner/process/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)256 * 1024)
#define MODE_MASK 0777
#define TICK_EVERY 64 /* blocks or entries */

typedef struct {
    const char *from, *to;
    run_tree_copying *copying;
    GChecksum *sum;
    char *block;
    uint64_t entries;
    unsigned since_tick;
} copy;

static bool fail(const char *what, const char *path, GError **error) {
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot %s %s: %s", what, path,
                g_strerror(errno));
    return false;
}

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
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "%s is larger than %" PRIu64 " MB", work->from,
                work->copying->limit_bytes >> 20);
    return false;
}

/* size bytes from the present place of one file to that of the other. */
static bool copy_bytes(copy *work, int in, int out, const char *path, off_t size, GError **error) {
    while (size > 0) {
        ssize_t got = read(in, work->block, (size_t)MIN(size, (off_t)BLOCK_BYTES));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fail("read", path, error);
        g_checksum_update(work->sum, (const guchar *)work->block, got);
        for (ssize_t done = 0; done < got;) {
            ssize_t written = write(out, work->block + done, (size_t)(got - done));
            if (written < 0 && errno != EINTR)
                return fail("write", path, error);
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
            return fail("read", path, error);
        if (!copy_bytes(work, in, out, path, MIN(hole, size) - data, error))
            return false;
        at = hole;
    }
    return ftruncate(out, size) == 0 || fail("write", path, error);
}

static bool copy_open(copy *work, int in, int out, const char *path, const struct stat *status,
                      GError **error) {
    if (!copy_data(work, in, out, path, status->st_size, error))
        return false;
    const struct timespec times[] = {status->st_atim, status->st_mtim};
    return (fchmod(out, status->st_mode & MODE_MASK) == 0 && futimens(out, times) == 0) ||
           fail("write", path, error);
}

static bool copy_file(copy *work, const FTSENT *entry, const char *to, GError **error) {
    struct stat status;
    int in = open(entry->fts_accpath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (in < 0 || fstat(in, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (in >= 0)
            close(in);
        return fail("read", entry->fts_path, error);
    }
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool good = out >= 0 ? copy_open(work, in, out, to, &status, error) : fail("make", to, error);
    close(in);
    if (out >= 0 && close(out) != 0 && good)
        good = fail("write", to, error);
    return good;
}

static bool copy_link(copy *work, const FTSENT *entry, const char *to, GError **error) {
    char target[PATH_MAX + 1];
    ssize_t length = readlink(entry->fts_accpath, target, PATH_MAX);
    if (length < 0)
        return fail("read", entry->fts_path, error);
    target[length] = '\0';
    g_checksum_update(work->sum, (const guchar *)target, length + 1);
    return symlink(target, to) == 0 || fail("make", to, error);
}

static bool copy_entry(copy *work, const FTSENT *entry, GError **error) {
    const char *below = entry->fts_path + strlen(work->from);
    g_autofree char *to = g_strconcat(work->to, below, NULL);
    if (++work->entries > RUN_SCRATCH_ENTRIES_MAX) {
        errno = EFBIG;
        return fail("copy so many files of", work->from, error);
    }
    switch (entry->fts_info) {
    case FTS_D:
        note(work, "d", below, entry->fts_statp);
        return mkdir(to, 0700) == 0 || fail("make", to, error);
    case FTS_DP: /* now that nothing more is put into it */
        return chmod(to, entry->fts_statp->st_mode & MODE_MASK) == 0 || fail("make", to, error);
    case FTS_F:
        note(work, "f", below, entry->fts_statp);
        return copy_file(work, entry, to, error);
    case FTS_SL:
    case FTS_SLNONE:
        note(work, "l", below, entry->fts_statp);
        return copy_link(work, entry, to, error);
    case FTS_DEFAULT: /* pipes, sockets, devices */
        return true;
    default:
        errno = entry->fts_errno != 0 ? entry->fts_errno : ELOOP;
        return fail("read", entry->fts_path, error);
    }
}

static int by_name(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

bool run_tree_copy(const char *from, const char *to, run_tree_copying *copying, GChecksum *sum,
                   GError **error) {
    copy work = {.from = from, .to = to, .copying = copying, .sum = sum};
    g_autofree char *name = g_strdup(from);
    char *names[] = {name, NULL};
    copying->bytes = 0;
    FTS *tree = fts_open(names, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, by_name);
    if (!tree)
        return fail("read", from, error);
    work.block = g_malloc(BLOCK_BYTES);
    bool good = true;
    FTSENT *entry;
    errno = 0;
    while (good && (entry = fts_read(tree))) {
        good = copy_entry(&work, entry, error) && tick(&work, error);
        errno = 0;
    }
    if (good && errno != 0)
        good = fail("read", from, error);
    fts_close(tree);
    g_free(work.block);
    return good;
}
