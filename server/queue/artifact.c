#include "server/queue/artifact.h"

#include "config/log.h"
#include "config/number.h"
#include "server/ground/clock.h"
#include "server/ground/thread.h"
#include "server/queue/queue_internal.h"
#include "server/store/files.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/queue.h"

#include <glib/gstdio.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define FILES_AT_ONCE 50 /* each takes a request */

struct srv_artifacts {
    srv__artifact_files files;
    srv_artifact_rules rules;
    pthread_mutex_t room; /* held while a project's quota is looked at and taken */
};

#define COMING_S 3600 /* from the file to its row: far longer than any transaction waits */

/* From the folder. */
static bool unlink_unused(const srv__artifact_files *files, srv_store *store, const char *sha256,
                          GError **error) {
    int64_t users;
    if (!srv__number(store, ASK(artifact_users, sha256), 0, &users, error))
        return false;
    if (users == 0) {
        g_autofree char *path = srv__place_path(files->place, sha256);
        g_unlink(path);
    }
    return true;
}

/* In a transaction: nobody notes a row of it meanwhile. */
static bool note_unused(srv_store *store, const char *sha256, int64_t now_ms, GError **error) {
    int64_t users;
    return srv__number(store, ASK(artifact_users, sha256), 0, &users, error) &&
           (users > 0 || srv__removal_add(store, SRV__REMOVAL_ARTIFACTS, sha256, now_ms, error));
}

/* A row of it has gone, or never came: it goes, too, when it was the
 * last. Not in a transaction. */
static bool file_drop(const srv__artifact_files *files, srv_store *store, const char *sha256,
                      int64_t now_ms, GError **error) {
    if (!files->place->bucket)
        return unlink_unused(files, store, sha256, error);
    return srv__begin(store, error) &&
           srv__end(store, note_unused(store, sha256, now_ms, error), error);
}

/* Another server has the file, and is about to write its row. */
static bool is_coming(const srv__artifact_files *files, const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    struct stat about;
    return files->is_shared && stat(path, &about) == 0 && about.st_mtime > time(NULL) - COMING_S;
}

/* What a crash between the file and the database left. */
static bool sweep(const srv__artifact_files *files, srv_store *store, GError **error) {
    bool good = true;
    for (unsigned i = 0; good && i < 256; i++) {
        g_autofree char *folder = g_strdup_printf("%s/%02x", files->place->dir, i);
        g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
        const char *name;
        while (good && dir && (name = g_dir_read_name(dir))) {
            g_autofree char *sha256 = g_strdup_printf("%02x%s", i, name);
            good = !cfg_is_sha256(sha256) || is_coming(files, folder, name) ||
                   unlink_unused(files, store, sha256, error);
        }
    }
    return good;
}

/* A database that came from a backup names files that did not. */
static bool forget_missing(const srv__artifact_files *files, srv_store *store, GError **error) {
    g_autoptr(GHashTable) hashes = srv__words(store, ASK(artifact_hashes), error);
    bool good = hashes != NULL;
    GHashTableIter i;
    void *sha256;
    if (good)
        g_hash_table_iter_init(&i, hashes);
    while (good && g_hash_table_iter_next(&i, &sha256, NULL)) {
        g_autofree char *path = srv__place_path(files->place, sha256);
        if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
            good = srv__run(store, ASK(artifact_forget, sha256), error);
    }
    return good;
}

/* Files in the folder that no row names are removed. Without a bucket,
 * rows without a file are forgotten. */
static bool files_check(const srv__artifact_files *files, srv_store *store, GError **error) {
    return sweep(files, store, error) &&
           (files->place->bucket || forget_missing(files, store, error));
}

/* A descriptor owned by the caller, -1 with error: NOT_FOUND, INTERNAL,
 * BUSY. One that the bucket has lost is forgotten: it may be handed in anew. */
static int file_read(const srv__artifact_files *files, srv_store *store, const char *sha256,
                     uint64_t *bytes, GError **error) {
    g_autoptr(GError) problem = NULL;
    const int fd = srv__place_read(files->place, sha256, bytes, &problem);
    if (fd < 0 && files->place->bucket &&
        g_error_matches(problem, SRV_ERROR, SRV_ERROR_NOT_FOUND) &&
        !srv__run(store, ASK(artifact_forget, sha256), error))
        return -1;
    if (fd < 0)
        g_propagate_error(error, g_steal_pointer(&problem));
    return fd;
}

