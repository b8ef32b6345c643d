/* moowatch wait JOB - until a measurement is done. */
#include "ci/command/job.h"

#include "ci/formats/night.h"

#include <stdio.h>

static const ci_usage usage = {
    .synopsis = "wait JOB",
    .description = "Waits until a job has ended. Exit status 3 when it failed, 5 when it took too "
                   "long.",
    .least = 1,
    .most = 1};

ci_exit ci_wait(int argc, char **argv) {
    gboolean json = FALSE;
    gint timeout_s = 7200;
    g_auto(ci_client_options) options = {0};
    const GOptionEntry entries[] = {
        {"timeout", 't', 0, G_OPTION_ARG_INT, &timeout_s, "Seconds to wait (default: 7200)", "S"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "The job as a JSON object", NULL},
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_client) client = NULL;
    gint64 id = 0;
    json_t *job = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, &error) &&
        g_ascii_string_to_signed(argv[1], 10, 1, G_MAXINT64, &id, &error))
        client = ci_client_new(&options, &error);
    if (client)
        job = ci_job_wait(client, id, (unsigned)MAX(timeout_s, 0), &error);
    if (job && json)
        ci_print_json(job);
    if (job && ci_job_ended(job, &error) == CI_OK && !json)
        (void)printf("job %s done: experiment %.0f\n", argv[1], ci_json_real(job, "experiment"));
    json_decref(job);
    if (!error)
        return CI_OK;
    if (error->domain == G_NUMBER_PARSER_ERROR) {
        g_prefix_error(&error, "JOB is a number: ");
        (void)ci_fail("wait", error);
        return CI_USAGE;
    }
    return ci_fail("wait", error);
}
