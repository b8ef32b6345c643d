/* moowatch project check FILE… - is this project file right, before a server sees it?
 * moowatch project schema - what may stand in it, for editors.
 * moowatch project limits PROJECT - which limits its nights would keep.
 * moowatch project archive|rename|delete PROJECT - what becomes of one whose file is gone. */
#include "ci/command/client.h"
#include "config/config.h"
#include "config/json_text.h"
#include "config/limits.h"
#include "config/shown.h"
#include "config/yaml_edit.h"

#include <math.h>
#include <stdio.h>

static void print_project(const char *path, const cfg_project *project) {
    (void)printf("%s: valid; project %s, %u loops of", path, project->name,
                 project->benchmark.loops);
    for (unsigned i = 0; i < project->benchmark.configurations_count; i++)
        (void)printf("%s %s (%s)", i ? "," : "", project->benchmark.configurations[i].name,
                     project->benchmark.configurations[i].portion);
    (void)printf("\n");
}

/* NULL with error: it is not valid, or asks for something itself. */
static cfg_project *load(const char *path, GError **error) {
    g_autoptr(cfg_project) project = cfg_project_load(path, error);
    if (!project || !*project->unfinished)
        return g_steal_pointer(&project);
    g_autofree char *all = g_strjoinv("\n", project->unfinished);
    ci_wrong(error, "%s", all);
    return NULL;
}

static ci_exit check(char **files) {
    ci_exit exit = CI_OK;
    for (; *files; files++) {
        g_autoptr(GError) wrong = NULL;
        g_autoptr(cfg_project) project = load(*files, &wrong);
        if (project) {
            print_project(*files, project);
        } else {
            g_autofree char *message = cfg_shown(wrong->message);
            (void)fprintf(stderr, "%s\n", message);
            exit = CI_INPUT;
        }
    }
    return exit;
}

typedef struct {
    gboolean undo;
    char *reason, *confirm;
    ci_client_options client;
} options;

/* What the server is told; NULL with error: it is not said whole. */
static json_t *body_of(const options *o, int argc, char **argv, GError **error) {
    const bool renames = g_str_equal(argv[1], "rename");
    if (argc != (renames ? 4 : 3))
        ci_misused(error, "project %s takes %s", argv[1],
                   renames ? "the old name and the new one" : "one project");
    else if (o->undo && !g_str_equal(argv[1], "archive"))
        ci_misused(error, "--undo goes with archive alone");
    else if (o->confirm && !g_str_equal(argv[1], "delete"))
        ci_misused(error, "--confirm goes with delete alone");
    else if (!o->reason)
        ci_misused(error, "give a reason with --reason; it is stored in the server's audit log");
    else
        return json_pack("{s:s, s:s*, s:s*, s:o*}", "reason", o->reason, "name",
                         renames ? argv[3] : NULL, "confirm", o->confirm, "archived",
                         g_str_equal(argv[1], "archive") ? json_boolean(!o->undo) : NULL);
    return NULL;
}

static bool change(const options *o, int argc, char **argv, GError **error) {
    json_auto_t *body = body_of(o, argc, argv, error);
    g_autoptr(ci_client) client = body ? ci_client_new(&o->client, error) : NULL;
    g_autofree char *path = client ? ci_client_path("projects", argv[2], argv[1]) : NULL;
    json_auto_t *answer = client ? ci_client_post(client, path, body, "NAME", error) : NULL;
    if (answer)
        ci_print_json(answer);
    return answer != NULL;
}

#define PROPOSED_OF 30u /* nights, the newest ones */
#define HEADROOM 1.1    /* over the most that any of them had, or below the least */

/* The most that a member of a night's portions has been, of one portion or of all, or the least;
 * NaN: never. */
static double most_of(const json_t *nights, const char *member, const char *portion, bool least) {
    double most = NAN;
    size_t i, k;
    const json_t *night, *one;
    json_array_foreach (nights, i, night)
        cfg_json_each (night, "portions", k, one) {
            const double number = cfg_json_number(one, member);
            if (!portion || g_str_equal(cfg_json_word(one, "portion", ""), portion))
                most = least ? fmin(most, number) : fmax(most, number); /* the one that is no NaN */
        }
    return most;
}

