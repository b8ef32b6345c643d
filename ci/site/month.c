#include "ci/site/month.h"

#include "ci/site/experiment.h"

#include <string.h>

/* The files of a month. */
enum { NIGHTS, EXPERIMENTS, LOOPS, FILES };
static const char *const kinds[FILES] = {"nights", "experiments", "loops"};

static char *path_of(const ci_site_months *of, const char *name, int kind) {
    return g_strdup_printf("%s/%s/%s.json.gz", of->folder, kinds[kind], name);
}

/* An experiment without what its night says already. */
static json_t *rest_of(const ci_site_months *of, json_t *night, GError **error) {
    json_t *id = json_object_get(night, "experiment");
    json_auto_t *experiment = ci_site_experiment(of->source, json_integer_value(id), error);
    if (!experiment)
        return NULL;
    if (night == of->latest) {
        json_auto_t *copy = json_deep_copy(experiment);
        json_object_update(of->newest, copy);
    }
    json_t *rest = ci_site_subtract(experiment, night);
    rest = rest ? rest : json_object();
    json_object_set(rest, "experiment", id);
    return rest;
}

static bool has_experiment(const json_t *night) {
    return json_integer_value(json_object_get(night, "experiment")) != 0;
}

/* How many of the oldest nights are just so in both lists. */
static size_t alike(const json_t *nights, const json_t *others) {
    const size_t n = json_array_size(nights), m = json_array_size(others);
    size_t same = 0;
    while (same < MIN(n, m) &&
           json_equal(json_array_get(nights, n - 1 - same), json_array_get(others, m - 1 - same)))
        same++;
    return same;
}

static size_t experiments_in(const json_t *nights, size_t from) {
    size_t count = 0;
    for (; from < json_array_size(nights); from++)
        count += has_experiment(json_array_get(nights, from));
    return count;
}

/* Appends the last of a list. */
static void append_last(json_t *list, const json_t *from, size_t count) {
    for (size_t i = json_array_size(from) - MIN(count, json_array_size(from));
         i < json_array_size(from); i++)
        json_array_append(list, json_array_get(from, i));
}

/* What its files have, or had the last time; all NULL: they are not there, or not as they were
 * written. */
typedef struct {
    json_t *of[FILES];
} month;

static void month_clear(month *m) {
    for (int kind = 0; kind < FILES; kind++)
        json_decref(m->of[kind]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(month, month_clear)

/* "HASH-7": the month's nights, and the experiment before them. */
static bool same_before(const char *digest, const char *other) {
    return g_strcmp0(strrchr(digest, '-'), strrchr(other, '-')) == 0;
}

static month read_month(const ci_site_months *of, const char *name, const char *digest) {
    month was = {{0}};
    bool good = true;
    g_autofree char *first = NULL;
    for (int kind = 0; good && kind < FILES; kind++) {
        g_autofree char *path = path_of(of, name, kind), *source = NULL;
        was.of[kind] = ci_files_written(of->source->files, path, &source);
        if (kind == 0)
            first = g_strdup(source);
        good = was.of[kind] && source && same_before(source, digest) && g_str_equal(source, first);
    }
    if (good)
        return was;
    month_clear(&was);
    return (month){{0}};
}

/*
 * What the API says of an experiment changes with its night's line, with the measured night before
 * it, which it names, and with what its numbers are judged by: earlier nights. So those of the
 * oldest nights whose lines are as they were stay; all from the first other line on are asked for.
 */
static bool add_experiments(const ci_site_months *of, month *now, const month *was,
                            GError **error) {
    const json_t *nights = now->of[NIGHTS];
    const size_t newer = json_array_size(nights) - alike(nights, was->of[NIGHTS]);
    for (size_t i = 0; i < newer; i++) {
        json_t *night = json_array_get(nights, i);
        if (!has_experiment(night))
            continue;
        json_t *rest = rest_of(of, night, error);
        if (!rest)
            return false;
        json_array_append_new(now->of[LOOPS], ci_site_take_loops(rest));
        json_array_append_new(now->of[EXPERIMENTS], rest);
    }
    const size_t kept = experiments_in(nights, newer);
    append_last(now->of[EXPERIMENTS], was->of[EXPERIMENTS], kept);
    append_last(now->of[LOOPS], was->of[LOOPS], kept);
    return true;
}

bool ci_site_month_kept(const ci_site_months *of, const char *name, const char *digest) {
    bool kept = true;
    for (int kind = 0; kept && kind < FILES; kind++) {
        g_autofree char *path = path_of(of, name, kind);
        kept = digest ? ci_files_unchanged(of->source->files, path, digest)
                      : ci_files_keep(of->source->files, path);
    }
    return kept;
}

bool ci_site_month(const ci_site_months *of, const char *name, const char *digest, json_t *nights,
                   GError **error) {
    g_auto(month) was = read_month(of, name, digest);
    g_auto(month) now = {{json_incref(nights), json_array(), json_array()}};
    bool good = add_experiments(of, &now, &was, error);
    for (int kind = 0; good && kind < FILES; kind++) {
        g_autofree char *path = path_of(of, name, kind);
        good = ci_files_put_json(of->source->files, path, digest, now.of[kind], error);
    }
    return good;
}
