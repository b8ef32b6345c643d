/*
 * bench - how good the shipped detector is, on histories it was not tuned on, and what others say.
 * Prints tables for people and one JSON line at the end; --markdown and --figures write the
 * material of docs/detection.md.
 */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/detector/counted.h"
#include "tests/bench/detector/limit.h"
#include "tests/bench/detector/loop.h"
#include "tests/bench/detector/options.h"
#include "tests/bench/detector/otava.h"
#include "tests/bench/detector/plot.h"
#include "tests/bench/detector/real_table.h"
#include "tests/bench/detector/report.h"
#include "tests/bench/detector/rival.h"
#include "tests/bench/detector/shapes.h"
#include "tests/bench/detector/suites_table.h"
#include "tests/bench/detector/trials.h"
#include "tests/bench/detector/young.h"

#define ALARMS 4096
#define NIGHTS 200
#define QUIET_SHARE 3 /* of ten histories so many have no change */
#define SIZES SCORE_SIZES
#define CURVE 6
#define OTAVA_NIGHTS 200 /* asked about one after the other, to know what a night takes */
#define PARTS 12         /* as many histories each as other tables have */
#define MEASURES 10
/* The limit's threshold: two-sided, three portions, the open loop's false alarms per night. */
#define LIMIT_Z 3.9

static alarm_at alarms[ALARMS];

static void generate(const options *o, history *h, history_world world, int i) {
    history_generate(h, o->seed + (uint64_t)world * 100000 + (uint64_t)i, world, NIGHTS,
                     i % 10 < QUIET_SHARE);
}

typedef size_t (*detector_fn)(const history *h, alarm_at *out);

static size_t ours(const history *h, alarm_at *out) {
    return loop_open(h, 1, out, ALARMS);
}
static size_t ratio_2(const history *h, alarm_at *out) {
    return rival_ratio(h, 2.0, out, ALARMS);
}
static size_t ratio_11(const history *h, alarm_at *out) {
    return rival_ratio(h, 1.1, out, ALARMS);
}
static size_t t_7(const history *h, alarm_at *out) {
    return rival_t(h, 7, out, ALARMS);
}
static size_t loops(const history *h, alarm_at *out) {
    return rival_loops(h, out, ALARMS);
}

static void open_part(const options *o, history_world world, int from, int to, detector_fn detect,
                      score *s) {
    memset(s, 0, sizeof *s);
    for (int i = from; i < to; i++) {
        history h;
        generate(o, &h, world, i);
        score_add(s, &h, alarms, detect(&h, alarms));
        history_clear(&h);
    }
}

static void open_score(const options *o, history_world world, int count, detector_fn detect,
                       score *s) {
    open_part(o, world, 0, count, detect, s);
}

static void closed_part(const options *o, history_world world, int from, int to, score *s,
                        loop_cost *cost) {
    memset(s, 0, sizeof *s);
    memset(cost, 0, sizeof *cost);
    for (int i = from; i < to; i++) {
        history h;
        generate(o, &h, world, i);
        score_add(s, &h, alarms, loop_closed(&h, o->seed + 7 + (uint64_t)i, alarms, ALARMS, cost));
        history_clear(&h);
    }
}

static void closed_score(const options *o, history_world world, int count, score *s,
                         loop_cost *cost) {
    closed_part(o, world, 0, count, s, cost);
}

/* One part of the histories, each measure a column. */
static void part_measure(const options *o, int part, double *measure) {
    score open, closed;
    loop_cost spent;
    const int from = o->histories * part, to = o->histories * (part + 1);
    open_part(o, HISTORY_STANDARD, from, to, ours, &open);
    closed_part(o, HISTORY_STANDARD, from, to, &closed, &spent);
    const double all[MEASURES] = {score_f1(&open, 3),
                                  score_f1(&open, 14),
                                  score_false(&open),
                                  score_f1(&closed, 3),
                                  score_f1(&closed, 14),
                                  score_false(&closed),
                                  closed.by_size3[1] / fmax(closed.by_size[1], 1),
                                  closed.by_size3[2] / fmax(closed.by_size[2], 1),
                                  closed.by_size14[0] / fmax(closed.by_size[0], 1),
                                  100 * spent.processes / spent.nightly};
    memcpy(measure, all, sizeof all);
}

