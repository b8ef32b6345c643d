#include "runner/settings.h"

#include "runner/ground/error.h"
#include "runner/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TOKEN_BYTES_MAX 4096

const char run_settings_help[] =
    "Usage: moowatch-runner --config FILE [OPTION…]\n"
    "       moowatch-runner --server URL --token-file FILE --work-dir DIR [OPTION…]\n"
    "       moowatch-runner doctor [--config FILE]\n"
    "       moowatch-runner restore --config FILE\n"
    "       moowatch-runner measure --project FILE --commit ID --results DIR [OPTION…]\n"
    "Leases jobs from a moowatch server and measures them on this node. doctor tells what the "
    "node\n"
    "is like and what would make it quieter; restore puts back what a killed runner had tuned;\n"
    "measure runs one experiment without a server (moowatch run calls it).\n\n"
    "  --config FILE       settings in YAML (docs/configure.md); the options below win\n"
    "  --server URL        http:// or https:// address of the server\n"
    "  --node NAME         name of this node (default: host name)\n"
    "  --token-file FILE   the runner token, readable by the agent alone\n"
    "  --work-dir DIR      spool, mirrors, checkouts\n"
    "  --harness-dir DIR   where moobench and moobench.jar are\n"
    "  --once              end after one job (exit status 1 when it failed)\n"
    "  --help, --version\n"
    "Of measure:\n"
    "  --project FILE      the project's file (docs/configure.md)\n"
    "  --commit ID         full id of the commit\n"
    "  --results DIR       where the raw files go\n"
    "  --against ID        an older commit, measured in turn with it\n"
    "  --repository URL    instead of the project's\n"
    "  --loops N           instead of the project's\n";

typedef struct {
    char *config, *server, *node, *token_file, *work_dir, *harness_dir;
    char *project, *commit, *results, *against, *repository, *loops; /* of measure */
} arguments;

static void clear_arguments(arguments *given) {
    g_free(given->config);
    g_free(given->server);
    g_free(given->node);
    g_free(given->token_file);
    g_free(given->work_dir);
    g_free(given->harness_dir);
    g_free(given->project);
    g_free(given->commit);
    g_free(given->results);
    g_free(given->against);
    g_free(given->repository);
    g_free(given->loops);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(arguments, clear_arguments)

static bool wrong(GError **error, const char *what, const char *argument) {
    g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "%s %s; see --help", what, argument);
    return false;
}

static char **find_argument(arguments *given, const char *name) {
    const struct {
        const char *name;
        char **value;
    } known[] = {{"--config", &given->config},     {"--server", &given->server},
                 {"--node", &given->node},         {"--token-file", &given->token_file},
                 {"--work-dir", &given->work_dir}, {"--harness-dir", &given->harness_dir},
                 {"--project", &given->project},   {"--commit", &given->commit},
                 {"--results", &given->results},   {"--against", &given->against},
                 {"--loops", &given->loops},       {"--repository", &given->repository}};
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (strcmp(known[i].name, name) == 0)
            return known[i].value;
    return NULL;
}

static bool read_arguments(int argc, char **argv, arguments *given, run_settings *settings,
                           GError **error) {
    for (int i = 1; i < argc; i++) {
        if (i == 1 && strcmp(argv[i], "doctor") == 0) {
            settings->command = RUN_COMMAND_DOCTOR;
        } else if (i == 1 && strcmp(argv[i], "restore") == 0) {
            settings->command = RUN_COMMAND_RESTORE;
        } else if (i == 1 && strcmp(argv[i], "measure") == 0) {
            settings->command = RUN_COMMAND_MEASURE;
        } else if (strcmp(argv[i], "--once") == 0) {
            settings->once = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            settings->help = true;
        } else if (strcmp(argv[i], "--version") == 0) {
            settings->version = true;
        } else {
            g_autofree char *name = g_strndup(argv[i], strcspn(argv[i], "="));
            char **value = find_argument(given, name);
            const char *text = strchr(argv[i], '=') ? strchr(argv[i], '=') + 1 : argv[i + 1];
            if (!value)
                return wrong(error, "unknown option", argv[i]);
            if (!text || text[0] == '\0')
                return wrong(error, "a value is missing after", name);
            i += !strchr(argv[i], '=');
            g_free(*value);
            *value = g_strdup(text);
        }
    }
    return true;
}

static void add_line(GString *yaml, const char *key, const char *value) {
    if (value) {
        json_t *text = json_string(value);
        char *quoted = json_dumps(text, JSON_ENCODE_ANY); /* a JSON string is a YAML one */
        g_string_append_printf(yaml, "%s: %s\n", key, quoted);
        free(quoted);
        json_decref(text);
    }
}

