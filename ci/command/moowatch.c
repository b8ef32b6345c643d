/* moowatch - the command line; one subcommand a file. */
#include "ci/command/command.h"
#include "config/version.h"

#include <locale.h>
#include <stdio.h>

/* What the daemon's program does itself. */
static const ci_command daemons[] = {
    {"token", "add, list, revoke the server's tokens", ci_daemon},
    {"backup", "back up the server while it runs", ci_daemon},
    {"restore", "fill an empty server from a backup", ci_daemon},
};

static const ci_command *const commands[] = {
    &ci_command_analyze, &ci_command_compare, &ci_command_detect,    &ci_command_init,
    &ci_command_run,     &ci_command_plan,    &ci_command_history,   &ci_command_submit,
    &ci_command_wait,    &ci_command_gate,    &ci_command_import,    &ci_command_export,
    &ci_command_site,    &ci_command_project, &ci_command_replicate, &daemons[0],
    &daemons[1],         &daemons[2]};

static void help(void) {
    (void)printf("Usage: moowatch COMMAND [OPTION…] [ARGUMENT…]\n");
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        (void)printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    (void)printf(
        "\"moowatch COMMAND --help\" shows its options; \"man moowatch\" has exit statuses.\n");
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
        if (g_str_equal(name, commands[i]->name))
            return (int)ci_call(commands[i], argc - 1, argv + 1);
    return usage(name);
}
