#pragma once
/* migrate_command - "moowatchd migrate": everything measured into another database. */

/** Returns the exit status: 0, 1 (it failed), 2 (wrong command line). */
int srv_migrate_command(int argc, char **argv);
