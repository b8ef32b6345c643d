/*
 * bench - how good the shipped detector is, on histories it was not tuned on, and what others say.
 * Prints tables for people and one JSON line at the end; --markdown and --figures write the
 * material of docs/detection.md.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/detector/limit.h"
#include "tests/bench/detector/loop.h"
#include "tests/bench/detector/plot.h"
#include "tests/bench/detector/rival.h"

#define ALARMS 4096
#define NIGHTS 200
#define QUIET_SHARE 3 /* of ten histories so many have no change */
#define SIZES SCORE_SIZES
#define CURVE 6
/* The limit's threshold: two-sided, three portions, the open loop's false alarms per night. */
#define LIMIT_Z 3.9

typedef struct {
    uint64_t seed;
    int histories, quick, rivals;
    const char *markdown, *figures, *data, *truth, *python, *script;
} options;

typedef struct {
    FILE *markdown; /* NULL: not asked for */
    json_t *figures;
} report;

static alarm_at alarms[ALARMS];

static void say(report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(report *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
    if (!r->markdown)
        return;
    va_start(arguments, format);
    (void)vfprintf(r->markdown, format, arguments);
    va_end(arguments);
}

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

static void open_score(const options *o, history_world world, int count, detector_fn detect,
                       score *s) {
    memset(s, 0, sizeof *s);
    for (int i = 0; i < count; i++) {
        history h;
        generate(o, &h, world, i);
        score_add(s, &h, alarms, detect(&h, alarms));
        history_clear(&h);
    }
}

static void closed_score(const options *o, history_world world, int count, score *s,
                         loop_cost *cost) {
    memset(s, 0, sizeof *s);
    memset(cost, 0, sizeof *cost);
    for (int i = 0; i < count; i++) {
        history h;
        generate(o, &h, world, i);
        score_add(s, &h, alarms, loop_closed(&h, o->seed + 7 + (uint64_t)i, alarms, ALARMS, cost));
        history_clear(&h);
    }
}

static void head(report *r) {
    say(r, "| detector | P@3 | R@3 | F1@3 | P@14 | R@14 | F1@14 | delay, nights | false alarms "
           "/ 100 nights |\n|---|---|---|---|---|---|---|---|---|\n");
}

static void row(report *r, const char *name, const score *s) {
    say(r, "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.1f | %.3f |\n", name,
        score_precision(s, 3), score_recall(s, 3), score_f1(s, 3), score_precision(s, 14),
        score_recall(s, 14), score_f1(s, 14), s->hits14 > 0 ? s->delay / s->hits14 : 0,
        score_false(s));
}

static void figure(report *r, const char *key, double value) {
    json_object_set_new(r->figures, key, json_real(value));
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

/* Otava's alarms come from a script: "history night portion direction" a line. */
static int otava_score(const options *o, const char *mode, int count, score *s) {
    char directory[] = "/tmp/moowatch-bench-XXXXXX", command[8192];
    memset(s, 0, sizeof *s);
    if (!mkdtemp(directory))
        return -1;
    history *h = calloc((size_t)count, sizeof *h);
    for (int i = 0; h && i < count; i++) {
        char path[64];
        generate(o, &h[i], HISTORY_STANDARD, i);
        (void)snprintf(path, sizeof path, "%s/h%03d.csv", directory, i);
        if (history_write(&h[i], path) != 0)
            return -1;
    }
    (void)snprintf(command, sizeof command, "'%s' '%s' %s %s", o->python, o->script, mode,
                   directory);
    /* NOLINTNEXTLINE(cert-env33-c): a peer's own command, not the product */
    FILE *pipe = popen(command, "r");
    alarm_at *all = calloc((size_t)count * 1024, sizeof *all);
    size_t *found = calloc((size_t)count, sizeof *found);
    int i, night, portion, direction, fine = pipe && all && found && h;
    while (fine && fscanf(pipe, "%d %d %d %d", &i, &night, &portion, &direction) == 4)
        if (i >= 0 && i < count && found[i] < 1024)
            all[(size_t)i * 1024 + found[i]++] = (alarm_at){night, portion, direction};
    if (pipe && pclose(pipe) != 0)
        fine = 0;
    for (i = 0; fine && i < count; i++)
        score_add(s, &h[i], all + (size_t)i * 1024, found[i]);
    for (i = 0; h && i < count; i++) {
        char path[64];
        history_clear(&h[i]);
        (void)snprintf(path, sizeof path, "%s/h%03d.csv", directory, i);
        (void)unlink(path);
    }
    (void)rmdir(directory);
    free(h);
    free(all);
    free(found);
    return fine ? 0 : -1;
}

static double seconds(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int otava_histories(const options *o) {
    return o->quick ? 4 : 20;
}

static double otava_pass(const options *o) {
    char command[8192];
    double result = NAN;
    (void)snprintf(command, sizeof command, "'%s' '%s' pass 10000", o->python, o->script);
    /* NOLINTNEXTLINE(cert-env33-c): a peer's own command, not the product */
    FILE *pipe = popen(command, "r");
    if (pipe && fscanf(pipe, "%lf", &result) != 1)
        result = NAN;
    if (pipe && pclose(pipe) != 0)
        result = NAN;
    return result;
}

static void cost(const options *o, report *r) {
    history h;
    history_generate(&h, o->seed, HISTORY_STANDARD, HISTORY_NIGHTS_MAX, 1);
    const double start = seconds();
    (void)loop_open(&h, 1, alarms, ALARMS);
    const double all = seconds() - start;
    history_clear(&h);
    const double otava = o->python ? otava_pass(o) : NAN;
    say(r, "\nA history of %d nights of four configurations takes %.0f ms, a night %.0f µs%s",
        HISTORY_NIGHTS_MAX, 1e3 * all, 1e6 * all / HISTORY_NIGHTS_MAX, isnan(otava) ? ".\n" : "");
    if (!isnan(otava))
        say(r,
            "; one windowed pass of Otava over three portions of as many takes %.0f ms, and is "
            "made "
            "anew each night.\n",
            3e3 * otava);
    figure(r, "pass_10000_ms", 1e3 * all);
    figure(r, "night_us", 1e6 * all / HISTORY_NIGHTS_MAX);
    if (!isnan(otava))
        figure(r, "pass_ratio_to_otava", all / (3 * otava));
}

static void rivals_run(const options *o, report *r, const score *open) {
    static const struct {
        const char *name;
        detector_fn detect;
    } rules[] = {{"ratio > 2.0", ratio_2},
                 {"ratio > 1.1", ratio_11},
                 {"Perfherder t > 7", t_7},
                 {"loop intervals", loops}};
    enum { RULES = sizeof rules / sizeof *rules };
    score s[RULES + 2];
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
    for (int m = 0; o->python && m < 2; m++)
        if (otava_score(o, modes[m], otava_histories(o), &s[count]) == 0) {
            names[count] = m ? "Otava, p 1e-6, 2 %" : "Otava, default";
            row(r, names[count], &s[count]);
            count++;
        } else {
            (void)fprintf(stderr, "Otava did not run; left out\n");
        }
    if (count > RULES) { /* Otava is slow: a part of the histories, so ours on the same part */
        score part;
        open_score(o, HISTORY_STANDARD, otava_histories(o), ours, &part);
        row(r, "ours, open loop, on Otava's part of the histories", &part);
    }
    row(r, "ours, open loop", open);
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
    json_object_foreach(truth, name, value) {
        char path[4096];
        history h;
        size_t i;
        json_t *c;
        (void)snprintf(path, sizeof path, "%s/%s.csv", o->data, name);
        if (history_read(&h, path) != 0)
            return 1;
        json_array_foreach(json_object_get(value, "changes"), i, c) {
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

static void all_run(const options *o, report *r) {
    score open, closed;
    loop_cost spent;
    open_score(o, HISTORY_STANDARD, o->histories, ours, &open);
    closed_score(o, HISTORY_STANDARD, o->histories, &closed, &spent);
    head(r);
    row(r, "open loop", &open);
    row(r, "closed loop", &closed);
    say(r,
        "\nClosed loop: %.1f suspicions and %.1f confirmed changes in 100 nights; measuring "
        "again takes %.0f %% of the nightly measuring time. %d histories of %d nights, seed "
        "%llu, %.0f changes.\n",
        100 * spent.suspicions / closed.nights, 100 * spent.confirmed / closed.nights,
        100 * spent.processes / spent.nightly, o->histories, NIGHTS, (unsigned long long)o->seed,
        open.changes);
    figure(r, "open_f1_3", score_f1(&open, 3));
    figure(r, "open_f1_14", score_f1(&open, 14));
    figure(r, "open_fa", score_false(&open));
    figure(r, "closed_f1_3", score_f1(&closed, 3));
    figure(r, "closed_f1_14", score_f1(&closed, 14));
    figure(r, "closed_fa", score_false(&closed));
    figure(r, "extra_time_pct", 100 * spent.processes / spent.nightly);
    power(o, r, &open, &closed);
    worlds(o, r);
    if (o->rivals)
        rivals_run(o, r, &open);
    cost(o, r);
}

static int parse(int argc, char **argv, options *o) {
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--quick") == 0)
            o->quick = 1;
        else if (strcmp(argv[i], "--seed") == 0 && next)
            o->seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--histories") == 0 && next)
            o->histories = atoi(argv[++i]);
        else if (strcmp(argv[i], "--markdown") == 0 && next)
            o->markdown = argv[++i];
        else if (strcmp(argv[i], "--figures") == 0 && next)
            o->figures = argv[++i];
        else if (strcmp(argv[i], "--data") == 0 && next)
            o->data = argv[++i];
        else if (strcmp(argv[i], "--truth") == 0 && next)
            o->truth = argv[++i];
        else if (strcmp(argv[i], "--otava") == 0 && i + 2 < argc) {
            o->python = argv[++i];
            o->script = argv[++i];
        } else
            return -1;
    }
    if (!o->histories)
        o->histories = o->quick ? 60 : 400;
    return o->data && !o->truth ? -1 : 0;
}

int main(int argc, char **argv) {
    options o = {.seed = 20270101, .rivals = 1};
    report r = {0};
    if (parse(argc, argv, &o) != 0) {
        (void)fprintf(stderr,
                      "usage: %s [--quick] [--seed N] [--histories N] [--markdown FILE] "
                      "[--figures DIR] [--otava PYTHON SCRIPT] [--data DIR --truth FILE]\n",
                      argv[0]);
        return 2;
    }
    if (o.markdown && !(r.markdown = fopen(o.markdown, "w"))) {
        (void)fprintf(stderr, "%s: %s\n", o.markdown, strerror(errno));
        return 3;
    }
    r.figures = json_object();
    int status = 0;
    if (o.data)
        status = data_run(&o, &r);
    else
        all_run(&o, &r);
    if (r.markdown && fclose(r.markdown) != 0)
        status = 3;
    if (!o.data)
        print_json(&r);
    json_decref(r.figures);
    return status;
}
