#include "tests/bench/detector/real.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/detector.h"
#include "tests/bench/detector/rival.h"

#define NIGHTS_MAX 1024
#define SERIES_MAX 32
#define CHANGES_MAX 16
#define ALARMS 1024
#define WINDOW 14
#define NORMAL_95 1.959963984540054
/* A stretch: the nights between two labels, that far from them; long enough for a step. */
#define STRETCH_MARGIN 3
#define STRETCH_NIGHTS 60
#define STEP_AFTER 30
#define STEP_BEFORE_END (WINDOW + 1)
#define T_THRESHOLD 7 /* Perfherder's */

const double real_sizes[REAL_SIZES] = {0.005, 0.01, 0.02, 0.05, 0.10};

typedef struct {
    char name[64];
    double value[NIGHTS_MAX], error[NIGHTS_MAX];
    size_t n, changes, unsure, ignored;
    int change[CHANGES_MAX], sign[CHANGES_MAX];
    int unsure_at[CHANGES_MAX];
    int ignore_from[CHANGES_MAX], ignore_to[CHANGES_MAX];
} series;

struct real {
    series all[SERIES_MAX];
    size_t count;
};

static int values_read(series *s, const char *directory) {
    char path[4096], line[256];
    (void)snprintf(path, sizeof path, "%s/%s.csv", directory, s->name);
    FILE *file = fopen(path, "r");
    int fine = file && fgets(line, sizeof line, file);
    while (fine && s->n < NIGHTS_MAX && fgets(line, sizeof line, file)) {
        char *at = strchr(line, ',');
        fine = at != NULL;
        if (!fine)
            break;
        s->value[s->n] = strtod(at + 1, &at);
        const double low = *at == ',' ? strtod(at + 1, &at) : 0;
        const double high = *at == ',' ? strtod(at + 1, &at) : 0;
        s->error[s->n++] = (high - low) / 2 / NORMAL_95;
    }
    if (!fine)
        (void)fprintf(stderr, "%s: not a series index,value,lo,hi\n", path);
    if (file)
        (void)fclose(file);
    return fine;
}

static void labels_read(series *s, const json_t *labels) {
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(labels, "changes"), i, item)
        if (s->changes < CHANGES_MAX) {
            s->change[s->changes] = (int)json_integer_value(json_object_get(item, "night"));
            s->sign[s->changes++] =
                json_number_value(json_object_get(item, "percent")) > 0 ? 1 : -1;
        }
    json_array_foreach (json_object_get(labels, "unsure"), i, item)
        if (s->unsure < CHANGES_MAX)
            s->unsure_at[s->unsure++] = (int)json_integer_value(item);
    json_array_foreach (json_object_get(labels, "ignore"), i, item)
        if (s->ignored < CHANGES_MAX) {
            s->ignore_from[s->ignored] = (int)json_integer_value(json_array_get(item, 0));
            s->ignore_to[s->ignored++] = (int)json_integer_value(json_array_get(item, 1));
        }
}

real *real_new(const char *directory) {
    char path[4096];
    json_error_t wrong;
    const char *name;
    json_t *labels;
    real *r = calloc(1, sizeof *r);
    (void)snprintf(path, sizeof path, "%s/labels.json", directory);
    json_t *all = json_load_file(path, 0, &wrong);
    int fine = r && all;
    if (!all)
        (void)fprintf(stderr, "%s:%d: %s\n", path, wrong.line, wrong.text);
    json_object_foreach (all, name, labels) {
        if (!fine || r->count == SERIES_MAX)
            break;
        series *s = &r->all[r->count++];
        (void)snprintf(s->name, sizeof s->name, "%s", name);
        labels_read(s, labels);
        fine = values_read(s, directory);
    }
    json_decref(all);
    if (fine)
        return r;
    free(r);
    return NULL;
}

void real_free(real *r) {
    free(r);
}

static int within(int night, int from, int to) {
    return night >= from && night <= to;
}

static int excused(const series *s, int night) {
    for (size_t i = 0; i < s->unsure; i++)
        if (within(night, s->unsure_at[i] - 2, s->unsure_at[i] + WINDOW))
            return 1;
    for (size_t i = 0; i < s->ignored; i++)
        if (within(night, s->ignore_from[i], s->ignore_to[i] + WINDOW))
            return 1;
    return 0;
}

/* A hit is an alarm of the change's direction on its night or one of the 14 after it. */
static void labels_add(real_labels *result, const series *s, const alarm_at *alarms, size_t count) {
    int taken[ALARMS] = {0};
    for (size_t c = 0; c < s->changes; c++)
        for (size_t a = 0; a < count; a++)
            if (!taken[a] && alarms[a].direction == s->sign[c] &&
                within(alarms[a].night, s->change[c], s->change[c] + WINDOW)) {
                taken[a] = 1;
                result->hits++;
                break;
            }
    result->changes += (double)s->changes;
    for (size_t a = 0; a < count; a++)
        result->alarms += taken[a] || !excused(s, alarms[a].night);
}

real_labels real_label_score(const real *r, real_detector detect) {
    real_labels result = {0};
    alarm_at alarms[ALARMS];
    for (size_t i = 0; i < r->count; i++) {
        const series *s = &r->all[i];
        const real_series all = {s->name, s->value, s->error, s->n};
        labels_add(&result, s, alarms, detect(&all, alarms, ALARMS));
    }
    return result;
}

typedef struct {
    double value[NIGHTS_MAX], error[NIGHTS_MAX];
    size_t n;
} stretch;

