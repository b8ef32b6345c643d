#pragma once
/*
 * readings - how idle the node was while a process ran.
 *
 * Two looks at /proc, before and after; nothing in between. Processor time is counted by the
 * kernel in ticks (10 ms): below a second's run the percentages are coarse.
 */
#include <jansson.h>
#include <stdint.h>

typedef struct {
    int64_t at_us;          /* monotonic */
    uint64_t busy_ticks;    /* all processors, stolen time included */
    double own_cpu_seconds; /* of the agent and its children so far */
    double load1;
} run_readings;

/* run_readings_take - the state now; what cannot be read is 0. */
void run_readings_take(run_readings *now);

/**
 * run_readings_parse_stat - busy ticks of the first line of a /proc/stat text: user, nice, system,
 * irq, softirq and steal. Returns 0 when it is not understood.
 */
uint64_t run_readings_parse_stat(const char *text);

/* run_readings_between - {"others_cpu_percent" of one CPU, "load1" at the start}; json_decref. */
json_t *run_readings_between(const run_readings *before, const run_readings *after);
