/*
 * moowatchd - takes the nights' commits, has them measured, judges and shows them.
 * This file reads the command line, waits for signals, and leaves everything else to daemon.h.
 */
#include "config/log.h"
#include "config/options.h"
#include "config/shown.h"
#include "config/version.h"
#include "server/command/command.h"
#include "server/daemon.h"
#include "server/git/fetch.h"

#include <errno.h>
#include <gio/gio.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

typedef struct {
    char *config;
    gboolean with_runner;
    gboolean check;
    gboolean check_bucket;
    gboolean version;
    bool tries; /* says what to look at */
} options;

static char *own_path(void) {
    g_autoptr(GError) error = NULL;
    char *path = g_file_read_link("/proc/self/exe", &error);
    if (!path)
        cfg_complain("moowatchd: /proc/self/exe", error->message);
    return path;
}

/* Becomes the runner, which ends when the daemon does, however that happens. */
static int runner_helper(const char *program, const char *config) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == 1)
        return 1;
    execl(program, program, "--config", config, (char *)NULL);
    perror(program);
    return 127;
}

static void file_check(GPtrArray *to, const char *project, const char *key, const char *path) {
    if (path && access(path, R_OK) != 0)
        g_ptr_array_add(
            to, g_strdup_printf("%s: notify: %s: %s: %s", project, key, path, g_strerror(errno)));
}

static void rule_check(GPtrArray *to, const cfg_server *server, const char *project,
                       const cfg_notify *rule) {
    file_check(to, project, "url_file", rule->url_file);
    file_check(to, project, "secret_file", rule->secret_file);
    if (rule->via == CFG_NOTIFY_MAIL && !server->mail.from)
        g_ptr_array_add(to, g_strdup_printf("%s: notify: via mail, but the server's file has no "
                                            "mail:",
                                            project));
}

/* What --check tells though it is no error: what is left to do in a project's file, secret files
 * that this user cannot read, mail without a server for it, links that lead readers to their own
 * machine. Lines for people, each owned. projects: [cfg_project *] */
static GPtrArray *doubts_of(const cfg_server *server, const GPtrArray *projects) {
    GPtrArray *to = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *own = g_strdup_printf("http://%s:%u", server->listen, server->port);
    bool tells = false;
    for (guint p = 0; p < projects->len; p++) {
        const cfg_project *project = projects->pdata[p];
        if (project->main) /* the same file */
            continue;
        for (char **told = project->unfinished; told && *told; told++)
            g_ptr_array_add(to, g_strdup(*told));
        for (unsigned i = 0; i < project->notify_count; i++)
            rule_check(to, server, project->name, &project->notify[i]);
        tells = tells || project->notify_count > 0;
    }
    if (tells && g_str_equal(server->public_url, own))
        g_ptr_array_add(to, g_strdup_printf("public_url is not set: messages link to %s", own));
    return to;
}

static int check(const cfg_server *config) {
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_catalog) catalog = srv_catalog_load(config->projects_dir, &error);
    if (!catalog) {
        cfg_complain("moowatchd", error->message);
        return 1;
    }
    for (guint i = 0; i < catalog->problems->len; i++) {
        g_autofree char *problem = cfg_shown(g_ptr_array_index(catalog->problems, i));
        fprintf(stderr, "%s\n", problem);
    }
    g_autoptr(GPtrArray) doubts = doubts_of(config, catalog->projects);
    for (guint i = 0; i < doubts->len; i++) {
        g_autofree char *doubt = cfg_shown(g_ptr_array_index(doubts, i));
        fprintf(stderr, "warning: %s\n", doubt);
    }
    guint branches = 0; /* kept like projects, each of one that is counted */
    for (guint i = 0; i < catalog->projects->len; i++)
        branches += ((const cfg_project *)g_ptr_array_index(catalog->projects, i))->main != NULL;
    printf("valid projects: %u", catalog->projects->len - branches);
    if (branches > 0)
        printf(" (with %u further branch%s)", branches, branches == 1 ? "" : "es");
    printf(", invalid: %u\n", catalog->problems->len);
    return catalog->problems->len > 0 ? 1 : 0;
}

