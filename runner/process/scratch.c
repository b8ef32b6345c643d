#include "runner/process/scratch.h"

#include "runner/ground/error.h"
#include "runner/process/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define FREE_UNKNOWN UINT64_MAX

bool run_scratch_is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

bool run_scratch_make(const char *path, GError **error) {
    if (!run_scratch_remove(path, error))
        return false;
    return g_mkdir_with_parents(path, 0700) == 0 || run_cannot(error, "make directory", path);
}

bool run_scratch_open(const char *path, GError **error) {
    return chmod(path, 0711) == 0 || run_cannot(error, "set the mode of", path);
}

static bool remove_one(void *top, const run_walk_step *step, GError **error) {
    const bool folder = step->event == RUN_WALK_LEAVE || S_ISDIR(step->status->st_mode);
    return step->event == RUN_WALK_ENTER ||
           unlinkat(step->folder, step->name, folder ? AT_REMOVEDIR : 0) == 0 || errno == ENOENT ||
           run_fail(error, RUN_ERROR_NODE, "cannot remove %.200s in %s: %s", step->name,
                    *(const char **)top, g_strerror(errno));
}

bool run_scratch_remove(const char *path, GError **error) {
    struct stat status;
    if (lstat(path, &status) != 0)
        return errno == ENOENT || run_cannot(error, "look at", path);
    if (!S_ISDIR(status.st_mode))
        return unlink(path) == 0 || run_cannot(error, "remove", path);
    return run_walk(path, RUN_WALK_EMPTIES, remove_one, &path, error);
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
    return status == 0 || run_cannot(error, "hand over", step->name);
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
    return run_fail(error, RUN_ERROR_NODE,
                    "disk full: %" PRIu64 " MB free below %s, but %" PRIu64
                    " MB must stay free (disk_reserve_bytes); free some space on the node",
                    bytes >> 20, path, reserve_bytes >> 20);
}
