#include "ci/command/client.h"
#include "config/json_text.h"
#include "config/shown.h"

#include <stdio.h>

bool ci_list_print(ci_client *client, const char *things, const char *project, bool json,
                   void (*show)(const json_t *row), GError **error) {
    g_autofree char *path = ci_client_path("projects", project, things);
    json_auto_t *page = ci_client_get(client, path, error);
    size_t i;
    json_t *row;
    if (page && json)
        ci_print_json(page);
    else
        cfg_json_each (page, "items", i, row)
            show(row);
    return page != NULL;
}

/* What is taken back, in the words of the address and of a sentence. */
typedef struct {
    const char *things, *verb, *what; /* "notes", "remove" (the option, too), "a note" */
} kind;

/* An option's, which is the number of `what` ("a note"); CI_ERROR_USAGE. */
static bool number_of(const char *option, const char *what, const char *text, gint64 *number,
                      GError **error) {
    if (g_ascii_string_to_signed(text, 10, 1, G_MAXINT64, number, NULL))
        return true;
    return ci_misused(error, "--%s needs the number of %s", option, what);
}

/*
 * Takes one of them back, for this reason.
 * number  as it was typed; CI_ERROR_USAGE when it is not a number
 */
static bool take_back(ci_client *client, const kind *of, const char *number, const char *reason,
                      GError **error) {
    gint64 id = 0;
    if (!number_of(of->verb, of->what, number, &id, error))
        return false;
    g_autofree char *path = ci_client_path(of->things, number, of->verb);
    json_auto_t *body = json_pack("{s:s}", "reason", reason);
    json_auto_t *answer = ci_client_post(client, path, body, "--reason", error);
    return answer != NULL;
}

static bool made(ci_client *client, char **argv, GError **error) {
    g_autofree char *path = ci_client_path("projects", argv[1], "notes");
    json_auto_t *body = json_pack("{s:s,s:s}", "night", argv[2], "text", argv[3]);
    json_auto_t *answer = ci_client_post(client, path, body, "NIGHT and TEXT", error);
    if (answer)
        (void)printf("%" JSON_INTEGER_FORMAT "\n", cfg_json_integer(answer, "note"));
    return answer != NULL;
}

static void show(const json_t *note) {
    g_autofree char *text = cfg_shown(cfg_json_word(note, "text", ""));
    g_autofree char *author = cfg_shown(cfg_json_word(note, "author", ""));
    (void)printf("%.0f %s %s (%s)\n", cfg_json_number(note, "id"),
                 cfg_json_word(note, "night", "?"), text, author);
}

static const kind note_kind = {"notes", "remove", "a note"};

static const ci_usage usage = {
    .synopsis = "note PROJECT [NIGHT TEXT]",
    .description = "Attaches a note to a night (YYYY-MM-DD), which charts show as a boundary, and "
                   "prints\nthe note's number; without NIGHT and TEXT prints the newest notes.",
    .least = 1,
    .most = 3};

