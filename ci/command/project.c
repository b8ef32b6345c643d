/* moowatch project check FILE… - is this project file right, before a server sees it? */
#include "ci/command/command.h"
#include "config/config.h"
#include "config/shown.h"

#include <stdio.h>

static json_t *configuration_json(const cfg_configuration *c) {
    return json_pack("{s:s,s:s,s:s,s:s?}", "name", c->name, "label", c->label, "portion",
                     c->portion, "parent", c->parent);
}

static json_t *project_json(const char *path, const cfg_project *project, const GError *wrong) {
    if (!project)
        return json_pack("{s:s,s:b,s:s}", "file", path, "ok", 0, "problem", wrong->message);
    json_t *chain = json_array();
    for (unsigned i = 0; i < project->benchmark.configurations_count; i++)
        json_array_append_new(chain, configuration_json(&project->benchmark.configurations[i]));
    return json_pack("{s:s,s:b,s:s,s:s,s:s,s:I,s:o}", "file", path, "ok", 1, "name", project->name,
                     "repository", project->repository, "branch", project->branch, "loops",
                     (json_int_t)project->benchmark.loops, "configurations", chain);
}

static void print_project(const char *path, const cfg_project *project) {
    (void)printf("%s: valid; project %s, %u loops of", path, project->name,
                 project->benchmark.loops);
    for (unsigned i = 0; i < project->benchmark.configurations_count; i++)
        (void)printf("%s %s (%s)", i ? "," : "", project->benchmark.configurations[i].name,
                     project->benchmark.configurations[i].portion);
    (void)printf("\n");
}

static const ci_usage usage = {.synopsis = "project check FILE…",
                               .description = "Checks project files by the rules of the server.",
                               .least = 2,
                               .most = -1};

ci_exit ci_project(int argc, char **argv) {
    gboolean json = FALSE;
    const GOptionEntry entries[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &json, "Print one JSON object per file", NULL}, {0}};
    g_autoptr(GError) error = NULL;
    if (!ci_parse(&usage, entries, &argc, &argv, &error))
        return ci_fail("project", error);
    if (!g_str_equal(argv[1], "check")) {
        g_set_error(&error, CI_ERROR, CI_ERROR_USAGE,
                    "unknown command \"project %s\"; usage: moowatch project check FILE…", argv[1]);
        return ci_fail("project", error);
    }
    ci_exit exit = CI_OK;
    for (int i = 2; i < argc; i++) {
        g_autoptr(GError) wrong = NULL;
        g_autoptr(cfg_project) project = cfg_project_load(argv[i], &wrong);
        if (!project)
            exit = CI_INPUT;
        if (json) {
            json_t *line = project_json(argv[i], project, wrong);
            ci_print_json(line);
            json_decref(line);
        } else if (project) {
            print_project(argv[i], project);
        } else {
            g_autofree char *message = cfg_shown(wrong->message);
            (void)fprintf(stderr, "%s\n", message);
        }
    }
    return exit;
}
