#pragma once
/* rounds - of two commits measured in turn: the rounds in which both ran a configuration. */
#include "detector/watch/confirm.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* The mean of one loop that counts. */
typedef struct {
    int64_t job, loop;
    bool before, of_parent;
    double mean_ns;
    bool duet; /* the other commit's ran at the same time */
} srv__trial_mean;

typedef struct {
    GArray *column[4]; /* after, after_parent, before, before_parent: double */
    bool paired;       /* all of them in duets */
    size_t of_job[2];  /* how many came with the newest job: of the configuration, of its parent */
} srv__rounds;

/* srv__rounds_of - means: [srv__trial_mean] of one portion, by job and loop; newest: a job, 0:
 * none. Clear it afterwards. */
srv__rounds srv__rounds_of(const GArray *means, int64_t newest);
void srv__rounds_clear(srv__rounds *rounds);

/* srv__rounds_sample - as the detector takes them; borrowed. */
det_confirm_sample srv__rounds_sample(const srv__rounds *rounds, bool has_parent);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(srv__rounds, srv__rounds_clear)
