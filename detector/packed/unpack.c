#include "detector/packed/unpack.h"

#include "detector/packed/bits__.h"
#include "detector/packed/block.h"
#include "detector/packed/pack.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define FRAME_BYTES_MAX (DET_BLOCK_BYTES_MAX + 4096) /* zstd's bound is less above it */
#define OLD_BYTES ((size_t)128 * 1024)               /* of an old file, a block of ours */
#define WINDOW_LOG 23                                /* 8 MiB: zstd's levels up to 19 stay within */

enum { SIZE_BYTES = 4 };

/* What the bytes in `held` are to become. */
typedef enum { MAGIC, OLD, SIZE, FRAME, TOTALS, END, BROKEN } part;

struct det_unpack {
    part part;
    const char *problem;
    ZSTD_DCtx *zstd;
    size_t held_size, wanted;
    uint64_t bytes, lines;
    int is_lines, in_line,
        old_full;     /* old_full: there may be more text in what the frame has taken */
    const char *text; /* of the block; NULL: it is calls, whose text is made when asked for */
    size_t text_size;
    det_calls calls;
    unsigned char held[FRAME_BYTES_MAX];
    unsigned char block[DET_BLOCK_BYTES_MAX + BITS_SLACK];
    char lines_text[DET_CALLS_TEXT_MAX];
};

det_unpack *det_unpack_new(void) {
    det_unpack *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->zstd = ZSTD_createDCtx();
    if (!u->zstd) {
        free(u);
        return NULL;
    }
    ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, WINDOW_LOG);
    u->part = MAGIC;
    u->wanted = SIZE_BYTES; /* zstd's magic number, or half of ours */
    u->problem = "it is empty";
    return u;
}

void det_unpack_free(det_unpack *u) {
    if (!u)
        return;
    ZSTD_freeDCtx(u->zstd);
    free(u);
}

static det_unpack_step broken(det_unpack *u, const char *problem) {
    u->part = BROKEN;
    u->problem = problem;
    return DET_UNPACK_BROKEN;
}

