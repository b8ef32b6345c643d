#include "runner/process/sandbox.h"

#include "runner/ground/error.h"
#include "runner/process/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_TO_ALL 01777
#define RESOLVER "/etc/resolv.conf" /* often a link into /run */

static const struct {
    const char *target;
    run_sandbox_place kind;
    const char *name; /* of a FOLDER */
} known[RUN_PLACES_MAX] = {
    {"/tmp", RUN_PLACE_FOLDER, "tmp"},    {"/var/tmp", RUN_PLACE_FOLDER, "var-tmp"},
    {"/dev/shm", RUN_PLACE_MEMORY, NULL}, {"/dev/mqueue", RUN_PLACE_QUEUES, NULL},
    {"/run", RUN_PLACE_EMPTY, NULL},      {"/var/run", RUN_PLACE_EMPTY, NULL}};

/* ---- which ---- */

static bool make_source(const char *path, GError **error) {
    return (mkdir(path, 0700) == 0 && chmod(path, OPEN_TO_ALL) == 0) ||
           run_cannot(error, "create", path);
}

static const char *place_of(const run_sandbox_places *places, const char *path) {
    for (unsigned i = 0; i < places->count; i++)
        if (run_scratch_is_below(path, places->target[i]))
            return places->target[i];
    return NULL;
}

static bool is_kept(const run_sandbox_places *places, const char *path, bool writable) {
    for (unsigned i = 0; i < places->kept_count; i++)
        if (run_scratch_is_below(path, places->kept[i]) && (places->kept_writable[i] || !writable))
            return true;
    return false;
}

/* By the path without links: that is where the place is hidden. */
static bool keep(run_sandbox_places *places, const char *path, bool writable, GError **error) {
    char *real = realpath(path, NULL);
    const char *place = real ? place_of(places, real) : NULL;
    bool all = place && strcmp(real, place) == 0;
    if (all)
        run_fail(error, RUN_ERROR_NODE,
                 "%s is a place that code under test gets for its own; use a folder in it", path);
    if (place && !all && !is_kept(places, real, writable)) {
        g_assert(places->kept_count < RUN_PLACES_KEPT_MAX);
        places->kept_writable[places->kept_count] = writable;
        places->kept[places->kept_count++] = g_strdup(real);
    }
    free(real);
    return !all;
}

/* What lies in another is put back after it. */
static void sort_kept(run_sandbox_places *places) {
    for (unsigned i = 1; i < places->kept_count; i++)
        for (unsigned j = i; j > 0 && strlen(places->kept[j]) < strlen(places->kept[j - 1]); j--) {
            char *path = places->kept[j];
            bool writable = places->kept_writable[j];
            places->kept[j] = places->kept[j - 1];
            places->kept_writable[j] = places->kept_writable[j - 1];
            places->kept[j - 1] = path;
            places->kept_writable[j - 1] = writable;
        }
}

static bool keep_all(run_sandbox_places *places, const char *const *paths, bool writable,
                     GError **error) {
    for (size_t i = 0; paths[i]; i++)
        if (!keep(places, paths[i], writable, error))
            return false;
    return true;
}

