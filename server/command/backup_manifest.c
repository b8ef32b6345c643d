#include "server/command/backup_manifest.h"

#include "config/json_text.h"
#include "server/ground/error.h"
#include "server/store/store_counts.h"

#include <errno.h>
#include <glib/gstdio.h>

#define MANIFEST "backup.json"

/* Of a file; owned, NULL with error. */
static char *hash_of(const char *path, GError **error) {
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, error);
    return file ? g_compute_checksum_for_data(G_CHECKSUM_SHA256,
                                              (const guchar *)g_mapped_file_get_contents(file),
                                              g_mapped_file_get_length(file))
                : NULL;
}

static bool put(const char *folder, const json_t *manifest, GError **error) {
    g_autofree char *path = g_build_filename(folder, MANIFEST, NULL);
    g_autofree char *text = cfg_json_text(manifest, JSON_INDENT(1));
    return g_file_set_contents_full(
        path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, error);
}

bool srv__manifest_write(const char *folder, const char *database, unsigned raw_files,
                         int64_t now_ms, GError **error) {
    g_autofree char *hash = hash_of(database, error);
    json_t *manifest = hash ? srv_store_counts(database, error) : NULL;
    if (!manifest)
        return false;
    json_object_set_new(manifest, "made_ms", json_integer(now_ms));
    json_object_set_new(manifest, "sha256", json_string(hash));
    json_object_set_new(manifest, "raw_files", json_integer(raw_files));
    const bool good = put(folder, manifest, error);
    json_decref(manifest);
    return good;
}

bool srv__manifest_drop(const char *folder, GError **error) {
    g_autofree char *path = g_build_filename(folder, MANIFEST, NULL);
    const bool good = g_unlink(path) == 0 || errno == ENOENT;
    if (!good)
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "cannot remove %s: %s", path,
                    g_strerror(errno));
    return good;
}

static bool database_is(const json_t *manifest, const char *database, GError **error) {
    g_autofree char *hash = hash_of(database, error);
    if (!hash)
        return false;
    const bool same = g_strcmp0(hash, json_string_value(json_object_get(manifest, "sha256"))) == 0;
    if (!same)
        g_set_error(
            error, SRV_ERROR, SRV_ERROR_INTERNAL,
            "%s is not the file that the backup wrote: its SHA-256 differs from that in " MANIFEST
            "; it is damaged, or was opened; restore another backup",
            database);
    return same;
}

bool srv__manifest_read(const char *folder, const char *database, json_t **manifest,
                        GError **error) {
    g_autofree char *path = g_build_filename(folder, MANIFEST, NULL);
    json_error_t wrong;
    *manifest = NULL;
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return true;
    json_t *read = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
    if (!json_is_object(json_object_get(read, "rows")))
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s is damaged: %s", path,
                    read ? "it does not say how many rows there are" : wrong.text);
    else if (database_is(read, database, error))
        *manifest = json_incref(read);
    json_decref(read);
    return *manifest != NULL;
}

bool srv__manifest_compare(const json_t *manifest, const char *url, int64_t *compared,
                           GError **error) {
    *compared = 0;
    if (!manifest)
        return true;
    json_t *now = srv_store_counts(url, error), *rows;
    if (!now)
        return false;
    bool good = true;
    const char *table;
    const bool is_upgraded =
        !json_equal(json_object_get(now, "version"), json_object_get(manifest, "version"));
    *compared = is_upgraded ? SRV__MANIFEST_UPGRADED : 0;
    json_object_foreach (is_upgraded ? NULL : json_object_get(manifest, "rows"), table, rows) {
        const json_int_t found =
            json_integer_value(json_object_get(json_object_get(now, "rows"), table));
        if (good && found != json_integer_value(rows)) {
            g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                        "%" JSON_INTEGER_FORMAT " rows of %s were restored, the backup has "
                        "%" JSON_INTEGER_FORMAT,
                        found, table, json_integer_value(rows));
            good = false;
        }
        *compared += found;
    }
    json_decref(now);
    return good;
}
