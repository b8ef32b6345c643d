#pragma once
/*
 * descendants - every process that came from us, however it tried to get away.
 *
 * The caller must be a child subreaper: then a daemon that left its session is still below it.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

/* run_descendants_adopt - become the subreaper of all that is started from now on. */
bool run_descendants_adopt(GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_descendants_kill - stops, kills and reaps all that is below this process.
 * Stopping first keeps a fork storm from outrunning us. Bounded: returns the number still alive
 * after RUN_KILL_PATIENCE_MS (0 normally; stuck in the kernel otherwise).
 * killed  out, may be NULL: how many had to be killed
 */
unsigned run_descendants_kill(unsigned *killed);

#define RUN_KILL_PATIENCE_MS 10000

/*
 * course - what a process and its descendants take while they run: resident memory, and processor
 * by name of thread.
 *
 * They are looked at ever less often, so that looking disturbs a long process no more than a short
 * one; what /proc does not show is not told.
 */
typedef struct run_course run_course;

run_course *run_course_new(void);
void run_course_free(run_course *course);

/* run_course_look - called now and then, so many seconds after the start; looks when it is time. */
void run_course_look(run_course *course, pid_t pid, double seconds);

/* run_course_json - of a process that took so many seconds: {"threads": {NAME: per cent of one
 * processor, from 0.5 on}, "growth_mb"}. Names that differ by a number at their end are one.
 * growth_mb: of resident memory in its second half, by a line through what was seen; left out where
 * that was too little. NULL: it was too short to be looked at. json_decref. */
json_t *run_course_json(const run_course *course, double seconds);

/*
 * leftovers - processes of a job that outlived a killed agent.
 *
 * The benchmark itself dies with the agent; what it had started may not. Such processes are known
 * by where they work: their working directory or the TMPDIR they were given lies in our work_dir.
 */

/* run_leftovers_kill - kills them; returns how many. To be called before any job is begun. */
unsigned run_leftovers_kill(const char *work_dir);
