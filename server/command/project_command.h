#pragma once
/* project_command - moowatchd export|import: a project as JSON lines (export.h), beside a running
 * daemon. */

/** srv_project_command - argv[0] is "export" or "import"; returns the exit status. */
int srv_project_command(int argc, char **argv);
