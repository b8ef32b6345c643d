#include "ci/formats/imported.h"
#include "config/formats/formats.h"
#include "config/json_text.h"
#include "config/model/detection.h"

#include <math.h>
#include <string.h>

#define BENCHMARK "imported"
#define SUBJECT_CHARS 1000
#define LOOPS_OF_A_NIGHT 40000u    /* the server takes as many */
#define T_975_1 12.706204736432095 /* qt(0.975, 1) */

static bool usage(GError **error, const char *text) {
    return ci_misused(error, "%s", text);
}

static json_t *header(const ci_lines_options *o) {
    g_autofree char *title = g_strdup_printf("%s (imported)", o->project);
    return json_pack("{s:i,s:s,s:s,s:s,s:s,s:{s:f,s:f,s:f,s:i,s:i,s:b,s:i,s:i}}", "moowatch_export",
                     1, "project", o->project, "title", title, "repository", "imported results",
                     "branch", "main", "detection", "confidence", 0.95, "minimum_effect_percent",
                     5.0, "minimum_effect_ns", 1.0, "baseline_nights", 30, "minimum_loops", 1,
                     "remeasure", 0, "remeasure_loops", 600, "ageing_days", 30);
}

static json_t *name_of(const json_t *item, const char *which) {
    const char *label = cfg_json_word(item, which, "");
    g_autofree char *key = ci_upstream_key(label);
    return json_pack("{s:s,s:s}", "name", key, "label", label);
}

/* Of each key of these nights the two names between which a history decides; NULL: of none. */
static json_t *names_of(const json_t *nights) {
    static const char *const lists[] = {"values", "left"};
    json_t *names = json_object(), *night, *item;
    size_t i, k;
    json_array_foreach (nights, i, night)
        for (size_t list = 0; list < G_N_ELEMENTS(lists); list++)
            cfg_json_each (night, lists[list], k, item) {
                g_autofree char *key = ci_upstream_key(cfg_json_word(item, "name", ""));
                if (json_object_get(item, "full"))
                    json_object_set_new(names, key,
                                        json_pack("{s:o,s:o}", "alone", name_of(item, "alone"),
                                                  "full", name_of(item, "full")));
            }
    if (json_object_size(names) > 0)
        return names;
    json_decref(names);
    return NULL;
}

/* guessed: what is compared with what was read off the labels. */
static json_t *benchmark(const GPtrArray *links, unsigned loops, bool guessed, json_t *names) {
    json_t *configurations = json_array();
    for (guint i = 0; i < links->len; i++) {
        const ci_link *link = links->pdata[i];
        const ci_link *parent = link->parent >= 0 ? links->pdata[link->parent] : NULL;
        json_array_append_new(configurations,
                              json_pack("{s:s,s:s,s:s,s:s?,s:s*,s:s*}", "name", link->name, "label",
                                        link->label, "portion", link->portion, "parent",
                                        parent ? parent->name : NULL, "unit", link->unit, "better",
                                        link->higher ? "higher" : NULL));
    }
    return json_pack("{s:s,s:s,s:b,s:o*,s:{s:s,s:i,s:f,s:o}}", "type", "benchmark", "hash",
                     BENCHMARK, "guessed", guessed, "names", names, "body", "driver", BENCHMARK,
                     "loops", (int)loops, "confidence", 0.95, "configurations", configurations);
}

/* Where no commit is known, what was measured is its own name. An id that is not full is one, too:
 * runs that have the same one are of the same commit. */
static json_t *commit_of(const json_t *night, const ci_lines_options *o, gint64 time_ms) {
    const json_t *commit = json_object_get(night, "commit");
    const char *given = cfg_json_word(commit, "sha", NULL);
    const char *full = given && ci_is_commit(given) ? given : o->commit;
    const char *other = full || !given || *given == '\0' ? NULL : given;
    const char *subject = cfg_json_word(commit, "subject", "");
    const char *author = cfg_json_word(commit, "author", "");
    g_autofree char *text = other ? g_strdup_printf("%s %s", o->project, other)
                                  : g_strdup_printf("%s %" G_GINT64_FORMAT, o->project, time_ms);
    g_autofree char *own = g_compute_checksum_for_string(G_CHECKSUM_SHA1, text, -1);
    g_autofree char *first = g_strdup_printf("%s%s%.*s", other ? other : "", other ? " " : "",
                                             (int)strcspn(subject, "\n"), subject);
    g_autofree char *line =
        g_utf8_substring(first, 0, MIN(g_utf8_strlen(first, -1), SUBJECT_CHARS));
    g_strdelimit(line, "\r\t", ' ');
    g_autofree char *sha = g_ascii_strdown(full ? full : own, -1);
    const double own_ms = cfg_json_number(commit, "time_ms");
    return json_pack("{s:s,s:s,s:s,s:I,s:s}", "sha", sha, "author", author, "author_email", "",
                     "time_ms", isfinite(own_ms) ? (json_int_t)own_ms : (json_int_t)time_ms,
                     "subject", full || other ? line : "(no commit is known)");
}

