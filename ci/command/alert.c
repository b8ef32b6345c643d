/* moowatch alert PROJECT [NUMBER STATE] - what changed, and what people decide of it. */
#include "ci/command/client.h"

#include "config/json_text.h"
#include "config/shown.h"

#include <stdio.h>

/* Is it one of the project that was named? A mistyped number decides nobody else's. */
static bool is_of(ci_client *client, const char *number, const char *project, GError **error) {
    g_autofree char *path = ci_client_path("alerts", number, NULL);
    json_auto_t *alert = ci_client_get(client, path, error);
    const char *its = cfg_json_word(alert, "project", "?");
    if (alert && !g_str_equal(its, project))
        ci_misused(error, "alert %s is of project %s, not of %s", number, its, project);
    return alert && g_str_equal(its, project);
}

static bool decided(ci_client *client, char **argv, const char *reason, GError **error) {
    gint64 id = 0;
    if (!g_ascii_string_to_signed(argv[2], 10, 1, G_MAXINT64, &id, NULL))
        return ci_misused(error, "“%s” is not the number of an alert", argv[2]);
    g_autofree char *path = ci_client_path("alerts", argv[2], "state");
    json_auto_t *body = json_pack("{s:s,s:s}", "state", argv[3], "reason", reason);
    json_auto_t *answer = !body || is_of(client, argv[2], argv[1], error)
                              ? ci_client_post(client, path, body, "STATE and --reason", error)
                              : NULL;
    return answer != NULL;
}

static void show(const json_t *alert) {
    g_autofree char *headline = cfg_shown(cfg_json_word(alert, "headline", ""));
    (void)printf("%.0f %s %s %s\n", cfg_json_number(alert, "id"),
                 cfg_json_word(json_object_get(alert, "to"), "night", "?"),
                 cfg_json_word(alert, "state", "?"), headline);
}

static const ci_usage usage = {
    .synopsis = "alert PROJECT [NUMBER STATE]",
    .description =
        "Prints the newest alerts: number, night, state and what changed; with NUMBER "
        "and STATE\n(acknowledged, accepted, false, fixed or open) sets the state of that alert.",
    .least = 1,
    .most = 3};

static ci_exit run_alert(int argc, char **argv, GError **error) {
    gboolean json = FALSE;
    char *reason = NULL;
    ci_client_options options = {0};
    const GOptionEntry entries[] = {
        CI_STRING("reason", &reason, "Reason, stored with the decision", "TEXT"),
        CI_FLAG("json", &json, "Print the alerts as a JSON object"),
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(ci_client) client = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, error)) {
        if (argc == 3 || (argc == 4) != (reason != NULL))
            ci_misused(error, "give NUMBER, STATE and --reason, or none of them");
        else
            client = ci_client_new(&options, error);
    }
    const bool done =
        client && (argc == 4 ? decided(client, argv, reason, error)
                             : ci_list_print(client, "alerts", argv[1], json, show, error));
    return done ? CI_OK : CI_INPUT;
}

const ci_command ci_command_alert = {"alert", "list a project's alerts, or decide one", run_alert};
