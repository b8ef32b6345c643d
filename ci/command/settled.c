#include "ci/command/settled.h"

#include "detector/reader/raw.h"
#include "detector/statistics/steady.h"

#include <stdio.h>

#define PIECE_BYTES ((size_t)256 * 1024)

/* A file's calls, in raw; false: it is not there, or no raw file of one thread. */
static bool calls_of(const char *path, det_raw *raw, det_raw_result *calls) {
    FILE *file = fopen(path, "rbe");
    g_autofree char *piece = g_malloc(PIECE_BYTES);
    bool good = file != NULL;
    for (size_t got = 1; good && got > 0;) {
        got = fread(piece, 1, PIECE_BYTES, file);
        good = !ferror(file) && det_raw_feed(raw, piece, got, NULL) == DET_OK;
    }
    if (file)
        (void)fclose(file);
    return good && det_raw_finish(raw, calls, NULL) == DET_OK && calls->threads == 1;
}

typedef struct {
    det_warmup shares;
    double warmup; /* as it is now */
    unsigned settled, calls;
} pilot;

static void take(pilot *to, const char *path) {
    const det_raw_options whole = {.warmup_calls = 0};
    det_raw *raw = det_raw_new(&whole);
    det_raw_result calls;
    det_steady now;
    if (raw && calls_of(path, raw, &calls) && to->warmup < (double)calls.calls &&
        det_warmup_add(&to->shares, calls.ns, calls.calls) == DET_OK) {
        const size_t dropped = (size_t)to->warmup;
        const det_status status = det_steady_of(&now, calls.ns + dropped, calls.calls - dropped);
        to->settled += status == DET_OK && now.settled;
        to->calls = (unsigned)calls.calls;
    }
    det_raw_free(raw);
}

ci_settled ci_settled_of(const char *folder, unsigned depth, const char *configuration,
                         unsigned loops, double warmup) {
    pilot sum = {.warmup = warmup};
    for (unsigned loop = 1; loop <= loops; loop++) {
        g_autofree char *name = g_strdup_printf("raw-%u-%u-%s.csv", loop, depth, configuration);
        g_autofree char *path = g_build_filename(folder, name, NULL);
        take(&sum, path);
    }
    const size_t share = det_warmup_choose(&sum.shares);
    if (share == DET_WARMUP_SHARES)
        return (ci_settled){-1, sum.settled, sum.shares.processes};
    return (ci_settled){(double)det_warmup_calls(share, sum.calls), sum.shares.settled[share],
                        sum.shares.processes};
}
