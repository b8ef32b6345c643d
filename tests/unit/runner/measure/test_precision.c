#include "tests/unit/runner/test.h"

#include "runner/measure/precision.h"

static char none[] = "none", probe[] = "probe";
static cfg_configuration both[] = {{.name = none}, {.name = probe, .parent = none}};

static run_job asking(double percent) {
    return (run_job){.benchmark.configurations = both,
                     .benchmark.configurations_count = 2,
                     .benchmark.loops = 30,
                     .minimum_loops = 2,
                     .benchmark.confidence = 0.95,
                     .benchmark.precision_percent = percent};
}

static void add(GPtrArray *loops, const char *name, unsigned round, double mean, bool disturbed,
                const char *failed) {
    run_loop *loop = run_loop_new(name, NULL, round);
    loop->disturbed = disturbed;
    loop->failed = g_strdup(failed);
    loop->summary.mean = mean;
    g_ptr_array_add(loops, loop);
}

/* T = 100 ± 1, I = 50 ± spread, alternating; both share what a round does to them. */
static GPtrArray *rounds_of(unsigned rounds, double spread) {
    GPtrArray *loops = run_loops_new();
    for (unsigned round = 1; round <= rounds; round++) {
        double t = 100 + (round % 2 ? 1 : -1);
        add(loops, "none", round, t, false, NULL);
        add(loops, "probe", round, t + 50 + (round / 2 % 2 ? spread : -spread), false, NULL);
    }
    return loops;
}

static void expect(const run_job *job, const GPtrArray *loops, unsigned rounds, bool reached) {
    g_autofree char *why = run_precision_reached(job, loops, rounds);
    assert_int_equal(why != NULL, reached);
}

static void test_every_portion_must_be_sure(void **state) {
    (void)state;
    const struct {
        double percent, spread;
        unsigned rounds;
        bool reached;
    } cases[] = {{2, .2, 12, true}, {2, .2, 3, false}, {2, 5, 12, false}, {.5, .2, 12, false},
                 {20, 5, 12, true}, {0, 0, 12, false}, {2, .2, 30, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_job job = asking(cases[i].percent);
        g_autoptr(GPtrArray) loops = rounds_of(cases[i].rounds, cases[i].spread);
        expect(&job, loops, cases[i].rounds, cases[i].reached);
    }
}

static void test_says_how_sure(void **state) {
    (void)state;
    run_job job = asking(2);
    g_autoptr(GPtrArray) loops = rounds_of(12, .2);
    g_autofree char *why = run_precision_reached(&job, loops, 12);
    assert_string_equal(why, "after 12 of 30 rounds every portion is known to 1.1 % "
                             "(precision_percent is 2)");
}

/* Disturbed, repeated: the repetition counts. Failed: nothing counts. As the server chooses. */
static void test_attempts(void **state) {
    (void)state;
    run_job job = asking(2);
    g_autoptr(GPtrArray) loops = rounds_of(11, .2);
    add(loops, "none", 12, 100, false, NULL);
    add(loops, "probe", 12, 900, true, NULL);
    expect(&job, loops, 12, false);
    add(loops, "probe", 12, 150, false, NULL);
    add(loops, "probe", 12, 5000, true, NULL);
    add(loops, "probe", 12, 5000, false, "exit status 1");
    expect(&job, loops, 12, true);
}

static void test_trial_is_not_stopped(void **state) {
    (void)state;
    static char newer[] = "aa", older[] = "bb";
    run_job job = asking(20);
    job.commit = newer;
    job.before = older;
    g_autoptr(GPtrArray) loops = rounds_of(12, .2);
    expect(&job, loops, 12, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_portion_must_be_sure), cmocka_unit_test(test_says_how_sure),
        cmocka_unit_test(test_attempts), cmocka_unit_test(test_trial_is_not_stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
