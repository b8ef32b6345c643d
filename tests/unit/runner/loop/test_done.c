#include "tests/unit/runner/test.h"

#include "runner/loop/done.h"

static char none[] = "none", probe[] = "probe", newer[] = "aa", older[] = "bb";
static cfg_configuration both[] = {{.name = none}, {.name = probe}};
static const run_job job = {
    .benchmark.configurations = both, .benchmark.configurations_count = 2, .benchmark.loops = 2};
static const run_job trial = {.benchmark.configurations = both,
                              .benchmark.configurations_count = 2,
                              .benchmark.loops = 2,
                              .commit = newer,
                              .before = older};

/* One attempt. */
typedef struct {
    const char *configuration, *commit;
    unsigned loop;
    bool failed, disturbed;
    bool counts; /* expected */
} attempt;

static GPtrArray *loops_of(const attempt *attempts, size_t n) {
    GPtrArray *loops = run_loops_new();
    for (size_t i = 0; i < n; i++) {
        const attempt *one = &attempts[i];
        run_loop *loop = run_loop_new(one->configuration, one->commit, one->loop);
        loop->failed = one->failed ? g_strdup("exit status 1") : NULL;
        loop->disturbed = one->disturbed;
        g_ptr_array_add(loops, loop);
    }
    return loops;
}

static void test_the_last_undisturbed_attempt_counts_else_the_last(void **state) {
    (void)state;
    const attempt attempts[] = {
        {"none", "", 1, false, true, false},   {"probe", "", 1, true, false, false},
        {"none", "", 1, false, false, false},  {"none", "", 1, false, false, true},
        {"none", "", 1, false, true, false},   {"none", "", 1, true, false, false},
        {"none", "", 2, false, true, false},   {"none", "", 2, false, true, true},
        {"other", "", 1, false, false, false}, {"probe", "", 2, false, false, true}};
    g_autoptr(GPtrArray) loops = loops_of(attempts, G_N_ELEMENTS(attempts));
    g_autoptr(GArray) done = run_loops_done(&job, loops);
    g_autofree bool *counts = run_loops_counting(done);
    for (size_t i = 0; i < G_N_ELEMENTS(attempts); i++)
        if (counts[i] != attempts[i].counts)
            fail_msg("attempt %zu", i);
}

static void test_each_commit_of_a_trial_has_its_own(void **state) {
    (void)state;
    const attempt attempts[] = {{"probe", "aa", 1, false, false, true},
                                {"probe", "bb", 1, false, false, true},
                                {"probe", "cc", 1, false, false, false},
                                {"probe", NULL, 1, false, false, false}};
    const unsigned expected[] = {0, 1, G_MAXUINT, G_MAXUINT};
    g_autoptr(GPtrArray) loops = loops_of(attempts, 4);
    g_autoptr(GArray) done = run_loops_done(&trial, loops);
    g_autoptr(GArray) plain = run_loops_done(&job, loops);
    g_autofree bool *counts = run_loops_counting(done);
    for (guint i = 0; i < 4; i++) {
        assert_int_equal(g_array_index(done, run_loop_done, i).which, expected[i]);
        assert_int_equal(g_array_index(plain, run_loop_done, i).which, 0);
        assert_int_equal(counts[i], attempts[i].counts);
    }
}

static void test_unknown_configurations_are_none(void **state) {
    (void)state;
    const attempt attempts[] = {{"other", NULL, 1, false, false, false}};
    g_autoptr(GPtrArray) loops = loops_of(attempts, 1);
    g_autoptr(GArray) done = run_loops_done(&job, loops);
    assert_int_equal(g_array_index(done, run_loop_done, 0).configuration, G_MAXUINT);
}

#define GOOD(name, commit, loop)                                                                   \
    { name, commit, loop, false, false, false }
#define BAD(name, commit, loop)                                                                    \
    { name, commit, loop, true, false, false }

/* Repeated and failed attempts are no further loops; with two commits the scarcer one counts. */
static void test_least(void **state) {
    (void)state;
    const struct {
        const run_job *job;
        unsigned least;
        size_t n;
        attempt attempts[4];
    } cases[] = {
        {&job, 0, 0, {GOOD("", "", 0)}},
        {&job, 0, 2, {GOOD("none", "", 1), GOOD("none", "", 2)}},
        {&job, 1, 3, {GOOD("none", "", 1), GOOD("probe", "", 1), GOOD("probe", "", 1)}},
        {&job, 1, 3, {GOOD("none", "", 1), BAD("none", "", 2), GOOD("probe", "", 2)}},
        {&job,
         2,
         4,
         {GOOD("none", "", 1), GOOD("none", "", 2), GOOD("probe", "", 1), GOOD("probe", "", 2)}},
        {&trial, 0, 3, {GOOD("none", "aa", 1), GOOD("probe", "aa", 1), GOOD("none", "bb", 1)}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GPtrArray) loops = loops_of(cases[i].attempts, cases[i].n);
        assert_int_equal(run_loops_least(cases[i].job, loops), cases[i].least);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_last_undisturbed_attempt_counts_else_the_last),
        cmocka_unit_test(test_each_commit_of_a_trial_has_its_own),
        cmocka_unit_test(test_unknown_configurations_are_none), cmocka_unit_test(test_least)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
