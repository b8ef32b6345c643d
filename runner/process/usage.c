#include "runner/process/usage.h"

#include "runner/ground/procfs.h"

#include <math.h>
#include <unistd.h>

typedef struct {
    int64_t at_us;
    double cpu_s, disk_mb, network_mb;
} totals;

struct run_usage {
    run_usage_sample samples[RUN_USAGE_SAMPLES_MAX];
    unsigned count;
    unsigned every_s;
    totals last;
};

static double read_totals(totals *out) {
    g_autofree char *stat_text = run_procfs_read("/proc/stat");
    g_autofree char *disks = run_procfs_read("/proc/diskstats");
    g_autofree char *network = run_procfs_read("/proc/net/dev");
    g_autofree char *memory = run_procfs_read("/proc/meminfo");
    run_procfs_stat stat;
    run_procfs_parse_stat(stat_text, &stat);
    *out = (totals){.at_us = g_get_monotonic_time(),
                    .cpu_s = (double)stat.busy_ticks / (double)sysconf(_SC_CLK_TCK),
                    .disk_mb = disks ? (double)run_procfs_disk_sectors(disks) * 512 / 1e6 : 0,
                    .network_mb = network ? (double)run_procfs_network_bytes(network) / 1e6 : 0};
    return !memory ? 0
                   : (double)(run_procfs_field(memory, "MemTotal", 0) -
                              run_procfs_field(memory, "MemAvailable", 0)) /
                         1024;
}

run_usage *run_usage_new(void) {
    run_usage *usage = g_new0(run_usage, 1);
    usage->every_s = RUN_USAGE_EVERY_S;
    read_totals(&usage->last);
    return usage;
}

void run_usage_free(run_usage *usage) {
    g_free(usage);
}

static void sample_after(run_usage *usage, double least_s) {
    double seconds = (double)(g_get_monotonic_time() - usage->last.at_us) / 1e6;
    if (seconds < least_s)
        return;
    totals now;
    double memory_mb = read_totals(&now);
    run_usage_sample sample = {.cpu_percent = 100 * (now.cpu_s - usage->last.cpu_s) / seconds,
                               .memory_mb = memory_mb,
                               .disk_mb = now.disk_mb - usage->last.disk_mb,
                               .network_mb = now.network_mb - usage->last.network_mb};
    usage->last = now;
    run_usage_add(usage, &sample);
}

void run_usage_tick(run_usage *usage) {
    sample_after(usage, usage->every_s);
}

void run_usage_finish(run_usage *usage) {
    sample_after(usage, 1);
}

static void join_neighbours(run_usage *usage) {
    for (unsigned i = 0; i < usage->count / 2; i++) {
        const run_usage_sample *a = &usage->samples[2 * i], *b = &usage->samples[2 * i + 1];
        usage->samples[i] = (run_usage_sample){.cpu_percent = (a->cpu_percent + b->cpu_percent) / 2,
                                               .memory_mb = fmax(a->memory_mb, b->memory_mb),
                                               .disk_mb = a->disk_mb + b->disk_mb,
                                               .network_mb = a->network_mb + b->network_mb};
    }
    usage->count /= 2;
    usage->every_s *= 2;
}

void run_usage_add(run_usage *usage, const run_usage_sample *sample) {
    if (usage->count == RUN_USAGE_SAMPLES_MAX)
        join_neighbours(usage);
    usage->samples[usage->count++] = *sample;
}

static void append(json_t *list, double value) {
    json_array_append_new(list, json_real(round(value * 100) / 100));
}

json_t *run_usage_json(const run_usage *usage) {
    json_t *cpu = json_array(), *memory = json_array(), *disk = json_array(), *net = json_array();
    for (unsigned i = 0; i < usage->count; i++) {
        append(cpu, usage->samples[i].cpu_percent);
        append(memory, usage->samples[i].memory_mb);
        append(disk, usage->samples[i].disk_mb);
        append(net, usage->samples[i].network_mb);
    }
    return json_pack("{s:i, s:o, s:o, s:o, s:o}", "every_seconds", (int)usage->every_s,
                     "cpu_percent", cpu, "memory_mb", memory, "disk_mb", disk, "network_mb", net);
}
