/* moowatch baseline PROJECT [NIGHT] - levels that people set. */
#include "ci/command/client.h"
#include "ci/formats/night.h"
#include "config/shown.h"

#include <stdio.h>

typedef struct {
    char *alert, *undo, *reason, **portions;
    gboolean json;
} wishes;

static void wishes_clear(wishes *w) {
    g_free(w->alert);
    g_free(w->undo);
    g_free(w->reason);
    g_strfreev(w->portions);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(wishes, wishes_clear)

/* What is sent; NULL with error. */
static json_t *body_of(const char *night, const wishes *w, GError **error) {
    gint64 alert = 0;
    if (w->alert && !ci_said_number("alert", "an alert", w->alert, &alert, error))
        return NULL;
    json_t *body = json_pack("{s:s}", "reason", w->reason);
    bool good = body != NULL;
    if (night)
        good = good && json_object_set_new(body, "night", json_string(night)) == 0;
    if (w->alert)
        good = good && json_object_set_new(body, "alert", json_integer(alert)) == 0;
    if (w->portions)
        good = good && json_object_set_new(body, "portions", json_array()) == 0;
    for (char **name = w->portions; good && name && *name; name++)
        good = json_array_append_new(json_object_get(body, "portions"), json_string(*name)) == 0;
    if (good)
        return body;
    json_decref(body);
    g_set_error(error, CI_ERROR, CI_ERROR_USAGE, "NIGHT must be UTF-8 text");
    return NULL;
}

static bool made(ci_client *client, char **argv, int argc, const wishes *w, GError **error) {
    g_autofree char *path = ci_client_path("projects", argv[1], "baselines");
    json_auto_t *body = body_of(argc == 3 ? argv[2] : NULL, w, error);
    json_auto_t *answer = body ? ci_client_post(client, path, body, error) : NULL;
    if (answer)
        (void)printf("%" JSON_INTEGER_FORMAT "\n",
                     json_integer_value(json_object_get(answer, "baseline")));
    return answer != NULL;
}

/* "all", or the portions' names. */
static char *portions_of(const json_t *row) {
    const json_t *list = json_object_get(row, "portions"), *one;
    GString *names = g_string_new(json_is_array(list) ? NULL : "all");
    size_t i;
    json_array_foreach (list, i, one) {
        g_autofree char *name = cfg_shown(cfg_json_word(one, "portion", "?"));
        g_string_append_printf(names, "%s%s", i > 0 ? " " : "", name);
    }
    return g_string_free(names, FALSE);
}

static void show(const json_t *row) {
    g_autofree char *reason = cfg_shown(cfg_json_word(row, "reason", ""));
    g_autofree char *author = cfg_shown(cfg_json_word(row, "author", ""));
    g_autofree char *portions = portions_of(row);
    (void)printf("%.0f %s %s: ", cfg_json_number(row, "id"), cfg_json_word(row, "night", "none"),
                 portions);
    if (json_is_integer(json_object_get(row, "alert")))
        (void)printf("alert %.0f, was %s: ", cfg_json_number(row, "alert"),
                     cfg_json_word(row, "was", "?"));
    (void)printf("%s (%s)\n", reason, author);
}

static bool sense(int argc, const wishes *w, GError **error) {
    const char *wrong = NULL;
    const bool makes = argc == 3 || w->alert;
    if (w->undo && (makes || w->portions))
        wrong = "--undo needs PROJECT and --reason alone";
    else if (w->alert && w->portions)
        wrong = "an alert has its own portions: leave --portion out";
    else if (w->portions && argc != 3)
        wrong = "--portion needs NIGHT";
    else if ((makes || w->undo) != (w->reason != NULL))
        wrong = "--reason goes with NIGHT, --alert or --undo";
    if (wrong)
        g_set_error_literal(error, CI_ERROR, CI_ERROR_USAGE, wrong);
    return !wrong;
}

static const ci_said said = {"baselines", "undo", "a level set by hand"};

static const ci_usage usage = {
    .synopsis = "baseline PROJECT [NIGHT]",
    .description = "Sets a level that begins with NIGHT (YYYY-MM-DD), a measured night, and prints "
                   "its\nnumber; with --alert moves that alert's level there, and without NIGHT "
                   "removes it.\nThe nights from there on are judged again. Without any of these, "
                   "lists the levels\nthat were set by hand.",
    .least = 1,
    .most = 2};

ci_exit ci_baseline(int argc, char **argv) {
    g_auto(wishes) w = {0};
    g_auto(ci_client_options) options = {0};
    const GOptionEntry entries[] = {
        {"portion", 0, 0, G_OPTION_ARG_STRING_ARRAY, &w.portions,
         "Of this portion, or the one of this configuration; more than once; default: of all",
         "NAME"},
        {"alert", 0, 0, G_OPTION_ARG_STRING, &w.alert,
         "Move the level of this alert to NIGHT; without NIGHT remove it", "NUMBER"},
        {"undo", 0, 0, G_OPTION_ARG_STRING, &w.undo, "Undo this one instead", "NUMBER"},
        {"reason", 0, 0, G_OPTION_ARG_STRING, &w.reason, "Why; kept", "TEXT"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &w.json, "Print the list as a JSON object", NULL},
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_client) client = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, &error) && sense(argc, &w, &error))
        client = ci_client_new(&options, &error);
    const bool done =
        client && (w.undo     ? ci_said_back(client, &said, w.undo, w.reason, &error)
                   : w.reason ? made(client, argv, argc, &w, &error)
                              : ci_said_listed(client, "baselines", argv[1], w.json, show, &error));
    return done ? CI_OK : ci_fail("baseline", error);
}
