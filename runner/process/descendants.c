#include "runner/process/descendants.h"

#include "runner/ground/error.h"
#include "runner/ground/procfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    pid_t pid, parent;
    bool below;
} process;

bool run_descendants_adopt(GError **error) {
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
        return run_fail(error, RUN_ERROR_NODE, "cannot adopt orphans: %s", g_strerror(errno));
    return true;
}

/* Parent of a living process; the name in brackets may hold anything, so look after its end. */
static bool read_parent(const char *pid, pid_t *parent) {
    char path[64], text[512];
    g_snprintf(path, sizeof path, "/proc/%s/stat", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0)
        return false;
    text[length] = '\0';
    const char *end = strrchr(text, ')');
    /* ") S 123 …": the state, then the parent */
    if (!end || strlen(end) < 5 || end[2] == 'Z' || end[2] == 'X')
        return false;
    *parent = (pid_t)strtol(end + 3, NULL, 10);
    return true;
}

static GArray *read_processes(void) {
    GArray *all = g_array_new(FALSE, FALSE, sizeof(process));
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    while (proc && (entry = readdir(proc))) {
        process one = {.below = false};
        if (isdigit((unsigned char)entry->d_name[0]) && read_parent(entry->d_name, &one.parent)) {
            one.pid = (pid_t)strtol(entry->d_name, NULL, 10);
            g_array_append_val(all, one);
        }
    }
    if (proc)
        closedir(proc);
    return all;
}

GArray *run_descendants_list(pid_t root) {
    g_autoptr(GArray) all = read_processes();
    g_autoptr(GHashTable) below = g_hash_table_new(NULL, NULL);
    g_hash_table_add(below, GINT_TO_POINTER(root));
    GArray *pids = g_array_new(FALSE, FALSE, sizeof(pid_t));
    for (bool grew = true; grew;) {
        grew = false;
        for (guint i = 0; i < all->len; i++) {
            process *one = &g_array_index(all, process, i);
            if (!one->below && one->pid != root &&
                g_hash_table_contains(below, GINT_TO_POINTER(one->parent))) {
                one->below = true;
                grew = true;
                g_hash_table_add(below, GINT_TO_POINTER(one->pid));
                g_array_append_val(pids, one->pid);
            }
        }
    }
    return pids;
}

/* Stops whatever is new; returns whether anything was. */
static bool stop_new(GHashTable *seen) {
    g_autoptr(GArray) pids = run_descendants_list(getpid());
    bool any = false;
    for (guint i = 0; i < pids->len; i++) {
        pid_t pid = g_array_index(pids, pid_t, i);
        if (g_hash_table_add(seen, GINT_TO_POINTER(pid))) {
            any = true;
            kill(pid, SIGSTOP);
        }
    }
    return any;
}

/* Whether any child is left after those that have ended are reaped. No child: no descendant. */
static bool reap(void) {
    pid_t got;
    do {
        got = waitpid(-1, NULL, WNOHANG);
    } while (got > 0);
    return got == 0;
}

/*
 * Our direct children, at once: a scan of /proc is too slow for a process that lives for
 * microseconds and forks its successor. Whatever loses its parent becomes our child.
 */
static void kill_children(GHashTable *seen) {
    char path[64], text[4096];
    g_snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    g_auto(run_fd) fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    text[MAX(length, 0)] = '\0';
    for (char *next = text, *end; *next != '\0'; next = end) {
        long pid = strtol(next, &end, 10);
        /* A number cut off at the end of the buffer is not a pid. */
        if (end == next || *end != ' ')
            return;
        end++;
        if (pid > 1) {
            kill((pid_t)pid, SIGKILL);
            g_hash_table_add(seen, GINT_TO_POINTER((pid_t)pid));
        }
    }
}

static void kill_listed(GHashTable *seen) {
    g_autoptr(GArray) pids = run_descendants_list(getpid());
    for (guint i = 0; i < pids->len; i++) {
        g_hash_table_add(seen, GINT_TO_POINTER(g_array_index(pids, pid_t, i)));
        kill(g_array_index(pids, pid_t, i), SIGKILL);
    }
}

unsigned run_descendants_kill(unsigned *killed) {
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    int64_t end_us = g_get_monotonic_time() + RUN_KILL_PATIENCE_MS * INT64_C(1000);
    bool left = reap();
    while (left && g_get_monotonic_time() < end_us) {
        while (stop_new(seen) && g_get_monotonic_time() < end_us) {
        }
        kill_listed(seen);
        for (int i = 0; left && i < 50; i++) {
            kill_children(seen);
            left = reap();
        }
        if (left) {
            poll(NULL, 0, 1);
            left = reap();
        }
    }
    if (killed)
        *killed = g_hash_table_size(seen);
    g_autoptr(GArray) stuck = run_descendants_list(getpid());
    return left ? MAX(stuck->len, 1) : 0;
}

#define ROUNDS 100 /* new ones may be forked meanwhile */

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool works_in(const char *pid, const char *folder) {
    g_autofree char *link = g_strdup_printf("/proc/%s/cwd", pid);
    g_autofree char *cwd = g_file_read_link(link, NULL);
    return cwd && is_below(cwd, folder);
}

static bool was_given(const char *pid, const char *folder) {
    g_autofree char *path = g_strdup_printf("/proc/%s/environ", pid);
    g_autofree char *text = NULL;
    gsize length = 0;
    if (!g_file_get_contents(path, &text, &length, NULL))
        return false;
    for (gsize at = 0; at < length; at += strlen(text + at) + 1)
        if (g_str_has_prefix(text + at, "TMPDIR=") && is_below(text + at + 7, folder))
            return true;
    return false;
}

unsigned run_leftovers_kill(const char *work_dir) {
    g_autofree char *real = realpath(work_dir, NULL);
    const char *folders[] = {"scratch", "checkout"};
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    bool any = real != NULL;
    for (int round = 0; any && round < ROUNDS; round++) {
        any = false;
        g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
        const char *pid;
        while (proc && (pid = g_dir_read_name(proc))) {
            pid_t number = (pid_t)strtol(pid, NULL, 10);
            for (size_t i = 0; number > 1 && number != getpid() && i < 2; i++) {
                g_autofree char *folder = g_build_filename(real, folders[i], NULL);
                if (works_in(pid, folder) || was_given(pid, folder)) {
                    any = kill(number, SIGKILL) == 0 || any;
                    g_hash_table_add(seen, GINT_TO_POINTER(number));
                }
            }
        }
        if (any)
            poll(NULL, 0, 10);
    }
    return g_hash_table_size(seen);
}
