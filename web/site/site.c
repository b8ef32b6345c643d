#include "web/site/writer.h"

#include "config/json_text.h"
#include "config/model/alert.h"
#include "detector/statistics/dimension.h"

#include <stdlib.h>

#define ID JSON_INTEGER_FORMAT

/* One address after the other, NULL at the end; the first error ends it. */
static bool keep_all(const web__writer *w, const char *const *addresses, GError **error) {
    for (; *addresses; addresses++)
        if (!web__keep(w, *addresses, NULL, error))
            return false;
    return true;
}

/* The address of a format, which is freed. */
static bool keep_made(const web__writer *w, const char *source, char *address, GError **error) {
    const bool good = web__keep(w, address, source, error);
    g_free(address);
    return good;
}

static bool keep_comparison(const web__writer *w, const char *source, json_int_t a, json_int_t b,
                            GError **error) {
    return a == 0 || b == 0 || a == b ||
           keep_made(w, source, g_strdup_printf("/api/v1/compare?a=%" ID "&b=%" ID, a, b), error);
}

static bool keep_experiment(const web__writer *w, const char *source, json_int_t id,
                            GError **error) {
    return keep_made(w, source, g_strdup_printf("/api/v1/experiments/%" ID, id), error);
}

static void add_line(GChecksum *sum, const json_t *night) {
    char *text = json_dumps(night, JSON_COMPACT);
    g_checksum_update(sum, (const guchar *)text, -1);
    free(text);
}

static char *sum_of(const GChecksum *sum) {
    enum { CHARS = 32 };
    GChecksum *until = g_checksum_copy(sum);
    char *text = g_strndup(g_checksum_get_string(until), CHARS);
    g_checksum_free(until);
    return text;
}

/*
 * What is said of a night changes with its line in the list, with the measured night before it, and
 * with what it is judged by: earlier nights. So each is made of all lines up to its own.
 * Returns what all of them say; owned, NULL with error.
 */
static char *write_nights(const web__writer *w, const json_t *nights, GError **error) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    json_int_t before = 0;
    for (size_t i = json_array_size(nights); i-- > 0;) {
        const json_t *night = json_array_get(nights, i);
        const json_int_t id = cfg_json_integer(night, "experiment");
        add_line(sum, night);
        g_autofree char *source = sum_of(sum);
        if (id == 0)
            continue;
        if (!keep_experiment(w, source, id, error) ||
            !keep_comparison(w, source, before, id, error))
            return NULL;
        before = g_str_equal(cfg_json_word(night, "state", ""), "measured") ? id : before;
    }
    return sum_of(sum);
}

/* The stacked chart in the sizes and of the ranges that the page offers (web/site/place.js). */
static bool write_charts(const web__writer *w, const char *source, const char *name,
                         GError **error) {
    static const char *const themes[] = {"light", "dark"};
    static const unsigned nights[] = {30, 90, 365, 5000}, widths[] = {320, 640, 960, 1180};
    enum { NARROW = 520, LOW = 320, HIGH = 400 }; /* as web/static/walk.js */
    bool good = true;
    for (gsize i = 0; good && i < G_N_ELEMENTS(nights) * G_N_ELEMENTS(widths) * 2; i++) {
        const unsigned width = widths[i / 2 % G_N_ELEMENTS(widths)];
        good = keep_made(w, source,
                         g_strdup_printf("/charts/%s.svg?nights=%u&width=%u&height=%d&theme=%s",
                                         name, nights[i / 2 / G_N_ELEMENTS(widths)], width,
                                         width < NARROW ? LOW : HIGH, themes[i % 2]),
                         error);
    }
    return good;
}

