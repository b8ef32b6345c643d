#include "runner/agent.h"

#include "runner/error.h"
#include "runner/link/spool.h"
#include "runner/link/upload.h"
#include "runner/log.h"
#include "runner/measure/session.h"
#include "runner/node/tuning.h"
#include "runner/process/box.h"
#include "runner/process/descendants.h"
#include "runner/process/leftovers.h"
#include "runner/process/scratch.h"
#include "runner/protocol.h"
#include "runner/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEASE_MARGIN_S 15 /* for the answer, after the long-poll's wait */
#define DISK_WAIT_MS 60000
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
            run_log("info", "agent", "waiting",
                    "reason=\"another moowatch-runner holds work_dir\"");
        }
        errno = EWOULDBLOCK;
    }
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "work_dir %s: %s", node->config->work_dir,
                errno == EWOULDBLOCK ? "another moowatch-runner works there" : g_strerror(errno));
    if (fd >= 0)
        close(fd);
    return false;
}

static bool make_folder(const run_node *node, const char *below, mode_t mode, GError **error) {
    g_autofree char *path = run_node_path(node, below);
    if (g_mkdir_with_parents(path, (int)mode) == 0 && chmod(path, mode) == 0)
        return true;
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "work_dir: cannot make %s: %s", path,
                g_strerror(errno));
    return false;
}

/* What the user of code under test must reach can be passed through, the rest is closed to it. */
static bool make_folders(const run_node *node, GError **error) {
    g_autofree char *scratch = run_node_path(node, "scratch");
    if (!make_folder(node, "", 0711, error) || !lock_work_dir(node, error))
        return false;
    unsigned killed = run_leftovers_kill(node->config->work_dir);
    if (killed > 0)
        run_log("warning", "agent", "leftovers_killed", "count=%u", killed);
    return run_scratch_remove(scratch, error) && make_folder(node, "scratch", 0711, error) &&
           make_folder(node, "checkout", 0711, error) && make_folder(node, "homes", 0711, error) &&
           make_folder(node, "cache", 0700, error) && make_folder(node, "mirrors", 0700, error) &&
           make_folder(node, "spool", 0700, error);
}

static bool harden(GError **error) {
    /* Not dumpable: neither /proc/<agent>/mem nor ptrace shows the token to a process of our
     * user. */
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot protect the token: %s",
                    g_strerror(errno));
        return false;
    }
    return run_descendants_adopt(error);
}

static json_t *lease_body(const run_node *node) {
    json_t *labels = json_array();
    for (unsigned i = 0; i < node->config->labels_count; i++)
        json_array_append_new(labels, json_string(node->config->labels[i]));
    return json_pack("{s:s, s:s, s:o, s:[s, s], s:i}", "node", node->config->node, "version",
                     MOOWATCH_VERSION, "labels", labels, "can", RUN_CAN_CONFIRMATION,
                     RUN_CAN_ARTIFACT, "wait_seconds", (int)node->config->poll_wait_s);
}

/* A job if there is one: spool and expires_s are set. False with RUN_ERROR_AWAY etc. */
static bool lease(const run_node *node, run_spool **spool, unsigned *expires_s, GError **error) {
    g_auto(run_answer) answer = {0};
    json_t *body = lease_body(node);
    bool good = run_client_post(node->client, RUN_PATH_LEASE, body,
                                node->config->poll_wait_s + LEASE_MARGIN_S, &answer, error);
    json_decref(body);
    if (!good || !run_client_judge(&answer, "lease", error) || answer.status == 204)
        return good && answer.status == 204;
    json_t *job = json_object_get(answer.body, "job");
    json_int_t id = json_integer_value(json_object_get(job, "id"));
    json_t *name = json_object_get(answer.body, "lease");
    json_int_t seconds = json_integer_value(json_object_get(answer.body, "expires_seconds"));
    if (id < 1 || !json_is_string(name)) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_AWAY, "lease: the answer holds no job");
        return false;
    }
    *expires_s = (unsigned)CLAMP(seconds, 1, 86400);
    json_t *head = json_pack("{s:O, s:O, s:I}", "job", job, "lease", name, "started_ms",
                             (json_int_t)(g_get_real_time() / 1000));
    *spool = run_spool_create(node->config->work_dir, id, head, error);
    json_decref(head);
    return *spool != NULL;
}

/* Waits while the disk is full. True when the agent was asked to end meanwhile. */
static bool wait_for_disk(const run_node *node, run_cache *cache) {
    bool said = false;
    for (;;) {
        g_autoptr(GError) full = NULL;
        if (run_scratch_reserve(node->config->work_dir, node->config->disk_reserve_bytes, &full))
            return run_stop_asked(node->stop_fd);
        if (!said && run_cache_bytes(cache) > 0) {
            run_cache_shrink(cache, 0); /* what can be made again goes first */
            continue;
        }
        if (!said) {
            run_log("error", "agent", "waiting", "reason=\"%s\"", full->message);
            said = true;
        }
        if (run_stop_sleep(node->stop_fd, DISK_WAIT_MS))
            return true;
    }
}

