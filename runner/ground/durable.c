#include "runner/ground/durable.h"

#include "runner/ground/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

static bool fail(GError **error, const char *what, const char *path) {
    g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot %s %s: %s", what, path,
                g_strerror(errno));
    return false;
}

static bool sync_folder(const char *path, GError **error) {
    g_autofree char *folder = g_path_get_dirname(path);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    if (!good)
        fail(error, "sync", folder);
    if (fd >= 0)
        close(fd);
    return good;
}

static FILE *begin(const char *temporary, GError **error) {
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!file)
        fail(error, "create", temporary);
    return file;
}

/* Ends a file begun as `temporary`: good ones get their name, others go. */
static bool end(FILE *file, const char *temporary, const char *path, bool good, GError **error) {
    if (good && (fflush(file) != 0 || fsync(fileno(file)) != 0))
        good = fail(error, "write", path);
    if (fclose(file) != 0 && good)
        good = fail(error, "write", path);
    if (good && rename(temporary, path) != 0)
        good = fail(error, "rename", temporary);
    if (!good) {
        unlink(temporary);
        return false;
    }
    return sync_folder(path, error);
}

bool run_durable_json(const char *path, json_t *object, GError **error) {
    g_autofree char *temporary = g_strconcat(path, ".new", NULL);
    FILE *file = begin(temporary, error);
    if (!file)
        return false;
    bool good =
        json_dumpf(object, file, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17)) == 0;
    if (!good)
        fail(error, "write", path);
    return end(file, temporary, path, good, error);
}

typedef struct {
    FILE *from, *to;
    ZSTD_CCtx *context;
    GChecksum *checksum;
    run_durable_raw *out;
    void *in_bytes, *out_bytes;
} compression;

/* One buffer of input through the compressor. Returns 1 at the end, 0 for more, -1 on error. */
static int compress_some(compression *work) {
    size_t got = fread(work->in_bytes, 1, ZSTD_CStreamInSize(), work->from);
    if (ferror(work->from))
        return -1;
    work->out->uncompressed_bytes += got;
    bool last = feof(work->from) != 0;
    ZSTD_inBuffer in = {work->in_bytes, got, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {work->out_bytes, ZSTD_CStreamOutSize(), 0};
        left = ZSTD_compressStream2(work->context, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left)) {
            errno = ENOMEM;
            return -1;
        }
        g_checksum_update(work->checksum, out.dst, (gssize)out.pos);
        work->out->bytes += out.pos;
        if (fwrite(out.dst, 1, out.pos, work->to) != out.pos)
            return -1;
    } while (last ? left != 0 : in.pos < in.size);
    return last ? 1 : 0;
}

static bool compress_all(FILE *from, FILE *to, uint64_t size, run_durable_raw *out) {
    compression work = {.from = from, .to = to, .out = out};
    work.context = ZSTD_createCCtx();
    work.checksum = g_checksum_new(G_CHECKSUM_SHA256);
    work.in_bytes = g_malloc(ZSTD_CStreamInSize());
    work.out_bytes = g_malloc(ZSTD_CStreamOutSize());
    int more = -1;
    if (work.context) {
        ZSTD_CCtx_setParameter(work.context, ZSTD_c_compressionLevel, RUN_ZSTD_LEVEL);
        ZSTD_CCtx_setParameter(work.context, ZSTD_c_checksumFlag, 1);
        ZSTD_CCtx_setPledgedSrcSize(work.context, size);
        do {
            more = compress_some(&work);
        } while (more == 0);
    }
    int code = errno;
    g_strlcpy(out->sha256, g_checksum_get_string(work.checksum), sizeof out->sha256);
    ZSTD_freeCCtx(work.context);
    g_checksum_free(work.checksum);
    g_free(work.in_bytes);
    g_free(work.out_bytes);
    errno = code;
    return more == 1;
}

bool run_durable_compress(const char *from_path, const char *path, run_durable_raw *out,
                          GError **error) {
    memset(out, 0, sizeof *out);
    struct stat status;
    int fd = open(from_path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    FILE *from = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (!from || fstat(fd, &status) != 0)
        return fail(error, "open", from_path);
    g_autofree char *temporary = g_strconcat(path, ".new", NULL);
    FILE *to = begin(temporary, error);
    bool good = false;
    if (to) {
        good = compress_all(from, to, (uint64_t)status.st_size, out) || fail(error, "write", path);
        good = end(to, temporary, path, good, error);
    }
    fclose(from);
    return good;
}

bool run_durable_check(const char *path, const char *sha256) {
    FILE *file = fopen(path, "rbe");
    if (!file)
        return false;
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    guint8 buffer[65536];
    size_t got;
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0)
        g_checksum_update(checksum, buffer, (gssize)got);
    bool good = !ferror(file) && g_strcmp0(g_checksum_get_string(checksum), sha256) == 0;
    fclose(file);
    return good;
}

bool run_durable_remove(const char *path, GError **error) {
    if (unlink(path) != 0)
        return errno == ENOENT ? true : fail(error, "remove", path);
    return sync_folder(path, error);
}