static uint64_t number(const unsigned char *bytes, unsigned count) {
    uint64_t value = 0;
    for (unsigned i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static void expect(det_unpack *u, part next, size_t wanted) {
    u->part = next;
    u->wanted = wanted;
    u->held_size = 0;
    u->problem = "it is cut off";
}

/* Bytes into held until as many are there as are wanted. Returns whether they are. */
static int hold(det_unpack *u, const unsigned char **from, size_t *size) {
    const size_t missing = u->wanted - u->held_size, some = *size < missing ? *size : missing;
    if (some) {
        memcpy(u->held + u->held_size, *from, some);
        u->problem = "it is cut off";
    }
    u->held_size += some;
    *from += some;
    *size -= some;
    return some == missing;
}

static void text_count(det_unpack *u, const char *text, size_t size) {
    const char *at = text, *end = text + size;
    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        u->lines++;
        at++;
    }
    u->in_line = size ? end[-1] != '\n' : u->in_line;
    u->bytes += size;
}

static det_unpack_step block_done(det_unpack *u) {
    if (u->text) {
        text_count(u, u->text, u->text_size);
    } else {
        u->lines += u->calls.count;
        u->bytes += det_calls_size(&u->calls);
        u->in_line = 0;
        u->text_size = 0;
    }
    expect(u, SIZE, SIZE_BYTES);
    return DET_UNPACK_BLOCK;
}

static det_unpack_step frame_read(det_unpack *u) {
    const size_t whole = ZSTD_findFrameCompressedSize(u->held, u->wanted);
    if (ZSTD_isError(whole) || whole != u->wanted)
        return broken(u, "a block of it is damaged");
    const size_t size =
        ZSTD_decompressDCtx(u->zstd, u->block, DET_BLOCK_BYTES_MAX, u->held, u->wanted);
    if (ZSTD_isError(size) ||
        det_block_read(u->block, size, &u->calls, &u->text, &u->text_size) != DET_OK)
        return broken(u, "a block of it is damaged");
    return block_done(u);
}

static int size_read(det_unpack *u) {
    const uint64_t size = number(u->held, SIZE_BYTES);
    if (size > FRAME_BYTES_MAX)
        return 0;
    if (size == 0)
        expect(u, TOTALS, DET_PACK_END_BYTES - SIZE_BYTES);
    else
        expect(u, FRAME, (size_t)size);
    return 1;
}

/* What the end says there was, and what was. */
static int totals_agree(const det_unpack *u) {
    return number(u->held, 8) == u->lines + (u->in_line != 0) && number(u->held + 8, 8) == u->bytes;
}

/* An old file: the next text of its frame. */
static det_unpack_step old_read(det_unpack *u, const unsigned char **from, size_t *size) {
    ZSTD_inBuffer in = {*from, *size, 0};
    ZSTD_outBuffer out = {u->block, OLD_BYTES, 0};
    if (*size == 0 && !u->old_full)
        return DET_UNPACK_MORE;
    const size_t left = ZSTD_decompressStream(u->zstd, &out, &in);
    *from += in.pos;
    *size -= in.pos;
    if (ZSTD_isError(left))
        return broken(u, "its zstd frame is damaged");
    u->old_full = left != 0 && out.pos == out.size;
    u->calls.count = 0;
    u->text = (const char *)u->block;
    u->text_size = out.pos;
    text_count(u, u->text, u->text_size);
    if (left == 0)
        expect(u, END, 0);
    return out.pos ? DET_UNPACK_BLOCK : DET_UNPACK_MORE;
}

/* The first four bytes, then all eight. */
static int magic_read(det_unpack *u) {
    static const unsigned char zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    const size_t size = u->held_size;
    if (size == sizeof zstd && memcmp(u->held, zstd, sizeof zstd) == 0) {
        ZSTD_inBuffer in = {u->held, size, 0};
        ZSTD_outBuffer out = {u->block, OLD_BYTES, 0};
        expect(u, OLD, 0);
        u->is_lines = 1;
        return !ZSTD_isError(ZSTD_decompressStream(u->zstd, &out, &in));
    }
    if (memcmp(u->held, DET_PACK_MAGIC, size) != 0)
        return 0;
    if (size == DET_PACK_MAGIC_BYTES)
        expect(u, SIZE, SIZE_BYTES);
    else
        u->wanted = DET_PACK_MAGIC_BYTES;
    return 1;
}

/* The part that is whole now; MORE: on to the next one. */
static det_unpack_step part_read(det_unpack *u) {
    switch (u->part) {
    case MAGIC:
        if (u->held_size > 4 && u->held[7] != DET_PACK_MAGIC[7] &&
            memcmp(u->held, DET_PACK_MAGIC, 7) == 0)
            return broken(u, "it is of a newer version of moowatch");
        return magic_read(u) ? DET_UNPACK_MORE : broken(u, "it is neither packed calls nor zstd");
    case SIZE:
        return size_read(u) ? DET_UNPACK_MORE : broken(u, "a block of it is damaged");
    case FRAME:
        return frame_read(u);
    case TOTALS:
        if (!totals_agree(u))
            return broken(u, "blocks of it are missing");
        expect(u, END, 0);
        return DET_UNPACK_MORE;
    case OLD:
    case END:
    case BROKEN:
        break;
    }
    return DET_UNPACK_BROKEN;
}

static det_unpack_step step(det_unpack *u, const unsigned char **from, size_t *size) {
    det_unpack_step now = DET_UNPACK_MORE;
    while (now == DET_UNPACK_MORE) {
        if (u->part == BROKEN)
            return DET_UNPACK_BROKEN;
        if (u->part == END)
            return *size ? broken(u, "there are bytes after its end") : DET_UNPACK_END;
        if (u->part == OLD) {
            const size_t before = *size;
            now = old_read(u, from, size);
            if (now == DET_UNPACK_MORE && u->part == OLD && before == 0)
                return now;
            continue;
        }
        if (!hold(u, from, size))
            return DET_UNPACK_MORE;
        now = part_read(u);
    }
    return now;
}

det_unpack_step det_unpack_take(det_unpack *u, const void *bytes, size_t size, size_t *used) {
    const unsigned char *from = bytes;
    size_t left = size;
    const det_unpack_step now = step(u, &from, &left);
    *used = size - left;
    return now;
}

const det_calls *det_unpack_calls(const det_unpack *u) {
    return u->text ? NULL : &u->calls;
}

const char *det_unpack_text(det_unpack *u, size_t *size) {
    if (u->text) {
        *size = u->text_size;
        return u->text;
    }
    if (u->text_size == 0)
        u->text_size = det_calls_text(&u->calls, u->lines_text);
    *size = u->text_size;
    return u->lines_text;
}

const char *det_unpack_problem(const det_unpack *u) {
    return u->problem;
}

int det_unpack_is_lines(const det_unpack *u) {
    return u->is_lines;
}

void det_unpack_taken(const det_unpack *u, uint64_t *bytes, uint64_t *lines) {
    *bytes = u->bytes;
    *lines = u->lines + (u->in_line != 0);
}
