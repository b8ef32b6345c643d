#pragma once
/*
 * spawn - starts and ends child processes from a daemon with threads: posix_spawn only, never fork
 * without exec; every child leads a process group and starts with no signal blocked.
 */
#include <glib.h>
#include <sys/types.h>

/**
 * srv_spawn - argv[0] is the program's path; env is the whole environment.
 * in, out  become standard input and output; -1: /dev/null. Standard error is shared.
 * Returns the child's id (its group's too), or -1 with error.
 */
pid_t srv_spawn(const char *const *argv, const char *const *env, int in, int out,
                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_spawn_kill - ends a child and its group, and waits for it.
 * grace_ms  time between SIGTERM and SIGKILL; 0: SIGKILL at once
 */
void srv_spawn_kill(pid_t child, int grace_ms);

/*
 * runner_child - the runner on the server's own machine (moowatchd --with-runner).
 * Started with its own process group and started again when it ends, with a pause that doubles from
 * one second to a minute; it ends with the daemon.
 */

typedef struct srv_runner_child srv_runner_child;

/**
 * srv_runner_child_start
 * program     path of moowatchd; moowatch-runner is looked for beside it, in ../runner,
 *             ../libexec/moowatch
 * data_dir    gets runner.yaml (written anew) and runner/ (its work_dir)
 * url         the server's address
 * token_file  holds the runner's token
 * lines       of YAML that runner.yaml has beside these
 */
srv_runner_child *srv_runner_child_start(const char *program, const char *data_dir, const char *url,
                                         const char *token_file, const char *lines,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_runner_child_stop(srv_runner_child *child);
