#include "server/raw_store.h"

#include "server/error.h"
#include "server/fields.h"
#include "server/queue.h"
#include "server/raw_check.h"
#include "server/store_sql.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* How often the free space is looked at while a file comes in. */
#define RESERVE_EVERY_BYTES (4u * 1024u * 1024u)

struct srv_raw_store {
    char *dir;
    uint64_t limit_bytes;
    uint64_t reserve_bytes;
};

struct srv_raw_upload {
    srv_raw_store *raw;
    char sha256[65];
    char *temporary;
    int fd;
    uint64_t bytes;
    uint64_t next_look_bytes;
    GChecksum *sum;
    srv__raw_check *check;
};

static bool fail_errno(const char *doing, const char *path, GError **error) {
    int code = errno;
    bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
    g_set_error(error, SRV_ERROR, full ? SRV_ERROR_FULL : SRV_ERROR_INTERNAL, "%s %s: %s%s", doing,
                path, g_strerror(code), full ? "; free some space, it will be sent again" : "");
    return false;
}

static void remove_left_over(const char *folder) {
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        g_unlink(path);
    }
}

static bool folder_sync(const char *path, GError **error) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = fd >= 0 && fsync(fd) == 0;
    if (!good)
        fail_errno("cannot sync", path, error);
    if (fd >= 0)
        close(fd);
    return good;
}

/* All of them at once: then each of them is durable before the first file goes in. */
static bool folders_make(const char *dir, GError **error) {
    for (unsigned i = 0; i < 256; i++) {
        g_autofree char *folder = g_strdup_printf("%s/%02x", dir, i);
        if (g_mkdir(folder, 0750) != 0 && errno != EEXIST)
            return fail_errno("cannot make the folder", folder, error);
    }
    return folder_sync(dir, error);
}

srv_raw_store *srv_raw_open(const char *dir, uint64_t limit_bytes, uint64_t reserve_bytes,
                            GError **error) {
    g_autofree char *incoming = g_build_filename(dir, "incoming", NULL);
    if (g_mkdir_with_parents(incoming, 0750) != 0) {
        fail_errno("cannot make the folder", incoming, error);
        return NULL;
    }
    remove_left_over(incoming);
    if (!folders_make(dir, error))
        return NULL;
    srv_raw_store *raw = g_new0(srv_raw_store, 1);
    *raw = (srv_raw_store){g_strdup(dir), limit_bytes, reserve_bytes};
    return raw;
}

void srv_raw_close(srv_raw_store *raw) {
    if (raw == NULL)
        return;
    g_free(raw->dir);
    g_free(raw);
}

static bool reserve_check(const srv_raw_store *raw, uint64_t coming_bytes, GError **error) {
    struct statvfs space;
    if (statvfs(raw->dir, &space) != 0)
        return fail_errno("cannot ask for the free space of", raw->dir, error);
    uint64_t available = (uint64_t)space.f_bavail * space.f_frsize;
    if (available >= raw->reserve_bytes && available - raw->reserve_bytes >= coming_bytes)
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_FULL,
                "%s has %" G_GUINT64_FORMAT " MiB free, and %" G_GUINT64_FORMAT
                " MiB must stay free; free some space or lower disk_reserve_bytes, "
                "it will be sent again",
                raw->dir, available >> 20, raw->reserve_bytes >> 20);
    return false;
}

static bool size_check(const srv_raw_store *raw, uint64_t bytes, GError **error) {
    if (bytes <= raw->limit_bytes)
        return true;
    g_set_error(error, SRV_ERROR, SRV_ERROR_TOO_LARGE,
                "a raw file of more than %" G_GUINT64_FORMAT
                " bytes is not taken; raise raw_limit_bytes or measure fewer calls",
                raw->limit_bytes);
    return false;
}

srv_raw_upload *srv_raw_begin(srv_raw_store *raw, const char *sha256, int64_t size_bytes,
                              GError **error) {
    uint64_t coming = size_bytes > 0 ? (uint64_t)size_bytes : 0;
    if (!srv__is_sha256(sha256)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "the name of a raw file is its SHA-256 in 64 lower-case hex digits");
        return NULL;
    }
    if (!size_check(raw, coming, error) || !reserve_check(raw, coming, error))
        return NULL;
    g_autofree char *temporary = g_strdup_printf("%s/incoming/%s.XXXXXX", raw->dir, sha256);
    int fd = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0640);
    if (fd < 0) {
        fail_errno("cannot make", temporary, error);
        return NULL;
    }
    srv_raw_upload *upload = g_new0(srv_raw_upload, 1);
    upload->raw = raw;
    g_strlcpy(upload->sha256, sha256, sizeof upload->sha256);
    upload->temporary = g_steal_pointer(&temporary);
    upload->fd = fd;
    upload->next_look_bytes = RESERVE_EVERY_BYTES;
    upload->sum = g_checksum_new(G_CHECKSUM_SHA256);
    upload->check = srv__raw_check_new(raw->limit_bytes * SRV_RAW_EXPANSION);
    return upload;
}