srv_artifacts *srv_artifacts_open(const char *dir, const srv_artifact_rules *rules,
                                  srv_bucket *bucket, srv_store *store, GError **error) {
    srv_artifacts *artifacts = g_new0(srv_artifacts, 1);
    artifacts->rules = *rules;
    pthread_mutex_init(&artifacts->room, NULL);
    const srv__place about = {.dir = g_strdup(dir),
                              .what = "artifact",
                              .limit_key = "artifact_limit_bytes",
                              .said_in = " as Content-Digest says",
                              .folder = SRV__REMOVAL_ARTIFACTS,
                              .suffix = "",
                              .limit_bytes = rules->limit_bytes,
                              .reserve_bytes = rules->reserve_bytes,
                              .bucket = bucket};
    artifacts->files.is_shared = rules->is_shared;
    artifacts->files.place = srv__place_new(&about, error);
    if (artifacts->files.place && files_check(&artifacts->files, store, error))
        return artifacts;
    srv_artifacts_close(artifacts);
    return NULL;
}

void srv_artifacts_close(srv_artifacts *artifacts) {
    if (!artifacts)
        return;
    srv__place_free(artifacts->files.place);
    pthread_mutex_destroy(&artifacts->room);
    g_free(artifacts);
}

/* --- coming in --- */

/* May a file be called so? */
static bool artifact_name_ok(const char *name) {
    size_t length = strlen(name);
    return length > 0 && length <= SRV_ARTIFACT_NAME_BYTES && g_ascii_isalnum(name[0]) &&
           strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-") ==
               length;
}

static bool names_check(const char *commit, const char *name, const char *sha256, GError **error) {
    const char *wrong = NULL;
    if (!cfg_is_commit(commit))
        wrong = "commit: must be the full id, 40 or 64 lower-case hex digits";
    else if (!artifact_name_ok(name))
        wrong = "the name of an artifact must have letters, digits, '.', '_', '+' and '-', begin "
                "with a letter or digit and be at most 100 long";
    else if (!cfg_is_sha256(sha256))
        wrong = "the SHA-256 must have 64 lower-case hex digits";
    return !wrong || SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID, "%s", wrong);
}

srv__incoming *srv_artifact_begin(const srv_artifacts *artifacts, const char *commit,
                                  const char *name, const char *sha256, int64_t size_bytes,
                                  GError **error) {
    return names_check(commit, name, sha256, error)
               ? srv__incoming_new(artifacts->files.place, sha256, size_bytes, error)
               : NULL;
}

/* One that is kept, or was; an artifact as people see it has more. */
typedef struct {
    int64_t id, bytes;
    char sha256[65];
    bool present;
} kept;

static const model_member kept_members[] = {
    MODEL(kept, id, "id", MODEL_LEFT_OUT), MODEL(kept, bytes, "bytes", MODEL_LEFT_OUT),
    MODEL_CHARS_OF(kept, sha256, "sha256"), MODEL(kept, present, "present", MODEL_LEFT_OUT)};
static const model_noun kept_noun = MODEL_NOUN(kept, kept_members, "artifact");

/* What comes in, and for whom. */
typedef struct {
    const srv_artifact_named *named;
    srv__incoming *upload;
    const char *sha256;
    int64_t project, now_ms;
} coming;

/* Is it there (also when its bytes have gone)? Other bytes: CONFLICT. */
static bool look(const coming *c, srv_store *store, bool *present, GError **error) {
    kept known;
    bool there;
    if (!srv__one(store, ASK(artifact_known, c->project, c->named->commit, c->named->name),
                  &kept_noun, &known, &there, error))
        return false;
    *present = known.present;
    return !there || g_str_equal(known.sha256, c->sha256) ||
           SRV__FAIL(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                     "another %s was uploaded for this commit, with SHA-256 %s; a commit's build "
                     "must not change: use another name, or DELETE the old one first",
                     c->named->name, known.sha256);
}

