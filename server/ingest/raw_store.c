#include "server/ingest/raw_store.h"

#include "config/number.h"
#include "config/packed.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/queue/queue_internal.h"
#include "server/store/files.h"
#include "server/store/store_sql.h"
#include "sql/raw.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* What a job has more, or from now on. */
static bool job_add(srv_store *store, int64_t job, int64_t files, uint64_t bytes, int64_t now_ms,
                    GError **error) {
    return srv__run(store, ASK(raw_job_add, job, files, bytes, now_ms), error);
}

static bool inserted(srv_store *store, const srv__raw_row *row, int64_t now_ms, GError **error) {
    return srv__removal_back(store, SRV__REMOVAL_RAW, row->sha256, error) &&
           job_add(store, row->job, 1, row->bytes, now_ms, error);
}

/* The same bytes from another job; from the same one nothing is new. */
static bool met(srv_store *store, const srv__raw_row *row, int64_t now_ms, GError **error) {
    int64_t changed = 0;
    return srv__change(store, ASK(raw_met, row->sha256, row->job), &changed, error) &&
           (changed == 0 || job_add(store, row->job, 0, 0, now_ms, error));
}

/* A raw file that is there; created: out, false when it was before, and is this job's, too, from
 * now on. In a transaction. */
static bool srv__raw_insert(srv_store *store, const srv__raw_row *row, int64_t now_ms,
                            bool *created, GError **error) {
    int64_t changed = 0;
    const bool good = srv__change(
        store, ASK(raw_insert, row->sha256, row->bytes, row->uncompressed_bytes, row->job, now_ms),
        &changed, error);
    *created = changed > 0;
    return good && (*created ? inserted : met)(store, row, now_ms, error);
}

bool srv__raw_share(srv_store *store, int64_t experiment, int64_t job, int64_t now_ms,
                    GError **error) {
    int64_t changed = 0;
    return srv__change(store, ASK(raw_share, experiment, job), &changed, error) &&
           (changed == 0 || job_add(store, job, 0, 0, now_ms, error));
}

static bool hand_on_bytes(srv_store *store, int64_t job, GError **error) {
    return srv__run(store, ASK(raw_hand_on_bytes, job), error);
}

static bool hand_on(srv_store *store, int64_t job, GError **error) {
    int64_t shared;
    if (!srv__run(store, ASK(raw_unshare, job), error) ||
        !srv__number(store, ASK(raw_shared, job), 0, &shared, error))
        return false;
    return shared == 0 ||
           (hand_on_bytes(store, job, error) && srv__run(store, ASK(raw_hand_on, job), error));
}

static bool mark(srv_store *store, int64_t job, const char *rule, int64_t now_ms, GError **error) {
    return srv__run(store, ASK(raw_pruned, job, now_ms, rule), error);
}

bool srv__raw_drop(srv_store *store, int64_t job, const char *rule, int64_t now_ms, int64_t *files,
                   GError **error) {
    return hand_on(store, job, error) && mark(store, job, rule, now_ms, error) &&
           srv__run(store, ASK(raw_gone, job, now_ms), error) &&
           srv__change(store, ASK(raw_drop, job), files, error);
}

struct srv_raw_store {
    srv__place place;
    srv_bucket *bucket; /* NULL: all is in place */
};

struct srv_raw_upload {
    srv_raw_store *raw;
    char sha256[65];
    srv__incoming *incoming;
    uint8_t head[CFG_PACKED_HEAD]; /* [head_size] */
    size_t head_size;
    uint64_t unpacked; /* bytes, as the head says; 0: it is not complete */
};

srv_raw_store *srv_raw_open(const char *dir, uint64_t limit_bytes, uint64_t reserve_bytes,
                            GError **error) {
    srv_raw_store *raw = g_new0(srv_raw_store, 1);
    raw->place = (srv__place){.dir = g_strdup(dir),
                              .what = "raw file",
                              .limit_key = "raw_limit_bytes",
                              .limit_bytes = limit_bytes,
                              .reserve_bytes = reserve_bytes};
    if (srv__place_open(&raw->place, error))
        return raw;
    srv_raw_close(raw);
    return NULL;
}

void srv_raw_close(srv_raw_store *raw) {
    if (!raw)
        return;
    g_free(raw->place.dir);
    g_free(raw);
}

void srv_raw_use_bucket(srv_raw_store *raw, srv_bucket *bucket) {
    raw->bucket = bucket;
}

bool srv_raw_is_remote(const srv_raw_store *raw) {
    return raw->bucket != NULL;
}

srv_raw_upload *srv_raw_begin(srv_raw_store *raw, const char *sha256, int64_t size_bytes,
                              GError **error) {
    if (!cfg_is_sha256(sha256))
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "the name of a raw file must be its SHA-256 in 64 lower-case hex digits");
    srv__incoming *incoming = srv__incoming_new(&raw->place, size_bytes, error);
    if (!incoming)
        return NULL;
    srv_raw_upload *upload = g_new0(srv_raw_upload, 1);
    upload->raw = raw;
    g_strlcpy(upload->sha256, sha256, sizeof upload->sha256);
    upload->incoming = incoming;
    return upload;
}

