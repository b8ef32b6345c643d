
#include "ci/command/experiment.h"
#include "ci/command/pilot.h"
#include "ci/command/table.h"
#include "ci/formats/night.h"
#include "config/options.h"
#include "config/yaml_edit.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMMIT_SHORT 12
#define EVIDENCE_BYTES 1000 /* as config takes it */

static uint64_t whole(double value) {
    return (uint64_t)llround(value);
}

static uint64_t total_of(const ci_pilot_leg *leg) {
    return whole(leg->planned_warmup) + whole(leg->planned);
}

/* What the warm-up rests on, one line; owned.
 * commit  of the pilot; day: "2026-11-22" */
static char *proposal_evidence(const ci_pilot *pilot, const char *commit, const char *day) {
    g_autoptr(GString) to = g_string_new(NULL);
    bool looked = false;
    g_string_append_printf(to, "pilot of %s, commit %.*s", day, COMMIT_SHORT, commit);
    for (size_t i = 0; i < pilot->count; i++) {
        const ci_pilot_leg *leg = &pilot->leg[i];
        if (leg->seen > 0)
            g_string_append_printf(to, "%s %s %u of %u",
                                   looked ? "," : "; processes that settled:", leg->name,
                                   leg->settled, leg->seen);
        looked |= leg->seen > 0;
    }
    if (!looked)
        g_string_append(to, "; single calls unknown, so warm-up is unchanged");
    if (to->len > EVIDENCE_BYTES) {
        /* not inside of a letter: half of one is not text, and the file would not be read */
        const char *end = g_utf8_find_prev_char(to->str, to->str + EVIDENCE_BYTES + 1);
        g_string_truncate(to, (gsize)(end - to->str));
    }
    return g_string_free(g_steal_pointer(&to), FALSE);
}

static char *minutes_text(double minutes) {
    return g_strdup_printf("%.15g", minutes);
}

/* The keys as YAML, to look at; owned. minutes: of a night. */
static char *proposal_text(const ci_pilot *pilot, double minutes, const char *evidence) {
    g_autofree char *quoted = cfg_yaml_quoted(evidence), *budget = minutes_text(minutes);
    GString *to = g_string_new("benchmark:\n");
    if (pilot->budget)
        g_string_append_printf(to, "  budget_minutes: %s\n", budget);
    g_string_append_printf(to, "  loops: %u\n  warmup_evidence: %s\n  configurations:\n",
                           pilot->planned_loops, quoted);
    for (size_t i = 0; i < pilot->count; i++) {
        const ci_pilot_leg *leg = &pilot->leg[i];
        g_string_append_printf(to,
                               "    - name: %s\n      total_calls: %" G_GUINT64_FORMAT
                               "\n      warmup_calls: %" G_GUINT64_FORMAT "\n",
                               leg->name, total_of(leg), whole(leg->planned_warmup));
    }
    return g_string_free(to, FALSE);
}

/* The text with one more value; the old one is freed. */
static bool set_key(char **text, const char *const *path, const char *value, GError **error) {
    char *next = cfg_yaml_set(*text, path, value, error);
    if (!next)
        return false;
    g_free(*text);
    *text = next;
    return true;
}

static bool put_top(char **text, const char *key, const char *value, GError **error) {
    return set_key(text, (const char *const[]){"benchmark", key, NULL}, value, error);
}

static bool put_calls(char **text, const ci_pilot_leg *leg, GError **error) {
    g_autofree char *total = g_strdup_printf("%" G_GUINT64_FORMAT, total_of(leg));
    g_autofree char *warmup = g_strdup_printf("%" G_GUINT64_FORMAT, whole(leg->planned_warmup));
    const char *path[] = {"benchmark", "configurations", leg->name, "total_calls", NULL};
    if (!set_key(text, path, total, error))
        return false;
    path[3] = "warmup_calls";
    return set_key(text, path, warmup, error);
}

/*
 * A project's file with these keys; all else byte for byte as it is. Owned.
 * project  of that text, as it was read. Error: a key has no place in the text, said by its path.
 */
