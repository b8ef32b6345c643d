#include "ci/command/command.h"

#include "config/json_text.h"
#include "config/options.h"
#include "config/shown.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

G_DEFINE_QUARK(ci_error, ci_error)

static bool arguments_wrong(const ci_usage *usage, int count, GError **error) {
    if (count >= usage->least && (usage->most < 0 || count <= usage->most))
        return false;
    ci_refuse(error, CI_ERROR_USAGE, "%s; usage: moowatch %s",
              count < usage->least ? "an argument is missing" : "too many arguments",
              usage->synopsis);
    return true;
}

bool ci_parse(const ci_usage *usage, const GOptionEntry *entries, int *argc, char ***argv,
              GError **error) {
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_autofree char *program = g_strdup_printf("moowatch %s", usage->synopsis);
    /* GLib prints "PROGRAM [OPTION…]": the program's name is the first word of our synopsis. */
    char *rest = strchr(program + strlen("moowatch "), ' ');
    if (rest) {
        g_option_context_free(g_steal_pointer(&context));
        context = g_option_context_new(rest + 1);
        *rest = 0;
    }
    g_set_prgname(program);
    g_option_context_set_summary(context, usage->description);
    g_option_context_add_main_entries(context, entries, NULL);
    g_autoptr(GError) wrong = NULL;
    if (!g_option_context_parse(context, argc, argv, &wrong)) {
        ci_refuse(error, CI_ERROR_USAGE, "%s; see %s --help", wrong->message, program);
        return false;
    }
    cfg_options_keep(entries);
    if (*argc > 1 && g_str_equal((*argv)[1], "--")) {
        for (int i = 1; i < *argc; i++)
            (*argv)[i] = (*argv)[i + 1];
        (*argc)--;
    }
    return !arguments_wrong(usage, *argc - 1, error);
}

ci_exit ci_fail(const char *command, const GError *error) {
    g_autofree char *message = cfg_shown(error->message);
    (void)fprintf(stderr, "moowatch %s: %s\n", command, message);
    return error->domain == CI_ERROR ? (ci_exit)error->code : CI_INPUT;
}

ci_exit ci_call(const ci_command *command, int argc, char **argv) {
    g_autoptr(GError) error = NULL;
    const ci_exit exit = command->run(argc, argv, &error);
    return error ? ci_fail(command->name, error) : exit;
}

bool ci_refuse(GError **error, ci_error code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error_literal(error, CI_ERROR, (gint)code, text);
    return false;
}

bool ci_folder_make(const char *folder, const char *option, GError **error) {
    if (g_mkdir_with_parents(folder, 0777) != 0)
        return ci_wrong(error, "%s: %s", folder, g_strerror(errno));
    g_autoptr(GDir) there = g_dir_open(folder, 0, NULL);
    return (there && !g_dir_read_name(there)) ||
           ci_wrong(error, "%s is not empty; name a new folder with %s", folder, option);
}

void ci_print_json(const json_t *value) {
    g_autofree char *text = cfg_json_text(value, 0);
    if (text)
        (void)puts(text);
}

char *ci_program_find(const char *name, const char *build_folder) {
    g_autofree char *own = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = own ? g_path_get_dirname(own) : NULL;
    const char *const places[] = {".", "../sbin", "..", NULL};
    for (gsize i = 0; folder && places[i]; i++) {
        const bool built = g_str_equal(places[i], "..");
        g_autofree char *path = g_build_filename(folder, places[i], built ? build_folder : name,
                                                 built ? name : NULL, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test(path, G_FILE_TEST_IS_DIR))
            return g_steal_pointer(&path);
    }
    return g_find_program_in_path(name);
}

ci_exit ci_daemon(int argc, char **argv, GError **error) {
    g_autofree char *program = ci_program_find("moowatchd", "server");
    g_autofree char **all = g_new0(char *, (gsize)argc + 2);
    if (!program) {
        ci_misused(error, "moowatchd is not installed on this machine; run it on the server");
        return CI_USAGE;
    }
    all[0] = program;
    for (int i = 0; i < argc; i++)
        all[i + 1] = argv[i];
    (void)execv(program, all);
    ci_wrong(error, "%s: %s", program, g_strerror(errno));
    return CI_INPUT;
}
