/* Before the merge: error rates by simulation, the four answers, their sentences, refused input. */
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

#include "detector/watch/merge.h"
#include "tests/unit/detector/luck.h"

#define LOOPS_MAX 320

/* Two commits of one portion of 1000 ns on a parent of 400. */
typedef struct {
    double spread, change;
    size_t most;  /* loops */
    double held;  /* share of all loops that the machine slows, by 200 ns on average */
    double stuck; /* share of the later commit's loops that it slows itself, by 600 ns */
    int steady;   /* 1: the parent takes the same time in most loops, and less in some */
} session;

static double late(double share, double ns, uint64_t *seed) {
    return share > 0 && luck_uniform(seed) < share ? -ns * log(luck_uniform(seed)) : 0;
}

static double noise(const session *s, double spread, uint64_t *seed) {
    return spread * s->spread * luck_normal(seed) + late(s->held, 200, seed);
}

/* Three loops in ten of a steady parent are faster, by up to 40 ns. */
static double below_of(const session *s, uint64_t *seed) {
    if (!s->steady)
        return 400 + noise(s, 1. / 3, seed);
    const double fast = luck_uniform(seed) < 0.3 ? 40 * luck_uniform(seed) : 0;
    return 400 - fast + luck_normal(seed) + late(s->held, 200, seed);
}

static det_merge_question ask(int last) {
    return (det_merge_question){.name = "I",
                                .portions = 4,
                                .alpha = DET_MERGE_ALPHA,
                                .effect_relative = 0.05,
                                .level = 0.95,
                                .last = last};
}

/* As the server does it: half as many loops more before each look, until the time is spent. */
static det_merge_result run(const session *s, uint64_t *seed) {
    static double before[LOOPS_MAX], after[LOOPS_MAX], parent[LOOPS_MAX], below[LOOPS_MAX];
    det_merge_result r = {.answer = DET_MERGE_MORE};
    size_t loops = 0, wanted = 10;
    for (; r.answer == DET_MERGE_MORE; wanted += (wanted + 1) / 2) {
        for (; loops < wanted && loops < s->most; loops++) {
            before[loops] = 1400 + noise(s, 1, seed);
            after[loops] = 1400 + s->change + noise(s, 1, seed) + late(s->stuck, 600, seed);
            parent[loops] = below_of(s, seed);
            below[loops] = below_of(s, seed);
        }
        const det_confirm_sample sample = {.before = before,
                                           .after = after,
                                           .before_parent = parent,
                                           .after_parent = below,
                                           .loops = loops,
                                           .parent_loops = loops};
        const det_merge_question q = ask(loops == s->most);
        assert_int_equal(det_merge_judge(&r, &q, &sample), DET_OK);
    }
    return r;
}

static unsigned count_of(const session *s, det_merge_answer answer, unsigned of, uint64_t seed) {
    unsigned count = 0;
    for (unsigned i = 0; i < of; i++)
        count += run(s, &seed).answer == answer;
    return count;
}

static void ten_percent_are_found_and_nothing_is_not(void **state) {
    (void)state;
    enum { SESSIONS = 2000 };
    const session innocent = {.spread = 60, .most = 160},
                  slower = {.spread = 60, .change = 100, .most = 160},
                  faster = {.spread = 60, .change = -100, .most = 160};
    const unsigned wrong = count_of(&innocent, DET_MERGE_SLOWER, SESSIONS, 1) +
                           count_of(&innocent, DET_MERGE_FASTER, SESSIONS, 1);
    /* of four portions at most one in a hundred together: of one a quarter of that */
    assert_true(wrong <= SESSIONS / 400 + 3);
    assert_true(count_of(&slower, DET_MERGE_SLOWER, SESSIONS, 2) >= SESSIONS * 95 / 100);
    assert_true(count_of(&faster, DET_MERGE_FASTER, SESSIONS, 3) >= SESSIONS * 95 / 100);
    assert_true(count_of(&innocent, DET_MERGE_SAME, SESSIONS, 4) >= SESSIONS * 95 / 100);
}

