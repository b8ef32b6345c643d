#include "ci/site/nights.h"

#include "ci/formats/history_write.h"
#include "ci/site/experiment.h"
#include "ci/site/lines.h"
#include "ci/site/month.h"

#include <string.h>

enum {
    NEWEST = 14,
    DATA_NIGHTS = 100,
    PAGE = 5000 /* what the API hands out at most */
};

#define INDEX "/nights/index.json"
#define LIST "/nights.json"
#define LATEST "/latest.json.gz"
#define BRIEF "/brief.json.gz"

typedef struct {
    ci_site_months of;
    const char *project;
    json_t *places;
    ci_site_lines *all; /* newest first */
} work;

static void add_place(const work *w, const char *month, json_t *id) {
    json_array_append_new(
        w->places, json_pack("{s:O, s:s, s:s}", "id", id, "project", w->project, "month", month));
}

/* The experiments of some nights, which get their places; owned. */
static json_t *ids_of(const work *w, size_t from, size_t to) {
    json_t *ids = json_array();
    for (; from < to; from++) {
        const ci_site_line *line = ci_site_lines_at(w->all, from);
        if (line->experiment == 0)
            continue;
        json_t *id = json_integer(line->experiment);
        json_array_append(ids, id);
        add_place(w, line->month, id);
        json_decref(id);
    }
    return ids;
}

/* The first measured experiment of these nights and what is older; 0: none. */
static json_int_t measured_from(const work *w, size_t at) {
    const ci_site_line *line;
    while ((line = ci_site_lines_at(w->all, at)) && !line->measured)
        at++;
    return line ? line->experiment : 0;
}

/* As JSON; owned, NULL with error. */
static json_t *read_nights(const work *w, size_t from, size_t to, GError **error) {
    json_t *nights = json_array();
    for (; from < to; from++) {
        json_t *night = ci_site_lines_read(w->all, from, error);
        if (!night) {
            json_decref(nights);
            return NULL;
        }
        json_array_append(nights, night);
    }
    return nights;
}

static bool write_month(const work *w, size_t from, size_t to, GError **error) {
    const json_int_t before = measured_from(w, to);
    g_autofree char *own = ci_site_lines_digest(w->all, from, to);
    g_autofree char *digest = g_strdup_printf("%s-%" JSON_INTEGER_FORMAT, own, before);
    const char *name = ci_site_lines_at(w->all, from)->month;
    if (ci_site_month_kept(&w->of, name, digest))
        return true;
    json_auto_t *nights = read_nights(w, from, to, error);
    const bool good = nights && ci_site_month(&w->of, name, digest, nights, error);
    ci_site_lines_forget(w->all, MAX(from, DATA_NIGHTS), to);
    return good;
}

/* Month by month, the newest first, as the nights are. */
static bool write_months(const work *w, json_t *months, GError **error) {
    const ci_site_line *line;
    bool good = true;
    for (size_t from = 0, to; good && (line = ci_site_lines_at(w->all, from)); from = to) {
        const char *month = line->month;
        for (to = from; line && g_str_equal(line->month, month); to++)
            line = ci_site_lines_at(w->all, to + 1);
        json_array_append_new(
            months, json_pack("[s, I, o]", month, (json_int_t)(to - from), ids_of(w, from, to)));
        good = write_month(w, from, to, error);
    }
    return good;
}

/* The newest nights, oldest first, for the pages of github-action-benchmark and its like. */
static bool write_data(const work *w, GError **error) {
    json_auto_t *newest = read_nights(w, 0, MIN(ci_site_lines_count(w->all), DATA_NIGHTS), error);
    json_auto_t *nights = json_array();
    for (size_t i = json_array_size(newest); i > 0; i--)
        json_array_append(nights, json_array_get(newest, i - 1));
    char *text = newest ? ci_history_github(w->project, nights) : NULL;
    if (!text)
        return false;
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, strlen(text));
    g_autofree char *path = g_strdup_printf("projects/%s/data.js", w->project);
    return ci_files_put(w->of.source->files, path, NULL, bytes, error);
}

/* The newest night with an experiment; what is behind the last where there is none. */
static size_t latest_of(const ci_site_lines *all) {
    size_t at = 0;
    for (const ci_site_line *line; (line = ci_site_lines_at(all, at)) && line->experiment == 0;)
        at++;
    return at;
}

/* The newest one's line, and the one before, which its experiment names. */
static char *latest_digest(const work *w) {
    const size_t at = latest_of(w->all), end = MIN(at + 1, ci_site_lines_count(w->all));
    g_autofree char *own = ci_site_lines_digest(w->all, at, end);
    return g_strdup_printf("%s-%" JSON_INTEGER_FORMAT, own, measured_from(w, at + 1));
}

static bool fetch_newest(const work *w, GError **error) {
    json_t *id = json_object_get(w->of.latest, "experiment");
    if (id && json_object_size(w->of.newest) == 0) {
        json_auto_t *experiment = ci_site_experiment(w->of.source, json_integer_value(id), error);
        if (!experiment)
            return false;
        json_object_update(w->of.newest, experiment);
    }
    if (id)
        json_object_set(w->of.newest, "experiment", id);
    return true;
}

/* By itself, too: a page that shows each project's newest one need not load their months. */
static bool write_newest(const work *w, GError **error) {
    g_autofree char *path = g_strconcat(w->of.folder, LATEST, NULL);
    g_autofree char *shorter = g_strconcat(w->of.folder, BRIEF, NULL);
    g_autofree char *digest = latest_digest(w);
    const bool whole = ci_files_unchanged(w->of.source->files, path, digest);
    if (ci_files_unchanged(w->of.source->files, shorter, digest) && whole)
        return true;
    if (!fetch_newest(w, error))
        return false;
    json_auto_t *brief = ci_site_brief(w->of.newest);
    return ci_files_put_json(w->of.source->files, path, digest, w->of.newest, error) &&
           ci_files_put_json(w->of.source->files, shorter, digest, brief, error);
}

