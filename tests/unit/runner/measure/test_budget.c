/* A night of so many minutes, loop after loop, without a process. */
#include "tests/unit/runner/test.h"

#include "runner/measure/budget.h"

#include <math.h>

static char none[] = "none", probe[] = "probe", full[] = "full";
static cfg_configuration chain[] = {
    {.name = none}, {.name = probe, .parent = none}, {.name = full, .parent = probe}};
static const double level_ns[] = {100, 150, 400};

static run_job asking(double minutes) {
    return (run_job){.benchmark.configurations = chain,
                     .benchmark.configurations_count = 3,
                     .seed = 7,
                     .benchmark.loops = 5,
                     .minimum_loops = 2,
                     .benchmark.rest_s = 1,
                     .benchmark.budget_minutes = minutes};
}

static run_plan rounds_of(const run_job *job) {
    return (run_plan){.seed = job->seed,
                      .configurations = job->benchmark.configurations_count,
                      .loops = job->benchmark.loops,
                      .disturbed_repeats = 3,
                      .commits = 1};
}

static run_plan_answer next(const run_job *job, const GPtrArray *loops, run_plan_step *step) {
    const run_plan plan = rounds_of(job);
    return run_budget_next(job, &plan, 10, loops, step);
}

/* Each process takes 4 s beside the rest of 1 s; `full` varies by so much, the others by 1. */
static run_loop *add(GPtrArray *loops, const run_plan_step *step, double spread) {
    run_loop *loop = run_loop_new(chain[step->configuration].name, NULL, step->loop);
    const double unit = step->loop % 5 - 2.0;
    loop->attempt = step->attempt;
    loop->seconds = 4;
    loop->summary.mean =
        level_ns[step->configuration] + unit * (step->configuration == 2 ? spread : 1);
    g_ptr_array_add(loops, loop);
    return loop;
}

static GPtrArray *night(const run_job *job, double spread) {
    GPtrArray *loops = run_loops_new();
    run_plan_step step;
    while (next(job, loops, &step) == RUN_PLAN_NEXT)
        add(loops, &step, spread);
    return loops;
}

static unsigned count_of(const GPtrArray *loops, const char *name) {
    unsigned count = 0;
    for (guint i = 0; i < loops->len; i++)
        count += g_str_equal(run_loops_at(loops, i)->configuration, name);
    return count;
}

static void test_applies_to_nights(void **state) {
    (void)state;
    static char older[] = "bb";
    run_job job = asking(2);
    assert_true(run_budget_applies(&job));
    job.before = older;
    assert_false(run_budget_applies(&job));
    job = asking(0);
    assert_false(run_budget_applies(&job));
}

static void test_rounds_then_where_it_helps(void **state) {
    (void)state;
    const run_job job = asking(10);
    g_autoptr(GPtrArray) loops = night(&job, 100);
    assert_int_equal(loops->len, 120); /* of 5 s */
    for (guint i = 0; i < 15; i++)
        assert_int_equal(run_loops_at(loops, i)->number, i / 3 + 1);
    assert_true(count_of(loops, "full") > 80);
    assert_true(count_of(loops, "none") >= 10); /* one a block */
    assert_true(run_budget_left_s(&job, loops) < 5);
    g_autofree char *why = run_budget_short(&job, loops);
    assert_null(why);
}

/* Every configuration's loops are numbered on, and each is measured once. */
static void test_numbers_go_on(void **state) {
    (void)state;
    const run_job job = asking(10);
    g_autoptr(GPtrArray) loops = night(&job, 100);
    for (int c = 0; c < 3; c++) {
        unsigned most = 0;
        for (guint i = 0; i < loops->len; i++)
            if (g_str_equal(run_loops_at(loops, i)->configuration, chain[c].name))
                most = MAX(most, run_loops_at(loops, i)->number);
        /* the last block may have been cut anywhere */
        assert_true(most >= count_of(loops, chain[c].name));
        assert_true(most < count_of(loops, chain[c].name) + 12);
    }
}

