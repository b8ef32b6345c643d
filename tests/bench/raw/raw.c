/*
 * bench raw - the ways of a raw file: packed by the agent, checked by the store as it comes in,
 * unpacked to lines, and to numbers alone, as a night's page wants them.
 *
 * Usage: bench_raw pack FROM TO | bench_raw check|lines|numbers FILE
 * Prints "seconds packed-bytes bytes".
 */
#include "detector/packed/unpack.h"
#include "runner/ground/durable.h"
#include "server/ingest/raw_check.h"

#include <errno.h>
#include <limits.h>
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

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "pack") == 0)
        return pack(argv[2], argv[3]);
    if (argc == 3 && strcmp(argv[1], "check") == 0)
        return check(argv[2]);
    if (argc == 3 && strcmp(argv[1], "lines") == 0)
        return unpack(argv[2], 1);
    if (argc == 3 && strcmp(argv[1], "numbers") == 0)
        return unpack(argv[2], 0);
    fprintf(stderr, "usage: bench_raw pack FROM TO | check|lines|numbers FILE\n");
    return 2;
}
