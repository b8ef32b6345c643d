#include "web/site/files.h"

#include "config/json_text.h"
#include "web/pages/asset.h"
#include "web/site/site.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HASH_CHARS = 32, GZIP_LEVEL = 9 };

typedef struct {
    char *hash, *source; /* source may be NULL */
    guint64 size;
    bool kept; /* in this run */
} entry;

struct web_files {
    char *folder;
    GHashTable *entries; /* path -> entry */
    bool again;
    web_files_count count;
};

static void entry_free(gpointer data) {
    entry *e = data;
    g_free(e->hash);
    g_free(e->source);
    g_free(e);
}

static bool wrong(GError **error, const char *format, ...) G_GNUC_PRINTF(2, 3);
static bool wrong(GError **error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (error)
        *error = g_error_new_valist(WEB_SITE_ERROR, WEB_SITE_ERROR_FOLDER, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_part(const char *part) {
    return *part && *part != '.' &&
           strspn(part,
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-@+%~,=") ==
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
        wrong(error,
              "%s: holds files that moowatch site did not write, such as %s; give an empty "
              "folder, or one that has " WEB_FILES_MANIFEST,
              folder, name);
    g_dir_close(directory);
    return !name;
}

static bool read_entries(web_files *files, const json_t *manifest, GError **error) {
    const char *path;
    json_t *of;
    json_object_foreach (json_object_get(manifest, "files"), path, of) {
        const char *hash = cfg_json_word(of, "hash", NULL);
        if (!is_path(path) || !hash)
            return wrong(error, "%s/" WEB_FILES_MANIFEST ": \"%s\" cannot be a file of a site",
                         files->folder, path);
        entry *e = g_new0(entry, 1);
        e->hash = g_strdup(hash);
        e->source = g_strdup(cfg_json_word(of, "source", NULL));
        e->size = (guint64)cfg_json_integer(of, "bytes");
        g_hash_table_insert(files->entries, g_strdup(path), e);
    }
    return true;
}

static bool read_manifest(web_files *files, GError **error) {
    g_autofree char *path = g_build_filename(files->folder, WEB_FILES_MANIFEST, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return refuse_foreign(files->folder, error);
    json_error_t broken;
    json_auto_t *manifest = json_load_file(path, 0, &broken);
    if (!manifest || cfg_json_integer(manifest, "moowatch_site") != 1)
        return wrong(error, "%s: not a manifest of a site: %s; give another folder", path,
                     manifest ? "another version" : broken.text);
    return read_entries(files, manifest, error);
}

static void files_free(web_files *files) {
    g_hash_table_unref(files->entries);
    g_free(files->folder);
    g_free(files);
}

web_files *web_files_open(const char *path, bool again, GError **error) {
    web_files *files = g_new0(web_files, 1);
    files->folder = g_strdup(path);
    files->again = again;
    files->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_free);
    const bool there = g_mkdir_with_parents(path, 0777) == 0;
    if (there && read_manifest(files, error))
        return files;
    if (!there)
        wrong(error, "%s: %s", path, g_strerror(errno));
    files_free(files);
    return NULL;
}

/* Is the file there in the size in which it was written? */
static bool is_there(const web_files *files, const char *path, const entry *e) {
    g_autofree char *full = g_build_filename(files->folder, path, NULL);
    GStatBuf found;
    return g_lstat(full, &found) == 0 && S_ISREG(found.st_mode) &&
           (guint64)found.st_size == e->size;
}

/* The file's, when it is there as it was written. */
static entry *known(const web_files *files, const char *path) {
    entry *e = g_hash_table_lookup(files->entries, path);
    return e && (e->kept || (!files->again && is_there(files, path, e))) ? e : NULL;
}

bool web_files_unchanged(web_files *files, const char *path, const char *source) {
    entry *e = known(files, path);
    if (!e || g_strcmp0(e->source, source) != 0)
        return false;
    files->count.same += !e->kept;
    e->kept = true;
    return true;
}

const char *web_files_source(web_files *files, const char *path) {
    const entry *e = known(files, path);
    return e ? e->source : NULL;
}

const char *web_files_hash(web_files *files, const char *path) {
    const entry *e = g_hash_table_lookup(files->entries, path);
    return e && e->kept ? e->hash : NULL;
}

static GBytes *packed_of(const char *path, GBytes *bytes) {
    GBytes *packed = g_str_has_suffix(path, ".gz") ? web_gzip(bytes, GZIP_LEVEL) : NULL;
    return packed ? packed : g_bytes_ref(bytes); /* what does not shrink stays as it is */
}

enum { UNPACKED_MAX = 512 * 1024 * 1024 };

GBytes *web_files_read(web_files *files, const char *path) {
    g_autofree char *full = g_build_filename(files->folder, path, NULL);
    char *text = NULL;
    gsize size = 0;
    if (!g_file_get_contents(full, &text, &size, NULL))
        return NULL;
    GBytes *bytes = g_bytes_new_take(text, size);
    GBytes *unpacked = g_str_has_suffix(path, ".gz") ? web_gunzip(bytes, UNPACKED_MAX) : NULL;
    if (!unpacked)
        return bytes;
    g_bytes_unref(bytes);
    return unpacked;
}

static char *hash_of(GBytes *bytes) {
    g_autofree char *hash = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
    return g_strndup(hash, HASH_CHARS);
}

/* Another run that was ended before it could write the manifest may have left it. */
static bool is_just(const char *full, GBytes *bytes) {
    char *text = NULL;
    gsize size = 0;
    if (!g_file_get_contents(full, &text, &size, NULL))
        return false;
    g_autoptr(GBytes) found = g_bytes_new_take(text, size);
    return g_bytes_equal(found, bytes);
}

static bool write_file(const web_files *files, const char *path, const entry *e, GBytes *bytes,
                       GError **error) {
    g_autofree char *full = g_build_filename(files->folder, path, NULL);
    g_autofree char *above = g_path_get_dirname(full);
    gsize size;
    const char *data = g_bytes_get_data(bytes, &size);
    if (!e && g_file_test(full, G_FILE_TEST_EXISTS))
        return is_just(full, bytes) ||
               wrong(error,
                     "%s: moowatch site did not write this file; remove it, or give another folder",
                     full);
    if (g_mkdir_with_parents(above, 0777) != 0)
        return wrong(error, "%s: %s", above, g_strerror(errno));
    return g_file_set_contents_full(
        full, data ? data : "", (gssize)size,
        G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_ONLY_EXISTING, 0666, error);
}

static bool put(web_files *files, const char *path, entry *made, GBytes *bytes, GError **error) {
    const entry *before = g_hash_table_lookup(files->entries, path);
    const bool same =
        before && g_str_equal(before->hash, made->hash) && is_there(files, path, before);
    if (!same && !write_file(files, path, before, bytes, error))
        return false;
    files->count.same -= before && before->kept; /* counted already */
    *(same ? &files->count.same : &files->count.written) += 1;
    g_hash_table_insert(files->entries, g_strdup(path), made);
    return true;
}

bool web_files_put(web_files *files, const char *path, const char *source, GBytes *bytes,
                   GError **error) {
    if (!is_path(path))
        return wrong(error, "\"%s\" cannot name a file of a site", path);
    g_autoptr(GBytes) packed = packed_of(path, bytes);
    entry *made = g_new0(entry, 1);
    made->hash = hash_of(packed);
    made->source = g_strdup(source);
    made->size = g_bytes_get_size(packed);
    made->kept = true;
    const bool good = put(files, path, made, packed, error);
    if (!good)
        entry_free(made);
    return good;
}

/* Empty folders above a removed file go with it. */
static void remove_file(const web_files *files, const char *path) {
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

static json_t *manifest_of(web_files *files, bool keep) {
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

static bool write_manifest(web_files *files, bool keep, GError **error) {
    json_auto_t *manifest = manifest_of(files, keep);
    char *text = json_dumps(manifest, JSON_SORT_KEYS | JSON_INDENT(1));
    g_autofree char *path = g_build_filename(files->folder, WEB_FILES_MANIFEST, NULL);
    g_autofree char *before = NULL;
    const bool same = g_file_get_contents(path, &before, NULL, NULL) && g_str_equal(before, text);
    const bool good = same || g_file_set_contents(path, text, -1, error);
    free(text);
    return good;
}

bool web_files_close(web_files *files, bool keep, web_files_count *count, GError **error) {
    const bool empty = keep && g_hash_table_size(files->entries) == 0;
    const bool good = empty || write_manifest(files, keep, error);
    if (count)
        *count = files->count;
    files_free(files);
    return good;
}
