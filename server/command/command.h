#pragma once
/* command - what the commands beside the daemon have in common: their help and their first look. */
#include "config/config.h"

/**
 * srv_command_context - for the options of "moowatchd NAME"; its help names the program so.
 * arguments  what stands behind the options, may be NULL; summary may be NULL
 * Caller frees. Main thread only, before others start.
 */
GOptionContext *srv_command_context(const char *name, const char *arguments, const char *summary);

/**
 * srv_command_config - the server's file, for a command that writes into data_dir.
 * Refused to root where the data belong to another user: the daemon could not read what root
 * leaves. Caller frees; NULL with error.
 */
cfg_server *srv_command_config(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_command_database - is there a database? One on a server says so itself when it is opened.
 * Error: what is not there, and what to do. */
bool srv_command_database(const cfg_server *config, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_command_bucket - can the bucket be written and read? INVALID when there is none;
 * else error as of srv_bucket_check. */
bool srv_command_bucket(const cfg_server *config, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_command_unknown - says on standard error which commands there are. Returns 2. */
int srv_command_unknown(const char *name);
