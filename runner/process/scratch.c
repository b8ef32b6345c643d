#include "runner/process/scratch.h"

#include "runner/ground/error.h"

#include <errno.h>
#include <fts.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define FREE_UNKNOWN UINT64_MAX

static FTS *open_tree(const char *path) {
    g_autofree char *copy = g_strdup(path);
    char *paths[] = {copy, NULL};
    /* Physical: links are entries, not ways. Without FTS_NOCHDIR any depth can be walked. */
    return fts_open(paths, FTS_PHYSICAL | FTS_XDEV, NULL);
}

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

/* A program may have taken our permission to enter its directories; it is ours to take back. */
static void make_enterable(const char *path) {
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && (status.st_mode & 0700) != 0700)
        chmod(path, 0700);
    FTS *tree = open_tree(path);
    FTSENT *entry;
    while (tree && (entry = fts_read(tree)))
        if (entry->fts_info == FTS_D && (entry->fts_statp->st_mode & 0700) != 0700)
            chmod(entry->fts_accpath, 0700);
    if (tree)
        fts_close(tree);
}

bool run_scratch_remove(const char *path, GError **error) {
    struct stat status;
    if (lstat(path, &status) != 0)
        return errno == ENOENT ? true : fail(error, "look at", path);
    if (!S_ISDIR(status.st_mode))
        return unlink(path) == 0 ? true : fail(error, "remove", path);
    make_enterable(path);
    FTS *tree = open_tree(path);
    if (!tree)
        return fail(error, "open", path);
    FTSENT *entry;
    while ((entry = fts_read(tree)))
        if (entry->fts_info == FTS_DP)
            rmdir(entry->fts_accpath);
        else if (entry->fts_info != FTS_D && entry->fts_info != FTS_DC)
            unlink(entry->fts_accpath);
    fts_close(tree);
    if (lstat(path, &status) == 0) {
        errno = ENOTEMPTY;
        return fail(error, "remove", path);
    }
    return true;
}

bool run_scratch_give(const char *path, uid_t uid, gid_t gid, GError **error) {
    FTS *tree = open_tree(path);
    if (!tree)
        return fail(error, "open", path);
    bool good = true;
    FTSENT *entry;
    while (good && (entry = fts_read(tree)))
        good = entry->fts_info == FTS_D || lchown(entry->fts_accpath, uid, gid) == 0;
    if (!good)
        fail(error, "hand over", path);
    fts_close(tree);
    return good;
}

uint64_t run_scratch_bytes(const char *path) {
    FTS *tree = open_tree(path);
    uint64_t bytes = 0, entries = 0;
    FTSENT *entry;
    while (tree && (entry = fts_read(tree))) {
        if (entry->fts_info != FTS_DP && entry->fts_info != FTS_NS)
            bytes += (uint64_t)entry->fts_statp->st_blocks * 512;
        if (++entries > RUN_SCRATCH_ENTRIES_MAX) {
            bytes = UINT64_MAX;
            break;
        }
    }
    if (tree)
        fts_close(tree);
    return bytes;
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
                "disk full: %" PRIu64 " MB free below %s, %" PRIu64
                " MB are kept in reserve (disk_reserve_bytes); make room on the node",
                bytes >> 20, path, reserve_bytes >> 20);
    return false;
}
