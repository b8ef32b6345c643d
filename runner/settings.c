#include "runner/settings.h"

#include "config/number.h"
#include "config/options.h"

#include "runner/ground/error.h"
#include "runner/ground/procfs.h"
#include "runner/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOKEN_BYTES_MAX 4096
#define WAIT_MAX_S (7 * 24 * 3600)

typedef struct {
    char *config, *server, *node, *token_file, *work_dir, *harness_dir, *path;
    char *wait;
    char *project, *commit, *results, *before, *repository, *loops, *rest; /* of measure */
    gboolean once, help, version;
} arguments;

static arguments line; /* the one that was read last */

static bool wrong(GError **error, const char *what, const char *argument) {
    return run_wrong(error, "%s %s; see --help", what, argument);
}

/* Of each command: what it is for, and what stands behind its options in the help. */
static const struct {
    const char *name; /* NULL: without a command */
    run_command command;
    const char *summary;
} commands[] = {
    {NULL, RUN_COMMAND_WORK, "Leases jobs from a moowatch server and measures them here."},
    {"doctor", RUN_COMMAND_DOCTOR,
     "Tells what this machine is like and what would make it quieter."},
    {"restore", RUN_COMMAND_RESTORE, "Puts back what a killed runner had tuned."},
    {"measure", RUN_COMMAND_MEASURE,
     "Measures one experiment without a server; moowatch run calls it."},
};

static const char commands_help[] =
    "Commands, each with a --help of its own:\n"
    "  doctor   tell what this machine is like and what would make it quieter\n"
    "  restore  put back what a killed runner had tuned\n"
    "  measure  one experiment without a server\n\n"
    "Needed: --config, or --server, --token-file and --work-dir. Options take precedence over the "
    "file.\n";

static const GOptionEntry common[] = {
    {"config", 'c', 0, G_OPTION_ARG_FILENAME, &line.config, "Settings in YAML (docs/configure.md)",
     "FILE"},
    {"server", 0, 0, G_OPTION_ARG_STRING, &line.server,
     "Address of the server, http:// or https://", "URL"},
    {"node", 0, 0, G_OPTION_ARG_STRING, &line.node, "Name of this machine (default: host name)",
     "NAME"},
    {"token-file", 0, 0, G_OPTION_ARG_FILENAME, &line.token_file,
     "The runner's token, readable by the runner alone", "FILE"},
    {"work-dir", 0, 0, G_OPTION_ARG_FILENAME, &line.work_dir,
     "Folder for spool, mirrors and checkouts", "DIR"},
    {"harness-dir", 0, 0, G_OPTION_ARG_FILENAME, &line.harness_dir,
     "Where moobench and moobench.jar are", "DIR"},
    {"path", 0, 0, G_OPTION_ARG_STRING, &line.path,
     "Folders of programs for prepare and the benchmark, with colons between them", "DIRS"},
    {"once", 0, 0, G_OPTION_ARG_NONE, &line.once,
     "End after one job (exit status 1 when it failed)", NULL},
    {"wait", 0, 0, G_OPTION_ARG_STRING, &line.wait,
     "With --once: end when no job came in that time (status 1 when the server did not answer)",
     "SECONDS"},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &line.help, "Print this help", NULL},
    {"version", 0, 0, G_OPTION_ARG_NONE, &line.version, "Print the version", NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

static const GOptionEntry measure[] = {
    {"project", 0, 0, G_OPTION_ARG_FILENAME, &line.project,
     "The project's file (docs/configure.md)", "FILE"},
    {"commit", 0, 0, G_OPTION_ARG_STRING, &line.commit, "Full id of the commit", "ID"},
    {"results", 0, 0, G_OPTION_ARG_FILENAME, &line.results, "Where the raw files go", "DIR"},
    {"before", 0, 0, G_OPTION_ARG_STRING, &line.before, "An older commit, measured in turn with it",
     "ID"},
    {"repository", 0, 0, G_OPTION_ARG_STRING, &line.repository, "Instead of the project's", "URL"},
    {"loops", 0, 0, G_OPTION_ARG_STRING, &line.loops, "Instead of the project's", "N"},
    {"rest", 0, 0, G_OPTION_ARG_STRING, &line.rest,
     "Between two processes, instead of the project's rest_seconds", "SECONDS"},
    {NULL, 0, 0, 0, NULL, NULL, NULL}};

static GOptionContext *context_of(size_t command) {
    const char *name = commands[command].name;
    g_autofree char *program = g_strconcat("moowatch-runner ", name, NULL);
    g_set_prgname(g_strchomp(program));
    GOptionContext *context = g_option_context_new(NULL);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_set_summary(context, commands[command].summary);
    g_option_context_set_description(context, name ? NULL : commands_help);
    if (commands[command].command == RUN_COMMAND_MEASURE)
        g_option_context_add_main_entries(context, measure, NULL);
    g_option_context_add_main_entries(context, common, NULL);
    return context;
}

/* An empty value is a forgotten one: in scripts, of a variable that is not set. */
static bool check_empty(const arguments *given, GError **error) {
    const struct {
        const char *name, *value;
    } all[] = {{"--config", given->config},     {"--server", given->server},
               {"--node", given->node},         {"--token-file", given->token_file},
               {"--work-dir", given->work_dir}, {"--harness-dir", given->harness_dir},
               {"--project", given->project},   {"--commit", given->commit},
               {"--results", given->results},   {"--before", given->before},
               {"--loops", given->loops},       {"--repository", given->repository},
               {"--rest", given->rest},         {"--path", given->path},
               {"--wait", given->wait}};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i].value && all[i].value[0] == '\0')
            return wrong(error, "a value is missing after", all[i].name);
    return true;
}