static void told_apart(const session *innocent, const session *slower, unsigned sessions,
                       uint64_t seed) {
    const unsigned wrong = count_of(innocent, DET_MERGE_SLOWER, sessions, seed) +
                           count_of(innocent, DET_MERGE_FASTER, sessions, seed);
    assert_true(wrong <= sessions / 400 + 3);
    assert_true(count_of(slower, DET_MERGE_SLOWER, sessions, seed + 1) >= sessions * 95 / 100);
    assert_true(count_of(innocent, DET_MERGE_SAME, sessions, seed + 2) >= sessions * 95 / 100);
}

/* A host that slows a third of the loops: the fastest half needs few loops where all need many. */
static void loops_that_the_host_slows_do_not_hide_ten_percent(void **state) {
    (void)state;
    const session innocent = {.spread = 20, .most = 160, .held = 0.35},
                  slower = {.spread = 20, .change = 100, .most = 80, .held = 0.35};
    uint64_t seed = 24;
    told_apart(&innocent, &slower, 2000, 21);
    assert_non_null(strstr(run(&slower, &seed).sentence, ", of which the fastest half counts"));
}

/* Where it slows most loops, the fastest quarter is what is left. */
static void nor_do_they_where_they_are_most(void **state) {
    (void)state;
    const session innocent = {.spread = 10, .most = 320, .held = 0.7},
                  slower = {.spread = 10, .change = 100, .most = 320, .held = 0.7};
    uint64_t seed = 54;
    told_apart(&innocent, &slower, 500, 51);
    assert_non_null(
        strstr(run(&innocent, &seed).sentence, ", of which the fastest quarter counts"));
}

/* Where most loops take the same time, it depends on a nanosecond which commit's come first. */
static void a_steady_parent_scatters_alike(void **state) {
    (void)state;
    enum { SESSIONS = 500 };
    const session innocent = {.spread = 20, .most = 160, .held = 0.35, .steady = 1},
                  slower = {.spread = 20, .change = 100, .most = 160, .held = 0.35, .steady = 1};
    assert_true(count_of(&slower, DET_MERGE_SLOWER, SESSIONS, 41) >= SESSIONS * 95 / 100);
    assert_true(count_of(&innocent, DET_MERGE_SAME, SESSIONS, 42) >= SESSIONS * 95 / 100);
}

/* A third of the later commit's loops alone: that is what the commit does. Of ten loops none or one
 * may be of that third, and then the first looks miss it: 46 of these 500. */
static void what_one_commit_does_to_its_slower_loops_stays_in(void **state) {
    (void)state;
    enum { SESSIONS = 500 };
    const session stuck = {.spread = 5, .most = 160, .stuck = 0.35};
    assert_true(count_of(&stuck, DET_MERGE_SAME, SESSIONS, 31) <= SESSIONS * 12 / 100);
}

static void noise_makes_it_unsure_and_says_what_would_have_been_seen(void **state) {
    (void)state;
    const session noisy = {.spread = 600, .most = 10};
    uint64_t seed = 7;
    const det_merge_result r = run(&noisy, &seed);
    assert_int_equal(r.answer, DET_MERGE_UNSURE);
    assert_true(r.seen_ns > r.least_ns);
    assert_non_null(
        strstr(r.sentence, "I is unsure: what was measured is not enough; a change of"));
    assert_non_null(strstr(r.sentence, "or more would have been seen, 10 loops of each commit"));
}

/* A change of what it says would have been seen is told, 95 of 100 times at least. */
static void what_it_says_would_be_seen_is_seen(void **state) {
    (void)state;
    enum { SESSIONS = 1000 };
    const session noisy = {.spread = 150, .most = 20};
    uint64_t seed = 11;
    double seen = 0;
    for (int i = 0; i < SESSIONS; i++)
        seen += run(&noisy, &seed).seen_ns / SESSIONS;
    const session changed = {.spread = 150, .change = seen, .most = 20};
    assert_true(count_of(&changed, DET_MERGE_SLOWER, SESSIONS, 12) >= SESSIONS * 95 / 100);
}

