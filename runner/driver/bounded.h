#pragma once
/*
 * bounded - files that untrusted programs left, read without following a link and not beyond a
 * limit.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * run_bounded_folder - a folder below base, every step of the way a real folder.
 * relative  "a/b", no "..", no empty part
 * Returns a descriptor to close, or -1 with RUN_ERROR_JOB "PATH: why".
 */
int run_bounded_folder(const char *base, const char *relative, GError **error);

/**
 * run_bounded_file - a regular file in an open folder, for reading. The benchmark made its name: a
 * link or a pipe there must not lead us anywhere.
 * place  how people find it, for errors
 * Returns a descriptor to close, or -1 with RUN_ERROR_JOB: none, a link or pipe, too large.
 */
int run_bounded_file(int folder, const char *name, const char *place, uint64_t bytes_max,
                     GError **error);

/* run_bounded_exists - whether there is a regular file of that name in the folder. */
gboolean run_bounded_exists(int folder, const char *name);

/**
 * run_bounded_text - such a file's text: valid UTF-8 (what was not is U+FFFD), no NUL.
 * Returns a string to g_free, NULL with error as run_bounded_file.
 */
char *run_bounded_text(int folder, const char *name, const char *place, uint64_t bytes_max,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * zip - one entry out of an untrusted zip file, to a file of our own.
 *
 * Nothing is unpacked by the names in the archive: what is wanted is asked for by its exact name.
 */

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
