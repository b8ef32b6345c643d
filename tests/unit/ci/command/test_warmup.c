/* After how many calls a pilot's processes had settled, from files as the runner leaves them. */
#include "tests/unit/ci/command/results_folder.h"
#include "tests/unit/detector/luck.h"

#include "ci/command/pilot.h"

#define PROCESS_CALLS 4000u

/* The first `cold` calls take twice as long. */
static void put_raw(const char *folder, unsigned loop, unsigned cold, unsigned threads,
                    uint64_t *seed) {
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *name = g_strdup_printf("raw-%u-10-none.csv", loop);
    for (unsigned i = 0; i < PROCESS_CALLS; i++)
        g_string_append_printf(text, "%u;%.0f\n", i % threads + 1,
                               (i < cold ? 2000 : 1000) + 100 * luck_normal(seed));
    g_free(put(folder, name, text->str));
}

static void the_least_that_all_had_settled_after(void **state) {
    uint64_t seed = 5;
    for (unsigned loop = 1; loop <= 5; loop++)
        put_raw(*state, loop, loop == 3 ? 350 : 30, 1, &seed);
    const ci_warmup found = ci_warmup_of(*state, 10, "none", 5, PROCESS_CALLS / 2.0);
    assert_int_equal((int)found.warmup, 400);
    assert_int_equal(found.settled, 5);
    assert_int_equal(found.seen, 5);
    assert_true(found.known);
    assert_true(fabs(found.varies.mean - 1000) < 10);
    assert_true(fabs(sqrt(found.varies.within) - 100) < 30);
    assert_true(sqrt(found.varies.between) < 5);
}

/* Without evidence: how many had settled after what is dropped now. */
static void what_never_settles_keeps_its_warmup(void **state) {
    uint64_t seed = 6;
    for (unsigned loop = 1; loop <= 4; loop++)
        put_raw(*state, loop, loop == 1 ? 3400 : 30, 1, &seed);
    const ci_warmup found = ci_warmup_of(*state, 10, "none", 4, PROCESS_CALLS / 2.0);
    assert_true(found.warmup < 0);
    assert_int_equal(found.settled, 3);
    assert_int_equal(found.seen, 4);
}

static void files_that_say_nothing_are_left_out(void **state) {
    uint64_t seed = 7;
    g_free(put(*state, "raw-1-10-none.csv", "no call\n"));
    put_raw(*state, 2, 30, 2, &seed); /* two threads */
    put_raw(*state, 4, 30, 1, &seed);
    const ci_warmup found = ci_warmup_of(*state, 10, "none", 9, PROCESS_CALLS / 2.0);
    assert_true(found.warmup < 0);
    assert_int_equal(found.seen, 1);
    const ci_warmup other = ci_warmup_of(*state, 10, "full", 9, 0);
    assert_int_equal(other.seen, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_least_that_all_had_settled_after),
        IN_FOLDER(what_never_settles_keeps_its_warmup),
        IN_FOLDER(files_that_say_nothing_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
