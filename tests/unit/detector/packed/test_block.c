/* What goes into one block, and blocks that are none. */
#include "tests/unit/test.h"

#include "detector/packed/bits__.h"
#include "detector/packed/block.h"

#include <stdio.h>
#include <string.h>

static det_calls calls;
static unsigned char out[DET_BLOCK_BYTES_MAX + BITS_SLACK];
static char big[DET_BLOCK_TEXT_MAX * 4];

static size_t taken_of(const char *text, size_t size, int *is_text) {
    det_block_cuts cuts;
    size_t taken = 0, text_size = 0;
    const char *kept = NULL;
    const size_t bytes = det_block_write(text, size, &calls, out, &taken, &cuts);
    assert_true(bytes <= DET_BLOCK_BYTES_MAX);
    for (unsigned i = 0; i < cuts.count; i++)
        assert_true(cuts.at[i] > (i ? cuts.at[i - 1] : 0) && cuts.at[i] <= bytes);
    assert_int_equal(det_block_read(out, bytes, &calls, &kept, &text_size), DET_OK);
    *is_text = kept != NULL;
    if (kept) {
        assert_int_equal(text_size, taken);
        assert_memory_equal(kept, text, taken);
    } else {
        static char back[DET_CALLS_TEXT_MAX];
        assert_int_equal(det_calls_text(&calls, back), taken);
        assert_memory_equal(back, text, taken);
    }
    return taken;
}

static void calls_and_text_are_told_apart(void **state) {
    static const struct {
        const char *text;
        size_t taken;
        int is_text;
    } cases[] = {
        {"1;2\n", 4, 0}, {"1;2\n3;4", 4, 0}, /* the rest may be a line */
        {"3;4", 3, 1},   {"Exception", 9, 1}, {"1;2;3;4\n5;6;7;8\n", 16, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int is_text = -1;
        assert_int_equal(taken_of(cases[i].text, strlen(cases[i].text), &is_text), cases[i].taken);
        assert_int_equal(is_text, cases[i].is_text);
    }
}

/* A few good lines between others are not worth a block each. */
static void a_few_lines_among_others_are_text(void **state) {
    size_t size = 0;
    int is_text = 0;
    (void)state;
    while (size + 16 < sizeof big)
        size += (size_t)sprintf(big + size, size % 5 ? "1;%zu\n" : "%zu oops\n", size);
    assert_int_equal(taken_of(big, size, &is_text), DET_BLOCK_TEXT_MAX);
    assert_true(is_text);
}

static void many_lines_before_others_are_calls(void **state) {
    size_t size = 0;
    int is_text = 1;
    (void)state;
    for (int i = 0; i < 2000; i++)
        size += (size_t)sprintf(big + size, "1;%d\n", 100 + i % 7);
    const size_t good = size;
    memset(big + size, 'x', 1000);
    assert_int_equal(taken_of(big, size + 1000, &is_text), good);
    assert_false(is_text);
}

static void blocks_that_are_none_are_refused(void **state) {
    static const struct {
        unsigned char bytes[16];
        size_t size;
    } cases[] = {
        {{0}, 0},                                /* nothing */
        {{0}, 1},                                /* no text */
        {{2, 'x'}, 2},                           /* of another kind */
        {{1, 2}, 2},                             /* cut off */
        {{1, 3, 1, 0, 0, 1, 2}, 7},              /* three columns */
        {{1, 2, 0, 0, 0, 1, 2, 0, 1, 2}, 10},    /* no calls */
        {{1, 2, 1, 32, 0, 1, 2}, 7},             /* 8193 calls */
        {{1, 2, 1, 0, 0, 1, 2}, 7},              /* one column of two */
        {{1, 2, 1, 0, 0, 1, 2, 0, 1, 2, 9}, 11}, /* something behind */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text;
        size_t size;
        memset(out, 0, sizeof out);
        memcpy(out, cases[i].bytes, cases[i].size);
        assert_int_equal(det_block_read(out, cases[i].size, &calls, &text, &size), DET_ESYNTAX);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_text_are_told_apart),
        cmocka_unit_test(a_few_lines_among_others_are_text),
        cmocka_unit_test(many_lines_before_others_are_calls),
        cmocka_unit_test(blocks_that_are_none_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
