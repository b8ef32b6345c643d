/* The fast reader must say the same as raw.h and stats.h, byte for byte and digit for digit. */
#include "tests/unit/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "detector/detector.h"
#include "detector/reader/reader.h"

static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void near(double a, double b) {
    assert_true(fabs(a - b) <= 1e-12 * fabs(b));
}

/* Both readers on the same bytes. */
static det_status compare(const char *bytes, size_t size, uint64_t warmup, double bin_ns) {
    const det_raw_options raw_options = {.warmup_calls = warmup};
    const det_reader_options options = {.warmup_calls = warmup, .bin_ns = bin_ns};
    det_raw *raw = det_raw_new(&raw_options);
    det_raw_result slow = {0};
    det_raw_error error = {0};
    det_reader_result fast;
    det_summary s;
    det_status status = det_raw_feed(raw, bytes, size, &error);
    if (status == DET_OK)
        status = det_raw_finish(raw, &slow, &error);
    assert_int_equal(det_reader_bytes(&fast, bytes, size, &options), status);
    if (status == DET_OK) {
        size_t bins = 0;
        uint64_t expected[4096] = {0};
        assert_int_equal(det_summary_of(&s, slow.ns, slow.calls), DET_OK);
        assert_int_equal(fast.summary.n, s.n);
        near(fast.summary.mean, s.mean);
        near(fast.summary.sd, s.sd);
        assert_true(fast.summary.min == s.min && fast.summary.max == s.max);
        near(fast.summary.q1, s.q1);
        near(fast.summary.median, s.median);
        near(fast.summary.q3, s.q3);
        assert_int_equal(fast.warmup_calls, slow.warmup_calls);
        assert_int_equal(fast.threads, slow.threads);
        assert_int_equal(fast.columns, slow.columns);
        if (slow.threads == 1 && bin_ns > 0) {
            assert_int_equal(det_throughput_bins(expected, 4096, &bins, slow.ns, slow.calls, 1e6),
                             DET_OK);
            assert_int_equal(fast.bins_count, bins < 1000000 ? bins : 1000000);
            for (size_t i = 0; i < bins && i < 4096; i++)
                assert_int_equal(fast.bins[i], expected[i]);
        }
    } else if (status == DET_ESYNTAX) {
        assert_string_equal(fast.error.text, error.text);
        assert_int_equal(fast.error.line, error.line);
        assert_int_equal(fast.error.column, error.column);
    }
    det_reader_result_clear(&fast);
    det_raw_free(raw);
    return status;
}

/* With bins the calls are taken in order, without them not. */
static det_status both(const char *bytes, size_t size, uint64_t warmup) {
    const det_status status = compare(bytes, size, warmup, 0);
    assert_int_equal(compare(bytes, size, warmup, 1e6), status);
    return status;
}

/* The length of the thread's id decides which way a line is read: it is drawn, too. */
static size_t write_file(char *out, size_t lines, int columns, unsigned threads, uint64_t range,
                         uint64_t *seed) {
    static const unsigned ids[] = {1, 15, 234, 1001, 70000};
    const unsigned id = ids[next(seed) % (sizeof ids / sizeof *ids)];
    size_t n = 0;
    for (size_t i = 0; i < lines; i++) {
        const uint64_t ns = next(seed) % (next(seed) % 50 ? range : range * 1000 + 1);
        const unsigned thread = threads > 1 ? (unsigned)(next(seed) % threads) + 9 : id;
        n += (size_t)sprintf(out + n, "%u;%llu", thread, (unsigned long long)ns);
        if (columns == 4)
            n += (size_t)sprintf(out + n, ";%llu;%u", (unsigned long long)(next(seed) >> 24),
                                 (unsigned)(i / 100));
        out[n++] = '\n';
    }
    return n;
}

static void random_files_agree(void **state) {
    (void)state;
    static char bytes[500000];
    static const uint64_t ranges[] = {7, 3000, 5000000, UINT64_C(9000000000)};
    uint64_t seed = 1;
    for (size_t lines = 1; lines < 4000; lines = lines * 8 + 3)
        for (int columns = 2; columns <= 4; columns += 2)
            for (unsigned threads = 1; threads <= 3; threads += 2)
                for (int r = 0; r < 4; r++) {
                    const size_t n = write_file(bytes, lines, columns, threads, ranges[r], &seed);
                    assert_int_equal(both(bytes, n, DET_RAW_WARMUP_HALF), DET_OK);
                    (void)both(bytes, n, lines / 3);
                    assert_int_equal(both(bytes, n - 1, 0), DET_ESYNTAX);
                }
}

/* Where the warm-up ends is guessed from the file's size: wrong when the lines' lengths change. */
static void lines_that_get_longer_or_shorter_agree(void **state) {
    (void)state;
    static char bytes[1000000];
    static const unsigned long long firsts[] = {1, 77, 123456789};
    for (int columns = 2; columns <= 4; columns += 2)
        for (size_t lines = 1; lines < 20000; lines = lines * 5 + 1)
            for (int f = 0; f < 9; f++) {
                size_t n = 0;
                for (size_t i = 0; i < lines; i++) {
                    const unsigned long long ns = firsts[i < lines / 3 ? f / 3 : f % 3] + i % 7;
                    n += (size_t)sprintf(bytes + n, columns == 4 ? "15;%llu;%zu;3\n" : "15;%llu\n",
                                         ns, i);
                }
                assert_int_equal(both(bytes, n, DET_RAW_WARMUP_HALF), DET_OK);
            }
}

