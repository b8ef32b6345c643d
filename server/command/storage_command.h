#pragma once
/* storage_command - "moowatchd storage": what raw data there are, and which go by a policy. */

/** Returns the exit status: 0, 1 (it failed), 2 (wrong command line). */
int srv_storage_command(int argc, char **argv);
