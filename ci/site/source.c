#include "ci/site/source.h"

#include <stdlib.h>
#include <string.h>

json_t *ci_source_get(const ci_source *source, const char *path, GError **error) {
    g_autofree char *whole = g_strconcat("/api/v1", path, NULL);
    return ci_client_get(source->client, whole, error);
}

char *ci_source_digest(const json_t *json) {
    enum { CHARS = 32 };
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    free(text);
    return g_strndup(hash, CHARS);
}

bool ci_source_keep(const ci_source *source, const char *address, const char *path,
                    ci_source_change change, GError **error) {
    GError *wrong = NULL;
    g_autofree char *known = ci_files_source(source->files, path);
    g_autofree char *etag = g_strdup(known);
    g_autoptr(GBytes) bytes = ci_client_fetch(source->client, address, &etag, &wrong);
    if (wrong) {
        g_propagate_error(error, wrong);
        return false;
    }
    if (!bytes)
        return ci_files_unchanged(source->files, path, known);
    g_autoptr(GBytes) made = change ? change(source, bytes) : g_bytes_ref(bytes);
    return ci_files_put(source->files, path, etag, made, error);
}