/* A link leads to a place of its own. */
static bool is_folder(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Half of the memory is what the kernel gives by itself. */
static void limit_memory(run_sandbox_places *places, uint64_t bytes) {
    const uint64_t half = (uint64_t)sysconf(_SC_PHYS_PAGES) / 2 * (uint64_t)sysconf(_SC_PAGESIZE);
    g_snprintf(places->memory, sizeof places->memory, "mode=1777,size=%" PRIu64,
               bytes > 0 ? MIN(bytes, half) : half);
}

bool run_sandbox_places_prepare(run_sandbox_places *places, const char *folder,
                                const char *const *writable, const char *const *readable,
                                uint64_t bytes, GError **error) {
    memset(places, 0, sizeof *places);
    limit_memory(places, bytes);
    if (!run_scratch_make(folder, error) || !run_scratch_open(folder, error))
        return false;
    for (size_t i = 0; i < RUN_PLACES_MAX; i++) {
        if (!is_folder(known[i].target))
            continue;
        char *source = known[i].name ? g_build_filename(folder, known[i].name, NULL) : NULL;
        places->source[places->count] = source;
        places->kind[places->count] = known[i].kind;
        places->target[places->count++] = known[i].target;
        if (source && !make_source(source, error))
            return false;
    }
    bool good = keep_all(places, writable, true, error) &&
                keep_all(places, readable, false, error) && keep(places, RESOLVER, false, error);
    sort_kept(places);
    return good;
}

void run_sandbox_places_clear(run_sandbox_places *places) {
    for (unsigned i = 0; i < places->count; i++)
        g_clear_pointer(&places->source[i], g_free);
    for (unsigned i = 0; i < places->kept_count; i++)
        g_clear_pointer(&places->kept[i], g_free);
    places->count = places->kept_count = 0;
}

const char *run_sandbox_places_hides(const run_sandbox_places *places, const char *path) {
    for (unsigned i = 0; i < places->kept_count; i++)
        if (run_scratch_is_below(path, places->kept[i]))
            return NULL;
    return place_of(places, path);
}

/* ---- between fork and exec ---- */

static bool leave_mounts(void) {
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static int take(const char *path) {
    return open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);
}

static bool put_over(int tree, const char *path) {
    return move_mount(tree, "", AT_FDCWD, path, MOVE_MOUNT_F_EMPTY_PATH) == 0;
}

static bool cover(const run_sandbox_places *places, unsigned i, int source) {
    static const unsigned long flags = MS_NOSUID | MS_NODEV;
    const char *target = places->target[i];
    switch (places->kind[i]) {
    case RUN_PLACE_FOLDER:
        return put_over(source, target);
    case RUN_PLACE_MEMORY:
        return mount("tmpfs", target, "tmpfs", flags, places->memory) == 0;
    case RUN_PLACE_QUEUES:
        if (mount("mqueue", target, "mqueue", flags | MS_NOEXEC, NULL) == 0)
            return true;
        break;
    case RUN_PLACE_EMPTY:
        break;
    }
    return mount("tmpfs", target, "tmpfs", flags | MS_NOEXEC, "mode=0755,size=1m") == 0;
}

/* Nothing can be put there any more; what is kept in it is a mount of its own. */
static bool seal(const run_sandbox_places *places) {
    for (unsigned i = 0; i < places->count; i++)
        if (places->kind[i] == RUN_PLACE_EMPTY &&
            mount(NULL, places->target[i], NULL,
                  MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
            return false;
    return true;
}

/* The folders above `path`, and `path` itself: a folder, or an empty file to mount one on. */
static bool make_way(const char *path, bool folder) {
    char part[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof part)
        return false;
    memcpy(part, path, length + 1);
    for (size_t i = 1; i <= length; i++) {
        bool last = i == length;
        if (!last && part[i] != '/')
            continue;
        part[i] = '\0';
        if (last && !folder) {
            int fd = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
            return fd >= 0 && close(fd) == 0;
        }
        if (mkdir(part, 0755) != 0 && errno != EEXIST)
            return false;
        part[i] = last ? '\0' : '/';
    }
    return true;
}

static bool put_back(int tree, const char *path, bool writable) {
    struct stat status;
    if (fstat(tree, &status) != 0 || !make_way(path, S_ISDIR(status.st_mode)) ||
        !put_over(tree, path))
        return false;
    return writable || mount(NULL, path, NULL,
                             MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) == 0;
}

/* All that is hidden soon, while it can still be found. The descriptors go with exec. */
static bool take_all(const run_sandbox_places *places, int *sources, int *kept) {
    bool good = true;
    for (unsigned i = 0; i < places->count; i++) {
        sources[i] = places->source[i] ? take(places->source[i]) : -1;
        good = good && (sources[i] >= 0 || !places->source[i]);
    }
    for (unsigned i = 0; i < places->kept_count; i++) {
        kept[i] = take(places->kept[i]);
        good = good && kept[i] >= 0;
    }
    return good;
}

bool run_sandbox_places_enter(const run_sandbox_places *places) {
    int sources[RUN_PLACES_MAX], kept[RUN_PLACES_KEPT_MAX];
    if (places->count == 0)
        return true;
    umask(0022);
    if (!leave_mounts() || !take_all(places, sources, kept))
        return false;
    for (unsigned i = 0; i < places->count; i++)
        if (!cover(places, i, sources[i]))
            return false;
    for (unsigned i = 0; i < places->kept_count; i++)
        if (!put_back(kept[i], places->kept[i], places->kept_writable[i]))
            return false;
    return seal(places);
}

int run_sandbox_places_refused(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(leave_mounts() && take("/tmp") >= 0 && mount("/tmp", "/tmp", NULL, MS_BIND, NULL) == 0
                  ? 0
                  : errno);
    return run_sandbox_answer(pid);
}
