#pragma once
/* Texts packed and unpacked in memory. */
#include "tests/unit/test.h"

#include "detector/packed/pack.h"
#include "detector/packed/unpack.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned char *data; /* [size], owned */
    size_t size;
} bytes;

static inline int bytes_add(void *to, const void *from, size_t size) {
    bytes *b = to;
    b->data = realloc(b->data, b->size + size + 1);
    assert_non_null(b->data);
    memcpy(b->data + b->size, from, size);
    b->size += size;
    return 0;
}

/* text in pieces of `step` bytes, packed. */
static inline bytes packed_of(const char *text, size_t size, size_t step) {
    bytes out = {0};
    det_pack *pack = det_pack_new(bytes_add, &out);
    for (size_t at = 0; at < size; at += step)
        assert_int_equal(det_pack_feed(pack, text + at, size - at < step ? size - at : step),
                         DET_OK);
    assert_int_equal(det_pack_finish(pack), DET_OK);
    det_pack_free(pack);
    return out;
}

/* All text of a file that is given in pieces of `step` bytes; what was said last: END, BROKEN, or
 * MORE when the file is cut off; problem: static. */
static inline det_unpack_step unpacked_of(const unsigned char *data, size_t size, size_t step,
                                          bytes *text, const char **problem) {
    det_unpack *unpack = det_unpack_new();
    det_unpack_step last = DET_UNPACK_MORE;
    for (size_t at = 0; at < size && last != DET_UNPACK_BROKEN; at += step) {
        size_t left = size - at < step ? size - at : step, used = 0, length = 0;
        const unsigned char *from = data + at;
        do {
            last = det_unpack_take(unpack, from, left, &used);
            from += used;
            left -= used;
            if (last != DET_UNPACK_BLOCK)
                continue;
            const char *lines = det_unpack_text(unpack, &length);
            bytes_add(text, lines, length);
        } while (last == DET_UNPACK_BLOCK);
    }
    uint64_t count, lines;
    det_unpack_taken(unpack, &count, &lines);
    assert_int_equal(count, text->size);
    *problem = det_unpack_problem(unpack);
    det_unpack_free(unpack);
    return last;
}
