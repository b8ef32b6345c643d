#include "server/routes/raw_csv.h"

#include <errno.h>
#include <unistd.h>
#include <zstd.h>

typedef struct {
    int fd;
    ZSTD_DStream *stream;
    ZSTD_inBuffer in;
    char *block; /* what in points to, [ZSTD_DStreamInSize()] */
    bool whole;  /* what was read so far ends with a frame */
} unpacking;

/* Makes sure that in has something; false at the end or on a read error. */
static bool refill(unpacking *u) {
    ssize_t n = 0;
    do
        n = read(u->fd, u->block, ZSTD_DStreamInSize());
    while (n < 0 && errno == EINTR);
    u->in = (ZSTD_inBuffer){u->block, n > 0 ? (size_t)n : 0, 0};
    return n > 0;
}

static ssize_t unpack(void *data, char *out, size_t max) {
    unpacking *u = data;
    ZSTD_outBuffer to = {out, max, 0};
    while (to.pos == 0) {
        bool more = u->in.pos < u->in.size || refill(u);
        if (!more && u->whole)
            return 0;
        size_t code = ZSTD_decompressStream(u->stream, &to, &u->in);
        if (ZSTD_isError(code) || (!more && to.pos == 0))
            return -1;
        u->whole = code == 0;
    }
    return (ssize_t)to.pos;
}

static void unpacking_free(void *data) {
    unpacking *u = data;
    close(u->fd);
    ZSTD_freeDStream(u->stream);
    g_free(u->block);
    g_free(u);
}

srv_reply_source srv_raw_csv(int fd) {
    unpacking *u = g_new0(unpacking, 1);
    u->fd = fd;
    u->stream = ZSTD_createDStream();
    u->block = g_malloc(ZSTD_DStreamInSize());
    ZSTD_initDStream(u->stream);
    return (srv_reply_source){unpack, unpacking_free, u};
}
