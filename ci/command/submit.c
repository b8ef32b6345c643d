/* moowatch submit PROJECT COMMIT - ask the server to measure a commit. */
#include "ci/command/job.h"

#include <stdio.h>
#include <string.h>

/* The id that the server files an artifact under is the whole one. */
static bool is_full_id(const char *commit) {
    const size_t digits = strlen(commit);
    return (digits == 40 || digits == 64) && strspn(commit, "0123456789abcdef") == digits;
}

static bool hand_in(ci_client *client, const char *project, const char *commit, const char *file,
                    const char *name, GError **error) {
    if (!is_full_id(commit)) {
        g_set_error(error, CI_ERROR, CI_ERROR_USAGE,
                    "--artifact needs the full commit id, as git rev-parse prints it");
        return false;
    }
    g_autofree char *own_name = g_path_get_basename(file);
    g_autofree char *folder = ci_client_path("projects", project, "artifacts");
    GString *path = g_string_new(folder);
    g_string_append_printf(path, "/%s/", commit);
    g_string_append_uri_escaped(path, name ? name : own_name, NULL, FALSE);
    json_t *answer = ci_client_put_file(client, path->str, file, error);
    g_string_free(path, TRUE);
    json_decref(answer);
    return answer != NULL;
}

/* what: "jobs" or "sweeps" */
static json_t *submit(ci_client *client, const char *project, const char *what, const char *commit,
                      const char *night, GError **error) {
    g_autofree char *path = ci_client_path("projects", project, what);
    json_t *body = json_pack("{s:s}", "commit", commit);
    if (body && night)
        json_object_set_new(body, "night", json_string(night));
    json_t *answer = body ? ci_client_post(client, path, body, error) : NULL;
    if (!body)
        g_set_error(error, CI_ERROR, CI_ERROR_USAGE, "COMMIT is not UTF-8 text");
    json_decref(body);
    return answer;
}

static const ci_usage usage = {
    .synopsis = "submit PROJECT COMMIT",
    .description = "Asks the server to measure a commit and prints the job's number;\n"
                   "with --sweep at all values of the project's benchmark.sweep, and\n"
                   "prints the sweep's number.",
    .least = 2,
    .most = 2};

ci_exit ci_submit(int argc, char **argv) {
    gboolean json = FALSE, sweep = FALSE;
    gint wait_s = 0;
    g_autofree char *night = NULL, *artifact = NULL, *name = NULL;
    g_auto(ci_client_options) options = {0};
    const GOptionEntry entries[] = {
        {"night", 0, 0, G_OPTION_ARG_STRING, &night, "Count it as this night", "YYYY-MM-DD"},
        {"artifact", 'a', 0, G_OPTION_ARG_FILENAME, &artifact,
         "Upload what was built from the commit first", "FILE"},
        {"name", 0, 0, G_OPTION_ARG_STRING, &name, "Name of the artifact (default: FILE's)",
         "NAME"},
        {"sweep", 0, 0, G_OPTION_ARG_NONE, &sweep, "Measure it at every value of the sweep", NULL},
        {"wait", 'w', 0, G_OPTION_ARG_INT, &wait_s, "Wait up to S seconds for the job to end", "S"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "The answer (with --wait: the job) as JSON", NULL},
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_client) client = NULL;
    json_auto_t *job = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, &error)) {
        if (sweep && (wait_s > 0 || night))
            g_set_error(&error, CI_ERROR, CI_ERROR_USAGE,
                        "--sweep is no night and has several jobs: leave out --night and --wait");
        else
            client = ci_client_new(&options, &error);
    }
    if (client && (!artifact || hand_in(client, argv[1], argv[2], artifact, name, &error)))
        job = submit(client, argv[1], sweep ? "sweeps" : "jobs", argv[2], night, &error);
    const json_int_t number = json_integer_value(json_object_get(job, sweep ? "sweep" : "job"));
    if (job && wait_s > 0) {
        json_t *ended = ci_job_wait(client, number, (unsigned)wait_s, &error);
        json_decref(job);
        job = ended;
        if (job)
            (void)ci_job_ended(job, &error);
    }
    if (job && json)
        ci_print_json(job);
    else if (job && !error)
        (void)printf("%" JSON_INTEGER_FORMAT "\n", number);
    return error ? ci_fail("submit", error) : CI_OK;
}