static bool write_index(const work *w, const char *etag, json_t *months, GError **error) {
    json_auto_t *newest = read_nights(w, 0, MIN(ci_site_lines_count(w->all), NEWEST), error);
    if (!newest)
        return false;
    json_auto_t *index = json_pack("{s:O}", "months", months);
    json_auto_t *list = json_pack("{s:O, s:n}", "items", newest, "next");
    g_autofree char *a = g_strconcat(w->of.folder, INDEX, NULL);
    g_autofree char *b = g_strconcat(w->of.folder, LIST, NULL);
    return write_data(w, error) && write_newest(w, error) &&
           ci_files_put_json(w->of.source->files, b, NULL, list, error) &&
           ci_files_put_json(w->of.source->files, a, etag, index, error);
}

/* What there is of a project beside its months. */
static bool keep_others(const work *w) {
    static const char *const names[] = {LIST, LATEST, BRIEF};
    g_autofree char *data = g_strdup_printf("projects/%s/data.js", w->project);
    bool there = ci_files_keep(w->of.source->files, data);
    for (gsize i = 0; there && i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_strconcat(w->of.folder, names[i], NULL);
        there = ci_files_keep(w->of.source->files, path);
    }
    return there;
}

/* The months stay as they are; false: something of them is not there. */
static bool keep_months(const work *w, const char *index) {
    json_auto_t *known = ci_files_json(w->of.source->files, index);
    bool there = known && keep_others(w);
    size_t i;
    json_t *month;
    json_array_foreach (json_object_get(known, "months"), i, month) {
        const char *name = json_string_value(json_array_get(month, 0));
        there = there && name && ci_site_month_kept(&w->of, name, NULL);
        for (size_t k = 0; there && k < json_array_size(json_array_get(month, 2)); k++)
            add_place(w, name, json_array_get(json_array_get(month, 2), k));
    }
    return there && ci_files_keep(w->of.source->files, index);
}

/* One answer of the list, behind `cursor` (NULL: the first); NULL without error: it is as etag
 * says.
 */
static GBytes *answer_of(const work *w, const char *cursor, char **etag, GError **error) {
    g_autofree char *escaped = cursor ? g_uri_escape_string(cursor, NULL, FALSE) : NULL;
    g_autofree char *address =
        g_strdup_printf("/api/v1/projects/%s/nights?limit=%d%s%s", w->project, PAGE,
                        escaped ? "&cursor=" : "", escaped ? escaped : "");
    return ci_client_fetch(w->of.source->client, address, etag, error);
}

/* All nights; false without error: they are as etag says. A list of more than one answer has no
 * etag. */
static bool fetch_all(const work *w, char **etag, GError **error) {
    g_autofree char *cursor = NULL;
    do {
        g_autofree char *next = NULL, *unused = NULL;
        g_autoptr(GBytes) answer = answer_of(w, cursor, cursor ? &unused : etag, error);
        if (!answer || !ci_site_lines_add(w->all, answer, &next, error))
            return false;
        if (next)
            g_clear_pointer(etag, g_free);
        g_free(cursor);
        cursor = g_steal_pointer(&next);
    } while (cursor);
    return true;
}

/* As fetch_all, where the months that are there stay: false without error when they do. */
static bool fetch_changed(const work *w, const char *index, char **etag, GError **error) {
    GError *wrong = NULL;
    bool there = fetch_all(w, etag, &wrong);
    if (!there && !wrong && !keep_months(w, index)) {
        json_array_clear(w->places);
        g_clear_pointer(etag, g_free);
        there = fetch_all(w, etag, &wrong);
    }
    if (wrong)
        g_propagate_error(error, wrong);
    return there;
}

void ci_site_nights_places(const ci_source *source, const char *project, json_t *places) {
    g_autofree char *index = g_strdup_printf("api/v1/projects/%s" INDEX, project);
    const work w = {.of = {.source = source}, .project = project, .places = places};
    json_auto_t *known = ci_files_json(source->files, index);
    size_t i, k;
    json_t *month, *id;
    json_array_foreach (json_object_get(known, "months"), i, month)
        json_array_foreach (json_array_get(month, 2), k, id)
            add_place(&w, json_string_value(json_array_get(month, 0)), id);
}

static bool write_all(work *w, const char *etag, GError **error) {
    const size_t latest = latest_of(w->all);
    json_auto_t *months = json_array();
    json_auto_t *newest = NULL; /* beyond its month */
    if (latest < ci_site_lines_count(w->all) &&
        !(newest = json_incref(ci_site_lines_read(w->all, latest, error))))
        return false;
    w->of.latest = newest;
    return write_months(w, months, error) && write_index(w, etag, months, error);
}

bool ci_site_nights(const ci_source *source, const char *project, json_t *places, GError **error) {
    g_autofree char *folder = g_strdup_printf("api/v1/projects/%s", project);
    g_autofree char *index = g_strconcat(folder, INDEX, NULL);
    g_autofree char *etag = ci_files_source(source->files, index);
    g_autoptr(ci_site_lines) all = ci_site_lines_new();
    json_auto_t *newest = json_object();
    work w = {{source, folder, NULL, newest}, project, places, all};
    GError *wrong = NULL;
    const bool changed = fetch_changed(&w, index, &etag, &wrong);
    if (wrong)
        g_propagate_error(error, wrong);
    return changed ? write_all(&w, etag, error) : !wrong;
}