static char *proposal_set(const char *text, const cfg_project *project, const ci_pilot *pilot,
                          double minutes, const char *evidence, GError **error) {
    g_autofree char *out = g_strdup(text);
    g_autofree char *loops = g_strdup_printf("%u", pilot->planned_loops);
    g_autofree char *quoted = cfg_yaml_quoted(evidence);
    g_autofree char *budget = minutes_text(pilot->budget ? minutes : 0);
    bool good = put_top(&out, "loops", loops, error);
    if (good && (pilot->budget || project->benchmark.budget_minutes > 0))
        good = put_top(&out, "budget_minutes", budget, error);
    good = good && put_top(&out, "warmup_evidence", quoted, error);
    for (size_t i = 0; good && i < pilot->count; i++)
        good = put_calls(&out, &pilot->leg[i], error);
    return good ? g_steal_pointer(&out) : NULL;
}

/* Is what was written what was meant? */
static bool check(const char *file, const ci_pilot *pilot, double minutes, const char *evidence,
                  GError **error) {
    g_autoptr(cfg_project) project = cfg_project_load(file, error);
    if (!project)
        return false;
    const cfg_benchmark *benchmark = &project->benchmark;
    bool same = benchmark->loops == pilot->planned_loops &&
                g_strcmp0(benchmark->warmup_evidence, evidence) == 0 &&
                fabs(benchmark->budget_minutes - (pilot->budget ? minutes : 0)) < 1e-6;
    for (size_t i = 0; same && i < pilot->count; i++)
        same = benchmark->configurations[i].total_calls == total_of(&pilot->leg[i]) &&
               benchmark->configurations[i].warmup_calls == whole(pilot->leg[i].planned_warmup);
    return same || ci_wrong(error, "with the keys added, the file would be read differently from "
                                   "the plan; set them by hand");
}

/* Beside the file, so that its relative paths mean the same, and under a name nobody reads. */
static char *place_of(const char *file) {
    g_autofree char *folder = g_path_get_dirname(file), *name = g_path_get_basename(file);
    g_autofree char *hidden = g_strdup_printf(".%s.plan", name);
    return g_build_filename(folder, hidden, NULL);
}

static bool replace(const char *file, const char *text, const ci_pilot *pilot, double minutes,
                    const char *evidence, GError **error) {
    g_autofree char *place = place_of(file);
    struct stat old;
    bool good =
        g_file_set_contents_full(place, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error) &&
        check(place, pilot, minutes, evidence, error);
    if (good && (stat(file, &old) != 0 || chmod(place, old.st_mode & 07777) != 0 ||
                 g_rename(place, file) != 0))
        good = ci_wrong(error, "%s: %s", file, g_strerror(errno));
    if (!good)
        (void)g_unlink(place);
    return good;
}

/* Into the file, at once or not at all. What is written was read again before and means what it
 * should. Error: as above, or the file cannot be written. */
static bool proposal_write(const char *file, const ci_pilot *pilot, double minutes,
                           const char *evidence, GError **error) {
    char resolved[PATH_MAX];
    g_autofree char *text = NULL;
    if (!realpath(file, resolved))
        return ci_wrong(error, "%s: %s", file, g_strerror(errno));
    g_autoptr(cfg_project) project = cfg_project_load(resolved, error);
    if (!project || !g_file_get_contents(resolved, &text, NULL, error))
        return false;
    g_autofree char *next = proposal_set(text, project, pilot, minutes, evidence, error);
    if (!next) {
        g_prefix_error(error, "%s: ", file);
        return false;
    }
    return replace(resolved, next, pilot, minutes, evidence, error);
}

#define PILOT_LOOPS 5

typedef struct {
    ci_experiment_options measured;
    char *commit; /* that was */
    gdouble minutes;
    gboolean json, rounds, write;
} options;

static bool options_check(const options *o, GError **error) {
    if (o->measured.loops >= 2 && o->measured.loops <= 100 && o->minutes > 0 && o->minutes <= 1440)
        return true;
    return ci_misused(error, "%s",
                      o->measured.loops < 2 || o->measured.loops > 100
                          ? "--loops: 2 to 100 processes of each configuration"
                          : "--minutes: more than 0, at most 1440");
}