static bool retire(const srv_artifacts *artifacts, srv_store *store, const kept *one,
                   int64_t now_ms, GError **error) {
    return srv__run(store, ASK(artifact_retire, one->id, now_ms), error) &&
           file_drop(&artifacts->files, store, one->sha256, now_ms, error);
}

/* Of a project (0: of any) from before then, that nobody wants. */
static bool oldest(srv_store *store, int64_t project, int64_t before_ms, kept *one, bool *there,
                   GError **error) {
    return srv__one(store, ASK(artifact_oldest, project, before_ms), &kept_noun, one, there, error);
}

/* What no room can be made for. */
static bool quota_check(const srv_artifacts *artifacts, srv_store *store, int64_t project,
                        uint64_t bytes, GError **error) {
    const uint64_t quota = artifacts->rules.quota_bytes;
    int64_t wanted;
    if (!srv__number(store, ASK(artifact_bytes_wanted, project), 0, &wanted, error))
        return false;
    const bool fits = (uint64_t)wanted + bytes <= quota;
    return fits || SRV__FAIL(error, SRV_ERROR, SRV_ERROR_FULL,
                             "with this, the artifacts that jobs wait for have %" G_GUINT64_FORMAT
                             " bytes; the limit is %" G_GUINT64_FORMAT
                             " (artifact_quota_bytes): send it again later, or raise the limit",
                             (uint64_t)wanted + bytes, quota);
}

/* Room for so many bytes within the quota; the oldest go for it. */
static bool make_room(const srv_artifacts *artifacts, srv_store *store, int64_t project,
                      uint64_t bytes, int64_t now_ms, GError **error) {
    int64_t used;
    if (!quota_check(artifacts, store, project, bytes, error) ||
        !srv__number(store, ASK(artifact_bytes, project), 0, &used, error))
        return false;
    while ((uint64_t)used + bytes > artifacts->rules.quota_bytes) {
        kept one;
        bool there;
        if (!oldest(store, project, INT64_MAX, &one, &there, error))
            return false;
        if (!there)
            return SRV__FAIL(
                error, SRV_ERROR, SRV_ERROR_FULL,
                "the project's artifacts fill artifact_quota_bytes, and jobs wait for all of them");
        if (!retire(artifacts, store, &one, now_ms, error))
            return false;
        used -= one.bytes;
    }
    return true;
}

/* In a transaction. Another upload of the name may have been quicker. */
static bool note(const coming *c, srv_store *store, GError **error) {
    const srv_artifact_named *named = c->named;
    bool present;
    return look(c, store, &present, error) &&
           srv__removal_back(store, SRV__REMOVAL_ARTIFACTS, c->sha256, error) &&
           srv__run(store,
                    ASK(artifact_put, c->project, named->commit, named->name, c->sha256,
                        srv__incoming_bytes(c->upload), named->by, c->now_ms),
                    error) &&
           srv__queue_artifact_came(store, c->project, named->commit, named->name, c->now_ms,
                                    error);
}

/* Its file is there. */
static bool note_within_quota(srv_artifacts *artifacts, const coming *c, srv_store *store,
                              GError **error) {
    SRV_HOLD(&artifacts->room);
    return make_room(artifacts, store, c->project, srv__incoming_bytes(c->upload), c->now_ms,
                     error) &&
           srv__begin(store, error) && srv__end(store, note(c, store, error), error);
}

/* First the file, then the row: what the database names is always there. */
static bool keep(srv_artifacts *artifacts, const coming *c, srv_store *store, GError **error) {
    const int64_t claimed_ms = srv_monotonic_ms();
    if (!quota_check(artifacts, store, c->project, srv__incoming_bytes(c->upload), error) ||
        !srv__incoming_settle(c->upload, store, c->now_ms, error))
        return false;
    const bool good =
        srv__removal_in_time(claimed_ms, error) && note_within_quota(artifacts, c, store, error);
    if (!good && !file_drop(&artifacts->files, store, c->sha256, c->now_ms, NULL))
        cfg_log("warning", "artifact", "left_over", "sha256=%s", c->sha256);
    return good;
}

static bool absent(const char *name, GError **error) {
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                     "there is no %s of this commit; upload it with PUT", name);
}

