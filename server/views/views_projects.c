#include "config/json_text.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/incident.h"
#include "sql/nights.h"
#include "sql/transfer.h"
#include "sql/views.h"
#include "web/words/words.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define SPARK_NIGHTS 30
#define QUIET_MAX 1000 /* newest nights that are looked at for how long nothing is new */

static json_t *portions_of(const json_t *benchmark, const json_t *values) {
    json_t *portions = json_array();
    size_t i;
    json_t *item;
    cfg_json_each (benchmark, "configurations", i, item) {
        const char *name = cfg_json_word(item, "name", NULL);
        json_t *spark = json_object_get(values, name);
        json_array_append_new(
            portions, json_pack("{s:O,s:O,s:s,s:o}", "portion", json_object_get(item, "portion"),
                                "label", json_object_get(item, "label"), "configuration", name,
                                "spark_ns", spark ? json_incref(spark) : json_array()));
    }
    return portions;
}

/* Replace a member holding a number by the view of that thing; null stays. */
static bool expand(srv_store *store, json_t *project, const char *key, GError **error) {
    const int64_t id = cfg_json_integer(project, key);
    if (id == 0)
        return true;
    json_t *view = g_str_equal(key, "latest")  ? srv__night_view(store, id, error)
                   : g_str_equal(key, "alert") ? srv_view_alert(store, id, error)
                                               : srv__job_view(store, id, false, error);
    return json_object_set_new(project, key, view) == 0;
}

/* What the newest import has brought: "import", null where there was none. */
static bool import_add(srv_store *store, int64_t id, json_t *project, GError **error) {
    json_auto_t *row = NULL;
    if (!srv__object(store, ASK(imports_newest, id), &row, error))
        return false;
    json_t *report = json_incref(json_object_get(row, "report"));
    if (report)
        json_object_set(report, "at_ms", json_object_get(row, "at_ms"));
    json_object_set_new(project, "import", report ? report : json_null());
    return true;
}

/* What the servers do not agree on comes before what only one of them has met. */
static void servers_add(json_t *project) {
    if (cfg_json_true(project, "servers_differ"))
        json_object_set_new(
            project, "problem",
            json_string("The servers have different configurations of this project: what is picked "
                        "and judged depends on which one does it. Give all of them the same "
                        "projects_dir, and reload them."));
    json_object_del(project, "servers_differ");
}

/* For how long nothing is new, and whether that is clear: "quiet_nights", "quiet" in words,
 * "clear". */
static void quiet_say(json_t *project, const web_quiet *quiet) {
    const json_t *latest = json_object_get(project, "latest");
    g_auto(cfg_night) night = cfg_night_of(latest);
    bool clear;
    g_autofree char *words = web_quiet_words(json_is_object(latest) ? &night : NULL, quiet, &clear);
    json_object_set_new(project, "quiet_nights", json_integer(quiet->nights));
    json_object_set_new(project, "quiet", json_string(words));
    json_object_set_new(project, "clear", json_boolean(clear));
}

/* Three rows of the store: of the night that told last, of how many nights are clear since, and of
 * what failed since the last that was measured. */
typedef struct {
    int64_t looked, elsewhere, otherwise, clear, failed, later;
    char *night;   /* the one that told; the last clear one */
    char *small;   /* the last clear one with a portion that differs little */
    char *counted; /* the last clear one of which something counted moved */
} quiet_row;

static const model_member quiet_members[] = {MODEL_NULLS(
    quiet_row, night, small, counted, looked, elsewhere, otherwise, clear, failed, later)};
static const model_noun quiet_noun = MODEL_NOUN(quiet_row, quiet_members, "night");

/* "“Everything × 0.5” is open, since 2026-01-02"; NULL: no incident of the machine is. */
static bool unsettled_of(srv_store *store, int64_t id, const json_t *project, char **words,
                         GError **error) {
    const char *night = cfg_json_word(json_object_get(project, "latest"), "night", "");
    int64_t open;
    *words = NULL;
    if (!srv__number(store, ASK(incident_unsettled, id, night), 0, &open, error))
        return false;
    if (open == 0)
        return true;
    json_auto_t *incident = srv_view_incident(store, open, error);
    if (incident)
        *words = g_strdup_printf("“%s” is open, since %s", cfg_json_word(incident, "headline", "?"),
                                 cfg_json_word(json_object_get(incident, "to"), "night", "?"));
    return *words != NULL;
}

static bool quiet_add(srv_store *store, int64_t id, json_t *project, GError **error) {
    const char *newest = cfg_json_word(json_object_get(project, "latest"), "night", "");
    web_quiet quiet = {.suspicions = cfg_json_integer(project, "suspicions")};
    quiet_row last, since, unmeasured;
    if (!srv__one(store, ASK(project_unmeasured, id), &quiet_noun, &unmeasured, NULL, error) ||
        !srv__one(store, ASK(project_told_last, id), &quiet_noun, &last, &quiet.changed, error))
        return false;
    g_autofree char *told = last.night, *unsettled = NULL;
    if (!srv__one(store, ASK(nights_clear_since, id, told ? told : "", QUIET_MAX), &quiet_noun,
                  &since, NULL, error))
        return false;
    g_autofree char *clear = since.night, *small = since.small, *counted = since.counted;
    if (!unsettled_of(store, id, project, &unsettled, error))
        return false;
    quiet.unmeasured = unmeasured.later;
    quiet.again = unmeasured.failed > 0 && unmeasured.later == 0;
    quiet.nights = since.clear;
    quiet.told = g_strcmp0(told, newest) == 0;
    quiet.until = g_strcmp0(clear, newest) == 0 ? NULL : clear;
    quiet.here = since.elsewhere > 0   ? " in this environment"
                 : since.otherwise > 0 ? " with this benchmark"
                                       : "";
    quiet.at_least = since.looked == QUIET_MAX && !*quiet.here;
    quiet.small = small;
    quiet.counted = counted;
    quiet.unsettled = unsettled;
    quiet_say(project, &quiet);
    return true;
}

