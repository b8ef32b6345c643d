#include "server/ingest/raw_check.h"

#include "server/ground/error.h"

#include <string.h>
#include <zstd.h>

#define PIECE_BYTES (128u * 1024u)
/* What comes out for what came in: the numbers of a benchmark shrink to a tenth, a made-up frame
 * turns 4 bytes into 128 KiB. Some megabytes are free, as short files may be all alike. */
#define RATIO_MAX 100u
#define RATIO_FREE_BYTES (16u << 20)
#define WINDOW_LOG 23 /* 8 MiB: zstd's levels up to 19 stay within */

struct srv__raw_check {
    ZSTD_DCtx *zstd;
    char *piece;
    uint64_t limit_bytes, taken, bytes, lines;
    bool complete;
    bool in_line;
};

srv__raw_check *srv__raw_check_new(uint64_t limit_bytes) {
    srv__raw_check *check = g_new0(srv__raw_check, 1);
    check->zstd = ZSTD_createDCtx();
    if (!check->zstd)
        g_error("no memory for a zstd decoder"); /* as GLib does when memory ends */
    ZSTD_DCtx_setParameter(check->zstd, ZSTD_d_windowLogMax, WINDOW_LOG);
    check->piece = g_malloc(PIECE_BYTES);
    check->limit_bytes = limit_bytes;
    return check;
}

void srv__raw_check_free(srv__raw_check *check) {
    if (!check)
        return;
    ZSTD_freeDCtx(check->zstd);
    g_free(check->piece);
    g_free(check);
}

static bool fail(srv_error code, const char *what, GError **error) {
    g_set_error_literal(error, SRV_ERROR, (gint)code, what);
    return false;
}

static bool look(srv__raw_check *check, size_t size, GError **error) {
    for (size_t i = 0; i < size; i++) {
        char c = check->piece[i];
        if (c == '\n') {
            check->lines++;
            check->in_line = false;
        } else if ((c >= '0' && c <= '9') || c == ';' || c == '.' || c == '-' || c == '\r') {
            check->in_line = true;
        } else {
            return fail(SRV_ERROR_INVALID,
                        "the raw file holds more than numbers separated by ';'; did the benchmark "
                        "print into it?",
                        error);
        }
    }
    check->bytes += size;
    if (check->bytes <= check->limit_bytes)
        return true;
    return fail(SRV_ERROR_TOO_LARGE, "the raw file unpacks to more than the limit", error);
}

bool srv__raw_check_feed(srv__raw_check *check, const void *data, size_t size, GError **error) {
    ZSTD_inBuffer in = {data, size, 0};
    bool flushed = false;
    while (in.pos < in.size || !flushed) {
        if (check->complete)
            return in.pos == in.size ||
                   fail(SRV_ERROR_INVALID, "there are bytes after the zstd frame", error);
        ZSTD_outBuffer out = {check->piece, PIECE_BYTES, 0};
        size_t left = ZSTD_decompressStream(check->zstd, &out, &in);
        if (ZSTD_isError(left)) {
            g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "the raw file is not zstd: %s",
                        ZSTD_getErrorName(left));
            return false;
        }
        if (!look(check, out.pos, error))
            return false;
        if (check->bytes > RATIO_FREE_BYTES + RATIO_MAX * (check->taken + in.pos))
            return fail(SRV_ERROR_INVALID,
                        "the raw file unpacks to more than a hundred times its size; no benchmark "
                        "prints that",
                        error);
        check->complete = left == 0;
        flushed = out.pos < out.size;
    }
    check->taken += size;
    return true;
}

bool srv__raw_check_end(srv__raw_check *check, GError **error) {
    if (!check->complete)
        return fail(SRV_ERROR_INVALID, "the raw file is truncated: its zstd frame does not end",
                    error);
    if (check->in_line)
        check->lines++;
    if (check->lines == 0)
        return fail(SRV_ERROR_INVALID, "the raw file is empty", error);
    return true;
}

void srv__raw_check_totals(const srv__raw_check *check, uint64_t *bytes, uint64_t *lines) {
    *bytes = check->bytes;
    *lines = check->lines;
}