static json_t *view(srv_store *store, int64_t project, const char *commit, const char *name,
                    GError **error) {
    json_t *row;
    if (srv__object(store, ASK(artifact_get, project, commit, name), &row, error) && !row)
        absent(name, error);
    return row;
}

json_t *srv_artifact_finish(srv_artifacts *artifacts, srv__incoming *upload, srv_store *store,
                            const srv_artifact_named *named, int64_t now_ms, bool *created,
                            GError **error) {
    coming c = {
        .named = named, .upload = upload, .sha256 = srv__incoming_sha256(upload), .now_ms = now_ms};
    bool present = false;
    json_t *row = NULL;
    *created = false;
    if (srv__incoming_whole(upload, error) &&
        srv__project_id(store, named->project, &c.project, error) &&
        look(&c, store, &present, error)) {
        *created = !present;
        if (present || keep(artifacts, &c, store, error))
            row = view(store, c.project, named->commit, named->name, error);
    }
    srv__incoming_free(upload);
    return row;
}

/* --- what is there --- */

static bool find(srv_store *store, const char *project, const char *commit, const char *name,
                 kept *one, GError **error) {
    int64_t id;
    bool there;
    if (!srv__project_id(store, project, &id, error) ||
        !srv__one(store, ASK(artifact_place, id, commit, name), &kept_noun, one, &there, error))
        return false;
    return there || absent(name, error);
}

bool srv_artifact_needed(srv_store *store, const char *project, const char *commit,
                         const char *node, GError **error) {
    int64_t id, jobs = 0;
    if (!srv__project_id(store, project, &id, error) ||
        !srv__number(store, ASK(artifact_leased, id, commit, node ? node : ""), 0, &jobs, error))
        return false;
    return jobs > 0 ||
           SRV__FAIL(error, SRV_ERROR, SRV_ERROR_FORBIDDEN,
                     "this node has not leased a job that measures commit %s; a token with the "
                     "scope submit reads every artifact",
                     commit);
}

int srv_artifact_read(srv_artifacts *artifacts, srv_store *store, const char *project,
                      const char *commit, const char *name, srv_artifact_file *file,
                      GError **error) {
    kept one;
    if (!find(store, project, commit, name, &one, error))
        return -1;
    g_strlcpy(file->sha256, one.sha256, sizeof file->sha256);
    return file_read(&artifacts->files, store, file->sha256, &file->bytes, error);
}

bool srv_artifact_remove(srv_artifacts *artifacts, srv_store *store, const char *project,
                         const char *commit, const char *name, int64_t now_ms, GError **error) {
    int64_t wanted = 0;
    kept one;
    if (!find(store, project, commit, name, &one, error))
        return false;
    bool good = srv__number(store, ASK(artifact_wanted, one.id), 0, &wanted, error);
    if (good && wanted != 0) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                    "a queued or running job needs it; cancel the job first");
        good = false;
    }
    good = good && srv__run(store, ASK(artifact_delete, one.id), error) &&
           file_drop(&artifacts->files, store, one.sha256, now_ms, error);
    return good;
}

bool srv_artifacts_tidy(srv_artifacts *artifacts, srv_store *store, int64_t now_ms,
                        unsigned *removed, int64_t *next_ms, GError **error) {
    const int64_t keep_ms = (int64_t)artifacts->rules.keep_days * SRV_DAY_MS;
    *removed = 0;
    *next_ms = INT64_MAX;
    if (keep_ms == 0)
        return true;
    for (;;) {
        kept one;
        bool there;
        if (!oldest(store, 0, now_ms - keep_ms, &one, &there, error))
            return false;
        if (!there)
            break;
        if (!retire(artifacts, store, &one, now_ms, error))
            return false;
        ++*removed;
    }
    int64_t first;
    if (!srv__number(store, ASK(artifact_first_ms), INT64_MAX, &first, error))
        return false;
    if (first != INT64_MAX)
        *next_ms = MAX(first + keep_ms + 1, now_ms + SRV_DAY_MS / 24);
    return true;
}

bool srv_artifacts_sweep(srv_artifacts *artifacts, srv_store *store, int64_t now_ms, bool *more,
                         GError **error) {
    return srv__place_sweep(artifacts->files.place, store, now_ms, FILES_AT_ONCE, more, error);
}
