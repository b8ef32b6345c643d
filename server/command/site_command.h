#pragma once

/** srv_site_command - "moowatchd site DIR": a database or exports as a site of files. Returns the
 * exit status. */
int srv_site_command(int argc, char **argv);