/* What an earlier run left. ended: how the last job went; untouched when there was none. */
static bool finish_spool(const run_node *node, run_cache *cache, run_session_end *ended) {
    g_autoptr(GArray) ids = run_spool_list(node->config->work_dir);
    for (guint i = 0; i < ids->len; i++) {
        int64_t id = g_array_index(ids, int64_t, i);
        g_autoptr(GError) problem = NULL;
        g_autoptr(run_spool) spool = run_spool_open(node->config->work_dir, id, &problem);
        if (!spool) {
            g_autofree char *name = g_strdup_printf("spool/job-%" PRId64, id);
            g_autofree char *path = run_node_path(node, name);
            run_log("warning", "agent", "spool_dropped", "job=%" PRId64 " reason=\"%s\"", id,
                    problem->message);
            g_clear_error(&problem);
            if (!run_scratch_remove(path, &problem))
                run_log("warning", "agent", "left_over", "reason=\"%s\"", problem->message);
            continue;
        }
        run_log("info", "agent", "resume", "job=%" PRId64 " loops_done=%zu", id,
                json_array_size(run_spool_loops(spool)));
        *ended = run_session(node, cache, spool, 0);
        if (*ended == RUN_SESSION_STOPPED)
            return false;
    }
    return true;
}

/* Of jobs whose spool was lost: nobody else would. Never a reason not to work. */
static bool remove_checkouts(const run_node *node) {
    g_autoptr(GError) problem = NULL;
    g_autofree char *path = run_node_path(node, "checkout");
    if (!run_scratch_remove(path, &problem) || !make_folder(node, "checkout", 0711, &problem))
        run_log("warning", "agent", "left_over", "reason=\"%s\"", problem->message);
    return true;
}

/* One lease and its job. False when the agent shall end; ended as above. */
static bool work_once(const run_node *node, run_cache *cache, unsigned *failures,
                      run_session_end *ended) {
    g_autoptr(GError) problem = NULL;
    g_autoptr(run_spool) spool = NULL;
    unsigned expires_s = 0;
    if (wait_for_disk(node, cache))
        return false;
    if (lease(node, &spool, &expires_s, &problem)) {
        *failures = 0;
        if (spool)
            *ended = run_session(node, cache, spool, expires_s);
        return !run_stop_asked(node->stop_fd);
    }
    if (g_error_matches(problem, RUN_ERROR, RUN_ERROR_STOPPED))
        return false;
    unsigned delay_s = run_upload_delay_s(++*failures);
    run_log("warning", "agent", "no_lease", "retry_seconds=%u reason=\"%s\"", delay_s,
            problem->message);
    return !run_stop_sleep(node->stop_fd, delay_s * INT64_C(1000));
}

static void find_private_places(run_node *node) {
    int refused = node->switch_user ? run_private_refused() : EPERM;
    node->private_places = refused == 0;
    run_log("info", "agent", "private_tmp", "outcome=\"%s\"",
            refused == 0        ? "private"
            : node->switch_user ? g_strerror(refused)
                                : "shared, without run_as_user");
}

static void find_boxes(run_node *node) {
    g_autofree char *scratch = run_node_path(node, "scratch");
    g_autofree char *refused =
        node->switch_user ? run_box_refused(scratch) : g_strdup("without run_as_user");
    node->boxes = !refused && run_box_enter();
    run_log("info", "agent", "disk_limit", "outcome=\"%s%s\"", node->boxes ? "kernel" : "weighed: ",
            node->boxes ? ""
            : !refused  ? g_strerror(errno)
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
        run_log("info", "agent", "cgroup", "controllers=\"%s\"",
                run_cgroup_controllers(node->cgroup));
    } else {
        run_log("info", "agent", "no_cgroup", "reason=\"%s\"", why);
    }
}

bool run_agent_prepare(run_node *node, GError **error) {
    sched_setaffinity(0, sizeof node->housekeeping_cpus, &node->housekeeping_cpus);
    if (!harden(error) || !make_folders(node, error))
        return false;
    join_cgroup(node);
    find_private_places(node);
    find_boxes(node);
    g_autofree char *restore_path = run_node_path(node, RUN_RESTORE_FILE);
    run_tuning_recover(&(run_tuning_place){"", restore_path, NULL});
    return true;
}

int run_agent(run_node *node, bool once) {
    g_autoptr(GError) problem = NULL;
    if (!run_agent_prepare(node, &problem)) {
        run_log("error", "agent", "cannot_start", "reason=\"%s\"", problem->message);
        return 1;
    }
    run_log("info", "agent", "start", "version=%s node=%s server=%s harness=\"%s\"",
            MOOWATCH_VERSION, node->config->node, node->config->server, node->harness_dir);
    if (!node->switch_user && geteuid() == 0)
        run_log("warning", "agent", "runs_as_root", "next=\"set run_as_user\"");
    const run_session_end none = (run_session_end)-1;
    run_session_end ended = none;
    unsigned failures = 0;
    g_autoptr(run_cache) cache = run_cache_open(node);
    bool go_on = finish_spool(node, cache, &ended) && remove_checkouts(node);
    while (go_on && !(once && ended != none))
        go_on = work_once(node, cache, &failures, &ended);
    run_log("info", "agent", "end", "asked=%d", !go_on);
    return once && (ended == RUN_SESSION_FAILED || ended == RUN_SESSION_LOST) ? 1 : 0;
}
