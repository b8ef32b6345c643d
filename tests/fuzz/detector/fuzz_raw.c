/* Any bytes through the raw reader: no crash, and however they are cut the same answer. */
#include <stdlib.h>
#include <string.h>

#include "detector/detector.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static det_status read_cut(det_raw *raw, const uint8_t *bytes, size_t size, size_t step,
                           det_raw_result *out, det_raw_error *error) {
    det_status status = DET_OK;
    for (size_t at = 0; at < size && status == DET_OK; at += step)
        status = det_raw_feed(raw, bytes + at, size - at < step ? size - at : step, error);
    return status == DET_OK ? det_raw_finish(raw, out, error) : status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const uint64_t warmup = data[0] == 255 ? DET_RAW_WARMUP_HALF : data[0];
    const det_raw_options options = {.warmup_calls = warmup};
    det_raw_result cut = {0}, whole = {0};
    det_raw_error cut_error = {0}, whole_error = {0};
    det_raw *one = det_raw_new(&options), *other = det_raw_new(&options);
    if (one && other) {
        const det_status status =
            read_cut(one, data + 2, size - 2, (size_t)data[1] + 1, &cut, &cut_error);
        if (read_cut(other, data + 2, size - 2, size, &whole, &whole_error) != status ||
            cut_error.line != whole_error.line || cut_error.column != whole_error.column ||
            cut.calls != whole.calls || cut.warmup_calls != whole.warmup_calls ||
            (status == DET_OK && memcmp(cut.ns, whole.ns, cut.calls * sizeof *cut.ns) != 0))
            abort();
    }
    det_raw_free(one);
    det_raw_free(other);
    return 0;
}
