#pragma once
/* zip - the only place that knows the zip library. */
#include "ci/formats/entry.h"

/** ci__zip_list - entries of a zip file, checked as source.h says. NULL with error. */
GPtrArray *ci__zip_list(const char *path, GError **error);

/** ci__zip_read - as ci_source_read. */
bool ci__zip_read(const char *path, const ci_entry *entry, void *buffer, size_t size,
                  ci_source_fn take, void *user, GError **error);
