#include "ci/command/pilot.h"

#include "detector/reader/raw.h"
#include "detector/statistics/stats.h"
#include "detector/statistics/warmup.h"

#include <math.h>
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

/* Of one configuration's processes, whatever is asked of each. */
typedef struct {
    const char *folder, *configuration;
    unsigned depth, loops;
} files;

typedef void (*visit)(void *data, const double *ns, size_t calls);

static void each(const files *of, visit one, void *data) {
    const det_raw_options whole = {.warmup_calls = 0};
    for (unsigned loop = 1; loop <= of->loops; loop++) {
        g_autofree char *name =
            g_strdup_printf("raw-%u-%u-%s.csv", loop, of->depth, of->configuration);
        g_autofree char *path = g_build_filename(of->folder, name, NULL);
        det_raw *raw = det_raw_new(&whole);
        det_raw_result calls;
        if (raw && calls_of(path, raw, &calls))
            one(data, calls.ns, calls.calls);
        det_raw_free(raw);
    }
}

typedef struct {
    det_warmup shares;
    double warmup; /* as it is now */
    unsigned settled;
    size_t calls;
} pilot;

static void look(void *data, const double *ns, size_t calls) {
    pilot *to = data;
    const size_t dropped = (size_t)to->warmup;
    det_steady now;
    if (dropped >= calls || det_warmup_add(&to->shares, ns, calls) != DET_OK)
        return;
    to->settled += det_steady_of(&now, ns + dropped, calls - dropped) == DET_OK && now.settled;
    to->calls = calls;
}

/* Short windows of a process, and the first of them: a shorter process would have no others. */
#define WINDOWS 16u
#define WINDOWS_FIRST 4u

/* Means of what comes after the warm-up, in windows. */
typedef struct {
    size_t warmup, window, rest; /* calls */
    GArray *short_mean, *long_mean;
} windows;

static void add_mean(GArray *to, const double *ns, size_t n) {
    double mean = NAN;
    (void)det_mean_of(&mean, NULL, ns, n);
    g_array_append_val(to, mean);
}

static void cut(void *data, const double *ns, size_t calls) {
    const windows *to = data;
    if (calls < to->warmup + to->rest)
        return;
    add_mean(to->long_mean, ns + to->warmup, to->rest);
    for (size_t i = 0; i < WINDOWS_FIRST; i++)
        add_mean(to->short_mean, ns + to->warmup + i * to->window, to->window);
}

static void vary(ci_warmup *out, const files *of, size_t calls, double warmup) {
    windows w = {.warmup = (size_t)warmup, .rest = calls - (size_t)warmup};
    w.window = w.rest / WINDOWS;
    if (w.window == 0)
        return;
    w.short_mean = g_array_new(FALSE, FALSE, sizeof(double));
    w.long_mean = g_array_new(FALSE, FALSE, sizeof(double));
    each(of, cut, &w);
    out->known = det_components_of_windows(&out->varies, (double *)(gpointer)w.short_mean->data,
                                           w.short_mean->len, (double)w.window,
                                           (double *)(gpointer)w.long_mean->data, w.long_mean->len,
                                           (double)w.rest) == DET_OK;
    g_array_unref(w.short_mean);
    g_array_unref(w.long_mean);
}

ci_warmup ci_warmup_of(const char *folder, unsigned depth, const char *configuration,
                       unsigned loops, double warmup) {
    const files of = {folder, configuration, depth, loops};
    g_autofree pilot *sum = g_new0(pilot, 1);
    sum->warmup = warmup;
    each(&of, look, sum);
    const size_t share = det_warmup_choose(&sum->shares);
    ci_warmup out = {
        .warmup = -1, .settled = sum->settled, .seen = sum->shares.processes, .known = false};
    if (share < DET_WARMUP_SHARES) {
        out.warmup = (double)det_warmup_calls(share, sum->calls);
        out.settled = sum->shares.settled[share];
    }
    if (sum->shares.processes > 0)
        vary(&out, &of, sum->calls, out.warmup < 0 ? warmup : out.warmup);
    return out;
}
