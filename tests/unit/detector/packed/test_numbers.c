/* A column as bytes and back, whatever its numbers; and bytes that are no column. */
#include "tests/unit/test.h"

#include "detector/packed/bits__.h"
#include "detector/packed/calls.h"
#include "detector/packed/numbers.h"

#include <string.h>

#define N DET_CALLS_MAX

enum { RUNS, VALUES, DELTAS, ANY }; /* docs/raw-format.md */

static uint64_t x[N], back[N];
static unsigned char bytes[DET_NUMBERS_BYTES(N) + BITS_SLACK];

/* Knuth's generator: the same numbers everywhere. */
static uint64_t luck(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 20;
}

static size_t round_trip(size_t n, int encoding) {
    det_numbers_symbols symbols;
    size_t used = 0;
    const size_t size = det_numbers_write(x, n, bytes, &symbols);
    assert_true(size <= DET_NUMBERS_BYTES(n));
    assert_true(bytes[0] == encoding || (encoding == ANY && bytes[0] != RUNS));
    assert_int_equal(symbols.size, encoding == RUNS ? 0 : n);
    memset(back, 0xee, sizeof back);
    assert_int_equal(det_numbers_read(bytes, size, back, n, &used), DET_OK);
    assert_int_equal(used, size);
    assert_memory_equal(back, x, n * sizeof *x);
    return size;
}

static void bits_lie_one_after_the_other(void **state) {
    (void)state;
    static unsigned char packed[64 * 64 + BITS_SLACK];
    for (unsigned skip = 0; skip < 8; skip++) {
        size_t at = skip;
        memset(packed, 0, sizeof packed);
        for (unsigned width = 0; width <= 63; width++)
            at = bits_put(packed, at, (UINT64_C(1) << width) - 1 - (width > 2), width);
        at = skip;
        for (unsigned width = 0; width <= 63; width++, at += width - 1)
            assert_true(bits_get(packed, at, width) == (UINT64_C(1) << width) - 1 - (width > 2));
    }
    assert_int_equal(bits_width(0), 0);
    assert_int_equal(bits_width(255), 8);
    assert_int_equal(bits_width(UINT64_MAX), 64);
}

static void what_seldom_changes_is_runs(void **state) {
    (void)state;
    x[0] = 7;
    assert_int_equal(round_trip(1, RUNS), 3);
    for (size_t i = 0; i < N; i++)
        x[i] = i / 1000 * 123456789 % 1000000007;
    assert_true(round_trip(N, RUNS) < 80);
    for (size_t i = 0; i < N; i++)
        x[i] = (UINT64_C(1) << 60) - i / 4096; /* downwards */
    round_trip(N, RUNS);
}

static void times_are_values(void **state) {
    static const uint64_t levels[] = {0, 1, 24, 850, 30000, 1000000007, UINT64_C(1) << 55};
    (void)state;
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        uint64_t seed = k;
        for (size_t i = 0; i < N; i++) {
            x[i] = levels[k] + luck(&seed) % (levels[k] / 16 + 7);
            if (luck(&seed) % 500 == 0)
                x[i] = luck(&seed) % (levels[k] + 1); /* below the base */
            if (luck(&seed) % 500 == 0)
                x[i] <<= luck(&seed) % 5; /* a pause */
        }
        round_trip(N, levels[k] > 1000 ? ANY : VALUES); /* of noise that wide each is as good */
        round_trip(100, ANY);
    }
}

static void what_moves_from_where_it_was_is_deltas(void **state) {
    uint64_t seed = 1, at = 5000000;
    (void)state;
    for (size_t i = 0; i < N; i++)
        x[i] = at += luck(&seed) % 64;
    round_trip(N, DELTAS);
    for (size_t i = 0; i < N; i++)
        x[i] = at = luck(&seed) % 100 ? at - luck(&seed) % 16 : at + 900;
    round_trip(N, DELTAS);
}

static void the_ends_of_the_range_come_back(void **state) {
    const uint64_t most = UINT64_C(999999999999999999); /* 18 digits */
    uint64_t seed = 3;
    (void)state;
    for (size_t i = 0; i < N; i++)
        x[i] = i % 2 ? most : 0;
    det_numbers_symbols symbols;
    size_t used;
    size_t size = det_numbers_write(x, N, bytes, &symbols);
    assert_int_equal(det_numbers_read(bytes, size, back, N, &used), DET_OK);
    assert_memory_equal(back, x, sizeof x);
    for (size_t i = 0; i < N; i++)
        x[i] = luck(&seed) << (luck(&seed) % 16) & (most / 2);
    size = det_numbers_write(x, N, bytes, &symbols);
    assert_int_equal(det_numbers_read(bytes, size, back, N, &used), DET_OK);
    assert_memory_equal(back, x, sizeof x);
}

/* Any byte of a column may be another one: read or refused, never beyond the room. */
static void damage_is_refused_or_is_other_numbers(void **state) {
    uint64_t seed = 9;
    det_numbers_symbols symbols;
    size_t used;
    (void)state;
    for (size_t i = 0; i < 64; i++)
        x[i] = 800 + luck(&seed) % 3000;
    const size_t size = det_numbers_write(x, 64, bytes, &symbols);
    for (size_t at = 0; at < size; at++)
        for (unsigned value = 0; value < 256; value++) {
            const unsigned char was = bytes[at];
            bytes[at] = (unsigned char)value;
            if (det_numbers_read(bytes, size, back, 64, &used) == DET_OK)
                assert_true(used <= size);
            bytes[at] = was;
        }
    for (size_t cut = 0; cut < size; cut++)
        assert_int_equal(det_numbers_read(bytes, cut, back, 64, &used), DET_ESYNTAX);
}

static void bytes_that_are_no_column_are_refused(void **state) {
    static const struct {
        const char *name;
        unsigned char bytes[24];
        size_t size;
    } cases[] = {
        {"no bytes", {0}, 0},
        {"another encoding", {3, 4, 5}, 3},
        {"runs of fewer", {RUNS, 3, 14}, 3},
        {"runs of more", {RUNS, 5, 14}, 3},
        {"a run of none", {RUNS, 0, 14, 4, 14}, 5},
        {"a number without end", {RUNS, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}, 12},
        {"a shift of 62", {VALUES, 62, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}, 18},
        {"a base of 64 bits", {VALUES, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 1, 1, 1, 1}, 18},
        {"more bits than bytes", {VALUES, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 1, 1, 1}, 18},
        {"bits that are not there",
         {VALUES, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1},
         18},
        {"bits that nobody wants",
         {VALUES, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1},
         19},
        {"a symbol of none", {VALUES, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 254, 1, 1, 1}, 18},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t used;
        memcpy(bytes, cases[i].bytes, sizeof cases[i].bytes);
        if (det_numbers_read(bytes, cases[i].size, back, 4, &used) != DET_ESYNTAX)
            fail_msg("%s", cases[i].name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_lie_one_after_the_other),
        cmocka_unit_test(what_seldom_changes_is_runs),
        cmocka_unit_test(times_are_values),
        cmocka_unit_test(what_moves_from_where_it_was_is_deltas),
        cmocka_unit_test(the_ends_of_the_range_come_back),
        cmocka_unit_test(damage_is_refused_or_is_other_numbers),
        cmocka_unit_test(bytes_that_are_no_column_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
