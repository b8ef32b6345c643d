#include "server/store/raw_path.h"

#include <glib.h>

char *srv_raw_path(const char *folder, const char *sha256) {
    return g_strdup_printf("%s/%.2s/%s.csv.zst", folder, sha256, sha256 + 2);
}