static void propose(const char *dimension, const char *portion, const char *unit, double most,
                    bool least) {
    if (!(most >= 0) || (!dimension && !unit && most == 0))
        return;
    const double bound = least ? most / HEADROOM : most * HEADROOM;
    g_autofree char *words = cfg_limit_words(dimension, portion, unit, bound, least);
    g_autofree char *quoted = cfg_yaml_quoted(words);
    (void)printf("    - %s\n", quoted);
}

/* Of what is watched, the whole process; of time, each portion. */
static bool propose_limits(const options *o, int argc, char **argv, GError **error) {
    g_autoptr(ci_client) client = argc == 3 ? ci_client_new(&o->client, error) : NULL;
    if (argc != 3)
        ci_misused(error, "project limits takes one project");
    json_auto_t *nights =
        client ? ci_client_nights(client, argv[2], PROPOSED_OF, NULL, error) : NULL;
    g_autofree char *path = ci_client_path("projects", argv[2], "dimensions");
    if (!nights)
        return false;
    (void)printf("detection:\n  limits: # a tenth from the worst of %zu nights\n",
                 json_array_size(nights));
    for (size_t d = 0; d < DET_DIMENSIONS; d++) {
        const det_dimension *of = &det_dimensions[d];
        g_autofree char *asked =
            g_strdup_printf("%s?dimension=%s&limit=%u", path, of->name, PROPOSED_OF);
        json_auto_t *page =
            of->kind == DET_DIMENSION_SHOWN ? NULL : ci_client_get(client, asked, error);
        if (!page && of->kind != DET_DIMENSION_SHOWN)
            return false;
        propose(of->name, NULL, NULL,
                most_of(json_object_get(page, "items"), of->whole ? "mean" : "total", NULL, false),
                false);
    }
    size_t i;
    const json_t *portion;
    cfg_json_each (json_array_get(nights, 0), "portions", i, portion) {
        const char *name = cfg_json_word(portion, "portion", "");
        const bool least = cfg_json_word(portion, "better", NULL) != NULL;
        propose(NULL, name, cfg_json_word(portion, "unit", NULL),
                most_of(nights, "mean_ns", name, least), least);
    }
    return true;
}

static const ci_usage usage = {
    .synopsis = "project check FILE… | schema | limits PROJECT | archive PROJECT | rename PROJECT "
                "NAME | delete PROJECT",
    .description =
        "check: checks project files by the rules of the server, and that none of them "
        "says\n" CFG_UNFINISHED ".\n"
        "schema: prints the JSON Schema of such a file, for editors.\n"
        "limits: proposes detection.limits for a project's file from its newest nights.\n"
        "The others need a token of scope admin, and the server must no longer have a file of\n"
        "PROJECT. archive hides the project, keeps its data and cancels its jobs. rename gives it\n"
        "another name. delete says what would be deleted, and deletes it for ever with\n"
        "--confirm PROJECT.",
    .least = 1,
    .most = -1};

static ci_exit run_project(int argc, char **argv, GError **error) {
    static const char *const changes[] = {"archive", "rename", "delete", NULL};
    options o = {0};
    const GOptionEntry entries[] = {
        CI_STRING("reason", &o.reason, "Reason, stored with the change", "TEXT"),
        CI_STRING("confirm", &o.confirm, "delete: the project's name again, to confirm", "PROJECT"),
        CI_FLAG("undo", &o.undo, "archive: restore the project"),
        CI_CLIENT_ENTRIES(o.client),
        {0}};
    if (!ci_parse(&usage, entries, &argc, &argv, error))
        return CI_INPUT;
    if (argc > 2 && g_str_equal(argv[1], "check"))
        return check(argv + 2);
    if (argc == 2 && g_str_equal(argv[1], "schema")) {
        json_auto_t *schema = cfg_project_schema();
        ci_print_json(schema);
        return CI_OK;
    }
    if (g_str_equal(argv[1], "limits") && propose_limits(&o, argc, argv, error))
        return CI_OK;
    if (*error)
        return CI_INPUT;
    if (g_str_equal(argv[1], "check"))
        ci_misused(error, "an argument is missing: the files");
    else if (!g_strv_contains(changes, argv[1]))
        ci_misused(error,
                   "unknown command \"project %s\"; it is check FILE…, schema, limits, archive, "
                   "rename or delete",
                   argv[1]);
    else if (change(&o, argc, argv, error))
        return CI_OK;
    return CI_INPUT;
}

const ci_command ci_command_project = {
    "project", "check a project's file; archive, rename, delete a project", run_project};
