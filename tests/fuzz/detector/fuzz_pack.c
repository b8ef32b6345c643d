/* Any bytes packed come back; any bytes unpacked end with their text or a reason, cut anywhere; and
 * any column of a block is read or refused. */
#include "detector/packed/bits__.h"
#include "detector/packed/block.h"
#include "detector/packed/pack.h"
#include "detector/packed/unpack.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    unsigned char *bytes;
    size_t size;
} pile;

static int pile_add(void *to, const void *bytes, size_t size) {
    pile *p = to;
    p->bytes = realloc(p->bytes, p->size + size + 1);
    if (!p->bytes)
        abort();
    memcpy(p->bytes + p->size, bytes, size);
    p->size += size;
    return 0;
}

/* The text of a file in pieces; what was said last. */
static det_unpack_step unpack(const unsigned char *bytes, size_t size, size_t step, pile *text) {
    det_unpack *u = det_unpack_new();
    det_unpack_step last = DET_UNPACK_MORE;
    for (size_t at = 0; u && at < size && last != DET_UNPACK_BROKEN; at += step) {
        size_t left = size - at < step ? size - at : step, used, length;
        const unsigned char *from = bytes + at;
        while ((last = det_unpack_take(u, from, left, &used)) == DET_UNPACK_BLOCK) {
            const char *block = det_unpack_text(u, &length);
            if (text->size < 1u << 24)
                pile_add(text, block, length);
            from += used;
            left -= used;
        }
    }
    det_unpack_free(u);
    return last;
}

static void there_and_back(const uint8_t *data, size_t size, size_t step) {
    pile file = {0}, text = {0};
    det_pack *pack = det_pack_new(pile_add, &file);
    for (size_t at = 0; pack && at < size; at += step)
        if (det_pack_feed(pack, data + at, size - at < step ? size - at : step) != DET_OK)
            abort();
    if (!pack || det_pack_finish(pack) != DET_OK)
        abort();
    det_pack_free(pack);
    if (unpack(file.bytes, file.size, step, &text) != DET_UNPACK_END || text.size != size ||
        (size && memcmp(text.bytes, data, size) != 0))
        abort();
    free(file.bytes);
    free(text.bytes);
}

/* As a block's content: fuzzing does not find zstd's checksum. */
static void as_a_block(const uint8_t *data, size_t size) {
    static det_calls calls;
    static char lines[DET_CALLS_TEXT_MAX];
    unsigned char *bytes = calloc(1, size + BITS_SLACK);
    const char *text;
    size_t text_size;
    if (!bytes)
        abort();
    memcpy(bytes, data, size);
    if (det_block_read(bytes, size, &calls, &text, &text_size) == DET_OK && !text &&
        det_calls_text(&calls, lines) != det_calls_size(&calls))
        abort();
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const size_t step = (size_t)data[1] + 1;
    pile text = {0};
    switch (data[0] % 3) {
    case 0:
        there_and_back(data + 2, size - 2, step);
        break;
    case 1:
        as_a_block(data + 2, size - 2);
        break;
    default:
        (void)unpack(data + 2, size - 2, step, &text);
        free(text.bytes);
    }
    return 0;
}
