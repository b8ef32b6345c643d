#pragma once
/* import_send - a history on its way into a server (docs/export.md). */
#include "ci/command/client.h"

/** ci_import_is_export - does the file begin as moowatchd export writes it? */
bool ci_import_is_export(const char *path);

/**
 * ci_import_send_file, ci_import_send_lines - all of it or nothing.
 * project  its name there
 * Returns the answer (owned), or NULL with error: CI_ERROR_INPUT (file), CI_ERROR_SERVER.
 */
json_t *ci_import_send_file(ci_client *client, const char *project, const char *path,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *ci_import_send_lines(ci_client *client, const char *project, const json_t *lines,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