static void measures_say(report *r, const char *name, const double *m) {
    say(r, "| %s |", name);
    for (int k = 0; k < MEASURES; k++)
        say(r, k == MEASURES - 1 ? " %.0f %% |" : k == 2 || k == 5 ? " %.3f |" : " %.2f |", m[k]);
    say(r, "\n");
}

/* How much of a figure is chance: the same on parts of the histories. */
static void parts(const options *o, report *r) {
    double m[PARTS][MEASURES], mean[MEASURES] = {0}, sd[MEASURES] = {0};
    say(r, "\n| histories | open: F1@3 | F1@14 | false / 100 nights | closed: F1@3 | F1@14 | "
           "false / 100 nights | R@3 5 %% | R@3 10 %% | R@14 2 %% | extra time "
           "|\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < PARTS; i++) {
        char name[64];
        part_measure(o, i, m[i]);
        (void)snprintf(name, sizeof name, "%d to %d", o->histories * i, o->histories * (i + 1) - 1);
        measures_say(r, name, m[i]);
        for (int k = 0; k < MEASURES; k++)
            mean[k] += m[i][k] / PARTS;
    }
    for (int k = 0; k < MEASURES; k++) {
        for (int i = 0; i < PARTS; i++)
            sd[k] += (m[i][k] - mean[k]) * (m[i][k] - mean[k]) / (PARTS - 1);
        sd[k] = sqrt(sd[k]);
    }
    measures_say(r, "mean", mean);
    measures_say(r, "standard deviation", sd);
}

static void limits(const options *o, int count, double *at3, double *at14) {
    double n[SIZES] = {0};
    static const double sizes[SIZES] = {0.02, 0.05, 0.10, 0.20, 0.50};
    for (int k = 0; k < SIZES; k++)
        at3[k] = at14[k] = 0;
    for (int i = 0; i < count; i++) {
        history h;
        generate(o, &h, HISTORY_STANDARD, i);
        for (size_t c = 0; c < h.changes; c++)
            for (int k = 0; k < SIZES; k++)
                if (fabs(h.change[c].size - sizes[k]) < 1e-9) {
                    n[k]++;
                    at3[k] += limit_power(&h, &h.change[c], 4, LIMIT_Z);
                    at14[k] += limit_power(&h, &h.change[c], 15, LIMIT_Z);
                }
        history_clear(&h);
    }
    for (int k = 0; k < SIZES; k++) {
        at3[k] /= fmax(n[k], 1);
        at14[k] /= fmax(n[k], 1);
    }
}

static void power_row(report *r, const char *name, const double *hits, const double *of) {
    say(r, "| %s |", name);
    for (int k = 0; k < SIZES; k++)
        say(r, " %.2f |", of ? hits[k] / fmax(of[k], 1) : hits[k]);
    say(r, "\n");
}

static void power(const options *o, report *r, const score *open, const score *closed) {
    double at3[SIZES], at14[SIZES];
    static const double x[SIZES] = {2, 5, 10, 20, 50};
    double y[4][SIZES];
    limits(o, o->histories, at3, at14);
    say(r, "\n| recall by size of the change | 2 %% | 5 %% | 10 %% | 20 %% | 50 %% |\n"
           "|---|---|---|---|---|---|\n");
    power_row(r, "open loop @3", open->by_size3, open->by_size);
    power_row(r, "limit of any open loop @3", at3, NULL);
    power_row(r, "open loop @14", open->by_size14, open->by_size);
    power_row(r, "limit of any open loop @14", at14, NULL);
    power_row(r, "closed loop @3", closed->by_size3, closed->by_size);
    power_row(r, "closed loop @14", closed->by_size14, closed->by_size);
    for (int k = 0; k < SIZES; k++) {
        y[0][k] = open->by_size3[k] / fmax(open->by_size[k], 1);
        y[1][k] = at3[k];
        y[2][k] = closed->by_size3[k] / fmax(closed->by_size[k], 1);
        y[3][k] = closed->by_size14[k] / fmax(closed->by_size[k], 1);
    }
    const plot_line lines[] = {{"open loop @3", x, y[0], SIZES, 0},
                               {"its limit", x, y[1], SIZES, 0},
                               {"closed loop @3", x, y[2], SIZES, 0},
                               {"closed loop @14", x, y[3], SIZES, 0}};
    const plot p = {.title = "Changes found, by size",
                    .x_label = "size of the change, % of the portion",
                    .y_label = "share found",
                    .x_low = 2,
                    .x_high = 50,
                    .y_high = 1,
                    .x_log = 1,
                    .lines = lines,
                    .count = 4};
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/detection-power.svg", o->figures ? o->figures : "");
    if (o->figures && plot_write(&p, path) != 0)
        (void)fprintf(stderr, "%s: cannot be written\n", path);
    for (int k = 0; k < SIZES; k++) {
        char key[32];
        (void)snprintf(key, sizeof key, "closed_r3_%dpct", (int)x[k]);
        figure(r, key, y[2][k]);
    }
    figure(r, "closed_r14_2pct", y[3][0]);
}