static void a_clear_change_is_told_at_the_first_look(void **state) {
    (void)state;
    const session s = {.spread = 20, .change = 300, .most = 160};
    uint64_t seed = 3;
    const det_merge_result r = run(&s, &seed);
    assert_int_equal(r.answer, DET_MERGE_SLOWER);
    assert_int_equal(r.loops, 10);
    assert_non_null(strstr(r.sentence, "I rose from 1.0"));
    assert_true(r.sequential.low < r.difference.low);
}

/* Sure, and too small to matter. */
static void a_change_below_the_least_is_none(void **state) {
    (void)state;
    const session s = {.spread = 1, .change = 20, .most = 160};
    uint64_t seed = 3;
    const det_merge_result r = run(&s, &seed);
    assert_int_equal(r.answer, DET_MERGE_SAME);
    assert_non_null(strstr(r.sentence, "I differs, by less than "));
    assert_null(strstr(r.sentence, "would have been seen"));
    const session innocent = {.spread = 20, .most = 160};
    seed = 5;
    assert_non_null(strstr(run(&innocent, &seed).sentence, "I is as before: it differs by less"));
}

/* Its own portion was done sooner than the one on top of it. */
static void a_parent_with_fewer_loops_is_told(void **state) {
    (void)state;
    static const double configuration[] = {1400, 1401, 1402, 1403}, parent[] = {400, 401, 402};
    det_merge_result r;
    const det_merge_question q = ask(1);
    const det_confirm_sample s = {.before = configuration,
                                  .after = configuration,
                                  .before_parent = parent,
                                  .after_parent = parent,
                                  .loops = 4,
                                  .parent_loops = 3};
    assert_int_equal(det_merge_judge(&r, &q, &s), DET_OK);
    assert_non_null(strstr(r.sentence, ", 4 loops of each commit in turn (3 of its parent)"));
}

static void odd_input_gets_a_code(void **state) {
    (void)state;
    static const double loops[] = {1, 2, NAN};
    det_merge_result r;
    det_merge_question q = ask(1);
    det_confirm_sample s = {.before = loops, .after = loops, .loops = 2};
    assert_int_equal(det_merge_judge(&r, &q, &s), DET_ESHORT);
    s.loops = 3;
    assert_int_equal(det_merge_judge(&r, &q, &s), DET_ENUMERIC);
    q.portions = 0;
    assert_int_equal(det_merge_judge(&r, &q, &s), DET_EINVAL);
    q = ask(1);
    q.alpha = 0;
    assert_int_equal(det_merge_judge(&r, &q, &s), DET_EINVAL);
    q = ask(1);
    q.effect_relative = NAN;
    assert_int_equal(det_merge_judge(&r, &q, &s), DET_EINVAL);
    q = ask(1);
    q.level = 1;
    assert_int_equal(det_merge_judge(&r, &q, &s), DET_EINVAL);
}

static void the_words_are_those_of_the_api(void **state) {
    (void)state;
    static const char *const words[] = {"more", "slower", "faster", "same", "unsure"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(det_merge_text((det_merge_answer)i), words[i]);
    assert_string_equal(det_merge_text((det_merge_answer)9), "unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_percent_are_found_and_nothing_is_not),
        cmocka_unit_test(loops_that_the_host_slows_do_not_hide_ten_percent),
        cmocka_unit_test(nor_do_they_where_they_are_most),
        cmocka_unit_test(a_steady_parent_scatters_alike),
        cmocka_unit_test(what_one_commit_does_to_its_slower_loops_stays_in),
        cmocka_unit_test(noise_makes_it_unsure_and_says_what_would_have_been_seen),
        cmocka_unit_test(what_it_says_would_be_seen_is_seen),
        cmocka_unit_test(a_clear_change_is_told_at_the_first_look),
        cmocka_unit_test(a_change_below_the_least_is_none),
        cmocka_unit_test(a_parent_with_fewer_loops_is_told),
        cmocka_unit_test(odd_input_gets_a_code),
        cmocka_unit_test(the_words_are_those_of_the_api),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
