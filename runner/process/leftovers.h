#pragma once
/*
 * leftovers - processes of a job that outlived a killed agent.
 *
 * The benchmark itself dies with the agent; what it had started may not. Such processes are known
 * by where they work: their working directory or the TMPDIR they were given lies in our work_dir.
 */
#include <glib.h>

/* run_leftovers_kill - kills them; returns how many. To be called before any job is begun. */
unsigned run_leftovers_kill(const char *work_dir);
