#include "runner/driver/harvest.h"

#include "detector/reader/raw.h"
#include "detector/statistics/stats.h"
#include "detector/statistics/warmup.h"
#include "runner/ground/error.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (256 * 1024)
#define SECOND_NS 1e9

static bool fail(det_status status, const det_raw_error *problem, GError **error) {
    if (status == DET_ESYNTAX && problem) {
        run_wrong(error, "raw file: line %" PRIu64 ", column %" PRIu64 ": %s", problem->line,
                  problem->column, problem->text);
    } else {
        run_wrong(error, "raw file: %s", det_status_text(status));
    }
    return false;
}

/* Each piece to whoever wants it: the only time that the file is read. */
static bool feed(int fd, uint64_t size, det_raw *raw, run_durable_pack *pack, GError **error) {
    g_autofree char *buffer = g_malloc(BUFFER_BYTES);
    det_raw_error problem = {0};
    for (uint64_t left = size;;) {
        const ssize_t got = read(fd, buffer, BUFFER_BYTES);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return run_fail(error, RUN_ERROR_NODE, "raw file: %s", g_strerror(errno));
        if ((uint64_t)got > left || (got == 0 && left > 0))
            return run_wrong(error, "raw file: changed while it was read");
        if (got == 0)
            return true;
        left -= (uint64_t)got;
        const det_status status = det_raw_feed(raw, buffer, (size_t)got, &problem);
        if (status != DET_OK)
            return fail(status, &problem, error);
        if (pack && !run_durable_pack_feed(pack, buffer, (size_t)got, error))
            return false;
    }
}

static bool check_counts(const det_raw_result *calls, const run_summary_expected *expected,
                         GError **error) {
    uint64_t lines = calls->calls + calls->warmup_calls;
    if (lines == expected->calls && calls->threads == expected->threads)
        return true;
    return run_wrong(error,
                     "raw file: %" PRIu64 " calls of %zu threads, expected %" PRIu64 " of %u",
                     lines, calls->threads, expected->calls, expected->threads);
}

static GArray *to_bins(const det_raw_result *calls, double mean_ns) {
    GArray *bins = g_array_new(FALSE, TRUE, sizeof(uint64_t));
    const double seconds = mean_ns * (double)calls->calls / SECOND_NS;
    size_t count = 0;
    if (calls->threads != 1 || !(seconds < G_MAXUINT / sizeof(uint64_t)))
        return bins;
    g_array_set_size(bins, (guint)seconds + 1); /* the sum may round to one more */
    const bool good = det_throughput_bins((uint64_t *)(gpointer)bins->data, bins->len, &count,
                                          calls->ns, calls->calls, SECOND_NS) == DET_OK;
    g_array_set_size(bins, good ? (guint)MIN(count, bins->len) : 0);
    return bins;
}

/* Calls are counted after warm-up. */
static char *unsettled_words(const det_steady *steady) {
    return steady->is_trend ? g_strdup_printf("a trend of %+.1f %% from the first to the last call",
                                              100 * steady->change)
                            : g_strdup_printf("the level moved by %+.1f %% after %zu calls",
                                              100 * steady->change, steady->at);
}

/* Calls of several threads have no common order in the raw format; too few say nothing. */
static void tell_steady(const det_raw_result *calls, run_loop *loop) {
    det_steady steady;
    if (calls->threads != 1 || det_steady_of(&steady, calls->ns, calls->calls) != DET_OK)
        return;
    run_loop_add_reading(loop, "settled", json_boolean(steady.settled));
    if (!steady.settled) {
        g_autofree char *words = unsettled_words(&steady);
        run_loop_add_reading(loop, "not_settled_by", json_string(words));
    }
}

static bool tell(const det_raw_result *calls, run_loop *loop, GError **error) {
    det_status status = det_summary_of(&loop->summary, calls->ns, calls->calls);
    if (status != DET_OK)
        return fail(status, NULL, error);
    loop->calls = calls->calls + calls->warmup_calls;
    loop->warmup_calls = calls->warmup_calls;
    g_clear_pointer(&loop->calls_per_second, g_array_unref);
    loop->calls_per_second = to_bins(calls, loop->summary.mean);
    tell_steady(calls, loop);
    run_loop_add_reading(loop, "first_ms", json_real(calls->first_ns * 1e-6));
    if (!isnan(calls->collected))
        run_loop_add_reading(loop, "collections", json_integer((json_int_t)calls->collected));
    return true;
}

static bool read_all(int fd, uint64_t size, const run_summary_expected *expected,
                     run_durable_pack *pack, run_loop *loop, GError **error) {
    const det_raw_options options = {.warmup_calls = expected->warmup_calls,
                                     .calls_max = (size_t)expected->calls};
    det_raw *raw = det_raw_new(&options);
    det_raw_result calls;
    det_raw_error problem = {0};
    bool good = raw ? feed(fd, size, raw, pack, error) : fail(DET_ENOMEM, NULL, error);
    if (good) {
        det_status status = det_raw_finish(raw, &calls, &problem);
        good = (status == DET_OK || fail(status, &problem, error)) &&
               check_counts(&calls, expected, error) && tell(&calls, loop, error);
    }
    det_raw_free(raw);
    return good;
}

bool run_summary_read(int fd, const run_summary_expected *expected, const char *path,
                      run_loop *loop, run_durable_pack **pack, GError **error) {
    struct stat status;
    *pack = NULL;
    if (fstat(fd, &status) != 0)
        return run_fail(error, RUN_ERROR_NODE, "raw file: %s", g_strerror(errno));
    const uint64_t size = (uint64_t)status.st_size;
    g_autoptr(run_durable_pack) own = path ? run_durable_pack_begin(path, size, error) : NULL;
    if ((path && !own) || !read_all(fd, size, expected, own, loop, error))
        return false;
    *pack = g_steal_pointer(&own);
    return true;
}
