#pragma once
/*
 * bounded - files that untrusted programs left, read without following a link and not beyond a
 * limit.
 */
#include <glib.h>
#include <stdint.h>

/**
 * run_bounded_folder - a folder below base, every step of the way a real folder.
 * relative  "a/b", no "..", no empty part
 * Returns a descriptor to close, or -1 with RUN_ERROR_JOB "PATH: why".
 */
int run_bounded_folder(const char *base, const char *relative, GError **error);

/**
 * run_bounded_file - a regular file in an open folder, for reading.
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
