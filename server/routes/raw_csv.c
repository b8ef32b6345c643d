#include "server/routes/raw_csv.h"

#include "detector/packed/unpack.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define PIECE_BYTES 65536u

typedef struct {
    int fd;
    det_unpack *unpack;
    char *piece; /* [PIECE_BYTES] of the file */
    size_t at, size;
    const char *text; /* of the block that is being sent */
    size_t text_size;
} unpacking;

/* The file's next bytes; false at the end or on a read error. */
static bool refill(unpacking *u) {
    ssize_t n = 0;
    do
        n = read(u->fd, u->piece, PIECE_BYTES);
    while (n < 0 && errno == EINTR);
    u->at = 0;
    u->size = n > 0 ? (size_t)n : 0;
    return n > 0;
}

/* The next block's text; what it says of the file otherwise: END or BROKEN. */
static det_unpack_step block_next(unpacking *u) {
    for (;;) {
        size_t used;
        const det_unpack_step step =
            det_unpack_take(u->unpack, u->piece + u->at, u->size - u->at, &used);
        u->at += used;
        if (step == DET_UNPACK_BLOCK)
            u->text = det_unpack_text(u->unpack, &u->text_size);
        if (step == DET_UNPACK_BLOCK || step == DET_UNPACK_BROKEN)
            return step;
        if (!refill(u)) /* whole, or cut off */
            return step == DET_UNPACK_END ? step : DET_UNPACK_BROKEN;
    }
}

static ssize_t unpack(void *data, char *out, size_t max) {
    unpacking *u = data;
    while (u->text_size == 0) {
        const det_unpack_step step = block_next(u);
        if (step != DET_UNPACK_BLOCK)
            return step == DET_UNPACK_END ? 0 : -1;
    }
    const size_t some = MIN(max, u->text_size);
    memcpy(out, u->text, some);
    u->text += some;
    u->text_size -= some;
    return (ssize_t)some;
}

static void unpacking_free(void *data) {
    unpacking *u = data;
    close(u->fd);
    det_unpack_free(u->unpack);
    g_free(u->piece);
    g_free(u);
}

srv_reply_source srv_raw_csv(int fd) {
    unpacking *u = g_new0(unpacking, 1);
    u->fd = fd;
    u->unpack = det_unpack_new();
    if (!u->unpack)
        g_error("no memory to unpack a raw file"); /* as GLib does when memory ends */
    u->piece = g_malloc(PIECE_BYTES);
    return (srv_reply_source){unpack, unpacking_free, u};
}
