#include "runner/process/running.h"

#include "runner/ground/error.h"
#include "runner/process/child.h"
#include "runner/process/descendants.h"
#include "runner/process/process.h"
#include "runner/process/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

run__running run__running_not(const run_process_spec *spec, run_process_result *result,
                              run_output *output) {
    return (run__running){.spec = spec,
                          .result = result,
                          .output = output,
                          .pid = -1,
                          .pidfd = -1,
                          .init = -1,
                          .log = -1};
}

/* ---- starting ---- */

static bool node_error(GError **error, const char *what) {
    return run_fail(error, RUN_ERROR_NODE, "cannot %s: %s", what, g_strerror(errno));
}

static bool open_log(run__running *run, int *childs_end, GError **error) {
    if (run->spec->log_path) {
        run->log = open(run->spec->log_path,
                        O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
        *childs_end = run->log;
        return run->log >= 0 ? true : node_error(error, "make the log file");
    }
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return node_error(error, "make a pipe");
    run->log = ends[0];
    run->log_open = true;
    *childs_end = ends[1];
    return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? true : node_error(error, "set up a pipe");
}

/* Waits until the child has become the program, or has said why it could not. */
static bool confirm_start(int report, const run_process_spec *spec, const char *program,
                          GError **error) {
    run_child_failure failure;
    ssize_t got;
    do {
        got = read(report, &failure, sizeof failure);
    } while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof failure)
        return true;
    failure.stage[sizeof failure.stage - 1] = '\0';
    bool execute = strcmp(failure.stage, "execute") == 0;
    const char *hidden = spec->places ? run_sandbox_places_hides(spec->places, program) : NULL;
    if (execute && hidden)
        run_wrong(error,
                  "cannot start %s: code under test has a %s of its own, where this program does "
                  "not exist; put it elsewhere",
                  program, hidden);
    else
        g_set_error(error, RUN_ERROR, execute ? RUN_ERROR_JOB : RUN_ERROR_NODE,
                    "cannot start %s: %s: %s", spec->argv[0], failure.stage,
                    g_strerror(failure.code));
    return false;
}

static bool open_init(run__running *run, int *childs_end, GError **error) {
    int ends[2];
    if (!run->spec->own_namespaces)
        return true;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return node_error(error, "make a pipe");
    run->init = ends[0];
    *childs_end = ends[1];
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        return true;
    node_error(error, "set up a pipe");
    close(ends[1]);
    return false;
}

static bool fork_child(run__running *run, const char *program, int childs_end, GError **error) {
    const run_process_spec *spec = run->spec;
    int report[2], init = -1;
    if (!open_init(run, &init, error))
        return false;
    if (pipe2(report, O_CLOEXEC) != 0) {
        node_error(error, "make a pipe");
        if (init >= 0)
            close(init);
        return false;
    }
    run_child child = {.spec = spec,
                       .program = program,
                       .parent = getpid(),
                       .init = init,
                       .output = childs_end,
                       .report = report[1]};
    run->result->started_ms = g_get_real_time() / 1000;
    run->result->limit_s = spec->timeout_s;
    run->started_us = run->result->started_us = g_get_monotonic_time();
    run->weighed_us = run->started_us;
    run->weighed_free = spec->watch_directory ? run_scratch_free_bytes(spec->watch_directory) : 0;
    run->deadline_us = run->started_us + spec->timeout_s * G_USEC_PER_SEC;
    run->pid =
        spec->own_namespaces ? run_namespaces_fork(spec->cgroup) : run_cgroup_fork(spec->cgroup, 0);
    if (run->pid == 0)
        run_child_exec(&child);
    bool good = run->pid > 0 ? true : node_error(error, "start a process");
    run->result->pid = MAX(run->pid, 0);
    close(report[1]);
    if (init >= 0)
        close(init);
    good = good && confirm_start(report[0], spec, program, error);
    close(report[0]);
    if (good) {
        run->pidfd = (int)syscall(SYS_pidfd_open, run->pid, 0);
        good = run->pidfd >= 0 ? true : node_error(error, "watch a process");
    }
    return good;
}

bool run__running_start(run__running *run, GError **error) {
    const run_process_spec *spec = run->spec;
    g_autofree char *program = run_program_find(spec->argv[0], spec->directory, spec->environment);
    const bool searched = !strchr(spec->argv[0], '/');
    if (!program)
        return run_wrong(error, "cannot start %s: there is no such program%s%s%s", spec->argv[0],
                         searched ? " in " : "",
                         searched ? run_program_path(spec->environment) : "",
                         searched ? "; install it, or name its folder in path of "
                                    "moowatch-runner.yaml (moowatch run: --path)"
                                  : "");
    int childs_end = -1;
    if (spec->cgroup && spec->cpus) {
        /* without it the affinity holds, until changed */
        run_cgroup_cpus(spec->cgroup, spec->group_cpus ? spec->group_cpus : spec->cpus);
    }
    bool good = open_log(run, &childs_end, error) && fork_child(run, program, childs_end, error);
    if (run->log_open && childs_end >= 0)
        close(childs_end);
    return good;
}