static bool head_check(srv_raw_upload *upload, GError **error) {
    const uint64_t most = upload->raw->place.limit_bytes * SRV_RAW_EXPANSION;
    if (!cfg_packed_length(upload->head, upload->head_size, &upload->unpacked))
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "the raw file is not a zstd frame that declares the length of its lines; is "
                    "the node's agent older than this server?");
    else if (upload->unpacked == 0)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID, "the raw file is empty");
    else if (upload->unpacked > most)
        g_set_error(error, SRV_ERROR, SRV_ERROR_TOO_LARGE,
                    "the raw file unpacks to %" G_GUINT64_FORMAT
                    " bytes, more than %u times raw_limit_bytes",
                    upload->unpacked, SRV_RAW_EXPANSION);
    else
        return true;
    return false;
}

/* What is no raw file is refused with its first bytes. */
bool srv_raw_write(srv_raw_upload *upload, const void *data, size_t size, GError **error) {
    const size_t some = MIN(size, sizeof upload->head - upload->head_size);
    if (some > 0) {
        memcpy(upload->head + upload->head_size, data, some);
        upload->head_size += some;
        if (upload->head_size == sizeof upload->head && !head_check(upload, error))
            return false;
    }
    return srv__incoming_write(upload->incoming, data, size, error);
}

void srv_raw_abort(srv_raw_upload *upload) {
    if (!upload)
        return;
    srv__incoming_free(upload->incoming);
    g_free(upload);
}

/* Its key in the bucket. */
static char *key_of(const char *sha256) {
    return srv_raw_path("raw", sha256);
}

/* The file gets its name; after that it is there for good. */
static bool settle(srv_raw_upload *upload, GError **error) {
    g_autofree char *key = key_of(upload->sha256);
    g_autofree char *path = srv_raw_path(upload->raw->place.dir, upload->sha256);
    return upload->raw->bucket ? srv__bucket_settle(upload->raw->bucket, upload->incoming, key,
                                                    upload->sha256, error)
                               : srv__incoming_settle(upload->incoming, path, error);
}

static bool note(srv_raw_upload *upload, srv_store *store, int64_t job, const char *lease,
                 int64_t now_ms, bool *created, GError **error) {
    const srv__raw_row row = {.sha256 = upload->sha256,
                              .bytes = srv__incoming_bytes(upload->incoming),
                              .uncompressed_bytes = upload->unpacked,
                              .job = job};
    if (!srv__begin(store, error))
        return false;
    bool good = srv_queue_holds(store, job, lease, error) &&
                srv__raw_insert(store, &row, now_ms, created, error);
    return srv__end(store, good, error);
}

/* Nothing of it is unpacked before somebody asks for its calls; then no more than its head says. */
static bool look(srv_raw_upload *upload, GError **error) {
    if (upload->unpacked == 0 && !head_check(upload, error))
        return false;
    FILE *file = srv__incoming_reopen(upload->incoming, error);
    GMappedFile *map = file ? g_mapped_file_new_from_fd(fileno(file), FALSE, error) : NULL;
    if (file)
        (void)fclose(file);
    if (!map)
        return false;
    const bool whole =
        cfg_packed_whole(g_mapped_file_get_contents(map), g_mapped_file_get_length(map));
    g_mapped_file_unref(map);
    return whole || SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                              "the raw file is truncated, or there are bytes after its end");
}

/* Nobody removes it before its row is there. */
static bool keep(srv_raw_upload *upload, srv_store *store, int64_t now_ms, GError **error) {
    const int64_t claimed_ms = srv_monotonic_ms();
    return srv__removal_claim(store, SRV__REMOVAL_RAW, upload->sha256, now_ms, error) &&
           settle(upload, error) && srv__removal_in_time(claimed_ms, error);
}

bool srv_raw_finish(srv_raw_upload *upload, srv_store *store, int64_t job, const char *lease,
                    int64_t now_ms, bool *created, GError **error) {
    bool good = false;
    if (!g_str_equal(srv__incoming_sha256(upload->incoming), upload->sha256))
        g_set_error(error, SRV_ERROR, SRV_ERROR_INVALID,
                    "the bytes received have SHA-256 %s, not %s; they were damaged in transit, "
                    "send them again",
                    srv__incoming_sha256(upload->incoming), upload->sha256);
    else
        good = look(upload, error) && srv_queue_holds(store, job, lease, error) &&
               keep(upload, store, now_ms, error) &&
               note(upload, store, job, lease, now_ms, created, error);
    srv_raw_abort(upload);
    return good;
}

int srv_raw_read(srv_raw_store *raw, const char *sha256, uint64_t *bytes, GError **error) {
    if (!cfg_is_sha256(sha256)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no such raw file");
        return -1;
    }
    g_autofree char *path = srv_raw_path(raw->place.dir, sha256);
    g_autofree char *key = key_of(sha256);
    return raw->bucket && !g_file_test(path, G_FILE_TEST_EXISTS)
               ? srv__bucket_fetch(raw->bucket, &raw->place, key, sha256, bytes, error)
               : srv__place_read(&raw->place, path, bytes, error);
}

bool srv_raw_remove(srv_raw_store *raw, const char *sha256, GError **error) {
    g_autofree char *path = srv_raw_path(raw->place.dir, sha256);
    g_autofree char *key = key_of(sha256);
    if (g_unlink(path) != 0 && errno != ENOENT)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL, "cannot remove %s: %s", path,
                         g_strerror(errno));
    return !raw->bucket || srv_bucket_delete(raw->bucket, key, error);
}