/* The trade between what is found and what is false, by asking for more or less evidence. */
static void roc(const options *o, report *r, const score *rival, const char *const *names,
                size_t rivals) {
    static const double caution[CURVE] = {0.5, 0.7, 0.85, 1, 1.4, 2};
    double x[CURVE], y[CURVE], px[8][1], py[8][1];
    plot_line lines[8] = {{"ours", x, y, CURVE, 0}};
    say(r, "\n| caution | R@14 | F1@3 | F1@14 | false alarms / 100 nights | a year |\n"
           "|---|---|---|---|---|---|\n");
    for (int k = 0; k < CURVE; k++) {
        score s = {0};
        for (int i = 0; i < o->histories; i++) {
            history h;
            generate(o, &h, HISTORY_STANDARD, i);
            score_add(&s, &h, alarms, loop_open(&h, caution[k], alarms, ALARMS));
            history_clear(&h);
        }
        x[k] = fmax(score_false(&s), 0.001);
        y[k] = score_recall(&s, 14);
        say(r, "| %.2f | %.2f | %.2f | %.2f | %.3f | %.2f |\n", caution[k], y[k], score_f1(&s, 3),
            score_f1(&s, 14), score_false(&s), 3.65 * score_false(&s));
    }
    size_t count = 1;
    for (size_t i = 0; i < rivals && count < 8; i++, count++) {
        px[count][0] = fmax(score_false(&rival[i]), 0.001);
        py[count][0] = score_recall(&rival[i], 14);
        lines[count] = (plot_line){names[i], px[count], py[count], 1, 1};
    }
    const plot p = {.title = "Found against false",
                    .x_label = "false alarms per 100 nights (three portions)",
                    .y_label = "changes found within 14 nights",
                    .x_low = 0.001,
                    .x_high = 1000,
                    .y_high = 1,
                    .x_log = 1,
                    .lines = lines,
                    .count = count};
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/detection-roc.svg", o->figures ? o->figures : "");
    if (o->figures && plot_write(&p, path) != 0)
        (void)fprintf(stderr, "%s: cannot be written\n", path);
}

static int otava_score(const options *o, const char *mode, int count, score *s) {
    history *h = calloc((size_t)count, sizeof *h);
    alarm_at *all = calloc((size_t)count * OTAVA_ALARMS, sizeof *all);
    size_t *found = calloc((size_t)count, sizeof *found);
    memset(s, 0, sizeof *s);
    if (!h || !all || !found)
        abort();
    for (int i = 0; i < count; i++)
        generate(o, &h[i], HISTORY_STANDARD, i);
    const int failed = otava_histories(&o->otava, mode, h, (size_t)count, all, found);
    for (int i = 0; i < count; i++) {
        score_add(s, &h[i], all + (size_t)i * OTAVA_ALARMS, found[i]);
        history_clear(&h[i]);
    }
    free(h);
    free(all);
    free(found);
    return failed;
}