/* What follows from the nights, made of their lines; and what else others show of a project. */
static bool write_pictures(const web__writer *w, const char *nights, const char *name,
                           GError **error) {
    static const char *const drawn[] = {"/charts/%s.svg",
                                        "/charts/%s.svg?theme=dark",
                                        "/charts/%s.svg?nights=5000",
                                        "/charts/%s.png",
                                        "/api/v1/projects/%s/nights" WEB__MANY,
                                        "/api/v1/projects/%s/nights" WEB__MANY "&portions=columns"};
    static const char *const others[] = {"/projects/%s/badge.svg", "/projects/%s/badge.json",
                                         "/projects/%s/feed.atom", "/embed/%s"};
    bool good = write_charts(w, nights, name, error);
    for (gsize i = 0; good && i < G_N_ELEMENTS(drawn); i++)
        good = keep_made(w, nights, web__filled(drawn[i], name), error);
    for (gsize i = 0; good && i < G_N_ELEMENTS(others); i++)
        good = keep_made(w, NULL, web__filled(others[i], name), error);
    for (gsize i = 0; good && i < DET_DIMENSIONS; i++)
        good = keep_made(w, nights,
                         g_strdup_printf("/api/v1/projects/%s/dimensions" WEB__MANY "&dimension=%s",
                                         name, det_dimensions[i].name),
                         error);
    return good;
}

/* of: "" of time, or of which dimension */
static bool write_flame(const web__writer *w, const char *source, json_int_t alert,
                        const char *configuration, const char *of, GError **error) {
    static const char *const views[] = {"difference", "before", "after"};
    static const char *const themes[] = {"light", "dark"};
    static const char *const endings[] = {"json", "svg"}; /* for the page, as a picture */
    g_autofree char *escaped = g_uri_escape_string(configuration, NULL, FALSE);
    for (gsize i = 0; i < 2 * 2 * G_N_ELEMENTS(views); i++)
        if (!keep_made(w, source,
                       g_strdup_printf("/flames/%" ID "/%s.%s?view=%s&theme=%s&width=1200%s", alert,
                                       escaped, endings[i % 2], views[i / 4], themes[i / 2 % 2],
                                       of),
                       error))
            return false;
    return true;
}

static bool write_flames(const web__writer *w, const char *source, json_int_t alert,
                         const cfg_found *portions, unsigned count, const char *of,
                         GError **error) {
    for (unsigned i = 0; i < count; i++)
        if (portions[i].configuration &&
            !write_flame(w, source, alert, portions[i].configuration, of, error))
            return false;
    return true;
}

/* The server draws none without profiles. */
static bool write_explanation(const web__writer *w, const char *source, const cfg_alert *alert,
                              GError **error) {
    const cfg_explanation *why = alert->explanation;
    const cfg_allocations *bytes = why ? why->allocations : NULL;
    if (!why || why->removed_ms >= 0)
        return true;
    return write_flames(w, source, alert->id, why->portions, why->portions_count, "", error) &&
           (!bytes || write_flames(w, source, alert->id, bytes->portions, bytes->portions_count,
                                   "&dimension=bytes", error));
}

static bool is_web(const char *address) {
    return g_str_has_prefix(address, "http://") || g_str_has_prefix(address, "https://");
}

/* The commits in question, as the alert's page asks for them. */
static bool write_commits(const web__writer *w, const char *source, const json_t *project,
                          const cfg_alert *alert, GError **error) {
    const char *from = alert->from ? alert->from->commit.sha : NULL;
    const char *last = cfg_alert_end(alert)->commit.sha;
    if (!is_web(cfg_json_word(project, "repository", "")) || !from || !last ||
        g_str_equal(from, last))
        return true;
    return keep_made(w, source,
                     g_strdup_printf("/api/v1/projects/%s/commits?after=%s&until=%s&limit=200",
                                     cfg_json_word(project, "name", ""), from, last),
                     error);
}

static bool write_swept(const web__writer *w, const json_t *sweep, GError **error) {
    size_t i;
    const json_t *value;
    cfg_json_each (sweep, "values", i, value) {
        const json_int_t id = cfg_json_integer(value, "experiment");
        if (id != 0 && !keep_experiment(w, "swept", id, error))
            return false;
    }
    return true;
}

