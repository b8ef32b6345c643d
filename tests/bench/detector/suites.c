#include "tests/bench/detector/suites.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 4096
#define STUDENT_ONE 12.7062047361747 /* two loops around a value, as an import makes them */
#define FAULT_SEEN 10u

/* "1 No logging,sd,2 Binary file,sd" */
static int header_read(suite *s, char *line) {
    det_chain_init(&s->chain);
    char *rest = NULL;
    line[strcspn(line, "\n")] = 0;
    for (char *cell = strtok_r(line, ",", &rest); cell; cell = strtok_r(NULL, ",", &rest)) {
        char *name;
        const long parent = strtol(cell, &name, 10);
        char shortened[DET_NAME_MAX];
        (void)snprintf(shortened, sizeof shortened, "%.*s", (int)sizeof shortened - 1, name + 1);
        if (*name != ' ' || det_chain_add(&s->chain, shortened, (int)parent) != DET_OK)
            return 0;
        cell = strtok_r(NULL, ",", &rest);
        if (!cell || strcmp(cell, "sd") != 0)
            return 0;
    }
    return s->chain.count > 0;
}

static double cell_read(char **at) {
    char *end;
    const double value = strtod(*at, &end);
    const int there = end != *at;
    *at = *end == ',' ? end + 1 : end;
    return there ? value : (double)NAN;
}

suite *suite_read(const char *path) {
    char line[LINE];
    FILE *file = fopen(path, "r");
    suite *s = calloc(1, sizeof *s);
    const char *base = strrchr(path, '/');
    int fine = file && s && fgets(line, sizeof line, file) && header_read(s, line);
    if (fine) {
        (void)snprintf(s->name, sizeof s->name, "%s", base ? base + 1 : path);
        s->name[strcspn(s->name, ".")] = 0;
        s->value = calloc(SUITE_NIGHTS_MAX * s->chain.count, sizeof *s->value);
        s->deviation = calloc(SUITE_NIGHTS_MAX * s->chain.count, sizeof *s->deviation);
        fine = s->value && s->deviation;
    }
    while (fine && s->nights < SUITE_NIGHTS_MAX && fgets(line, sizeof line, file)) {
        char *at = line;
        for (size_t c = 0; c < s->chain.count; c++) {
            s->value[s->nights * s->chain.count + c] = cell_read(&at);
            s->deviation[s->nights * s->chain.count + c] = cell_read(&at);
        }
        s->nights++;
    }
    if (file)
        (void)fclose(file);
    if (fine)
        return s;
    (void)fprintf(stderr, "%s: not a suite\n", path);
    suite_free(s);
    return NULL;
}

void suite_free(suite *s) {
    if (!s)
        return;
    free(s->value);
    free(s->deviation);
    free(s);
}

static size_t night_means(const suite *s, size_t night, const suite_fault *fault, double *means) {
    const size_t n = s->chain.count;
    const int faulty = fault && night >= fault->night;
    for (size_t c = 0; c < n; c++) {
        double factor = faulty ? fault->factor : 1;
        if (faulty && (int)c == s->chain.control)
            factor *= fault->of_control;
        const double half = s->deviation[night * n + c] / STUDENT_ONE;
        const double value = s->value[night * n + c];
        means[2 * c] = factor * (value - (isnan(half) ? 0 : half));
        means[2 * c + 1] = isnan(half) ? (double)NAN : factor * (value + half);
    }
    return 2;
}

/* What the sentence claims must follow from its numbers. */
static int contradicts(const det_verdict *v) {
    const int zero_inside = v->difference.low <= 0 && v->difference.high >= 0;
    const int overlap = det_intervals_overlap(&v->night, &v->reference);
    if (v->verdict == DET_VERDICT_ANOMALY)
        return zero_inside || overlap;
    if (v->verdict == DET_VERDICT_OK && v->rule == DET_RULE_WITHIN)
        return !overlap || !zero_inside;
    if (v->verdict == DET_VERDICT_OK && v->rule == DET_RULE_LITTLE)
        return !overlap || zero_inside;
    if (v->verdict == DET_VERDICT_OK && v->rule == DET_RULE_PENDING)
        return zero_inside;
    return 0;
}

