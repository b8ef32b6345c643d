#include "server/command/backup_manifest.h"

#include "config/json_text.h"
#include "server/command/backup_copy.h"
#include "server/command/backup_folder.h"
#include "server/ground/auth.h"
#include "server/ground/error.h"
#include "server/store/store_counts.h"

/* The files of a backup, and the keys of their SHA-256; earlier versions did not have the second.
 */
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
        g_autofree char *hash = srv__backup_hash(file, NULL);
        if (hash)
            json_object_set_new(manifest, files[i].key, json_string(hash));
    }
    g_autofree char *text = cfg_json_text(manifest, JSON_INDENT(1));
    return g_file_set_contents_full(
        path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, error);
}

static bool files_are(const json_t *manifest, const char *folder, GError **error) {
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        const char *written = json_string_value(json_object_get(manifest, files[i].key));
        g_autofree char *file = g_build_filename(folder, files[i].name, NULL);
        g_autofree char *hash = srv__backup_hash(file, NULL);
        if (g_strcmp0(hash, written) == 0 || (i > 0 && !written))
            continue;
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "%s is not the file that the backup wrote: its SHA-256 differs from that "
                    "in " SRV__MANIFEST "; it is damaged, or was opened; restore another backup",
                    file);
        return false;
    }
    return true;
}

bool srv__manifest_read(const char *folder, json_t **manifest, GError **error) {
    g_autofree char *path = g_build_filename(folder, SRV__MANIFEST, NULL);
    json_error_t wrong;
    *manifest = NULL;
    if (!g_file_test(path, G_FILE_TEST_EXISTS))
        return true;
    json_t *read = json_load_file(path, JSON_REJECT_DUPLICATES, &wrong);
    if (!json_is_object(json_object_get(read, "rows")))
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s is damaged: %s", path,
                    read ? "it does not say how many rows there are" : wrong.text);
    else if (files_are(read, folder, error))
        *manifest = json_incref(read);
    json_decref(read);
    return *manifest != NULL;
}

bool srv__manifest_compare(const json_t *manifest, const char *database, int64_t *compared,
                           GError **error) {
    *compared = 0;
    json_auto_t *now = manifest ? srv_store_counts(database, error) : NULL;
    json_t *rows;
    if (!now)
        return manifest == NULL;
    const char *table;
    if (!json_equal(json_object_get(now, "version"), json_object_get(manifest, "version"))) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "the database has another version than " SRV__MANIFEST " says");
        return false;
    }
    json_object_foreach (json_object_get(manifest, "rows"), table, rows) {
        const json_int_t found =
            json_integer_value(json_object_get(json_object_get(now, "rows"), table));
        if (found != json_integer_value(rows)) {
            g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                        "%" JSON_INTEGER_FORMAT " rows of %s were restored, the backup has "
                        "%" JSON_INTEGER_FORMAT,
                        found, table, json_integer_value(rows));
            return false;
        }
        *compared += found;
    }
    return true;
}