bool srv_raw_write(srv_raw_upload *upload, const void *data, size_t size, GError **error) {
    upload->bytes += size;
    if (!size_check(upload->raw, upload->bytes, error))
        return false;
    if (upload->bytes >= upload->next_look_bytes) {
        upload->next_look_bytes += RESERVE_EVERY_BYTES;
        if (!reserve_check(upload->raw, size, error))
            return false;
    }
    g_checksum_update(upload->sum, data, (gssize)size);
    if (!srv__raw_check_feed(upload->check, data, size, error))
        return false;
    const char *rest = data;
    while (size > 0) {
        ssize_t written = write(upload->fd, rest, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_errno("cannot write", upload->temporary, error);
        rest += written;
        size -= (size_t)written;
    }
    return true;
}

void srv_raw_abort(srv_raw_upload *upload) {
    if (upload == NULL)
        return;
    if (upload->fd >= 0)
        close(upload->fd);
    if (upload->temporary != NULL)
        g_unlink(upload->temporary);
    g_free(upload->temporary);
    g_checksum_free(upload->sum);
    srv__raw_check_free(upload->check);
    g_free(upload);
}

static char *stored_path(const srv_raw_store *raw, const char *sha256) {
    return g_strdup_printf("%s/%.2s/%s.csv.zst", raw->dir, sha256, sha256 + 2);
}

/* The file gets its name; after that it is there for good. */
static bool settle(srv_raw_upload *upload, GError **error) {
    g_autofree char *path = stored_path(upload->raw, upload->sha256);
    g_autofree char *folder = g_path_get_dirname(path);
    if (fsync(upload->fd) != 0)
        return fail_errno("cannot sync", upload->temporary, error);
    if (g_rename(upload->temporary, path) != 0)
        return fail_errno("cannot name", path, error);
    g_clear_pointer(&upload->temporary, g_free);
    return folder_sync(folder, error);
}

static bool note(srv_raw_upload *upload, srv_store *store, int64_t job, const char *lease,
                 int64_t now_ms, bool *created, GError **error) {
    uint64_t uncompressed, lines;
    int64_t changed = 0;
    srv__raw_check_totals(upload->check, &uncompressed, &lines);
    if (!srv__begin(store, error))
        return false;
    bool good =
        srv_queue_holds(store, job, lease, error) &&
        srv__run(store,
                 "INSERT INTO raw(sha256, bytes, uncompressed_bytes, lines, job_id,"
                 " stored_ms) VALUES($1,$2,$3,$4,$5,$6) ON CONFLICT(sha256) DO NOTHING",
                 SRV__ARGS(SRV__T(upload->sha256), SRV__I(upload->bytes), SRV__I(uncompressed),
                           SRV__I(lines), SRV__I(job), SRV__I(now_ms)),
                 &changed, error);
    *created = changed > 0;
    return srv__end(store, good, error);
}

bool srv_raw_finish(srv_raw_upload *upload, srv_store *store, int64_t job, const char *lease,
                    int64_t now_ms, bool *created, GError **error) {
    bool good = false;
    if (!g_str_equal(g_checksum_get_string(upload->sum), upload->sha256))
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "the bytes received have SHA-256 %s, not %s; they were damaged on the way, "
                    "send them again",
                    g_checksum_get_string(upload->sum), upload->sha256);
    else
        good = srv__raw_check_end(upload->check, error) &&
               srv_queue_holds(store, job, lease, error) && settle(upload, error) &&
               note(upload, store, job, lease, now_ms, created, error);
    srv_raw_abort(upload);
    return good;
}

bool srv_raw_known(srv_store *store, const char *sha256, bool *known, GError **error) {
    int64_t count;
    if (!srv__number(store, "SELECT count(*) FROM raw WHERE sha256=$1", SRV__ARGS(SRV__T(sha256)),
                     0, &count, error))
        return false;
    *known = count > 0;
    return true;
}

int srv_raw_read(srv_raw_store *raw, const char *sha256, uint64_t *bytes, GError **error) {
    if (!srv__is_sha256(sha256)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no such raw file");
        return -1;
    }
    g_autofree char *path = stored_path(raw, sha256);
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        *bytes = (uint64_t)info.st_size;
        return fd;
    }
    if (fd < 0 && errno == ENOENT)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "raw file %s is not in the store",
                    sha256);
    else
        fail_errno("cannot read", path, error);
    if (fd >= 0)
        close(fd);
    return -1;
}
