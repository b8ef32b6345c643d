/* From bytes to calls: which files are scanned to the end, and what is left to the closer look. */
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "detector/reader/scan__.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

typedef struct {
    scan scan;
    reader__counts counts;
} fixture;

static int begin(void **state) {
    fixture *f = calloc(1, sizeof *f);
    *state = f;
    return reader__counts_init(&f->counts) != DET_OK;
}

static int end(void **state) {
    fixture *f = *state;
    reader__counts_clear(&f->counts);
    free(f);
    return 0;
}

static scan_end scanned(fixture *f, scan_mode mode, double bin_ns, const char *bytes) {
    scan_clear(&f->scan);
    reader__counts_reset(&f->counts);
    assert_true(scan_init(&f->scan, mode, bin_ns));
    return scan_slice(&f->scan, &f->counts, bytes, strlen(bytes));
}

static void plain_files_are_scanned(void **state) {
    fixture *f = *state;
    static const struct {
        const char *bytes;
        int columns;
        size_t calls;
    } cases[] = {
        {"1;5\n", 2, 1},
        {"1;5;7;9\n1;6;7;9\n", 4, 2},
        {"12345678901;0\n12345678901;999999999999999\n", 2, 2},
        {"0;0\n", 2, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(scanned(f, SCAN_ONE, 0, cases[i].bytes), SCAN_DONE);
        assert_int_equal(f->scan.columns, cases[i].columns);
        assert_int_equal(f->counts.calls, cases[i].calls);
    }
    scan_clear(&f->scan);
}

/* Whatever is odd ends the scan: raw.h says what it is and where. */
static void odd_files_are_not(void **state) {
    fixture *f = *state;
    static const char *const odd[] = {
        "1;5",                  /* no line's end */
        "1;5\n1;6",             /* nor here */
        "\n",                   /* an empty line */
        "1;5\n\n1;6\n",         /* in the middle */
        "1\n",                  /* one column */
        "1;5;6\n",              /* three */
        "1;5;6;7;8\n",          /* five */
        "1;5\n1;5;6;7\n",       /* two, then four */
        "1;;5;6\n",             /* an empty column */
        ";5\n",                 /* no id */
        "1;-5\n",               /* a sign */
        "1;5.5\n",              /* a fraction */
        "1;5 \n",               /* a blank */
        "1;5\r\n",              /* a carriage return */
        "1;0x5\n",              /* letters */
        "1;1234567890123456\n", /* more digits than a double holds exactly */
    };
    for (size_t i = 0; i < COUNT(odd); i++)
        if (scanned(f, SCAN_ONE, 0, odd[i]) != SCAN_ODD)
            fail_msg("case %zu was scanned", i);
    assert_int_equal(scan_slice(&f->scan, &f->counts, "", 0), SCAN_ODD);
    scan_clear(&f->scan);
}

/* Anywhere in a long file, whichever way its blocks are read. */
static void one_odd_byte_is_found_wherever_it_is(void **state) {
    fixture *f = *state;
    enum { LINES = 1500 };
    char *bytes = malloc(LINES * 8 + 1);
    size_t size = 0;
    for (int i = 0; i < LINES; i++)
        size += (size_t)sprintf(bytes + size, "1;%d\n", 1000 + i % 9000);
    assert_int_equal(scanned(f, SCAN_ONE, 0, bytes), SCAN_DONE);
    assert_int_equal(f->counts.calls, LINES);
    for (size_t at = 0; at < size; at += 97) {
        const char kept = bytes[at];
        bytes[at] = 'x';
        assert_int_equal(scanned(f, SCAN_ONE, 0, bytes), SCAN_ODD);
        bytes[at] = kept;
    }
    scan_clear(&f->scan);
    free(bytes);
}

static void a_second_thread_is_told(void **state) {
    fixture *f = *state;
    static const char *const two[] = {"1;5\n2;6\n", "1;5\n12;6\n", "12;5\n13;6\n", "12;5\n1;6\n"};
    for (size_t i = 0; i < COUNT(two); i++)
        assert_int_equal(scanned(f, SCAN_ONE, 0, two[i]), SCAN_THREADS);
    scan_clear(&f->scan);
}

static void calls_of_many_threads_are_counted_apart(void **state) {
    fixture *f = *state;
    const char *bytes = "7;1\n3;2\n7;3\n7;4\n3;5\n";
    assert_int_equal(scanned(f, SCAN_COUNT, 0, bytes), SCAN_DONE);
    assert_int_equal(f->scan.threads_count, 2);
    assert_int_equal(f->scan.threads[0].id, 7);
    assert_int_equal(f->scan.threads[0].calls, 3);
    assert_int_equal(f->scan.threads[1].calls, 2);
    assert_int_equal(f->counts.calls, 0); /* only how many there are */
    scan_clear(&f->scan);
    assert_true(scan_init(&f->scan, SCAN_DROP, 0));
    f->scan.threads[0] = (scan_thread){.id = 7, .skip = 2};
    f->scan.threads[1] = (scan_thread){.id = 3, .skip = 1};
    f->scan.threads_count = 2;
    assert_int_equal(scan_slice(&f->scan, &f->counts, bytes, strlen(bytes)), SCAN_DONE);
    assert_int_equal(f->counts.calls, 2);
    assert_int_equal(f->counts.dense[4], 1);
    assert_int_equal(f->counts.dense[5], 1);
    scan_clear(&f->scan);
}

static void more_threads_than_there_may_be(void **state) {
    fixture *f = *state;
    char *bytes = malloc((DET_RAW_THREADS_MAX + 1) * 16);
    size_t size = 0;
    for (unsigned t = 0; t <= DET_RAW_THREADS_MAX; t++)
        size += (size_t)sprintf(bytes + size, "%u;1\n", t);
    assert_int_equal(scanned(f, SCAN_COUNT, 0, bytes), SCAN_ODD);
    free(bytes);
    scan_clear(&f->scan);
}

/* A bin holds the calls that ended in it; the last one is not full yet. */
static void calls_fall_into_bins(void **state) {
    fixture *f = *state;
    assert_int_equal(scanned(f, SCAN_ONE, 10, "1;4\n1;4\n1;4\n1;25\n1;1\n"), SCAN_DONE);
    /* ends at 4, 8 | 12 | - | 37, 38 not full */
    assert_int_equal(scan_full_bins(&f->scan), 3);
    static const uint64_t bins[] = {2, 1, 0};
    assert_memory_equal(f->scan.bins, bins, sizeof bins);
    scan_clear(&f->scan);
}

/* One damaged value, of many days, must not fill the memory. */
static void bins_have_an_end(void **state) {
    fixture *f = *state;
    assert_int_equal(scanned(f, SCAN_ONE, 1, "1;3\n1;999999999999999\n1;5\n"), SCAN_DONE);
    assert_int_equal(scan_full_bins(&f->scan), SCAN_BINS_MAX);
    assert_int_equal(f->scan.bins_count, SCAN_BINS_MAX);
    assert_int_equal(f->counts.calls, 3);
    assert_false(scan_bin_touch(&f->scan, SCAN_BINS_MAX));
    assert_int_equal(f->scan.failed, 0);
    scan_clear(&f->scan);
}

static void a_bin_that_is_touched_is_there_and_empty(void **state) {
    fixture *f = *state;
    assert_true(scan_init(&f->scan, SCAN_DROP, 1));
    assert_true(scan_bin_touch(&f->scan, 3));
    f->scan.bins[3] = 9;
    assert_true(scan_bin_touch(&f->scan, 700));
    assert_int_equal(f->scan.bins_count, 701);
    assert_int_equal(f->scan.bins[3], 9);
    for (size_t i = 4; i < 701; i++)
        assert_int_equal(f->scan.bins[i], 0);
    scan_clear(&f->scan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(plain_files_are_scanned, begin, end),
        cmocka_unit_test_setup_teardown(odd_files_are_not, begin, end),
        cmocka_unit_test_setup_teardown(one_odd_byte_is_found_wherever_it_is, begin, end),
        cmocka_unit_test_setup_teardown(a_second_thread_is_told, begin, end),
        cmocka_unit_test_setup_teardown(calls_of_many_threads_are_counted_apart, begin, end),
        cmocka_unit_test_setup_teardown(more_threads_than_there_may_be, begin, end),
        cmocka_unit_test_setup_teardown(calls_fall_into_bins, begin, end),
        cmocka_unit_test_setup_teardown(bins_have_an_end, begin, end),
        cmocka_unit_test_setup_teardown(a_bin_that_is_touched_is_there_and_empty, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
