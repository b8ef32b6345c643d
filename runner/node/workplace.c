#include "runner/node/workplace.h"

#include "config/log.h"
#include "runner/ground/error.h"
#include "runner/ground/stop.h"
#include "runner/node/tuning.h"
#include "runner/process/descendants.h"
#include "runner/process/scratch.h"
#include "runner/process/volume.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECRET_LENGTH 32   /* hexadecimal digits */
#define LOCK_WAIT_MS 15000 /* a busy node takes its time to end what was killed */
#define LOCK_STEP_MS 50
#define LOCK_SAID_MS 1000

/*
 * Two agents in one folder would measure into each other. Held until the process ends; a program
 * that a killed agent was just starting holds it some moments longer.
 */
static bool lock_work_dir(const run_node *node, GError **error) {
    g_autofree char *path = run_node_path(node, "lock");
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    for (int64_t waited_ms = 0; fd >= 0 && waited_ms <= LOCK_WAIT_MS; waited_ms += LOCK_STEP_MS) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK || run_stop_sleep(node->stop_fd, LOCK_STEP_MS))
            break;
        if (waited_ms == LOCK_SAID_MS) {
            cfg_log("info", "agent", "waiting",
                    "reason=\"another moowatch-runner holds work_dir\"");
        }
        errno = EWOULDBLOCK;
    }
    run_fail(error, RUN_ERROR_NODE, "work_dir %s: %s", node->config->work_dir,
             errno == EWOULDBLOCK ? "another moowatch-runner is using it" : g_strerror(errno));
    if (fd >= 0)
        close(fd);
    return false;
}

static bool make_folder(const run_node *node, const char *below, mode_t mode, GError **error) {
    g_autofree char *path = run_node_path(node, below);
    if (g_mkdir_with_parents(path, (int)mode) == 0 && chmod(path, mode) == 0)
        return true;
    return run_fail(error, RUN_ERROR_NODE, "work_dir: cannot create %s: %s", path,
                    g_strerror(errno));
}

static bool can_enter(const char *path, uid_t uid, gid_t gid) {
    int status = -1;
    const pid_t child = fork();
    if (child == 0)
        _exit(setgroups(0, NULL) != 0 || setresgid(gid, gid, gid) != 0 ||
              setresuid(uid, uid, uid) != 0 || access(path, X_OK) != 0);
    /* where there is no process to ask, the switch itself will say so */
    return child < 0 || waitpid(child, &status, 0) != child || status == 0;
}

/* Root's home, for example, lets nobody else in. */
static bool all_can_enter(const run_node *node, GError **error) {
    const char *path = node->config->work_dir;
    const bool code = !node->switch_user || can_enter(path, node->uid, node->gid);
    if (code && (!node->switch_git || can_enter(path, node->git_uid, node->git_gid)))
        return true;
    return run_fail(error, RUN_ERROR_NODE,
                    "work_dir %s: %s cannot enter it; choose a place that every user can enter, "
                    "or open the folders above it (chmod o+x)",
                    path, code ? "git_user" : "run_as_user");
}

/* What the user of code under test must reach can be passed through, the rest is closed to it. */
static bool make_folders(const run_node *node, GError **error) {
    g_autofree char *scratch = run_node_path(node, "scratch");
    if (!make_folder(node, "", 0711, error) || !all_can_enter(node, error) ||
        !lock_work_dir(node, error))
        return false;
    unsigned killed = run_leftovers_kill(node->config->work_dir);
    if (killed > 0)
        cfg_log("warning", "agent", "leftovers_killed", "count=%u", killed);
    return run_scratch_remove(scratch, error) && make_folder(node, "scratch", 0711, error) &&
           make_folder(node, "checkout", 0711, error) && make_folder(node, "cache", 0700, error) &&
           make_folder(node, "mirrors", 0711, error) && make_folder(node, "spool", 0700, error);
}

