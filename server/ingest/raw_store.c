#include "server/ingest/raw_store.h"

#include "config/number.h"
#include "config/packed.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/queue/queue_internal.h"
#include "server/store/files.h"
#include "server/store/store_sql.h"
#include "sql/raw.h"

#include <stdio.h>

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
        store, ASK(raw_insert, row->sha256, row->bytes, row->uncompressed_bytes, row->job),
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

static bool hand_on(srv_store *store, int64_t job, GError **error) {
    int64_t shared;
    if (!srv__run(store, ASK(raw_unshare, job), error) ||
        !srv__number(store, ASK(raw_shared, job), 0, &shared, error))
        return false;
    return shared == 0 || (srv__run(store, ASK(raw_hand_on_bytes, job), error) &&
                           srv__run(store, ASK(raw_hand_on, job), error));
}

bool srv__raw_drop(srv_store *store, int64_t job, const char *rule, int64_t now_ms, int64_t *files,
                   GError **error) {
    return hand_on(store, job, error) &&
           srv__run(store, ASK(raw_job_removed, job, now_ms, rule), error) &&
           srv__run(store, ASK(raw_gone, job, now_ms), error) &&
           srv__change(store, ASK(raw_drop, job), files, error);
}

/* Of a frame's head, how long it is unpacked. */
static bool head_read(const srv__place *place, const void *head, size_t size, uint64_t *unpacked,
                      GError **error) {
    const uint64_t most = place->limit_bytes * SRV_RAW_EXPANSION;
    if (!cfg_packed_length(head, size, unpacked))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "the raw file is not a zstd frame that declares the length of its lines; "
                         "is the node's agent older than this server?");
    if (*unpacked == 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "the raw file is empty");
    return *unpacked <= most || SRV__FAIL(error, SRV_ERROR, SRV_ERROR_TOO_LARGE,
                                          "the raw file unpacks to %" G_GUINT64_FORMAT
                                          " bytes, more than %u times raw_limit_bytes",
                                          *unpacked, SRV_RAW_EXPANSION);
}

static bool head_check(const srv__place *place, const void *head, size_t size, GError **error) {
    uint64_t unpacked;
    return head_read(place, head, size, &unpacked, error);
}

srv__place *srv_raw_open(const char *dir, uint64_t limit_bytes, uint64_t reserve_bytes,
                         GError **error) {
    const srv__place about = {.dir = g_strdup(dir),
                              .what = "raw file",
                              .limit_key = "raw_limit_bytes",
                              .said_in = "",
                              .folder = SRV__REMOVAL_RAW,
                              .suffix = ".csv.zst",
                              .limit_bytes = limit_bytes,
                              .reserve_bytes = reserve_bytes,
                              .head_check = head_check};
    return srv__place_new(&about, error);
}

srv__incoming *srv_raw_begin(const srv__place *raw, const char *sha256, int64_t size_bytes,
                             GError **error) {
    if (!cfg_is_sha256(sha256))
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID,
                         "the name of a raw file must be its SHA-256 in 64 lower-case hex digits");
    return srv__incoming_new(raw, sha256, size_bytes, error);
}

static bool note(srv_store *store, const srv__raw_row *row, const char *lease, int64_t now_ms,
                 bool *created, GError **error) {
    if (!srv__begin(store, error))
        return false;
    bool good = srv_queue_holds(store, row->job, lease, error) &&
                srv__raw_insert(store, row, now_ms, created, error);
    return srv__end(store, good, error);
}

/* Nothing of it is unpacked before somebody asks for its calls; then no more than its head says. */
static bool look(const srv__place *raw, const srv__incoming *upload, uint64_t *unpacked,
                 GError **error) {
    FILE *file = srv__incoming_reopen(upload, error);
    GMappedFile *map = file ? g_mapped_file_new_from_fd(fileno(file), FALSE, error) : NULL;
    if (file)
        (void)fclose(file);
    if (!map)
        return false;
    const char *bytes = g_mapped_file_get_contents(map);
    const size_t size = g_mapped_file_get_length(map);
    const bool good =
        head_read(raw, bytes ? bytes : "", MIN(size, CFG_PACKED_HEAD), unpacked, error) &&
        (cfg_packed_whole(bytes, size) ||
         SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                   "the raw file is truncated, or there are bytes after its end"));
    g_mapped_file_unref(map);
    return good;
}

/* Nobody removes it before its row is there. */
static bool keep(srv__incoming *upload, srv_store *store, int64_t now_ms, GError **error) {
    const int64_t claimed_ms = srv_monotonic_ms();
    return srv__incoming_settle(upload, store, now_ms, error) &&
           srv__removal_in_time(claimed_ms, error);
}

bool srv_raw_finish(const srv__place *raw, srv__incoming *upload, srv_store *store,
                    const srv__raw_sent *sent, int64_t now_ms, bool *created, GError **error) {
    srv__raw_row row = {.sha256 = srv__incoming_sha256(upload),
                        .bytes = srv__incoming_bytes(upload),
                        .job = sent->job};
    const bool good = srv__incoming_whole(upload, error) &&
                      look(raw, upload, &row.uncompressed_bytes, error) &&
                      srv_queue_holds(store, sent->job, sent->lease, error) &&
                      keep(upload, store, now_ms, error) &&
                      note(store, &row, sent->lease, now_ms, created, error);
    srv__incoming_free(upload);
    return good;
}
