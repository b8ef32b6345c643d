#include "ci/command/client.h"
#include "ci/command/progress.h"
#include "config/json_text.h"

#include <stdio.h>

/* The shortest night takes minutes: asking more often tells nobody anything sooner. */
#define ASK_EVERY_US (2 * G_USEC_PER_SEC)

json_t *ci_await(ci_client *client, const char *path, const char *name, const ci_awaited *what,
                 unsigned timeout_s, GError **error) {
    const gint64 end = g_get_monotonic_time() + (gint64)timeout_s * G_USEC_PER_SEC;
    for (;;) {
        g_autoptr(GError) wrong = NULL;
        json_auto_t *thing = ci_client_get(client, path, &wrong);
        const gint64 left = end - g_get_monotonic_time();
        const bool over = thing && what->is_over(thing);
        g_autofree char *words = thing && !over ? what->words(thing) : NULL;
        if (over || left <= 0 || (!thing && ci_client_refused(client))) {
            ci_progress_end();
            if (words)
                ci_refuse(error, CI_ERROR_TIMEOUT, "%s %s after %u s: %s; ask again later", name,
                          what->missing, timeout_s, words);
            else if (!over)
                g_propagate_error(error, g_steal_pointer(&wrong));
            return over ? json_incref(thing) : NULL;
        }
        if (words && what->show)
            what->show(thing);
        else if (words)
            ci_progress_words(words);
        g_usleep((gulong)MIN(left, ASK_EVERY_US));
    }
}

static bool has_ended(const json_t *job) {
    const char *state = cfg_json_word(job, "state", "");
    return g_str_equal(state, "done") || g_str_equal(state, "failed") ||
           g_str_equal(state, "cancelled");
}

static void show(const json_t *job) {
    const json_t *progress = json_object_get(job, "progress");
    g_autofree char *text =
        g_strdup_printf("job %.0f %s", cfg_json_number(job, "id"),
                        cfg_json_word(progress, "phase", cfg_json_word(job, "state", "")));
    ci_progress((guint)cfg_json_integer(progress, "done"),
                (guint)cfg_json_integer(progress, "total"), text);
}

static char *state_of(const json_t *job) {
    return g_strdup(cfg_json_word(job, "state", "?"));
}

json_t *ci_job_wait(ci_client *client, json_int_t number, unsigned timeout_s, GError **error) {
    static const ci_awaited what = {"has not ended", has_ended, state_of, show};
    g_autofree char *id = g_strdup_printf("%" JSON_INTEGER_FORMAT, number);
    g_autofree char *path = ci_client_path("jobs", id, NULL);
    g_autofree char *name = g_strconcat("job ", id, NULL);
    return ci_await(client, path, name, &what, timeout_s, error);
}

ci_exit ci_job_ended(const json_t *job, GError **error) {
    const char *state = cfg_json_word(job, "state", "?");
    if (g_str_equal(state, "done"))
        return CI_OK;
    ci_wrong(error, "job %.0f %s: %s", cfg_json_number(job, "id"), state,
             cfg_json_word(job, "error", "no reason given"));
    return CI_INPUT;
}

/* settle - wait until nothing of a project is under way. */

/* Just taken in: nothing is queued because its repository was not asked yet. */
static bool is_unasked(const json_t *project) {
    return cfg_json_number(project, "polled_ms") == 0 && cfg_json_number(project, "nights") == 0 &&
           !cfg_json_word(project, "problem", NULL);
}

/* "1 job queued, 1 trial of two commits waiting to be measured" */
static char *open_words(const json_t *project) {
    g_autoptr(GString) text =
        g_string_new(is_unasked(project) ? "its repository has not been asked yet" : NULL);
    size_t i;
    json_t *word;
    cfg_json_each (project, "open", i, word)
        g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", json_string_value(word));
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static bool is_settled(const json_t *project) {
    return cfg_json_true(project, "settled") && !is_unasked(project);
}

/* As ci_job_wait; the error names what is open. */
static json_t *settle_wait(ci_client *client, const char *name, unsigned timeout_s,
                           GError **error) {
    static const ci_awaited what = {"is not settled", is_settled, open_words, NULL};
    g_autofree char *path = ci_client_path("projects", name, NULL);
    return ci_await(client, path, name, &what, timeout_s, error);
}

static bool wait_for_job(ci_client *client, const char *number, unsigned timeout_s, bool json,
                         GError **error) {
    gint64 id = 0;
    if (!g_ascii_string_to_signed(number, 10, 1, G_MAXINT64, &id, NULL)) {
        g_autofree char *shown = g_utf8_make_valid(number, -1);
        return ci_misused(error, "JOB is the number that moowatch submit has printed, not “%s”",
                          shown);
    }
    json_auto_t *job = ci_job_wait(client, id, timeout_s, error);
    if (!job)
        return false;
    if (json)
        ci_print_json(job);
    const bool done = ci_job_ended(job, error) == CI_OK;
    if (done && !json)
        (void)printf("job %s done: experiment %.0f\n", number, cfg_json_number(job, "experiment"));
    return done;
}

static void print_settled(const char *name, const json_t *project) {
    const double nights = cfg_json_number(project, "nights");
    const double alerts = cfg_json_number(project, "open_alerts");
    (void)printf("%s is settled: %.0f night%s, %.0f open alert%s\n", name, nights,
                 nights == 1 ? "" : "s", alerts, alerts == 1 ? "" : "s");
}

static bool wait_for_project(ci_client *client, const char *name, unsigned timeout_s, bool json,
                             GError **error) {
    json_auto_t *project = settle_wait(client, name, timeout_s, error);
    if (project && json)
        ci_print_json(project);
    else if (project)
        print_settled(name, project);
    return project != NULL;
}

static const ci_usage usage = {
    .synopsis = "wait JOB|--settled PROJECT",
    .description = "Waits until a job has ended, or a project is settled. Exit status 3 when the\n"
                   "job failed, 5 when it took too long.",
    .least = 0,
    .most = 1};

static ci_exit run_wait(int argc, char **argv, GError **error) {
    gboolean json = FALSE;
    gint timeout_s = 7200;
    char *project = NULL;
    ci_client_options options = {0};
    const GOptionEntry entries[] = {
        CI_STRING("settled", &project,
                  "Instead of a job: wait until all work on the project is done", "PROJECT"),
        {"timeout", 't', 0, G_OPTION_ARG_INT, &timeout_s, "Seconds to wait (default: 7200)", "S"},
        CI_FLAG("json", &json, "Print the job or project as a JSON object"),
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(ci_client) client = NULL;
    bool done = false;
    if (ci_parse(&usage, entries, &argc, &argv, error)) {
        if ((argc == 2) == (project != NULL))
            ci_misused(error, "give either the number of a job or --settled PROJECT");
        else
            client = ci_client_new(&options, error);
    }
    const unsigned seconds = (unsigned)MAX(timeout_s, 0);
    if (client)
        done = project ? wait_for_project(client, project, seconds, json, error)
                       : wait_for_job(client, argv[1], seconds, json, error);
    return done ? CI_OK : CI_INPUT;
}

const ci_command ci_command_wait = {"wait", "wait for a job, or for all work on a project",
                                    run_wait};
