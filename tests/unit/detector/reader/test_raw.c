/* MooBench raw files: what is read, and what is refused with line and column. */
#include "tests/unit/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "detector/reader/raw.h"

static det_status read_text(const char *text, size_t size, size_t step, uint64_t warmup,
                            det_raw **raw, det_raw_result *out, det_raw_error *error) {
    const det_raw_options options = {.warmup_calls = warmup};
    det_status status = DET_OK;
    *raw = det_raw_new(&options);
    assert_non_null(*raw);
    for (size_t at = 0; at < size && status == DET_OK; at += step)
        status = det_raw_feed(*raw, text + at, size - at < step ? size - at : step, error);
    return status == DET_OK ? det_raw_finish(*raw, out, error) : status;
}

static void both_formats_are_read_however_cut(void **state) {
    (void)state;
    const char *old = "0;100\n0;200\n0;300\n0;400\n";
    const char *today = "12;100;5000;0\n12;200;5100;1\n12;300;5200;1\n12;400;5300;2\n";
    for (size_t step = 1; step < 70; step++) {
        det_raw *raw;
        det_raw_result r;
        assert_int_equal(read_text(old, strlen(old), step, 1, &raw, &r, NULL), DET_OK);
        assert_int_equal(r.calls, 3);
        assert_int_equal(r.columns, 2);
        assert_true(r.ns[0] == 200 && r.ns[2] == 400);
        det_raw_free(raw);
        assert_int_equal(read_text(today, strlen(today), step, DET_RAW_WARMUP_HALF, &raw, &r, NULL),
                         DET_OK);
        assert_int_equal(r.calls, 2);
        assert_int_equal(r.warmup_calls, 2);
        assert_int_equal(r.columns, 4);
        assert_true(r.ns[0] == 300 && r.ns[1] == 400);
        det_raw_free(raw);
    }
}

/* From the first call that counts to the last one, of one thread. */
static void collections_are_told_where_they_can_be(void **state) {
    static const struct {
        const char *text;
        uint64_t warmup;
        double collected; /* NAN: not told */
    } cases[] = {
        {"1;5;9;3\n1;5;9;4\n1;5;9;4\n1;5;9;7\n", 1, 3},
        {"1;5;9;3\n1;5;9;4\n", 0, 1},
        {"1;5;9;3\n1;5;9;3\n", 1, 0},
        {"1;5;9;3\n1;5;9;2\n", 0, NAN},
        {"1;5;9;3\n2;5;9;4\n", 0, NAN},
        {"1;5\n1;5\n", 0, NAN},
        {"1;5;9;3\n1;5;9;4\n", DET_RAW_WARMUP_HALF, NAN},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        det_raw *raw;
        det_raw_result r;
        assert_int_equal(
            read_text(cases[i].text, strlen(cases[i].text), 3, cases[i].warmup, &raw, &r, NULL),
            DET_OK);
        if (isnan(cases[i].collected))
            assert_true(isnan(r.collected));
        else
            assert_true(r.collected >= cases[i].collected && r.collected <= cases[i].collected);
        det_raw_free(raw);
    }
}

static void warmup_is_dropped_thread_by_thread(void **state) {
    (void)state;
    const char *text = "7;1\n7;2\n9;10\n7;3\n9;20\n7;4\n9;30\n9;40\n";
    static const struct {
        uint64_t warmup;
        size_t calls;
        double ns[8];
    } table[] = {{0, 8, {1, 2, 10, 3, 20, 4, 30, 40}},
                 {1, 6, {2, 3, 20, 4, 30, 40}},
                 {3, 2, {4, 40}},
                 {DET_RAW_WARMUP_HALF, 4, {3, 4, 30, 40}}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        det_raw *raw;
        det_raw_result r;
        assert_int_equal(read_text(text, strlen(text), 3, table[i].warmup, &raw, &r, NULL), DET_OK);
        assert_int_equal(r.threads, 2);
        assert_int_equal(r.calls, table[i].calls);
        for (size_t k = 0; k < r.calls; k++)
            assert_true(r.ns[k] == table[i].ns[k]);
        det_raw_free(raw);
    }
}

