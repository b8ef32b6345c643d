#include "tests/unit/runner/test.h"

#include "runner/loop/loop.h"

#include <limits.h>

#define SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* What the protocol's page shows, and each way a loop can be. */
static const char *const whole[] = {
    "{\"configuration\":\"none\",\"loop\":1,\"position\":4,\"attempt\":2,\"disturbed\":false,"
    "\"started_ms\":1700000000000,\"seconds\":1.5,\"calls\":4,\"warmup_calls\":1,"
    "\"summary\":{\"n\":3,\"mean_ns\":20.25,\"sd_ns\":1.0,\"min_ns\":10.0,\"q1_ns\":15.0,"
    "\"median_ns\":20.0,\"q3_ns\":25.0,\"max_ns\":30.0},\"calls_per_second\":[7,8],"
    "\"readings\":{\"settled\":true,\"usage\":{\"a\":1}},\"failed\":null,"
    "\"raw\":{\"sha256\":\"" SHA256 "\",\"bytes\":9,\"uncompressed_bytes\":12}}",
    "{\"configuration\":\"none\",\"loop\":1,\"position\":0,\"attempt\":1,\"disturbed\":true,"
    "\"started_ms\":1,\"seconds\":0.0,\"commit\":\"aa\","
    "\"readings\":{\"disturbed_by\":\"others\",\"stray\":true,\"turn\":3},\"failed\":\"exit status "
    "1\"}",
    "{\"configuration\":\"none\",\"loop\":2,\"position\":0,\"attempt\":1,\"disturbed\":false,"
    "\"started_ms\":1,\"seconds\":0.5,\"calls\":1,\"warmup_calls\":0,"
    "\"summary\":{\"n\":1,\"mean_ns\":7.5},\"calls_per_second\":[],\"failed\":null}"};

static void test_comes_back_as_it_was(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(whole); i++) {
        json_t *before = json_loads(whole[i], JSON_REJECT_DUPLICATES, NULL);
        g_autoptr(run_loop) loop = run_loop_read(before);
        assert_non_null(loop);
        json_t *after = run_loop_json(loop);
        if (!json_equal(before, after))
            fail_msg("%s", json_dumps(after, JSON_COMPACT));
        json_decref(before);
        json_decref(after);
    }
}

static void test_members(void **state) {
    (void)state;
    json_t *object = json_loads(whole[0], 0, NULL);
    g_autoptr(run_loop) loop = run_loop_read(object);
    assert_string_equal(loop->configuration, "none");
    assert_int_equal(loop->number, 1);
    assert_int_equal(loop->position, 4);
    assert_int_equal(loop->attempt, 2);
    assert_int_equal(loop->calls, 4);
    assert_int_equal(loop->warmup_calls, 1);
    assert_int_equal(loop->summary.n, 3);
    assert_close(loop->summary.q3, 25, 0);
    assert_int_equal(g_array_index(loop->calls_per_second, uint64_t, 1), 8);
    assert_string_equal(loop->raw.sha256, SHA256);
    assert_null(loop->failed);
    assert_null(loop->commit);
    json_decref(object);
}

static void test_what_is_no_loop(void **state) {
    (void)state;
    const char *const texts[] = {
        "{}", "[]", "{\"configuration\":\"none\"}",
        "{\"configuration\":1,\"loop\":1,\"failed\":\"x\"}",
        "{\"configuration\":\"none\",\"loop\":\"1\",\"failed\":\"x\"}",
        "{\"configuration\":\"none\",\"loop\":1,\"failed\":null}",
        "{\"configuration\":\"none\",\"loop\":1,\"summary\":{}}",
        /* found by tests/fuzz/runner/fuzz_loop: a hash that is none */
        "{\"configuration\":\"none\",\"loop\":1,\"raw\":{\"sha256\":\"000\xef\xbf\xbd\"}}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        json_t *object = json_loads(texts[i], 0, NULL);
        assert_null(run_loop_read(object));
        json_decref(object);
    }
    assert_null(run_loop_read(NULL));
}

/* Found by tests/fuzz/runner/fuzz_loop: it was written below 0, and read as another loop. */
static void test_a_number_that_is_too_large(void **state) {
    (void)state;
    json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:s}", "configuration", "none", "loop",
                               (json_int_t)-1, "position", (json_int_t)INT_MAX, "attempt",
                               (json_int_t)INT_MAX + 1, "failed", "why");
    g_autoptr(run_loop) loop = run_loop_read(object);
    assert_int_equal(loop->number, 0);
    assert_int_equal(loop->position, INT_MAX);
    assert_int_equal(loop->attempt, 0);
    json_decref(object);
}

static void test_marks(void **state) {
    (void)state;
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    run_loop_set_disturbed(loop, "it stands apart");
    loop->stray = true;
    json_t *object = run_loop_json(loop);
    json_t *readings = json_object_get(object, "readings");
    assert_true(json_is_true(json_object_get(object, "disturbed")));
    assert_true(json_is_true(json_object_get(readings, "stray")));
    json_decref(object);
    run_loop_set_disturbed(loop, NULL);
    assert_false(loop->stray);
    object = run_loop_json(loop);
    assert_true(json_is_false(json_object_get(object, "disturbed")));
    assert_null(json_object_get(object, "readings"));
    json_decref(object);
}

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
        cmocka_unit_test(test_comes_back_as_it_was),
        cmocka_unit_test(test_members),
        cmocka_unit_test(test_what_is_no_loop),
        cmocka_unit_test(test_a_number_that_is_too_large),
        cmocka_unit_test(test_marks),

        cmocka_unit_test(test_the_last_undisturbed_attempt_counts_else_the_last),
        cmocka_unit_test(test_each_commit_of_a_trial_has_its_own),
        cmocka_unit_test(test_unknown_configurations_are_none),
        cmocka_unit_test(test_least),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
