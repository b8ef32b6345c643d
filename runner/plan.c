#include "runner/plan.h"

#include "runner/order.h"
#include "runner/protocol.h"

#include <glib.h>

/* What was done for one loop of one configuration. */
typedef struct {
    unsigned attempts, good;
    bool settled; /* one attempt good and undisturbed */
    bool last_failed;
} tally;

/* What was done for one configuration in all its loops. */
typedef struct {
    unsigned good, after_failure, after_disturbance; /* the latter two: repetitions spent */
} spent;

static void count_up(const run_plan *plan, const run_plan_done *done, unsigned count, tally *loops,
                     spent *all) {
    for (unsigned i = 0; i < count; i++) {
        if (done[i].configuration >= plan->configurations || done[i].loop < 1 ||
            done[i].loop > plan->loops) {
            continue;
        }
        spent *sum = &all[done[i].configuration];
        tally *here = &loops[(done[i].loop - 1) * plan->configurations + done[i].configuration];
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
    if (here->settled) {
        return false;
    }
    return here->good == 0 ? all->after_failure < RUN_REPEATS_PER_CONFIGURATION
                           : all->after_disturbance < plan->disturbed_repeats;
}

static run_plan_answer find_step(const run_plan *plan, const tally *loops, const spent *all,
                                 run_plan_step *step) {
    unsigned order[RUN_CONFIGURATIONS_MAX];
    for (unsigned loop = 1; loop <= plan->loops; loop++) {
        run_order_shuffle(plan->seed, loop, plan->configurations, order);
        for (int repeats = 0; repeats < 2; repeats++) {
            for (unsigned place = 0; place < plan->configurations; place++) {
                unsigned configuration = order[place];
                const tally *here = &loops[(loop - 1) * plan->configurations + configuration];
                *step = (run_plan_step){configuration, loop, place, here->attempts + 1};
                if (repeats == 0 ? here->attempts == 0
                                 : wants_repeat(plan, here, &all[configuration])) {
                    return RUN_PLAN_NEXT;
                }
                if (repeats == 1 && all[configuration].good == 0) {
                    return RUN_PLAN_HOPELESS;
                }
            }
        }
    }
    return RUN_PLAN_COMPLETE;
}

run_plan_answer run_plan_next(const run_plan *plan, const run_plan_done *done, unsigned count,
                              run_plan_step *step) {
    g_autofree tally *loops = g_new0(tally, (size_t)plan->loops * plan->configurations);
    g_autofree spent *all = g_new0(spent, plan->configurations);
    count_up(plan, done, count, loops, all);
    return find_step(plan, loops, all, step);
}