/* Options alone are read as if they stood in a file: one place knows the defaults and bounds. */
static cfg_runner *load_options(const arguments *given, const run_settings *settings,
                                GError **error) {
    static char server[] = "http://localhost", none[] = "/nonexistent";
    static const arguments nobody = {.server = server, .token_file = none, .work_dir = none};
    if (settings->command == RUN_COMMAND_DOCTOR || settings->command == RUN_COMMAND_MEASURE)
        given = &nobody; /* they talk to no server; what measure writes goes to its results */
    if (!given->server || !given->token_file || !given->work_dir) {
        wrong(error, "needed: --config, or", "--server, --token-file and --work-dir");
        return NULL;
    }
    g_autofree char *token_file = g_canonicalize_filename(given->token_file, NULL);
    g_autofree char *work_dir = g_canonicalize_filename(given->work_dir, NULL);
    g_autoptr(GString) yaml = g_string_new(NULL);
    add_line(yaml, "server", given->server);
    add_line(yaml, "token_file", token_file);
    add_line(yaml, "work_dir", work_dir);
    int fd = memfd_create("command-line.yaml", MFD_CLOEXEC);
    if (fd < 0 || write(fd, yaml->str, yaml->len) != (ssize_t)yaml->len) {
        g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "cannot read the options: %s",
                    g_strerror(errno));
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
    const bool measure = settings->command == RUN_COMMAND_MEASURE;
    if (!measure) {
        return !given->project && !given->commit && !given->results && !given->against &&
                       !given->repository && !given->loops
                   ? true
                   : wrong(error, "only measure takes", "a project, commits, results and loops");
    }
    guint64 loops = 0;
    if (!given->project || !given->commit || !given->results)
        return wrong(error, "measure needs", "--project, --commit and --results");
    if (given->loops &&
        !g_ascii_string_to_unsigned(given->loops, 10, 1, RUN_LOOPS_MAX, &loops, NULL))
        return wrong(error, "--loops: no number of loops:", given->loops);
    settings->results_dir = g_canonicalize_filename(given->results, NULL);
    settings->measurement = (run_measurement){.project = g_steal_pointer(&given->project),
                                              .commit = g_steal_pointer(&given->commit),
                                              .against = g_steal_pointer(&given->against),
                                              .repository = g_steal_pointer(&given->repository),
                                              .loops = (unsigned)loops};
    g_free(given->work_dir);
    given->work_dir = g_build_filename(settings->results_dir, "work", NULL);
    return true;
}

bool run_settings_parse(int argc, char **argv, run_settings *settings, GError **error) {
    *settings = (run_settings){0};
    g_auto(arguments) given = {0};
    if (!read_arguments(argc, argv, &given, settings, error))
        return false;
    if (settings->help || settings->version)
        return true;
    if (!take_measurement(&given, settings, error))
        return false;
    settings->config =
        given.config ? cfg_runner_load(given.config, error) : load_options(&given, settings, error);
    if (!settings->config)
        return false;
    replace(&settings->config->server, given.server, false);
    replace(&settings->config->node, given.node, false);
    replace(&settings->config->token_file, given.token_file, true);
    replace(&settings->config->work_dir, given.work_dir, true);
    replace(&settings->config->harness_dir, given.harness_dir, true);
    return true;
}

void run_settings_clear(run_settings *settings) {
    g_clear_pointer(&settings->config, cfg_runner_free);
    g_clear_pointer(&settings->results_dir, g_free);
    g_clear_pointer(&settings->measurement.project, g_free);
    g_clear_pointer(&settings->measurement.commit, g_free);
    g_clear_pointer(&settings->measurement.against, g_free);
    g_clear_pointer(&settings->measurement.repository, g_free);
}

char *run_settings_token(const char *path, GError **error) {
    struct stat status;
    char text[TOKEN_BYTES_MAX + 1];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, text, TOKEN_BYTES_MAX) : -1;
    if (length < 0 || fstat(fd, &status) != 0)
        g_set_error(error, RUN_ERROR, RUN_ERROR_NODE, "token_file %s: %s", path, g_strerror(errno));
    if (fd >= 0)
        close(fd);
    if (length < 0)
        return NULL;
    text[length] = '\0';
    if ((status.st_mode & (S_IROTH | S_IWOTH)) != 0) {
        explicit_bzero(text, sizeof text);
        g_set_error(error, RUN_ERROR, RUN_ERROR_JOB,
                    "token_file %s: open to other users; chmod 600 it", path);
        return NULL;
    }
    char *token = g_strdup(g_strstrip(text));
    explicit_bzero(text, sizeof text);
    return token;
}
