/* First line: what --chain says; the rest: a labels.sh. */
#include "ci/formats/chain.h"
#include "config/moobench.h"

#include <string.h>

#include "tests/fuzz/ci/memory.h"

#define CONFIGURATIONS 5

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autofree char *text = g_strndup((const char *)data, size);
    char *rest = strchr(text, '\n');
    g_autoptr(GPtrArray) links = g_ptr_array_new_with_free_func(ci_link_free);
    g_autoptr(GError) error = NULL;
    if (rest)
        *rest++ = '\0';
    g_autoptr(GHashTable) labels = cfg_labels_parse(rest ? rest : "");
    for (guint i = 0; i < CONFIGURATIONS; i++) {
        ci_link *link = g_new0(ci_link, 1);
        const char *title = g_hash_table_lookup(labels, GUINT_TO_POINTER(i));
        link->name = g_strdup_printf("%u", i);
        link->label = g_strdup(title ? title : link->name);
        g_ptr_array_add(links, link);
    }
    det_chain chain;
    const bool good =
        ci_chain_spec(links, text, &error) && ci_chain_detector(links, &chain, &error);
    if (good != (!error))
        abort();
    return 0;
}