static void count_incident(suite_count *count, const suite *s, size_t night,
                           const suite_fault *fault, const det_incident *incident, int loud) {
    if (!incident->begins)
        return;
    count->incidents++;
    if (loud)
        (void)printf("%s %zu incident: %s\n", s->name, night, incident->reason);
    if (!fault || night < fault->night || night >= fault->night + FAULT_SEEN)
        return;
    if (!count->fault_incidents++) {
        count->fault_first = night - fault->night + 1;
        count->fault_kind = (int)incident->kind;
    }
}

static void count_incidents(suite_count *count, const suite *s, size_t night,
                            const suite_fault *fault, const det_watch *watch, int loud) {
    det_incident incident;
    for (int kind = DET_INCIDENT_SCALE; kind < DET_INCIDENT_KINDS; kind++)
        if (det_watch_incident(watch, (det_incident_kind)kind, &incident) == DET_OK)
            count_incident(count, s, night, fault, &incident, loud);
}

static void count_verdict(suite_count *count, const suite *s, size_t night, size_t p,
                          const suite_fault *fault, const det_verdict *v, int loud) {
    const int after = fault && night >= fault->night && night < fault->night + FAULT_SEEN;
    const int pending = v->verdict == DET_VERDICT_OK && v->rule == DET_RULE_PENDING;
    count->judged[p] += v->verdict == DET_VERDICT_OK || v->verdict == DET_VERDICT_ANOMALY;
    count->pending[p] += (size_t)pending;
    count->unjudged += v->verdict == DET_VERDICT_HARNESS;
    count->moved += v->verdict == DET_VERDICT_OK && v->rule == DET_RULE_BELOW_EFFECT;
    count->told += v->verdict == DET_VERDICT_ANOMALY;
    count->fault_told += after && v->verdict == DET_VERDICT_ANOMALY;
    const int wrong = contradicts(v);
    count->contradictions += (size_t)wrong;
    if (loud && (v->verdict == DET_VERDICT_ANOMALY || wrong || loud > 1))
        (void)printf("%s %zu %s%s %s: %s\n", s->name, night, wrong ? "CONTRADICTS " : "",
                     det_verdict_text(v->verdict), det_rule_text(v->rule), v->reason);
}

static suite_count walk(const suite *s, const suite_fault *fault, int loud) {
    suite_count count = {0};
    det_policy policy;
    double means[2 * DET_CONFIGURATIONS_MAX];
    det_verdict v[DET_CONFIGURATIONS_MAX];
    det_policy_init(&policy);
    policy.effect_absolute = 1;
    policy.minimum_loops = 1;
    policy.patience = 2;
    policy.caution = 1.25;
    det_watch *watch = det_watch_new(&s->chain, &policy);
    for (size_t night = 0; watch && night < s->nights; night++) {
        const det_night now = {
            .id = (int64_t)night + 1, .loops = night_means(s, night, fault, means), .means = means};
        if (det_watch_add(watch, &now, v) != DET_OK)
            abort();
        for (size_t p = 0; p < s->chain.count; p++)
            count_verdict(&count, s, night, p, fault, &v[p], loud);
        count_incidents(&count, s, night, fault, watch, loud);
        det_watch *again = det_watch_anew(watch);
        if (!again)
            continue;
        det_watch_free(watch); /* the first nights were broken: once more, from the first */
        watch = again;
        night = SIZE_MAX;
        count = (suite_count){0};
    }
    det_watch_free(watch);
    return count;
}

suite_count suite_judge(const suite *s, const suite_fault *fault, int loud) {
    suite_count count = walk(s, fault, loud);
    if (!fault)
        return count;
    suite_fault none = *fault;
    none.factor = none.of_control = 1;
    const suite_count without = walk(s, &none, 0);
    count.fault_told -=
        count.fault_told < without.fault_told ? count.fault_told : without.fault_told;
    return count;
}
