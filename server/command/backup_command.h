#pragma once
/*
 * backup_command - moowatchd backup and restore: the database, the raw results, the tokens.
 *
 * A backup is a folder of the same layout as data_dir. Taken while the daemon runs; taken again
 * into the same folder, only new raw files are copied. Mirrors are left out: git has them.
 */

/** srv_backup_command, srv_restore_command - argv[0] is the command; return the exit status. */
int srv_backup_command(int argc, char **argv);
int srv_restore_command(int argc, char **argv);
