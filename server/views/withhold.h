#pragma once
/*
 * withhold - what public_read alone shows to nobody: logs of what programs have printed, the
 * values of the environment variables that a benchmark is given, and the command line of a node's
 * kernel. Each may hold a password or a host's name. Names stay, and that a value has changed. So
 * do reasons (of a job, a night, an explanation, a bridge, doubts), in which a failed program's
 * last line may stand, of at most 400 bytes. Each function writes "withheld" into what it is given:
 * whether something was left out. details: the reader may see all; NULL views are left alone.
 */
#include <jansson.h>
#include <stdbool.h>

/** srv_withhold_job - "log" and "progress.log" of a job become null. */
void srv_withhold_job(json_t *job, bool details);

/** srv_withhold_jobs - likewise of each in a list. */
void srv_withhold_jobs(json_t *jobs, bool details);

/** srv_withhold_nodes - "progress.log" of each node in a list; they get no "withheld". */
void srv_withhold_nodes(json_t *nodes, bool details);

/** srv_withhold_experiment - "log" and "environment_detail.kernel_options" become null, and in
 * "benchmark.configurations[].environment": name → null. */
void srv_withhold_experiment(json_t *experiment, bool details);

/** srv_withhold_comparison - in "benchmark" and "environment", likewise; a value that differs
 * becomes "changed". */
void srv_withhold_comparison(json_t *comparison, bool details);