/* The pilot's experiment.json; NULL with error. */
static json_t *measure(options *o, const char *file, const cfg_project *project, GError **error) {
    o->commit = cfg_kept(ci_experiment_measure(&o->measured, file, project, "pilot", error));
    return o->commit ? ci_record_read(o->measured.folder, error) : NULL;
}

static json_t *leg_json(const ci_pilot_leg *leg) {
    return json_pack(
        "{s:s,s:s,s:f,s:f,s:f,s:f,s:I,s:I,s:I,s:I,s:I,s:f,s:f,s:i,s:i}", "configuration", leg->name,
        "portion", leg->portion, "mean_ns", leg->varies.mean, "between_ns",
        sqrt(leg->varies.between), "within_ns", sqrt(leg->varies.within), "start_seconds",
        leg->start_s, "calls", (json_int_t)leg->calls, "warmup_calls", (json_int_t)leg->warmup,
        "planned_calls", (json_int_t)leg->planned, "planned_warmup_calls",
        (json_int_t)leg->planned_warmup, "total_calls",
        (json_int_t)(leg->planned_warmup + leg->planned), "planned_loops", leg->planned_loops,
        "share", leg->share, "settled", (int)leg->settled, "settled_of", (int)leg->seen);
}

static json_t *portion_json(const ci_pilot *pilot, size_t i, double confidence) {
    return json_pack("{s:s,s:f,s:f}", "portion", pilot->leg[i].portion, "detectable_before_ns",
                     ci_pilot_detectable(pilot, i, confidence, false), "detectable_after_ns",
                     ci_pilot_detectable(pilot, i, confidence, true));
}

static json_t *plan_json(const ci_pilot *pilot, double minutes, double confidence,
                         const char *evidence) {
    json_t *configurations = json_array(), *portions = json_array();
    for (size_t i = 0; i < pilot->count; i++) {
        json_array_append_new(configurations, leg_json(&pilot->leg[i]));
        json_array_append_new(portions, portion_json(pilot, i, confidence));
    }
    return json_pack("{s:I,s:I,s:f,s:f,s:f,s:f,s:s,s:o,s:o}", "loops", (json_int_t)pilot->loops,
                     "planned_loops", (json_int_t)pilot->planned_loops, "budget_minutes",
                     pilot->budget ? minutes : 0.0, "seconds_before", pilot->seconds_now,
                     "seconds_after", pilot->seconds_after, "level", confidence, "warmup_evidence",
                     evidence, "configurations", configurations, "portions", portions);
}

/* "200 (5/5)" */
static char *warmup_words(const ci_pilot_leg *leg) {
    return leg->seen > 0
               ? g_strdup_printf("%.0f (%u/%u)", leg->planned_warmup, leg->settled, leg->seen)
               : g_strdup_printf("%.0f", leg->planned_warmup);
}

static void print_table(const ci_pilot *pilot, double confidence) {
    static const char *const titles[] = {"portion",    ">start s", ">between ns",  ">within ns",
                                         ">calls now", ">planned", ">warm-up",     ">planned",
                                         ">loops",     ">share %", ">seen now ns", ">planned seen",
                                         NULL};
    g_autoptr(ci_table) table = ci_table_new(titles);
    for (size_t i = 0; i < pilot->count; i++) {
        const ci_pilot_leg *leg = &pilot->leg[i];
        ci_table_add(table, g_strdup(leg->portion));
        ci_table_add(table, g_strdup_printf("%.3g", leg->start_s));
        ci_table_add(table, ci_ns(sqrt(leg->varies.between)));
        ci_table_add(table, ci_ns(sqrt(leg->varies.within)));
        ci_table_add(table, g_strdup_printf("%.0f", leg->calls));
        ci_table_add(table, g_strdup_printf("%.0f", leg->planned));
        ci_table_add(table, g_strdup_printf("%.0f", leg->warmup));
        ci_table_add(table, warmup_words(leg));
        ci_table_add(table, g_strdup_printf("%.0f", leg->planned_loops));
        ci_table_add(table, g_strdup_printf("%.0f", 100 * leg->share));
        ci_table_add(table, ci_ns(ci_pilot_detectable(pilot, i, confidence, false)));
        ci_table_add(table, ci_ns(ci_pilot_detectable(pilot, i, confidence, true)));
    }
    ci_table_print(table, stdout);
}

