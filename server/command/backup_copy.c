#include "server/command/backup.h"

#include "config/json_text.h"
#include "config/shown.h"
#include "server/ground/auth.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/store/files.h"
#include "server/store/store_move.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <unistd.h>

/* The bytes of a file to another; of another SHA-256: an error. */
typedef bool filler(const void *from, const char *sha256, FILE *to, GError **error);

typedef struct {
    srv_bucket *bucket;
    const char *key;
} object;

bool srv__backup_fail(GError **error, const char *what, const char *path) {
    const int code = errno;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_FULL, "%s %s: %s", what, path, g_strerror(code));
}

bool srv__backup_sync(const char *path, GError **error) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool good = (fd >= 0 && fsync(fd) == 0) || srv__backup_fail(error, "cannot sync", path);
    if (fd >= 0)
        close(fd);
    return good;
}

char *srv__backup_hash(const char *path) {
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    return file ? g_compute_checksum_for_data(G_CHECKSUM_SHA256,
                                              (const guchar *)g_mapped_file_get_contents(file),
                                              g_mapped_file_get_length(file))
                : NULL;
}

static bool fill_from_file(const void *from, const char *sha256, FILE *to, GError **error) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    FILE *file = fopen(from, "rbe");
    guint8 piece[65536];
    size_t got;
    while (file && (got = fread(piece, 1, sizeof piece, file)) > 0) {
        g_checksum_update(sum, piece, (gssize)got);
        (void)fwrite(piece, 1, got, to); /* who closes it asks */
    }
    const bool whole = file && !ferror(file);
    const bool good = whole && (!sha256 || g_str_equal(g_checksum_get_string(sum), sha256));
    if (!good)
        g_set_error(error, SRV_ERROR, file ? SRV_ERROR_INTERNAL : SRV_ERROR_NOT_FOUND,
                    "%s is missing or damaged", (const char *)from);
    if (file)
        (void)fclose(file);
    return good;
}

static bool fill_from_bucket(const void *from, const char *sha256, FILE *to, GError **error) {
    const object *o = from;
    uint64_t bytes;
    return srv_bucket_get(o->bucket, o->key, sha256, to, &bytes, error);
}

