#pragma once
/* zip - the only place that knows the zip library. */
#include "ci/formats/source.h"

/** ci__zip_list - entries of a zip file, checked as source.h says. NULL with error. */
GPtrArray *ci__zip_list(const char *path, GError **error);

/** ci__zip_read - as ci_source_read. */
bool ci__zip_read(const char *path, const ci_entry *entry, void *buffer, size_t size,
                  ci_source_fn take, void *user, GError **error);

ci_entry *ci__entry_new(const char *name, char *path, uint64_t bytes, uint64_t index);
void ci__entry_free(void *entry);
