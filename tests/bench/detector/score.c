#include "tests/bench/detector/score.h"

#include <stdbool.h>

#define ALARMS_MAX 4096

static int size_class(double size) {
    static const double sizes[] = {0.02, 0.05, 0.10, 0.20, 0.50};
    int best = 0;
    for (int i = 1; i < SCORE_SIZES; i++)
        if (size > (sizes[i - 1] + sizes[i]) / 2)
            best = i;
    return best;
}

/* Hits within a window; each alarm and each change once, in order of time. */
static double match(const history *h, const alarm_at *alarms, size_t count, int window,
                    double *by_size, double *delay) {
    bool taken[ALARMS_MAX] = {false};
    double hits = 0;
    for (size_t c = 0; c < h->changes; c++) {
        const history_change *change = &h->change[c];
        for (size_t a = 0; a < count && a < ALARMS_MAX; a++) {
            const int late = alarms[a].night - change->night;
            if (taken[a] || late < 0 || late > window || alarms[a].portion != change->portion ||
                alarms[a].direction != change->sign)
                continue;
            taken[a] = true;
            hits++;
            by_size[size_class(change->size)]++;
            if (delay)
                *delay += late;
            break;
        }
    }
    return hits;
}

void score_add(score *s, const history *h, const alarm_at *alarms, size_t count) {
    s->nights += (double)h->nights;
    s->changes += (double)h->changes;
    s->alarms += (double)count;
    for (size_t c = 0; c < h->changes; c++)
        s->by_size[size_class(h->change[c].size)]++;
    s->hits3 += match(h, alarms, count, 3, s->by_size3, NULL);
    s->hits14 += match(h, alarms, count, 14, s->by_size14, &s->delay);
    if (!h->changes) {
        s->quiet_nights += (double)h->nights;
        s->quiet_alarms += (double)count;
    }
}

static double hits(const score *s, int window) {
    return window == 3 ? s->hits3 : s->hits14;
}

double score_precision(const score *s, int window) {
    return s->alarms > 0 ? hits(s, window) / s->alarms : 0;
}

double score_recall(const score *s, int window) {
    return s->changes > 0 ? hits(s, window) / s->changes : 0;
}

double score_f1(const score *s, int window) {
    const double both = s->alarms + s->changes;
    return both > 0 ? 2 * hits(s, window) / both : 0;
}

double score_false(const score *s) {
    return s->quiet_nights > 0 ? 100 * s->quiet_alarms / s->quiet_nights : 0;
}
