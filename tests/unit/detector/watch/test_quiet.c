/* What is said of a night of which nothing is told: as before, or in question. */
#include "nights.h"

#include <math.h>
#include <string.h>

/* As a server judges them: two nights have to agree, on more evidence. */
static det_watch *judged_by_server(void) {
    det_chain chain;
    det_policy policy;
    chain_classic(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    policy.caution = 1.25;
    return det_watch_new(&chain, &policy);
}

/* W rose by a fourth in the newest night, which cannot be measured again, and one night does not
 * tell it ("not shown to have changed", and the night was clear). */
static void one_night_far_out_is_not_clear(void **state) {
    (void)state;
    static const double before[] = {80, 310, 791, 1000}, after[] = {80, 310, 791, 1270};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t luck = seed;
        det_verdict v[PORTIONS];
        det_watch *watch = judged_by_server();
        for (int64_t night = 1; night <= 7; night++)
            add(watch, night, before, 0.004, &luck, v);
        add(watch, 8, after, 0.004, &luck, v);
        assert_int_equal(v[W].verdict, DET_VERDICT_OK);
        assert_int_equal(v[W].rule, DET_RULE_PENDING);
        assert_int_equal(v[W].direction, 1);
        assert_non_null(strstr(v[W].reason, "W may have risen from "));
        assert_non_null(strstr(v[W].reason, "; not enough to say so"));
        det_watch_free(watch);
    }
}

/* All portions are 8 % up: one factor explains it, one night does not tell the machine, and nothing
 * is measured again ("nothing shown to have changed", and the night was clear). */
static void what_moved_together_is_not_clear(void **state) {
    (void)state;
    int held = 0, clear = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t luck = seed;
        det_verdict v[PORTIONS];
        det_watch *watch = remeasuring();
        for (int64_t night = 1; night <= 15; night++) {
            const double up = night < 15 ? 1 : 1.08;
            const double portions[] = {70 * up, 400 * up, 1130 * up, 1600 * up};
            add(watch, night, portions, 0.003, &luck, v);
        }
        clear += v[I].verdict == DET_VERDICT_OK && v[I].rule != DET_RULE_PENDING;
        held += v[I].rule == DET_RULE_PENDING;
        if (v[I].rule == DET_RULE_PENDING)
            assert_non_null(strstr(v[I].reason, "I may have risen from "));
        det_watch_free(watch);
    }
    assert_int_equal(clear, 0);
    assert_true(held > 0);
}

/* One quiet night of twenty differs by chance, and stays clear; one of a thousand does not. */
static void a_quiet_night_stays_clear(void **state) {
    det_watch *(*const kinds[])(void) = {judged_by_server, remeasuring};
    (void)state;
    static const double portions[] = {80, 310, 791, 1000};
    unsigned all = 0, little = 0, pending = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t luck = seed;
        det_verdict v[PORTIONS];
        det_watch *watch = kinds[seed % 2]();
        for (int64_t night = 1; night <= 100; night++) {
            add(watch, night, portions, 0.02, &luck, v);
            for (int p = I; p <= W; p++, all++) {
                little += v[p].rule == DET_RULE_LITTLE;
                pending += v[p].rule == DET_RULE_PENDING;
            }
        }
        det_watch_free(watch);
    }
    assert_in_range(little, all / 100, all / 12);
    assert_in_range(pending, 0, all / 500);
}

/* In the second night nobody knows how far nights lie apart, and the tenth that is assumed hid a
 * fourth more of W: "within the noise", and nothing changed. The loops say that it differs, be it
 * that a node could measure it again. */
static void an_assumption_clears_no_night(void **state) {
    det_watch *(*const kinds[])(void) = {judged_by_server, remeasuring};
    static const double before[] = {80, 310, 791, 1000}, after[] = {80, 310, 791, 1270};
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t luck = seed;
        det_verdict v[PORTIONS];
        det_watch *watch = kinds[seed % 2]();
        add(watch, 1, before, 0.004, &luck, v);
        add(watch, 2, after, 0.004, &luck, v);
        assert_int_equal(v[W].rule, DET_RULE_PENDING);
        assert_int_equal(v[W].direction, 1);
        assert_true(isnan(v[W].difference.low) && isnan(v[W].difference.high));
        assert_non_null(strstr(v[W].reason, "W may have risen from "));
        assert_non_null(strstr(v[W].reason, "assumed: those before do not show it; not enough"));
        assert_null(strstr(v[W].reason, "this night alone"));
        det_watch_free(watch);
    }
}

/* So do nights of one value each that were equal, and what is told of it goes by the minimum
 * effect. */
static void equal_nights_clear_no_other(void **state) {
    (void)state;
    static const double levels[PORTIONS] = {80, 390, 1181, 2181};
    for (int more = 0; more <= 50; more += 5) {
        const double risen[PORTIONS] = {80, 390, 1181, 2181 + more};
        det_verdict v[PORTIONS];
        det_watch *watch = imported();
        for (int64_t night = 1; night <= 4; night++) {
            const det_night one = {.id = night, .loops = 1, .means = night < 4 ? levels : risen};
            assert_int_equal(det_watch_add(watch, &one, v), DET_OK);
        }
        assert_int_equal(v[W].rule, more < 10 ? DET_RULE_WITHIN : DET_RULE_PENDING);
        assert_true(more == 0 || strstr(v[W].reason, "is assumed: those before were equal"));
        det_watch_free(watch);
    }
}

/* A second night that is like the first stays clear. */
static void a_second_night_stays_clear(void **state) {
    (void)state;
    static const double portions[] = {80, 310, 791, 1000};
    unsigned pending = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t luck = seed;
        det_verdict v[PORTIONS];
        det_watch *watch = judged_by_server();
        add(watch, 1, portions, 0.004, &luck, v);
        add(watch, 2, portions, 0.004, &luck, v);
        for (int p = I; p <= W; p++)
            pending += v[p].rule == DET_RULE_PENDING;
        det_watch_free(watch);
    }
    assert_in_range(pending, 0, 6); /* one of a hundred */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_night_far_out_is_not_clear),
        cmocka_unit_test(what_moved_together_is_not_clear),
        cmocka_unit_test(a_quiet_night_stays_clear),
        cmocka_unit_test(an_assumption_clears_no_night),
        cmocka_unit_test(equal_nights_clear_no_other),
        cmocka_unit_test(a_second_night_stays_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
