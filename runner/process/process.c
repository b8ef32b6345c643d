#include "runner/process/process.h"

#include "runner/ground/error.h"
#include "runner/ground/stop.h"
#include "runner/process/cage.h"
#include "runner/process/child.h"
#include "runner/process/descendants.h"
#include "runner/process/output.h"
#include "runner/process/program.h"
#include "runner/process/scratch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define WEIGH_S 10
#define READY_MS 20 /* nothing is measured yet */
#define TICK_MS 1000
#define QUIET_TICK_MS 2000 /* while measuring: each wake-up disturbs, heartbeats need some too */

typedef struct running {
    const run_process_spec *spec;
    const struct running *beside; /* its companion; NULL: none */
    run_process_result *result;
    run_output *output;
    pid_t pid;
    int pidfd;
    int cage;           /* our end of what its first process reports; -1: none */
    int log;            /* our end of the pipe, or the log file */
    bool log_open;      /* a pipe that still has a writer */
    int64_t started_us; /* monotonic */
    int64_t deadline_us;
    int64_t weighed_us;    /* when the watched folder was last weighed */
    uint64_t weighed_free; /* free space then */
} running;

/* ---- starting ---- */

static bool node_error(GError **error, const char *what) {
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot %s: %s", what, g_strerror(errno));
    return false;
}

static bool open_log(running *run, int *childs_end, GError **error) {
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
    const char *hidden = spec->places ? run_private_hides(spec->places, program) : NULL;
    if (execute && hidden)
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                    "cannot start %s: code under test has a %s of its own, in which it is not; put "
                    "it elsewhere",
                    program, hidden);
    else
        g_set_error(error, RUN_ERROR, execute ? RUN_ERROR_JOB : RUN_ERROR_NODE,
                    "cannot start %s: %s: %s", spec->argv[0], failure.stage,
                    g_strerror(failure.code));
    return false;
}

static bool open_cage(running *run, int *childs_end, GError **error) {
    int ends[2];
    if (!run->spec->caged)
        return true;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return node_error(error, "make a pipe");
    run->cage = ends[0];
    *childs_end = ends[1];
    return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 || node_error(error, "set up a pipe");
}

static bool fork_child(running *run, const char *program, int childs_end, GError **error) {
    const run_process_spec *spec = run->spec;
    int report[2], cage = -1;
    if (!open_cage(run, &cage, error))
        return false;
    if (pipe2(report, O_CLOEXEC) != 0)
        return node_error(error, "make a pipe");
    run_child child = {.argv = spec->argv,
                       .environment = spec->environment,
                       .program = program,
                       .directory = spec->directory,
                       .parent = getpid(),
                       .cage = cage,
                       .output = childs_end,
                       .report = report[1],
                       .file_limit_bytes = spec->file_limit_bytes,
                       .memory_limit_bytes = spec->memory_limit_bytes,
                       .cpu_limit_s = spec->cpu_limit_s,
                       .process_limit = spec->process_limit,
                       .cgroup = spec->cgroup ? run_cgroup_entry(spec->cgroup) : -1,
                       .cpus = spec->cpus,
                       .fixed_addresses = spec->fixed_addresses,
                       .no_network = spec->no_network,
                       .places = spec->places,
                       .switch_user = spec->switch_user,
                       .uid = spec->uid,
                       .gid = spec->gid};
    run->result->started_ms = g_get_real_time() / 1000;
    run->result->limit_s = spec->timeout_s;
    run->started_us = g_get_monotonic_time();
    run->weighed_us = run->started_us;
    run->weighed_free = spec->watch_directory ? run_scratch_free_bytes(spec->watch_directory) : 0;
    run->deadline_us = run->started_us + spec->timeout_s * G_USEC_PER_SEC;
    run->pid = spec->caged ? run_cage_fork() : fork();
    if (run->pid == 0)
        run_child_exec(&child);
    bool good = run->pid > 0 ? true : node_error(error, "start a process");
    close(report[1]);
    if (cage >= 0)
        close(cage);
    good = good && confirm_start(report[0], spec, program, error);
    close(report[0]);
    if (good) {
        run->pidfd = (int)syscall(SYS_pidfd_open, run->pid, 0);
        good = run->pidfd >= 0 ? true : node_error(error, "watch a process");
    }
    return good;
}