/* left: why it has no result of a configuration, by its key, or why each of its loops failed; NULL:
 * nothing was said of any */
static json_t *night_line(const char *date, json_t *commit, gint64 time_ms, json_t *environment,
                          json_t *left, json_t *loops) {
    return json_pack("{s:s,s:s,s:s,s:s,s:o,s:o*,s:{s:s,s:I,s:I,s:o,s:o}}", "type", "night", "kind",
                     "backfill", "night", date, "benchmark", BENCHMARK, "commit", commit, "left",
                     left, "result", "node", BENCHMARK, "started_ms", (json_int_t)time_ms,
                     "finished_ms", (json_int_t)time_ms, "environment", environment, "loops",
                     loops);
}

static unsigned depth_of(const GPtrArray *links, int at) {
    unsigned depth = 0;
    for (; at >= 0; at = ((const ci_link *)links->pdata[at])->parent)
        depth++;
    return depth;
}

static json_t *loop_put(json_t *loops, const ci_link *link, int number, gint64 time_ms) {
    json_t *loop =
        json_pack("{s:s,s:i,s:i,s:I,s:f}", "configuration", link->name, "loop", number, "position",
                  (int)json_array_size(loops), "started_ms", (json_int_t)time_ms, "seconds", 0.0);
    json_array_append_new(loops, loop);
    return loop;
}

static void loop_add(json_t *loops, const ci_link *link, int number, gint64 time_ms, double mean) {
    json_object_set_new(loop_put(loops, link, number, time_ms), "summary",
                        json_pack("{s:f}", "mean_ns", mean));
}

/* Loops as the file has them, each with its number there. */
static void loops_take(json_t *loops, const ci_link *link, const json_t *value, gint64 time_ms) {
    const json_t *means = json_object_get(value, "loops_ns");
    const json_t *failed = json_object_get(value, "failed");
    const size_t all = json_array_size(means) + json_array_size(failed);
    for (size_t number = 1, lost = 0; number <= all; number++) {
        const json_t *one = json_array_get(failed, lost);
        if (one && cfg_json_integer(one, "loop") == (json_int_t)number) {
            json_object_set(loop_put(loops, link, (int)number, time_ms), "failed",
                            json_object_get(one, "why"));
            lost++;
        } else
            loop_add(loops, link, (int)number, time_ms,
                     json_number_value(json_array_get(means, number - 1 - lost)));
    }
}

static double half_of(const json_t *value) {
    return (cfg_json_number(value, "high_ns") - cfg_json_number(value, "low_ns")) / 2;
}

static const json_t *value_of(const json_t *values, const char *name) {
    size_t i;
    json_t *value;
    json_array_foreach (values, i, value)
        if (g_str_equal(cfg_json_word(value, "name", ""), name))
            return value;
    return NULL;
}

/* What a configuration takes, and lean: out, by how much the first of its two loops takes less.
 * Neighbours in the chain lean opposite ways, so that their difference is no surer than they are;
 * a portion is added to what its night says it is over, and so differs from that as it says. most:
 * so many may be under it; NaN: one of them is not there, or they stand in a ring. */
static double whole_of(const json_t *values, const GPtrArray *links, const json_t *value,
                       size_t most, double *lean) {
    const char *over = cfg_json_word(value, "over", NULL);
    const double mean = cfg_json_number(value, "mean_ns"), own = half_of(value) / T_975_1;
    if (!over) {
        const int at = ci_links_find(links, cfg_json_word(value, "name", ""));
        *lean = own * (depth_of(links, at) % 2 ? 1 : -1);
        return mean;
    }
    if (most == 0)
        return (double)NAN;
    const double below = whole_of(values, links, value_of(values, over), most - 1, lean);
    *lean += own;
    return below + mean;
}

