#pragma once
/* pilot - what a few processes of each configuration showed, and the plan that follows. */
#include "ci/command/command.h"
#include "config/config.h"
#include "detector/statistics/plan.h"
#include "detector/statistics/warmup.h"

#include <glib.h>
#include <stdbool.h>

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

/* warmup - after how many calls the processes of a pilot were warm, and how they vary from then
 * on, from their raw files. */

typedef struct {
    double warmup;          /* calls to drop; < 0: no evidence for any number */
    unsigned settled, seen; /* processes, after that many calls; without: after those given */
    bool known;             /* varies is */
    det_components varies;  /* ns, from windows of the calls that are left */
} ci_warmup;

/**
 * ci_warmup_of - one configuration.
 * folder  raw-<loop>-<depth>-<configuration>.csv, as the runner writes them; what is not there,
 *         cannot be read or is of several threads is left out
 * loops   the highest loop
 * warmup  calls that are dropped now
 */
ci_warmup ci_warmup_of(const char *folder, unsigned depth, const char *configuration,
                       unsigned loops, double warmup);
