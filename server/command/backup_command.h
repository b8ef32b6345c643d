#pragma once
/*
 * backup_command - moowatchd backup and restore: the database, the raw results, the tokens.
 *
 * A backup is taken while the daemon runs, and is a generation beside those before
 * (backup_folder.h); only new raw files are copied. Mirrors are left out: git has them.
 */

/** srv_backup_command, srv_restore_command - argv[0] is the command; return the exit status: 3 when
 * it is done, but raw files are missing, or old backups could not be removed. */
int srv_backup_command(int argc, char **argv);
int srv_restore_command(int argc, char **argv);