static bool start(running *run, GError **error) {
    const run_process_spec *spec = run->spec;
    g_autofree char *program = run_program_find(spec->argv[0], spec->directory, spec->environment);
    if (!program) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "cannot start %s: there is no such program",
                    spec->argv[0]);
        return false;
    }
    int childs_end = -1;
    if (spec->cgroup && spec->cpus) {
        run_cgroup_cpus(spec->cgroup,
                        spec->cpus); /* without it the affinity holds, until changed */
    }
    bool good = open_log(run, &childs_end, error) && fork_child(run, program, childs_end, error);
    if (run->log_open && childs_end >= 0)
        close(childs_end);
    return good;
}

/* ---- while it runs ---- */

static void take_output(running *run) {
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
static bool wait_some(running *run, int64_t ms, bool heed_stop) {
    int64_t end_us = g_get_monotonic_time() + ms * 1000;
    for (;;) {
        int64_t left_ms = MAX(0, (end_us - g_get_monotonic_time() + 999) / 1000);
        struct pollfd fds[] = {
            {.fd = run->pidfd, .events = POLLIN, .revents = 0},
            {.fd = heed_stop ? run->spec->stop_fd : -1, .events = POLLIN, .revents = 0},
            {.fd = run->log_open ? run->log : -1, .events = POLLIN, .revents = 0},
            {.fd = run->cage, .events = POLLIN, .revents = 0},
            {.fd = run->beside ? run->beside->pidfd : -1, .events = POLLIN, .revents = 0},
            {.fd = run->beside ? run->beside->cage : -1, .events = POLLIN, .revents = 0}};
        int ready = poll(fds, G_N_ELEMENTS(fds), (int)MIN(left_ms, G_MAXINT));
        if (fds[2].revents != 0)
            take_output(run);
        if (ready > 0 && (fds[0].revents != 0 || (fds[3].revents & POLLIN) != 0))
            return true;
        if (left_ms == 0 || (ready > 0 && (fds[1].revents | fds[4].revents | fds[5].revents) != 0))
            return false;
    }
}

static bool has_ended(const running *run) {
    struct pollfd fds[] = {{.fd = run->pidfd, .events = POLLIN},
                           {.fd = run->cage, .events = POLLIN}};
    return poll(fds, G_N_ELEMENTS(fds), 0) > 0;
}

/*
 * Asking for the free space is cheap, weighing the folder is not: that is done when enough space
 * has gone for the folder to matter, and now and then in case others free as much as it takes.
 */
static bool should_weigh(running *run, uint64_t free_bytes) {
    int64_t now_us = g_get_monotonic_time();
    uint64_t gone = run->weighed_free > free_bytes ? run->weighed_free - free_bytes : 0;
    if (now_us - run->weighed_us < WEIGH_S * G_USEC_PER_SEC &&
        gone < run->spec->watch_limit_bytes / 8)
        return false;
    run->weighed_us = now_us;
    run->weighed_free = free_bytes;
    return true;
}

static bool disk_exceeded(running *run) {
    const run_process_spec *spec = run->spec;
    if (!spec->watch_directory)
        return false;
    g_autoptr(GError) full = NULL;
    const char *reserve = spec->reserve_directory ? spec->reserve_directory : spec->watch_directory;
    if (!run_scratch_reserve(reserve, spec->reserve_bytes, &full)) {
        run->result->problem = g_strdup(full->message);
    } else if (should_weigh(run, run_scratch_free_bytes(spec->watch_directory)) &&
               (run_scratch_bytes(spec->watch_directory) > spec->watch_limit_bytes ||
                (spec->watch_also &&
                 run_scratch_bytes(spec->watch_also) > spec->watch_limit_bytes))) {
        run->result->problem =
            g_strdup_printf("wrote more than %" PRIu64 " MB (%s)", spec->watch_limit_bytes >> 20,
                            spec->limit_name ? spec->limit_name : "loop_output_limit_bytes");
    }
    return run->result->problem != NULL;
}

/* Waits for the end of the program. Returns whether we have to end it; why is in result and
 * error. */
static bool must_end(running *run, GError **error) {
    bool needs_ticks = run->spec->tick || run->spec->watch_directory;
    int64_t tick_ms = run->spec->log_path ? QUIET_TICK_MS : TICK_MS;
    for (;;) {
        int64_t left_ms = (run->deadline_us - g_get_monotonic_time() + 999) / 1000;
        if (left_ms <= 0) {
            run->result->end = RUN_END_TIMEOUT;
            return true;
        }
        if (wait_some(run, needs_ticks ? MIN(left_ms, tick_ms) : left_ms, true))
            return false;
        if (run_stop_asked(run->spec->stop_fd)) {
            g_set_error(error, RUN_ERROR, RUN_ERROR_STOPPED, "the agent was told to stop");
            run->result->end = RUN_END_TICK;
            return true;
        }
        if (run->beside && has_ended(run->beside)) {
            run->beside = NULL; /* noticed: ending the program waits for that alone */
            run->result->end = RUN_END_COMPANION;
            return true;
        }
        if (disk_exceeded(run)) {
            run->result->end = RUN_END_DISK;
            return true;
        }
        if (run->spec->tick && !run->spec->tick(run->spec->tick_data, error)) {
            run->result->end = RUN_END_TICK;
            return true;
        }
    }
}

/* ---- ending ---- */

static void take_status(running *run, int status, const struct rusage *usage, int64_t ended_us,
                        bool ended_by_us) {
    run->result->seconds = (double)(ended_us - run->started_us) / 1e6;
    run->result->usage = *usage;
    if (!ended_by_us) {
        run->result->end = WIFSIGNALED(status) ? RUN_END_SIGNAL : RUN_END_EXIT;
        run->result->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
}

/* The first process has ended, or is killed; what is stuck in the kernel with it is left alone. */
static void wait_for_cage(running *run) {
    struct pollfd ended = {.fd = run->pidfd, .events = POLLIN};
    if (poll(&ended, 1, RUN_KILL_PATIENCE_MS) == 0) {
        kill(run->pid, SIGKILL);
        run->result->stuck = poll(&ended, 1, RUN_KILL_PATIENCE_MS) == 0;
    }
}

static void reap(running *run, bool ended_by_us) {
    int status = 0;
    struct rusage usage = {0};
    run_cage_report told;
    bool has_told = run->cage >= 0 && read(run->cage, &told, sizeof told) == (ssize_t)sizeof told;
    if (run->cage >= 0)
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
    if (read(run->cage, &stragglers, sizeof stragglers) == (ssize_t)sizeof stragglers)
        run->result->stragglers = stragglers;
}

static void end_program(running *run) {
    kill(-run->pid, SIGTERM);
    if (!wait_some(run, RUN_GRACE_MS, false)) {
        kill(-run->pid, SIGKILL);
        kill(run->pid, SIGKILL);
        wait_some(run, RUN_KILL_PATIENCE_MS, false);
    }
}

static void finish_log(running *run) {
    if (run->spec->log_path && run->log >= 0)
        run_output_add_file(run->output, run->log);
    take_output(run);
    run->result->log = run_output_text(run->output);
    run->result->log_bytes = run_output_bytes(run->output);
}

/* ---- a companion ---- */

static bool takes_connections(unsigned port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool taken = fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    if (fd >= 0)
        close(fd);
    return taken;
}

static bool is_ready(const run_companion *companion) {
    if (!companion->ready)
        return takes_connections(companion->port);
    g_autofree char *said = NULL;
    return g_file_get_contents(companion->spec->log_path, &said, NULL, NULL) &&
           strstr(said, companion->ready) != NULL;
}

/* What it said last is why. */
static bool companion_error(running *self, const run_companion *companion, const char *what,
                            GError **error) {
    g_autofree char *said = NULL;
    if (g_file_get_contents(companion->spec->log_path, &said, NULL, NULL))
        g_strstrip(said);
    const char *line = said ? strrchr(said, '\n') : NULL;
    g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s %s: %s%s%.400s", companion->name,
                self->spec->argv[0], what, said && said[0] != '\0' ? ": " : "",
                line   ? line + 1
                : said ? said
                       : "");
    return false;
}

static bool start_beside(running *self, const run_companion *companion, GError **error) {
    if (!companion)
        return true;
    if (!start(self, error)) {
        g_prefix_error(error, "%s: ", companion->name);
        return false;
    }
    int64_t deadline_us = self->started_us + companion->ready_s * G_USEC_PER_SEC;
    while (!is_ready(companion)) {
        if (wait_some(self, READY_MS, true))
            return companion_error(self, companion, "ended before it was ready", error);
        if (run_stop_asked(self->spec->stop_fd)) {
            g_set_error(error, RUN_ERROR, RUN_ERROR_STOPPED, "the agent was told to stop");
            return false;
        }
        if (g_get_monotonic_time() > deadline_us)
            return companion_error(self, companion, "was not ready in time", error);
    }
    return true;
}

static void end_beside(running *self, run_companion *companion, run_process_result *served) {
    if (self->pidfd >= 0) {
        bool ended = has_ended(self);
        if (!ended)
            end_program(self);
        reap(self, !ended);
    }
    finish_log(self);
    if (served->end == RUN_END_COMPANION)
        served->problem = g_strdup_printf("%s ended meanwhile: %.400s", companion->name,
                                          g_strstrip(companion->result.log));
}

static void close_all(const running *run) {
    const int fds[] = {run->pidfd, run->log, run->cage};
    for (size_t i = 0; i < G_N_ELEMENTS(fds); i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

bool run_process_run(const run_process_spec *spec, run_process_result *result, GError **error) {
    memset(result, 0, sizeof *result);
    run_companion *companion = spec->companion;
    g_autoptr(run_output) said = run_output_new(spec->log_limit_bytes);
    running beside = {.spec = companion ? companion->spec : NULL,
                      .result = companion ? &companion->result : NULL,
                      .output = said,
                      .pid = -1,
                      .pidfd = -1,
                      .cage = -1,
                      .log = -1};
    g_autoptr(run_output) output = run_output_new(spec->log_limit_bytes);
    running run = {.spec = spec,
                   .beside = companion ? &beside : NULL,
                   .result = result,
                   .output = output,
                   .pid = -1,
                   .pidfd = -1,
                   .cage = -1,
                   .log = -1};
    GError *problem = NULL;
    if (spec->printed)
        run_printed_begin(spec->printed, output, spec->log_path != NULL);
    if (start_beside(&beside, companion, &problem) && start(&run, &problem)) {
        bool ended = must_end(&run, &problem);
        if (ended)
            end_program(&run);
        reap(&run, ended);
        /* Before it had its own session, a terminal's signal could end it together with us. */
        if (!ended && result->end == RUN_END_SIGNAL && run_stop_asked(spec->stop_fd))
            g_set_error(&problem, RUN_ERROR, RUN_ERROR_STOPPED, "the agent was told to stop");
    }
    if (companion)
        end_beside(&beside, companion, result);
    unsigned killed = 0, in_group = spec->cgroup ? run_cgroup_kill(spec->cgroup) : 0;
    result->stuck = (run.pid > 0 || beside.pid > 0) && run_descendants_kill(&killed) > 0;
    result->stragglers = MAX(MAX(result->stragglers, killed), in_group);
    finish_log(&run);
    if (spec->printed)
        run_printed_end(spec->printed);
    close_all(&run);
    close_all(&beside);
    if (problem) {
        run_process_result_clear(result);
        g_propagate_error(error, problem);
        return false;
    }
    return true;
}

void run_process_result_clear(run_process_result *result) {
    g_clear_pointer(&result->log, g_free);
    g_clear_pointer(&result->problem, g_free);
}

char *run_process_describe(const run_process_result *result) {
    switch (result->end) {
    case RUN_END_EXIT:
        return result->code == 0
                   ? NULL
                   : g_strdup_printf("exit status %d after %.1f s", result->code, result->seconds);
    case RUN_END_SIGNAL:
        return g_strdup_printf("killed by signal %d (%s) after %.1f s", result->code,
                               g_strsignal(result->code), result->seconds);
    case RUN_END_TIMEOUT:
        return g_strdup_printf("still running after %u s, the limit: killed", result->limit_s);
    case RUN_END_DISK:
    case RUN_END_COMPANION:
        return g_strdup_printf("%s: ended after %.1f s", result->problem, result->seconds);
    case RUN_END_TICK:
        break;
    }
    return g_strdup("ended by the agent");
}
