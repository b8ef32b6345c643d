#include "server/catalog.h"

#include "config/projects.h"
#include "server/git/repo_name.h"
#include "server/ground/clock.h"
#include "server/ground/thread.h"

#include <string.h>

static void project_free(void *project) {
    cfg_project_free(project);
}

cfg_schedule *srv_catalog_schedule(const cfg_project *project) {
    return cfg_schedule_new(project->night_at, project->schedule, project->time_zone, NULL);
}

void srv_catalog_night(const cfg_project *project, int64_t time_ms, int64_t now_ms, char out[11]) {
    g_autoptr(cfg_schedule) schedule = srv_catalog_schedule(project);
    int64_t landed_s = MIN(time_ms, now_ms) / 1000;
    if (schedule)
        cfg_schedule_date(schedule, cfg_schedule_next(schedule, landed_s), out);
    else
        srv_day_text(landed_s / 86400, out);
}

static bool usable(const cfg_project *project, GError **error) {
    return srv_repo_url_check(project->repository, error) &&
           srv_repo_branch_check(project->branch, error);
}

srv_catalog *srv_catalog_load(const char *projects_dir, GError **error) {
    GPtrArray *problems = NULL;
    g_autoptr(GPtrArray) all = cfg_projects_load(projects_dir, &problems, error);
    if (!all) {
        g_prefix_error(
            error, "projects_dir (create it, with a YAML file for each project, or correct it): ");
        g_clear_pointer(&problems, g_ptr_array_unref);
        return NULL;
    }
    srv_catalog *catalog = g_new0(srv_catalog, 1);
    atomic_init(&catalog->references, 1);
    catalog->problems = g_ptr_array_new_with_free_func(g_free);
    catalog->projects = g_ptr_array_new_with_free_func(project_free);
    for (guint i = 0; problems && i < problems->len; i++)
        g_ptr_array_add(catalog->problems, g_strdup(g_ptr_array_index(problems, i)));
    while (all->len > 0) {
        cfg_project *project = g_ptr_array_steal_index(all, 0);
        g_autoptr(GError) wrong = NULL;
        if (project->main && !srv_catalog_find(catalog, project->main)) {
            cfg_project_free(project); /* its file's problem is told */
            continue;
        }
        if (usable(project, &wrong)) {
            g_ptr_array_add(catalog->projects, project);
            continue;
        }
        g_ptr_array_add(catalog->problems,
                        g_strdup_printf("project %s: %s", project->name, wrong->message));
        cfg_project_free(project);
    }
    g_clear_pointer(&problems, g_ptr_array_unref);
    return catalog;
}

void srv_catalog_free(srv_catalog *catalog) {
    if (!catalog || atomic_fetch_sub(&catalog->references, 1) > 1)
        return;
    g_ptr_array_unref(catalog->projects);
    g_ptr_array_unref(catalog->problems);
    g_free(catalog);
}

const cfg_project *srv_catalog_find(const srv_catalog *catalog, const char *name) {
    for (guint i = 0; i < catalog->projects->len; i++) {
        const cfg_project *project = g_ptr_array_index(catalog->projects, i);
        if (strcmp(project->name, name) == 0)
            return project;
    }
    return NULL;
}

char *srv_catalog_branch(const srv_catalog *catalog, const char *project, const char *branch) {
    for (guint i = 0; i < catalog->projects->len; i++) {
        const cfg_project *one = g_ptr_array_index(catalog->projects, i);
        if (strcmp(one->main ? one->main : one->name, project) == 0 &&
            strcmp(one->branch, branch) == 0)
            return g_strdup(one->name);
    }
    return cfg_branch_project(project, branch);
}

char *srv_context_database(const cfg_server *config) {
    return config->database ? g_strdup(config->database)
                            : g_build_filename(config->data_dir, "moowatch.db", NULL);
}

void srv_context_init(srv_context *context, const cfg_server *config, const char *program) {
    *context = (srv_context){
        .config = config,
        .program = program,
        .database = srv_context_database(config),
        .mirrors = g_build_filename(config->shared_dir ? config->shared_dir : config->data_dir,
                                    "mirrors", NULL),
    };
    pthread_mutex_init(&context->lock, NULL);
}

void srv_context_clear(srv_context *context) {
    srv_catalog_free(context->catalog);
    pthread_mutex_destroy(&context->lock);
    g_free(context->database);
    g_free(context->mirrors);
    g_free(context->fault);
}

srv_store *srv_context_store(const srv_context *context, GError **error) {
    srv_store *store = srv_store_open(context->database, error);
    if (store)
        srv_store_on_event(store, context->on_event, context->on_event_user);
    return store;
}

srv_catalog *srv_context_catalog(srv_context *context) {
    SRV_HOLD(&context->lock);
    srv_catalog *catalog = context->catalog;
    atomic_fetch_add(&catalog->references, 1);
    return catalog;
}

void srv_context_catalog_set(srv_context *context, srv_catalog *catalog) {
    pthread_mutex_lock(&context->lock);
    srv_catalog *old = context->catalog;
    context->catalog = catalog;
    pthread_mutex_unlock(&context->lock);
    srv_catalog_free(old);
}

char *srv_context_mirror(const srv_context *context, const char *project) {
    g_autofree char *name = g_strconcat(project, ".git", NULL);
    return g_build_filename(context->mirrors, name, NULL);
}