/* Beside its name, then in its place. */
static bool put(const char *path, const char *sha256, filler *fill, const void *from,
                GError **error) {
    g_autofree char *partial = g_strconcat(path, ".partial", NULL);
    g_autofree char *folder = g_path_get_dirname(path);
    if (g_mkdir_with_parents(folder, 0700) != 0)
        return srv__backup_fail(error, "cannot make", folder);
    const int fd = open(partial, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (!file)
        return srv__backup_fail(error, "cannot make", partial);
    bool good = fill(from, sha256, file, error);
    const bool written = fflush(file) == 0 && !ferror(file) && fsync(fd) == 0;
    if ((fclose(file) != 0 || !written) && good)
        good = srv__backup_fail(error, "cannot write", partial);
    if (good && g_rename(partial, path) != 0)
        good = srv__backup_fail(error, "cannot write", path);
    if (!good)
        (void)g_unlink(partial);
    return good && srv__backup_sync(folder, error);
}

bool srv__backup_tokens(const char *from, const char *to, GError **error) {
    g_autofree char *source = g_build_filename(from, SRV_AUTH_FILE, NULL);
    g_autofree char *target = g_build_filename(to, SRV_AUTH_FILE, NULL);
    return !g_file_test(source, G_FILE_TEST_EXISTS) ||
           put(target, NULL, fill_from_file, source, error);
}

bool srv__backup_raw_check(const char *raw, const char *sha256) {
    g_autofree char *path = srv_raw_path(raw, sha256);
    g_autofree char *hash = srv__backup_hash(path);
    return g_strcmp0(hash, sha256) == 0;
}

/* A policy has removed it since the database was copied, which is no loss. Asked only of a file
 * that cannot be copied: each question opens the database. */
static bool is_removed(const char *database, const char *sha256) {
    bool there = true;
    return srv_store_raw_there(database, sha256, &there, NULL) && !there;
}

static bool raw_copy(srv__backup_place source, const char *sha256, const char *to, GError **error) {
    g_autofree char *key = srv_raw_path("raw", sha256);
    g_autofree char *path = srv_raw_path(source.raw, sha256);
    g_autofree char *target = srv_raw_path(to, sha256);
    if (source.bucket && !g_file_test(path, G_FILE_TEST_EXISTS))
        return put(target, sha256, fill_from_bucket, &(object){source.bucket, key}, error);
    return put(target, sha256, fill_from_file, path, error);
}

/* What the source has not, or not as it was; anything else may be there the next time. */
static bool is_lost(const GError *problem) {
    return g_error_matches(problem, SRV_ERROR, SRV_ERROR_NOT_FOUND) ||
           g_error_matches(problem, SRV_ERROR, SRV_ERROR_INTERNAL);
}

/* removed: those that went meanwhile are added to it. */
static bool raw_copy_all(const GPtrArray *raw, srv__backup_place source, srv__backup_place target,
                         bool is_trusted, srv__backup_copied *copied, GPtrArray *removed,
                         GError **error) {
    for (guint i = 0; i < raw->len; i++) {
        const char *sha256 = raw->pdata[i];
        g_autoptr(GError) problem = NULL;
        g_autofree char *path = srv_raw_path(target.raw, sha256);
        if (is_trusted ? g_file_test(path, G_FILE_TEST_EXISTS)
                       : srv__backup_raw_check(target.raw, sha256))
            continue;
        if (raw_copy(source, sha256, target.raw, &problem)) {
            g_ptr_array_add(copied->made, g_steal_pointer(&path));
        } else if (is_removed(source.database, sha256)) {
            g_ptr_array_add(removed, raw->pdata[i]);
        } else if (is_lost(problem)) {
            cfg_complain("moowatchd", problem->message);
            copied->lost++;
        } else {
            g_propagate_error(error, g_steal_pointer(&problem));
            return false;
        }
    }
    copied->raw_files = raw->len - removed->len - copied->lost;
    return true;
}

/* The database first: whatever it speaks of was stored before it. */
bool srv__backup_copy(srv__backup_place source, srv__backup_place target, bool is_trusted,
                      srv__backup_copied *copied, GError **error) {
    g_autoptr(GPtrArray) raw = NULL;
    g_autoptr(GPtrArray) removed = g_ptr_array_new();
    *copied = (srv__backup_copied){.made = g_ptr_array_new_with_free_func(g_free)};
    if (g_mkdir_with_parents(target.raw, 0700) != 0)
        return srv__backup_fail(error, "cannot make", target.raw);
    if (!srv_store_backup(source.database, target.database, error))
        return false;
    if (!srv_store_file_check(target.database, &raw, error)) {
        g_prefix_error(error, "the copy of %s: ", source.database);
        return false;
    }
    return raw_copy_all(raw, source, target, is_trusted, copied, removed, error) &&
           (removed->len == 0 ||
            srv_store_file_forget(target.database, removed, srv_now_ms(), error)) &&
           srv__backup_sync(target.raw, error);
}

/* The files of a backup, and the keys of their SHA-256. */
static const struct {
    const char *name, *key;
} files[] = {{SRV__BACKUP_DATABASE, "sha256"}, {SRV_AUTH_FILE, "tokens_sha256"}};

bool srv__manifest_write(const char *folder, unsigned raw_files, int64_t now_ms, GError **error) {
    g_autofree char *path = g_build_filename(folder, SRV__MANIFEST, NULL);
    g_autofree char *database = g_build_filename(folder, SRV__BACKUP_DATABASE, NULL);
    json_auto_t *manifest = srv_store_counts(database, error);
    if (!manifest)
        return false;
    json_object_set_new(manifest, "made_ms", json_integer(now_ms));
    json_object_set_new(manifest, "raw_files", json_integer(raw_files));
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *file = g_build_filename(folder, files[i].name, NULL);
        g_autofree char *hash = srv__backup_hash(file);
        if (hash)
            json_object_set_new(manifest, files[i].key, json_string(hash));
    }
    g_autofree char *text = cfg_json_text(manifest, JSON_INDENT(1));
    return g_file_set_contents_full(
        path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, error);
}

static bool files_are(const json_t *manifest, const char *folder, GError **error) {
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        const char *written = cfg_json_word(manifest, files[i].key, NULL);
        g_autofree char *file = g_build_filename(folder, files[i].name, NULL);
        g_autofree char *hash = srv__backup_hash(file);
        if (g_strcmp0(hash, written) != 0)
            return SRV__FAIL(
                error, SRV_ERROR, SRV_ERROR_INTERNAL,
                "%s is not the file that the backup wrote: its SHA-256 differs from that "
                "in " SRV__MANIFEST "; it is damaged, or was opened; restore another backup",
                file);
    }
    return true;
}

bool srv__manifest_read(const char *folder, json_t **manifest, GError **error) {
    g_autofree char *path = g_build_filename(folder, SRV__MANIFEST, NULL);
    json_error_t wrong;
    *manifest = NULL;
    json_auto_t *read = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
    if (!json_is_object(json_object_get(read, "rows")))
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s is damaged: %s", path,
                    read ? "it does not say how many rows there are" : wrong.text);
    else if (files_are(read, folder, error))
        *manifest = json_incref(read);
    return *manifest != NULL;
}

bool srv__manifest_compare(const json_t *manifest, const char *database, int64_t *compared,
                           GError **error) {
    *compared = 0;
    json_auto_t *now = srv_store_counts(database, error);
    json_t *rows;
    if (!now)
        return false;
    const char *table;
    if (cfg_json_integer(now, "version") != cfg_json_integer(manifest, "version"))
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                         "the database has another version than " SRV__MANIFEST " says");
    json_object_foreach (json_object_get(manifest, "rows"), table, rows) {
        const json_int_t found = cfg_json_integer(json_object_get(now, "rows"), table);
        if (found != json_integer_value(rows))
            return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                             "%" JSON_INTEGER_FORMAT " rows of %s were restored, the backup has "
                             "%" JSON_INTEGER_FORMAT,
                             found, table, json_integer_value(rows));
        *compared += found;
    }
    return true;
}
