#pragma once
/*
 * gate - whether the node is idle enough to begin, and whether a loop was disturbed.
 */
#include "runner/node/node.h"
#include "runner/node/readings.h"

#include <glib.h>
#include <stdint.h>

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

/* run_gate_told - why the gate waits, in words; NULL: it waits no more. */
typedef void (*run_gate_told)(void *tick_data, const char *reason);

/**
 * run_gate_wait - returns when the node was idle for a moment, at once if it was since `since`.
 * since  readings taken when the last process ended; renewed while waiting
 * told   is called before each wait, and with NULL after the last one; NULL: nobody asks
 * Errors: RUN_ERROR_BUSY when gate_wait_s are over ("not idle for 600 s: …; busiest: …"),
 * RUN_ERROR_STOPPED, or the tick's own. Without a gate it returns true at once.
 */
bool run_gate_wait(const run_node *node, run_readings *since, run_process_tick tick,
                   run_gate_told told, void *tick_data, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * busiest - who uses the processors: named when the node does not get idle.
 */

/**
 * run_busiest_name - the processes outside ours that used most in the next `ms` milliseconds:
 * "cc1 (4711) 88 %, …", at most three, "no single process" when none stands out. g_free.
 */
char *run_busiest_name(int64_t ms);
