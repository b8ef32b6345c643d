/* A change among a series' first nights: of few nights it makes up most of the noise that it is
 * then within, and the level comes to meet it. W was "as before" a week after a tenth more. */
#include "nights.h"

#include <math.h>

static det_watch *judged_by_server(void) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.effect_relative = 0.03;
    policy.patience = 2;
    policy.caution = 1.25;
    return det_watch_new(&chain, &policy);
}

typedef struct {
    int told, asked, quiet; /* histories; nights of the others from the sixth after the change on */
} answers;

/* What is said of W where four nights are followed by 26 in which the portions are times so much.
 */
static answers after(const double *times) {
    static const double before[] = {80, 310, 791, 1000};
    double now[PORTIONS];
    answers of = {0};
    for (int p = 0; p < PORTIONS; p++)
        now[p] = before[p] * times[p];
    for (uint64_t seed = 1; seed <= 50; seed++) {
        uint64_t luck = seed;
        bool told = false;
        det_watch *watch = judged_by_server();
        for (int64_t night = 1; night <= 30 && !told; night++) {
            det_verdict v[PORTIONS];
            add(watch, night, night <= 4 ? before : now, 0.004, &luck, v);
            const bool asked = v[W].rule == DET_RULE_PENDING;
            told = v[W].verdict == DET_VERDICT_ANOMALY;
            of.asked += night > 9 && asked;
            of.quiet += night > 9 && !asked && !told;
            if (asked || told) /* or there is no interval */
                assert_false(v[W].difference.low <= 0 && v[W].difference.high >= 0);
        }
        of.told += told;
        det_watch_free(watch);
    }
    return of;
}

static void it_is_told_or_in_question(void **state) {
    (void)state;
    const answers much = after((const double[]){1, 1, 1, 1.1}),
                  some = after((const double[]){1, 1, 1, 1.04});
    assert_in_range(much.told, 48, 50);
    assert_in_range(much.quiet, 0, 20); /* 407 before */
    assert_in_range(some.asked, 500, 1050);
}

static void what_the_control_did_and_nothing_are_not(void **state) {
    (void)state;
    const answers all = after((const double[]){1.1, 1.1, 1.1, 1.1}),
                  none = after((const double[]){1, 1, 1, 1});
    assert_int_equal(all.told + none.told, 0);
    assert_in_range(all.asked + none.asked, 0, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_told_or_in_question),
        cmocka_unit_test(what_the_control_did_and_nothing_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
