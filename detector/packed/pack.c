#include "detector/packed/pack.h"

#include "detector/packed/block.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define LEVEL 13 /* the lowest that weighs what a match costs beside the symbols themselves */
#define TEXT_BYTES ((size_t)1 << 19) /* half of it: lines of usual length for more than a block */

struct det_pack {
    det_pack_sink sink;
    void *data;
    ZSTD_CCtx *zstd;
    uint64_t lines, bytes; /* so far */
    int begun, in_line;
    size_t size; /* of what is in text */
    det_calls calls;
    char text[TEXT_BYTES];
    unsigned char block[DET_BLOCK_BYTES_MAX];
    unsigned char *packed; /* [packed_max] the bytes of its size, and a frame */
    size_t packed_max;
};

enum { SIZE_BYTES = 4 };

det_pack *det_pack_new(det_pack_sink sink, void *data) {
    det_pack *pack = calloc(1, sizeof *pack);
    if (!pack)
        return NULL;
    pack->sink = sink;
    pack->data = data;
    pack->packed_max = SIZE_BYTES + ZSTD_compressBound(sizeof pack->block) + 256;
    pack->packed = malloc(pack->packed_max);
    pack->zstd = ZSTD_createCCtx();
    if (!pack->packed || !pack->zstd) {
        det_pack_free(pack);
        return NULL;
    }
    ZSTD_CCtx_setParameter(pack->zstd, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(pack->zstd, ZSTD_c_checksumFlag, 1);
    return pack;
}

void det_pack_free(det_pack *pack) {
    if (!pack)
        return;
    ZSTD_freeCCtx(pack->zstd);
    free(pack->packed);
    free(pack);
}

static void put_number(unsigned char *out, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        out[i] = (unsigned char)(value >> 8 * i);
}

static int tell(det_pack *pack, const void *bytes, size_t size) {
    return pack->sink(pack->data, bytes, size) == 0;
}

static int begin(det_pack *pack) {
    const int good = pack->begun || tell(pack, DET_PACK_MAGIC, DET_PACK_MAGIC_BYTES);
    pack->begun = 1;
    return good;
}

/* One frame; symbols and noise are apart in it, since zstd makes one code for what is together.
 * Returns its bytes, 0 when there is no memory. */
static size_t frame_write(det_pack *pack, size_t size, const det_block_cuts *cuts) {
    ZSTD_outBuffer out = {pack->packed + SIZE_BYTES, pack->packed_max - SIZE_BYTES, 0};
    ZSTD_inBuffer in = {pack->block, 0, 0};
    ZSTD_CCtx_reset(pack->zstd, ZSTD_reset_session_only);
    ZSTD_CCtx_setPledgedSrcSize(pack->zstd, size);
    for (unsigned i = 0; i <= cuts->count; i++) {
        const int last = i == cuts->count;
        in.size = last ? size : cuts->at[i];
        if (ZSTD_compressStream2(pack->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_flush) != 0)
            return 0;
    }
    return out.pos;
}

static void count(det_pack *pack, const char *text, size_t size) {
    if (pack->calls.count) {
        pack->lines += pack->calls.count;
        pack->in_line = 0;
    } else {
        for (size_t i = 0; i < size; i++)
            pack->lines += text[i] == '\n';
        pack->in_line = text[size - 1] != '\n';
    }
    pack->bytes += size;
}

/* The blocks that text has; *taken: their text's bytes. */
static det_status blocks_write(det_pack *pack, const char *text, size_t size, int last,
                               size_t *taken) {
    *taken = 0;
    while (*taken < size && (last || size - *taken >= TEXT_BYTES / 2)) {
        det_block_cuts cuts;
        size_t some;
        const size_t block =
            det_block_write(text + *taken, size - *taken, &pack->calls, pack->block, &some, &cuts);
        const size_t frame = frame_write(pack, block, &cuts);
        if (!frame)
            return DET_ENOMEM;
        put_number(pack->packed, frame, SIZE_BYTES);
        if (!tell(pack, pack->packed, SIZE_BYTES + frame))
            return DET_EINVAL;
        count(pack, text + *taken, some);
        *taken += some;
    }
    return DET_OK;
}

det_status det_pack_feed(det_pack *pack, const void *text, size_t size) {
    const char *from = text;
    if (!begin(pack))
        return DET_EINVAL;
    while (size > 0) {
        const size_t room = TEXT_BYTES - pack->size, some = size < room ? size : room;
        memcpy(pack->text + pack->size, from, some);
        pack->size += some;
        from += some;
        size -= some;
        if (pack->size < TEXT_BYTES)
            continue;
        size_t taken;
        const det_status status = blocks_write(pack, pack->text, pack->size, 0, &taken);
        if (status != DET_OK)
            return status;
        memmove(pack->text, pack->text + taken, pack->size -= taken);
    }
    return DET_OK;
}

det_status det_pack_finish(det_pack *pack) {
    size_t taken;
    unsigned char end[DET_PACK_END_BYTES] = {0};
    if (!begin(pack))
        return DET_EINVAL;
    const det_status status = blocks_write(pack, pack->text, pack->size, 1, &taken);
    if (status != DET_OK)
        return status;
    put_number(end + SIZE_BYTES, pack->lines + (pack->in_line != 0), 8);
    put_number(end + SIZE_BYTES + 8, pack->bytes, 8);
    return tell(pack, end, sizeof end) ? DET_OK : DET_EINVAL;
}