static void value_add(json_t *loops, const GPtrArray *links, const json_t *values,
                      const json_t *value, gint64 time_ms) {
    const int at = ci_links_find(links, cfg_json_word(value, "name", ""));
    double lean = 0;
    const double mean = whole_of(values, links, value, json_array_size(values), &lean);
    if (at < 0 || !(mean > 0 || (mean == 0 && json_object_get(value, "unit"))))
        return;
    if (cfg_json_count(value, "loops_ns") > 0) {
        loops_take(loops, links->pdata[at], value, time_ms);
        return;
    }
    if (!(half_of(value) > 0) || !(fabs(lean) < mean)) {
        loop_add(loops, links->pdata[at], 1, time_ms, mean);
        return;
    }
    loop_add(loops, links->pdata[at], 1, time_ms, mean - lean);
    loop_add(loops, links->pdata[at], 2, time_ms, mean + lean);
}

/* Of what nobody knows when it was: the store needs a time, and who reads it that it is none. night
 * NULL: of raw results, which say neither. */
static json_t *undated(const json_t *night) {
    json_t *of = json_array();
    if (!isfinite(cfg_json_number(json_object_get(night, "commit"), "time_ms")))
        json_array_append_new(of, json_string("commit"));
    if (!isfinite(cfg_json_number(night, "time_ms")))
        json_array_append_new(of, json_string("run"));
    return of;
}

/* Of what the two loops are the file's own: two may stand for an interval. */
static json_t *pairs_of(const json_t *night) {
    json_t *keys = json_array();
    size_t i;
    json_t *value;
    cfg_json_each (night, "values", i, value) {
        g_autofree char *key = ci_upstream_key(cfg_json_word(value, "name", ""));
        if (cfg_json_count(value, "loops_ns") == 2)
            json_array_append_new(keys, json_string(key));
    }
    return keys;
}

/* Two loops stand for what each differs by from the one that it is over. */
static bool has_portions(const json_t *night) {
    bool any = false;
    size_t i;
    json_t *value;
    cfg_json_each (night, "values", i, value)
        any = any || json_object_get(value, "over");
    return any;
}

/* A list that is empty says nothing. Takes list. */
static void put_list(json_t *to, const char *key, json_t *list) {
    if (json_array_size(list) > 0)
        json_object_set(to, key, list);
    json_decref(list);
}

/* What is known of the night beside its values: shown, and not part of what has to be equal. NULL:
 * nothing. Owned. */
static json_t *detail_of(const json_t *night) {
    json_t *machine = json_object_get(night, "machine"), *notes = json_object_get(night, "notes");
    json_auto_t *detail = json_object();
    if (json_object_size(machine) > 0)
        json_object_set(detail, "machine", machine);
    put_list(detail, "read", json_incref(notes));
    put_list(detail, "undated", undated(night));
    put_list(detail, "loops", pairs_of(night));
    if (has_portions(night))
        json_object_set_new(detail, "paired", json_true());
    return json_object_size(detail) > 0 ? json_incref(detail) : NULL;
}

/* Why each of its loops failed, in order; of what has none in the file why there is no value. */
static json_t *reasons_of(const json_t *item) {
    json_t *reasons = json_array(), *failed;
    size_t i;
    cfg_json_each (item, "failed", i, failed)
        json_array_append(reasons, json_object_get(failed, "why"));
    if (i > 0)
        return reasons;
    json_decref(reasons);
    return json_incref(json_object_get(item, "why"));
}

/* Why the night has no value of what the file names, by its key: whether a project waits for it,
 * the server knows. NULL: nothing. Owned. */
static json_t *left_of(const json_t *night) {
    json_auto_t *left = json_object();
    size_t i;
    json_t *item;
    cfg_json_each (night, "left", i, item) {
        g_autofree char *key = ci_upstream_key(cfg_json_word(item, "name", ""));
        cfg_json_member(left, key, reasons_of(item));
    }
    cfg_json_each (night, "values", i, item) {
        g_autofree char *key = ci_upstream_key(cfg_json_word(item, "name", ""));
        json_object_del(left, key);
    }
    return json_object_size(left) > 0 ? json_incref(left) : NULL;
}

