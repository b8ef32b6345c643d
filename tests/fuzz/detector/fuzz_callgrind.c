/* Any bytes as a file of callgrind: no crash, and its stacks can be written and read. */
#include <stdlib.h>
#include <string.h>

#include "detector/detector.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void unfold(const det_callgrind *file, const char *root) {
    static const char *const own[] = {"/own/"};
    const det_callgrind_wanted wanted = {root, own, 1};
    det_stacks *stacks = det_stacks_new(1), *again = det_stacks_new(1);
    det_stacks_error error;
    if (stacks && again && det_callgrind_stacks(file, &wanted, stacks, 0) == DET_OK) {
        char *text = det_stacks_text(stacks, 0, SIZE_MAX);
        if (!text || det_stacks_read(again, 0, text, strlen(text), &error) != DET_OK)
            abort();
        free(text);
    }
    det_stacks_free(stacks);
    det_stacks_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    det_callgrind *file;
    det_stacks_error error;
    if (det_callgrind_read(&file, (const char *)data, size, &error) != DET_OK)
        return 0;
    for (size_t i = 0; i < det_callgrind_places(file); i += 3)
        if (!det_callgrind_inline(file, i, i % 2 ? "outer;inner" : ";;"))
            break;
    unfold(file, NULL);
    unfold(file, "m");
    det_callgrind_free(file);
    return 0;
}