static double seconds(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int otava_part(const options *o) {
    return o->quick ? 4 : 20;
}

static void cost(const options *o, report *r) {
    history h;
    history_generate(&h, o->seed, HISTORY_STANDARD, HISTORY_NIGHTS_MAX, 1);
    const double start = seconds();
    (void)loop_open(&h, 1, alarms, ALARMS);
    const double all = seconds() - start;
    history_clear(&h);
    say(r, "\nA history of %d nights of four configurations takes %.0f ms, a night %.0f µs",
        HISTORY_NIGHTS_MAX, 1e3 * all, 1e6 * all / HISTORY_NIGHTS_MAX);
    figure(r, "pass_10000_ms", 1e3 * all);
    figure(r, "night_us", 1e6 * all / HISTORY_NIGHTS_MAX);
    const double pass = 3 * otava_seconds(&o->otava, "pass", HISTORY_NIGHTS_MAX),
                 night = 3 * otava_seconds(&o->otava, "nightly", OTAVA_NIGHTS) / OTAVA_NIGHTS;
    if (isnan(pass) || isnan(night)) {
        say(r, ".\n");
        return;
    }
    say(r,
        ". Otava, over three portions: %.0f ms for one pass over as many finished nights; %.1f ms "
        "a "
        "night when it is asked each night about the last hundred, as after each measurement.\n",
        1e3 * pass, 1e3 * night);
    figure(r, "pass_ratio_to_otava", all / pass);
    figure(r, "night_ratio_to_otava", all / HISTORY_NIGHTS_MAX / night);
}

static void rivals_run(const options *o, report *r) {
    static const struct {
        const char *name;
        detector_fn detect;
    } rules[] = {{"ratio > 2.0", ratio_2},
                 {"ratio > 1.1", ratio_11},
                 {"Perfherder t > 7", t_7},
                 {"loop intervals", loops}};
    enum { RULES = sizeof rules / sizeof *rules };
    score s[RULES + 2], open;
    const char *names[RULES + 2];
    size_t count = 0;
    say(r, "\n");
    head(r);
    for (; count < RULES; count++) {
        open_score(o, HISTORY_STANDARD, o->histories, rules[count].detect, &s[count]);
        names[count] = rules[count].name;
        row(r, names[count], &s[count]);
    }
    static const char *const modes[] = {"default", "strict"};
    for (int m = 0; o->otava.python && m < 2; m++)
        if (otava_score(o, modes[m], otava_part(o), &s[count]) == 0) {
            names[count] = m ? "Otava, p 1e-6, 2 %" : "Otava, default";
            row(r, names[count], &s[count]);
            count++;
        } else {
            (void)fprintf(stderr, "Otava did not run; left out\n");
        }
    if (count > RULES) { /* Otava is slow: a part of the histories, so ours on the same part */
        score part;
        open_score(o, HISTORY_STANDARD, otava_part(o), ours, &part);
        row(r, "ours, open loop, on Otava's part of the histories", &part);
    }
    open_score(o, HISTORY_STANDARD, o->histories, ours, &open);
    row(r, "ours, open loop", &open);
    roc(o, r, s, names, RULES); /* only what saw the same histories */
}

static void worlds(const options *o, report *r) {
    say(r,
        "\n| world | open: F1@3 | F1@14 | false / 100 nights | closed: F1@3 | F1@14 | R@3 5 %% | "
        "R@3 10 %% | false / 100 nights | extra time |\n|---|---|---|---|---|---|---|---|---|---|"
        "\n");
    for (int w = HISTORY_STANDARD + 1; w < HISTORY_WORLDS; w++) {
        score open, closed;
        loop_cost spent;
        const int count = o->histories / 2;
        open_score(o, (history_world)w, count, ours, &open);
        closed_score(o, (history_world)w, count, &closed, &spent);
        say(r, "| %s | %.2f | %.2f | %.3f | %.2f | %.2f | %.2f | %.2f | %.3f | %.0f %% |\n",
            history_world_text((history_world)w), score_f1(&open, 3), score_f1(&open, 14),
            score_false(&open), score_f1(&closed, 3), score_f1(&closed, 14),
            closed.by_size3[1] / fmax(closed.by_size[1], 1),
            closed.by_size3[2] / fmax(closed.by_size[2], 1), score_false(&closed),
            100 * spent.processes / spent.nightly);
    }
}

static int data_run(const options *o, report *r) {
    json_error_t wrong;
    json_t *truth = json_load_file(o->truth, 0, &wrong);
    const char *name;
    json_t *value;
    score s = {0};
    if (!truth) {
        (void)fprintf(stderr, "%s:%d: %s\n", o->truth, wrong.line, wrong.text);
        return 1;
    }
    json_object_foreach (truth, name, value) {
        char path[4096];
        history h;
        size_t i;
        json_t *c;
        (void)snprintf(path, sizeof path, "%s/%s.csv", o->data, name);
        if (history_read(&h, path) != 0)
            return 1;
        json_array_foreach (json_object_get(value, "changes"), i, c) {
            const char *portion = json_string_value(json_object_get(c, "portion"));
            if (!portion || h.changes == HISTORY_CHANGES_MAX)
                continue;
            h.change[h.changes++] =
                (history_change){.night = (int)json_integer_value(json_object_get(c, "night")),
                                 .portion = *portion == 'I'   ? 1
                                            : *portion == 'C' ? 2
                                                              : 3,
                                 .sign = (int)json_integer_value(json_object_get(c, "sign")),
                                 .size = json_number_value(json_object_get(c, "size_pct")) / 100};
        }
        score_add(&s, &h, alarms, loop_open(&h, 1, alarms, ALARMS));
        history_clear(&h);
    }
    json_decref(truth);
    head(r);
    row(r, "ours, open loop", &s);
    return 0;
}

static void print_json(report *r) {
    struct utsname machine = {0};
    (void)uname(&machine);
    const char *commit = getenv("MOOWATCH_COMMIT");
    json_t *all =
        json_pack("{s:s,s:O,s:{s:s,s:s,s:i},s:s}", "bench", "detector", "figures", r->figures,
                  "machine", "system", machine.sysname, "release", machine.release, "cores",
                  (int)sysconf(_SC_NPROCESSORS_ONLN), "commit", commit ? commit : "unknown");
    char *text = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(6));
    (void)puts(text ? text : "{}");
    free(text);
    json_decref(all);
}

