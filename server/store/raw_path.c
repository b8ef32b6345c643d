#include "server/store/raw_path.h"

#include <glib.h>

char *srv_raw_path(const char *folder, const char *sha256, const char *suffix) {
    return g_strdup_printf("%s/%.2s/%s%s", folder, sha256, sha256 + 2, suffix);
}

const char *srv_raw_suffix(const char *folder, const char *sha256) {
    static const char *const suffixes[] = {SRV_RAW_LINES, SRV_RAW_CALLS};
    for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        g_autofree char *path = srv_raw_path(folder, sha256, suffixes[i]);
        if (g_file_test(path, G_FILE_TEST_EXISTS))
            return suffixes[i];
    }
    return NULL;
}
