#pragma once
/*
 * settings - the command line of moowatch-runner, over its configuration file.
 */
#include "config/config.h"
#include "runner/measure/measure.h"

typedef enum {
    RUN_COMMAND_WORK,
    RUN_COMMAND_DOCTOR,
    RUN_COMMAND_RESTORE,
    RUN_COMMAND_MEASURE
} run_command;

typedef struct {
    cfg_runner *config;
    run_command command;
    run_measurement measurement; /* of RUN_COMMAND_MEASURE; its texts are the program's */
    char *results_dir;           /* likewise; absolute */
    unsigned rest_s;             /* likewise */
    bool once;
    unsigned wait_s; /* with once: for a job; 0: as long as it takes */
    char *help;      /* text that was asked for; owned */
    bool version;
} run_settings;

/**
 * run_settings_parse - argv of main; options win over the file, the file over defaults. With help
 * or version nothing else is read. Main thread only: it sets GLib's name of the program. Returns
 * false with error (what is wrong, what to do). Clear with run_settings_clear.
 */
bool run_settings_parse(int argc, char **argv, run_settings *settings,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
void run_settings_clear(run_settings *settings);

/**
 * run_settings_token - the token in a file: one line, the file closed to other users.
 * Returns a string to g_free (wipe it), or NULL with error.
 */
char *run_settings_token(const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