static bool branches_add(srv_store *store, int64_t id, json_t *project, GError **error) {
    json_t *branches = srv__array(store, ASK(project_branches, id), error);
    json_object_set_new(project, "branches", branches);
    return branches != NULL;
}

/* A portion's value in one of the last nights. */
typedef struct {
    int64_t place, places;
    char *configuration;
    double mean_ns;
} spark;

static const model_member spark_members[] = {MODELS(spark, place, places, configuration),
                                             MODEL(spark, mean_ns, "mean_ns", MODEL_NULL, NAN)};
static const model_noun spark_noun = MODEL_NOUN(spark, spark_members, "portion of a night");

/* {configuration: [its portion's value in each of the last nights, oldest first]}. */
static json_t *sparks_of(srv_store *store, int64_t project, unsigned nights, GError **error) {
    g_auto(model_list) rows = {0};
    if (!srv__many(store, ASK(project_sparks, project, nights), &spark_noun, &rows, error))
        return NULL;
    json_t *all = json_object();
    const spark *row = rows.items;
    for (unsigned i = 0; i < rows.count; i++, row++) {
        json_t *values = json_object_get(all, row->configuration);
        if (!values) {
            values = json_array();
            for (int64_t n = 0; n < row->places; n++)
                json_array_append_new(values, json_null());
            json_object_set_new(all, row->configuration, values);
        }
        if (!isnan(row->mean_ns))
            json_array_set_new(values, (size_t)row->place, json_real(row->mean_ns));
    }
    return all;
}

static bool project_complete(srv_store *store, json_t *project, GError **error) {
    static const char *const parts[] = {"latest", "alert", "running"};
    int64_t id = cfg_json_integer(project, "id");
    json_auto_t *values = sparks_of(store, id, SPARK_NIGHTS, error);
    if (!values)
        return false;
    servers_add(project);
    json_object_set_new(project, "portions",
                        portions_of(json_object_get(project, "benchmark"), values));
    if (!branches_add(store, id, project, error) || !srv__settled_add(store, project, error))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
        if (!expand(store, project, parts[i], error))
            return false;
    if (!quiet_add(store, id, project, error))
        return false;
    json_object_del(project, "id");
    json_object_del(project, "benchmark");
    return import_add(store, id, project, error);
}

static json_t *projects_view(srv_store *store, json_t *items, GError **error) {
    size_t i;
    json_t *project;
    json_array_foreach (items, i, project) {
        if (!project_complete(store, project, error)) {
            json_decref(items);
            return NULL;
        }
    }
    return items;
}

static char *page_by_name(const json_t *project) {
    return g_strdup(cfg_json_word(project, "name", NULL));
}

json_t *srv_view_projects(srv_store *store, srv_page page, bool archived, GError **error) {
    const bool all = archived || (page.limit == 0 && !page.cursor);
    unsigned limit;
    if (!srv__page_limit(page, &limit, error))
        return NULL;
    const char *after = page.cursor ? page.cursor : "";
    json_t *items = all ? srv__array(store, ASK(project_rows, archived), error)
                        : srv__array(store, ASK(project_page, after, limit + 1), error);
    items = projects_view(store, items, error);
    return items ? srv__page_of(items, all ? UINT_MAX : limit, page_by_name) : NULL;
}

json_t *srv_view_projects_counted(srv_store *store, GError **error) {
    json_t *items = srv__array(store, ASK(project_counts), error);
    json_t *means = items ? srv__array(store, ASK(project_means), error) : NULL;
    if (means)
        return json_pack("{s:o, s:o}", "items", items, "portions", means);
    json_decref(items);
    return NULL;
}

/* What was imported has no repository, but words in its place. */
static bool is_like(const json_t *project, const json_t *other) {
    const char *repository = cfg_json_word(project, "repository", "");
    return g_str_equal(cfg_json_word(project, "name", ""), cfg_json_word(other, "name", "")) ||
           (strpbrk(repository, "/:") &&
            g_str_equal(repository, cfg_json_word(other, "repository", "")));
}

static const json_t *named(const json_t *items, const char *name) {
    for (size_t i = 0; i < json_array_size(items); i++)
        if (g_str_equal(cfg_json_word(json_array_get(items, i), "name", ""), name))
            return json_array_get(items, i);
    return NULL;
}

json_t *srv_view_projects_like(srv_store *store, const char *name, GError **error) {
    json_auto_t *rows = srv__array(store, ASK(project_rows, 2), error);
    const json_t *project = named(rows, name);
    if (rows && !project)
        (void)srv__project_missing(store, name, error);
    if (!project)
        return NULL;
    json_t *items = json_array();
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (is_like(project, json_array_get(rows, i)))
            json_array_append(items, json_array_get(rows, i));
    items = projects_view(store, items, error);
    return items ? json_pack("{s:o,s:n}", "items", items, "next") : NULL;
}

json_t *srv_view_project(srv_store *store, const char *project, GError **error) {
    json_t *view;
    if (!srv__object(store, ASK(project_row, project), &view, error))
        return NULL;
    if (!view)
        (void)srv__project_missing(store, project, error);
    else if (project_complete(store, view, error))
        return view;
    json_decref(view);
    return NULL;
}
