/* moowatch-runner - settings → agent. */
#include "runner/agent.h"
#include "runner/settings.h"
#include "runner/stop.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static int fail(const GError *problem) {
    fprintf(stderr, "moowatch-runner: %s\n", problem->message);
    return 2;
}

static int run(const run_settings *settings) {
    g_autoptr(GError) problem = NULL;
    int stop_fd = run_stop_open(&problem);
    char *token = stop_fd >= 0 ? run_settings_token(settings->config->token_file, &problem) : NULL;
    if (token == NULL) {
        return fail(problem);
    }
    run_client *client = run_client_new(settings->config->server, token, stop_fd, &problem);
    explicit_bzero(token, strlen(token));
    g_free(token);
    if (client == NULL) {
        return fail(problem);
    }
    run_node node;
    int status = 0;
    if (run_node_init(&node, settings->config, client, stop_fd, &problem)) {
        status = run_agent(&node, settings->once);
    } else {
        status = fail(problem);
    }
    run_node_clear(&node);
    return status;
}

int main(int argc, char **argv) {
    g_autoptr(GError) problem = NULL;
    run_settings settings;
    signal(SIGPIPE, SIG_IGN);
    int status = 0;
    if (!run_settings_parse(argc, argv, &settings, &problem)) {
        status = fail(problem);
    } else if (settings.help) {
        fputs(run_settings_help, stdout);
    } else if (settings.version) {
        puts("moowatch-runner " MOOWATCH_VERSION);
    } else {
        status = run(&settings);
    }
    run_settings_clear(&settings);
    return status;
}