/* One odd line among many plain ones, at every place of what is looked at at once. */
static void one_odd_line_agrees(void **state) {
    (void)state;
    static const char *const odd[] = {"15;9007199254740992;1;1\n",
                                      "15;1;9007199254740993;1\n",
                                      "15;00000000000000000001;1;1\n",
                                      "16;7;1;1\n",
                                      "15;7\n",
                                      "15;7;;1\n",
                                      "15;7;1;1;1\n",
                                      "155;7;1;1\n",
                                      "5;7;1;1\n",
                                      "15;4194304;1;1\n",
                                      "\n",
                                      ";7;1;1\n"};
    char bytes[20000];
    for (size_t o = 0; o < sizeof odd / sizeof *odd; o++)
        for (size_t at = 0; at < 700; at += at < 80 ? 1 : 37) {
            size_t n = 0;
            for (size_t i = 0; i < 700; i++)
                n += (size_t)sprintf(bytes + n, "%s", i == at ? odd[o] : "15;270;150000040;0\n");
            (void)both(bytes, n, DET_RAW_WARMUP_HALF);
        }
}

static void more_calls_than_allowed_are_refused(void **state) {
    (void)state;
    static const char text[] = "0;1\n0;2\n0;3\n";
    const det_reader_options options = {.calls_max = 2}, enough = {.calls_max = 3};
    det_reader_result out;
    assert_int_equal(det_reader_bytes(&out, text, strlen(text), &options), DET_ENOMEM);
    assert_non_null(strstr(out.error.text, "more than 2 calls"));
    det_reader_result_clear(&out);
    assert_int_equal(det_reader_bytes(&out, text, strlen(text), &enough), DET_OK);
    assert_int_equal(out.summary.n, 3);
    det_reader_result_clear(&out);
}

static void damage_is_told_alike(void **state) {
    (void)state;
    static const char junk[] = {0, '\n', '\r', ';', '-', 'a', ',', ' ', '.', '9', (char)0xc3};
    char bytes[20000];
    uint64_t seed = 7;
    for (int i = 0; i < 2000; i++) {
        const size_t n = write_file(bytes, 1 + next(&seed) % 60, i % 2 ? 2 : 4, 1, 60, &seed);
        bytes[next(&seed) % n] = junk[next(&seed) % sizeof junk];
        (void)both(bytes, n, 0);
    }
}

static void odd_files_agree(void **state) {
    (void)state;
    static const char *const texts[] = {
        "",
        "\n",
        "0;1\n",
        "0;1",
        "0;0\n",
        "0;007\n",
        "0;9007199254740992\n",
        "0;9007199254740993\n",
        "0;1;9007199254740992;3\n",
        "0;1;2\n",
        "0;1\n0;1;2;3\n",
        "thread;ns\n",
        "0;1\r\n",
        "123456789012345;5\n",
        "1234567890123456;5\n",
        "0;1\n1;2\n00;3\n",
        "0;4194303\n0;4194304\n0;4194305\n",
        "0;65535\n0;65536\n0;65537\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        (void)both(texts[i], strlen(texts[i]), 0);
}

static void files_are_read_at_once(void **state) {
    (void)state;
    enum { FILES = 5 };
    static char bytes[2000000];
    char path[FILES][64];
    const char *paths[FILES + 1];
    det_reader_result out[FILES + 1];
    uint64_t seed = 3;
    for (int i = 0; i < FILES; i++) {
        const size_t n = write_file(bytes, 50000, 4, 1, 2000, &seed);
        (void)snprintf(path[i], sizeof path[i], "/tmp/moowatch-reader-%d-%d", (int)getpid(), i);
        FILE *f = fopen(path[i], "w");
        assert_non_null(f);
        assert_int_equal(fwrite(bytes, 1, n, f), n);
        assert_int_equal(fclose(f), 0);
        paths[i] = path[i];
    }
    const det_reader_options options = {.warmup_calls = DET_RAW_WARMUP_HALF, .threads = 3};
    assert_int_equal(det_reader_files(out, paths, FILES, &options), DET_OK);
    for (int i = 0; i < FILES; i++) {
        assert_int_equal(out[i].summary.n, 25000);
        assert_int_equal(out[i].warmup_calls, 25000);
        (void)unlink(path[i]);
        det_reader_result_clear(&out[i]);
    }
    paths[0] = "/nowhere/at/all";
    paths[1] = "/tmp";
    assert_int_equal(det_reader_files(out, paths, 2, &options), DET_EINVAL);
    assert_non_null(strstr(out[0].error.text, "opened"));
    assert_non_null(strstr(out[1].error.text, "regular"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_files_agree),
        cmocka_unit_test(lines_that_get_longer_or_shorter_agree),
        cmocka_unit_test(one_odd_line_agrees),
        cmocka_unit_test(more_calls_than_allowed_are_refused),
        cmocka_unit_test(damage_is_told_alike),
        cmocka_unit_test(odd_files_agree),
        cmocka_unit_test(files_are_read_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
