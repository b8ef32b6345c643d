#include "ci/site/nights.h"

#include "ci/formats/history_write.h"

#include <math.h>
#include <string.h>

enum {
    MONTH_CHARS = 7,
    NEWEST = 14,
    DATA_NIGHTS = 100,
    PAGE = 5000 /* what the API hands out at most */
};

/* Significant digits: pages show three or four, and what they add up or compare keeps some more. */
enum { DIGITS = 7, LOOP_DIGITS = 4 };

#define INDEX "/nights/index.json"
#define LIST "/nights.json"

static json_t *subtract_lists(json_t *a, const json_t *b) {
    json_t *out = json_array();
    for (size_t i = 0; i < json_array_size(a); i++) {
        json_t *rest = ci_site_subtract(json_array_get(a, i), json_array_get(b, i));
        json_array_append_new(out, rest ? rest : json_object());
    }
    return out;
}

static bool all_objects(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_object(json_array_get(list, i)))
            return false;
    return true;
}

json_t *ci_site_subtract(json_t *a, const json_t *b) {
    if (json_equal(a, b))
        return NULL;
    if (json_is_array(a) && json_is_array(b) && json_array_size(a) == json_array_size(b) &&
        all_objects(a) && all_objects(b))
        return subtract_lists(a, b);
    if (!json_is_object(a) || !json_is_object(b))
        return json_incref(a);
    json_t *out = json_object();
    const char *key;
    json_t *value;
    json_object_foreach (a, key, value) {
        json_t *rest = ci_site_subtract(value, json_object_get(b, key));
        if (rest)
            json_object_set_new(out, key, rest);
    }
    return out;
}

static void round_real(json_t *real, int digits) {
    const double value = json_real_value(real);
    if (value == 0 || !isfinite(value))
        return;
    const double places = digits - 1 - floor(log10(fabs(value)));
    const double scale = pow(10, fabs(places));
    (void)json_real_set(real,
                        places > 0 ? round(value * scale) / scale : round(value / scale) * scale);
}

void ci_site_round(json_t *value, int digits) {
    size_t i;
    const char *key;
    json_t *part;
    if (json_is_real(value))
        round_real(value, digits);
    json_array_foreach (value, i, part)
        ci_site_round(part, digits);
    json_object_foreach (value, key, part)
        ci_site_round(part, digits);
}

/* A loop's mean is what two nights are compared by; the rest is for a table of three digits. */
static void round_loop(json_t *loop) {
    json_t *mean = json_object_get(json_object_get(loop, "summary"), "mean_ns");
    const double mean_ns = json_real_value(mean);
    ci_site_round(loop, LOOP_DIGITS);
    if (json_is_real(mean))
        (void)json_real_set(mean, mean_ns);
}

/* What its statistics say of a configuration's mean, it says itself. */
static void drop_repeated(json_t *configuration) {
    static const char *const keys[] = {"mean_ns", "low_ns", "high_ns"};
    json_t *statistics = json_object_get(configuration, "statistics");
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const json_t *own = json_object_get(configuration, keys[i]);
        if (own && json_equal(own, json_object_get(statistics, keys[i])))
            (void)json_object_del(statistics, keys[i]);
    }
}

/* Raw values stay on the server. */
static void shorten(json_t *experiment) {
    size_t i, k;
    json_t *configuration, *loop;
    json_array_foreach (json_object_get(experiment, "configurations"), i, configuration) {
        drop_repeated(configuration);
        json_array_foreach (json_object_get(configuration, "loop_results"), k, loop) {
            json_object_set_new(loop, "raw", json_null());
            round_loop(loop);
        }
    }
    ci_site_round(experiment, DIGITS);
}

json_t *ci_site_experiment(const ci_source *source, json_int_t id, GError **error) {
    g_autofree char *path = g_strdup_printf("/experiments/%" JSON_INTEGER_FORMAT, id);
    json_t *experiment = ci_source_get(source, path, error);
    shorten(experiment);
    return experiment;
}

