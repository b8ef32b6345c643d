#include "runner/node/gate.h"

#include "config/log.h"
#include "runner/ground/error.h"
#include "runner/ground/procfs.h"
#include "runner/ground/stop.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMED 3

typedef struct {
    int pid;
    uint64_t ticks;
    char name[32];
} user;

/* Processor time and name of one process from its /proc/<pid>/stat. */
static bool read_user(const char *pid, user *out) {
    g_autofree char *path = g_strdup_printf("/proc/%s/stat", pid);
    g_autofree char *text = run_procfs_read(path);
    const char *open = text ? strchr(text, '(') : NULL;
    const char *close = text ? strrchr(text, ')') : NULL;
    if (!open || !close)
        return false;
    g_autofree char *name = g_strndup(open + 1, (gsize)(close - open - 1));
    g_autofree char *valid = g_utf8_make_valid(name, -1);
    g_strlcpy(out->name, valid, sizeof out->name);
    out->pid = (int)strtol(pid, NULL, 10);
    g_auto(GStrv) fields = g_strsplit(close + 2, " ", 14); /* from the state on */
    if (g_strv_length(fields) < 14)
        return false;
    out->ticks = strtoull(fields[11], NULL, 10) + strtoull(fields[12], NULL, 10);
    return true;
}

static GHashTable *read_users(void) {
    GHashTable *users = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_autoptr(GDir) proc = g_dir_open("/proc", 0, NULL);
    const char *name;
    while (proc && (name = g_dir_read_name(proc))) {
        user one;
        if (g_ascii_isdigit(name[0]) && read_user(name, &one) && one.pid != getpid())
            g_hash_table_insert(users, GINT_TO_POINTER(one.pid), g_memdup2(&one, sizeof one));
    }
    return users;
}

static gint compare_users(gconstpointer a, gconstpointer b) {
    const user *left = a, *right = b;
    return (right->ticks > left->ticks) - (right->ticks < left->ticks);
}

char *run_busiest_name(int64_t ms) {
    g_autoptr(GHashTable) before = read_users();
    poll(NULL, 0, (int)ms);
    g_autoptr(GHashTable) after = read_users();
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(user));
    GHashTableIter iter;
    gpointer value;
    g_hash_table_iter_init(&iter, after);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        user one = *(user *)value;
        const user *old = g_hash_table_lookup(before, GINT_TO_POINTER(one.pid));
        one.ticks -= old && old->ticks <= one.ticks ? old->ticks : 0;
        g_array_append_val(all, one);
    }
    g_array_sort(all, compare_users);
    GString *text = g_string_new(NULL);
    double tick_percent = 1e5 / ((double)sysconf(_SC_CLK_TCK) * (double)MAX(ms, 1));
    for (guint i = 0; i < MIN(all->len, NAMED); i++) {
        const user *one = &g_array_index(all, user, i);
        double percent = (double)one->ticks * tick_percent;
        if (percent >= 2) {
            g_string_append_printf(text, "%s%s (%d) %.0f %%", text->len > 0 ? ", " : "", one->name,
                                   one->pid, percent);
        }
    }
    return text->len > 0 ? g_string_free(text, FALSE)
                         : (g_string_free(text, TRUE), g_strdup("no single process"));
}

#define WINDOW_MIN_S 0.1 /* ten ticks: less says nothing */
#define WINDOW_MS 1000
#define BUSIEST_MS 500

/* The bounds of a node's configuration for either question. */
static run_gate_bounds gate_idle(const cfg_runner *config) {
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
    if (span->went_back)
        return g_strdup("the kernel's processor clock was set back: what others used is not known");
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
    if (run_stop_sleep(node->stop_fd, ms))
        return run_fail(error, RUN_ERROR_STOPPED, "the agent was told to stop");
    return !tick || tick(tick_data, error);
}

static bool give_up(const run_node *node, const char *reason, GError **error) {
    g_autofree char *busiest = run_busiest_name(BUSIEST_MS);
    return run_fail(error, RUN_ERROR_BUSY,
                    "the node was not idle for %u s (gate_wait_seconds): %s; busiest: %s",
                    node->config->gate_wait_s, reason, busiest);
}

static bool wait_idle(const run_node *node, run_readings *since, run_process_tick tick,
                      run_gate_waits told, void *tick_data, GError **error) {
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
        run_gate_bounds bounds = gate_idle(node->config);
        g_autofree char *reason = run_gate_judge(&span, &bounds);
        if (!reason)
            return true;
        if (!said)
            cfg_log("info", "gate", "waiting", "reason=\"%s\"", reason);
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
                   run_gate_waits told, void *tick_data, GError **error) {
    if (node->config->gate_wait_s == 0)
        return true;
    const bool good = wait_idle(node, since, tick, told, tick_data, error);
    if (told)
        told(tick_data, NULL);
    return good;
}
