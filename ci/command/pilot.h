#pragma once
/* pilot - what a few processes of each configuration showed, and the plan that follows. */
#include "ci/command/command.h"
#include "config/config.h"
#include "detector/statistics/plan.h"

#define CI_PILOT_CONFIGURATIONS 64u

/* One configuration. */
typedef struct {
    const char *name, *portion; /* borrowed from the project */
    int parent;                 /* its place; -1: none */
    det_components varies;      /* ns */
    double start_s, call_s;     /* of a process: all but the calls that count; such a call */
    double warmup, calls;       /* now: dropped, and counted */
    double planned;             /* calls that should count */
    double share;               /* of the processes, were they not the same for all */
} ci_pilot_leg;

typedef struct {
    ci_pilot_leg leg[CI_PILOT_CONFIGURATIONS];
    size_t count;
    unsigned loops, planned_loops;     /* processes of each configuration */
    double seconds_now, seconds_after; /* of a night */
} ci_pilot;

/**
 * ci_pilot_read - from the loops of experiment.json.
 * Error (CI_ERROR_INPUT): a configuration has less than two processes that did not fail, or no
 * configuration's processes differ in anything.
 */
bool ci_pilot_read(ci_pilot *out, const cfg_project *project, const json_t *experiment,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_pilot_plan - for nights of so many minutes. Error: two rounds do not fit; says what would. */
bool ci_pilot_plan(ci_pilot *pilot, double minutes, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_pilot_detectable - least change of a portion between two nights, in ns, that is seen in 80
 * of 100 cases; after: as planned. */
double ci_pilot_detectable(const ci_pilot *pilot, size_t leg, double confidence, bool after);
