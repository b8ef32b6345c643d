#pragma once
/*
 * zip - one entry out of an untrusted zip file, to a file of our own. The only place of the runner
 * that knows the zip library.
 *
 * Nothing is unpacked by the names in the archive: what is wanted is asked for by its exact name.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define RUN_ZIP_ENTRIES_MAX 100000

/**
 * run_zip_names - the names of all entries.
 * fd     of the archive; stays open
 * place  how people find it, for errors
 * Returns GPtrArray of char * (owned), NULL with RUN_ERROR_JOB: no zip, damaged, too many entries.
 */
GPtrArray *run_zip_names(int fd, const char *place, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_zip_copy - unpacks the entry called exactly `name` to an open file.
 * bytes_max  of the unpacked entry, whatever the archive says of its size
 * Returns false with RUN_ERROR_JOB: not there, encrypted, damaged, beyond the limit;
 * RUN_ERROR_NODE when it cannot be written.
 */
bool run_zip_copy(int fd, const char *place, const char *name, uint64_t bytes_max, int out,
                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
