#include "ci/site/site.h"

#include "ci/site/experiment.h"
#include "ci/site/lists.h"
#include "ci/site/nights.h"
#include "ci/site/pages.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 3 }; /* one asks, one packs, one waits for the server */

/* A project of the server, and what came of it. */
typedef struct {
    json_t *project, *ids, *places;
    char *stamp; /* of what the server has now; NULL: nobody knows */
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
    g_free(t->stamp);
    g_clear_error(&t->error);
    g_free(t);
}

/* What runs when the site is written has ended long before it is read. */
static task *task_new(const json_t *project, const char *stamp) {
    task *t = g_new0(task, 1);
    t->stamp = g_strdup(stamp);
    t->project = json_deep_copy(project);
    json_object_set_new(t->project, "running", json_null());
    ci_site_round(t->project, CI_SITE_DIGITS);
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

static bool keep(const ci_source *source, task *t, const char *name, const GPtrArray *paths) {
    const bool good = ci_site_project_kept(source, t->project, paths, t->ids, t->places, &t->error);
    ci_site_nights_places(source, name, t->places);
    return good;
}

static bool renew(const ci_source *source, task *t, const char *name) {
    json_auto_t *places = json_array();
    const bool good = ci_site_nights(source, name, places, &t->error) &&
                      ci_site_project(source, t->project, t->ids, t->places, &t->error);
    json_array_extend(t->places, places);
    return good;
}

/* Nothing of a project is asked for when the server says that nothing of it has changed. */
static void do_task(const ci_source *source, task *t) {
    const char *name = json_string_value(json_object_get(t->project, "name"));
    g_autoptr(GPtrArray) paths = ci_files_keep_all(source->files, t->stamp);
    if (paths ? keep(source, t, name, paths) : renew(source, t, name))
        ci_files_stamp(source->files, t->stamp);
}

/* A thread's part: project after project, with a connection of its own. */
static gpointer run(gpointer data) {
    work *w = data;
    ci_source source = *w->source;
    source.client = ci_client_again(w->source->client);
    for (task *t; (t = take(w));) {
        source.files =
            ci_files_of(w->source->files, json_string_value(json_object_get(t->project, "name")));
        do_task(&source, t);
        ci_files_part(source.files);
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

static int compare_ids(const void *a, const void *b) {
    const json_int_t x = json_integer_value(*(json_t *const *)a);
    const json_int_t y = json_integer_value(*(json_t *const *)b);
    return (x < y) - (x > y);
}

/* The same numbers in the same order, the largest first, wherever they came from. */
static json_t *sorted(const json_t *ids) {
    json_t *out = json_array();
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (size_t i = 0; i < json_array_size(ids); i++)
        g_ptr_array_add(all, json_array_get(ids, i));
    g_ptr_array_sort(all, compare_ids);
    for (guint i = 0; i < all->len; i++)
        json_array_append(out, all->pdata[i]);
    return out;
}

static bool write_ids(const ci_source *source, const GPtrArray *tasks, const char *kind,
                      GError **error) {
    json_auto_t *all = json_array();
    for (guint i = 0; i < tasks->len; i++)
        json_array_extend(all, json_object_get(((task *)g_ptr_array_index(tasks, i))->ids, kind));
    g_autofree char *path = g_strdup_printf("api/v1/%s/index.json", kind);
    json_auto_t *list = sorted(all);
    return ci_files_put_json(source->files, path, NULL, list, error);
}

enum { SHARE = 1000 }; /* a page of one night need not load where 20,000 are */

/* In which file each experiment is: a list for each thousand numbers, and which lists there are. */
static bool write_shares(const ci_source *source, const json_t *all, GError **error) {
    g_autoptr(GHashTable) shares =
        g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)json_decref);
    json_auto_t *numbers = json_array();
    size_t i;
    json_t *place;
    json_array_foreach (all, i, place) {
        const json_int_t share = json_integer_value(json_object_get(place, "id")) / SHARE;
        json_t *list = g_hash_table_lookup(shares, GINT_TO_POINTER((gint)share));
        if (!list) {
            list = json_array();
            g_hash_table_insert(shares, GINT_TO_POINTER((gint)share), list);
            json_array_append_new(numbers, json_integer(share));
        }
        json_array_append(list, place);
    }
    json_auto_t *index = sorted(numbers);
    bool good = ci_files_put_json(source->files, "api/v1/places/index.json", NULL, index, error);
    json_array_foreach (index, i, place) {
        const json_int_t share = json_integer_value(place);
        g_autofree char *path =
            g_strdup_printf("api/v1/places/%" JSON_INTEGER_FORMAT ".json.gz", share);
        good = good &&
               ci_files_put_json(source->files, path, NULL,
                                 g_hash_table_lookup(shares, GINT_TO_POINTER((gint)share)), error);
    }
    return good;
}

static json_t *names_of(const json_t *projects) {
    json_t *names = json_array(), *project;
    size_t i;
    json_array_foreach (projects, i, project)
        json_array_append(names, json_object_get(project, "name"));
    return names;
}

/* What a page that compares two nights says of any project: their whole answers have more. */
static json_t *titles_of(const json_t *projects) {
    static const char *const keys[] = {"name", "title", "repository", "branch", "commit_url"};
    json_t *titles = json_array(), *project;
    size_t i;
    json_array_foreach (projects, i, project)
        json_array_append_new(titles, ci_site_members(project, keys, G_N_ELEMENTS(keys)));
    return json_pack("{s:o, s:n}", "items", titles, "next");
}

static bool write_names(const ci_source *source, GError **error) {
    json_auto_t *names = names_of(source->projects), *titles = titles_of(source->projects);
    return ci_files_put_json(source->files, "api/v1/names.json", NULL, names, error) &&
           ci_files_put_json(source->files, "api/v1/titles.json", NULL, titles, error);
}

static bool write_places(const ci_source *source, const GPtrArray *tasks, GError **error) {
    static const char *const kinds[] = {"alerts", "incidents", "sweeps"};
    json_auto_t *all = json_array();
    for (guint i = 0; i < tasks->len; i++)
        json_array_extend(all, ((task *)g_ptr_array_index(tasks, i))->places);
    bool good = write_shares(source, all, error) && write_names(source, error);
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

/* The first name that no project has; NULL: each has one. */
static const char *missing_of(const json_t *projects, const char *const *wanted) {
    size_t i;
    json_t *project;
    for (; wanted && *wanted; wanted++) {
        bool found = false;
        json_array_foreach (projects, i, project)
            found |= g_strcmp0(*wanted, json_string_value(json_object_get(project, "name"))) == 0;
        if (!found)
            return *wanted;
    }
    return NULL;
}

/* Those that are asked for, of the server's; NULL with error: one is not there. */
static json_t *chosen(const json_t *all, const char *const *wanted, GError **error) {
    const char *missing = missing_of(all, wanted);
    if (missing) {
        ci_wrong(error, "--project %s: the server has no project of that name", missing);
        return NULL;
    }
    json_t *projects = json_array(), *project;
    size_t i;
    json_array_foreach (all, i, project)
        if (is_wanted(wanted, json_string_value(json_object_get(project, "name"))))
            json_array_append(projects, project);
    return projects;
}

/* What the server's words for a project are worth: to whom it says them, and what is made of it. */
static char *way_of(const ci_source *source) {
    g_autofree char *who = ci_client_identity(source->client);
    g_autofree char *pages = ci_site_pages_digest();
    g_autofree char *all =
        g_strjoin("\n", who, pages, MOOWATCH_VERSION, source->url ? source->url : "", NULL);
    g_autofree char *digest = g_compute_checksum_for_string(G_CHECKSUM_SHA256, all, -1);
    enum { CHARS = 16 };
    return g_strndup(digest, CHARS);
}

/* {project: stamp}; empty: an older server has none. Asked for before what they are of: what
 * changes meanwhile has another one the next time. NULL with error. */
static json_t *stamps_of(const ci_source *source, GError **error) {
    g_autoptr(GError) wrong = NULL;
    json_auto_t *list = ci_source_get(source, "/stamps", &wrong);
    if (!list && !ci_client_refused(source->client)) {
        g_propagate_error(error, g_steal_pointer(&wrong));
        return NULL;
    }
    g_autofree char *way = way_of(source);
    json_t *stamps = json_object(), *item;
    size_t i;
    json_array_foreach (json_object_get(list, "items"), i, item) {
        const char *name = json_string_value(json_object_get(item, "project"));
        const char *stamp = json_string_value(json_object_get(item, "stamp"));
        if (name && stamp)
            json_object_set_new(stamps, name, json_sprintf("%s-%s", stamp, way));
    }
    return stamps;
}

static bool write_projects(ci_source *source, GError **error) {
    json_auto_t *stamps = stamps_of(source, error);
    if (!stamps)
        return false;
    work w = {.source = source, .tasks = g_ptr_array_new_with_free_func(task_free)};
    g_mutex_init(&w.lock);
    json_t *ready = json_array(), *project;
    size_t i;
    json_array_foreach (source->projects, i, project) {
        const char *name = json_string_value(json_object_get(project, "name"));
        task *t = task_new(project, json_string_value(json_object_get(stamps, name)));
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
    /* Pages of a newer version ask for files that an older site does not have. */
    bool good = source.files && write_projects(&source, error) && ci_site_lists(&source, error) &&
                ci_site_pages(&source, error);
    if (source.files && !ci_files_close(source.files, !good, count, good ? error : NULL))
        good = false;
    json_decref(source.projects);
    return good;
}
