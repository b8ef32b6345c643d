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
