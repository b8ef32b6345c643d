#include "runner/process/cgroup.h"

#include "runner/ground/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOB "moowatch-job-"
#define AGENT "moowatch-agent"
#define CLAIM_TRIES 10

struct run_cgroup {
    char *folder;
    int entry;  /* writing "0" to it takes the writer in */
    int inside; /* the folder, when a process can be born in it; -1: not */
    GString *controllers;
};

/* Where the version 2 hierarchy is mounted, from /proc/self/mountinfo. */
static char *find_mount(const char *root) {
    g_autofree char *path = g_strconcat(root, "/proc/self/mountinfo", NULL);
    g_autofree char *text = run_procfs_read(path);
    g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
    for (size_t i = 0; lines[i]; i++) {
        g_auto(GStrv) fields = g_strsplit(lines[i], " ", 6);
        if (strstr(lines[i], " - cgroup2 ") != NULL && g_strv_length(fields) == 6)
            return g_strdup(fields[4]);
    }
    return NULL;
}

/* The agent's own group below the mount: the line "0::/path" of /proc/self/cgroup. */
static char *find_own(const char *root) {
    g_autofree char *path = g_strconcat(root, "/proc/self/cgroup", NULL);
    g_autofree char *text = run_procfs_read(path);
    g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);
    for (size_t i = 0; lines[i]; i++) {
        if (g_str_has_prefix(lines[i], "0::/") && strstr(lines[i], "/..") == NULL) {
            /* After an earlier start we are in our leaf already: the group is the one above. */
            if (g_str_has_suffix(lines[i], "/" AGENT))
                lines[i][strlen(lines[i]) - strlen("/" AGENT)] = '\0';
            return g_strdup(lines[i] + strlen("0::"));
        }
    }
    return NULL;
}

static bool put(const char *folder, const char *file, const char *value) {
    g_autofree char *path = g_build_filename(folder, file, NULL);
    return run_procfs_write(path, value);
}

static bool make(const char *folder) {
    return mkdir(folder, 0755) == 0 || errno == EEXIST;
}

/* Whether the agent is the only process there: then the group is its to arrange. */
static bool is_alone(const char *own) {
    g_autofree char *path = g_build_filename(own, "cgroup.procs", NULL);
    g_autofree char *text = run_procfs_read(path);
    g_autofree char *self = g_strdup_printf("%d\n", (int)getpid());
    return text && (text[0] == '\0' || strcmp(text, self) == 0);
}

static const char *const wanted[] = {"cpuset", "pids", "memory"};

static GStrv controllers_of(const char *folder) {
    g_autofree char *path = g_build_filename(folder, "cgroup.controllers", NULL);
    g_autofree char *text = run_procfs_read(path);
    return g_strsplit_set(text ? text : "", " \n", -1);
}

char *run_cgroup_offered(const char *root) {
    g_autofree char *mount = find_mount(root);
    if (!mount)
        return NULL;
    g_autofree char *top = g_build_filename(root, mount, NULL);
    g_auto(GStrv) names = controllers_of(top);
    GString *offered = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++)
        if (g_strv_contains((const char *const *)names, wanted[i]))
            g_string_append_printf(offered, "%s%s", offered->len > 0 ? " " : "", wanted[i]);
    return g_string_free(offered, FALSE);
}

/*
 * Controllers can be handed down only from a group without processes of its own, so the agent
 * moves to a leaf first. A group that is shared with others is left as it is.
 */
static void take_controllers(const char *own, GString *taken) {
    g_auto(GStrv) names = controllers_of(own);
    g_autofree char *leaf = g_build_filename(own, AGENT, NULL);
    if (!is_alone(own) || !make(leaf) || !put(leaf, "cgroup.procs", "0"))
        return;
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
        g_autofree char *add = g_strconcat("+", wanted[i], NULL);
        if (g_strv_contains((const char *const *)names, wanted[i]) &&
            put(own, "cgroup.subtree_control", add))
            g_string_append_printf(taken, "%s%s", taken->len > 0 ? " " : "", wanted[i]);
    }
}

static bool has_controller(const run_cgroup *group, const char *name) {
    return strstr(group->controllers->str, name) != NULL;
}

static void set_limits(run_cgroup *group, const run_cgroup_limits *limits) {
    g_autofree char *processes = g_strdup_printf("%" PRIu64, limits->process_limit);
    g_autofree char *bytes = g_strdup_printf("%" PRIu64, limits->memory_limit_bytes);
    if (has_controller(group, "pids"))
        put(group->folder, "pids.max", limits->process_limit > 0 ? processes : "max");
    if (has_controller(group, "memory"))
        put(group->folder, "memory.max", limits->memory_limit_bytes > 0 ? bytes : "max");
}

/* To move a process into a group the kernel waits until all processors have passed a quiet point,
 * some 10 ms; one that begins there does not. */
static pid_t born_inside(const run_cgroup *group, uint64_t flags) {
    errno = EBADF;
    if (group->inside < 0)
        return -1;
    struct clone_args how = {
        .flags = flags | CLONE_INTO_CGROUP, .exit_signal = SIGCHLD, .cgroup = (__u64)group->inside};
    return (pid_t)syscall(SYS_clone3, &how, sizeof how);
}

