#include "runner/process/process.h"

#include "runner/ground/error.h"
#include "runner/ground/stop.h"
#include "runner/process/companion.h"
#include "runner/process/descendants.h"
#include "runner/process/running.h"
#include "runner/process/scratch.h"

#include <inttypes.h>
#include <string.h>

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

/* Waits for the end of the program. Returns whether we have to end it; why is in result and
 * error. */
static bool must_end(run__running *run, GError **error) {
    bool needs_ticks = run->spec->tick || run->spec->watch_directory;
    int64_t tick_ms = run->spec->log_path ? QUIET_TICK_MS : TICK_MS;
    for (;;) {
        int64_t left_ms = (run->deadline_us - g_get_monotonic_time() + 999) / 1000;
        if (left_ms <= 0) {
            run->result->end = RUN_END_TIMEOUT;
            return true;
        }
        if (run__running_wait(run, needs_ticks ? MIN(left_ms, tick_ms) : left_ms, true))
            return false;
        if (run_stop_asked(run->spec->stop_fd)) {
            g_set_error(error, RUN_ERROR, RUN_ERROR_STOPPED, "the agent was told to stop");
            run->result->end = RUN_END_TICK;
            return true;
        }
        if (run->beside && run__running_ended(run->beside)) {
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

bool run_process_run(const run_process_spec *spec, run_process_result *result, GError **error) {
    memset(result, 0, sizeof *result);
    run_companion *companion = spec->companion;
    g_autoptr(run_output) said = run_output_new(spec->log_limit_bytes);
    run__running beside = run__running_not(companion ? companion->spec : NULL,
                                           companion ? &companion->result : NULL, said);
    g_autoptr(run_output) output = run_output_new(spec->log_limit_bytes);
    run__running run = run__running_not(spec, result, output);
    run.beside = companion ? &beside : NULL;
    GError *problem = NULL;
    if (spec->printed)
        run_printed_begin(spec->printed, output, spec->log_path != NULL);
    if (run__companion_start(&beside, companion, &problem) && run__running_start(&run, &problem)) {
        bool ended = must_end(&run, &problem);
        if (ended)
            run__running_end(&run);
        run__running_reap(&run, ended);
        /* Before it had its own session, a terminal's signal could end it together with us. */
        if (!ended && result->end == RUN_END_SIGNAL && run_stop_asked(spec->stop_fd))
            g_set_error(&problem, RUN_ERROR, RUN_ERROR_STOPPED, "the agent was told to stop");
    }
    if (companion)
        run__companion_end(&beside, companion, result);
    unsigned killed = 0, in_group = spec->cgroup ? run_cgroup_kill(spec->cgroup) : 0;
    result->stuck = (run.pid > 0 || beside.pid > 0) && run_descendants_kill(&killed) > 0;
    result->stragglers = MAX(MAX(result->stragglers, killed), in_group);
    run__running_log(&run);
    if (spec->printed)
        run_printed_end(spec->printed);
    run__running_close(&run);
    run__running_close(&beside);
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
