/* Any bytes as collapsed stacks of a portion's four profiles: no crash; what was read is written
 * and read again as the same; a contrast of it adds up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/detector.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void written_and_read_again(const det_stacks *stacks) {
    det_stacks_error error;
    char *text = det_stacks_text(stacks, 0, SIZE_MAX);
    det_stacks *again = det_stacks_new(1);
    if (!text || !again || det_stacks_read(again, 0, text, strlen(text), &error) != DET_OK)
        abort();
    char *twice = det_stacks_text(again, 0, SIZE_MAX);
    if (!twice || strlen(text) != strlen(twice))
        abort();
    free(text);
    free(twice);
    det_stacks_free(again);
}

static void adds_up(const det_stacks *stacks) {
    const double calls[4] = {1, 2, 3, 4};
    const det_contrast_plan plan = {1, 1, calls, 0.95};
    char text[DET_EXPLANATION_MAX];
    det_contrast contrast;
    if (det_contrast_make(&contrast, stacks, &plan) != DET_OK)
        return;
    double sum = 0, size = contrast.level_cost;
    for (size_t i = 0; i < contrast.count; i++) {
        sum += contrast.functions[i].change.mean;
        size += fabs(contrast.functions[i].before) + fabs(contrast.functions[i].after);
    }
    /* each function may be left out that changed by less than a millionth of all */
    if (fabs(sum - contrast.change.mean) > 1e-6 * (1 + size) * det_stacks_labels(stacks))
        abort();
    const det_explanation said = {"C", 484, &contrast, "instructions", 1};
    det_explanation_sentence(text, sizeof text, &said);
    if (strlen(text) >= sizeof text)
        abort();
    det_contrast_clear(&contrast);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    det_stacks_error error;
    const char *text = (const char *)data;
    det_stacks *stacks = det_stacks_new(4);
    if (!stacks)
        return 0;
    det_status status = DET_OK;
    for (size_t column = 0, part = size / 4 + 1; column < 4 && status == DET_OK; column++) {
        const size_t from = column * part < size ? column * part : size;
        status = det_stacks_read(stacks, column, text + from,
                                 size - from < part ? size - from : part, &error);
    }
    written_and_read_again(stacks);
    adds_up(stacks);
    det_stacks_free(stacks);
    return 0;
}
