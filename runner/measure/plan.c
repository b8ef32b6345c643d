#include "runner/measure/plan.h"

#include "runner/measure/order.h"
#include "runner/protocol.h"

#include <glib.h>

#define COMMITS_MAX 2

/* What was done for one loop of one configuration, with one commit. */
typedef struct {
    unsigned attempts, good;
    bool settled; /* one attempt good and undisturbed */
    bool last_failed;
} tally;

/* What was done for one configuration, with one commit, in all its loops. */
typedef struct {
    unsigned good, after_failure, after_disturbance; /* the latter two: repetitions spent */
} spent;

static unsigned commits_of(const run_plan *plan) {
    return plan->commits > 1 ? COMMITS_MAX : 1;
}

/* Where (configuration, which) stands in a round's tallies. */
static size_t cell(const run_plan *plan, unsigned configuration, unsigned which) {
    return (size_t)configuration * commits_of(plan) + which;
}

static size_t cells(const run_plan *plan) {
    return cell(plan, plan->configurations, 0);
}

static void count_up(const run_plan *plan, const run_loop_done *done, unsigned count, tally *loops,
                     spent *all) {
    for (unsigned i = 0; i < count; i++) {
        if (done[i].configuration >= plan->configurations || done[i].loop < 1 ||
            done[i].loop > plan->loops || done[i].which >= commits_of(plan))
            continue;
        size_t at = cell(plan, done[i].configuration, done[i].which);
        spent *sum = &all[at];
        tally *here = &loops[(done[i].loop - 1) * cells(plan) + at];
        sum->after_failure += here->attempts > 0 && here->last_failed;
        sum->after_disturbance += here->attempts > 0 && !here->last_failed;
        here->attempts++;
        here->good += !done[i].failed;
        here->last_failed = done[i].failed;
        here->settled = here->settled || (!done[i].failed && !done[i].disturbed);
        sum->good += !done[i].failed;
    }
}

static bool wants_repeat(const run_plan *plan, const tally *here, const spent *all) {
    if (here->settled)
        return false;
    return here->good == 0 ? all->after_failure < RUN_REPEATS_PER_CONFIGURATION
                           : all->after_disturbance < plan->disturbed_repeats;
}

/* Which commit is the place-th of its configuration in this round. All configurations of a round
 * begin with the same one: what being first does to a loop is then in parent and child alike. */
static unsigned which_at(const run_plan *plan, unsigned loop, unsigned place) {
    unsigned order[COMMITS_MAX];
    if (commits_of(plan) == 1)
        return 0;
    run_order_shuffle(plan->seed, 0, COMMITS_MAX, order);
    return order[(place + loop) % COMMITS_MAX];
}

static run_plan_answer find_step(const run_plan *plan, const tally *loops, const spent *all,
                                 run_plan_step *step) {
    unsigned order[RUN_CONFIGURATIONS_MAX];
    for (unsigned loop = 1; loop <= plan->loops; loop++) {
        run_order_shuffle(plan->seed, loop, plan->configurations, order);
        for (int repeats = 0; repeats < 2; repeats++) {
            for (unsigned place = 0; place < cells(plan); place++) {
                unsigned configuration = order[place / commits_of(plan)];
                unsigned which = which_at(plan, loop, place);
                size_t at = cell(plan, configuration, which);
                const tally *here = &loops[(loop - 1) * cells(plan) + at];
                *step = (run_plan_step){configuration, loop, place, here->attempts + 1, which};
                if (repeats == 0 ? here->attempts == 0 : wants_repeat(plan, here, &all[at]))
                    return RUN_PLAN_NEXT;
                if (repeats == 1 && all[at].good == 0)
                    return RUN_PLAN_HOPELESS;
            }
        }
    }
    return RUN_PLAN_COMPLETE;
}

run_plan_answer run_plan_next(const run_plan *plan, const run_loop_done *done, unsigned count,
                              run_plan_step *step) {
    g_autofree tally *loops = g_new0(tally, plan->loops * cells(plan));
    g_autofree spent *all = g_new0(spent, cells(plan));
    count_up(plan, done, count, loops, all);
    return find_step(plan, loops, all, step);
}
