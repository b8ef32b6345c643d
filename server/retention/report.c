#include "server/retention/report.h"

#include "server/retention/plan.h"

#define JOBS_AT_ONCE 500

static const char *const members[] = {"jobs", "files", "bytes"};

static void add(json_t *object, const char *key, json_int_t more) {
    json_object_set_new(object, key,
                        json_integer(json_integer_value(json_object_get(object, key)) + more));
}

static void count(json_t *to, srv_fate fate, const json_t *row) {
    const char *word = srv_fate_words[fate];
    json_t *group = json_object_get(to, srv_fate_goes(fate) ? "goes" : "stays");
    if (!json_object_get(group, word))
        json_object_set_new(group, word, json_object());
    json_t *sums = json_object_get(group, word);
    add(sums, "jobs", 1);
    add(sums, "files", json_integer_value(json_object_get(row, "files")));
    add(sums, "bytes", json_integer_value(json_object_get(row, "bytes")));
}

static bool walk(srv__plan *plan, srv_store *store, json_t *to, GError **error) {
    for (bool more = srv__plan_begin(plan, store, error); more;) {
        json_t *rows = srv__retention_jobs(store, plan->project, plan->place, JOBS_AT_ONCE, error);
        size_t i;
        json_t *row;
        if (!rows)
            return false;
        json_array_foreach (rows, i, row)
            count(to, srv__plan_judge(plan, row), row);
        more = json_array_size(rows) == JOBS_AT_ONCE;
        json_decref(rows);
        if (!more)
            return true;
    }
    return false;
}

static json_t *project_report(srv_store *store, const cfg_storage *policy, const json_t *project,
                              int64_t now_ms, GError **error) {
    srv__plan plan = {.policy = policy,
                      .project = json_integer_value(json_object_get(project, "id")),
                      .now_ms = now_ms};
    json_t *removed = srv__retention_removed(store, plan.project, error);
    if (!removed)
        return NULL;
    json_t *to = json_pack("{s:O, s:{}, s:{}, s:o}", "project", json_object_get(project, "name"),
                           "stays", "goes", "removed", removed);
    if (walk(&plan, store, to, error))
        return to;
    json_decref(to);
    return NULL;
}

json_t *srv_retention_report(srv_store *store, const cfg_storage *policy, int64_t now_ms,
                             GError **error) {
    json_t *projects = srv__retention_projects(store, error), *project, *report = json_array();
    bool good = projects != NULL;
    size_t i;
    json_array_foreach (projects, i, project) {
        json_t *one = good ? project_report(store, policy, project, now_ms, error) : NULL;
        good = one != NULL;
        if (one)
            json_array_append_new(report, one);
    }
    json_decref(projects);
    if (good)
        return report;
    json_decref(report);
    return NULL;
}

static void line(GString *text, const char *project, const char *what, const json_t *sums) {
    g_string_append_printf(text, "%s\t%s", project, what);
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++)
        g_string_append_printf(text, "\t%" JSON_INTEGER_FORMAT,
                               json_integer_value(json_object_get(sums, members[i])));
    g_string_append_c(text, '\n');
}

char *srv_retention_report_text(const json_t *report) {
    static const char *const what[SRV_FATE_COUNT] = {
        "stays: young enough",       "stays: in use", "stays: of alerts",     "stays: of releases",
        "stays: first of its month", "goes: too old", "goes: over the budget"};
    GString *text = g_string_new("project\traw data\tjobs\tfiles\tbytes\n");
    size_t i;
    json_t *project;
    json_array_foreach (report, i, project) {
        const char *name = json_string_value(json_object_get(project, "project"));
        for (srv_fate fate = 0; fate < SRV_FATE_COUNT; fate++) {
            const json_t *group = json_object_get(project, srv_fate_goes(fate) ? "goes" : "stays");
            const json_t *sums = json_object_get(group, srv_fate_words[fate]);
            if (sums)
                line(text, name, what[fate], sums);
        }
        line(text, name, "removed before", json_object_get(project, "removed"));
    }
    return g_string_free(text, FALSE);
}
