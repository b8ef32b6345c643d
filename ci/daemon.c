/* moowatch token | backup | restore - what works on the server's files is moowatchd's to do. */
#include "ci/command.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* The one beside this program, as it is in a build folder's neighbour, or the one on the PATH. */
static char *program_find(void) {
    static const char *const places[] = {"moowatchd", "../server/moowatchd", "../sbin/moowatchd"};
    g_autofree char *own = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = own ? g_path_get_dirname(own) : NULL;
    for (gsize i = 0; folder && i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path = g_build_filename(folder, places[i], NULL);
        if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
            return g_steal_pointer(&path);
    }
    return g_find_program_in_path("moowatchd");
}

ci_exit ci_daemon(int argc, char **argv) {
    g_autofree char *program = program_find();
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
