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
    double start_s, call_s; /* of a process: all but the calls that count; such a call, with what
                               it costs to read it and keep it */
    double warmup, calls;   /* now: dropped, and counted */
    double planned_warmup;  /* by evidence; what it is now where there is none */
    double planned;         /* calls that should count */
    double planned_loops;   /* processes of it in a night */
    double share;           /* of the night's time */
    unsigned settled, seen; /* pilot's processes that had settled after planned_warmup, of those
                               of which all calls are known; 0 of 0: nothing is known */
} ci_pilot_leg;

typedef struct {
    ci_pilot_leg leg[CI_PILOT_CONFIGURATIONS];
    size_t count;
    bool budget;                       /* the night's minutes go where they help most */
    unsigned loops, planned_loops;     /* rounds; with a budget those that come first */
    unsigned least;                    /* rounds that a night must have */
    double seconds_now, seconds_after; /* of a night */
} ci_pilot;

/**
 * ci_pilot_read - from the loops of experiment.json, and the raw files beside it.
 * folder  of the raw files; NULL: the warm-up stays as it is
 * Error (CI_ERROR_INPUT): a configuration has less than two processes that did not fail, or no
 * configuration's processes differ in anything.
 */
bool ci_pilot_read(ci_pilot *out, const cfg_project *project, const json_t *experiment,
                   const char *folder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_pilot_plan - for nights of so many minutes, as a budget or, without out->budget, in rounds.
 * Error: the rounds that a night must have do not fit; says how long they take.
 */
bool ci_pilot_plan(ci_pilot *pilot, double minutes, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_pilot_detectable - least change of a portion between two nights, in ns, that is seen in 80
 * of 100 cases; after: as planned. */
double ci_pilot_detectable(const ci_pilot *pilot, size_t leg, double confidence, bool after);
