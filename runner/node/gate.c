#include "runner/node/gate.h"

#include "runner/ground/error.h"
#include "runner/ground/log.h"
#include "runner/ground/stop.h"
#include "runner/node/busiest.h"

#include <math.h>
#include <unistd.h>

#define WINDOW_MIN_S 0.1 /* ten ticks: less says nothing */
#define WINDOW_MS 1000
#define BUSIEST_MS 500

run_gate_bounds run_gate_idle(const cfg_runner *config) {
    return (run_gate_bounds){.cpu_percent = config->idle_cpu_percent,
                             .steal_percent = config->disturbed_steal_percent,
                             .temperature_c = config->temperature_limit_c};
}

run_gate_bounds run_gate_disturbed(const cfg_runner *config) {
    return (run_gate_bounds){.cpu_percent = config->disturbed_cpu_percent,
                             .steal_percent = config->disturbed_steal_percent,
                             .temperature_c = config->temperature_limit_c};
}

char *run_gate_judge(const run_readings_span *span, const run_gate_bounds *bounds) {
    double spare_percent =
        100.0 * RUN_READINGS_TOLERANCE_TICKS / (double)sysconf(_SC_CLK_TCK) / span->seconds;
    if (span->others_cpu_percent > bounds->cpu_percent + spare_percent) {
        return g_strdup_printf("others used %.1f %% of a processor (bound %.1f %%)",
                               span->others_cpu_percent, bounds->cpu_percent);
    }
    if (span->steal_percent > bounds->steal_percent + spare_percent) {
        return g_strdup_printf("the hypervisor took %.1f %% of the processors (bound %.1f %%)",
                               span->steal_percent, bounds->steal_percent);
    }
    if (span->throttles > 0) {
        return g_strdup_printf("a processor was slowed down by heat %" G_GUINT64_FORMAT " times",
                               span->throttles);
    }
    double hottest = fmax(span->before.temperature_c, span->after.temperature_c);
    if (bounds->temperature_c > 0 && isfinite(hottest) && hottest > bounds->temperature_c)
        return g_strdup_printf("%.0f degrees Celsius (bound %.0f)", hottest, bounds->temperature_c);
    return NULL;
}

/* A window's sleep; the tick is asked too. */
static bool sleep_some(const run_node *node, int64_t ms, run_process_tick tick, void *tick_data,
                       GError **error) {
    if (run_stop_sleep(node->stop_fd, ms)) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_STOPPED, "the agent was told to stop");
        return false;
    }
    return !tick || tick(tick_data, error);
}

static bool give_up(const run_node *node, const char *reason, GError **error) {
    g_autofree char *busiest = run_busiest_name(BUSIEST_MS);
    g_set_error(error, RUN_ERROR, RUN_ERROR_BUSY,
                "the node was not idle for %u s (gate_wait_seconds): %s; busiest: %s",
                node->config->gate_wait_s, reason, busiest);
    return false;
}

static bool wait_idle(const run_node *node, run_readings *since, run_process_tick tick,
                      run_gate_told told, void *tick_data, GError **error) {
    int64_t end_us = g_get_monotonic_time() + node->config->gate_wait_s * G_USEC_PER_SEC;
    for (bool said = false;; said = true) {
        double window_s = (double)(g_get_monotonic_time() - since->at_us) / 1e6;
        if (window_s < WINDOW_MIN_S &&
            !sleep_some(node, (int64_t)(1e3 * (WINDOW_MIN_S - window_s)) + 1, tick, tick_data,
                        error))
            return false;
        run_readings now;
        run_readings_span span;
        run_readings_take(&now, &node->benchmark_cpus);
        run_readings_between(since, &now, &span);
        run_gate_bounds bounds = run_gate_idle(node->config);
        g_autofree char *reason = run_gate_judge(&span, &bounds);
        if (!reason)
            return true;
        if (!said)
            run_log("info", "gate", "waiting", "reason=\"%s\"", reason);
        if (g_get_monotonic_time() >= end_us)
            return give_up(node, reason, error);
        *since = now;
        if (told)
            told(tick_data, reason);
        if (!sleep_some(node, WINDOW_MS, tick, tick_data, error))
            return false;
    }
}

bool run_gate_wait(const run_node *node, run_readings *since, run_process_tick tick,
                   run_gate_told told, void *tick_data, GError **error) {
    if (node->config->gate_wait_s == 0)
        return true;
    const bool good = wait_idle(node, since, tick, told, tick_data, error);
    if (told)
        told(tick_data, NULL);
    return good;
}
