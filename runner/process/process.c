#include "runner/process/process.h"

#include "config/config.h"
#include "runner/ground/error.h"
#include "runner/ground/procfs.h"
#include "runner/ground/stop.h"
#include "runner/process/descendants.h"
#include "runner/process/running.h"
#include "runner/process/scratch.h"

#include <arpa/inet.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

const char *run_program_path(char *const *environment) {
    for (size_t i = 0; environment[i]; i++)
        if (g_str_has_prefix(environment[i], "PATH="))
            return environment[i] + strlen("PATH=");
    return CFG_RUNNER_PATH;
}

static char *find_in_path(const char *name, const char *path) {
    g_auto(GStrv) folders = g_strsplit(path, ":", -1);
    for (size_t i = 0; folders[i]; i++) {
        g_autofree char *whole = g_build_filename(folders[i], name, NULL);
        if (folders[i][0] == '/' && g_file_test(whole, G_FILE_TEST_IS_REGULAR) &&
            access(whole, X_OK) == 0)
            return g_steal_pointer(&whole);
    }
    return NULL;
}

char *run_program_find(const char *name, const char *directory, char *const *environment) {
    if (!strchr(name, '/'))
        return find_in_path(name, run_program_path(environment));
    g_autofree char *whole =
        g_path_is_absolute(name) ? g_strdup(name) : g_build_filename(directory, name, NULL);
    return g_file_test(whole, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer(&whole) : NULL;
}

/*
 * companion - a program that another one needs while it runs: started before it, ended after it.
 */

#define READY_MS 20 /* nothing is measured yet */

static bool takes_connections(unsigned port) {
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    g_auto(run_fd) fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
}

static bool is_ready(const run_companion *companion) {
    if (!companion->ready)
        return takes_connections(companion->port);
    g_autofree char *said = NULL;
    return g_file_get_contents(companion->spec->log_path, &said, NULL, NULL) &&
           strstr(said, companion->ready) != NULL;
}

/* What it said last is why. */
static bool companion_error(run__running *self, const run_companion *companion, const char *what,
                            GError **error) {
    g_autofree char *said = NULL;
    if (g_file_get_contents(companion->spec->log_path, &said, NULL, NULL))
        g_strstrip(said);
    const char *line = said ? strrchr(said, '\n') : NULL;
    return run_wrong(error, "%s %s: %s%s%.400s", companion->name, self->spec->argv[0], what,
                     said && said[0] != '\0' ? ": " : "",
                     line   ? line + 1
                     : said ? said
                            : "");
}

/* Starts it and waits until it is ready; companion NULL: nothing to do.
 * Returns false with error as run_process_run does, with what it said last. */
static bool companion_start(run__running *self, const run_companion *companion, GError **error) {
    if (!companion)
        return true;
    if (!run__running_start(self, error)) {
        g_prefix_error(error, "%s: ", companion->name);
        return false;
    }
    int64_t deadline_us = self->started_us + companion->ready_s * G_USEC_PER_SEC;
    while (!is_ready(companion)) {
        if (run__running_wait(self, READY_MS, true))
            return companion_error(self, companion, "ended before it was ready", error);
        if (run_stop_asked(self->spec->stop_fd))
            return run_fail(error, RUN_ERROR_STOPPED, "the agent was told to stop");
        if (g_get_monotonic_time() > deadline_us)
            return companion_error(self, companion, "was not ready in time", error);
    }
    return true;
}

/* Ends and reaps it; served, the result of the program it was for, says when
 * that ended because of it. */
static void companion_end(run__running *self, run_companion *companion,
                          run_process_result *served) {
    if (self->pidfd >= 0) {
        bool ended = run__running_ended(self);
        if (!ended)
            run__running_end(self);
        run__running_reap(self, !ended);
    }
    run__running_log(self);
    if (served->end == RUN_END_COMPANION)
        served->problem = g_strdup_printf("%s ended meanwhile: %.400s", companion->name,
                                          g_strstrip(companion->result.log));
}

#define WEIGH_S 10
#define TICK_MS 1000
#define QUIET_TICK_MS 2000 /* while measuring: each wake-up disturbs, heartbeats need some too */

/*
 * Asking for the free space is cheap, weighing the folder is not: that is done when enough space
 * has gone for the folder to matter, and now and then in case others free as much as it takes.
 */
static bool should_weigh(run__running *run, uint64_t free_bytes) {
    int64_t now_us = g_get_monotonic_time();
    uint64_t gone = run->weighed_free > free_bytes ? run->weighed_free - free_bytes : 0;
    if (now_us - run->weighed_us < WEIGH_S * G_USEC_PER_SEC &&
        gone < run->spec->watch_limit_bytes / 8)
        return false;
    run->weighed_us = now_us;
    run->weighed_free = free_bytes;
    return true;
}

static bool disk_exceeded(run__running *run) {
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

/* A program, its companion if it has one, and what both print. */
typedef struct {
    run__running run, beside;
    run_output *output, *said;
    run_companion *companion;
    bool live;
} member;

static void member_init(member *self, const run_process_spec *spec, run_process_result *result) {
    memset(result, 0, sizeof *result);
    run_companion *companion = spec->companion;
    *self = (member){.output = run_output_new(spec->log_limit_bytes),
                     .said = run_output_new(spec->log_limit_bytes),
                     .companion = companion};
    self->run = run__running_not(spec, result, self->output);
    self->beside = run__running_not(companion ? companion->spec : NULL,
                                    companion ? &companion->result : NULL, self->said);
    self->run.beside = companion ? &self->beside : NULL;
}

static bool member_start(member *self, GError **error) {
    self->live = companion_start(&self->beside, self->companion, error) &&
                 run__running_start(&self->run, error);
    return self->live;
}

static int64_t left_ms_of(const member *self) {
    return (self->run.deadline_us - g_get_monotonic_time() + 999) / 1000;
}

/* Whether it must be ended; why is in its result. */
static bool is_over(member *self) {
    run__running *run = &self->run;
    run_process_result *result = run->result;
    if (left_ms_of(self) <= 0)
        result->end = RUN_END_TIMEOUT;
    else if (run->beside && run__running_ended(run->beside)) {
        run->beside = NULL; /* noticed: ending the program waits for that alone */
        result->end = RUN_END_COMPANION;
    } else if (disk_exceeded(run))
        result->end = RUN_END_DISK;
    else
        return false;
    return true;
}

static void reap(member *self, bool ended_by_us) {
    run__running *run = &self->run;
    run->twin = NULL;
    self->live = false;
    if (ended_by_us)
        run__running_end(run);
    run__running_reap(run, ended_by_us);
}

static void end_all(member *members, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        if (!members[i].live)
            continue;
        members[i].run.result->end = RUN_END_TICK;
        reap(&members[i], true);
    }
}

/* Those that live, each with the other one as its twin; NULL: none does. */
static member *first_live(member *members, unsigned count) {
    member *first = NULL;
    for (unsigned i = 0; i < count; i++) {
        members[i].run.twin = NULL;
        if (!members[i].live)
            continue;
        if (first)
            first->run.twin = &members[i].run;
        else
            first = &members[i];
    }
    return first;
}

/* Waits for a while, or until one of them is gone. */
static void wait_for_one(member *members, unsigned count) {
    member *first = first_live(members, count);
    const run_process_spec *spec = first->run.spec;
    const int64_t tick_ms = spec->log_path ? QUIET_TICK_MS : TICK_MS;
    int64_t ms = left_ms_of(first);
    for (unsigned i = 0; i < count; i++)
        if (members[i].live)
            ms = MIN(ms, left_ms_of(&members[i]));
    if (members[0].run.spec->tick || spec->watch_directory)
        ms = MIN(ms, tick_ms);
    run__running_wait(&first->run, MAX(ms, 0), true);
}

/* Before it had its own session, a terminal's signal could end it together with us. */
static bool stopped_with_us(const member *self, int stop_fd) {
    return self->run.result->end == RUN_END_SIGNAL && run_stop_asked(stop_fd);
}

/* Takes those that have ended. Returns whether there was one. */
static bool take_ended(member *members, unsigned count, int stop_fd, GError **error) {
    bool any = false;
    for (unsigned i = 0; i < count; i++) {
        if (!members[i].live || !run__running_ended(&members[i].run))
            continue;
        reap(&members[i], false);
        any = true;
        if (stopped_with_us(&members[i], stop_fd) && !*error)
            run_fail(error, RUN_ERROR_STOPPED, "the agent was told to stop");
    }
    return any;
}

static bool is_told_to_stop(const run_process_spec *spec, GError **error) {
    if (!run_stop_asked(spec->stop_fd))
        return false;
    run_fail(error, RUN_ERROR_STOPPED, "the agent was told to stop");
    return true;
}

/* Those that have to be. Returns whether there was one. */
static bool end_those_over(member *members, unsigned count) {
    bool any = false;
    for (unsigned i = 0; i < count; i++) {
        if (!members[i].live || !is_over(&members[i]))
            continue;
        reap(&members[i], true);
        any = true;
    }
    return any;
}

/* Until all have ended. Who ends us may have ended a companion, too: that is not its failure. */
static void watch(member *members, unsigned count, GError **error) {
    const run_process_spec *spec = members[0].run.spec;
    while (first_live(members, count) && !*error) {
        wait_for_one(members, count);
        if (!take_ended(members, count, spec->stop_fd, error) && !is_told_to_stop(spec, error) &&
            !end_those_over(members, count) && spec->tick)
            (void)spec->tick(spec->tick_data, error);
    }
    end_all(members, count);
}

static uint64_t kills_of(const run_process_spec *spec) {
    return spec->cgroup ? run_cgroup_memory_kills(spec->cgroup) : 0;
}

/* Nothing of them is left then. */
static void conclude(member *members, unsigned count, uint64_t memory_kills) {
    const run_process_spec *spec = members[0].run.spec;
    const bool memory_spent = kills_of(spec) > memory_kills;
    bool began = false;
    for (unsigned i = 0; i < count; i++) {
        member *one = &members[i];
        if (one->companion)
            companion_end(&one->beside, one->companion, one->run.result);
        began = began || one->run.pid > 0 || one->beside.pid > 0;
    }
    unsigned killed = 0, in_group = spec->cgroup ? run_cgroup_kill(spec->cgroup) : 0;
    const bool stuck = began && run_descendants_kill(&killed) > 0;
    for (unsigned i = 0; i < count; i++) {
        member *one = &members[i];
        run_process_result *result = one->run.result;
        result->stuck = stuck;
        result->memory_spent = memory_spent;
        if (i == 0)
            result->stragglers = MAX(MAX(result->stragglers, killed), in_group);
        run__running_log(&one->run);
        run__running_close(&one->run);
        run__running_close(&one->beside);
    }
}

static bool run_all(const run_process_spec *spec, run_process_result *result, unsigned count,
                    GError **error) {
    member members[2];
    GError *problem = NULL;
    const uint64_t memory_kills = kills_of(spec);
    bool good = true;
    for (unsigned i = 0; i < count; i++)
        member_init(&members[i], &spec[i], &result[i]);
    if (spec->printed)
        run_printed_begin(spec->printed, members[0].output, spec->log_path != NULL);
    for (unsigned i = 0; good && i < count; i++)
        good = member_start(&members[i], &problem);
    if (good)
        watch(members, count, &problem);
    else
        end_all(members, count);
    conclude(members, count, memory_kills);
    if (spec->printed)
        run_printed_end(spec->printed);
    for (unsigned i = 0; i < count; i++) {
        run_output_free(members[i].output);
        run_output_free(members[i].said);
        if (problem)
            run_process_result_clear(&result[i]);
    }
    if (problem)
        g_propagate_error(error, problem);
    return problem == NULL;
}

bool run_process_run(const run_process_spec *spec, run_process_result *result, GError **error) {
    return run_all(spec, result, 1, error);
}

bool run_process_run_both(const run_process_spec *spec, run_process_result *result,
                          GError **error) {
    return run_all(spec, result, 2, error);
}

void run_process_result_clear(run_process_result *result) {
    g_clear_pointer(&result->log, g_free);
    g_clear_pointer(&result->problem, g_free);
}

char *run_process_describe(const run_process_result *result) {
    const char *memory =
        result->memory_spent ? "; its processes needed more than memory_limit_bytes" : "";
    switch (result->end) {
    case RUN_END_EXIT:
        return result->code == 0 ? NULL
                                 : g_strdup_printf("exit status %d after %.1f s%s", result->code,
                                                   result->seconds, memory);
    case RUN_END_SIGNAL:
        return g_strdup_printf("killed by signal %d (%s) after %.1f s%s", result->code,
                               g_strsignal(result->code), result->seconds, memory);
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