static int check_bucket(const cfg_server *config) {
    g_autoptr(GError) error = NULL;
    if (!srv_command_bucket(config, &error)) {
        cfg_complain("moowatchd", error->message);
        return 1;
    }
    puts("the bucket stores files and returns them unchanged");
    return 0;
}

static void block(sigset_t *signals) {
    sigemptyset(signals);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, signals, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* What the server's file holds; NULL: it cannot be read. Owned. */
static char *digest_of(const char *path) {
    g_autofree char *text = NULL;
    gsize size = 0;
    return g_file_get_contents(path, &text, &size, NULL)
               ? g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, size)
               : NULL;
}

/* A reload reads the projects alone: who changed the server's file is told what that needs. */
static void tell_of_own_file(const char *path) {
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_server) config = cfg_server_load(path, &error);
    if (config)
        cfg_log("warning", "config", "restart_needed", "file=%s reason=%s next=%s", path,
                "it was changed, and a reload reads only the project files", "restart moowatchd");
    else
        cfg_log("error", "config", "server_file_wrong", "reason=%s next=%s", error->message,
                "correct it: moowatchd would not start again; until then it goes on as it was");
}

static void wait_for_end(srv_app *app, const sigset_t *signals, const char *path) {
    g_autofree char *started_with = digest_of(path);
    for (;;) {
        int number = 0;
        if (sigwait(signals, &number) != 0)
            continue;
        if (number != SIGHUP) {
            cfg_log("info", "app", "ending", "signal=%s", number == SIGINT ? "INT" : "TERM");
            return;
        }
        g_autoptr(GError) error = NULL;
        g_autofree char *now = digest_of(path);
        const bool is_whole = g_strcmp0(now, started_with) == 0;
        if (!srv_daemon_reload(app, is_whole, &error))
            cfg_log("error", "config", "not_reloaded", "reason=%s", error->message);
        if (!is_whole)
            tell_of_own_file(path);
    }
}

/* Thousands of nights become a hundred megabytes of small JSON values for a moment, which is to go
 * back to the system. */
static void memory_setup(void) {
    enum { ARENAS = 2, LEFT_OVER_MAX = 128 << 10 };
    mallopt(M_ARENA_MAX, ARENAS); /* each keeps its own leftovers; the threads hardly meet */
    mallopt(M_MMAP_THRESHOLD, LEFT_OVER_MAX); /* fixed: else it grows, and large blocks stay */
    mallopt(M_TRIM_THRESHOLD, LEFT_OVER_MAX);
}

static int serve(const cfg_server *config, const options *o) {
    g_autoptr(GError) error = NULL;
    g_autofree char *program = own_path();
    sigset_t signals;
    if (!program)
        return 1;
    block(&signals);
    memory_setup();
    srv_daemon_options daemon_options = {
        .program = program, .commit = cfg_version_commit(), .with_runner = o->with_runner};
    srv_app *app = srv_daemon_start(config, &daemon_options, &error);
    if (!app) {
        cfg_complain("moowatchd", error->message);
        return 1;
    }
    cfg_log("info", "app", "listening", "url=%s", srv_http_url(app->http));
    printf("%s/\n", srv_http_url(app->http));
    fflush(stdout);
    if (o->tries)
        srv_try_tell(config, srv_http_url(app->http));
    wait_for_end(app, &signals, o->config);
    srv_daemon_stop(app);
    return 0;
}

static int try_command(int argc, char **argv) {
    g_autofree char *program = own_path(), *folder = NULL;
    sigset_t signals;
    int status = 1;
    block(&signals); /* whoever ends it while it reads leaves no folder behind */
    g_autoptr(cfg_server) config =
        program ? srv_try_open(argc, argv, program, &folder, &status) : NULL;
    if (config) {
        g_autofree char *path = g_build_filename(folder, "moowatchd.yaml", NULL);
        const options o = {.config = path, .tries = true};
        status = serve(config, &o);
    }
    if (folder)
        srv_try_end(folder);
    return status;
}

