#include "tests/unit/runner/test.h"

#include "runner/loop/loop.h"
#include "runner/measure/duet.h"

#include <string.h>

static cpu_set_t cpus_of(const char *text) {
    cpu_set_t set;
    assert_true(run_cpus_parse(text, &set, NULL));
    return set;
}

/* Each commit has its half, and in the next attempt the other one's. */
static void test_halves_are_swapped(void **state) {
    (void)state;
    static const struct {
        const char *all, *low, *high;
    } cases[] = {{"0-1", "0", "1"}, {"2-5", "2-3", "4-5"}, {"1,3,5", "1", "3"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const cpu_set_t all = cpus_of(cases[i].all);
        for (unsigned loop = 1; loop <= 2; loop++) {
            for (unsigned attempt = 1; attempt <= 2; attempt++) {
                for (unsigned which = RUN_AFTER; which <= RUN_BEFORE; which++) {
                    const cpu_set_t half = run_duet_half(&all, which, loop, attempt);
                    g_autofree char *text = run_cpus_format(&half);
                    assert_string_equal(text, (which + loop + attempt) % 2 == 0 ? cases[i].low
                                                                                : cases[i].high);
                }
            }
        }
    }
}

static void test_where_it_applies(void **state) {
    (void)state;
    static char before[] = "89abcdef0123456789abcdef0123456789abcdef";
    cfg_runner config = {.duet = true};
    const run_node node = {.config = &config};
    run_job night = {.before = NULL}, trial = {.before = before},
            levels = {.before = before, .benchmark.in_turn = true};
    assert_false(run_duet_applies(&node, &night));
    assert_true(run_duet_applies(&node, &trial));
    assert_false(run_duet_applies(&node, &levels));
    config.duet = false;
    assert_false(run_duet_applies(&node, &trial));
}

/* Both of a pair are one; what was alone when the agent was killed is none. */
static void test_pairs(void **state) {
    (void)state;
    static const run_loop_done loops[] = {
        {.configuration = 0, .loop = 1, .which = RUN_AFTER},
        {.configuration = 0, .loop = 1, .which = RUN_BEFORE, .disturbed = true},
        {.configuration = 1, .loop = 1, .which = RUN_AFTER}, /* the agent was killed here */
        {.configuration = 1, .loop = 1, .which = RUN_AFTER, .failed = true},
        {.configuration = 1, .loop = 1, .which = RUN_BEFORE},
        {.configuration = 1, .loop = 1, .which = RUN_AFTER},
        {.configuration = 1, .loop = 1, .which = RUN_BEFORE},
        {.configuration = 0, .loop = 2, .which = RUN_AFTER}};
    static const run_loop_done expected[] = {{.configuration = 0, .loop = 1, .disturbed = true},
                                             {.configuration = 1, .loop = 1, .failed = true},
                                             {.configuration = 1, .loop = 1}};
    g_autoptr(GArray) done = g_array_new(FALSE, FALSE, sizeof(run_loop_done));
    g_array_append_vals(done, loops, G_N_ELEMENTS(loops));
    g_autoptr(GArray) pairs = run_duet_pairs(done);
    assert_int_equal(pairs->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < pairs->len; i++) {
        const run_loop_done *pair = &g_array_index(pairs, run_loop_done, i);
        assert_int_equal(pair->configuration, expected[i].configuration);
        assert_int_equal(pair->loop, expected[i].loop);
        assert_int_equal(pair->which, RUN_AFTER);
        assert_int_equal(pair->failed, expected[i].failed);
        assert_int_equal(pair->disturbed, expected[i].disturbed);
    }
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(run_loop_done));
    g_autoptr(GArray) of_none = run_duet_pairs(none);
    assert_int_equal(of_none->len, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_halves_are_swapped),
        cmocka_unit_test(test_where_it_applies),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