/* What the agent does after a process costs its configuration; a wait for an idle node nobody. */
static void test_handling_is_paid_for(void **state) {
    (void)state;
    const run_job job = asking(10);
    g_autoptr(GPtrArray) loops = run_loops_new();
    run_plan_step step;
    int64_t clock_ms = 1000;
    while (next(&job, loops, &step) == RUN_PLAN_NEXT) {
        run_loop *loop = add(loops, &step, 100);
        loop->started_ms = clock_ms;
        /* 4 s, the rest of 1 s, and 5 s of handling; once an hour of waiting */
        clock_ms += 10000 + (loops->len == 20 ? 3600000 : 0);
    }
    assert_int_equal(loops->len, 60);
    assert_close(run_budget_left_s(&job, loops), 0, 1e-6);
}

/* After a kill at any time what comes next is what would have come. */
/* What lies between two turns was spent on other nights. */
static void test_other_nights_cost_nothing(void **state) {
    (void)state;
    const run_job job = asking(10);
    GPtrArray *of[2];
    for (unsigned in_turn = 0; in_turn < 2; in_turn++) {
        run_plan_step step;
        int64_t now_ms = 0;
        of[in_turn] = run_loops_new();
        while (next(&job, of[in_turn], &step) == RUN_PLAN_NEXT) {
            run_loop *loop = add(of[in_turn], &step, 100);
            const guint before = of[in_turn]->len - 1;
            loop->turn = in_turn ? 1 + before / 3 : 0;
            now_ms += in_turn && before % 3 == 0 ? 600000 : 0;
            loop->started_ms = now_ms;
            now_ms += 5000; /* it and its rest */
        }
    }
    assert_int_equal(of[0]->len, 120);
    assert_int_equal(of[1]->len, 120);
    g_ptr_array_unref(of[0]);
    g_ptr_array_unref(of[1]);
}

static void test_goes_on_after_a_kill(void **state) {
    (void)state;
    const run_job job = asking(5);
    g_autoptr(GPtrArray) loops = night(&job, 30);
    for (guint keep = 0; keep < loops->len; keep++) {
        g_autoptr(GPtrArray) left = g_ptr_array_new();
        run_plan_step step;
        for (guint i = 0; i < keep; i++)
            g_ptr_array_add(left, run_loops_at(loops, i));
        assert_int_equal(next(&job, left, &step), RUN_PLAN_NEXT);
        assert_string_equal(chain[step.configuration].name,
                            run_loops_at(loops, keep)->configuration);
        assert_int_equal(step.loop, run_loops_at(loops, keep)->number);
    }
}

/* A mark that comes when all is measured, as a stray's, changes nothing of what was planned. */
static void test_a_stray_changes_no_plan(void **state) {
    (void)state;
    const run_job job = asking(5);
    g_autoptr(GPtrArray) loops = night(&job, 30);
    run_loop_set_disturbed(run_loops_at(loops, 4), "stands apart");
    run_loops_at(loops, 4)->stray = true;
    run_plan_step step;
    assert_int_equal(next(&job, loops, &step), RUN_PLAN_COMPLETE);
}

/* One of `none` is a thousand times as slow: it draws no time to its configuration. */
static void test_a_stray_draws_no_time(void **state) {
    (void)state;
    const run_job job = asking(10);
    g_autoptr(GPtrArray) loops = run_loops_new();
    run_plan_step step;
    while (next(&job, loops, &step) == RUN_PLAN_NEXT) {
        run_loop *loop = add(loops, &step, 100);
        if (step.configuration == 0 && step.loop == 6)
            loop->summary.mean = 100000;
    }
    assert_true(count_of(loops, "full") > 2 * count_of(loops, "none"));
}

static void test_a_disturbed_loop_is_repeated_in_its_block(void **state) {
    (void)state;
    const run_job job = asking(10);
    g_autoptr(GPtrArray) loops = run_loops_new();
    run_plan_step step;
    unsigned disturbed = 0, repeated = 0;
    while (next(&job, loops, &step) == RUN_PLAN_NEXT) {
        run_loop *loop = add(loops, &step, 100);
        repeated += step.attempt > 1;
        if (step.configuration == 2 && step.attempt == 1 && step.loop > 5 && disturbed < 2) {
            run_loop_set_disturbed(loop, "others used the processors");
            disturbed++;
        }
    }
    assert_int_equal(repeated, 2);
}

