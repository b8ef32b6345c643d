#include "config/packed.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define BLOCK_LEVEL (-1) /* 1 takes twice as long and saves 3 %, higher ones 1 % more */
/* Times are noise between separators: level 6 takes five times as long and saves nothing of calls
 * of all kinds together (docs/raw-format.md). */
#define STREAM_LEVEL 1
#define WINDOW_LOG 23 /* 8 MiB: zstd's levels up to 19 stay within */
#define PIECE_BYTES ((size_t)64 << 10)

size_t cfg_packed_room(size_t size) {
    return ZSTD_compressBound(size);
}

size_t cfg_packed_block(void *packed, const void *bytes, size_t size) {
    const size_t got = ZSTD_compress(packed, ZSTD_compressBound(size), bytes, size, BLOCK_LEVEL);
    return ZSTD_isError(got) ? 0 : got;
}

bool cfg_packed_length(const void *packed, size_t size, uint64_t *length) {
    const unsigned long long said = ZSTD_getFrameContentSize(packed, size);
    const bool frame = said != ZSTD_CONTENTSIZE_ERROR;
    *length = !frame ? 0 : said == ZSTD_CONTENTSIZE_UNKNOWN ? UINT64_MAX : said;
    return frame && said != ZSTD_CONTENTSIZE_UNKNOWN;
}

bool cfg_packed_whole(const void *packed, size_t size) {
    return ZSTD_findFrameCompressedSize(packed, size) == size;
}

bool cfg_packed_unblock(void *bytes, size_t size, const void *packed, size_t packed_size) {
    return ZSTD_decompress(bytes, size, packed, packed_size) == size;
}

struct cfg_pack {
    ZSTD_CCtx *zstd;
    cfg_pack_sink sink;
    void *data;
    size_t room;
    unsigned char *packed; /* [room] */
};

cfg_pack *cfg_pack_new(uint64_t size, cfg_pack_sink sink, void *data) {
    cfg_pack *pack = g_new0(cfg_pack, 1);
    *pack = (cfg_pack){
        .zstd = ZSTD_createCCtx(), .sink = sink, .data = data, .room = ZSTD_CStreamOutSize()};
    pack->packed = g_malloc(pack->room);
    if (!pack->zstd)
        g_error("no memory to pack"); /* as GLib does when memory ends */
    ZSTD_CCtx_setParameter(pack->zstd, ZSTD_c_compressionLevel, STREAM_LEVEL);
    ZSTD_CCtx_setParameter(pack->zstd, ZSTD_c_checksumFlag, 1);
    ZSTD_CCtx_setPledgedSrcSize(pack->zstd, size);
    return pack;
}

void cfg_pack_free(cfg_pack *pack) {
    if (!pack)
        return;
    ZSTD_freeCCtx(pack->zstd);
    g_free(pack->packed);
    g_free(pack);
}

static bool compress(cfg_pack *pack, const void *text, size_t size, ZSTD_EndDirective how) {
    ZSTD_inBuffer in = {text, size, 0};
    for (size_t left = 1; in.pos < in.size || (how == ZSTD_e_end && left > 0);) {
        ZSTD_outBuffer out = {pack->packed, pack->room, 0};
        left = ZSTD_compressStream2(pack->zstd, &out, &in, how);
        if (ZSTD_isError(left)) {
            errno = EMSGSIZE;
            return false;
        }
        if (out.pos > 0 && !pack->sink(pack->data, pack->packed, out.pos))
            return false;
    }
    return true;
}

bool cfg_pack_feed(cfg_pack *pack, const void *text, size_t size) {
    return compress(pack, text, size, ZSTD_e_continue);
}

bool cfg_pack_end(cfg_pack *pack) {
    return compress(pack, NULL, 0, ZSTD_e_end);
}

struct cfg_unpack {
    int fd;
    bool begun, whole;
    ZSTD_DCtx *zstd;
    const char *problem;
    uint64_t left; /* of the text, as the frame says */
    ZSTD_inBuffer in;
    unsigned char piece[PIECE_BYTES];
};

cfg_unpack *cfg_unpack_new(int fd) {
    cfg_unpack *u = g_new0(cfg_unpack, 1);
    u->fd = fd;
    u->zstd = ZSTD_createDCtx();
    if (!u->zstd)
        g_error("no memory to unpack"); /* as GLib does when memory ends */
    ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, WINDOW_LOG);
    u->in.src = u->piece;
    return u;
}

void cfg_unpack_free(cfg_unpack *u) {
    if (!u)
        return;
    ZSTD_freeDCtx(u->zstd);
    g_free(u);
}

static ssize_t broken(cfg_unpack *u, const char *problem) {
    if (!u->problem)
        u->problem = problem;
    return -1;
}

/* More of the file behind what is left of the piece. Returns how much, 0: it has ended; -1. */
static ssize_t refill(cfg_unpack *u) {
    const size_t left = u->in.size - u->in.pos;
    ssize_t got;
    memmove(u->piece, u->piece + u->in.pos, left);
    u->in = (ZSTD_inBuffer){u->piece, left, 0};
    do
        got = read(u->fd, u->piece + left, sizeof u->piece - left);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return broken(u, g_strerror(errno));
    u->in.size += (size_t)got;
    return got;
}

/* The frame's head: how long its text is. One that does not say may be of any length. */
static bool begin(cfg_unpack *u) {
    ssize_t got = 1;
    while (u->in.size < CFG_PACKED_HEAD && got > 0)
        got = refill(u);
    if (got < 0)
        return false;
    if (u->in.size == 0)
        return broken(u, "it is empty") > 0;
    u->left = ZSTD_getFrameContentSize(u->piece, u->in.size);
    if (u->left == ZSTD_CONTENTSIZE_ERROR)
        return broken(u, "it is no zstd file, or cut off") > 0;
    u->begun = true;
    return true;
}

/* Nothing may follow a frame. */
static ssize_t end(cfg_unpack *u) {
    u->whole = true;
    if (u->in.pos < u->in.size || refill(u) > 0)
        return broken(u, "there are bytes after its end");
    return u->problem ? -1 : 0;
}

ssize_t cfg_unpack_read(cfg_unpack *u, char *out, size_t max) {
    ZSTD_outBuffer to = {out, max, 0};
    if (u->problem || (!u->begun && !begin(u)))
        return -1;
    while (!u->whole && to.pos == 0) {
        const size_t before = u->in.pos, more = ZSTD_decompressStream(u->zstd, &to, &u->in);
        if (ZSTD_isError(more))
            return broken(u, "it is damaged");
        if (more == 0 && end(u) < 0)
            return -1;
        if (u->whole || to.pos > 0 || u->in.pos > before)
            continue;
        const ssize_t got = refill(u);
        if (got <= 0)
            return got < 0 ? -1 : broken(u, "it is cut off");
    }
    if (to.pos > u->left)
        return broken(u, "it is longer than it says");
    u->left -= u->left == ZSTD_CONTENTSIZE_UNKNOWN ? 0 : to.pos;
    return (ssize_t)to.pos;
}

const char *cfg_unpack_problem(const cfg_unpack *u) {
    return u->problem ? u->problem : "nothing is wrong with it";
}

GChecksum *cfg_file_sum(FILE *file) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    g_autofree guchar *piece = g_malloc(PIECE_BYTES);
    for (size_t got; (got = fread(piece, 1, PIECE_BYTES, file)) > 0;)
        g_checksum_update(sum, piece, (gssize)got);
    return ferror(file) ? NULL : g_steal_pointer(&sum);
}