typedef struct {
    const char *kind, *page; /* "alerts", "alert.html" */
} things;

/* Its page, and what that asks for: all of it follows from what the API says of the thing. */
static bool write_thing(const web__writer *w, const things *of, json_int_t id,
                        const json_t *project, GError **error) {
    g_autofree char *page = g_strdup_printf("%s/%" ID "/index.html", of->kind, id);
    g_autofree char *address = g_strdup_printf("/api/v1/%s/%" ID, of->kind, id);
    g_autofree char *path = web_site_name(address);
    json_auto_t *thing = web__kept(w, address, error);
    if (!thing || !web__put_page(w, of->page, page, error))
        return false;
    g_autofree char *source = g_strdup(web_files_hash(w->files, path));
    g_auto(cfg_alert) alert = cfg_alert_of(thing); /* the others have its ends, if any */
    return keep_comparison(w, source, alert.from ? alert.from->experiment : 0,
                           cfg_alert_end(&alert)->experiment, error) &&
           write_swept(w, thing, error) &&
           (!g_str_equal(of->kind, "alerts") || (write_commits(w, source, project, &alert, error) &&
                                                 write_explanation(w, source, &alert, error)));
}

static bool write_things(const web__writer *w, const json_t *project, GError **error) {
    static const things kinds[] = {
        {"alerts", "alert.html"}, {"incidents", "incident.html"}, {"sweeps", "sweep.html"}};
    for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++) {
        g_autofree char *address = g_strdup_printf(
            "/api/v1/projects/%s/%s" WEB__MANY, cfg_json_word(project, "name", ""), kinds[k].kind);
        json_auto_t *items = web__items(web__kept(w, address, error), address, error);
        const json_t *item;
        size_t i;
        if (!items)
            return false;
        json_array_foreach (items, i, item)
            if (!write_thing(w, &kinds[k], cfg_json_integer(item, "id"), project, error))
                return false;
    }
    return true;
}

/* A branch's own name leads to its project. */
static bool write_branches(const web__writer *w, const json_t *project, GError **error) {
    size_t i;
    const json_t *branch;
    cfg_json_each (project, "branches", i, branch) {
        g_autofree char *own =
            g_uri_escape_string(cfg_json_word(branch, "branch", ""), NULL, FALSE);
        if (!keep_made(w, NULL,
                       g_strdup_printf("/api/v1/projects/%s?branch=%s",
                                       cfg_json_word(project, "name", ""), own),
                       error))
            return false;
    }
    return true;
}

static bool write_project(const web__writer *w, const json_t *project, GError **error) {
    const char *name = cfg_json_word(project, "name", "");
    g_autofree char *page = g_strdup_printf("projects/%s/index.html", name);
    g_autofree char *own = g_strdup_printf("/api/v1/projects/%s", name);
    g_autofree char *lines = g_strdup_printf("%s/nights" WEB__MANY "&portions=brief", own);
    json_auto_t *list = web__items(web__asked(w, lines, error), lines, error);
    g_autofree char *nights = list ? write_nights(w, list, error) : NULL;
    /* a chart has the project's title */
    g_autofree char *drawn =
        nights ? g_strjoin(" ", nights, cfg_json_word(project, "title", ""), NULL) : NULL;
    return drawn && web__put_page(w, "project.html", page, error) &&
           web__keep(w, own, NULL, error) && write_branches(w, project, error) &&
           write_things(w, project, error) && write_pictures(w, drawn, name, error);
}

/* The first name that no project has; NULL: each has one. */
static const char *missing_of(const json_t *projects, const char *const *wanted) {
    size_t i;
    const json_t *project;
    for (; *wanted; wanted++) {
        bool found = false;
        json_array_foreach (projects, i, project)
            found |= g_str_equal(*wanted, cfg_json_word(project, "name", ""));
        if (!found)
            return *wanted;
    }
    return NULL;
}

