#include "server/store/files.h"

#include "config/json_text.h"
#include "config/number.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "sql/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

char *srv_raw_path(const char *folder, const char *sha256) {
    return g_strdup_printf("%s/%.2s/%s.csv.zst", folder, sha256, sha256 + 2);
}

/* How often the free space is looked at while a file comes in, and what came is sent to the
 * disk. */
#define EVERY_BYTES (4u * 1024u * 1024u)

struct srv__incoming {
    const srv__place *place;
    char sha256[65]; /* as announced; "": it was not */
    char *temporary;
    int fd;
    uint8_t head[CFG_PACKED_HEAD]; /* [head_size] */
    size_t head_size;
    uint64_t bytes;
    uint64_t next_look_bytes;
    uint64_t flushed_bytes;
    GChecksum *sum;
};

#define UPLOAD_AGAIN ", then upload it again; a runner does so by itself"

static bool fail_errno(const char *doing, const char *path, GError **error) {
    int code = errno;
    const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG,
               broken = code == EROFS || code == EIO;
    g_set_error(error, SRV_ERROR, full || broken ? SRV_ERROR_FULL : SRV_ERROR_INTERNAL,
                "%s %s: %s%s", doing, path, g_strerror(code),
                full     ? "; free some space" UPLOAD_AGAIN
                : broken ? "; check the disk" UPLOAD_AGAIN
                         : "");
    return false;
}

/* Not what another server is taking in: it holds a lock on it. */
static void remove_left_over(const char *folder) {
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
            g_unlink(path);
        if (fd >= 0)
            close(fd);
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

static bool folders_ready(const srv__place *place, GError **error) {
    g_autofree char *incoming = g_build_filename(place->dir, "incoming", NULL);
    if (g_mkdir_with_parents(incoming, 0750) != 0)
        return fail_errno("cannot make the folder", incoming, error);
    remove_left_over(incoming);
    return !place->folder || folders_make(place->dir, error);
}

srv__place *srv__place_new(const srv__place *about, GError **error) {
    g_autoptr(srv__place) place = g_new(srv__place, 1);
    *place = *about;
    return folders_ready(place, error) ? g_steal_pointer(&place) : NULL;
}

void srv__place_free(srv__place *place) {
    if (!place)
        return;
    g_free(place->dir);
    g_free(place);
}

char *srv__place_path(const srv__place *place, const char *sha256) {
    return g_strdup_printf("%s/%.2s/%s%s", place->dir, sha256, sha256 + 2, place->suffix);
}

static char *key_of(const srv__place *place, const char *sha256) {
    return g_strdup_printf("%s/%.2s/%s%s", place->folder, sha256, sha256 + 2, place->suffix);
}

/* From dir. */
static int file_read(const srv__place *place, const char *path, uint64_t *bytes, GError **error) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
        *bytes = (uint64_t)info.st_size;
        return fd;
    }
    if (fd < 0 && errno == ENOENT)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "the %s is not in the store",
                    place->what);
    else
        fail_errno("cannot read", path, error);
    if (fd >= 0)
        close(fd);
    return -1;
}

/* A file for reading and writing that has no name and goes when it is closed.
 * Error: FULL, INTERNAL. */
static FILE *place_scratch(const srv__place *place, GError **error) {
    g_autofree char *path = g_build_filename(place->dir, "incoming", "XXXXXX", NULL);
    const int fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        g_unlink(path);
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (!file) {
        fail_errno("cannot make", path, error);
        if (fd >= 0)
            close(fd);
    }
    return file;
}

static bool reserve_check(const srv__place *place, uint64_t coming_bytes, GError **error) {
    struct statvfs space;
    if (statvfs(place->dir, &space) != 0)
        return fail_errno("cannot ask for the free space of", place->dir, error);
    uint64_t available = (uint64_t)space.f_bavail * space.f_frsize;
    if (available >= place->reserve_bytes && available - place->reserve_bytes >= coming_bytes)
        return true;
    const bool helps = place->reserve_bytes > 0 && available >= coming_bytes;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_FULL,
                     "%s has %" G_GUINT64_FORMAT " MiB free, of which %" G_GUINT64_FORMAT
                     " MiB must stay free, and up to %" G_GUINT64_FORMAT
                     " MiB are to come; free some space%s" UPLOAD_AGAIN,
                     place->dir, available >> 20, place->reserve_bytes >> 20,
                     (coming_bytes + (1 << 20) - 1) >> 20,
                     helps ? " or lower disk_reserve_bytes" : "");
}

static bool size_check(const srv__place *place, uint64_t bytes, GError **error) {
    if (bytes <= place->limit_bytes)
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_TOO_LARGE,
                     "%s: larger than the limit of %" G_GUINT64_FORMAT
                     " bytes; make it smaller or raise %s",
                     place->what, place->limit_bytes, place->limit_key);
}

