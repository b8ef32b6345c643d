/* Portions of a tree of configurations; the numbers behind them are tested in test_interval. */
#include "tests/unit/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/statistics/portion.h"
#include "tests/unit/detector/chain.h"

static void a_chain_gives_differences_paired_by_round(void **state) {
    (void)state;
    /* R: t.test(c(21,22,25)-c(10,12,11)); t.test(c(10,12,11)) */
    const double means[] = {10, 12, 11, 21, 22, 25, 60, 61, 63, 100, 90, 95};
    det_chain chain;
    det_portions p;
    chain_classic(&chain);
    assert_int_equal(det_portions_of(&p, &chain, means, 3, .95), DET_OK);
    assert_true(fabs(p.portion[0].mean - 11) < 1e-12);
    assert_int_equal(p.method[0], DET_METHOD_STUDENT);
    assert_int_equal(p.method[1], DET_METHOD_PAIRED);
    assert_true(fabs(p.portion[1].mean / 11.666666666666666 - 1) < 1e-12);
    assert_true(fabs(p.portion[1].low / 6.4955216541244027 - 1) < 1e-12);
    assert_true(fabs(p.configuration[0].low / 8.5158622882496697 - 1) < 1e-12);
    assert_true(fabs(p.portion[3].mean - (95 - 61 - 1 / 3.0)) < 1e-12);
}

static void a_missing_loop_makes_it_welch(void **state) {
    (void)state;
    const double means[] = {10, 12, 11, 21, NAN, 25, NAN, NAN, 63, NAN, NAN, NAN};
    det_chain chain;
    det_portions p;
    chain_classic(&chain);
    assert_int_equal(det_portions_of(&p, &chain, means, 3, .95), DET_OK);
    assert_int_equal(p.method[1], DET_METHOD_WELCH);
    assert_int_equal(p.portion[1].n, 2);
    assert_true(p.portion[1].mean == 12 && p.portion[1].low < 12);
    assert_true(p.portion[2].mean == 40 && isnan(p.portion[2].low));
    assert_int_equal(p.configuration[2].n, 1);
    assert_true(isnan(p.portion[3].mean) && p.portion[3].n == 0);
}

static void several_writers_hang_under_one_parent(void **state) {
    (void)state;
    const double means[] = {1, 1, 3, 3, 8, 8, 10, 10};
    det_chain chain;
    det_portions p;
    det_chain_init(&chain);
    assert_int_equal(det_chain_add(&chain, "T", -1), DET_OK);
    assert_int_equal(det_chain_add(&chain, "C", 0), DET_OK);
    assert_int_equal(det_chain_add(&chain, "W/file", 1), DET_OK);
    char lengthy[DET_NAME_MAX + 10] = {0};
    memset(lengthy, 'W', sizeof lengthy - 1);
    assert_int_equal(det_chain_add(&chain, lengthy, 1), DET_OK);
    assert_int_equal(chain.control, 0);
    assert_int_equal(strlen(chain.name[3]), DET_NAME_MAX - 1);
    assert_memory_equal(chain.name[3] + DET_NAME_MAX / 3 - 2, "WW\xe2\x80\xa6WW", 7);
    assert_int_equal(det_portions_of(&p, &chain, means, 2, .95), DET_OK);
    assert_true(p.portion[2].mean == 5 && p.portion[3].mean == 7);
    assert_true(p.portion[3].low == 7 && p.portion[3].high == 7);
}

/* Names of tools differ at their end, by a method or a parameter. What is cut within a letter would
 * take the rest of each sentence with it. */
static void a_long_name_keeps_both_ends(void **state) {
    (void)state;
    char text[4 * DET_NAME_MAX] = {0}, name[DET_NAME_MAX];
    for (size_t bytes = 0; bytes < 4; bytes++) { /* before letters of three */
        memset(text, 'a', bytes);
        for (size_t i = 0; i < DET_NAME_MAX; i++)
            memcpy(text + bytes + 3 * i, "\xe6\xb5\x8b", 4);
        memcpy(text + bytes + 3 * DET_NAME_MAX, "size=2", 7);
        det_name_copy(name, text);
        const size_t head = bytes + 3 * ((DET_NAME_MAX / 3 - bytes) / 3);
        assert_memory_equal(name, text, head);
        assert_memory_equal(name + head, "\xe2\x80\xa6", 3);
        const size_t tail = strlen(name + head + 3);
        assert_true(tail > DET_NAME_MAX / 2);
        assert_string_equal(name + head + 3, text + strlen(text) - tail);
        assert_memory_equal(name + head + 3, "\xe6\xb5\x8b", 3);
    }
    memset(text, 'b', DET_NAME_MAX - 1);
    text[DET_NAME_MAX - 1] = 0;
    det_name_copy(name, text);
    assert_string_equal(name, text);
}

