/* Any bytes as what a sampling profiler wrote: stacks or a reason, and a text that is read again as
 * the same. */
#include "detector/profile/sampled.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_as(const char *text, size_t size, det_sampled_names names, const char *root) {
    const char *const own[] = {"/w", "/w/checkout"};
    const det_sampled_wanted wanted = {names, root, 1, own, 2};
    det_stacks_error error;
    det_stacks *stacks = det_stacks_new(1), *again = det_stacks_new(1);
    if (!stacks || !again)
        abort();
    if (det_sampled_read(stacks, 0, text, size, &wanted, &error) == DET_OK) {
        det_stacks_merge_small(stacks, 0, 2);
        char *out = det_stacks_text(stacks, 0, SIZE_MAX);
        if (!out || det_stacks_read(again, 0, out, strlen(out), &error) != DET_OK)
            abort();
        free(out);
    }
    det_stacks_free(stacks);
    det_stacks_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const roots[] = {NULL, "r", "moowatch/moobench/BenchmarkThread.run"};
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1, *root = roots[data[0] / 4 % 3];
    const det_sampled_names names = (det_sampled_names)(data[0] % 4);
    if (names != DET_SAMPLED_JFR) {
        read_as(text, size - 1, names, root);
        return 0;
    }
    size_t samples;
    char *stacks = det_jfr_collapse(text, size - 1, &samples);
    if (!stacks || strlen(stacks) > size)
        abort();
    read_as(stacks, strlen(stacks), names, root);
    free(stacks);
    return 0;
}