/* However little time there is: with fewer loops than that there is no night. */
static void test_the_minimum_is_measured(void **state) {
    (void)state;
    const run_job job = asking(0.01);
    g_autoptr(GPtrArray) loops = night(&job, 1);
    assert_int_equal(loops->len, 6);
    assert_close(run_budget_left_s(&job, loops), 0, 0);
    g_autofree char *why = run_budget_short(&job, loops);
    assert_string_equal(why, "budget_minutes (0.01) ended after 2 of 5 rounds");
}

static void test_what_never_works_ends_it(void **state) {
    (void)state;
    const run_job job = asking(10);
    g_autoptr(GPtrArray) loops = run_loops_new();
    run_plan_step step;
    run_plan_answer answer;
    while ((answer = next(&job, loops, &step)) == RUN_PLAN_NEXT)
        add(loops, &step, 1)->failed = step.configuration == 1 ? g_strdup("exit status 1") : NULL;
    assert_int_equal(answer, RUN_PLAN_HOPELESS);
    assert_int_equal(step.configuration, 1);
}

/* Processes that take no time: it ends where the server would take no more. */
static void test_there_is_a_last_loop(void **state) {
    (void)state;
    run_job job = asking(10);
    job.benchmark.loops = RUN_BUDGET_LOOPS_MAX - 3;
    job.benchmark.rest_s = 0;
    job.benchmark.configurations_count = 1;
    g_autoptr(GPtrArray) loops = run_loops_new();
    for (unsigned i = 1; i <= job.benchmark.loops; i++)
        add(loops, &(run_plan_step){.loop = i, .attempt = 1}, 1)->seconds = 0;
    run_plan_step step;
    unsigned more = 0;
    while (next(&job, loops, &step) == RUN_PLAN_NEXT) {
        add(loops, &step, 1)->seconds = 0;
        more++;
    }
    assert_int_equal(more, 3);
}

static void test_says_how_it_was_spent(void **state) {
    (void)state;
    const run_job job = asking(10);
    g_autoptr(GPtrArray) loops = night(&job, 100);
    json_t *report = run_budget_report(&job, loops);
    const json_t *by = json_object_get(report, "configurations");
    double percent = 0;
    for (int c = 0; c < 3; c++) {
        const json_t *one = json_object_get(by, chain[c].name);
        const unsigned count = count_of(loops, chain[c].name);
        assert_int_equal(json_integer_value(json_object_get(one, "loops")), count);
        assert_close(json_real_value(json_object_get(one, "minutes")), count * 5 / 60.0, 1e-9);
        percent += json_real_value(json_object_get(one, "percent"));
    }
    assert_close(percent, 100, 1e-9);
    assert_close(json_real_value(json_object_get(report, "minutes")), 10, 0);
    assert_close(json_real_value(json_object_get(report, "spent_minutes")), 10, 1e-9);
    assert_int_equal(json_integer_value(json_object_get(report, "rounds")), 5);
    json_decref(report);
}

static cfg_configuration both[] = {{.name = none}, {.name = probe, .parent = none}};

static run_job precision_asking(double percent) {
    return (run_job){.benchmark.configurations = both,
                     .benchmark.configurations_count = 2,
                     .benchmark.loops = 30,
                     .minimum_loops = 2,
                     .benchmark.confidence = 0.95,
                     .benchmark.precision_percent = percent};
}

static void precision_add(GPtrArray *loops, const char *name, unsigned round, double mean,
                          bool disturbed, const char *failed) {
    run_loop *loop = run_loop_new(name, NULL, round);
    loop->disturbed = disturbed;
    loop->failed = g_strdup(failed);
    loop->summary.mean = mean;
    g_ptr_array_add(loops, loop);
}

/* T = 100 ± 1, I = 50 ± spread, alternating; both share what a round does to them. */
static GPtrArray *precision_rounds_of(unsigned rounds, double spread) {
    GPtrArray *loops = run_loops_new();
    for (unsigned round = 1; round <= rounds; round++) {
        double t = 100 + (round % 2 ? 1 : -1);
        precision_add(loops, "none", round, t, false, NULL);
        precision_add(loops, "probe", round, t + 50 + (round / 2 % 2 ? spread : -spread), false,
                      NULL);
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
        run_job job = precision_asking(cases[i].percent);
        g_autoptr(GPtrArray) loops = precision_rounds_of(cases[i].rounds, cases[i].spread);
        expect(&job, loops, cases[i].rounds, cases[i].reached);
    }
}

