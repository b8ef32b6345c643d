/* moowatch submit PROJECT COMMIT - ask the server to measure a commit. */
#include "ci/command/client.h"
#include "ci/command/pull.h"
#include "ci/command/revision.h"
#include "config/json_text.h"
#include "config/number.h"

#include <stdio.h>

static bool hand_in(ci_client *client, const char *project, const char *commit, const char *file,
                    const char *name, GError **error) {
    if (!cfg_is_commit(commit))
        return ci_misused(error, "--artifact needs the full commit id, as git rev-parse prints it");
    g_autofree char *own_name = g_path_get_basename(file);
    g_autofree char *folder = ci_client_path("projects", project, "artifacts");
    GString *path = g_string_new(folder);
    g_string_append_printf(path, "/%s/", commit);
    g_string_append_uri_escaped(path, name ? name : own_name, NULL, FALSE);
    json_auto_t *answer = ci_client_put_file(client, path->str, file, error);
    g_string_free(path, TRUE);
    return answer != NULL;
}

/* what: "jobs" or "sweeps" */
static json_t *submit(ci_client *client, const char *project, const char *what, const char *commit,
                      const char *night, GError **error) {
    g_autofree char *path = ci_client_path("projects", project, what);
    json_auto_t *body = json_pack("{s:s, s:s*}", "commit", commit, "night", night);
    return ci_client_post(client, path, body, "COMMIT", error);
}

/* What is to be done: a night, a sweep, or (merge_base) a comparison, for which a merge may wait.
 */
typedef struct {
    gboolean sweep, merge_base, merge_queue, json;
    gint wait_s;
    const char *night;
} wish;

static bool wish_check(const wish *w, GError **error) {
    if (w->sweep && (w->wait_s > 0 || w->night))
        ci_misused(
            error,
            "--sweep measures no night and makes several jobs: leave out --night and --wait");
    else if (w->merge_queue && !w->merge_base)
        ci_misused(error, "--merge-queue needs --against-merge-base");
    else if (w->merge_base && (w->sweep || w->night))
        ci_misused(error, "--against-merge-base measures no night: leave out --night and --sweep");
    else
        return true;
    return false;
}

static void against_merge_base(ci_client *client, const char *project, const char *commit,
                               const wish *w, GError **error) {
    const json_int_t number = ci_pull_ask(client, project, commit, w->merge_queue, error);
    json_auto_t *pull = number != 0 && w->wait_s > 0
                            ? ci_pull_wait(client, number, (unsigned)w->wait_s, error)
                            : NULL;
    if (number == 0 || *error)
        return;
    const bool good = !pull || ci_pull_ended(pull, error);
    if (w->json && pull)
        ci_print_json(pull);
    else if (w->json)
        (void)printf("{\"pull_request\":%" JSON_INTEGER_FORMAT "}\n", number);
    else if (good)
        (void)printf("%" JSON_INTEGER_FORMAT "\n", number);
}

static void night_or_sweep(ci_client *client, const char *project, const char *commit,
                           const wish *w, GError **error) {
    json_auto_t *job =
        submit(client, project, w->sweep ? "sweeps" : "jobs", commit, w->night, error);
    const json_int_t number = cfg_json_integer(job, w->sweep ? "sweep" : "job");
    if (job && w->wait_s > 0) {
        json_t *ended = ci_job_wait(client, number, (unsigned)w->wait_s, error);
        json_decref(job);
        job = ended;
        if (job)
            (void)ci_job_ended(job, error);
    }
    if (job && w->json)
        ci_print_json(job);
    else if (job && !*error)
        (void)printf("%" JSON_INTEGER_FORMAT "\n", number);
}

static const ci_usage usage = {
    .synopsis = "submit PROJECT COMMIT",
    .description = "Asks the server to measure a commit and prints the job's number;\n"
                   "with --sweep at all values of the project's benchmark.sweep, and\n"
                   "prints the sweep's number; with --against-merge-base in turn with its\n"
                   "merge base, and prints the pull request's number.",
    .least = 2,
    .most = 2};

static ci_exit run_submit(int argc, char **argv, GError **error) {
    wish w = {0};
    g_autofree char *commit = NULL;
    char *night = NULL, *artifact = NULL, *name = NULL;
    ci_client_options options = {0};
    const GOptionEntry entries[] = {
        CI_STRING("night", &night, "Keep it as the night of this date", "YYYY-MM-DD"),
        {"artifact", 'a', 0, G_OPTION_ARG_FILENAME, &artifact,
         "Upload what was built from the commit first", "FILE"},
        CI_STRING("name", &name, "Name of the artifact (default: FILE's)", "NAME"),
        CI_FLAG("sweep", &w.sweep, "Measure it at every value of the sweep"),
        CI_FLAG("against-merge-base", &w.merge_base, "Measure it in turn with its merge base"),
        CI_FLAG("merge-queue", &w.merge_queue,
                "A merge waits for it: today, and at once where its files were measured"),
        {"wait", 'w', 0, G_OPTION_ARG_INT, &w.wait_s, "Wait up to S seconds until it has ended",
         "S"},
        CI_FLAG("json", &w.json, "Print the answer as JSON; with --wait, what it waited for"),
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(ci_client) client = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, error)) {
        w.night = night;
        if (wish_check(&w, error) &&
            (commit = artifact ? g_strdup(argv[2]) : ci_revision_given(argv[2], error)))
            client = ci_client_new(&options, error);
    }
    if (client && (!artifact || hand_in(client, argv[1], commit, artifact, name, error))) {
        if (w.merge_base)
            against_merge_base(client, argv[1], commit, &w, error);
        else
            night_or_sweep(client, argv[1], commit, &w, error);
    }
    return CI_OK;
}

const ci_command ci_command_submit = {"submit", "ask the server to measure a commit", run_submit};