static json_t *line_of(const json_t *night, const GPtrArray *links, const ci_lines_options *o) {
    const double known_ms = cfg_json_number(night, "time_ms");
    const char *date = cfg_json_word(night, "night", o->night);
    const char *suite = cfg_json_word(night, "suite", "");
    if (!date)
        return NULL;
    g_autofree char *noon = g_strconcat(date, "T12:00:00Z", NULL);
    g_autoptr(GDateTime) moment = g_date_time_new_from_iso8601(noon, NULL);
    const gint64 time_ms = isfinite(known_ms) ? (gint64)known_ms
                           : moment           ? g_date_time_to_unix(moment) * 1000
                                              : 0;
    json_t *loops = json_array();
    size_t i;
    json_t *value;
    cfg_json_each (night, "values", i, value)
        value_add(loops, links, json_object_get(night, "values"), value, time_ms);
    return night_line(date, commit_of(night, o, time_ms), time_ms,
                      json_pack("{s:s,s:s,s:o*}", "imported", cfg_json_word(night, "format", ""),
                                "suite", suite, "detail", detail_of(night)),
                      left_of(night), loops);
}

enum { SUITES_NAMED = 5 };

/* "a", "b" and 3 more; owned. */
static char *suites_text(const json_t *nights) {
    g_autoptr(GString) text = g_string_new(NULL);
    json_auto_t *names = json_object();
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        const char *suite = cfg_json_word(night, "suite", "");
        if (json_object_get(names, suite))
            continue;
        json_object_set_new(names, suite, json_true());
        if (json_object_size(names) <= SUITES_NAMED)
            g_string_append_printf(text, "%s\"%s\"", text->len > 0 ? ", " : "", suite);
    }
    if (json_object_size(names) > SUITES_NAMED)
        g_string_append_printf(text, " and %zu more", json_object_size(names) - SUITES_NAMED);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* Why there is not one suite to take: several and none is wanted, or none of that name. */
static json_t *suite_refuse(const json_t *nights, const char *wanted, GError **error) {
    g_autofree char *suites = suites_text(nights);
    if (json_array_size(nights) == 0)
        ci_wrong(error, "the input has no results");
    else if (wanted)
        ci_wrong(error, "there is no suite \"%s\"; choose one of %s", wanted, suites);
    else
        ci_misused(error, "there are several suites; choose one with --suite: %s", suites);
    return NULL;
}

static json_t *suite_of(const json_t *nights, const char *wanted, GError **error) {
    const char *name = wanted ? wanted : cfg_json_word(json_array_get(nights, 0), "suite", "");
    json_auto_t *own = json_array();
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night)
        if (g_str_equal(cfg_json_word(night, "suite", ""), name))
            json_array_append(own, night);
    const bool several = !wanted && json_array_size(own) < json_array_size(nights);
    return json_array_size(own) > 0 && !several ? json_incref(own)
                                                : suite_refuse(nights, wanted, error);
}

/* Without those whose name does not match. */
static bool match(const json_t *nights, const char *pattern, GError **error) {
    size_t i, kept = 0;
    json_t *night;
    json_array_foreach (nights, i, night) {
        json_t *values = json_object_get(night, "values");
        for (size_t k = json_array_size(values); k-- > 0;) {
            const char *name = cfg_json_word(json_array_get(values, k), "name", "");
            if (g_pattern_match_simple(pattern, name))
                kept++;
            else
                json_array_remove(values, k);
        }
    }
    return kept > 0 || ci_wrong(error, "no benchmark is called as --match says: %s", pattern);
}

/* As a file has them, with those that failed. */
static size_t loops_of(const json_t *value) {
    return cfg_json_count(value, "loops_ns") + cfg_json_count(value, "failed");
}

/* As many as the configuration with the most has, be it that all of them failed. */
static unsigned loops_most(const json_t *nights) {
    size_t i, k, most = 2;
    json_t *night, *value;
    json_array_foreach (nights, i, night) {
        cfg_json_each (night, "values", k, value)
            most = MAX(most, loops_of(value));
        cfg_json_each (night, "left", k, value)
            most = MAX(most, loops_of(value));
    }
    return (unsigned)most;
}

static bool is_dated(const json_t *night, const ci_lines_options *o) {
    return cfg_json_word(night, "night", o->night) != NULL;
}

/* Without a value it is no night, nor without a date where others have one; which it was is told.
 */