static size_t find_command(const char *word) {
    for (size_t i = 1; word && i < G_N_ELEMENTS(commands); i++)
        if (strcmp(commands[i].name, word) == 0)
            return i;
    return 0;
}

static bool read_arguments(int argc, char **argv, run_settings *settings, GError **error) {
    const size_t command = find_command(argc > 1 ? argv[1] : NULL);
    g_autoptr(GOptionContext) context = context_of(command);
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (int i = 0; i < argc; i++)
        if (i != 1 || command == 0)
            g_strv_builder_add(builder, argv[i]);
    g_auto(GStrv) words = g_strv_builder_end(builder);
    g_autoptr(GError) problem = NULL;
    const bool good = g_option_context_parse_strv(context, &words, &problem);
    cfg_options_keep(common);
    cfg_options_keep(measure);
    if (!good)
        return run_wrong(error, "%s; see --help", problem->message);
    if (g_strv_length(words) > 1)
        return wrong(error, "unknown command", words[1]);
    settings->command = commands[command].command;
    settings->once = line.once;
    settings->version = line.version;
    settings->help = line.help ? g_option_context_get_help(context, FALSE, NULL) : NULL;
    return check_empty(&line, error);
}

static void add_line(GString *yaml, const char *key, const char *value) {
    json_auto_t *text = value ? json_string(value) : NULL;
    g_autofree char *quoted = json_dumps(text, JSON_ENCODE_ANY); /* a JSON string is a YAML one */
    if (quoted)
        g_string_append_printf(yaml, "%s: %s\n", key, quoted);
}

/* Options alone are read as if they stood in a file: one place knows the defaults and bounds. */
static cfg_runner *load_options(const arguments *given, const run_settings *settings,
                                GError **error) {
    static char server[] = "http://localhost", none[] = "/nonexistent";
    static const arguments nobody = {.server = server, .token_file = none, .work_dir = none};
    if (settings->command == RUN_COMMAND_DOCTOR || settings->command == RUN_COMMAND_MEASURE)
        given = &nobody; /* they talk to no server; what measure writes goes to its results */
    if (!given->server || !given->token_file || !given->work_dir) {
        wrong(error, "missing: --config, or", "--server, --token-file and --work-dir");
        return NULL;
    }
    g_autofree char *token_file = g_canonicalize_filename(given->token_file, NULL);
    g_autofree char *work_dir = g_canonicalize_filename(given->work_dir, NULL);
    g_autoptr(GString) yaml = g_string_new(NULL);
    add_line(yaml, "server", given->server);
    add_line(yaml, "token_file", token_file);
    add_line(yaml, "work_dir", work_dir);
    /* Code under test has the caller's rights, so git may have them: no other user could enter a
     * folder in the caller's home. */
    if (settings->command == RUN_COMMAND_MEASURE && geteuid() == 0)
        add_line(yaml, "git_user", "root");
    int fd = memfd_create("command-line.yaml", MFD_CLOEXEC);
    if (fd < 0 || write(fd, yaml->str, yaml->len) != (ssize_t)yaml->len) {
        run_fail(error, RUN_ERROR_NODE, "cannot read the options: %s", g_strerror(errno));
        return NULL;
    }
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    cfg_runner *config = cfg_runner_load(path, error);
    close(fd);
    return config;
}

