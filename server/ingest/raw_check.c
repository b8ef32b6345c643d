#include "server/ingest/raw_check.h"

#include "detector/packed/unpack.h"
#include "server/ground/error.h"
#include "server/store/raw_path.h"

/* What comes out for what came in: the numbers of a benchmark shrink to a tenth as text and to a
 * fiftieth as columns, those of a coarse clock more; a made-up file turns 50 bytes into 8192 lines.
 * Some megabytes are free, as short files may be all alike. */
#define LINES_RATIO_MAX 100u
#define CALLS_RATIO_MAX 1000u
#define RATIO_FREE_BYTES (16u << 20)

struct srv__raw_check {
    det_unpack *unpack;
    uint64_t limit_bytes, taken;
    bool complete;
};

srv__raw_check *srv__raw_check_new(uint64_t limit_bytes) {
    srv__raw_check *check = g_new0(srv__raw_check, 1);
    check->unpack = det_unpack_new();
    if (!check->unpack)
        g_error("no memory to check a raw file"); /* as GLib does when memory ends */
    check->limit_bytes = limit_bytes;
    return check;
}

void srv__raw_check_free(srv__raw_check *check) {
    if (!check)
        return;
    det_unpack_free(check->unpack);
    g_free(check);
}

static bool fail(srv_error code, const char *what, GError **error) {
    g_set_error_literal(error, SRV_ERROR, (gint)code, what);
    return false;
}

static bool numbers_only(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        const char c = text[i];
        if (!((c >= '0' && c <= '9') || c == ';' || c == '\n' || c == '.' || c == '-' || c == '\r'))
            return false;
    }
    return true;
}

/* The block that has just come; used: bytes of the file up to its end. */
static bool look(srv__raw_check *check, uint64_t used, GError **error) {
    uint64_t bytes, lines;
    size_t size = 0;
    det_unpack_taken(check->unpack, &bytes, &lines);
    if (!det_unpack_calls(check->unpack)) { /* columns are numbers */
        const char *text = det_unpack_text(check->unpack, &size);
        if (!numbers_only(text, size))
            return fail(SRV_ERROR_INVALID,
                        "the raw file holds more than numbers separated by ';'; did the benchmark "
                        "print into it?",
                        error);
    }
    if (bytes > check->limit_bytes)
        return fail(SRV_ERROR_TOO_LARGE, "the raw file unpacks to more than the limit", error);
    const bool lines_only = det_unpack_is_lines(check->unpack);
    const uint64_t ratio = lines_only ? LINES_RATIO_MAX : CALLS_RATIO_MAX;
    if (bytes <= RATIO_FREE_BYTES + ratio * used)
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                "the raw file unpacks to more than %" G_GUINT64_FORMAT " times its size; no "
                "benchmark prints that",
                ratio);
    return false;
}

bool srv__raw_check_feed(srv__raw_check *check, const void *data, size_t size, GError **error) {
    const char *bytes = data;
    for (;;) {
        size_t used;
        const det_unpack_step step = det_unpack_take(check->unpack, bytes, size, &used);
        bytes += used;
        size -= used;
        check->taken += used;
        check->complete = step == DET_UNPACK_END;
        if (step == DET_UNPACK_BROKEN) {
            g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "the raw file cannot be read: %s",
                        det_unpack_problem(check->unpack));
            return false;
        }
        if (step != DET_UNPACK_BLOCK)
            return true;
        if (!look(check, check->taken, error))
            return false;
    }
}

bool srv__raw_check_end(srv__raw_check *check, GError **error) {
    uint64_t bytes, lines;
    if (!check->complete)
        return fail(SRV_ERROR_INVALID, "the raw file is truncated", error);
    det_unpack_taken(check->unpack, &bytes, &lines);
    return lines > 0 || fail(SRV_ERROR_INVALID, "the raw file is empty", error);
}

void srv__raw_check_totals(const srv__raw_check *check, uint64_t *bytes, uint64_t *lines) {
    det_unpack_taken(check->unpack, bytes, lines);
}

const char *srv__raw_check_suffix(const srv__raw_check *check) {
    return det_unpack_is_lines(check->unpack) ? SRV_RAW_LINES : SRV_RAW_CALLS;
}
