/* How many rounds the next job of a pull request has. */
#include "tests/unit/test.h"

#include "server/pull/pull_batch.h"

static void rounds_grow_within_the_time(void **state) {
    (void)state;
    static const struct {
        srv__pull_pace pace;
        int64_t rounds;
    } table[] = {
        {{600, 0, 0}, 10},    /* nothing is known */
        {{600, 1, 0}, 10},    /* there is time */
        {{600, 50, 0}, 6},    /* half of the time, for a first look */
        {{600, 5000, 0}, 3},  /* one look is tried in any case */
        {{500, 10, 10}, 5},   /* half as many more */
        {{500, 10, 41}, 21},  /* and again */
        {{50, 10, 40}, 5},    /* what the time allows */
        {{29, 10, 40}, 0},    /* fewer would say nothing */
        {{-5, 10, 40}, 0},    /* spent */
        {{9e9, 1, 500}, 200}, /* a result has its limits */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(srv__pull_rounds_next(&table[i].pace), table[i].rounds);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_grow_within_the_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
