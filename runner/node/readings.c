#include "runner/node/gate.h"

#include "config/json_text.h"
#include "runner/ground/procfs.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *const pressures[3] = {"cpu", "io", "memory"};

static double cpu_seconds(int who) {
    struct rusage usage;
    if (getrusage(who, &usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* The first whole number of a file, or fallback. */
static int64_t number_of(const char *path, int64_t fallback) {
    g_autofree char *text = run_procfs_read(path);
    char *end = NULL;
    int64_t number = text ? strtoll(text, &end, 10) : 0;
    return text && end != text ? number : fallback;
}

/* "total=" of the "some" line of a /proc/pressure file; 0 if none. */
static uint64_t pressure_us_of(const char *text) {
    const char *total = text && g_str_has_prefix(text, "some ") ? strstr(text, "total=") : NULL;
    return total ? strtoull(total + strlen("total="), NULL, 10) : 0;
}

static double read_frequency_mhz(const cpu_set_t *cpus) {
    double sum = 0;
    unsigned count = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, cpus)) {
            g_autofree char *path =
                g_strdup_printf("/sys/devices/system/cpu/cpu%zu/cpufreq/scaling_cur_freq", cpu);
            int64_t khz = number_of(path, 0);
            sum += (double)khz / 1e3;
            count += khz > 0;
        }
    }
    return count > 0 ? sum / count : 0;
}

static uint64_t read_throttles(const cpu_set_t *cpus) {
    uint64_t sum = 0;
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, cpus)) {
            g_autofree char *path = g_strdup_printf(
                "/sys/devices/system/cpu/cpu%zu/thermal_throttle/core_throttle_count", cpu);
            sum += (uint64_t)number_of(path, 0);
        }
    }
    return sum;
}

static double read_temperature_c(void) {
    double hottest = NAN;
    for (unsigned zone = 0;; zone++) {
        g_autofree char *path = g_strdup_printf("/sys/class/thermal/thermal_zone%u/temp", zone);
        int64_t millis = number_of(path, INT64_MIN);
        if (millis == INT64_MIN)
            return hottest;
        hottest = fmax(hottest, (double)millis / 1e3);
    }
}

void run_readings_take(run_readings *now, const cpu_set_t *cpus) {
    *now = (run_readings){.frequency_mhz = read_frequency_mhz(cpus),
                          .temperature_c = read_temperature_c(),
                          .throttles = read_throttles(cpus)};
    for (size_t i = 0; i < 3; i++) {
        g_autofree char *path = g_strconcat("/proc/pressure/", pressures[i], NULL);
        g_autofree char *text = run_procfs_read(path);
        now->pressure_us[i] = pressure_us_of(text);
    }
    g_autofree char *memory = run_procfs_read("/proc/meminfo");
    if (memory)
        now->memory_mb = (double)run_procfs_field(memory, "MemAvailable") / 1024;
    g_autofree char *interrupts = run_procfs_read("/proc/interrupts");
    if (interrupts)
        now->interrupts_on_cpus = run_procfs_interrupts(interrupts, cpus);
    double load[1];
    now->load1 = getloadavg(load, 1) == 1 ? load[0] : 0;
    /* Last, and close together: the others' share is their difference. */
    g_autofree char *stat = run_procfs_read("/proc/stat");
    run_procfs_parse_stat(stat, &now->stat);
    now->own_cpu_seconds = cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN);
    now->at_us = g_get_monotonic_time();
}

/* 0 where the counter was set back, as in a container whose /proc is made anew, or in a virtual
 * machine that has moved. */
static double counted(uint64_t before, uint64_t after) {
    return after > before ? (double)(after - before) : 0;
}