/* Those of them that are wanted, and their list as a file; owned, NULL with error: one is not
 * there. */
static json_t *chosen(const web__writer *w, const json_t *all, GError **error) {
    const char *missing = missing_of(all, w->options->wanted);
    json_auto_t *projects = json_array();
    json_t *project;
    size_t i;
    if (missing) {
        g_set_error(error, WEB_SITE_ERROR, WEB_SITE_ERROR_PROJECT,
                    "--project %s: the server has no project of that name", missing);
        return NULL;
    }
    json_array_foreach (all, i, project)
        if (g_strv_contains(w->options->wanted, cfg_json_word(project, "name", "")))
            json_array_append(projects, project);
    json_t *list = json_pack("{s:O, s:n}", "items", projects, "next");
    return web__put_json(w, "api/v1/projects.json", list, error) ? g_steal_pointer(&projects)
                                                                 : NULL;
}

static json_t *projects_of(const web__writer *w, GError **error) {
    static const char address[] = "/api/v1/projects";
    const bool some = w->options->wanted && *w->options->wanted;
    json_auto_t *all = web__items(
        some ? web__asked(w, address, error) : web__kept(w, address, error), address, error);
    return !all ? NULL : some ? chosen(w, all, error) : g_steal_pointer(&all);
}

/* Tokens and the audit log are asked for with a token; "access.js" is loaded by their page. */
static bool is_left_out(const char *name) {
    static const char *const names[] = {"access.html", "access.js", "missing.html", "404.html",
                                        NULL};
    return g_strv_contains(names, name);
}

static bool write_pages(const web__writer *w, GError **error) {
    static const char *const pages[][2] = {{"index.html", "index.html"},
                                           {"404.html", "404.html"},
                                           {"experiment.html", "experiments/index.html"},
                                           {"compare.html", "compare/index.html"},
                                           {"jobs.html", "jobs/index.html"}};
    g_auto(GStrv) names = web_sitefile_names();
    for (gsize i = 0; i < G_N_ELEMENTS(pages); i++)
        if (!web__put_page(w, pages[i][0], pages[i][1], error))
            return false;
    for (char **name = names; *name; name++) {
        g_autofree char *path = g_strconcat("static/", *name, NULL);
        if (!is_left_out(*name) && !web__put_page(w, *name, path, error))
            return false;
    }
    return true;
}

/* Ended jobs as their page shows them, and what waited or ran when the site was written. */
static bool write_rest(const web__writer *w, GError **error) {
    static const char *const addresses[] = {"/api/v1/alerts?state=open&limit=1000",
                                            "/api/v1/jobs?state=leased&limit=300",
                                            "/api/v1/jobs?state=queued&limit=300",
                                            "/api/v1/jobs?state=failed&limit=300",
                                            "/api/v1/jobs?state=done&limit=300",
                                            "/api/v1/jobs?state=cancelled&limit=300",
                                            "/feed.atom",
                                            NULL};
    return web__put_json(w, "api/v1/written.json",
                         json_pack("{s:I}", "written_ms", (json_int_t)w->options->now_ms), error) &&
           keep_all(w, addresses, error) && write_pages(w, error);
}

/* Pages of a newer version ask for files that an older site does not have: they come last. */
static bool write_all(web__writer *w, GError **error) {
    json_auto_t *status = web__kept(w, "/api/v1/status", error);
    json_auto_t *projects = status ? projects_of(w, error) : NULL;
    size_t i;
    const json_t *project;
    w->version = cfg_json_word(status, "version", "");
    json_array_foreach (projects, i, project)
        if (!write_project(w, project, error))
            return false;
    return projects && write_rest(w, error);
}

bool web_site_write(const web_site_options *options, web_files_count *count, GError **error) {
    web__writer w = {.options = options,
                     .files = web_files_open(options->folder, options->again, error)};
    if (!w.files)
        return false;
    const bool good = write_all(&w, error);
    return web_files_close(w.files, !good, count, good ? error : NULL) && good;
}