static void what_is_wrong_is_told_with_its_place(void **state) {
    (void)state;
/* NOLINTNEXTLINE(bugprone-macro-parentheses): two initializers, not an expression */
#define BYTES(text) text, sizeof text - 1
    static const struct {
        const char *text;
        size_t size;
        det_status status;
        uint64_t line, column;
        const char *word;
    } table[] = {
        {BYTES(""), DET_ESHORT, 1, 1, "empty"},
        {BYTES("0;1\n0;2"), DET_ESYNTAX, 2, 4, "truncated"},
        {BYTES("0;1\n0;"), DET_ESYNTAX, 2, 3, "truncated"},
        {BYTES("0;1\n0"), DET_ESYNTAX, 2, 2, "truncated"},
        {BYTES("thread;ns\n0;1\n"), DET_ESYNTAX, 1, 1, "header"},
        {BYTES("0;1\nabc\n"), DET_ESYNTAX, 2, 1, "'a'"},
        {BYTES("0;-5\n"), DET_ESYNTAX, 1, 3, "negative"},
        {BYTES("0;1\r\n"), DET_ESYNTAX, 1, 4, "carriage"},
        {BYTES("0;1\n0;\0\n"), DET_ESYNTAX, 2, 3, "NUL"},
        {BYTES("0,1\n"), DET_ESYNTAX, 1, 2, "comma"},
        {BYTES("0 ;1\n"), DET_ESYNTAX, 1, 2, "space"},
        {BYTES("0\t1\n"), DET_ESYNTAX, 1, 2, "tabulator"},
        {BYTES("0;1.5\n"), DET_ESYNTAX, 1, 4, "decimal"},
        {BYTES("0;1e3\n"), DET_ESYNTAX, 1, 4, "'e'"},
        {BYTES("0;9007199254740993\n"), DET_ESYNTAX, 1, 18, "2^53"},
        {BYTES("0;99999999999999999999999999\n"), DET_ESYNTAX, 1, 18, "2^53"},
        {BYTES("0;000000000000000000001\n"), DET_ESYNTAX, 1, 23, "2^53"},
        {BYTES("\n"), DET_ESYNTAX, 1, 1, "empty line"},
        {BYTES("0;1\n\n"), DET_ESYNTAX, 2, 1, "empty line"},
        {BYTES("0;;1;1\n"), DET_ESYNTAX, 1, 3, "empty column"},
        {BYTES("0;1;\n"), DET_ESYNTAX, 1, 5, "empty column"},
        {BYTES("5\n"), DET_ESYNTAX, 1, 2, "1 columns"},
        {BYTES("0;1;2\n"), DET_ESYNTAX, 1, 6, "3 columns"},
        {BYTES("0;1;2;3;4\n"), DET_ESYNTAX, 1, 8, "fifth"},
        {BYTES("0;1\n0;1;2;3\n"), DET_ESYNTAX, 2, 8, "the lines before it"},
        {BYTES("0;1;2;3\n0;1\n"), DET_ESYNTAX, 2, 4, "the lines before it"},
        {BYTES("0;1\n0;\xc3\xa4\n"), DET_ESYNTAX, 2, 3, "0xc3"},
        {BYTES("\xef\xbb\xbf\n0;1\n"), DET_ESYNTAX, 1, 1, "byte order mark"},
        {BYTES("0;NaN\n"), DET_ESYNTAX, 1, 3, "'N'"},
        {BYTES("0;inf\n"), DET_ESYNTAX, 1, 3, "'i'"},
        {BYTES("0;+5\n"), DET_ESYNTAX, 1, 3, "'+'"},
        {BYTES("0;18446744073709551615\n"), DET_ESYNTAX, 1, 19, "overflowed"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (size_t step = 1; step < 8; step += 3) {
            det_raw *raw;
            det_raw_result r;
            det_raw_error e = {0};
            assert_int_equal(read_text(table[i].text, table[i].size, step, 0, &raw, &r, &e),
                             table[i].status);
            assert_non_null(strstr(e.text, table[i].word));
            assert_int_equal(e.line, table[i].line);
            assert_int_equal(e.column, table[i].column);
            assert_int_equal(det_raw_feed(raw, "0;1\n", 4, &e), table[i].status);
            det_raw_free(raw);
        }
}

static void limits_hold(void **state) {
    (void)state;
    const det_raw_options options = {.calls_max = 3};
    det_raw_error e;
    det_raw_result r;
    det_raw *raw = det_raw_new(&options);
    assert_int_equal(det_raw_feed(raw, "0;1\n0;2\n0;3\n", 12, &e), DET_OK);
    assert_int_equal(det_raw_feed(raw, "0;4\n", 4, &e), DET_ENOMEM);
    assert_int_equal(e.line, 4);
    assert_int_equal(det_raw_finish(raw, &r, &e), DET_ENOMEM);
    det_raw_free(raw);
    raw = det_raw_new(NULL);
    det_status status = DET_OK;
    for (unsigned t = 0; t <= DET_RAW_THREADS_MAX && status == DET_OK; t++) {
        char line[32];
        const int n = snprintf(line, sizeof line, "%u;5\n", t);
        status = det_raw_feed(raw, line, (size_t)n, &e);
    }
    assert_int_equal(status, DET_ESYNTAX);
    assert_non_null(strstr(e.text, "thread ids"));
    det_raw_free(raw);
    const det_raw_options all = {.warmup_calls = 5};
    raw = det_raw_new(&all);
    assert_int_equal(det_raw_feed(raw, "0;1\n", 4, &e), DET_OK);
    assert_int_equal(det_raw_finish(raw, &r, &e), DET_ESHORT);
    assert_non_null(strstr(e.text, "warm-up"));
    det_raw_free(raw);
    det_raw_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_formats_are_read_however_cut),
        cmocka_unit_test(collections_are_told_where_they_can_be),
        cmocka_unit_test(warmup_is_dropped_thread_by_thread),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(limits_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
