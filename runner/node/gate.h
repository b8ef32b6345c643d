#pragma once
/*
 * gate - whether the node is idle enough to begin, and whether a loop was disturbed.
 */
#include "runner/ground/procfs.h"
#include "runner/node/node.h"

#include <glib.h>
#include <jansson.h>
#include <stdint.h>

/*
 * readings - how idle the node is: two looks at the kernel's counters, and what lies between them.
 *
 * Processor time is counted in ticks (10 ms): over less than a second percentages are coarse, and
 * bounds are held with RUN_READINGS_TOLERANCE_TICKS to spare.
 */

#define RUN_READINGS_TOLERANCE_TICKS 3 /* start, end, and the rounding of our own share */

/* One look. What the node does not tell is 0, a temperature NAN. */
typedef struct {
    int64_t at_us; /* monotonic */
    run_procfs_stat stat;
    double own_cpu_seconds;      /* of the agent and its children that have ended */
    uint64_t pressure_us[3];     /* some task waited for: processor, disk, memory */
    uint64_t interrupts_on_cpus; /* on the benchmark's processors */
    uint64_t throttles;          /* times a processor was slowed down because of heat */
    double load1;
    double frequency_mhz; /* mean over the benchmark's processors */
    double temperature_c; /* hottest zone */
    double memory_mb;     /* available */
} run_readings;

/* What lies between two looks. Percentages are of one processor unless said otherwise. */
typedef struct {
    double seconds;
    double others_cpu_percent; /* busy, less the agent and its children */
    double steal_percent;      /* of all processors */
    double pressure_percent[3];
    double switches_per_s, interrupts_per_s, interrupts_on_cpus_per_s;
    uint64_t throttles;
    bool went_back; /* the kernel's processor clocks did: what others used is not known, and 0 */
    run_readings before, after;
} run_readings_span;

/* run_readings_take - the state now. cpus: the benchmark's processors. */
void run_readings_take(run_readings *now, const cpu_set_t *cpus);

void run_readings_between(const run_readings *before, const run_readings *after,
                          run_readings_span *out);

/* run_readings_json - the "readings" object of a loop; json_decref. */
json_t *run_readings_json(const run_readings_span *span);

/*
 * usage - the node's use of processor, memory, disk and network over the time of one loop, as
 * MooBench's own controller logs it.
 *
 * A sample every few seconds, so that looking does not disturb; memory is bounded: when full,
 * neighbours are joined and the interval doubles.
 */

#define RUN_USAGE_EVERY_S 10

#define RUN_USAGE_SAMPLES_MAX 240

typedef struct {
    double cpu_percent; /* of one processor, everybody */
    double memory_mb;   /* in use */
    double disk_mb;     /* read and written */
    double network_mb;  /* received and sent */
} run_usage_sample;

typedef struct run_usage run_usage;

run_usage *run_usage_new(void);

void run_usage_free(run_usage *usage);

/* run_usage_tick - called now and then; takes a sample when it is time. last: of less than the
 * interval, too; below a second there is none. */
void run_usage_tick(run_usage *usage, bool last);

/* run_usage_json - {"every_seconds", "cpu_percent": [], "memory_mb": [], …}; json_decref. */
json_t *run_usage_json(const run_usage *usage);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_usage, run_usage_free)

typedef struct {
    double cpu_percent;   /* of one processor, used by others */
    double steal_percent; /* of all processors */
    double temperature_c; /* 0: no bound */
} run_gate_bounds;

run_gate_bounds run_gate_disturbed(const cfg_runner *config);

/**
 * run_gate_judge - why these readings are beyond the bounds, in words; NULL when they are not.
 * Returns a string to g_free. Shares of time are held with RUN_READINGS_TOLERANCE_TICKS to spare.
 */
char *run_gate_judge(const run_readings_span *span, const run_gate_bounds *bounds);

/* run_gate_waits - why the gate waits, in words; NULL: it waits no more. */
typedef void (*run_gate_waits)(void *tick_data, const char *reason);

/**
 * run_gate_wait - returns when the node was idle for a moment, at once if it was since `since`.
 * since  readings taken when the last process ended; renewed while waiting
 * told   is called before each wait, and with NULL after the last one; NULL: nobody asks
 * Errors: RUN_ERROR_BUSY when gate_wait_s are over ("not idle for 600 s: …; busiest: …"),
 * RUN_ERROR_STOPPED, or the tick's own. Without a gate it returns true at once.
 */
bool run_gate_wait(const run_node *node, run_readings *since, run_process_tick tick,
                   run_gate_waits told, void *tick_data, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * busiest - who uses the processors: named when the node does not get idle.
 */

/**
 * run_busiest_name - the processes outside ours that used most in the next `ms` milliseconds:
 * "cc1 (4711) 88 %, …", at most three, "no single process" when none stands out. g_free.
 */
char *run_busiest_name(int64_t ms);
