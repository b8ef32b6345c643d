#include "tests/bench/detector/suites_table.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/detector/suites.h"

static int is_suite(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".csv") == 0;
}

static double pending_of(const suite_count *count, const suite *s, double *worst) {
    double judged = 0, pending = 0;
    *worst = 0;
    for (size_t p = 0; p < s->chain.count; p++) {
        judged += (double)count->judged[p];
        pending += (double)count->pending[p];
        *worst = fmax(*worst, (double)count->pending[p] / fmax((double)count->judged[p], 1));
    }
    return pending / fmax(judged, 1);
}

static void told_row(report *r, const suite *s, double *most) {
    double worst;
    const suite_count count = suite_judge(s, NULL, 0);
    const double pending = pending_of(&count, s, &worst);
    say(r, "| %s | %zu | %zu | %zu | %.1f %% | %.1f %% | %zu |\n", s->name, s->nights, count.told,
        count.moved, 100 * pending, 100 * worst, count.contradictions);
    *most = fmax(*most, pending);
}

static int each(const char *directory, report *r, double *most,
                void (*row_of)(report *, const suite *, double *)) {
    struct dirent **entries;
    const int count = scandir(directory, &entries, is_suite, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        suite *s = suite_read(path);
        if (s)
            row_of(r, s, most);
        suite_free(s);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return count > 0 ? 0 : -1;
}

/* At a third, a half and two thirds of the history. */
static void fault_row(report *r, const suite *s, double *most) {
    static const suite_fault faults[] = {{"× 0.5", 0, 0.5, 1},
                                         {"× 2", 0, 2, 1},
                                         {"× 1000", 0, 1000, 1},
                                         {"+12 %", 0, 1.12, 1},
                                         {"T +10 %", 0, 1, 1.1}};
    static const size_t places[] = {2, 3, 4};
    enum { FAULTS = sizeof faults / sizeof *faults, PLACES = sizeof places / sizeof *places };
    say(r, "| %s |", s->name);
    for (size_t f = 0; f < FAULTS; f++) {
        size_t fine = 0, told = 0;
        for (size_t p = 0; p < PLACES; p++) {
            suite_fault fault = faults[f];
            fault.night = s->nights * places[p] / 6;
            const suite_count count = suite_judge(s, &fault, 0);
            fine += count.fault_incidents == 1 && count.fault_first <= 2;
            told += count.fault_told;
        }
        say(r, " %zu of %d, %zu |", fine, (int)PLACES, told);
        *most = fmax(*most, (double)told);
    }
    say(r, "\n");
}

int suites_table(report *r, const char *directory) {
    double pending = 0;
    say(r, "\n| public history, as imported | nights | changes told | moved below the minimum "
           "effect | pending, of the nights of its portions | of its worst portion | sentences "
           "against their numbers |\n|---|---|---|---|---|---|---|\n");
    const int failed = each(directory, r, &pending, told_row);
    figure(r, "suites_pending", pending);
    double told = 0;
    say(r, "\n| injected from one night on: one incident within two nights, alarms | × 0.5 | × 2 | "
           "× 1000 | +12 %% | T alone +10 %% |\n|---|---|---|---|---|---|\n");
    (void)each(directory, r, &told, fault_row);
    return failed;
}
