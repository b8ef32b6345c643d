#pragma once
/* command - what the commands beside the daemon share: their help, and a look at data_dir. */
#include <glib.h>
#include <stdbool.h>

/**
 * srv_command_context - for g_option_context_parse; caller frees.
 * name        as it is called, "token"
 * parameters  behind the options, "add|list|revoke"; NULL: none
 * summary     a sentence for --help
 */
GOptionContext *srv_command_context(const char *name, const char *parameters, const char *summary);

/** srv_command_database - is there one in data_dir? Error: what is not there, and what to do. */
bool srv_command_database(const char *data_dir, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_command_unknown - says on standard error which commands there are. Returns 2. */
int srv_command_unknown(const char *name);
