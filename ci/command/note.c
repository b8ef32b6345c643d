#include "ci/command/client.h"

#include "ci/formats/night.h"
#include "config/shown.h"

#include <stdio.h>

bool ci_said_listed(ci_client *client, const char *things, const char *project, bool json,
                    void (*show)(const json_t *row), GError **error) {
    g_autofree char *path = ci_client_path("projects", project, things);
    json_auto_t *page = ci_client_get(client, path, error);
    size_t i;
    json_t *row;
    if (page && json)
        ci_print_json(page);
    else
        json_array_foreach (json_object_get(page, "items"), i, row)
            show(row);
    return page != NULL;
}

bool ci_said_number(const char *option, const char *what, const char *text, gint64 *number,
                    GError **error) {
    if (g_ascii_string_to_signed(text, 10, 1, G_MAXINT64, number, NULL))
        return true;
    g_set_error(error, CI_ERROR, CI_ERROR_USAGE, "--%s needs the number of %s", option, what);
    return false;
}

bool ci_said_back(ci_client *client, const ci_said *said, const char *number, const char *reason,
                  GError **error) {
    gint64 id = 0;
    if (!ci_said_number(said->verb, said->what, number, &id, error))
        return false;
    g_autofree char *path = ci_client_path(said->things, number, said->verb);
    json_auto_t *body = json_pack("{s:s}", "reason", reason);
    if (!body)
        g_set_error(error, CI_ERROR, CI_ERROR_USAGE, "--reason must be UTF-8 text");
    json_auto_t *answer = body ? ci_client_post(client, path, body, error) : NULL;
    return answer != NULL;
}

static bool made(ci_client *client, char **argv, GError **error) {
    g_autofree char *path = ci_client_path("projects", argv[1], "notes");
    json_auto_t *body = json_pack("{s:s,s:s}", "night", argv[2], "text", argv[3]);
    if (!body)
        g_set_error(error, CI_ERROR, CI_ERROR_USAGE, "NIGHT and TEXT must be UTF-8 text");
    json_auto_t *answer = body ? ci_client_post(client, path, body, error) : NULL;
    if (answer)
        (void)printf("%" JSON_INTEGER_FORMAT "\n",
                     json_integer_value(json_object_get(answer, "note")));
    return answer != NULL;
}

static void show(const json_t *note) {
    g_autofree char *text = cfg_shown(cfg_json_word(note, "text", ""));
    g_autofree char *author = cfg_shown(cfg_json_word(note, "author", ""));
    (void)printf("%.0f %s %s (%s)\n", cfg_json_number(note, "id"),
                 cfg_json_word(note, "night", "?"), text, author);
}

static const ci_said said = {"notes", "remove", "a note"};

static const ci_usage usage = {
    .synopsis = "note PROJECT [NIGHT TEXT]",
    .description = "Attaches a note to a night (YYYY-MM-DD), which charts show as a boundary, and "
                   "prints\nthe note's number; without NIGHT and TEXT prints the newest notes.",
    .least = 1,
    .most = 3};

ci_exit ci_note(int argc, char **argv) {
    gboolean json = FALSE;
    g_autofree char *remove = NULL, *reason = NULL;
    g_auto(ci_client_options) options = {0};
    const GOptionEntry entries[] = {
        {"remove", 0, 0, G_OPTION_ARG_STRING, &remove, "Remove this note instead", "NUMBER"},
        {"reason", 0, 0, G_OPTION_ARG_STRING, &reason, "Why it is removed; stored with it", "TEXT"},
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print the notes as a JSON object", NULL},
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(GError) error = NULL;
    g_autoptr(ci_client) client = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, &error)) {
        if (argc == 3 || (remove && argc != 2))
            g_set_error(&error, CI_ERROR, CI_ERROR_USAGE,
                        "give NIGHT and TEXT both, or neither; --remove needs PROJECT alone");
        else if ((remove != NULL) != (reason != NULL))
            g_set_error(&error, CI_ERROR, CI_ERROR_USAGE, "--remove and --reason go together");
        else
            client = ci_client_new(&options, &error);
    }
    const bool done =
        client && (remove      ? ci_said_back(client, &said, remove, reason, &error)
                   : argc == 4 ? made(client, argv, &error)
                               : ci_said_listed(client, "notes", argv[1], json, show, &error));
    return done ? CI_OK : ci_fail("note", error);
}
