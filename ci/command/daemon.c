/* moowatch token | backup | restore - what works on the server's files is moowatchd's to do. */
#include "ci/command/command.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

ci_exit ci_daemon(int argc, char **argv) {
    g_autofree char *program = ci_program_find("moowatchd", "server");
    g_autofree char **all = g_new0(char *, (gsize)argc + 2);
    if (!program) {
        (void)fprintf(stderr,
                      "moowatch %s: moowatchd is not installed on this machine; run it on "
                      "the server\n",
                      argv[0]);
        return CI_USAGE;
    }
    all[0] = program;
    for (int i = 0; i < argc; i++)
        all[i + 1] = argv[i];
    (void)execv(program, all);
    (void)fprintf(stderr, "moowatch %s: %s: %s\n", argv[0], program, g_strerror(errno));
    return CI_INPUT;
}
