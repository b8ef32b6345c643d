/*
 * bench raw - the ways of a raw file: packed by the agent, checked by the store as it comes in,
 * unpacked to lines, and to numbers alone, as a night's page wants them. And how small its times
 * could get at best in any code of theirs that does not look at the calls before: the empirical
 * entropy of each block's times, the tables that a reader needs not counted.
 *
 * Usage: bench_raw pack FROM TO | bench_raw check|lines|numbers FILE | bench_raw entropy FILE
 * Prints "seconds packed-bytes bytes"; entropy: "bytes-of-entropy calls".
 */
#include "detector/packed/unpack.h"
#include "runner/ground/durable.h"
#include "server/ingest/raw_check.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES 65536 /* as they come from a socket */

static int fail(const char *what, const char *why) {
    fprintf(stderr, "raw: %s: %s\n", what, why);
    return 1;
}

static int pack(const char *from, const char *to) {
    g_autoptr(GError) error = NULL;
    run_durable_raw out;
    gint64 start = g_get_monotonic_time();
    if (!run_durable_pack(from, to, &out, &error))
        return fail(from, error->message);
    printf("%.6f %ju %ju\n", (double)(g_get_monotonic_time() - start) * 1e-6, (uintmax_t)out.bytes,
           (uintmax_t)out.uncompressed_bytes);
    return 0;
}

static int check(const char *path) {
    g_autoptr(GError) error = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail(path, g_strerror(errno));
    static unsigned char piece[PIECE_BYTES];
    uint64_t packed = 0, bytes = 0, lines = 0;
    gint64 start = g_get_monotonic_time();
    srv__raw_check *work = srv__raw_check_new(UINT64_MAX);
    bool ok = true;
    for (size_t got; ok && (got = fread(piece, 1, sizeof piece, file)) > 0; packed += got)
        ok = srv__raw_check_feed(work, piece, got, &error);
    ok = ok && srv__raw_check_end(work, &error);
    gint64 end = g_get_monotonic_time();
    srv__raw_check_totals(work, &bytes, &lines);
    srv__raw_check_free(work);
    fclose(file);
    if (!ok)
        return fail(path, error->message);
    printf("%.6f %ju %ju\n", (double)(end - start) * 1e-6, (uintmax_t)packed, (uintmax_t)bytes);
    return 0;
}

/* lines: their text is made, too. The file's bytes come from memory, as a page cache gives them. */
static int unpack(const char *path, int lines) {
    g_autoptr(GError) error = NULL;
    g_autofree char *bytes = NULL;
    gsize size, used, length;
    uint64_t all = 0, count = 0;
    unsigned sum = 0;
    if (!g_file_get_contents(path, &bytes, &size, &error))
        return fail(path, error->message);
    gint64 start = g_get_monotonic_time();
    det_unpack *work = det_unpack_new();
    const char *from = bytes;
    det_unpack_step step;
    for (gsize left = size; (step = det_unpack_take(work, from, left, &used)) == DET_UNPACK_BLOCK;
         from += used, left -= used)
        sum += lines ? (unsigned char)*det_unpack_text(work, &length) : 0;
    gint64 end = g_get_monotonic_time();
    det_unpack_taken(work, &all, &count);
    if (step != DET_UNPACK_END)
        return fail(path, det_unpack_problem(work));
    det_unpack_free(work);
    printf("%.6f %ju %ju\n", (double)(end - start) * 1e-6, (uintmax_t)size, (uintmax_t)all);
    return sum == UINT_MAX; /* never: so that it is made */
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Bits of the times of a block, each coded as often as it is there: the sum of log2(n / count). */
static double entropy_bits(const det_calls *calls) {
    static uint64_t sorted[DET_CALLS_MAX];
    const size_t n = calls->count;
    double bits = 0;
    memcpy(sorted, calls->number[1], n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && sorted[next] == sorted[i]; next++)
            continue;
        bits += (double)(next - i) * log2((double)n / (double)(next - i));
    }
    return bits;
}

static int entropy(const char *path) {
    g_autoptr(GError) error = NULL;
    g_autofree char *bytes = NULL;
    gsize size, used;
    uint64_t count = 0;
    double bits = 0;
    if (!g_file_get_contents(path, &bytes, &size, &error))
        return fail(path, error->message);
    det_unpack *work = det_unpack_new();
    const char *from = bytes;
    det_unpack_step step;
    for (gsize left = size; (step = det_unpack_take(work, from, left, &used)) == DET_UNPACK_BLOCK;
         from += used, left -= used) {
        const det_calls *calls = det_unpack_calls(work);
        bits += calls ? entropy_bits(calls) : 0;
        count += calls ? calls->count : 0;
    }
    if (step != DET_UNPACK_END)
        return fail(path, det_unpack_problem(work));
    det_unpack_free(work);
    printf("%.0f %ju\n", bits / 8, (uintmax_t)count);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "pack") == 0)
        return pack(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], "check") == 0)
        return check(argv[2]);
    if (argc == 3 && strcmp(argv[1], "lines") == 0)
        return unpack(argv[2], 1);
    if (argc == 3 && strcmp(argv[1], "numbers") == 0)
        return unpack(argv[2], 0);
    if (argc == 3 && strcmp(argv[1], "entropy") == 0)
        return entropy(argv[2]);
    fprintf(stderr, "usage: bench_raw pack FROM TO | check|lines|numbers|entropy FILE\n");
    return 2;
}
