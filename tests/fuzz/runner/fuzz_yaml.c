/* MooBench's results.yaml and labels.sh, as code under test leaves them. */
#include "config/moobench.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autofree char *text = g_strndup((const char *)data, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_moobench) results = cfg_moobench_parse(text, size, "results.yaml", &error);
    if ((!results) != (error != NULL))
        abort();
    g_autoptr(GHashTable) labels = cfg_labels_parse(text);
    GHashTableIter at;
    gpointer number;
    g_hash_table_iter_init(&at, labels);
    while (g_hash_table_iter_next(&at, &number, NULL))
        if (GPOINTER_TO_UINT(number) > 999)
            abort();
    return 0;
}
