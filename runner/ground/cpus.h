#pragma once
/*
 * cpus - sets of processors, as people and the kernel write them: "0-3,8".
 */
#include <glib.h>
#include <sched.h>
#include <stdbool.h>

/* run_cpus_parse - fills set. False with RUN_ERROR_JOB when the text is not such a list. */
bool run_cpus_parse(const char *text, cpu_set_t *set, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_cpus_format - the shortest such list; "" for none. Returns a string to g_free. */
char *run_cpus_format(const cpu_set_t *set);

/* run_cpus_pin - this process runs on one processor from now on; -1: wherever it is. before: where
 * it ran, to be set again. */
void run_cpus_pin(int cpu, cpu_set_t *before);

/* run_cpus_allowed - where this process may run now; all, when the kernel does not say. */
void run_cpus_allowed(cpu_set_t *set);
