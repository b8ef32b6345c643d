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

/* As each was seen to scatter: times, starts and tails more, memory less. */
static const struct {
    const char *name;
    history_world world;
    int fastest; /* as det_dimension has it */
} watched[] = {{"time", HISTORY_STANDARD, 0},    {"processor time", HISTORY_STANDARD, 0},
               {"start", HISTORY_DOUBLE, 1},     {"peak memory", HISTORY_HALF, 0},
               {"live memory", HISTORY_HALF, 0}, {"99th percentile", HISTORY_BIMODAL, 0}};
#define WATCHED (sizeof watched / sizeof *watched)

#define AT 40 /* nights before a change */

/* Of W, by so much. */
static void generate_change(history *h, uint64_t seed, history_world world, double size) {
    history_generate_change(h, seed, world, AT + 1,
                            &(history_change){.night = AT, .portion = 3, .sign = 1, .size = size});
}

/* Is it confirmed in its own night? */
static int is_found(const history *h, uint64_t seed, loop_cost *cost) {
    static alarm_at alarms[ALARMS];
    const size_t n = loop_closed(h, seed, alarms, ALARMS, cost);
    for (size_t k = 0; k < n; k++)
        if (alarms[k].night == AT && alarms[k].portion == 3)
            return 1;
    return 0;
}

/* Share of the changes of W by so much that are confirmed in their own night. */
static double same_night(uint64_t seed, int histories, double size) {
    loop_cost cost = {.series = det_dimension_series()};
    int found = 0;
    for (int i = 0; i < histories; i++) {
        history h;
        generate_change(&h, seed + (uint64_t)i, HISTORY_STANDARD, size);
        found += is_found(&h, seed + 7 + (uint64_t)i, &cost);
        history_clear(&h);
    }
    return (double)found / histories;
}

void dimensions_table(report *r, uint64_t seed, int histories) {
    static alarm_at alarms[ALARMS];
    double all = 0, nights = 0;
    say(r, "\n| nothing there | suspicions / 100 nights | false alerts | extra time "
           "|\n|---|---|---|---|\n");
    for (size_t w = 0; w < WATCHED; w++) {
        loop_cost cost = {.series = w > 0 ? det_dimension_series() : 0,
                          .fastest = watched[w].fastest};
        double told = 0;
        nights = 0;
        for (int i = 0; i < histories; i++) {
            history h;
            history_generate(&h, seed + 1000003 * w + (uint64_t)i, watched[w].world, NIGHTS, 1);
            told += (double)loop_closed(&h, seed + 7 + 1000003 * w + (uint64_t)i, alarms, ALARMS,
                                        &cost);
            nights += (double)h.nights;
            history_clear(&h);
        }
        say(r, "| %s | %.1f | %.0f | %.0f %% |\n", watched[w].name, 100 * cost.suspicions / nights,
            told, 100 * cost.processes / cost.nightly);
        all += told;
    }
    say(r, "\n%.4f false alerts in 100 nights over all dimensions: %.0f in %.0f nights, of each.\n",
        100 * all / nights, all, nights);
    figure(r, "dimensions_fa", 100 * all / nights);
    say(r,
        "Found in the night that brought them, of a dimension that scatters as times do: %.2f of "
        "changes by "
        "5 %%, %.2f by 10 %%, %.2f by 20 %%, %.2f by 50 %%.\n",
        same_night(seed, histories, 0.05), same_night(seed, histories, 0.1),
        same_night(seed, histories, 0.2), same_night(seed, histories, 0.5));
}
