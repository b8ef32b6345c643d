#include "runner/process/private.h"

#include "runner/ground/error.h"
#include "runner/process/scratch.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define OPEN_TO_ALL 01777

static const struct {
    const char *target, *name; /* name NULL: memory */
} known[RUN_PRIVATE_PLACES] = {{"/tmp", "tmp"}, {"/var/tmp", "var-tmp"}, {"/dev/shm", NULL}};

static bool hides(const char *target, const char *const *keep) {
    size_t length = strlen(target);
    for (size_t i = 0; keep[i]; i++)
        if (strncmp(keep[i], target, length) == 0 &&
            (keep[i][length] == '/' || keep[i][length] == '\0'))
            return true;
    return false;
}

static bool make_source(const char *path, GError **error) {
    if (mkdir(path, 0700) == 0 && chmod(path, OPEN_TO_ALL) == 0)
        return true;
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot create %s: %s", path, g_strerror(errno));
    return false;
}

bool run_private_prepare(run_private *places, const char *folder, const char *const *keep,
                         GError **error) {
    memset(places, 0, sizeof *places);
    if (!run_scratch_make(folder, error) || !run_scratch_open(folder, error))
        return false;
    for (size_t i = 0; i < RUN_PRIVATE_PLACES; i++) {
        if (hides(known[i].target, keep) || !g_file_test(known[i].target, G_FILE_TEST_IS_DIR))
            continue;
        char *source = known[i].name ? g_build_filename(folder, known[i].name, NULL) : NULL;
        places->source[places->count] = source;
        places->target[places->count++] = known[i].target;
        if (source && !make_source(source, error))
            return false;
    }
    return true;
}

void run_private_clear(run_private *places) {
    for (unsigned i = 0; i < RUN_PRIVATE_PLACES; i++)
        g_clear_pointer(&places->source[i], g_free);
    places->count = 0;
}

static bool leave_mounts(void) {
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

bool run_private_enter(const run_private *places) {
    if (places->count > 0 && !leave_mounts())
        return false;
    for (unsigned i = 0; i < places->count; i++) {
        const char *target = places->target[i];
        int status = places->source[i]
                         ? mount(places->source[i], target, NULL, MS_BIND, NULL)
                         : mount("tmpfs", target, "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
        if (status != 0)
            return false;
    }
    return true;
}

int run_private_refused(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(leave_mounts() && mount("/tmp", "/tmp", NULL, MS_BIND, NULL) == 0 ? 0 : errno);
    int status = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid < 0 ? errno : WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}
