#pragma once
/* settled - after how many calls the processes of a pilot were warm, and how they vary from then
 * on, from their raw files. */
#include "detector/statistics/plan.h"
#include "detector/statistics/warmup.h"

#include <glib.h>
#include <stdbool.h>

typedef struct {
    double warmup;          /* calls to drop; < 0: no evidence for any number */
    unsigned settled, seen; /* processes, after that many calls; without: after those given */
    bool known;             /* varies is */
    det_components varies;  /* ns, from windows of the calls that are left */
} ci_settled;

/**
 * ci_settled_of - one configuration.
 * folder  raw-<loop>-<depth>-<configuration>.csv, as the runner writes them; what is not there,
 *         cannot be read or is of several threads is left out
 * loops   the highest loop
 * warmup  calls that are dropped now
 */
ci_settled ci_settled_of(const char *folder, unsigned depth, const char *configuration,
                         unsigned loops, double warmup);