/* The experiments of a month's nights, each without what its night says already. */
static json_t *rests_of(const ci_source *source, const json_t *nights, GError **error) {
    json_t *rests = json_array();
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        const json_int_t id = json_integer_value(json_object_get(night, "experiment"));
        if (id == 0)
            continue;
        json_auto_t *experiment = ci_site_experiment(source, id, error);
        if (!experiment) {
            json_decref(rests);
            return NULL;
        }
        json_t *rest = ci_site_subtract(experiment, night);
        rest = rest ? rest : json_object();
        json_object_set_new(rest, "experiment", json_integer(id));
        json_array_append_new(rests, rest);
    }
    return rests;
}

typedef struct {
    const ci_source *source;
    const char *project, *folder; /* "api/v1/projects/NAME" */
    json_t *places;
} work;

static void add_place(const work *w, const char *month, json_t *id) {
    json_array_append_new(
        w->places, json_pack("{s:O, s:s, s:s}", "id", id, "project", w->project, "month", month));
}

static void add_places(const work *w, const char *month, const json_t *nights) {
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night)
        if (json_is_integer(json_object_get(night, "experiment")))
            add_place(w, month, json_object_get(night, "experiment"));
}

/* before: the night before the month's first, which that one names; NULL: there is none. */
static bool write_month(const work *w, const char *month, json_t *nights, const json_t *before,
                        GError **error) {
    g_autofree char *own = ci_source_digest(nights);
    g_autofree char *digest = g_strdup_printf(
        "%s-%" JSON_INTEGER_FORMAT, own, json_integer_value(json_object_get(before, "experiment")));
    g_autofree char *base = g_strdup_printf("%s/nights/%s.json.gz", w->folder, month);
    g_autofree char *more = g_strdup_printf("%s/experiments/%s.json.gz", w->folder, month);
    add_places(w, month, nights);
    if (ci_files_unchanged(w->source->files, more, digest) &&
        ci_files_unchanged(w->source->files, base, digest))
        return true;
    json_auto_t *rests = rests_of(w->source, nights, error);
    return rests && ci_files_put_json(w->source->files, base, digest, nights, error) &&
           ci_files_put_json(w->source->files, more, digest, rests, error);
}

static const char *date_of(const json_t *night) {
    const char *date = json_string_value(json_object_get(night, "night"));
    return date && strlen(date) > MONTH_CHARS ? date : "0000-00-00";
}

static json_t *ids_of(const json_t *nights) {
    json_t *ids = json_array();
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night)
        if (json_is_integer(json_object_get(night, "experiment")))
            json_array_append(ids, json_object_get(night, "experiment"));
    return ids;
}

/* Month by month, the newest first, as the nights are. */
static bool write_months(const work *w, json_t *all, json_t *months, GError **error) {
    bool good = true;
    for (size_t i = 0, end; good && i < json_array_size(all); i = end) {
        g_autofree char *month = g_strndup(date_of(json_array_get(all, i)), MONTH_CHARS);
        json_t *nights = json_array();
        for (end = i; end < json_array_size(all); end++) {
            json_t *night = json_array_get(all, end);
            if (!g_str_has_prefix(date_of(night), month))
                break;
            json_array_append(nights, night);
        }
        json_array_append_new(
            months,
            json_pack("[s, I, o]", month, (json_int_t)json_array_size(nights), ids_of(nights)));
        good = write_month(w, month, nights, json_array_get(all, end), error);
        json_decref(nights);
    }
    return good;
}

/* The newest nights, oldest first, for the pages of github-action-benchmark and its like. */
static bool write_data(const work *w, const json_t *all, GError **error) {
    json_auto_t *nights = json_array();
    for (size_t i = MIN(json_array_size(all), DATA_NIGHTS); i > 0; i--)
        json_array_append(nights, json_array_get(all, i - 1));
    char *text = ci_history_github(w->project, nights);
    g_autoptr(GBytes) bytes = g_bytes_new_take(text, strlen(text));
    g_autofree char *path = g_strdup_printf("projects/%s/data.js", w->project);
    return ci_files_put(w->source->files, path, NULL, bytes, error);
}

