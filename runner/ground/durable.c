#include "runner/ground/durable.h"

#include "detector/packed/pack.h"
#include "runner/ground/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES 65536u

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

/* Where packed bytes go. */
typedef struct {
    FILE *to;
    GChecksum *checksum;
    run_durable_raw *out;
} packing;

static int write_packed(void *data, const void *bytes, size_t size) {
    packing *work = data;
    g_checksum_update(work->checksum, bytes, (gssize)size);
    work->out->bytes += size;
    return fwrite(bytes, 1, size, work->to) == size ? 0 : -1;
}

/* All of from through pack. */
static bool feed_all(det_pack *pack, FILE *from, run_durable_raw *out) {
    g_autofree char *piece = g_malloc(PIECE_BYTES);
    det_status status = DET_OK;
    size_t got;
    while (status == DET_OK && (got = fread(piece, 1, PIECE_BYTES, from)) > 0) {
        out->uncompressed_bytes += got;
        status = det_pack_feed(pack, piece, got);
    }
    if (status == DET_OK && !ferror(from))
        status = det_pack_finish(pack);
    if (status == DET_ENOMEM)
        errno = ENOMEM;
    return status == DET_OK && !ferror(from);
}

static bool pack_all(FILE *from, FILE *to, run_durable_raw *out) {
    packing work = {.to = to, .checksum = g_checksum_new(G_CHECKSUM_SHA256), .out = out};
    det_pack *pack = det_pack_new(write_packed, &work);
    if (!pack)
        g_error("no memory to pack a raw file"); /* as GLib does when memory ends */
    const bool good = feed_all(pack, from, out);
    const int code = errno;
    g_strlcpy(out->sha256, g_checksum_get_string(work.checksum), sizeof out->sha256);
    det_pack_free(pack);
    g_checksum_free(work.checksum);
    errno = code;
    return good;
}

bool run_durable_pack(const char *from_path, const char *path, run_durable_raw *out,
                      GError **error) {
    memset(out, 0, sizeof *out);
    int fd = open(from_path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    FILE *from = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (!from)
        return fail(error, "open", from_path);
    g_autofree char *temporary = g_strconcat(path, ".new", NULL);
    FILE *to = begin(temporary, error);
    bool good = false;
    if (to) {
        good = pack_all(from, to, out) || fail(error, "write", path);
        good = end(to, temporary, path, good, error);
    }
    fclose(from);
    return good;
}

/* What else code under test may have put there: a pipe, which would be waited for. */
static FILE *open_regular(const char *path) {
    struct stat status;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file =
        fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(fd, "r") : NULL;
    if (!file && fd >= 0)
        close(fd);
    return file;
}

bool run_durable_check(const char *path, const char *sha256) {
    FILE *file = open_regular(path);
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
