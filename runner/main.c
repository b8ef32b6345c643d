/* moowatch-runner - settings → agent, measure, doctor or restore. */
#include "config/shown.h"
#include "config/version.h"
#include "runner/agent.h"
#include "runner/count/counter.h"
#include "runner/driver/harvest.h"
#include "runner/ground/stop.h"
#include "runner/measure/measure.h"
#include "runner/node/doctor.h"
#include "runner/node/tuning.h"
#include "runner/prepare/unpack.h"
#include "runner/profile/profiler.h"
#include "runner/settings.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define NOISE_MS 2000 /* on each processor */
#define SERVER_S 10
#define NO_JOB RUN_PATH_JOBS "/9007199254740991/resume"

static int fail(const GError *problem) {
    cfg_complain("moowatch-runner", problem->message);
    return 2;
}

static run_client *connect_server(const cfg_runner *config, int stop_fd, GError **error) {
    char *token = run_settings_token(config->token_file, error);
    if (!token)
        return NULL;
    run_client *client = run_client_new(config->server, token, stop_fd, error);
    explicit_bzero(token, strlen(token));
    g_free(token);
    return client;
}

/* Would the server give this node a job? Asked for a job that no server has, so nothing happens. */
static void ask_server(run_doctor *doctor, const cfg_runner *config) {
    g_autoptr(GError) problem = NULL;
    g_autoptr(run_client) client = connect_server(config, -1, &problem);
    g_auto(run_answer) answer = {0};
    json_auto_t *body = json_pack("{s:s, s:s}", "node", config->node, "lease", "doctor");
    const bool answered =
        client && run_client_post(client, NO_JOB, body, SERVER_S, &answer, &problem);
    if (answered && answer.status == 404) {
        doctor->server =
            g_strdup_printf("%s knows the token; this node is %s", config->server, config->node);
        return;
    }
    doctor->server =
        answered ? g_strdup_printf("%s answers %ld: %s (this node is %s)", config->server,
                                   answer.status, answer.detail ? answer.detail : "", config->node)
                 : g_strdup_printf("%s: %s", config->server, problem->message);
    g_ptr_array_add(doctor->unfit, g_strdup("the server gives it no jobs, see above"));
}

static int examine(const run_node *node) {
    run_doctor doctor;
    run_doctor_examine(&doctor, node, "", NOISE_MS);
    if (node->config->server)
        ask_server(&doctor, node->config);
    g_autofree char *path = g_strconcat("PATH=", node->config->path, NULL);
    char *const programs[] = {path, NULL};
    g_autofree char *profilers = run_profiler_words(programs, node->config->work_dir);
    g_autofree char *events = run_kernel_events_words(programs, "");
    doctor.profiles = g_strconcat(profilers, "\n", events, NULL);
    doctor.counts = run_counter_words(programs);
    g_autofree char *text = run_doctor_tell(&doctor);
    g_autofree char *shown = cfg_shown(text); /* names of processes are their own */
    fputs(shown, stdout);
    const int status = doctor.unfit->len > 0 ? 1 : 0;
    run_doctor_clear(&doctor);
    return status;
}

static int restore(const run_node *node) {
    g_autofree char *path = run_node_path(node, RUN_RESTORE_FILE);
    run_tuning_place place = {"", path, NULL};
    printf("%u settings restored\n", run_tuning_recover(&place));
    return 0;
}

static int run(const run_settings *settings) {
    g_autoptr(GError) problem = NULL;
    const bool work = settings->command == RUN_COMMAND_WORK;
    const bool measures = settings->command == RUN_COMMAND_MEASURE;
    int stop_fd = work || measures ? run_stop_open(&problem) : -1;
    run_client *client =
        work && stop_fd >= 0 ? connect_server(settings->config, stop_fd, &problem) : NULL;
    if (problem)
        return fail(problem);
    run_node node;
    int status = 0;
    if (!run_node_init(&node, settings->config, client, stop_fd, &problem)) {
        status = fail(problem);
    } else if (work) {
        status = run_agent(&node, settings->once, settings->wait_s);
    } else if (measures) {
        node.results_dir = settings->results_dir;
        status = run_measure(&node, &settings->measurement);
    } else {
        status = settings->command == RUN_COMMAND_DOCTOR ? examine(&node) : restore(&node);
    }
    run_node_clear(&node);
    return status;
}

int main(int argc, char **argv) {
    g_autoptr(GError) problem = NULL;
    run_settings settings;
    if (argc > 1 && strcmp(argv[1], RUN_UNPACK_COMMAND) == 0)
        return run_unpack_main(argc, argv);
    if (argc > 1 && strcmp(argv[1], RUN_REPORTED_COMMAND) == 0)
        return run_reported_main(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    int status = 0;
    if (!run_settings_parse(argc, argv, &settings, &problem))
        status = fail(problem);
    else if (settings.help)
        fputs(settings.help, stdout);
    else if (settings.version)
        cfg_version_print("moowatch-runner");
    else
        status = run(&settings);
    run_settings_clear(&settings);
    return status;
}