void run_readings_between(const run_readings *before, const run_readings *after,
                          run_readings_span *out) {
    const run_procfs_stat *first = &before->stat, *last = &after->stat;
    double seconds = fmax((double)(after->at_us - before->at_us) / 1e6, 1e-3);
    double ticks = (double)sysconf(_SC_CLK_TCK);
    double cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
    double busy = counted(first->busy_ticks, last->busy_ticks) / ticks;
    double steal = counted(first->steal_ticks, last->steal_ticks) / ticks;
    double own = after->own_cpu_seconds - before->own_cpu_seconds;
    *out = (run_readings_span){
        .seconds = seconds,
        .others_cpu_percent = fmax(0, 100 * (busy - steal - own) / seconds),
        .steal_percent = 100 * steal / seconds / cores,
        .switches_per_s = counted(first->switches, last->switches) / seconds,
        .interrupts_per_s = counted(first->interrupts, last->interrupts) / seconds,
        .interrupts_on_cpus_per_s =
            counted(before->interrupts_on_cpus, after->interrupts_on_cpus) / seconds,
        .throttles = (uint64_t)counted(before->throttles, after->throttles),
        .went_back = last->busy_ticks < first->busy_ticks || last->steal_ticks < first->steal_ticks,
        .before = *before,
        .after = *after};
    for (size_t i = 0; i < 3; i++) {
        out->pressure_percent[i] =
            counted(before->pressure_us[i], after->pressure_us[i]) / 1e4 / seconds;
    }
}

/* Two digits behind the point say enough, and keep the spool small. */
static json_t *rounded(double value) {
    return cfg_json_real(round(value * 100) / 100);
}

static void set_pair(json_t *out, const char *key, double before, double after) {
    if (isfinite(before) && isfinite(after) && (before > 0 || after > 0))
        json_object_set_new(out, key, json_pack("[o, o]", rounded(before), rounded(after)));
}

json_t *run_readings_json(const run_readings_span *span) {
    json_t *out =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "others_cpu_percent",
                  rounded(span->others_cpu_percent), "steal_percent", rounded(span->steal_percent),
                  "switches_per_s", rounded(span->switches_per_s), "interrupts_per_s",
                  rounded(span->interrupts_per_s), "benchmark_cpus_interrupts_per_s",
                  rounded(span->interrupts_on_cpus_per_s), "load1", rounded(span->before.load1));
    for (size_t i = 0; i < 3; i++) {
        g_autofree char *key = g_strdup_printf("%s_pressure_percent", pressures[i]);
        json_object_set_new(out, key, rounded(span->pressure_percent[i]));
    }
    set_pair(out, "running", (double)span->before.stat.running, (double)span->after.stat.running);
    set_pair(out, "frequency_mhz", span->before.frequency_mhz, span->after.frequency_mhz);
    set_pair(out, "temperature_c", span->before.temperature_c, span->after.temperature_c);
    set_pair(out, "memory_available_mb", span->before.memory_mb, span->after.memory_mb);
    if (span->throttles > 0)
        json_object_set_new(out, "throttles", json_integer((json_int_t)span->throttles));
    return out;
}

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
                   : (double)(run_procfs_field(memory, "MemTotal") -
                              run_procfs_field(memory, "MemAvailable")) /
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

static void usage_add(run_usage *usage, const run_usage_sample *sample);

/* A disk or an interface that is gone takes what it counted with it. */
static run_usage_sample usage_between(const totals *before, const totals *after, double seconds) {
    return (run_usage_sample){.cpu_percent =
                                  fmax(0, 100 * (after->cpu_s - before->cpu_s) / seconds),
                              .disk_mb = fmax(0, after->disk_mb - before->disk_mb),
                              .network_mb = fmax(0, after->network_mb - before->network_mb)};
}

void run_usage_tick(run_usage *usage, bool last) {
    double seconds = (double)(g_get_monotonic_time() - usage->last.at_us) / 1e6;
    if (seconds < (last ? 1 : usage->every_s))
        return;
    totals now;
    double memory_mb = read_totals(&now);
    run_usage_sample sample = usage_between(&usage->last, &now, seconds);
    sample.memory_mb = memory_mb;
    usage->last = now;
    usage_add(usage, &sample);
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

/* One sample of the present interval; joins neighbours when full. */
static void usage_add(run_usage *usage, const run_usage_sample *sample) {
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
