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
    const char *owner;   /* interned: the project that it is of; NULL: of none */
    guint64 size;
    bool kept; /* in this run */
} entry;

typedef struct {
    char *folder;
    GHashTable *entries; /* path -> entry */
    json_t *known;       /* {project: its stamp of the last time} */
    json_t *stamps;      /* of this time */
    GMutex lock;
    bool again;
    ci_files_count count;
} ledger;

struct ci_files {
    ledger *in;
    const char *owner; /* of what is put and kept; NULL: none */
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

static bool read_entries(ledger *files, const json_t *manifest, GError **error) {
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
        e->owner = g_intern_string(json_string_value(json_object_get(of, "project")));
        e->size = (guint64)json_integer_value(json_object_get(of, "bytes"));
        g_hash_table_insert(files->entries, g_strdup(path), e);
    }
    return true;
}

static bool read_manifest(ledger *files, GError **error) {
    g_autofree char *path = g_build_filename(files->folder, CI_FILES_MANIFEST, NULL);
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return refuse_foreign(files->folder, error);
    json_error_t wrong;
    json_auto_t *manifest = json_load_file(path, 0, &wrong);
    if (!manifest || json_integer_value(json_object_get(manifest, "moowatch_site")) != 1)
        return ci_wrong(error, "%s: not a manifest of a site: %s; give another folder", path,
                        manifest ? "another version" : wrong.text);
    json_t *stamps = json_object_get(manifest, "stamps");
    if (json_is_object(stamps))
        json_object_update(files->known, stamps);
    return read_entries(files, manifest, error);
}

static void ledger_free(ledger *files) {
    g_hash_table_unref(files->entries);
    json_decref(files->known);
    json_decref(files->stamps);
    g_mutex_clear(&files->lock);
    g_free(files->folder);
    g_free(files);
}

ci_files *ci_files_open(const char *path, bool again, GError **error) {
    ledger *files = g_new0(ledger, 1);
    files->folder = g_strdup(path);
    files->again = again;
    files->entries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, entry_free);
    files->known = json_object();
    files->stamps = json_object();
    g_mutex_init(&files->lock);
    bool good = true;
    if (g_mkdir_with_parents(path, 0777) != 0)
        good = ci_wrong(error, "%s: %s", path, g_strerror(errno));
    if (!good || !read_manifest(files, error)) {
        ledger_free(files);
        return NULL;
    }
    ci_files *all = g_new0(ci_files, 1);
    all->in = files;
    return all;
}

ci_files *ci_files_of(ci_files *files, const char *project) {
    ci_files *of = g_new0(ci_files, 1);
    of->in = files->in;
    of->owner = g_intern_string(project);
    return of;
}

/* Is the file there in the size in which it was written? */
static bool is_there(const ledger *files, const char *path, const entry *e) {
    g_autofree char *full = g_build_filename(files->folder, path, NULL);
    GStatBuf found;
    return g_lstat(full, &found) == 0 && S_ISREG(found.st_mode) &&
           (guint64)found.st_size == e->size;
}

/* Under the lock. */
static void keep_entry(ledger *files, entry *e, const char *owner) {
    files->count.same += !e->kept;
    e->kept = true;
    e->owner = owner;
}

/* source: any where it is NULL */
static bool keep(ci_files *of, const char *path, const char *source) {
    ledger *files = of->in;
    g_mutex_lock(&files->lock);
    entry *e = g_hash_table_lookup(files->entries, path);
    const bool same = !files->again && e && (!source || g_strcmp0(e->source, source) == 0) &&
                      (e->kept || is_there(files, path, e));
    if (same)
        keep_entry(files, e, of->owner);
    g_mutex_unlock(&files->lock);
    return same;
}

bool ci_files_unchanged(ci_files *files, const char *path, const char *source) {
    return keep(files, path, source);
}

bool ci_files_keep(ci_files *files, const char *path) {
    return keep(files, path, NULL);
}

/* Is all of a project there, as it was written? Under the lock. */
static bool is_whole(const ci_files *of, const char *stamp) {
    GHashTableIter at;
    gpointer path, data;
    const char *known = json_string_value(json_object_get(of->in->known, of->owner));
    bool whole = !of->in->again && stamp && g_strcmp0(known, stamp) == 0, any = false;
    g_hash_table_iter_init(&at, of->in->entries);
    while (whole && g_hash_table_iter_next(&at, &path, &data)) {
        const bool own = ((const entry *)data)->owner == of->owner;
        any |= own;
        whole = !own || is_there(of->in, path, data);
    }
    return whole && any;
}

GPtrArray *ci_files_keep_all(ci_files *of, const char *stamp) {
    GHashTableIter at;
    gpointer path, data;
    GPtrArray *paths = NULL;
    g_mutex_lock(&of->in->lock);
    if (is_whole(of, stamp)) {
        json_object_set_new(of->in->stamps, of->owner, json_string(stamp));
        paths = g_ptr_array_new_with_free_func(g_free);
        g_hash_table_iter_init(&at, of->in->entries);
        while (g_hash_table_iter_next(&at, &path, &data))
            if (((const entry *)data)->owner == of->owner) {
                keep_entry(of->in, data, of->owner);
                g_ptr_array_add(paths, g_strdup(path));
            }
    }
    g_mutex_unlock(&of->in->lock);
    return paths;
}

