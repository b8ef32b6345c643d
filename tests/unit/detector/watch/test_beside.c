/* What is told of nights in which the machine changed, too. */
#include "tests/unit/detector/watch/nights.h"

#include <math.h>
#include <string.h>

#define HISTORIES 20

/* A machine that became 7 % slower, and a portion that changed with it: what is told is the
 * portion's share, also where that is told in one night. The machine's was in it: I + 15 % for 8.
 */
static void what_changed_beside_a_machine_is_told_without_it(void **state) {
    (void)state;
    const double share[] = {1.08, 1.25, 0.8};
    for (unsigned i = 0; i < 6; i++) {
        const double usual[] = {84, 337, 740, 1610}, truth = share[i / 2] - 1;
        int told = 0, held = 0, others = 0;
        for (uint64_t seed = 1; seed <= HISTORIES; seed++) {
            uint64_t luck = seed;
            det_watch *watch = i % 2 ? imported() : classic();
            for (int n = 0; n < 34; n++) {
                double now[PORTIONS];
                det_verdict v[PORTIONS];
                for (int p = 0; p < PORTIONS; p++)
                    now[p] = usual[p] * (n < 20 ? 1 : 1.07) * (p == I && n >= 20 ? 1 + truth : 1);
                add(watch, n, now, 0.004, &luck, v);
                others +=
                    v[C].verdict == DET_VERDICT_ANOMALY || v[W].verdict == DET_VERDICT_ANOMALY;
                if (v[I].verdict != DET_VERDICT_ANOMALY)
                    continue;
                const double by = 1.07 * usual[I] * truth;
                told++;
                held += v[I].difference.low <= by && by <= v[I].difference.high &&
                        fabs(v[I].ratio - 1 - truth) < 0.02;
                if (!strstr(v[I].reason,
                            "; the former value is where the control's factor puts it"))
                    fail_msg("%s", v[I].reason);
            }
            det_watch_free(watch);
        }
        if (told < HISTORIES - 1 || held < told - 2 || others)
            fail_msg("%g: told %d, held %d, others %d", truth, told, held, others);
    }
}

/* I fell with a machine that became slower: C and W did not rise, however long it lasts. */
static void what_the_machine_moved_is_not_told(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5 * HISTORIES; seed++) {
        const double usual[] = {84, 337, 740, 1610};
        uint64_t luck = seed;
        det_watch *watch = seed % 2 ? imported() : classic();
        for (int n = 0; n < 40; n++) {
            double now[PORTIONS];
            det_verdict v[PORTIONS];
            for (int p = 0; p < PORTIONS; p++)
                now[p] = usual[p] * (n < 20 ? 1 : 1.07) * (p == I && n >= 20 ? 0.92 : 1);
            add(watch, n, now, 0.004, &luck, v);
            for (int p = C; p <= W; p++)
                if (v[p].verdict == DET_VERDICT_ANOMALY)
                    fail_msg("%s", v[p].reason);
        }
        det_watch_free(watch);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changed_beside_a_machine_is_told_without_it),
        cmocka_unit_test(what_the_machine_moved_is_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
