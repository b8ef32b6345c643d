#include "runner/process/descendants.h"

#include "runner/ground/error.h"
#include "runner/ground/procfs.h"
#include "runner/process/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
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
    g_autofree char *path = g_strdup_printf("/proc/%s/stat", pid);
    g_autofree char *text = run_procfs_read(path);
    const char *end = text ? strrchr(text, ')') : NULL;
    /* ") S 123 …": the state, then the parent */
    if (!end || strlen(end) < 5 || end[2] == 'Z' || end[2] == 'X')
        return false;
    *parent = (pid_t)strtol(end + 3, NULL, 10);
    return true;
}

static GArray *read_processes(void) {
    GArray *all = g_array_new(FALSE, FALSE, sizeof(process));
    g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
    const char *name;
    while (proc && (name = g_dir_read_name(proc))) {
        process one = {.below = false};
        if (g_ascii_isdigit(*name) && read_parent(name, &one.parent)) {
            one.pid = (pid_t)strtol(name, NULL, 10);
            g_array_append_val(all, one);
        }
    }
    return all;
}

/* pids of all living processes below `root`, zombies left out. Returns GArray of pid_t to
 * g_array_unref; empty when /proc cannot be read. */
static GArray *below_list(pid_t root) {
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

#define LOOKS_MAX 128   /* more than a day's */
#define LOOKS_APART 1.1 /* each is a tenth later than the one before */
#define GROWTH_LOOKS 3  /* fewer say nothing of a slope */
#define PERCENT_LEAST 0.5
#define NAMES_MOST 100

struct run_course {
    double at_s[LOOKS_MAX], mb[LOOKS_MAX];
    unsigned looks;
    json_t *threads; /* {name: ns of processor}, as last seen */
};

run_course *run_course_new(void) {
    return g_new0(run_course, 1);
}

void run_course_free(run_course *course) {
    json_decref(course->threads);
    g_free(course);
}

static char *read_of(const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return run_procfs_read(path);
}

/* A pool's differ by a number: "GC Thread#0". */
static void thread_add(json_t *threads, const char *folder) {
    g_autofree char *comm = read_of(folder, "comm"), *used = read_of(folder, "schedstat");
    size_t length = comm ? strcspn(comm, "\n") : 0;
    while (length > 1 && g_ascii_isdigit(comm[length - 1]))
        length--;
    g_autofree char *name = g_utf8_make_valid(comm ? comm : "", (gssize)length);
    for (char *c = name; *c != '\0'; c++)
        *c = g_ascii_iscntrl(*c) ? '?' : *c;
    if (used && length > 0)
        json_object_set_new(
            threads, name,
            json_real(json_real_value(json_object_get(threads, name)) + strtod(used, NULL)));
}

/* Its resident memory; adds its threads. */
static double look_at(json_t *threads, pid_t pid) {
    g_autofree char *folder = g_strdup_printf("/proc/%d", (int)pid);
    g_autofree char *tasks = g_build_filename(folder, "task", NULL);
    g_autofree char *pages = read_of(folder, "statm");
    g_autoptr(GDir) all = g_dir_open(tasks, 0, NULL);
    const char *resident = pages ? strchr(pages, ' ') : NULL, *id;
    while (all && (id = g_dir_read_name(all))) {
        g_autofree char *task = g_build_filename(tasks, id, NULL);
        thread_add(threads, task);
    }
    return resident ? strtod(resident, NULL) * (double)sysconf(_SC_PAGESIZE) / (1 << 20) : 0;
}

void run_course_look(run_course *course, pid_t pid, double seconds) {
    const double before = course->looks > 0 ? course->at_s[course->looks - 1] : 0;
    if (pid <= 0 || course->looks == LOOKS_MAX || seconds < before * LOOKS_APART)
        return;
    g_autoptr(GArray) below = below_list(pid);
    json_auto_t *threads = json_object();
    double mb = look_at(threads, pid);
    for (guint i = 0; i < below->len; i++)
        mb += look_at(threads, g_array_index(below, pid_t, i));
    if (mb > 0) {
        course->at_s[course->looks] = seconds;
        course->mb[course->looks++] = mb;
        json_decref(course->threads);
        course->threads = json_incref(threads);
    }
}

static double growth_of(const run_course *course, double seconds) {
    double n = 0, t = 0, m = 0, tt = 0, tm = 0;
    for (unsigned i = 0; i < course->looks; i++) {
        const double at = course->at_s[i], mb = course->mb[i];
        if (at < seconds / 2)
            continue;
        n++, t += at, m += mb, tt += at * at, tm += at * mb;
    }
    return n < GROWTH_LOOKS ? (double)NAN : (tm - t * m / n) / (tt - t * t / n) * seconds / 2;
}

json_t *run_course_json(const run_course *course, double seconds) {
    if (course->looks == 0)
        return NULL;
    const double percent_ns = course->at_s[course->looks - 1] * 1e7;
    const double growth = growth_of(course, seconds);
    json_t *threads = json_object(), *used;
    const char *name;
    json_object_foreach (course->threads, name, used) {
        const double percent = json_real_value(used) / percent_ns;
        if (percent >= PERCENT_LEAST && json_object_size(threads) < NAMES_MOST)
            json_object_set_new(threads, name, json_real(round(percent * 100) / 100));
    }
    return json_pack("{s:o, s:o*}", "threads", threads, "growth_mb",
                     isfinite(growth) ? json_real(fmax(growth, 0)) : NULL);
}

/* Stops whatever is new; returns whether anything was. */
static bool stop_new(GHashTable *seen) {
    g_autoptr(GArray) pids = below_list(getpid());
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
    g_autoptr(GArray) pids = below_list(getpid());
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
    g_autoptr(GArray) stuck = below_list(getpid());
    return left ? MAX(stuck->len, 1) : 0;
}

#define ROUNDS 100 /* new ones may be forked meanwhile */

static bool works_in(const char *pid, const char *folder) {
    g_autofree char *link = g_strdup_printf("/proc/%s/cwd", pid);
    g_autofree char *cwd = g_file_read_link(link, NULL);
    return cwd && run_scratch_is_below(cwd, folder);
}

static bool was_given(const char *pid, const char *folder) {
    g_autofree char *path = g_strdup_printf("/proc/%s/environ", pid);
    g_autofree char *text = NULL;
    gsize length = 0;
    if (!g_file_get_contents(path, &text, &length, NULL))
        return false;
    for (gsize at = 0; at < length; at += strlen(text + at) + 1)
        if (g_str_has_prefix(text + at, "TMPDIR=") && run_scratch_is_below(text + at + 7, folder))
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
