/* Any bytes as one to three files through the fast reader: what raw.h and stats.h say of each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "detector/detector.h"
#include "detector/reader/reader.h"
#include "tests/fuzz/detector/memory_file.h"

#define FILES 3
#define HEAD 3 /* bytes that choose: warm-up, bins and threads, number of files */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int near(double a, double b) {
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static void bins_compare(const det_reader_result *fast, const det_raw_result *slow, double bin_ns) {
    size_t n = 0;
    if (det_throughput_bins(NULL, 0, &n, slow->ns, slow->calls, bin_ns) != DET_OK)
        abort();
    n = n < 1000000 ? n : 1000000;
    uint64_t *bins = calloc(n + 1, sizeof *bins);
    if (!bins || det_throughput_bins(bins, n, &n, slow->ns, slow->calls, bin_ns) != DET_OK)
        abort();
    if (fast->bins_count > 1000000 || fast->bins_count != (n < 1000000 ? n : 1000000) ||
        (fast->bins_count && memcmp(bins, fast->bins, fast->bins_count * sizeof *bins) != 0))
        abort();
    free(bins);
}

/* One file by the slow reader, against what the fast one said. */
static void compare(const uint8_t *bytes, size_t size, const det_reader_options *options,
                    const det_reader_result *fast) {
    const det_raw_options raw_options = {.warmup_calls = options->warmup_calls};
    det_raw_result slow;
    det_raw_error error = {0};
    det_summary s;
    det_raw *raw = det_raw_new(&raw_options);
    if (!raw)
        abort();
    det_status status = det_raw_feed(raw, bytes, size, &error);
    if (status == DET_OK)
        status = det_raw_finish(raw, &slow, &error);
    if (status != fast->status)
        abort();
    if (status != DET_OK) {
        if (fast->error.line != error.line && fast->error.line != 0)
            abort();
    } else if (det_summary_of(&s, slow.ns, slow.calls) != DET_OK || s.n != fast->summary.n ||
               s.min != fast->summary.min || s.max != fast->summary.max ||
               s.q1 != fast->summary.q1 || s.median != fast->summary.median ||
               s.q3 != fast->summary.q3 || !near(s.mean, fast->summary.mean) ||
               slow.threads != fast->threads || slow.columns != fast->columns ||
               slow.warmup_calls != fast->warmup_calls) {
        abort();
    } else if (options->bin_ns > 0 && slow.threads == 1) {
        bins_compare(fast, &slow, options->bin_ns);
    }
    det_raw_free(raw);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEAD)
        return 0;
    static const double bins_ns[] = {0, 100, 1e6, 1e12};
    const size_t count = 1 + data[2] % FILES, length = (size - HEAD) / count;
    const det_reader_options options = {.warmup_calls =
                                            data[0] == 255 ? DET_RAW_WARMUP_HALF : data[0],
                                        .bin_ns = bins_ns[data[1] >> 1 & 3],
                                        .threads = 1 + (data[1] & 1)};
    char paths[FILES][MEMORY_FILE_PATH_MAX];
    const char *names[FILES];
    det_reader_result out[FILES];
    int fds[FILES];
    for (size_t i = 0; i < count; i++) {
        fds[i] = memory_file_new(data + HEAD + i * length, length, paths[i]);
        if (fds[i] < 0)
            abort();
        names[i] = paths[i];
    }
    (void)det_reader_files(out, names, count, &options);
    for (size_t i = 0; i < count; i++) {
        compare(data + HEAD + i * length, length, &options, &out[i]);
        det_reader_result_clear(&out[i]);
        (void)close(fds[i]);
    }
    return 0;
}