/* ---- while it runs ---- */

static void take_output(run__running *run) {
    char buffer[65536];
    while (run->log_open) {
        ssize_t got = read(run->log, buffer, sizeof buffer);
        if (got > 0)
            run_output_add(run->output, buffer, (size_t)got);
        else if (got == 0)
            run->log_open = false;
        else if (errno != EINTR)
            return;
    }
}

/* Whether the program is gone; not yet reaped. Waits at most ms, or until told to stop. */
bool run__running_wait(run__running *run, int64_t ms, bool heed_stop) {
    int64_t end_us = g_get_monotonic_time() + ms * 1000;
    for (;;) {
        int64_t left_ms = MAX(0, (end_us - g_get_monotonic_time() + 999) / 1000);
        struct pollfd fds[] = {
            {.fd = run->pidfd, .events = POLLIN, .revents = 0},
            {.fd = heed_stop ? run->spec->stop_fd : -1, .events = POLLIN, .revents = 0},
            {.fd = run->log_open ? run->log : -1, .events = POLLIN, .revents = 0},
            {.fd = run->init, .events = POLLIN, .revents = 0},
            {.fd = run->beside ? run->beside->pidfd : -1, .events = POLLIN, .revents = 0},
            {.fd = run->beside ? run->beside->init : -1, .events = POLLIN, .revents = 0},
            {.fd = run->twin ? run->twin->pidfd : -1, .events = POLLIN, .revents = 0},
            {.fd = run->twin ? run->twin->init : -1, .events = POLLIN, .revents = 0}};
        const struct pollfd *others = &fds[4];
        int ready = poll(fds, G_N_ELEMENTS(fds), (int)MIN(left_ms, G_MAXINT));
        if (fds[2].revents != 0)
            take_output(run);
        if (ready > 0 && (fds[0].revents != 0 || (fds[3].revents & POLLIN) != 0))
            return true;
        if (left_ms == 0 || (ready > 0 && (fds[1].revents | others[0].revents | others[1].revents |
                                           others[2].revents | others[3].revents) != 0))
            return false;
    }
}

bool run__running_ended(const run__running *run) {
    struct pollfd fds[] = {{.fd = run->pidfd, .events = POLLIN},
                           {.fd = run->init, .events = POLLIN}};
    return poll(fds, G_N_ELEMENTS(fds), 0) > 0;
}

/* ---- ending ---- */

static void take_status(run__running *run, int status, const struct rusage *usage, int64_t ended_us,
                        bool ended_by_us) {
    run->result->seconds = (double)(ended_us - run->started_us) / 1e6;
    run->result->usage = *usage;
    if (!ended_by_us) {
        run->result->end = WIFSIGNALED(status) ? RUN_END_SIGNAL : RUN_END_EXIT;
        run->result->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
}

/* init has ended, or is killed; what is stuck in the kernel with it is left alone. */
static void wait_for_cage(run__running *run) {
    struct pollfd ended = {.fd = run->pidfd, .events = POLLIN};
    if (poll(&ended, 1, RUN_KILL_PATIENCE_MS) == 0) {
        kill(run->pid, SIGKILL);
        run->result->stuck = poll(&ended, 1, RUN_KILL_PATIENCE_MS) == 0;
    }
}

void run__running_reap(run__running *run, bool ended_by_us) {
    int status = 0;
    struct rusage usage = {0};
    run_namespaces_report told;
    run->result->pid = 0;
    bool has_told = run->init >= 0 && read(run->init, &told, sizeof told) == (ssize_t)sizeof told;
    if (run->init >= 0)
        wait_for_cage(run);
    pid_t got;
    do {
        got = wait4(run->pid, &status, run->result->stuck ? WNOHANG : 0, &usage);
    } while (got < 0 && errno == EINTR);
    if (!has_told) {
        take_status(run, status, &usage, g_get_monotonic_time(), ended_by_us);
        return;
    }
    take_status(run, told.status, &told.usage, told.ended_us, ended_by_us);
    unsigned stragglers = 0;
    if (read(run->init, &stragglers, sizeof stragglers) == (ssize_t)sizeof stragglers)
        run->result->stragglers = stragglers;
}

void run__running_end(run__running *run) {
    kill(-run->pid, SIGTERM);
    if (!run__running_wait(run, RUN_GRACE_MS, false)) {
        kill(-run->pid, SIGKILL);
        kill(run->pid, SIGKILL);
        run__running_wait(run, RUN_KILL_PATIENCE_MS, false);
    }
}

void run__running_log(run__running *run) {
    if (run->spec->log_path && run->log >= 0)
        run_output_add_file(run->output, run->log);
    take_output(run);
    run->result->log = run_output_text(run->output);
    run->result->log_bytes = run_output_bytes(run->output);
}

void run__running_close(const run__running *run) {
    const int fds[] = {run->pidfd, run->log, run->init};
    for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
        if (fds[i] >= 0)
            close(fds[i]);
}