srv__incoming *srv__incoming_new(const srv__place *place, const char *sha256, int64_t size_bytes,
                                 GError **error) {
    uint64_t coming = size_bytes > 0 ? (uint64_t)size_bytes : 0;
    if (!size_check(place, coming, error) || !reserve_check(place, coming, error))
        return NULL;
    g_autofree char *temporary = g_build_filename(place->dir, "incoming", "XXXXXX", NULL);
    int fd = g_mkstemp_full(temporary, O_WRONLY | O_CLOEXEC, 0640);
    if (fd < 0) {
        fail_errno("cannot make", temporary, error);
        return NULL;
    }
    (void)flock(fd, LOCK_EX | LOCK_NB); /* a file system without locks has one server */
    srv__incoming *incoming = g_new0(srv__incoming, 1);
    *incoming = (srv__incoming){.place = place,
                                .temporary = g_steal_pointer(&temporary),
                                .fd = fd,
                                .next_look_bytes = EVERY_BYTES,
                                .sum = g_checksum_new(G_CHECKSUM_SHA256)};
    g_strlcpy(incoming->sha256, sha256 ? sha256 : "", sizeof incoming->sha256);
    return incoming;
}

/* Begun early, so that the sync at the end does not hold up others for long. */
static void flush_begun(srv__incoming *incoming) {
    sync_file_range(incoming->fd, (off_t)incoming->flushed_bytes,
                    (off_t)(incoming->bytes - incoming->flushed_bytes), SYNC_FILE_RANGE_WRITE);
    incoming->flushed_bytes = incoming->bytes;
}

/* What is not of its kind is refused with its first bytes. */
static bool head_take(srv__incoming *incoming, const void *data, size_t size, GError **error) {
    const srv__place *place = incoming->place;
    const size_t some = MIN(size, sizeof incoming->head - incoming->head_size);
    if (some == 0 || !place->head_check)
        return true;
    memcpy(incoming->head + incoming->head_size, data, some);
    incoming->head_size += some;
    return incoming->head_size < sizeof incoming->head ||
           place->head_check(place, incoming->head, incoming->head_size, error);
}

bool srv__incoming_write(srv__incoming *incoming, const void *data, size_t size, GError **error) {
    incoming->bytes += size;
    if (!head_take(incoming, data, size, error) ||
        !size_check(incoming->place, incoming->bytes, error))
        return false;
    bool look = incoming->bytes >= incoming->next_look_bytes;
    if (look && !reserve_check(incoming->place, size, error))
        return false;
    g_checksum_update(incoming->sum, data, (gssize)size);
    const char *rest = data;
    while (size > 0) {
        ssize_t written = write(incoming->fd, rest, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail_errno("cannot write", incoming->temporary, error);
        rest += written;
        size -= (size_t)written;
    }
    if (look) {
        incoming->next_look_bytes += EVERY_BYTES;
        flush_begun(incoming);
    }
    return true;
}

bool srv__incoming_whole(srv__incoming *incoming, GError **error) {
    const char *came = g_checksum_get_string(incoming->sum);
    return g_str_equal(came, incoming->sha256) ||
           SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                     "the bytes received have SHA-256 %s, not %s%s; they were damaged in transit, "
                     "send them again",
                     came, incoming->sha256, incoming->place->said_in);
}

const char *srv__incoming_sha256(const srv__incoming *incoming) {
    return incoming->sha256;
}

uint64_t srv__incoming_bytes(const srv__incoming *incoming) {
    return incoming->bytes;
}

FILE *srv__incoming_reopen(const srv__incoming *incoming, GError **error) {
    FILE *file = fopen(incoming->temporary, "rbe");
    if (!file)
        fail_errno("cannot read", incoming->temporary, error);
    return file;
}

static bool file_settle(srv__incoming *incoming, GError **error) {
    g_autofree char *path = srv__place_path(incoming->place, incoming->sha256);
    g_autofree char *folder = g_path_get_dirname(path);
    if (fsync(incoming->fd) != 0)
        return fail_errno("cannot sync", incoming->temporary, error);
    if (g_rename(incoming->temporary, path) != 0)
        return fail_errno("cannot name", path, error);
    g_clear_pointer(&incoming->temporary, g_free);
    return folder_sync(folder, error);
}

void srv__incoming_free(srv__incoming *incoming) {
    if (!incoming)
        return;
    close(incoming->fd);
    if (incoming->temporary)
        g_unlink(incoming->temporary);
    g_free(incoming->temporary);
    g_checksum_free(incoming->sum);
    g_free(incoming);
}

static bool bucket_settle(srv__incoming *incoming, GError **error) {
    g_autofree char *key = key_of(incoming->place, incoming->sha256);
    FILE *file = srv__incoming_reopen(incoming, error);
    if (!file)
        return false;
    const bool good = srv_bucket_put(incoming->place->bucket, key, file, incoming->sha256, error);
    (void)fclose(file);
    return good;
}

static bool refuse(GError **error) {
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_BUSY,
                     "a file with the same bytes is just being removed; send this one again");
}

/* The file may be written: nobody removes it within SRV__REMOVAL_AFTER_MS; hardly ever is there
 * anything to write. Error: BUSY (it is being removed now). */
