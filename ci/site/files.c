#include "ci/site/files.h"

#include "ci/command/command.h"
#include "ci/site/columns.h"

#include "config/json_text.h"
#include "web/pages/gzip.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

enum { HASH_CHARS = 32, GZIP_LEVEL = 9 };

typedef struct {
    char *hash, *source; /* source may be NULL */
    guint64 size;
    bool kept; /* in this run */
} entry;

struct ci_files {
    char *folder;
    GHashTable *entries; /* path -> entry */
    GMutex lock;
    bool again;
    ci_files_count count;
};

static void entry_free(gpointer data) {
    entry *e = data;
    g_free(e->hash);
    g_free(e->source);
    g_free(e);
}

static bool is_part(const char *part) {
    return *part && *part != '.' &&
           strspn(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@+%~") ==
               strlen(part);
}

static bool is_path(const char *path) {
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    bool good = *parts;
    for (char **part = parts; good && *part; part++)
        good = is_part(*part);
    return good;
}

/* Others' files that may lie beside ours: a repository, a host's settings. */
static bool is_beside(const char *name) {
    return *name == '.' || g_str_equal(name, "CNAME");
}

static bool refuse_foreign(const char *folder, GError **error) {
    GDir *directory = g_dir_open(folder, 0, error);
    if (!directory)
        return false;
    const char *name;
    while ((name = g_dir_read_name(directory)) && is_beside(name))
        ;
    if (name)
        ci_wrong(error,
                 "%s: holds files that moowatch site did not write, such as %s; give an empty "
                 "folder, or one that has " CI_FILES_MANIFEST,
                 folder, name);
    g_dir_close(directory);
    return !name;
}

static bool read_entries(ci_files *files, const json_t *manifest, GError **error) {
    const char *path;
    json_t *of;
    json_object_foreach (json_object_get(manifest, "files"), path, of) {
        const char *hash = json_string_value(json_object_get(of, "hash"));
        if (!is_path(path) || !hash)
            return ci_wrong(error, "%s/" CI_FILES_MANIFEST ": \"%s\" cannot be a file of a site",
                            files->folder, path);
        entry *e = g_new0(entry, 1);
        e->hash = g_strdup(hash);
        e->source = g_strdup(json_string_value(json_object_get(of, "source")));
        e->size = (guint64)json_integer_value(json_object_get(of, "bytes"));
        g_hash_table_insert(files->entries, g_strdup(path), e);
    }
    return true;
}

static bool read_manifest(ci_files *files, GError **error) {
    g_autofree char *path = g_build_filename(files->folder, CI_FILES_MANIFEST, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return refuse_foreign(files->folder, error);
    json_error_t wrong;
    json_auto_t *manifest = json_load_file(path, 0, &wrong);
    if (!manifest || json_integer_value(json_object_get(manifest, "moowatch_site")) != 1)
        return ci_wrong(error, "%s: not a manifest of a site: %s; give another folder", path,
                        manifest ? "another version" : wrong.text);
    return read_entries(files, manifest, error);
}

static void files_free(ci_files *files) {
    g_hash_table_unref(files->entries);
    g_mutex_clear(&files->lock);
    g_free(files->folder);
    g_free(files);
}

ci_files *ci_files_open(const char *folder, bool again, GError **error) {
    ci_files *files = g_new0(ci_files, 1);
    files->folder = g_strdup(folder);
    files->again = again;
    files->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_free);
    g_mutex_init(&files->lock);
    bool good = true;
    if (g_mkdir_with_parents(folder, 0777) != 0)
        good = ci_wrong(error, "%s: %s", folder, g_strerror(errno));
    if (good && read_manifest(files, error))
        return files;
    files_free(files);
    return NULL;
}

/* Is the file there in the size in which it was written? */
static bool is_there(const ci_files *files, const char *path, const entry *e) {
    g_autofree char *full = g_build_filename(files->folder, path, NULL);
    GStatBuf found;
    return g_lstat(full, &found) == 0 && S_ISREG(found.st_mode) &&
           (guint64)found.st_size == e->size;
}

/* source: any where it is NULL */
static bool keep(ci_files *files, const char *path, const char *source) {
    g_mutex_lock(&files->lock);
    entry *e = g_hash_table_lookup(files->entries, path);
    const bool same = !files->again && e && (!source || g_strcmp0(e->source, source) == 0) &&
                      (e->kept || is_there(files, path, e));
    if (same && !e->kept) {
        e->kept = true;
        files->count.same++;
    }
    g_mutex_unlock(&files->lock);
    return same;
}

bool ci_files_unchanged(ci_files *files, const char *path, const char *source) {
    return keep(files, path, source);
}

bool ci_files_keep(ci_files *files, const char *path) {
    return keep(files, path, NULL);
}

char *ci_files_source(ci_files *files, const char *path) {
    g_mutex_lock(&files->lock);
    const entry *e = g_hash_table_lookup(files->entries, path);
    char *source = !files->again && e && is_there(files, path, e) ? g_strdup(e->source) : NULL;
    g_mutex_unlock(&files->lock);
    return source;
}

json_t *ci_files_json(ci_files *files, const char *path) {
    g_autofree char *full = g_build_filename(files->folder, path, NULL);
    return json_load_file(full, 0, NULL);
}

static bool write_file(const ci_files *files, const char *path, const entry *e, GBytes *bytes,
                       GError **error) {
    g_autofree char *full = g_build_filename(files->folder, path, NULL);
    g_autofree char *above = g_path_get_dirname(full);
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    if (!e && g_file_test(full, G_FILE_TEST_EXISTS))
        return ci_wrong(
            error, "%s: moowatch site did not write this file; remove it, or give another folder",
            full);
    if (g_mkdir_with_parents(above, 0777) != 0)
        return ci_wrong(error, "%s: %s", above, g_strerror(errno));
    return g_file_set_contents_full(full, data ? data : "", (gssize)size,
                                    G_FILE_SET_CONTENTS_CONSISTENT, 0666, error);
}

/* Under the lock. */
static bool put(ci_files *files, const char *path, entry *made, GBytes *bytes, GError **error) {
    const entry *before = g_hash_table_lookup(files->entries, path);
    const bool same =
        before && g_str_equal(before->hash, made->hash) && is_there(files, path, before);
    if (!same && !write_file(files, path, before, bytes, error))
        return false;
    *(same ? &files->count.same : &files->count.written) += 1;
    g_hash_table_insert(files->entries, g_strdup(path), made);
    return true;
}

bool ci_files_put(ci_files *files, const char *path, const char *source, GBytes *bytes,
                  GError **error) {
    if (!is_path(path))
        return ci_wrong(error, "\"%s\" cannot name a file of a site", path);
    g_autofree char *hash = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
    entry *made = g_new0(entry, 1);
    made->hash = g_strndup(hash, HASH_CHARS);
    made->source = g_strdup(source);
    made->size = g_bytes_get_size(bytes);
    made->kept = true;
    g_mutex_lock(&files->lock);
    const bool good = put(files, path, made, bytes, error);
    g_mutex_unlock(&files->lock);
    if (!good)
        entry_free(made);
    return good;
}

bool ci_files_put_json(ci_files *files, const char *path, const char *source, json_t *json,
                       GError **error) {
    const bool packed = g_str_has_suffix(path, ".gz");
    json_t *columns = packed ? ci_columns_pack(json) : NULL;
    char *text = cfg_json_text(packed ? columns : json, 0);
    g_autoptr(GBytes) plain = g_bytes_new_take(text, strlen(text));
    g_autoptr(GBytes) zipped = packed ? web_gzip(plain, GZIP_LEVEL) : NULL;
    json_decref(columns);
    return ci_files_put(files, path, source, zipped ? zipped : plain, error);
}

/* Empty folders above a removed file go with it. */
static void remove_file(const ci_files *files, const char *path) {
    g_autofree char *full = g_build_filename(files->folder, path, NULL);
    g_autofree char *above = g_path_get_dirname(path);
    (void)g_unlink(full);
    while (!g_str_equal(above, ".")) {
        g_autofree char *folder = g_build_filename(files->folder, above, NULL);
        if (g_rmdir(folder) != 0)
            break;
        char *next = g_path_get_dirname(above);
        g_free(above);
        above = next;
    }
}

static json_t *manifest_of(ci_files *files, bool keep) {
    GHashTableIter at;
    gpointer path, data;
    json_t *list = json_object();
    g_hash_table_iter_init(&at, files->entries);
    while (g_hash_table_iter_next(&at, &path, &data)) {
        const entry *e = data;
        if (!e->kept && !keep) {
            remove_file(files, path);
            files->count.removed++;
            continue;
        }
        files->count.bytes += e->size;
        json_object_set_new(list, path,
                            json_pack("{s:s, s:I, s:s*}", "hash", e->hash, "bytes",
                                      (json_int_t)e->size, "source", e->source));
    }
    return json_pack("{s:i, s:o}", "moowatch_site", 1, "files", list);
}

static bool write_manifest(ci_files *files, bool keep, GError **error) {
    json_auto_t *manifest = manifest_of(files, keep);
    char *text = json_dumps(manifest, JSON_SORT_KEYS | JSON_INDENT(1));
    g_autofree char *path = g_build_filename(files->folder, CI_FILES_MANIFEST, NULL);
    g_autofree char *before = NULL;
    const bool same = g_file_get_contents(path, &before, NULL, NULL) && g_str_equal(before, text);
    const bool good = same || g_file_set_contents(path, text, -1, error);
    free(text);
    return good;
}

bool ci_files_close(ci_files *files, bool keep, ci_files_count *count, GError **error) {
    const bool empty = keep && g_hash_table_size(files->entries) == 0;
    const bool good = empty || write_manifest(files, keep, error);
    if (count)
        *count = files->count;
    files_free(files);
    return good;
}
