#include "ci/site/lists.h"

#include "ci/site/experiment.h"
#include "ci/site/pages.h"
#include "ci/site/pictures.h"

#include "ci/command/command.h"
#include "config/json_text.h"

#include <string.h>

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static json_t *member(const json_t *object, const char *outer, const char *inner) {
    return json_object_get(json_object_get(object, outer), inner);
}

static bool is_web(const char *address) {
    return g_str_has_prefix(address, "http://") || g_str_has_prefix(address, "https://");
}

/* An alert's last commit: that of `until`, else of `to`. */
static const char *last_commit(const json_t *alert) {
    const json_t *until = member(alert, "until", "commit");
    return text_of(until ? until : member(alert, "to", "commit"), "sha");
}

static json_t *commits_of(const ci_source *source, const char *project, const char *after,
                          const char *until) {
    g_autoptr(GError) wrong = NULL;
    g_autofree char *path =
        g_strdup_printf("/projects/%s/commits?after=%s&until=%s&limit=200", project, after, until);
    json_t *found = ci_source_get(source, path, &wrong);
    return found ? found
                 : json_pack("{s:[], s:i, s:s}", "items", "total", 0, "reason", wrong->message);
}

/* Of each alert the commits in question, as its page asks for them. */
static bool write_commits(const ci_source *source, const json_t *project, const json_t *alerts,
                          GError **error) {
    const char *name = text_of(project, "name");
    g_autofree char *digest = ci_source_digest(alerts);
    g_autofree char *path = g_strdup_printf("api/v1/projects/%s/commits.json.gz", name);
    if (ci_files_unchanged(source->files, path, digest))
        return true;
    json_auto_t *all = json_object();
    size_t i;
    json_t *alert;
    json_array_foreach (alerts, i, alert) {
        const char *after = text_of(member(alert, "from", "commit"), "sha");
        const char *until = last_commit(alert);
        g_autofree char *key = g_strdup_printf("%s..%s", after, until);
        if (is_web(text_of(project, "repository")) && *after && *until &&
            !g_str_equal(after, until))
            json_object_set_new(all, key, commits_of(source, name, after, until));
    }
    return ci_files_put_json(source->files, path, digest, all, error);
}

/* Profiles as they were measured stay on the server. */
static void drop_profiles(json_t *thing) {
    json_t *explanation = json_object_get(thing, "explanation");
    if (json_is_object(explanation))
        json_object_set_new(explanation, "profiles", json_array());
}

static bool write_swept(const ci_source *source, const json_t *sweep, json_t *places,
                        GError **error) {
    size_t i;
    json_t *value;
    json_array_foreach (json_object_get(sweep, "values"), i, value) {
        json_t *id = json_object_get(value, "experiment");
        if (!json_is_integer(id))
            continue;
        g_autofree char *path = g_strdup_printf(
            "api/v1/experiments/%" JSON_INTEGER_FORMAT ".json.gz", json_integer_value(id));
        json_array_append_new(places, json_pack("{s:O, s:O, s:n}", "id", id, "project",
                                                json_object_get(sweep, "project"), "month"));
        if (ci_files_keep(source->files, path))
            continue;
        json_auto_t *experiment = ci_site_experiment(source, json_integer_value(id), error);
        if (!experiment || !ci_files_put_json(source->files, path, NULL, experiment, error))
            return false;
    }
    return true;
}

typedef struct {
    const char *kind, *page; /* "alerts", "alert.html" */
} things;

static GBytes *change_thing(const ci_source *source, GBytes *bytes) {
    (void)source;
    gsize size;
    const char *given = g_bytes_get_data(bytes, &size);
    json_auto_t *thing = json_loadb(given, size, 0, NULL);
    drop_profiles(thing);
    char *text = thing ? cfg_json_text(thing, 0) : NULL;
    return text ? g_bytes_new_take(text, strlen(text)) : g_bytes_ref(bytes);
}

/* What the API says of one thing. That can change without a change of its line in the list: an
 * alert's explanation comes later. */
static bool write_thing(const ci_source *source, const things *of, const json_t *item,
                        json_t *places, GError **error) {
    const json_int_t id = json_integer_value(json_object_get(item, "id"));
    g_autofree char *page = g_strdup_printf("%s/%" JSON_INTEGER_FORMAT "/index.html", of->kind, id);
    g_autofree char *address = g_strdup_printf("/api/v1/%s/%" JSON_INTEGER_FORMAT, of->kind, id);
    g_autofree char *path = g_strconcat(address + 1, ".json", NULL);
    if (!ci_site_page(source, of->page, page, error) ||
        !ci_source_keep(source, address, path, change_thing, error))
        return false;
    json_auto_t *thing = ci_files_json(source->files, path);
    if (!thing)
        return ci_wrong(error, "%s: the server's answer is not JSON", address);
    return ci_site_flames(source, id, json_object_get(thing, "explanation"), error) &&
           write_swept(source, thing, places, error);
}