static ci_exit run_note(int argc, char **argv, GError **error) {
    gboolean json = FALSE;
    char *remove = NULL, *reason = NULL;
    ci_client_options options = {0};
    const GOptionEntry entries[] = {
        CI_STRING("remove", &remove, "Remove this note instead", "NUMBER"),
        CI_STRING("reason", &reason, "Reason, stored with the removal", "TEXT"),
        CI_FLAG("json", &json, "Print the notes as a JSON object"),
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(ci_client) client = NULL;
    if (ci_parse(&usage, entries, &argc, &argv, error)) {
        if (argc == 3 || (remove && argc != 2))
            ci_misused(error, "give NIGHT and TEXT both, or neither; --remove needs PROJECT alone");
        else if ((remove != NULL) != (reason != NULL))
            ci_misused(error, "--remove and --reason go together");
        else
            client = ci_client_new(&options, error);
    }
    const bool done =
        client && (remove      ? take_back(client, &note_kind, remove, reason, error)
                   : argc == 4 ? made(client, argv, error)
                               : ci_list_print(client, "notes", argv[1], json, show, error));
    return done ? CI_OK : CI_INPUT;
}

const ci_command ci_command_note = {"note", "attach a note to a night, shown in charts", run_note};

typedef struct {
    char *alert, *undo, *reason, **portions;
    gboolean json;
} wishes;

/* What is sent; NULL: a text of it is not UTF-8. */
static json_t *body_of(const char *night, const wishes *w, gint64 alert) {
    char **names = w->portions;
    return json_pack("{s:s, s:s*, s:o*, s:o*}", "reason", w->reason, "night", night, "alert",
                     w->alert ? json_integer(alert) : NULL, "portions",
                     names ? cfg_json_texts(names, g_strv_length(names)) : NULL);
}

static bool level_made(ci_client *client, char **argv, int argc, const wishes *w, GError **error) {
    g_autofree char *path = ci_client_path("projects", argv[1], "baselines");
    gint64 alert = 0;
    if (w->alert && !number_of("alert", "an alert", w->alert, &alert, error))
        return false;
    json_auto_t *body = body_of(argc == 3 ? argv[2] : NULL, w, alert);
    json_auto_t *answer = ci_client_post(client, path, body, "NIGHT", error);
    if (answer)
        (void)printf("%" JSON_INTEGER_FORMAT "\n", cfg_json_integer(answer, "baseline"));
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

static void level_show(const json_t *row) {
    g_autofree char *reason = cfg_shown(cfg_json_word(row, "reason", ""));
    g_autofree char *author = cfg_shown(cfg_json_word(row, "author", ""));
    g_autofree char *portions = portions_of(row);
    (void)printf("%.0f %s %s: ", cfg_json_number(row, "id"), cfg_json_word(row, "night", "none"),
                 portions);
    if (cfg_json_integer(row, "alert") != 0)
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
        ci_misused(error, "%s", wrong);
    return !wrong;
}

static const kind level_kind = {"baselines", "undo", "a level set by hand"};

static const ci_usage level_usage = {
    .synopsis = "baseline PROJECT [NIGHT]",
    .description = "Sets a level that begins with NIGHT (YYYY-MM-DD), a measured night, and prints "
                   "its\nnumber; with --alert moves that alert's level there, and without NIGHT "
                   "removes it.\nThe nights from there on are judged again. Without any of these, "
                   "lists the levels\nthat were set by hand.",
    .least = 1,
    .most = 2};

static ci_exit baseline(int argc, char **argv, GError **error) {
    wishes w = {0};
    ci_client_options options = {0};
    const GOptionEntry entries[] = {
        CI_STRINGS("portion", &w.portions,
                   "Only this portion or configuration; may be repeated (default: all portions)",
                   "NAME"),
        CI_STRING("alert", &w.alert,
                  "Move the level of this alert to NIGHT; without NIGHT remove it", "NUMBER"),
        CI_STRING("undo", &w.undo, "Undo the baseline with this number instead", "NUMBER"),
        CI_STRING("reason", &w.reason, "Reason, stored with the level", "TEXT"),
        CI_FLAG("json", &w.json, "Print the list as a JSON object"),
        CI_CLIENT_ENTRIES(options),
        {0}};
    g_autoptr(ci_client) client = NULL;
    if (ci_parse(&level_usage, entries, &argc, &argv, error) && sense(argc, &w, error))
        client = ci_client_new(&options, error);
    const bool done = client && (w.undo ? take_back(client, &level_kind, w.undo, w.reason, error)
                                 : w.reason ? level_made(client, argv, argc, &w, error)
                                            : ci_list_print(client, "baselines", argv[1], w.json,
                                                            level_show, error));
    return done ? CI_OK : CI_INPUT;
}

const ci_command ci_command_baseline = {"baseline", "set, move or remove a baseline by hand",
                                        baseline};