static void print_plan(const ci_pilot *pilot, double minutes, double confidence,
                       const char *evidence) {
    g_autofree char *keys = proposal_text(pilot, minutes, evidence);
    print_table(pilot, confidence);
    (void)printf(
        "\nseen: the smallest change of the portion between two nights that is found in "
        "80 of 100 cases.\nVariation between nights is not included. warm-up: calls "
        "dropped, and how many processes of\nthe pilot had settled then. loops, share: of "
        "a night and its time, as planned. Now %u rounds,\n%.3g minutes; planned %s%u "
        "rounds%s, %.3g minutes:\n\n%s\nChanging the numbers of calls starts a new series.\n",
        pilot->loops, pilot->seconds_now / 60, pilot->budget ? "first " : "", pilot->planned_loops,
        pilot->budget ? ", then where it helps most" : "", pilot->seconds_after / 60, keys);
}

static const ci_usage usage = {
    .synopsis = "plan PROJECT.yaml",
    .description =
        "Measures a few processes of each configuration here, estimates how they vary and\n"
        "what starting one costs, and after how many calls they settle. Says how many calls and\n"
        "processes to measure in the given minutes a night, and the smallest change that is then\n"
        "found; --write puts it into the project's file.",
    .least = 1,
    .most = 1};

static void tell(const options *o, const ci_pilot *pilot, double confidence, const char *evidence) {
    if (!o->json) {
        print_plan(pilot, o->minutes, confidence, evidence);
        return;
    }
    json_auto_t *said = plan_json(pilot, o->minutes, confidence, evidence);
    ci_print_json(said);
}

static ci_exit plan(options *o, const char *file, const cfg_project *project, GError **error) {
    g_autofree ci_pilot *pilot = g_new0(ci_pilot, 1);
    json_auto_t *experiment = measure(o, file, project, error);
    if (!experiment || !ci_pilot_read(pilot, project, experiment, o->measured.folder, error))
        return CI_INPUT;
    pilot->budget = pilot->budget && !o->rounds;
    if (!ci_pilot_plan(pilot, o->minutes, error))
        return CI_INPUT;
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *day = g_date_time_format(now, "%Y-%m-%d");
    g_autofree char *evidence = proposal_evidence(pilot, o->commit, day);
    tell(o, pilot, project->detection.confidence, evidence);
    if (!o->write)
        return CI_OK;
    if (!proposal_write(file, pilot, o->minutes, evidence, error))
        return CI_INPUT;
    if (!o->json)
        (void)printf("\nThese keys are now in %s.\n", file);
    return CI_OK;
}

static ci_exit run_plan(int argc, char **argv, GError **error) {
    options o = {.minutes = 60, .measured = {.loops = PILOT_LOOPS}};
    const GOptionEntry entries[] = {
        CI_REAL("minutes", &o.minutes, "How many minutes a night may take (default: 60)", "N"),
        CI_COUNT("loops", &o.measured.loops, "Processes of each configuration to try (default: 5)",
                 "N"),
        CI_STRING("commit", &o.measured.commit,
                  "What to measure (default: the newest of the project's branch)", "COMMIT"),
        CI_EXPERIMENT_ENTRIES(o.measured, "project's", "pilot-<commit>"),
        CI_FLAG("rounds", &o.rounds,
                "Plan this number of processes of each configuration, not a budget of minutes"),
        CI_FLAG("write", &o.write,
                "Write the keys into the project's file; the rest of it stays as it is"),
        CI_FLAG("json", &o.json, "Print one JSON object"),
        {0}};
    g_autoptr(cfg_project) project = NULL;
    ci_exit exit = CI_OK;
    if (ci_parse(&usage, entries, &argc, &argv, error) && options_check(&o, error))
        project = cfg_project_load(argv[1], error);
    if (project)
        exit = plan(&o, argv[1], project, error);
    return exit;
}

const ci_command ci_command_plan = {"plan", "say how many calls and processes to measure",
                                    run_plan};