static const char more_help[] =
    "Tokens:\n"
    "  moowatchd token add --config FILE --name NAME --scope read|submit|run|admin|"
    "runner\n"
    "  moowatchd token list --config FILE\n"
    "  moowatchd token rotate --config FILE --name NAME\n"
    "  moowatchd token bind --config FILE --name NAME --node NODE\n"
    "  moowatchd token revoke --config FILE --name NAME\n"
    "Export and import (docs/export.md):\n"
    "  moowatchd export --config FILE --project NAME > project.jsonl\n"
    "  moowatchd import --config FILE [--project NAME] < project.jsonl\n"
    "Backup:\n  moowatchd backup --config FILE --to FOLDER\n"
    "  moowatchd restore --config FILE --from FOLDER\n"
    "Into another database (docs/scale.md):\n"
    "  moowatchd migrate --config FILE --to postgresql:...\n"
    "What of the raw data stays, and why (docs/operate.md):\n"
    "  moowatchd storage --config FILE\n"
    "A site of files (docs/site.md):\n"
    "  moowatchd site DIR --config FILE | --export FILE\n"
    "Look at histories that are here already (docs/install.md):\n"
    "  moowatchd try [EXPORT...]\n"
    "Messages:\n"
    "  moowatchd notify --config FILE --project NAME\n\n"
    "SIGHUP reloads the projects, SIGTERM stops the server. See docs/operate.md.\n";

static int daemon_command(int argc, char **argv) {
    options o = {0};
    const GOptionEntry entries[] = {
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &o.config, "The server's YAML file", "FILE"},
        {"with-runner", 0, 0, G_OPTION_ARG_NONE, &o.with_runner,
         "Also run moowatch-runner on this machine", NULL},
        {"check", 0, 0, G_OPTION_ARG_NONE, &o.check, "Only check all YAML files", NULL},
        {"check-bucket", 0, 0, G_OPTION_ARG_NONE, &o.check_bucket,
         "Only write an object into the bucket, and read it", NULL},
        {"version", 0, 0, G_OPTION_ARG_NONE, &o.version, "Print the version", NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_autoptr(GOptionContext) context =
        g_option_context_new("- watch the overhead of monitoring frameworks");
    g_autoptr(GError) error = NULL;
    g_option_context_add_main_entries(context, entries, NULL);
    g_option_context_set_description(context, more_help);
    int status = 2;
    const bool good = g_option_context_parse(context, &argc, &argv, &error);
    cfg_options_keep(entries);
    if (!good) {
        cfg_complain("moowatchd", error->message);
    } else if (o.version) {
        cfg_version_print("moowatchd");
        status = 0;
    } else if (!o.config || argc > 1) {
        fprintf(stderr, "usage: moowatchd --config FILE [--with-runner] [--check]; see --help\n");
    } else {
        g_autoptr(cfg_server) config = cfg_server_load(o.config, &error);
        if (!config) {
            cfg_complain("moowatchd", error->message);
            status = 1;
        } else {
            status = o.check          ? check(config)
                     : o.check_bucket ? check_bucket(config)
                                      : serve(config, &o);
        }
    }
    return status;
}

/* argv[0] is the command; each returns the exit status. */
static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"token", srv_token_command},
                {"export", srv_project_command},
                {"import", srv_project_command},
                {"backup", srv_backup_command},
                {"restore", srv_restore_command},
                {"migrate", srv_migrate_command},
                {"storage", srv_storage_command},
                {"site", srv_site_command},
                {"try", try_command},
                {"notify", srv_notify_command}};

/* Which commands there are. */
static int unknown(const char *name) {
    fprintf(stderr, "moowatchd: unknown command %s; commands are ", name);
    for (size_t i = 0; i < G_N_ELEMENTS(commands); i++)
        fprintf(stderr, "%s%s", i > 0 ? ", " : "", commands[i].name);
    fputs(". Without a command it serves: moowatchd --config FILE. See --help\n", stderr);
    return 2;
}

int main(int argc, char **argv) {
    (void)setlocale(LC_CTYPE, ""); /* the help has letters beyond ASCII */
    if (argc == 2 && strcmp(argv[1], "--fetch-helper") == 0)
        return srv_fetch_helper_main();
    if (argc == 4 && strcmp(argv[1], "--runner-helper") == 0)
        return runner_helper(argv[2], argv[3]);
    for (size_t i = 0; argc > 1 && i < G_N_ELEMENTS(commands); i++)
        if (g_str_equal(argv[1], commands[i].name))
            return commands[i].run(argc - 1, argv + 1);
    if (argc > 1 && argv[1][0] != '-')
        return unknown(argv[1]);
    return daemon_command(argc, argv);
}
