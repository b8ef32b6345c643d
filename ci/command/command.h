#pragma once
/*
 * command - what every subcommand of moowatch is made of.
 *
 * To add one: write ci/command/<name>.c with its row, declare that at the end of this file, name it
 * in the list of moowatch.c, and add its options to ci/man/moowatch.1.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

/* Exit codes, the same for every subcommand; documented in man/moowatch.1. */
typedef enum {
    CI_OK = 0,
    CI_FOUND = 1,   /* the answer is no: a gate failed, a change was found */
    CI_USAGE = 2,   /* the command line is wrong */
    CI_INPUT = 3,   /* a file, a folder or what is in it is wrong */
    CI_SERVER = 4,  /* the server cannot be reached, or refuses */
    CI_TIMEOUT = 5, /* waited long enough */
    CI_UNSURE = 6   /* nobody can tell: the measurement, the machine, or the noise is in the way */
} ci_exit;

typedef struct {
    const char *name;
    const char *summary; /* for --help, at most 60 characters */
    /* The exit status, or error, whose code is one. */
    ci_exit (*run)(int argc, char **argv, GError **error);
} ci_command;

#define CI_ERROR (ci_error_quark())
GQuark ci_error_quark(void);
typedef enum {
    CI_ERROR_USAGE = CI_USAGE,
    CI_ERROR_INPUT = CI_INPUT,
    CI_ERROR_SERVER = CI_SERVER,
    CI_ERROR_TIMEOUT = CI_TIMEOUT
} ci_error; /* the code is the exit code */

/* How a subcommand is called; borrowed. */
typedef struct {
    const char *synopsis; /* what stands behind "moowatch" in the help, e.g. "analyze DIR|ZIP" */
    const char *description;
    int least, most; /* how many arguments may be left; most < 0: any number */
} ci_usage;

/* Rows of an option table: what it is called, where its value goes, the help, and what the help
 * calls the value. */
#define CI_STRING(name, to, help, value)                                                           \
    { name, 0, 0, G_OPTION_ARG_STRING, to, help, value }
#define CI_STRINGS(name, to, help, value)                                                          \
    { name, 0, 0, G_OPTION_ARG_STRING_ARRAY, to, help, value }
#define CI_PATH(name, to, help, value)                                                             \
    { name, 0, 0, G_OPTION_ARG_FILENAME, to, help, value }
#define CI_COUNT(name, to, help, value)                                                            \
    { name, 0, 0, G_OPTION_ARG_INT, to, help, value }
#define CI_REAL(name, to, help, value)                                                             \
    { name, 0, 0, G_OPTION_ARG_DOUBLE, to, help, value }
#define CI_FLAG(name, to, help)                                                                    \
    { name, 0, 0, G_OPTION_ARG_NONE, to, help, NULL }

/**
 * ci_parse - takes the options of a subcommand out of its arguments.
 * entries  GLib's table; the texts that it stores are the program's, as cfg_kept
 * --help prints and exits 0. Returns false with error (CI_ERROR_USAGE).
 */
bool ci_parse(const ci_usage *usage, const GOptionEntry *entries, int *argc, char ***argv,
              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_call - does what a command line asks of it; says on stderr what went wrong. */
ci_exit ci_call(const ci_command *command, int argc, char **argv);

/** ci_fail - say on stderr what went wrong; returns the exit code that belongs to it. */
ci_exit ci_fail(const char *command, const GError *error);

/** ci_refuse - sets it; ci_wrong, ci_misused: it is what was given, or the command line. All return
 * false. */
bool ci_refuse(GError **error, ci_error code, const char *format, ...) G_GNUC_PRINTF(3, 4);
#define ci_wrong(error, ...) ci_refuse(error, CI_ERROR_INPUT, __VA_ARGS__)
#define ci_misused(error, ...) ci_refuse(error, CI_ERROR_USAGE, __VA_ARGS__)

/** ci_folder_make - a new folder, or one that is empty; option: names another. False with error. */
bool ci_folder_make(const char *folder, const char *option,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_print_json - one line on stdout, keys in their order, numbers as short as they read back the
 * same. */
void ci_print_json(const json_t *value);

/**
 * ci_program_find - another program of ours: beside this one, in its place of the build folder, or
 * on the PATH. Caller frees; NULL: it is not installed.
 */
char *ci_program_find(const char *name, const char *build_folder);

ci_exit ci_daemon(int argc, char **argv, GError **error);

/* The commands; each stands at the end of the file of its name. */
extern const ci_command ci_command_analyze;
extern const ci_command ci_command_compare;
extern const ci_command ci_command_detect;
extern const ci_command ci_command_export;
extern const ci_command ci_command_gate;
extern const ci_command ci_command_history;
extern const ci_command ci_command_import;
extern const ci_command ci_command_init;
extern const ci_command ci_command_plan;
extern const ci_command ci_command_project;
extern const ci_command ci_command_replicate;
extern const ci_command ci_command_run;
extern const ci_command ci_command_site;
extern const ci_command ci_command_submit;
extern const ci_command ci_command_wait;
