#include "server/retention/report.h"

#define JOBS_AT_ONCE 500

static void add(srv_raw_sums *to, const srv__raw_job *job) {
    to->jobs++;
    to->files += job->files;
    to->bytes += job->bytes;
}

static bool walk(srv__plan *plan, srv_store *store, srv_retention_sums *to, GError **error) {
    bool good = srv__plan_begin(plan, store, error), more = true;
    while (good && more) {
        g_auto(model_list) jobs = {0};
        good = srv__retention_jobs(store, plan->project, plan->place, JOBS_AT_ONCE, &jobs, error);
        for (unsigned i = 0; i < jobs.count; i++) {
            const srv__raw_job *job = (const srv__raw_job *)jobs.items + i;
            add(&to->fate[srv__plan_judge(plan, job)], job);
        }
        more = jobs.count == JOBS_AT_ONCE;
    }
    return good;
}

static bool project_report(srv_store *store, const cfg_storage *policy,
                           const srv__raw_project *project, int64_t now_ms, srv_retention_sums *to,
                           GError **error) {
    srv__plan plan = {.policy = policy, .project = project->id, .now_ms = now_ms};
    to->project = g_strdup(project->name);
    return srv__retention_removed(store, plan.project, &to->removed, error) &&
           walk(&plan, store, to, error);
}

static void sums_clear(void *memory) {
    g_free(((srv_retention_sums *)memory)->project);
}

GArray *srv_retention_report(srv_store *store, const cfg_storage *policy, int64_t now_ms,
                             GError **error) {
    g_auto(model_list) projects = {0};
    g_autoptr(GArray) report = g_array_new(FALSE, TRUE, sizeof(srv_retention_sums));
    g_array_set_clear_func(report, sums_clear);
    bool good = srv__retention_projects(store, &projects, error);
    g_array_set_size(report, projects.count);
    for (unsigned i = 0; good && i < projects.count; i++)
        good = project_report(store, policy, (const srv__raw_project *)projects.items + i, now_ms,
                              &g_array_index(report, srv_retention_sums, i), error);
    return good ? g_steal_pointer(&report) : NULL;
}

static void line(GString *text, const char *project, const char *what, const srv_raw_sums *sums) {
    g_string_append_printf(
        text, "%s\t%s\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\n", project,
        what, sums->jobs, sums->files, sums->bytes);
}

char *srv_retention_report_text(const GArray *report) {
    static const char *const what[SRV_FATE_COUNT] = {
        "stays: young enough",       "stays: in use", "stays: of alerts",     "stays: of releases",
        "stays: first of its month", "goes: too old", "goes: over the budget"};
    GString *text = g_string_new("project\traw data\tjobs\tfiles\tbytes\n");
    for (guint i = 0; i < report->len; i++) {
        const srv_retention_sums *project = &g_array_index(report, srv_retention_sums, i);
        for (srv_fate fate = 0; fate < SRV_FATE_COUNT; fate++)
            if (project->fate[fate].jobs > 0)
                line(text, project->project, what[fate], &project->fate[fate]);
        line(text, project->project, "removed before", &project->removed);
    }
    return g_string_free(text, FALSE);
}
