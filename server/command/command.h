#pragma once
/* command - what the commands beside the daemon have in common: their help and their first look. */
#include "config/config.h"

/**
 * srv_command_parse - the options of "moowatchd NAME"; its help names the program so. The texts
 * that the table stores are the program's (config/options.h).
 * arguments  what stands behind the options, may be NULL; summary may be NULL
 * Main thread only, before others start.
 */
bool srv_command_parse(const char *name, const char *arguments, const char *summary,
                       const GOptionEntry *entries, int *argc, char ***argv,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_command_end - after srv_command_parse: says what was wrong, NULL: nothing. Returns status.
 */
int srv_command_end(int status, const GError *error);

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

/*
 * backup_command - moowatchd backup and restore: the database, the raw results, the tokens.
 *
 * A backup is taken while the daemon runs, and is a generation beside those before
 * (backup.h); only new raw files are copied. Mirrors are left out: git has them.
 */

/** srv_backup_command, srv_restore_command - argv[0] is the command; return the exit status: 3 when
 * it is done, but raw files are missing, or old backups could not be removed. */
int srv_backup_command(int argc, char **argv);
int srv_restore_command(int argc, char **argv);

/* migrate_command - "moowatchd migrate": everything measured into another database. */

/** Returns the exit status: 0, 1 (it failed), 2 (wrong command line). */
int srv_migrate_command(int argc, char **argv);

/* notify_command - moowatchd notify: send every rule of a project a message that says it is a
 * test. */

/** srv_notify_command - argv[0] is "notify"; returns 0 when all were delivered. */
int srv_notify_command(int argc, char **argv);

/* project_command - moowatchd export|import: a project as JSON lines (export.h), beside a running
 * daemon. */

/** srv_project_command - argv[0] is "export" or "import"; returns the exit status. */
int srv_project_command(int argc, char **argv);

/** srv_site_command - "moowatchd site DIR": a database or exports as a site of files. Returns the
 * exit status. */
int srv_site_command(int argc, char **argv);

/**
 * srv_try_open - "moowatchd try [EXPORT…]": exports in the database of a new folder, to be served
 * on this machine. Without a name: the histories that come with the program, whose path is given.
 * folder  out, owned, NULL: none was made; srv_try_end removes it with all that is in it
 * NULL with status, the exit status; what was wrong has been said.
 */
cfg_server *srv_try_open(int argc, char **argv, const char *program, char **folder, int *status);

/** srv_try_tell - on standard output: what to look at. url: the server's, without '/'. */
void srv_try_tell(const cfg_server *config, const char *url);
void srv_try_end(const char *folder);

/* storage_command - "moowatchd storage": what raw data there are, and which go by a policy. */

/** Returns the exit status: 0, 1 (it failed), 2 (wrong command line). */
int srv_storage_command(int argc, char **argv);

/* token_command - moowatchd token add|list|rotate|bind|revoke: works on the token file, beside a
 * running daemon. */

/** srv_token_command - argv[0] is "token"; returns the exit status. */
int srv_token_command(int argc, char **argv);