static json_t *usable(const json_t *nights, const ci_lines_options *o, GPtrArray *told) {
    json_t *kept = json_array();
    bool any = false;
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night)
        any = any || is_dated(night, o);
    json_array_foreach (nights, i, night) {
        const char *date = cfg_json_word(night, "night", "unknown date");
        if (cfg_json_count(night, "values") == 0)
            g_ptr_array_add(told, g_strdup_printf("run of %s: no usable value; left out", date));
        else if (any && !is_dated(night, o))
            g_ptr_array_add(
                told, g_strdup_printf("run of commit %s: it has no date; left out (give --night)",
                                      cfg_json_word(json_object_get(night, "commit"), "sha", "?")));
        else
            json_array_append(kept, night);
    }
    return kept;
}

/* No two loops above 0 have its interval. */
static bool is_wide(const json_t *value) {
    const double half = half_of(value);
    return cfg_json_count(value, "loops_ns") == 0 && !json_object_get(value, "over") && half > 0 &&
           half / T_975_1 >= cfg_json_number(value, "mean_ns");
}

/* Two loops lie around the mean, as far to one side as to the other: a twentieth is no matter. */
static bool is_lopsided(const json_t *value) {
    const double half = half_of(value), mean = cfg_json_number(value, "mean_ns");
    return cfg_json_count(value, "loops_ns") == 0 &&
           fabs(cfg_json_number(value, "low_ns") + half - mean) > half / 20;
}

/* The interval of such a value is not kept, or not its ends: that is told with its night. */
static void interval_note(const json_t *nights) {
    size_t i, k;
    json_t *night, *value;
    json_array_foreach (nights, i, night)
        cfg_json_each (night, "values", k, value) {
            const char *what = is_wide(value)       ? "reaches far below 0; it is not read"
                               : is_lopsided(value) ? "does not lie evenly around its mean: mean ± "
                                                      "half its width is kept"
                                                    : NULL;
            if (what)
                json_array_append_new(
                    cfg_json_member(night, "notes", json_array()),
                    json_sprintf("the interval of %s %s", cfg_json_word(value, "name", ""), what));
        }
}

/* A night has at most so many loops: of a value with more their mean is taken. */
static void loops_bound(const json_t *nights, size_t most, GPtrArray *told) {
    size_t i, k;
    json_t *night, *value;
    json_array_foreach (nights, i, night) {
        cfg_json_each (night, "values", k, value) {
            const size_t loops = loops_of(value);
            if (loops <= most)
                continue;
            g_ptr_array_add(told, g_strdup_printf("run of %s: %s has %zu loops, at most %zu can be "
                                                  "kept; their mean is taken",
                                                  cfg_json_word(night, "night", "unknown date"),
                                                  cfg_json_word(value, "name", ""), loops, most));
            json_object_del(value, "loops_ns");
        }
        cfg_json_each (night, "left", k, value)
            if (loops_of(value) > most) /* its reason stands for them */
                json_object_del(value, "failed");
    }
}

/* What was done with the values of a night stands at it, as a note. */
static void note_add(json_t *lines, const json_t *night, const char *date, const char *last) {
    size_t i;
    json_t *note;
    cfg_json_each (night, "notes", i, note) {
        const char *text = json_string_value(note);
        if (g_strcmp0(text, FMT_HALVED) == 0 && g_strcmp0(date, last) != 0)
            json_array_append_new(lines, json_pack("{s:s,s:s,s:s,s:s,s:I}", "type", "note", "night",
                                                   date, "text", text, "author", "import", "at_ms",
                                                   cfg_json_integer(night, "time_ms")));
    }
}

/* Lines of all nights into lines; false with error: one does not say when it was. */
static bool nights_add(json_t *lines, const json_t *nights, const GPtrArray *links,
                       const ci_lines_options *o, GError **error) {
    json_auto_t *notes = json_array();
    const char *last = NULL;
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        json_t *line = line_of(night, links, o);
        if (!line)
            return usage(error, "the results do not say when they were measured: give --night");
        json_array_append_new(lines, line);
        const char *date = cfg_json_word(night, "night", o->night);
        note_add(notes, night, date, last);
        last = date;
    }
    json_array_extend(lines, notes);
    return true;
}

