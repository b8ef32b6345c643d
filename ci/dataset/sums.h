#pragma once
/* sums - SHA-256 of a folder's files, as sha256sum writes and checks them. */
#include <glib.h>
#include <stdbool.h>

#define CI_SUMS "SHA256SUMS"

/** ci_sums_write - of these files below the folder, into its SHA256SUMS. paths: NULL-terminated. */
bool ci_sums_write(const char *folder, char **paths, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_sums_check - every file that SHA256SUMS names is there and as it was; else CI_ERROR_INPUT
 * names the first that is not. needed  NULL-terminated: paths that it must name, those that are
 * read
 */
bool ci_sums_check(const char *folder, const char *const *needed,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
