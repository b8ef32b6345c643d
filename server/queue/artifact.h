#pragma once
/*
 * artifact - what CI built of a commit and handed in: a jar, a tarball, any file.
 *
 * One row a (project, commit, name); the bytes are a content-addressed file. The same bytes again
 * are fine, others under the same name never: a commit's build is what it is, until somebody
 * removes it. Old ones go after keep_days, and to make room within the project's quota, oldest
 * first; one that a queued or running job wants stays. Uploads are streamed: memory a few KiB each.
 * Thread-safe, but for an upload, which belongs to one.
 */
#include "server/store/bucket.h"
#include "server/store/files.h"
#include "server/store/store.h"
#include "server/store/store_sql.h"

#define SRV_ARTIFACT_NAME_BYTES 100

typedef struct srv_artifacts srv_artifacts;

typedef struct {
    uint64_t limit_bytes;   /* of one */
    uint64_t quota_bytes;   /* of all of a project */
    uint64_t reserve_bytes; /* free space below which nothing is taken */
    unsigned keep_days;     /* 0: until the quota needs the room */
    bool is_shared;         /* other servers put files there, too */
} srv_artifact_rules;

/**
 * srv_artifacts_open - the folder is made when missing; uploads that were cut off and files that
 * the database does not know are removed; what has no file (a restored database) is as good as
 * gone.
 * bucket   files go there from now on, and those that the folder has are read from it; then finish,
 *          read and sweep wait for the network, and end with BUSY as bucket.h says. Borrowed;
 *          NULL: none
 */
srv_artifacts *srv_artifacts_open(const char *dir, const srv_artifact_rules *rules,
                                  srv_bucket *bucket, srv_store *store,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_artifacts_close(srv_artifacts *artifacts);

/**
 * srv_artifact_begin - start an upload.
 * commit      40 or 64 lower-case hex digits
 * name        [A-Za-z0-9][A-Za-z0-9._+-]*, at most SRV_ARTIFACT_NAME_BYTES
 * sha256      what the bytes will have, 64 hex digits
 * size_bytes  as announced, or -1
 * Error: INVALID, TOO_LARGE, FULL.
 */
srv__incoming *srv_artifact_begin(const srv_artifacts *artifacts, const char *commit,
                                  const char *name, const char *sha256, int64_t size_bytes,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    const char *project, *commit, *name;
    const char *by; /* who hands it in; NULL: unknown */
} srv_artifact_named;

/**
 * srv_artifact_finish - check, make durable, tell the database, and let the jobs that wait for it
 * go on. Frees the upload in any case.
 * created   out: false when it was there already
 * Returns the artifact as in docs/api.md, owned; NULL with error: NOT_FOUND (project), INVALID
 * (hash differs), CONFLICT (other bytes are there), FULL (disk or quota).
 */
json_t *srv_artifact_finish(srv_artifacts *artifacts, srv__incoming *upload, srv_store *store,
                            const srv_artifact_named *named, int64_t now_ms, bool *created,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    uint64_t bytes;
    char sha256[65];
} srv_artifact_file;

/**
 * srv_artifact_needed - has this node (NULL: any) leased a job that measures the commit, or
 * compares with it? False with error when not (FORBIDDEN).
 */
bool srv_artifact_needed(srv_store *store, const char *project, const char *commit,
                         const char *node, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_artifact_read - open one for reading; any thread.
 * file  out, what it is
 * Returns a descriptor owned by the caller, -1 with error (NOT_FOUND, INTERNAL).
 */
int srv_artifact_read(srv_artifacts *artifacts, srv_store *store, const char *project,
                      const char *commit, const char *name, srv_artifact_file *file,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_artifact_remove - it is forgotten, and may be handed in anew. Error: NOT_FOUND, CONFLICT (a
 * job wants it). */
bool srv_artifact_remove(srv_artifacts *artifacts, srv_store *store, const char *project,
                         const char *commit, const char *name, int64_t now_ms,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_artifacts_tidy - what is older than keep_days goes.
 * removed   out: how many
 * next_ms   out: Unix time of the next one's end; INT64_MAX: none
 */
bool srv_artifacts_tidy(srv_artifacts *artifacts, srv_store *store, int64_t now_ms,
                        unsigned *removed, int64_t *next_ms,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_artifacts_sweep - some of the files that went an hour ago or more leave the bucket. more:
 * out, there may be more. */
bool srv_artifacts_sweep(srv_artifacts *artifacts, srv_store *store, int64_t now_ms, bool *more,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * artifact_files - the bytes of artifacts: content-addressed files of a folder, or of a bucket
 * under artifacts/ and the same path. What the folder has is read from it in any case.
 *
 * A file in the folder goes with its last row; one in the bucket a while later (store/files.h),
 * since another server, or another thread of this one, may be about to bring the same bytes.
 */

typedef struct {
    srv__place *place;
    bool is_shared; /* other servers put files into place, too */
} srv__artifact_files;