/* Before Linux 5.7 none can; and since 6.14 one is killed at once in a group that was killed
 * before. */
static bool can_be_born(const run_cgroup *group) {
    int status = 0;
    const pid_t pid = born_inside(group, 0);
    if (pid == 0)
        _exit(0);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid > 0 && WIFEXITED(status);
}

static void have_none_born(run_cgroup *group) {
    if (group->inside >= 0)
        close(group->inside);
    group->inside = -1;
}

/* The entry of a group, locked: as long as it is open nobody takes the group for a leftover. */
static int claim(const char *folder) {
    g_autofree char *path = g_build_filename(folder, "cgroup.procs", NULL);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0 && (flock(fd, LOCK_EX | LOCK_NB) != 0 || access(path, F_OK) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Groups of agents that were killed and never started again; one with a process in it stays. */
static void sweep(const char *own) {
    g_autoptr(GDir) groups = g_dir_open(own, 0, NULL);
    const char *name;
    while (groups && (name = g_dir_read_name(groups))) {
        g_autofree char *folder = g_build_filename(own, name, NULL);
        int fd = g_str_has_prefix(name, JOB) ? claim(folder) : -1;
        if (fd >= 0) {
            rmdir(folder);
            close(fd);
        }
    }
}

static run_cgroup *open_below(const char *own, const char *name, const run_cgroup_limits *limits) {
    g_autofree char *job = g_strconcat(JOB, name, NULL);
    g_autoptr(run_cgroup) group = g_new0(run_cgroup, 1);
    group->folder = g_build_filename(own, job, NULL);
    group->controllers = g_string_new(NULL);
    group->entry = group->inside = -1;
    /* Another agent's sweep may take it away between the two. */
    for (unsigned tries = 0; group->entry < 0 && tries < CLAIM_TRIES; tries++) {
        if (!make(group->folder))
            return NULL;
        group->entry = claim(group->folder);
    }
    if (group->entry < 0)
        return NULL;
    run_cgroup_kill(group);
    sweep(own);
    take_controllers(own, group->controllers);
    set_limits(group, limits);
    group->inside = open(group->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (!can_be_born(group))
        have_none_born(group);
    return g_steal_pointer(&group);
}

run_cgroup *run_cgroup_open(const char *root, const char *name, const run_cgroup_limits *limits,
                            char **why) {
    g_autofree char *mount = find_mount(root);
    g_autofree char *below = find_own(root);
    *why = NULL;
    if (!mount || !below) {
        *why = g_strdup("no version 2 hierarchy");
        return NULL;
    }
    g_autofree char *own = g_build_filename(root, mount, below, NULL);
    run_cgroup *group = open_below(own, name, limits);
    if (!group)
        *why = g_strdup_printf("%s: %s", own, g_strerror(errno));
    return group;
}

void run_cgroup_free(run_cgroup *group) {
    if (group) {
        if (group->entry >= 0)
            close(group->entry);
        have_none_born(group);
        rmdir(group->folder); /* stays when something is stuck in it */
        g_string_free(group->controllers, TRUE);
        g_free(group->folder);
        g_free(group);
    }
}

bool run_cgroup_cpus(run_cgroup *group, const cpu_set_t *cpus) {
    g_autofree char *list = run_cpus_format(cpus);
    return has_controller(group, "cpuset") && put(group->folder, "cpuset.cpus", list);
}

/* Not glibc's fork: that knows neither groups nor namespaces. */
pid_t run_cgroup_fork(const run_cgroup *group, uint64_t flags) {
    const pid_t born = group ? born_inside(group, flags) : -1;
    if (born >= 0)
        return born;
    const pid_t pid = (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
    if (pid == 0 && group) {
        const ssize_t entered = write(group->entry, "0", 1);
        (void)entered;
    }
    return pid;
}

/* With all groups below it. */
static bool is_empty(const run_cgroup *group) {
    g_autofree char *path = g_build_filename(group->folder, "cgroup.events", NULL);
    g_autofree char *text = run_procfs_read(path);
    return text && strstr(text, "populated 0") != NULL;
}

unsigned run_cgroup_kill(run_cgroup *group) {
    if (is_empty(group))
        return 0;
    g_autofree char *path = g_build_filename(group->folder, "cgroup.procs", NULL);
    g_autofree char *text = run_procfs_read(path);
    unsigned count = 0;
    for (const char *at = text; at && *at != '\0'; at++)
        count += *at == '\n';
    have_none_born(group);
    return put(group->folder, "cgroup.kill", "1") ? count : 0;
}

uint64_t run_cgroup_memory_kills(const run_cgroup *group) {
    g_autofree char *path = g_build_filename(group->folder, "memory.events", NULL);
    g_autofree char *text = run_procfs_read(path);
    const char *line = text ? strstr(text, "oom_kill ") : NULL;
    return line ? g_ascii_strtoull(line + strlen("oom_kill "), NULL, 10) : 0;
}

const char *run_cgroup_controllers(const run_cgroup *group) {
    return group->controllers->str;
}
