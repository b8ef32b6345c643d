#include "ci/formats/entry.h"

ci_entry *ci__entry_new(const char *name, char *path, uint64_t bytes, uint64_t index) {
    ci_entry *entry = g_new0(ci_entry, 1);
    entry->name = g_strdup(name);
    entry->path = path;
    entry->bytes = bytes;
    entry->index = index;
    return entry;
}

void ci__entry_free(void *pointer) {
    ci_entry *entry = pointer;
    g_free(entry->name);
    g_free(entry->path);
    g_free(entry);
}