static json_t *items_of(const ci_source *source, const char *path, GError **error) {
    json_auto_t *list = ci_source_get(source, path, error);
    return json_incref(json_object_get(list, "items"));
}

static bool write_list(const ci_source *source, const char *path, const json_t *items,
                       GError **error) {
    json_auto_t *list = json_pack("{s:O, s:n}", "items", items, "next");
    return ci_files_put_json(source->files, path, NULL, list, error);
}

static bool write_things(const ci_source *source, const json_t *project, const things *of,
                         json_t *ids, json_t *places, GError **error) {
    const char *name = text_of(project, "name");
    g_autofree char *address = g_strdup_printf("/projects/%s/%s?limit=5000", name, of->kind);
    g_autofree char *path = g_strdup_printf("api/v1/projects/%s/%s.json.gz", name, of->kind);
    json_auto_t *items = items_of(source, address, error);
    size_t i;
    json_t *item;
    json_array_foreach (items, i, item) {
        json_array_append(json_object_get(ids, of->kind), json_object_get(item, "id"));
        if (!write_thing(source, of, item, places, error))
            return false;
    }
    const bool commits = g_str_equal(of->kind, "alerts");
    return items && write_list(source, path, items, error) &&
           (!commits || write_commits(source, project, items, error));
}

static bool write_project(const ci_source *source, json_t *project, GError **error) {
    g_autofree char *path = g_strdup_printf("api/v1/projects/%s.json", text_of(project, "name"));
    return ci_files_put_json(source->files, path, NULL, project, error);
}

/* "alerts/17/index.html" is of alert 17; 0: of no such thing. */
static json_int_t number_between(const char *path, const char *before, const char *after) {
    char *end = NULL;
    if (!g_str_has_prefix(path, before))
        return 0;
    const gint64 number = g_ascii_strtoll(path + strlen(before), &end, 10);
    return g_str_equal(end, after) ? number : 0;
}

bool ci_site_project_kept(const ci_source *source, json_t *project, const GPtrArray *paths,
                          json_t *ids, json_t *places, GError **error) {
    static const char *const kinds[] = {"alerts", "incidents", "sweeps"};
    const json_t *name = json_object_get(project, "name");
    for (guint i = 0; i < paths->len; i++) {
        const char *path = paths->pdata[i];
        for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++) {
            g_autofree char *folder = g_strconcat(kinds[k], "/", NULL);
            const json_int_t id = number_between(path, folder, "/index.html");
            if (id != 0)
                json_array_append_new(json_object_get(ids, kinds[k]), json_integer(id));
        }
        const json_int_t swept = number_between(path, "api/v1/experiments/", ".json.gz");
        if (swept != 0)
            json_array_append_new(places, json_pack("{s:I, s:s, s:n}", "id", swept, "project",
                                                    json_string_value(name), "month"));
    }
    return write_project(source, project, error);
}

bool ci_site_project(const ci_source *source, json_t *project, json_t *ids, json_t *places,
                     GError **error) {
    static const things kinds[] = {
        {"alerts", "alert.html"}, {"incidents", "incident.html"}, {"sweeps", "sweep.html"}};
    const char *name = text_of(project, "name");
    g_autofree char *page = g_strdup_printf("projects/%s/index.html", name);
    bool good =
        ci_site_page(source, "project.html", page, error) && write_project(source, project, error);
    for (gsize i = 0; good && i < G_N_ELEMENTS(kinds); i++)
        good = write_things(source, project, &kinds[i], ids, places, error);
    return good && ci_site_pictures(source, name, error);
}

/* Ended jobs as their page shows them, and what waited or ran when the site was written. */
static bool write_jobs(const ci_source *source, GError **error) {
    static const char *const states[] = {"leased", "queued", "failed", "done", "cancelled"};
    json_auto_t *all = json_array();
    for (gsize i = 0; i < G_N_ELEMENTS(states); i++) {
        g_autofree char *path = g_strdup_printf("/jobs?state=%s&limit=300", states[i]);
        json_auto_t *items = items_of(source, path, error);
        if (!items)
            return false;
        json_array_extend(all, items);
    }
    return write_list(source, "api/v1/jobs.json", all, error);
}

bool ci_site_lists(const ci_source *source, GError **error) {
    json_auto_t *status = ci_source_get(source, "/status", error);
    json_auto_t *open = status ? items_of(source, "/alerts?state=open&limit=1000", error) : NULL;
    if (status)
        json_object_set_new(status, "written_ms", json_integer(source->now_ms));
    return open && ci_files_put_json(source->files, "api/v1/status.json", NULL, status, error) &&
           write_list(source, "api/v1/alerts.json", open, error) &&
           write_list(source, "api/v1/projects.json", source->projects, error) &&
           write_jobs(source, error) && ci_site_feed(source, error);
}
