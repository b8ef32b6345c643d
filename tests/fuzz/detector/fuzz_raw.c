/* Any bytes through both raw readers, cut anywhere: no crash, and the same answer. */
#include <math.h>
#include <stdlib.h>

#include "detector/detector.h"
#include "detector/reader/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const uint64_t warmup = data[0] == 255 ? DET_RAW_WARMUP_HALF : data[0];
    const size_t step = (size_t)data[1] + 1;
    const det_raw_options options = {.warmup_calls = warmup, .keep_heap = data[1] & 1};
    const det_reader_options fast_options = {.warmup_calls = warmup, .bin_ns = 1e9};
    det_raw_result slow;
    det_reader_result fast;
    det_raw_error error;
    det_status status = DET_OK;
    det_raw *raw = det_raw_new(&options);
    if (!raw)
        return 0;
    for (size_t at = 2; at < size && status == DET_OK; at += step)
        status = det_raw_feed(raw, data + at, size - at < step ? size - at : step, &error);
    if (status == DET_OK)
        status = det_raw_finish(raw, &slow, &error);
    if (det_reader_bytes(&fast, data + 2, size - 2, &fast_options) != status)
        abort();
    if (status == DET_OK) {
        det_summary s;
        if (det_summary_of(&s, slow.ns, slow.calls) != DET_OK || s.n != fast.summary.n ||
            s.min != fast.summary.min || s.max != fast.summary.max ||
            fabs(s.mean - fast.summary.mean) > 1e-12 * s.mean)
            abort();
    }
    det_reader_result_clear(&fast);
    det_raw_free(raw);
    return 0;
}