void ci_files_stamp(ci_files *of, const char *stamp) {
    g_mutex_lock(&of->in->lock);
    if (stamp)
        json_object_set_new(of->in->stamps, of->owner, json_string(stamp));
    g_mutex_unlock(&of->in->lock);
}

char *ci_files_source(ci_files *of, const char *path) {
    ledger *files = of->in;
    g_mutex_lock(&files->lock);
    const entry *e = g_hash_table_lookup(files->entries, path);
    char *source = !files->again && e && is_there(files, path, e) ? g_strdup(e->source) : NULL;
    g_mutex_unlock(&files->lock);
    return source;
}

enum { UNPACKED_MAX = 64 * 1024 * 1024 };

/* What does not shrink is not packed, whatever its name. */
static json_t *json_of(GBytes *bytes, bool columns) {
    g_autoptr(GBytes) unpacked = columns ? web_gunzip(bytes, UNPACKED_MAX) : NULL;
    gsize size = 0;
    const char *text = g_bytes_get_data(unpacked ? unpacked : bytes, &size);
    json_auto_t *json = text ? json_loadb(text, size, 0, NULL) : NULL;
    return columns && json ? ci_columns_unpack(json) : json_incref(json);
}

static char *hash_of(GBytes *bytes) {
    g_autofree char *hash = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
    return g_strndup(hash, HASH_CHARS);
}

json_t *ci_files_written(ci_files *files, const char *path, char **source) {
    g_autofree char *full = g_build_filename(files->in->folder, path, NULL);
    g_autofree char *hash = NULL;
    gsize size = 0;
    char *text = NULL;
    g_mutex_lock(&files->in->lock);
    const entry *e = files->in->again ? NULL : g_hash_table_lookup(files->in->entries, path);
    if (e) {
        hash = g_strdup(e->hash);
        *source = g_strdup(e->source);
    }
    g_mutex_unlock(&files->in->lock);
    if (!hash || !g_file_get_contents(full, &text, &size, NULL))
        return NULL;
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, size);
    g_autofree char *found = hash_of(bytes);
    return g_str_equal(found, hash) ? json_of(bytes, g_str_has_suffix(path, ".gz")) : NULL;
}

json_t *ci_files_json(ci_files *files, const char *path) {
    g_autofree char *full = g_build_filename(files->in->folder, path, NULL);
    return json_load_file(full, 0, NULL);
}

static bool write_file(const ledger *files, const char *path, const entry *e, GBytes *bytes,
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
static bool put(ledger *files, const char *path, entry *made, GBytes *bytes, GError **error) {
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

bool ci_files_put(ci_files *files, const char *path, const char *source, GBytes *bytes,
                  GError **error) {
    if (!is_path(path))
        return ci_wrong(error, "\"%s\" cannot name a file of a site", path);
    entry *made = g_new0(entry, 1);
    made->hash = hash_of(bytes);
    made->source = g_strdup(source);
    made->owner = files->owner;
    made->size = g_bytes_get_size(bytes);
    made->kept = true;
    g_mutex_lock(&files->in->lock);
    const bool good = put(files->in, path, made, bytes, error);
    g_mutex_unlock(&files->in->lock);
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
static void remove_file(const ledger *files, const char *path) {
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

static json_t *manifest_of(ledger *files, bool keep) {
    GHashTableIter at;
    gpointer path, data;
    json_t *list = json_object();
    if (keep)
        json_object_update_missing(files->stamps, files->known);
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
                            json_pack("{s:s, s:I, s:s*, s:s*}", "hash", e->hash, "bytes",
                                      (json_int_t)e->size, "source", e->source, "project",
                                      e->owner));
    }
    return json_pack("{s:i, s:o, s:O}", "moowatch_site", 1, "files", list, "stamps", files->stamps);
}

static bool write_manifest(ledger *files, bool keep, GError **error) {
    json_auto_t *manifest = manifest_of(files, keep);
    char *text = json_dumps(manifest, JSON_SORT_KEYS | JSON_INDENT(1));
    g_autofree char *path = g_build_filename(files->folder, CI_FILES_MANIFEST, NULL);
    g_autofree char *before = NULL;
    const bool same = g_file_get_contents(path, &before, NULL, NULL) && g_str_equal(before, text);
    const bool good = same || g_file_set_contents(path, text, -1, error);
    free(text);
    return good;
}

bool ci_files_close(ci_files *of, bool keep, ci_files_count *count, GError **error) {
    ledger *files = of->in;
    const bool empty = keep && g_hash_table_size(files->entries) == 0;
    const bool good = empty || write_manifest(files, keep, error);
    if (count)
        *count = files->count;
    ledger_free(files);
    g_free(of);
    return good;
}

void ci_files_part(ci_files *of) {
    g_free(of);
}