static void replace(char **field, const char *value, bool is_path) {
    if (value) {
        g_free(*field);
        *field = is_path ? g_canonicalize_filename(value, NULL) : g_strdup(value);
    }
}

static bool take_measurement(arguments *given, run_settings *settings, GError **error) {
    if (settings->command != RUN_COMMAND_MEASURE)
        return true;
    guint64 loops = 0, rest_s = 0;
    if (!given->project || !given->commit || !given->results)
        return wrong(error, "measure needs", "--project, --commit and --results");
    if (given->loops && !cfg_number_unsigned(given->loops, 1, CFG_LOOPS_MAX, &loops))
        return wrong(error, "--loops: not a number of loops:", given->loops);
    if (given->rest && !cfg_number_unsigned(given->rest, 0, CFG_REST_MAX_S, &rest_s))
        return wrong(error, "--rest: not a number of seconds from 0 to 3600:", given->rest);
    /* From `moowatch run`: an address may hold a password, and everybody can read arguments. */
    settings->results_dir = g_canonicalize_filename(given->results, NULL);
    settings->rest_s = (unsigned)rest_s;
    const char *repository =
        given->repository ? given->repository : g_getenv("MOOWATCH_REPOSITORY");
    settings->measurement = (run_measurement){.project = given->project,
                                              .commit = given->commit,
                                              .before = given->before,
                                              .repository = repository,
                                              .loops = (unsigned)loops,
                                              .rest_s = given->rest ? &settings->rest_s : NULL};
    given->work_dir = cfg_kept(g_build_filename(settings->results_dir, "work", NULL));
    return true;
}

/* One question to the server takes no longer than that, either. */
static bool take_wait(const arguments *given, run_settings *settings, GError **error) {
    guint64 wait_s = 0;
    if (!given->wait)
        return true;
    if (!given->once)
        return wrong(error, "--wait goes with", "--once");
    if (!cfg_number_unsigned(given->wait, 1, WAIT_MAX_S, &wait_s))
        return wrong(error, "--wait: not a number of seconds from 1 to 604800:", given->wait);
    settings->wait_s = (unsigned)wait_s;
    settings->config->poll_wait_s = MIN(settings->config->poll_wait_s, settings->wait_s);
    return true;
}

bool run_settings_parse(int argc, char **argv, run_settings *settings, GError **error) {
    *settings = (run_settings){0};
    line = (arguments){0};
    if (!read_arguments(argc, argv, settings, error))
        return false;
    if (settings->help || settings->version)
        return true;
    if (!take_measurement(&line, settings, error))
        return false;
    settings->config =
        line.config ? cfg_runner_load(line.config, error) : load_options(&line, settings, error);
    if (!settings->config)
        return false;
    if (!line.config && settings->command != RUN_COMMAND_WORK)
        g_clear_pointer(&settings->config->server, g_free); /* nobody's */
    replace(&settings->config->server, line.server, false);
    replace(&settings->config->node, line.node, false);
    replace(&settings->config->token_file, line.token_file, true);
    replace(&settings->config->work_dir, line.work_dir, true);
    replace(&settings->config->harness_dir, line.harness_dir, true);
    replace(&settings->config->path, line.path, false);
    if (!cfg_runner_path_check(settings->config->path))
        return wrong(error, "--path: not absolute folders with colons between them:", line.path);
    return take_wait(&line, settings, error);
}

void run_settings_clear(run_settings *settings) {
    g_clear_pointer(&settings->config, cfg_runner_free);
    g_clear_pointer(&settings->help, g_free);
    g_clear_pointer(&settings->results_dir, g_free);
}

char *run_settings_token(const char *path, GError **error) {
    struct stat status;
    char text[TOKEN_BYTES_MAX + 1];
    g_auto(run_fd) fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, TOKEN_BYTES_MAX) : -1;
    if (length < 0 || fstat(fd, &status) != 0) {
        run_fail(error, RUN_ERROR_NODE, "token_file %s: %s", path, g_strerror(errno));
        return NULL;
    }
    text[length] = '\0';
    if ((status.st_mode & (S_IROTH | S_IWOTH)) != 0) {
        explicit_bzero(text, sizeof text);
        run_wrong(error, "token_file %s: open to other users; chmod 600 it", path);
        return NULL;
    }
    char *token = g_strdup(g_strstrip(text));
    explicit_bzero(text, sizeof text);
    return token;
}
