#pragma once
/*
 * descendants - every process that came from us, however it tried to get away.
 *
 * The caller must be a child subreaper: then a daemon that left its session is still below it.
 */
#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/* run_descendants_adopt - become the subreaper of all that is started from now on. */
bool run_descendants_adopt(GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_descendants_list - pids of all living processes below `root`, zombies left out.
 * Returns GArray of pid_t to g_array_unref; empty when /proc cannot be read.
 */
GArray *run_descendants_list(pid_t root);

/**
 * run_descendants_kill - stops, kills and reaps all that is below this process.
 * Stopping first keeps a fork storm from outrunning us. Bounded: returns the number still alive
 * after RUN_KILL_PATIENCE_MS (0 normally; stuck in the kernel otherwise).
 * killed  out, may be NULL: how many had to be killed
 */
unsigned run_descendants_kill(unsigned *killed);

#define RUN_KILL_PATIENCE_MS 10000

/*
 * leftovers - processes of a job that outlived a killed agent.
 *
 * The benchmark itself dies with the agent; what it had started may not. Such processes are known
 * by where they work: their working directory or the TMPDIR they were given lies in our work_dir.
 */

/* run_leftovers_kill - kills them; returns how many. To be called before any job is begun. */
unsigned run_leftovers_kill(const char *work_dir);