static bool write_index(const work *w, const char *etag, json_t *all, json_t *months,
                        GError **error) {
    json_auto_t *newest = json_array();
    for (size_t i = 0; i < NEWEST && i < json_array_size(all); i++)
        json_array_append(newest, json_array_get(all, i));
    json_auto_t *index = json_pack("{s:O}", "months", months);
    json_auto_t *list = json_pack("{s:O, s:n}", "items", newest, "next");
    g_autofree char *a = g_strconcat(w->folder, INDEX, NULL);
    g_autofree char *b = g_strconcat(w->folder, LIST, NULL);
    return write_data(w, all, error) && ci_files_put_json(w->source->files, b, NULL, list, error) &&
           ci_files_put_json(w->source->files, a, etag, index, error);
}

/* The months stay as they are; false: something of them is not there. */
static bool keep_months(const work *w, const char *index) {
    g_autofree char *list = g_strconcat(w->folder, LIST, NULL);
    g_autofree char *data = g_strdup_printf("projects/%s/data.js", w->project);
    json_auto_t *known = ci_files_json(w->source->files, index);
    bool there =
        known && ci_files_keep(w->source->files, list) && ci_files_keep(w->source->files, data);
    size_t i;
    json_t *month;
    json_array_foreach (json_object_get(known, "months"), i, month) {
        const char *name = json_string_value(json_array_get(month, 0));
        static const char *const kinds[] = {"nights", "experiments"};
        for (size_t k = 0; there && k < G_N_ELEMENTS(kinds); k++) {
            g_autofree char *path =
                g_strdup_printf("%s/%s/%s.json.gz", w->folder, kinds[k], name ? name : "");
            there = name && ci_files_keep(w->source->files, path);
        }
        for (size_t k = 0; there && k < json_array_size(json_array_get(month, 2)); k++)
            add_place(w, name, json_array_get(json_array_get(month, 2), k));
    }
    return there && ci_files_keep(w->source->files, index);
}

/* All nights, newest first; NULL without error: they are as etag says. */
static json_t *nights_of(const work *w, char **etag, GError **error) {
    g_autofree char *address =
        g_strdup_printf("/api/v1/projects/%s/nights?limit=%d", w->project, PAGE);
    g_autoptr(GBytes) bytes = ci_client_fetch(w->source->client, address, etag, error);
    gsize size = 0;
    const char *text = bytes ? g_bytes_get_data(bytes, &size) : NULL;
    json_auto_t *page = text ? json_loadb(text, size, 0, NULL) : NULL;
    if (!text)
        return NULL;
    if (!page || !json_is_null(json_object_get(page, "next"))) {
        g_clear_pointer(etag, g_free); /* more than one answer, of which this is the first */
        return ci_client_nights(w->source->client, w->project, 0, NULL, error);
    }
    return json_incref(json_object_get(page, "items"));
}

bool ci_site_nights(const ci_source *source, const char *project, json_t *places, GError **error) {
    g_autofree char *folder = g_strdup_printf("api/v1/projects/%s", project);
    g_autofree char *index = g_strconcat(folder, INDEX, NULL);
    g_autofree char *etag = ci_files_source(source->files, index);
    const work w = {source, project, folder, places};
    GError *wrong = NULL;
    json_auto_t *all = nights_of(&w, &etag, &wrong);
    if (!all && !wrong) {
        if (keep_months(&w, index))
            return true;
        json_array_clear(places);
        g_clear_pointer(&etag, g_free);
        json_decref(all);
        all = nights_of(&w, &etag, &wrong);
    }
    json_auto_t *months = json_array();
    ci_site_round(all, DIGITS);
    if (wrong)
        g_propagate_error(error, wrong);
    return all && write_months(&w, all, months, error) && write_index(&w, etag, all, months, error);
}
