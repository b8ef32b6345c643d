#pragma once
/*
 * runner_child - the runner on the server's own machine (moowatchd --with-runner).
 * Started with its own process group and started again when it ends, with a pause that doubles from
 * one second to a minute; it ends with the daemon.
 */
#include <glib.h>

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