static void suites_run(const options *o, report *r) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/suites", o->real);
    if (suites_table(r, path) != 0)
        (void)fprintf(stderr, "%s: left out\n", path);
}

static void all_run(const options *o, report *r) {
    score open, closed;
    loop_cost spent;
    if (o->real)
        suites_run(o, r);
    if (o->real && real_table(r, o->real, o->seed, o->quick, &o->otava) != 0)
        (void)fprintf(stderr, "%s: left out\n", o->real);
    trials_table(r, o->seed, o->quick ? 999 : 9999);
    say(r, "\n");
    open_score(o, HISTORY_STANDARD, PARTS * o->histories, ours, &open);
    closed_score(o, HISTORY_STANDARD, PARTS * o->histories, &closed, &spent);
    head(r);
    row(r, "open loop", &open);
    row(r, "closed loop", &closed);
    say(r,
        "\nClosed loop: %.1f suspicions and %.1f confirmed changes in 100 nights; measuring "
        "again takes %.0f %% of the nightly measuring time. %d histories of %d nights, seed "
        "%llu, %.0f changes.\n",
        100 * spent.suspicions / closed.nights, 100 * spent.confirmed / closed.nights,
        100 * spent.processes / spent.nightly, PARTS * o->histories, NIGHTS,
        (unsigned long long)o->seed, open.changes);
    figure(r, "open_f1_3", score_f1(&open, 3));
    figure(r, "open_f1_14", score_f1(&open, 14));
    figure(r, "open_fa", score_false(&open));
    figure(r, "closed_f1_3", score_f1(&closed, 3));
    figure(r, "closed_f1_14", score_f1(&closed, 14));
    figure(r, "closed_fa", score_false(&closed));
    figure(r, "extra_time_pct", 100 * spent.processes / spent.nightly);
    parts(o, r);
    power(o, r, &open, &closed);
    counted_table(r, o->seed, o->histories);
    dimensions_table(r, o->seed, o->histories);
    worlds(o, r);
    young_table(r, o->seed, o->quick ? 100 : 1000);
    shapes_table(r, o->seed, o->quick ? 100 : 1000);
    if (o->rivals)
        rivals_run(o, r);
    cost(o, r);
    report_aims(r);
}

int main(int argc, char **argv) {
    options o;
    report r = {0};
    if (options_parse(argc, argv, &o) != 0) {
        (void)fprintf(stderr, "usage: %s " OPTIONS_USAGE "\n", argv[0]);
        return 2;
    }
    if (o.markdown && !(r.markdown = fopen(o.markdown, "w"))) {
        perror(o.markdown);
        return 3;
    }
    r.figures = json_object();
    int status = o.data ? data_run(&o, &r) : 0;
    if (o.dimensions)
        dimensions_table(&r, o.seed, o.histories);
    else if (!o.data)
        all_run(&o, &r);
    if (r.markdown && fclose(r.markdown) != 0)
        status = 3;
    if (!o.data)
        print_json(&r);
    json_decref(r.figures);
    return status;
}
