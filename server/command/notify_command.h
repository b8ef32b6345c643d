#pragma once
/* notify_command - moowatchd notify: send every rule of a project a message that says it is a
 * test. */

/** srv_notify_command - argv[0] is "notify"; returns 0 when all were delivered. */
int srv_notify_command(int argc, char **argv);
