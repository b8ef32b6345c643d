#include "tests/bench/detector/real_table.h"

#include <math.h>

#include "tests/bench/detector/real.h"

#define REPEATS 25 /* steps of each size in each stretch */
#define REPEATS_QUICK 4
#define REAL_LIMIT_Z 3.9 /* as for the made histories */

/* A detector has no argument for it. */
static const otava_program *otava;
static int otava_failed;

static size_t otava_alarms(const real_series *s, alarm_at *out, size_t capacity) {
    size_t count = 0;
    otava_failed |= otava_series(otava, s, out, capacity, &count) != 0;
    return count;
}

static void labels_row(report *r, const char *name, const real_labels *l) {
    say(r, "| %s | %.2f | %.2f | %.2f |\n", name, l->hits / fmax(l->alarms, 1),
        l->hits / l->changes, 2 * l->hits / (l->alarms + l->changes));
}

static double planted_row(report *r, const char *name, const real_planted *p) {
    double found = 0, planted = 0;
    say(r, "| %s |", name);
    for (int k = 0; k < REAL_SIZES; k++) {
        say(r, " %.2f |", p->found[k] / fmax(p->planted[k], 1));
        found += p->found[k];
        planted += p->planted[k];
    }
    say(r, " %.2f | %.3f | %.0f in %.0f |\n", found / planted, 100 * p->wrong / p->nights, p->quiet,
        p->quiet_nights);
    return found / planted;
}

static void limit_row(report *r, const real *data) {
    double limit[REAL_SIZES], all = 0;
    real_plant_limit(data, REAL_LIMIT_Z, limit);
    say(r, "| limit of any, were this noise white |");
    for (int k = 0; k < REAL_SIZES; k++) {
        say(r, " %.2f |", limit[k]);
        all += limit[k] / REAL_SIZES;
    }
    say(r, " %.2f | | |\n", all);
    figure(r, "real_planted_limit", all);
}

int real_table(report *r, const char *directory, uint64_t seed, int quick,
               const otava_program *program) {
    const int repeats = quick ? REPEATS_QUICK : REPEATS;
    real *data = real_new(directory);
    if (!data)
        return -1;
    const real_labels ours = real_label_score(data, real_ours), t = real_label_score(data, real_t);
    say(r, "\n| real history, against labels | precision | recall | F1 |\n|---|---|---|---|\n");
    labels_row(r, "ours, open loop", &ours);
    labels_row(r, "Perfherder t > 7", &t);
    otava = program;
    if (otava->python) {
        const real_labels theirs = real_label_score(data, otava_alarms);
        if (!otava_failed)
            labels_row(r, "Otava, default", &theirs);
    }
    const real_planted planted = real_plant_score(data, real_ours, seed, repeats),
                       planted_t = real_plant_score(data, real_t, seed, repeats);
    say(r, "\n| real noise, steps planted: found @14 | 0.5 %% | 1 %% | 2 %% | 5 %% | 10 %% | all | "
           "other alarms / 100 nights | alarms with nothing planted, in nights "
           "|\n|---|---|---|---|---|---|---|---|---|\n");
    figure(r, "real_planted_r14", planted_row(r, "ours, open loop", &planted));
    limit_row(r, data);
    (void)planted_row(r, "Perfherder t > 7", &planted_t);
    if (otava->python && !quick && !otava_failed) {
        const real_planted theirs = real_plant_score(data, otava_alarms, seed, 1);
        (void)planted_row(r, "Otava, default (fewer steps)", &theirs);
    }
    figure(r, "real_labels_f1", 2 * ours.hits / (ours.alarms + ours.changes));
    figure(r, "real_quiet_alarms", planted.quiet);
    real_free(data);
    return 0;
}
