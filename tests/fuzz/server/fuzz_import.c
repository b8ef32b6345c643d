/* An export, line by line, into an empty database in memory. */
#include "server/transfer/export.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autofree char *text = g_strndup((const char *)data, size);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autoptr(srv_store) store = srv_store_open(":memory:", NULL);
    if (!store)
        abort();
    g_autoptr(srv_import) import = srv_import_new(store, NULL, 1);
    for (char **line = lines; *line; line++) {
        g_autoptr(GError) error = NULL;
        if (!srv_import_line(import, *line, &error) && !error)
            abort();
    }
    if (!srv_store_check(store, NULL))
        abort();
    return 0;
}
