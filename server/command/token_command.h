#pragma once
/* token_command - moowatchd token add|list|rotate|bind|revoke: works on the token file, beside a
 * running daemon. */

/** srv_token_command - argv[0] is "token"; returns the exit status. */
int srv_token_command(int argc, char **argv);
