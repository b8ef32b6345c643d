#include "runner/prepare/locks.h"

#include "runner/process/walk.h"

#include <fcntl.h>
#include <unistd.h>

/* Those beside the references that a fetch takes. */
static const char *const names[] = {"HEAD.lock",   "FETCH_HEAD.lock", "packed-refs.lock",
                                    "config.lock", "shallow.lock",    NULL};

static bool remove_lock(void *data, const run_walk_step *step, GError **error) {
    (void)data;
    (void)error;
    if (step->event == RUN_WALK_OTHER && g_str_has_suffix(step->name, ".lock"))
        (void)unlinkat(step->folder, step->name, 0);
    return true;
}

bool run_locks_remove(const char *mirror, GError **error) {
    const int folder = run_walk_open(AT_FDCWD, mirror, false);
    if (folder < 0)
        return true;
    for (const char *const *name = names; *name; name++)
        (void)unlinkat(folder, *name, 0);
    const int inside = run_walk_open(folder, "refs", false);
    close(folder);
    if (inside < 0)
        return true;
    close(inside);
    g_autofree char *refs = g_build_filename(mirror, "refs", NULL);
    return run_walk(refs, 0, remove_lock, NULL, error);
}
