#include "ci/site/site.h"

#include "ci/site/lists.h"
#include "ci/site/nights.h"
#include "ci/site/pages.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 3 }; /* one asks, one packs, one waits for the server */

/* A project of the server, and what came of it. */
typedef struct {
    json_t *project, *ids, *places;
    GError *error;
} task;

typedef struct {
    const ci_source *source;
    GMutex lock;
    GPtrArray *tasks;
    guint next;
} work;

static void task_free(gpointer data) {
    task *t = data;
    json_decref(t->project);
    json_decref(t->ids);
    json_decref(t->places);
    g_clear_error(&t->error);
    g_free(t);
}

/* What runs when the site is written has ended long before it is read. */
static task *task_new(const json_t *project) {
    task *t = g_new0(task, 1);
    t->project = json_deep_copy(project);
    json_object_set_new(t->project, "running", json_null());
    t->ids = json_pack("{s:[], s:[], s:[]}", "alerts", "incidents", "sweeps");
    t->places = json_array();
    return t;
}

static task *take(work *w) {
    g_mutex_lock(&w->lock);
    task *t = w->next < w->tasks->len ? g_ptr_array_index(w->tasks, w->next++) : NULL;
    g_mutex_unlock(&w->lock);
    return t;
}

/* A thread's part: project after project, with a connection of its own. */
static gpointer run(gpointer data) {
    work *w = data;
    ci_source source = *w->source;
    source.client = ci_client_again(w->source->client);
    for (task *t; (t = take(w));) {
        const char *name = json_string_value(json_object_get(t->project, "name"));
        json_t *places = json_array();
        if (ci_site_nights(&source, name, places, &t->error) &&
            ci_site_project(&source, t->project, t->ids, t->places, &t->error))
            json_array_extend(t->places, places);
        json_decref(places);
    }
    ci_client_free(source.client);
    return NULL;
}

static void run_all(work *w) {
    GThread *threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        threads[i] = g_thread_new("site", run, w);
    for (int i = 0; i < THREADS; i++)
        (void)g_thread_join(threads[i]);
}

static bool write_ids(const ci_source *source, const GPtrArray *tasks, const char *kind,
                      GError **error) {
    json_auto_t *all = json_array();
    for (guint i = 0; i < tasks->len; i++)
        json_array_extend(all, json_object_get(((task *)g_ptr_array_index(tasks, i))->ids, kind));
    g_autofree char *path = g_strdup_printf("api/v1/%s/index.json", kind);
    return ci_files_put_json(source->files, path, NULL, all, error);
}

/* In which file each experiment is. */
static bool write_places(const ci_source *source, const GPtrArray *tasks, GError **error) {
    static const char *const kinds[] = {"alerts", "incidents", "sweeps"};
    json_auto_t *all = json_array();
    for (guint i = 0; i < tasks->len; i++)
        json_array_extend(all, ((task *)g_ptr_array_index(tasks, i))->places);
    bool good = ci_files_put_json(source->files, "api/v1/experiments.json.gz", NULL, all, error);
    for (gsize i = 0; good && i < G_N_ELEMENTS(kinds); i++)
        good = write_ids(source, tasks, kinds[i], error);
    return good;
}

static bool first_error(const GPtrArray *tasks, GError **error) {
    for (guint i = 0; i < tasks->len; i++) {
        task *t = g_ptr_array_index(tasks, i);
        if (!t->error)
            continue;
        g_propagate_error(error, t->error);
        t->error = NULL;
        return false;
    }
    return true;
}

static bool is_wanted(const char *const *wanted, const char *name) {
    return name && (!wanted || !*wanted || g_strv_contains(wanted, name));
}

/* Those that are asked for, of the server's; NULL with error: one is not there. */
static json_t *chosen(const json_t *all, const char *const *wanted, GError **error) {
    json_t *projects = json_array();
    size_t i, found = 0, named = 0;
    for (; wanted && wanted[named]; named++)
        ;
    json_t *project;
    json_array_foreach (all, i, project)
        if (is_wanted(wanted, json_string_value(json_object_get(project, "name")))) {
            json_array_append(projects, project);
            found++;
        }
    if (named == 0 || found == named)
        return projects;
    ci_wrong(error, "the server has only %zu of the projects that --project names", found);
    json_decref(projects);
    return NULL;
}

static bool write_projects(ci_source *source, GError **error) {
    work w = {.source = source, .tasks = g_ptr_array_new_with_free_func(task_free)};
    g_mutex_init(&w.lock);
    json_t *ready = json_array(), *project;
    size_t i;
    json_array_foreach (source->projects, i, project) {
        task *t = task_new(project);
        g_ptr_array_add(w.tasks, t);
        json_array_append(ready, t->project);
    }
    run_all(&w);
    json_decref(source->projects);
    source->projects = ready;
    const bool good = first_error(w.tasks, error) && write_places(source, w.tasks, error);
    g_ptr_array_unref(w.tasks);
    g_mutex_clear(&w.lock);
    return good;
}

bool ci_site_write(ci_client *client, const ci_site_options *o, ci_files_count *count,
                   GError **error) {
    ci_source source = {.client = client, .url = o->url, .now_ms = o->now_ms};
    json_auto_t *list = ci_source_get(&source, "/projects", error);
    source.projects = list ? chosen(json_object_get(list, "items"), o->wanted, error) : NULL;
    source.files = source.projects ? ci_files_open(o->folder, o->again, error) : NULL;
    bool good = source.files && ci_site_pages(&source, error) && write_projects(&source, error) &&
                ci_site_lists(&source, error);
    if (source.files && !ci_files_close(source.files, !good, count, good ? error : NULL))
        good = false;
    json_decref(source.projects);
    return good;
}