/* The next stretch from night `at` on: no label, no broken night inside. Returns where to go on. */
static int stretch_next(const series *s, int at, stretch *out) {
    int end = (int)s->n;
    for (size_t i = 0; i < s->changes; i++)
        if (s->change[i] >= at && s->change[i] < end)
            end = s->change[i];
    for (size_t i = 0; i < s->unsure; i++)
        if (s->unsure_at[i] >= at && s->unsure_at[i] < end)
            end = s->unsure_at[i];
    int last = end - (end < (int)s->n ? STRETCH_MARGIN : 0);
    out->n = 0;
    for (int n = at; n < last; n++) {
        int broken = 0;
        for (size_t i = 0; i < s->ignored; i++)
            broken |= within(n, s->ignore_from[i], s->ignore_to[i]);
        if (broken)
            continue;
        out->value[out->n] = s->value[n];
        out->error[out->n++] = s->error[n];
    }
    return end + STRETCH_MARGIN;
}

static void plant(const stretch *s, real_detector detect, bench_random *random, int size,
                  real_planted *result) {
    double value[NIGHTS_MAX], error[NIGHTS_MAX];
    alarm_at alarms[ALARMS];
    const int night =
        STEP_AFTER + (int)bench_below(random, (unsigned)(s->n - STEP_AFTER - STEP_BEFORE_END));
    const int sign = bench_uniform(random) < 0.5 ? -1 : 1;
    for (size_t n = 0; n < s->n; n++) {
        const double factor = (int)n < night ? 1 : 1 + sign * real_sizes[size];
        value[n] = s->value[n] * factor;
        error[n] = s->error[n] * factor;
    }
    const real_series all = {"", value, error, s->n};
    const size_t count = detect(&all, alarms, ALARMS);
    int found = 0;
    for (size_t a = 0; a < count; a++) {
        const int hit =
            !found && alarms[a].direction == sign && within(alarms[a].night, night, night + WINDOW);
        found |= hit;
        result->wrong += !hit;
    }
    result->planted[size]++;
    result->found[size] += found;
    result->nights += (double)s->n;
}

real_planted real_plant_score(const real *r, real_detector detect, uint64_t seed, int repeats) {
    real_planted result = {0};
    bench_random random;
    alarm_at alarms[ALARMS];
    static stretch s;
    bench_random_init(&random, seed);
    for (size_t i = 0; i < r->count; i++)
        for (int at = 0; at < (int)r->all[i].n;) {
            at = stretch_next(&r->all[i], at, &s);
            if (s.n < STRETCH_NIGHTS)
                continue;
            const real_series quiet = {r->all[i].name, s.value, s.error, s.n};
            result.quiet += (double)detect(&quiet, alarms, ALARMS);
            result.quiet_nights += (double)s.n;
            for (int size = 0; size < REAL_SIZES; size++)
                for (int k = 0; k < repeats; k++)
                    plant(&s, detect, &random, size, &result);
        }
    return result;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Spread of a stretch as a share of its median: 1.4826 median absolute deviations. */
static double spread_of(const stretch *s) {
    double x[NIGHTS_MAX];
    memcpy(x, s->value, s->n * sizeof *x);
    qsort(x, s->n, sizeof *x, ascending);
    const double middle = x[s->n / 2];
    for (size_t n = 0; n < s->n; n++)
        x[n] = fabs(x[n] - middle);
    qsort(x, s->n, sizeof *x, ascending);
    return 1.4826 * x[s->n / 2] / middle;
}

void real_plant_limit(const real *r, double z, double *limit) {
    static stretch s;
    double count = 0;
    memset(limit, 0, REAL_SIZES * sizeof *limit);
    for (size_t i = 0; i < r->count; i++)
        for (int at = 0; at < (int)r->all[i].n;) {
            at = stretch_next(&r->all[i], at, &s);
            if (s.n < STRETCH_NIGHTS)
                continue;
            count++;
            const double error = spread_of(&s) * sqrt(1.0 / (WINDOW + 1) + 1.0 / STEP_AFTER);
            for (int k = 0; k < REAL_SIZES; k++)
                limit[k] += det_normal_cdf(real_sizes[k] / error - z);
        }
    for (int k = 0; k < REAL_SIZES; k++)
        limit[k] /= fmax(count, 1);
}

size_t real_ours(const real_series *s, alarm_at *out, size_t capacity) {
    det_chain chain;
    det_policy policy;
    det_verdict v;
    size_t count = 0;
    det_chain_init(&chain);
    det_policy_init(&policy);
    policy.patience = 2;
    policy.effect_relative = REAL_EFFECT;
    if (det_chain_add(&chain, "value", -1) != DET_OK)
        abort();
    chain.control = -1;
    det_watch *watch = det_watch_new(&chain, &policy);
    for (size_t n = 0; watch && n < s->n; n++) {
        const double means[] = {s->value[n] - s->error[n], s->value[n] + s->error[n]};
        const det_night night = {.id = (int64_t)n, .loops = 2, .means = means};
        if (det_watch_add(watch, &night, &v) != DET_OK)
            abort();
        if (v.verdict == DET_VERDICT_ANOMALY && count < capacity)
            out[count++] = (alarm_at){(int)n, 0, v.direction};
    }
    det_watch_free(watch);
    return count;
}

size_t real_t(const real_series *s, alarm_at *out, size_t capacity) {
    return rival_t_series(s->value, s->n, T_THRESHOLD, out, capacity);
}