/* 128 random bits, made once: the names of prepared trees hold as long as the cache. */
static bool make_secret(const char *path, GError **error) {
    unsigned char bytes[SECRET_LENGTH / 2];
    char text[SECRET_LENGTH + 1];
    GError *problem = NULL;
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return run_fail(error, RUN_ERROR_NODE, "no random numbers: %s", g_strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        g_snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    if (g_file_set_contents_full(path, text, SECRET_LENGTH,
                                 G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600,
                                 &problem))
        return true;
    run_fail(error, RUN_ERROR_NODE, "work_dir: %s", problem->message);
    g_error_free(problem);
    return false;
}

static bool take_secret(run_node *node, GError **error) {
    g_autofree char *path = run_node_path(node, "secret");
    for (unsigned tries = 0; tries < 2; tries++) {
        g_clear_pointer(&node->secret, g_free);
        if (g_file_get_contents(path, &node->secret, NULL, NULL) &&
            strlen(node->secret) == SECRET_LENGTH &&
            strspn(node->secret, "0123456789abcdef") == SECRET_LENGTH)
            return true;
        if (tries == 0 && !make_secret(path, error))
            return false;
    }
    return run_fail(error, RUN_ERROR_NODE, "cannot read back %s", path);
}

static bool harden(GError **error) {
    /* Not dumpable: neither /proc/<agent>/mem nor ptrace shows the token to a process of our user.
     */
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        return run_fail(error, RUN_ERROR_NODE, "cannot protect the token: %s", g_strerror(errno));
    return run_descendants_adopt(error);
}

static void find_private_places(run_node *node) {
    int refused = node->switch_user ? run_sandbox_places_refused() : EPERM;
    node->private_places = refused == 0;
    cfg_log("info", "agent", "private_tmp", "outcome=\"%s\"",
            refused == 0        ? "private"
            : node->switch_user ? g_strerror(refused)
                                : "shared, without run_as_user");
}

static void find_cages(run_node *node) {
    int refused = run_namespaces_refused();
    node->namespaces = refused == 0;
    cfg_log("info", "agent", "processes", "outcome=\"%s\"",
            refused == 0 ? "own namespaces" : g_strerror(refused));
}

static void find_sandbox(run_node *node) {
    g_autofree char *words = run_sandbox_words();
    node->sandbox = g_str_has_prefix(words, "none") ? RUN_SANDBOX_OFF : RUN_SANDBOX_PROGRAM;
    cfg_log("info", "agent", "sandbox", "outcome=\"%s\"", words);
}

static void find_boxes(run_node *node) {
    g_autofree char *scratch = run_node_path(node, "scratch");
    g_autofree char *refused =
        node->switch_user ? run_volume_refused(scratch) : g_strdup("without run_as_user");
    node->volumes = !refused && run_volume_enter();
    cfg_log("info", "agent", "disk_limit", "outcome=\"%s%s\"",
            node->volumes ? "kernel" : "weighed: ",
            node->volumes ? ""
            : !refused    ? g_strerror(errno)
                          : refused);
}

/* Named by the work directory: what a killed agent left in its group is killed here. */
static void join_cgroup(run_node *node) {
    run_cgroup_limits limits = {.process_limit = node->config->process_limit,
                                .memory_limit_bytes = node->config->memory_limit_bytes};
    g_autofree char *hash =
        g_compute_checksum_for_string(G_CHECKSUM_SHA256, node->config->work_dir, -1);
    hash[16] = '\0';
    g_autofree char *why = NULL;
    node->cgroup = run_cgroup_open("", hash, &limits, &why);
    if (node->cgroup) {
        cfg_log("info", "agent", "cgroup", "controllers=\"%s\"",
                run_cgroup_controllers(node->cgroup));
    } else {
        cfg_log("info", "agent", "no_cgroup", "reason=\"%s\"", why);
    }
}

bool run_workplace_take(run_node *node, GError **error) {
    sched_setaffinity(0, sizeof node->housekeeping_cpus, &node->housekeeping_cpus);
    if (!harden(error) || !make_folders(node, error) || !take_secret(node, error))
        return false;
    join_cgroup(node);
    find_private_places(node);
    find_cages(node);
    find_sandbox(node);
    find_boxes(node);
    g_autofree char *restore_path = run_node_path(node, RUN_RESTORE_FILE);
    run_tuning_recover(&(run_tuning_place){"", restore_path, NULL});
    return true;
}

void run_workplace_empty_checkouts(const run_node *node) {
    g_autoptr(GError) problem = NULL;
    g_autofree char *path = run_node_path(node, "checkout");
    if (!run_scratch_remove(path, &problem) || !make_folder(node, "checkout", 0711, &problem))
        cfg_log("warning", "agent", "left_over", "reason=\"%s\"", problem->message);
}