static bool removal_claim(srv_store *store, const char *folder, const char *sha256, int64_t now_ms,
                          GError **error) {
    int64_t going, changed = 0;
    if (!srv__number(store, ASK(gone_waits, folder, sha256), 0, &going, error))
        return false;
    return going == 0 ||
           (srv__change(store, ASK(gone_hold, folder, sha256, now_ms), &changed, error) &&
            (changed > 0 || refuse(error)));
}

bool srv__incoming_settle(srv__incoming *incoming, srv_store *store, int64_t now_ms,
                          GError **error) {
    const srv__place *place = incoming->place;
    return removal_claim(store, place->folder, incoming->sha256, now_ms, error) &&
           (place->bucket ? bucket_settle : file_settle)(incoming, error);
}

/* The file itself is closed. */
static int descriptor_of(FILE *file, GError **error) {
    const int fd = dup(fileno(file));
    const bool good = fd >= 0 && lseek(fd, 0, SEEK_SET) == 0;
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "cannot read a copy: %s",
                    g_strerror(errno));
    (void)fclose(file);
    if (!good && fd >= 0)
        close(fd);
    return good ? fd : -1;
}

/* A copy, in a file without a name. */
static int bucket_read(const srv__place *place, const char *sha256, uint64_t *bytes,
                       GError **error) {
    g_autofree char *key = key_of(place, sha256);
    FILE *file = place_scratch(place, error);
    if (file && srv_bucket_get(place->bucket, key, sha256, file, bytes, error))
        return descriptor_of(file, error);
    if (file)
        (void)fclose(file);
    return -1;
}

int srv__place_read(const srv__place *place, const char *sha256, uint64_t *bytes, GError **error) {
    if (!cfg_is_sha256(sha256)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no such %s", place->what);
        return -1;
    }
    g_autofree char *path = srv__place_path(place, sha256);
    return place->bucket && !g_file_test(path, G_FILE_TEST_EXISTS)
               ? bucket_read(place, sha256, bytes, error)
               : file_read(place, path, bytes, error);
}

static bool file_remove(const srv__place *place, const char *sha256, GError **error) {
    g_autofree char *path = srv__place_path(place, sha256), *key = key_of(place, sha256);
    if (g_unlink(path) != 0 && errno != ENOENT)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL, "cannot remove %s: %s", path,
                         g_strerror(errno));
    return !place->bucket || srv_bucket_delete(place->bucket, key, error);
}

static json_t *take(srv_store *store, const char *folder, int64_t now_ms, unsigned count,
                    GError **error) {
    return srv__run(store, ASK(gone_mark, folder, now_ms - SRV__REMOVAL_AFTER_MS, count), error)
               ? srv__array(store, ASK(gone_marked, folder, count), error)
               : NULL;
}

/* At most so many files that may be removed now, [{"sha256"}]; owned, NULL with error. They cannot
 * be claimed any more. Not in a transaction, nor is removal_done. */
static json_t *removal_take(srv_store *store, const char *folder, int64_t now_ms, unsigned count,
                            GError **error) {
    if (!srv__begin(store, error))
        return NULL;
    json_t *rows = take(store, folder, now_ms, count, error);
    if (!srv__end(store, rows != NULL, error))
        g_clear_pointer(&rows, json_decref);
    return rows;
}

/* The first count of the rows that were taken are removed. */
static bool removal_done(srv_store *store, const char *folder, const json_t *rows, size_t count,
                         GError **error) {
    bool good = true;
    if (count == 0)
        return true;
    if (!srv__begin(store, error))
        return false;
    for (size_t i = 0; good && i < count; i++) {
        const char *sha256 = cfg_json_word(json_array_get(rows, i), "sha256", NULL);
        good = srv__run(store, ASK(gone_done, folder, sha256), error);
    }
    return srv__end(store, good, error);
}

bool srv__place_sweep(const srv__place *place, srv_store *store, int64_t now_ms, unsigned count,
                      bool *more, GError **error) {
    json_t *rows = removal_take(store, place->folder, now_ms, count, error), *row;
    bool good = rows != NULL;
    size_t i, removed = 0;
    json_array_foreach (rows, i, row) {
        good = good && file_remove(place, cfg_json_word(row, "sha256", NULL), error);
        removed += good;
    }
    good = removal_done(store, place->folder, rows, removed, good ? error : NULL) && good;
    *more = good && json_array_size(rows) == count;
    json_decref(rows);
    return good;
}

bool srv__removal_add(srv_store *store, const char *folder, const char *sha256, int64_t now_ms,
                      GError **error) {
    return srv__run(store, ASK(gone_add, folder, sha256, now_ms), error);
}

bool srv__removal_in_time(int64_t claimed_ms, GError **error) {
    const bool good = srv_monotonic_ms() - claimed_ms < SRV__REMOVAL_AFTER_MS / 2;
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_BUSY,
                    "it took more than %" G_GINT64_FORMAT
                    " minutes to keep the file; send it again",
                    SRV__REMOVAL_AFTER_MS / 2 / 60000);
    return good;
}

bool srv__removal_back(srv_store *store, const char *folder, const char *sha256, GError **error) {
    return srv__run(store, ASK(gone_back, folder, sha256), error);
}