/* Benchmarks that have nothing in common: nothing is subtracted, and none is the control. */
static void several_roots_stand_alone(void **state) {
    (void)state;
    const double means[] = {10, 12, 100, 104, 7, 9};
    det_chain chain;
    det_portions p;
    det_chain_init(&chain);
    assert_int_equal(det_chain_add(&chain, "encode", -1), DET_OK);
    assert_int_equal(chain.control, -1);
    assert_int_equal(det_chain_add(&chain, "decode", -1), DET_OK);
    assert_int_equal(chain.control, -1);
    assert_int_equal(det_chain_add(&chain, "parse", -1), DET_OK);
    assert_int_equal(chain.control, -1);
    assert_int_equal(det_chain_check(&chain), DET_OK);
    assert_int_equal(det_portions_of(&p, &chain, means, 2, .95), DET_OK);
    assert_true(p.portion[0].mean == 11 && p.portion[1].mean == 102 && p.portion[2].mean == 8);
    assert_int_equal(p.method[1], DET_METHOD_STUDENT);
    chain.control = 0;
    assert_int_equal(det_chain_check(&chain), DET_EINVAL);
}

/* What stands alone beside a chain, before it or after it, is no part of it and takes no control
 * away; of two chains neither says anything of the other. */
static void a_chain_beside_others_keeps_its_control(void **state) {
    (void)state;
    static const struct {
        int parent[5], control;
    } table[] = {
        {{-1, 0, 1, 2, -1}, 0},   {{-1, 0, -1, 1, -1}, 0},    {{-1, -1, 1, 2, 2}, 1},
        {{-1, -1, 0, 1, -1}, -1}, {{-1, -1, -1, -1, -1}, -1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        det_chain chain;
        det_chain_init(&chain);
        for (size_t c = 0; c < 5; c++)
            assert_int_equal(det_chain_add(&chain, "T", table[i].parent[c]), DET_OK);
        assert_int_equal(chain.control, table[i].control);
        assert_int_equal(det_chain_check(&chain), DET_OK);
        chain.control = table[i].control == 0 ? 1 : 0;
        assert_int_equal(det_chain_check(&chain), DET_EINVAL);
    }
}

static void impossible_chains_are_refused(void **state) {
    (void)state;
    const double means[] = {1, 2, INFINITY, 4};
    det_chain chain;
    det_portions p;
    det_chain_init(&chain);
    assert_int_equal(det_chain_check(&chain), DET_EINVAL);
    assert_int_equal(det_chain_add(&chain, "x", 0), DET_EINVAL);
    assert_int_equal(det_chain_add(&chain, "x", -1), DET_OK);
    assert_int_equal(det_chain_add(&chain, "y", 1), DET_EINVAL);
    assert_int_equal(det_portions_of(&p, &chain, means, 0, .95), DET_ESHORT);
    assert_int_equal(det_portions_of(&p, &chain, means, DET_LOOPS_MAX + 1, .95), DET_EINVAL);
    assert_int_equal(det_portions_of(&p, &chain, means, 2, 1), DET_EINVAL);
    assert_int_equal(det_portions_of(&p, &chain, means, 4, .9), DET_ENUMERIC);
    while (chain.count < DET_CONFIGURATIONS_MAX)
        assert_int_equal(det_chain_add(&chain, "z", 0), DET_OK);
    assert_int_equal(det_chain_add(&chain, "z", 0), DET_EINVAL);
    chain.parent[3] = 3;
    assert_int_equal(det_chain_check(&chain), DET_EINVAL);
    for (int m = DET_METHOD_STUDENT; m <= DET_METHOD_WELCH + 1; m++)
        assert_true(strlen(det_method_text((det_method)m)) > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_gives_differences_paired_by_round),
        cmocka_unit_test(a_missing_loop_makes_it_welch),
        cmocka_unit_test(several_writers_hang_under_one_parent),
        cmocka_unit_test(a_long_name_keeps_both_ends),
        cmocka_unit_test(several_roots_stand_alone),
        cmocka_unit_test(a_chain_beside_others_keeps_its_control),
        cmocka_unit_test(impossible_chains_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
