#pragma once
/* experiment - a measurement by moowatch-runner on this machine, as a child, into a folder. */
#include "ci/command/command.h"
#include "config/config.h"

/* What a command line says of a measurement. */
typedef struct {
    char *commit, *compare, *repository, *folder, *config, *path, *rest; /* NULL: not said */
    gint loops;
} ci_experiment_options;

/* Rows for an option table. whose: repository is taken, name: the folder gets, by default. */
#define CI_EXPERIMENT_ENTRIES(o, whose, name)                                                      \
    CI_PATH("repository", &(o).repository, "Take commits from there (default: the " whose ")",     \
            "DIR|URL"),                                                                            \
        CI_PATH("dir", &(o).folder, "New folder for the raw files (default: " name ")", "DIR"),    \
        CI_PATH("config", &(o).config,                                                             \
                "Settings of moowatch-runner: processors, tuning, idle gate", "FILE")

/**
 * ci_experiment_measure - the commit, or the newest of the project's branch; with the older one of
 * `compare` in turn.
 * file     the project's
 * name     begins the folder's name where the options name none
 * options  folder is written
 * Returns the commit's full id, caller frees; NULL with error (CI_ERROR_INPUT, CI_ERROR_USAGE).
 */
char *ci_experiment_measure(ci_experiment_options *options, const char *file,
                            const cfg_project *project, const char *name,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
