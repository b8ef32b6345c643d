#include "tests/bench/detector/counted.h"

#include <math.h>

#include "tests/bench/detector/loop.h"

#define ALARMS 4096
#define NIGHTS 200
#define QUIET_SHARE 3 /* of ten histories so many have no change */

static double share(const double *hits, const score *s, int size) {
    return hits[size] / fmax(s->by_size[size], 1);
}

static void counted_row(report *r, const char *name, loop_counts counts, uint64_t seed,
                        int histories) {
    static alarm_at alarms[ALARMS];
    score s = {0};
    loop_cost cost = {0};
    for (int i = 0; i < histories; i++) {
        history h;
        history_generate(&h, seed + (uint64_t)i, HISTORY_STANDARD, NIGHTS, i % 10 < QUIET_SHARE);
        score_add(&s, &h, alarms,
                  loop_counted(&h, seed + 7 + (uint64_t)i, counts, alarms, ALARMS, &cost));
        history_clear(&h);
    }
    say(r, "| %s | %.0f | %.0f %% | %.2f | %.2f | %.2f, %.2f | %.2f, %.2f | %.3f |\n", name,
        cost.cleared_loops / fmax(cost.cleared, 1), 100 * cost.processes / cost.nightly,
        score_f1(&s, 3), score_f1(&s, 14), share(s.by_size3, &s, 0), share(s.by_size14, &s, 0),
        share(s.by_size3, &s, 1), share(s.by_size14, &s, 1), score_false(&s));
}

void counted_table(report *r, uint64_t seed, int histories) {
    say(r, "\n| counted first | loops to clear | extra time | F1@3 | F1@14 | 2 %%: R@3, R@14 | "
           "5 %%: R@3, R@14 | false / 100 nights |\n|---|---|---|---|---|---|---|---|\n");
    counted_row(r, "nothing", LOOP_UNCOUNTED, seed, histories);
    counted_row(r, "instructions, which show each change", LOOP_COUNTED, seed, histories);
    counted_row(r, "instructions, which show none", LOOP_COUNTED_SO, seed, histories);
    say(r, "\nClosed loop, %d histories.\n", histories);
}