/* What is given is for runs that have none; where all, or some, have their own that is told. */
static void given_note(GPtrArray *told, const json_t *nights, const char *option,
                       const char *given) {
    const bool commit = g_str_equal(option, "--commit");
    const char *own = NULL;
    unsigned others = 0;
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        const char *has = commit ? cfg_json_word(json_object_get(night, "commit"), "sha", NULL)
                                 : cfg_json_word(night, "night", NULL);
        if (!given || !has || (commit && !ci_is_commit(has)) || g_str_equal(has, given))
            continue;
        own = own ? own : has;
        others++;
    }
    if (others > 0)
        g_ptr_array_add(told, g_strdup_printf("%s %s is not used for %u of %zu runs: the file says "
                                              "%s%s",
                                              option, given, others, json_array_size(nights), own,
                                              others > 1 ? " and others" : ""));
}

json_t *ci_history_of(const json_t *nights, const ci_lines_options *o, GError **error) {
    g_autoptr(GPtrArray) own_told = g_ptr_array_new_with_free_func(g_free);
    GPtrArray *told = o->told ? o->told : own_told;
    json_auto_t *own = suite_of(nights, o->suite, error);
    if (!own || (o->match && !match(own, o->match, error)))
        return NULL;
    if (o->project)
        interval_note(own);
    ci_import_notes(told, own);
    json_auto_t *measured = usable(own, o, told);
    given_note(told, measured, "--commit", o->commit);
    given_note(told, measured, "--night", o->night);
    json_t *ordered = ci_code_order(measured, told);
    ci_units_part(ordered, told);
    return ordered;
}

json_t *ci_lines_of_nights(const json_t *nights, const ci_lines_options *o, GError **error) {
    g_autoptr(GPtrArray) own_told = g_ptr_array_new_with_free_func(g_free);
    GPtrArray *told = o->told ? o->told : own_told;
    json_auto_t *ordered = ci_history_of(nights, o, error);
    if (!ordered)
        return NULL;
    g_autoptr(GPtrArray) links = ci_links_of_nights(ordered, o->chain, told, error);
    if (!links)
        return NULL;
    loops_bound(ordered, MIN(LOOPS_OF_A_NIGHT / links->len, DET_LOOPS_MAX), told);
    json_t *lines = json_array();
    json_array_append_new(lines, header(o));
    json_array_append_new(lines,
                          benchmark(links, loops_most(ordered),
                                    !o->chain && !ci_chain_is_own(links), names_of(ordered)));
    if (!nights_add(lines, ordered, links, o, error))
        g_clear_pointer(&lines, json_decref);
    return lines;
}

static json_t *raw_loops(const ci_results *results, const GPtrArray *links, gint64 time_ms) {
    json_t *loops = json_array();
    for (unsigned l = 0; l < results->loops; l++)
        for (guint c = 0; c < links->len; c++) {
            const ci_loop *loop = &results->configurations[c].loops[l];
            json_t *line = loop_put(loops, links->pdata[c], (int)l + 1, time_ms);
            if (!loop->present) {
                json_object_set_new(line, "failed", json_string("the raw file is missing"));
                continue;
            }
            const uint64_t calls = loop->calls.n + loop->warmup_calls;
            json_object_set_new(line, "calls", json_integer((json_int_t)calls));
            json_object_set_new(line, "warmup_calls", json_integer((json_int_t)loop->warmup_calls));
            json_object_set_new(line, "summary", cfg_summary_json(&loop->calls));
        }
    return loops;
}

json_t *ci_lines_of_results(const ci_results *results, const ci_lines_options *o, GError **error) {
    g_autofree char *noon = g_strconcat(o->night ? o->night : "", "T12:00:00Z", NULL);
    g_autoptr(GDateTime) moment = g_date_time_new_from_iso8601(noon, NULL);
    if (!o->commit || !moment) {
        usage(error, "raw results name neither commit nor date: give --commit and --night");
        return NULL;
    }
    const gint64 time_ms = g_date_time_to_unix(moment) * 1000;
    json_t *lines = json_array();
    json_array_append_new(lines, header(o));
    json_array_append_new(lines, benchmark(results->links, results->loops, !o->chain, NULL));
    if (!o->chain && o->told) {
        g_autofree char *chain = ci_chain_text(results->links);
        g_ptr_array_add(o->told, g_strdup_printf("chain: %s", chain));
    }
    json_array_append_new(
        lines, night_line(o->night, commit_of(NULL, o, time_ms), time_ms,
                          json_pack("{s:s,s:i,s:{s:o}}", "imported", "moobench", "recursion_depth",
                                    (int)results->depth, "detail", "undated", undated(NULL)),
                          NULL, raw_loops(results, results->links, time_ms)));
    return lines;
}
