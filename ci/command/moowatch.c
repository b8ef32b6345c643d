/* moowatch - the command line; one subcommand a file. */
#include "ci/command/command.h"
#include "config/version.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const ci_command commands[] = {
    {"analyze", "print the portions in a folder or zip of MooBench results", ci_analyze},
    {"compare", "compare two such results, portion by portion", ci_compare},
    {"detect", "run the detector on a history in a file", ci_detect},
    {"init", "write a first project file for a repository", ci_init},
    {"run", "measure a commit on this machine, without a server", ci_run},
    {"plan", "say how many calls and processes to measure", ci_plan},
    {"history", "list a project's nights: table, chart, JSON", ci_history},
    {"submit", "ask the server to measure a commit", ci_submit},
    {"wait", "wait for a job, or for all work on a project", ci_wait},
    {"note", "attach a note to a night, shown in charts", ci_note},
    {"alert", "list a project's alerts, or decide one", ci_alert},
    {"baseline", "set, move or remove a baseline by hand", ci_baseline},
    {"gate", "pass or fail a commit by its portions", ci_gate},
    {"import", "read other tools' results", ci_import_command},
    {"export", "write a project's nights for other programs", ci_export},
    {"cat", "print a stored raw file as MooBench's CSV lines", ci_cat},
    {"replicate", "reproduce a published result on this machine", ci_replicate},
    {"site", "write a server's pages as files for a static host", ci_site},
    {"project", "check a project's file; archive, rename, delete a project", ci_project},
    {"token", "add, list, revoke the server's tokens", ci_daemon},
    {"backup", "back up the server while it runs", ci_daemon},
    {"restore", "fill an empty server from a backup", ci_daemon},
};

static void help(void) {
    (void)printf("Usage: moowatch COMMAND [OPTION…] [ARGUMENT…]\n");
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        (void)printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    (void)printf("\"moowatch COMMAND --help\" shows its options. Exit status: 0 success, 1 a check "
                 "failed\n(a change was found, or the gate is closed), 2 wrong usage, 3 bad "
                 "input,\n4 server error, 5 timeout, 6 undecided.\n");
}

static int usage(const char *wrong) {
    if (wrong)
        (void)fprintf(stderr, "moowatch: unknown command \"%s\"; see moowatch --help\n", wrong);
    else
        (void)fprintf(stderr, "moowatch: a command is missing; see moowatch --help\n");
    return CI_USAGE;
}

int main(int argc, char **argv) {
    (void)setlocale(LC_CTYPE, "");
    if (argc < 2)
        return usage(NULL);
    const char *name = argv[1];
    if (g_str_equal(name, "--help") || g_str_equal(name, "-h") || g_str_equal(name, "help")) {
        help();
        return CI_OK;
    }
    if (g_str_equal(name, "--version")) {
        cfg_version_print("moowatch");
        return CI_OK;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        if (g_str_equal(name, commands[i].name))
            return (int)commands[i].run(argc - 1, argv + 1);
    return usage(name);
}
