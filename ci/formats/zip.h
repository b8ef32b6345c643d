#pragma once
/*
 * zip - the only place that knows the zip library.
 *
 * Not libarchive, though the runner unpacks with it: libzip compares the directory at the end of
 * the file with each entry's own header and refuses a file in which they differ, it knows an
 * entry's compressed size before unpacking (a bomb is refused by it), and it goes to one entry.
 * libarchive 3.6.2 has neither, and reads on without an error when the directory is cut off.
 */
#include "ci/formats/entry.h"

/** ci__zip_list - entries of a zip file, checked as source.h says. NULL with error. */
GPtrArray *ci__zip_list(const char *path, GError **error);

/** ci__zip_read - as ci_source_read. */
bool ci__zip_read(const char *path, const ci_entry *entry, void *buffer, size_t size,
                  ci_source_fn take, void *user, GError **error);
