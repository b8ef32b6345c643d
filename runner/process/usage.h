#pragma once
/*
 * usage - the node's use of processor, memory, disk and network over the time of one loop, as
 * MooBench's own controller logs it.
 *
 * A sample every few seconds, so that looking does not disturb; memory is bounded: when full,
 * neighbours are joined and the interval doubles.
 */
#include <glib.h>
#include <jansson.h>

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

/* run_usage_tick - called now and then; takes a sample when it is time. */
void run_usage_tick(run_usage *usage);

/* run_usage_finish - the last sample, of less than the interval; below a second there is none. */
void run_usage_finish(run_usage *usage);

/* run_usage_add - one sample of the present interval; joins neighbours when full. */
void run_usage_add(run_usage *usage, const run_usage_sample *sample);

/* run_usage_json - {"every_seconds", "cpu_percent": [], "memory_mb": [], …}; json_decref. */
json_t *run_usage_json(const run_usage *usage);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_usage, run_usage_free)