static void test_says_how_sure(void **state) {
    (void)state;
    run_job job = precision_asking(2);
    g_autoptr(GPtrArray) loops = precision_rounds_of(12, .2);
    g_autofree char *why = run_precision_reached(&job, loops, 12);
    assert_string_equal(why, "after 12 of 30 rounds every portion is known to 1.1 % "
                             "(precision_percent is 2)");
}

/* Disturbed, repeated: the repetition counts. Failed: nothing counts. As the server chooses. */
static void test_attempts(void **state) {
    (void)state;
    run_job job = precision_asking(2);
    g_autoptr(GPtrArray) loops = precision_rounds_of(11, .2);
    precision_add(loops, "none", 12, 100, false, NULL);
    precision_add(loops, "probe", 12, 900, true, NULL);
    expect(&job, loops, 12, false);
    precision_add(loops, "probe", 12, 150, false, NULL);
    precision_add(loops, "probe", 12, 5000, true, NULL);
    precision_add(loops, "probe", 12, 5000, false, "exit status 1");
    expect(&job, loops, 12, true);
}

static void test_trial_is_not_stopped(void **state) {
    (void)state;
    static char newer[] = "aa", older[] = "bb";
    run_job job = precision_asking(20);
    job.commit = newer;
    job.before = older;
    g_autoptr(GPtrArray) loops = precision_rounds_of(12, .2);
    expect(&job, loops, 12, false);
}

static cfg_configuration eta_both[] = {{.name = none}, {.name = probe}};
static const run_job job = {.benchmark.configurations = eta_both,
                            .benchmark.configurations_count = 2,
                            .benchmark.loops = 2,
                            .benchmark.rest_s = 1};

static char newer[] = "aa", older[] = "bb";
static const run_job trial = {.benchmark.configurations = eta_both,
                              .benchmark.configurations_count = 2,
                              .benchmark.loops = 2,
                              .benchmark.rest_s = 1,
                              .commit = newer,
                              .before = older};

static void test_eta(void **state) {
    (void)state;
    g_autoptr(GPtrArray) loops = run_loops_new();
    assert_true(run_eta_s(&job, loops) < 0);
    run_loop *loop = run_loop_new("none", NULL, 1);
    loop->seconds = 4;
    g_ptr_array_add(loops, loop);
    /* one more of none, two of probe at the mean of what is known; a second's rest each */
    assert_close(run_eta_s(&job, loops), 3 * 5.0, 1e-9);
    /* in a trial each of them twice: eight, one is done */
    assert_close(run_eta_s(&trial, loops), 7 * 5.0, 1e-9);
    run_loop *other = run_loop_new("of no configuration", NULL, 1);
    other->seconds = 1000;
    g_ptr_array_add(loops, other);
    assert_close(run_eta_s(&job, loops), 3 * 5.0, 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_applies_to_nights),
        cmocka_unit_test(test_rounds_then_where_it_helps),
        cmocka_unit_test(test_numbers_go_on),
        cmocka_unit_test(test_handling_is_paid_for),
        cmocka_unit_test(test_other_nights_cost_nothing),
        cmocka_unit_test(test_goes_on_after_a_kill),
        cmocka_unit_test(test_a_stray_changes_no_plan),
        cmocka_unit_test(test_a_stray_draws_no_time),
        cmocka_unit_test(test_a_disturbed_loop_is_repeated_in_its_block),
        cmocka_unit_test(test_the_minimum_is_measured),
        cmocka_unit_test(test_what_never_works_ends_it),
        cmocka_unit_test(test_there_is_a_last_loop),
        cmocka_unit_test(test_says_how_it_was_spent),

        cmocka_unit_test(test_every_portion_must_be_sure),
        cmocka_unit_test(test_says_how_sure),
        cmocka_unit_test(test_attempts),
        cmocka_unit_test(test_trial_is_not_stopped),
        cmocka_unit_test(test_eta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
