#include "runner/readings.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

uint64_t run_readings_parse_stat(const char *text) {
    uint64_t v[8] = {0};
    int got = 0;
    if (!g_str_has_prefix(text, "cpu ")) {
        return 0;
    }
    for (const char *next = text + 4; got < 8; got++) {
        char *end = NULL;
        v[got] = strtoull(next, &end, 10);
        if (end == next || (*end != ' ' && *end != '\n')) {
            break;
        }
        next = end;
        if (*end == '\n') {
            got++;
            break;
        }
    }
    /* 3 and 4 are idle and waiting for a disk; guest time is part of user time. */
    return got < 4 ? 0 : v[0] + v[1] + v[2] + v[5] + v[6] + v[7];
}

static double cpu_seconds(int who) {
    struct rusage usage;
    if (getrusage(who, &usage) != 0) {
        return 0;
    }
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void run_readings_take(run_readings *now) {
    g_autofree char *stat = NULL;
    double load[1] = {0};
    *now = (run_readings){.at_us = g_get_monotonic_time()};
    if (g_file_get_contents("/proc/stat", &stat, NULL, NULL)) {
        now->busy_ticks = run_readings_parse_stat(stat);
    }
    now->own_cpu_seconds = cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN);
    now->load1 = getloadavg(load, 1) == 1 ? load[0] : 0;
}

json_t *run_readings_between(const run_readings *before, const run_readings *after) {
    double seconds = (double)(after->at_us - before->at_us) / 1e6;
    double busy = (double)(after->busy_ticks - before->busy_ticks) / (double)sysconf(_SC_CLK_TCK);
    double others = busy - (after->own_cpu_seconds - before->own_cpu_seconds);
    double percent = seconds > 0 ? fmax(0, 100 * others / seconds) : 0;
    return json_pack("{s:f, s:f}", "others_cpu_percent", round(percent * 100) / 100, "load1",
                     before->load1);
}
