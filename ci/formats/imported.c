#include "ci/formats/imported.h"

#include "ci/formats/chain.h"
#include "ci/formats/night.h"
#include "config/formats/formats.h"
#include "config/number.h"
#include "web/layout/text.h"

#include <math.h>
#include <string.h>

static json_t *text_json(const char *text) {
    g_autofree char *clean = text ? web_text_clean(text, CI_TEXT_CHARS) : NULL;
    return clean ? json_string(clean) : json_null();
}

/* Means of the loops, where the file has them. */
static json_t *loops_json(const fmt_value *value) {
    g_autofree double *means = fmt_value_means(value);
    json_t *loops = json_array();
    for (guint i = 0; i < value->loops->len; i++)
        json_array_append_new(loops, json_real(means[i]));
    return loops;
}

static void put_failed(json_t *to, const GArray *failed) {
    json_t *list = json_array();
    for (guint i = 0; failed && i < failed->len; i++) {
        const fmt_failed *one = &g_array_index(failed, fmt_failed, i);
        json_array_append_new(
            list, json_pack("{s:i,s:o}", "loop", (int)one->loop, "why", text_json(one->why)));
    }
    if (json_array_size(list) > 0)
        json_object_set(to, "failed", list);
    json_decref(list);
}

/* Both names that it may have in a history. */
static void names_put(json_t *to, const char *alone, const char *full) {
    json_object_set_new(to, "alone", text_json(alone));
    json_object_set_new(to, "full", text_json(full));
}

/* In each file what tells equal names apart is the same. */
static void put_names(json_t *to, const fmt_night *night, const char *alone, const char *full) {
    if (night->lasting && full)
        names_put(to, alone, full);
}

static char *in_unit(const char *name, const char *unit) {
    return g_strdup_printf("%s [%s]", name, unit ? unit : "ns");
}

/* As ci_units_part calls it, where its file is of one night. MooBench's labels are of times. */
static void put_unit(json_t *to, const fmt_night *night, const fmt_value *value) {
    ci_upstream label;
    g_autofree char *full = in_unit(value->name, value->unit);
    if (night->by_unit && !ci_upstream_find(value->name, &label))
        names_put(to, value->name, full);
}

static json_t *value_json(const fmt_night *night, const fmt_value *value) {
    json_t *out = json_pack("{s:o,s:o,s:o,s:o,s:i}", "name", text_json(value->name), "mean_ns",
                            cfg_json_real(value->mean_ns), "low_ns", cfg_json_real(value->low_ns),
                            "high_ns", cfg_json_real(value->high_ns), "n", (int)value->loops->len);
    if (value->loops->len > 0)
        json_object_set_new(out, "loops_ns", loops_json(value));
    put_failed(out, value->failed);
    if (value->unit)
        json_object_set_new(out, "unit", text_json(value->unit));
    if (value->higher)
        json_object_set_new(out, "better", json_string("higher"));
    if (value->over)
        json_object_set_new(out, "over", text_json(value->over));
    put_names(out, night, value->alone, value->full);
    put_unit(out, night, value);
    return out;
}

static json_t *left_json(const fmt_night *night) {
    json_t *list = json_array();
    for (guint i = 0; i < night->left->len; i++) {
        const fmt_left *left = night->left->pdata[i];
        json_t *out =
            json_pack("{s:o,s:o}", "name", text_json(left->name), "why", text_json(left->why));
        put_failed(out, left->failed);
        put_names(out, night, left->alone, left->full);
        json_array_append_new(list, out);
    }
    return list;
}

/* No code is newer than its run. */
static bool is_ahead(const fmt_night *night) {
    return night->time_ms >= 0 && night->commit_ms > night->time_ms;
}

static json_t *commit_json(const fmt_night *night) {
    if (!night->sha || *night->sha == '\0')
        return json_null();
    json_t *commit = json_pack("{s:s,s:s,s:s}", "sha", night->sha, "subject",
                               night->subject ? night->subject : "", "author",
                               night->author ? night->author : "");
    if (night->commit_ms >= 0)
        json_object_set_new(commit, "time_ms",
                            json_integer(is_ahead(night) ? night->time_ms : night->commit_ms));
    return commit;
}

static json_t *night_json(const fmt_night *night) {
    json_t *values = json_array(), *notes = json_array();
    bool allocated = false;
    for (guint i = 0; i < night->values->len; i++) {
        const fmt_value *value = night->values->pdata[i];
        json_array_append_new(values, value_json(night, value));
        allocated |= isfinite(value->allocated_bytes);
    }
    if (allocated) /* a driver takes them */
        json_array_append_new(notes, json_string("bytes allocated a call are not imported"));
    for (guint i = 0; i < night->notes->len; i++)
        json_array_append_new(notes, text_json(night->notes->pdata[i]));
    if (night->sha && *night->sha != '\0' && !ci_is_commit(night->sha))
        json_array_append_new(notes, json_string("the commit's id is not one of 40 or 64 hex "
                                                 "digits: it stands for itself, with that id "
                                                 "before its subject"));
    if (is_ahead(night))
        json_array_append_new(notes, json_string("the commit is dated after its run, which "
                                                 "cannot be: the run's time is taken"));
    g_autoptr(GDateTime) moment =
        night->time_ms < 0 ? NULL : g_date_time_new_from_unix_utc(night->time_ms / 1000);
    g_autofree char *day = moment ? g_date_time_format(moment, "%Y-%m-%d") : NULL;
    json_t *out = json_pack("{s:s,s:o,s:i}", "format", night->format, "values", values, "left_out",
                            (int)night->left->len);
    json_object_set_new(out, "suite", text_json(night->suite));
    json_object_set_new(out, "night", text_json(day));
    json_object_set_new(out, "time_ms", day ? json_integer(night->time_ms) : json_null());
    json_object_set_new(out, "commit", commit_json(night));
    json_object_set_new(out, "left", left_json(night));
    json_object_set_new(out, "notes", notes);
    json_object_set(out, "machine", night->machine);
    return out;
}

bool ci_is_commit(const char *sha) {
    g_autofree char *lower = g_ascii_strdown(sha, -1);
    return cfg_is_commit(lower);
}

static gint by_time(gconstpointer a, gconstpointer b) {
    const fmt_night *const *x = a, *const *y = b;
    return ((*x)->time_ms > (*y)->time_ms) - ((*x)->time_ms < (*y)->time_ms);
}

static bool fail(GError **error, const char *path, const char *what) {
    return ci_wrong(error, "%s: %s", path, what);
}

/* What bytes that are no UTF-8 may be, and what to do. */
static const char *encoding_hint(const char *bytes) {
    return g_str_has_prefix(bytes, "\x1f\x8b") ? "is packed by gzip: unpack it first"
           : g_str_has_prefix(bytes, "PK\3\4")
               ? "is a zip: --project reads MooBench's raw results of a FILE.zip, unpack any other"
           : g_str_has_prefix(bytes, "\xff\xfe") || g_str_has_prefix(bytes, "\xfe\xff")
               ? "is UTF-16 text, as PowerShell writes it: save it as UTF-8"
               : "is not UTF-8 text";
}

/* The text of the file with a 0 at its end; owned. */
static char *text_of(const char *path, gsize *size, GError **error) {
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    *size = file ? g_mapped_file_get_length(file) : 0;
    if (!file || *size == 0 || *size > CI_IMPORT_BYTES_MAX) {
        fail(error, path,
             g_file_test(path, G_FILE_TEST_IS_DIR)    ? "is a folder: give one of its files"
             : !g_file_test(path, G_FILE_TEST_EXISTS) ? "is not there"
             : !file     ? "cannot be read; write what a pipe gives into a file first"
             : *size > 0 ? "is larger than 256 MiB"
                         : "is empty");
        return NULL;
    }
    char *text = g_strndup(g_mapped_file_get_contents(file), *size);
    if (!g_utf8_validate(text, (gssize)*size, NULL)) {
        g_clear_pointer(&text, g_free);
        fail(error, path, encoding_hint(g_mapped_file_get_contents(file)));
    }
    return text;
}

json_t *ci_import(const char *path, GError **error) {
    gsize size;
    g_autoptr(GError) wrong = NULL;
    g_autofree char *text = text_of(path, &size, error);
    if (!text)
        return NULL;
    g_autoptr(GPtrArray) nights = fmt_read(NULL, path, path, text, size, false, &wrong);
    if (!nights) {
        ci_wrong(error, "%s", wrong->message);
        return NULL;
    }
    json_t *list = json_array();
    g_ptr_array_sort(nights, by_time); /* stable: those without a time stay as they stand */
    for (guint i = 0; i < nights->len; i++)
        json_array_append_new(list, night_json(nights->pdata[i]));
    return list;
}

#define DAY_MS                                                                                     \
    86400e3 /* commits of branches that are merged lie so far apart without a meaning              \
             */

static char *day_of(double time_ms) {
    g_autoptr(GDateTime) moment = g_date_time_new_from_unix_utc((gint64)(time_ms / 1000));
    return moment ? g_date_time_format(moment, "%Y-%m-%d") : NULL;
}

/* A copy at its commit's date. */
static json_t *moved(json_t *night, double commit_ms, GPtrArray *told) {
    g_autofree char *day = day_of(commit_ms);
    const json_t *commit = json_object_get(night, "commit");
    json_t *copy = json_copy(night);
    g_ptr_array_add(told, g_strdup_printf("run of %s: its commit %s is of %s, older than one that "
                                          "was measured before; it is put there",
                                          cfg_json_word(night, "night", "?"),
                                          cfg_json_word(commit, "sha", ""), day ? day : "?"));
    if (day)
        json_object_set_new(copy, "night", json_string(day));
    return copy;
}

static gint by_day(gconstpointer a, gconstpointer b) {
    return strcmp(cfg_json_word(*(json_t *const *)a, "night", ""),
                  cfg_json_word(*(json_t *const *)b, "night", ""));
}

json_t *ci_code_order(const json_t *nights, GPtrArray *told) {
    g_autoptr(GHashTable) measured = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GPtrArray) order = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
    const char *last = NULL, *before = NULL; /* of a row that stays in its place, of any row */
    double newest_ms = -INFINITY;
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        const json_t *commit = json_object_get(night, "commit");
        const char *sha = cfg_json_word(commit, "sha", NULL);
        const double commit_ms = cfg_json_number(commit, "time_ms");
        const bool again = sha && g_strcmp0(sha, last) != 0 && g_strcmp0(sha, before) != 0 &&
                           g_hash_table_contains(measured, sha);
        if (again) {
            g_ptr_array_add(told,
                            g_strdup_printf("run of %s: commit %s was measured before, with others "
                                            "in between; a later run of old code is set aside",
                                            cfg_json_word(night, "night", "?"), sha));
            continue;
        }
        before = sha;
        if (sha)
            g_hash_table_add(measured, g_strdup(sha));
        if (sha && commit_ms < newest_ms - DAY_MS) {
            g_ptr_array_add(order, moved(night, commit_ms, told));
            continue;
        }
        last = sha;
        newest_ms = fmax(newest_ms, commit_ms); /* fmax: not NaN */
        g_ptr_array_add(order, json_incref(night));
    }
    g_ptr_array_sort(order, by_day); /* stable */
    json_t *out = json_array();
    for (guint k = 0; k < order->len; k++)
        json_array_append(out, order->pdata[k]);
    return out;
}

#define LINES_MAX 25

/* Counts the runs that have a line, in the order in which they came first; it may stand in one
 * several times. */
static void count(json_t *counts, json_t *of_run, const char *line) {
    if (json_object_get(of_run, line))
        return;
    const json_int_t before = cfg_json_integer(counts, line);
    json_object_set_new(of_run, line, json_true());
    json_object_set_new(counts, line, json_integer(before + 1));
}

static bool has_value(const json_t *night, const char *name) {
    size_t i;
    json_t *value;
    cfg_json_each (night, "values", i, value)
        if (g_str_equal(cfg_json_word(value, "name", ""), name))
            return true;
    return false;
}

void ci_import_notes(GPtrArray *told, const json_t *nights) {
    json_auto_t *counts = json_object();
    size_t i, k;
    json_t *night, *item;
    json_array_foreach (nights, i, night) {
        json_auto_t *of_run = json_object();
        cfg_json_each (night, "left", k, item) {
            const char *name = cfg_json_word(item, "name", "");
            g_autofree char *line =
                g_strdup_printf("left out%s %s%s%s", has_value(night, name) ? " of" : ":", name,
                                *name ? ": " : "a benchmark that ", cfg_json_word(item, "why", ""));
            count(counts, of_run, line);
        }
        cfg_json_each (night, "notes", k, item)
            count(counts, of_run, json_string_value(item));
    }
    const char *line;
    json_object_foreach (counts, line, item) {
        const json_int_t runs = json_integer_value(item);
        g_ptr_array_add(told, runs > 1 ? g_strdup_printf("%s (in %d of %zu runs)", line, (int)runs,
                                                         json_array_size(nights))
                                       : g_strdup(line));
    }
}

void ci_import_notes_print(const GPtrArray *told, FILE *to) {
    for (guint i = 0; i < told->len && i < LINES_MAX; i++)
        (void)fprintf(to, "%s\n", (const char *)told->pdata[i]);
    if (told->len > LINES_MAX)
        (void)fprintf(to, "and %u more such lines\n", told->len - LINES_MAX);
}

int ci_links_find(const GPtrArray *links, const char *name) {
    g_autofree char *key = ci_upstream_key(name);
    for (guint i = 0; i < links->len; i++)
        if (g_str_equal(((const ci_link *)links->pdata[i])->name, key))
            return (int)i;
    return -1;
}

static const char *unit_of(const json_t *value) {
    return cfg_json_word(value, "unit", NULL);
}

/* A name whose unit is another one than before is another value, and is called so. units: the
 * first unit of each name, "" for times. */
static void unit_part(GHashTable *units, json_t *value, const char *night, GPtrArray *told) {
    const char *name = cfg_json_word(value, "name", ""), *unit = unit_of(value);
    const char *first = g_hash_table_lookup(units, name);
    if (!first)
        g_hash_table_insert(units, g_strdup(name), g_strdup(unit ? unit : ""));
    if (!first || g_str_equal(first, unit ? unit : ""))
        return;
    g_autofree char *full = in_unit(name, unit);
    if (!g_hash_table_contains(units, full))
        g_ptr_array_add(told,
                        g_strdup_printf("night %s: the unit of \"%s\" is %s and was %s: it is "
                                        "another series from here on, \"%s\"",
                                        night, name, unit ? unit : "a time",
                                        *first ? first : "a time", full));
    g_hash_table_insert(units, g_strdup(full), g_strdup(unit ? unit : ""));
    json_object_set_new(value, "name", json_string(full));
}

void ci_units_part(const json_t *nights, GPtrArray *told) {
    g_autoptr(GHashTable) units = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    size_t i, k;
    json_t *night, *value;
    json_array_foreach (nights, i, night)
        cfg_json_each (night, "values", k, value)
            unit_part(units, value, cfg_json_word(night, "night", "?"), told);
}

static ci_link *link_new(const json_t *value, const char *name) {
    ci_link *link = g_new0(ci_link, 1);
    link->name = ci_upstream_key(name);
    link->parent = -1;
    link->unit = g_strdup(unit_of(value));
    link->higher = g_str_equal(cfg_json_word(value, "better", ""), "higher");
    return link;
}

/* Which two names of a night are one configuration; NULL: none. Owned. */
static char *twice_in(const json_t *night) {
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    size_t k;
    json_t *value;
    cfg_json_each (night, "values", k, value) {
        const char *name = cfg_json_word(value, "name", "");
        char *key = ci_upstream_key(name);
        const char *other = g_hash_table_lookup(names, key);
        if (other) {
            g_free(key);
            return g_strdup_printf(g_str_equal(other, name)
                                       ? "\"%s\" is there twice (%s), as control characters and "
                                         "blanks at its ends are left out"
                                       : "\"%s\" and \"%s\" are one configuration of MooBench",
                                   other, name);
        }
        g_hash_table_insert(names, key, g_strdup(name));
    }
    return NULL;
}

/* As the newest night has it. */
static void link_renew(ci_link *link, const json_t *value, const char *night, GPtrArray *told) {
    const bool higher = g_str_equal(cfg_json_word(value, "better", ""), "higher");
    const char *over = cfg_json_word(value, "over", NULL);
    g_free(link->label);
    link->label = g_strdup(cfg_json_word(value, "name", ""));
    if (link->nights > 0 && g_strcmp0(over, link->over) != 0)
        g_ptr_array_add(
            told, g_strdup_printf("night %s: \"%s\" is %s%s from here on; each night is "
                                  "read as its file says, and all are judged as the newest one",
                                  night, link->label, over ? "a portion over " : "a whole value",
                                  over ? over : ""));
    g_free(link->over);
    link->over = g_strdup(over);
    if (higher != link->higher)
        g_ptr_array_add(told, g_strdup_printf("night %s: of \"%s\" %s is better from here on: all "
                                              "its nights are judged so",
                                              night, link->label, higher ? "more" : "less"));
    link->higher = higher;
    link->nights++;
}

static void night_add(GPtrArray *links, const json_t *night, GPtrArray *told) {
    size_t k;
    json_t *value;
    cfg_json_each (night, "values", k, value) {
        const char *name = cfg_json_word(value, "name", "");
        const int at = ci_links_find(links, name);
        if (at < 0)
            g_ptr_array_add(links, link_new(value, name));
        link_renew(links->pdata[at < 0 ? (int)links->len - 1 : at], value,
                   cfg_json_word(night, "night", "?"), told);
    }
}

char *ci_chain_text(const GPtrArray *links) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < links->len; i++) {
        const ci_link *link = links->pdata[i];
        g_string_append_printf(text, "%s%s = %s", i > 0 ? ", " : "", link->portion, link->label);
        if (link->parent >= 0)
            g_string_append_printf(text, " less %s",
                                   ((const ci_link *)links->pdata[link->parent])->label);
    }
    return g_string_free(text, FALSE);
}

/* Values of other units are taken where they have room, and where no chain says what is compared
 * with what. */
static void units_leave(GPtrArray *links, const char *why, GPtrArray *told) {
    for (guint i = 0; i < links->len;) {
        const ci_link *link = links->pdata[i];
        if (!link->unit) {
            i++;
            continue;
        }
        g_ptr_array_add(told,
                        g_strdup_printf("left out: %s: its unit \"%s\" is no time per call; %s",
                                        link->label, link->unit, why));
        g_ptr_array_remove_index(links, i);
    }
}

static bool units_fit(const GPtrArray *links, GError **error) {
    for (guint i = 0; i < links->len; i++) {
        const ci_link *link = links->pdata[i];
        const ci_link *parent = link->parent >= 0 ? links->pdata[link->parent] : NULL;
        if (parent && g_strcmp0(link->unit, parent->unit) != 0)
            return ci_wrong(error, "\"%s\" is in %s and \"%s\" in %s: nothing can be subtracted",
                            link->label, link->unit ? link->unit : "ns", parent->label,
                            parent->unit ? parent->unit : "ns");
    }
    return true;
}

/* What was published without labels gets the one of its number. */
static void number_name(ci_link *link, GPtrArray *told) {
    ci_upstream known;
    if (!g_str_has_prefix(link->label, "Configuration ") ||
        !ci_upstream_find(link->label, &known) || g_str_equal(link->label, known.label))
        return;
    g_autofree char *published = link->label;
    link->label = g_strdup(known.label);
    g_ptr_array_add(told,
                    g_strdup_printf("\"%s\" is read as \"%s\", MooBench's label of its number",
                                    published, link->label));
}

static bool chain_make(GPtrArray *links, const char *chain, GPtrArray *told, GError **error) {
    ci_upstream known;
    if (ci_chain_is_own(links))
        return chain ? ci_wrong(error, "--chain: the values are portions, and the file says over "
                                       "which others")
                     : ci_chain_own(links, error) && units_fit(links, error);
    if (chain)
        return ci_chain_spec(links, chain, error) && units_fit(links, error);
    if (!ci_chain_is_upstreams(links)) {
        ci_chain_alone(links);
        if (links->len > 1)
            g_ptr_array_add(told,
                            g_strdup_printf("no chain is known for these %u: each is shown by "
                                            "itself and nothing is subtracted (--chain gives one)",
                                            links->len));
        return true;
    }
    units_leave(links, "MooBench's chain is of times; --chain takes them", told);
    for (guint i = 0; i < links->len; i++) {
        ci_link *link = links->pdata[i];
        number_name(link, told);
        if (!ci_upstream_find(link->label, &known))
            g_ptr_array_add(
                told,
                g_strdup_printf("\"%s\" is not a label of MooBench: it is shown by itself (--chain "
                                "says what it is compared with)",
                                link->label));
        else if (known.step < 3 && ci_chain_is_rare(links, i))
            g_ptr_array_add(
                told, g_strdup_printf("\"%s\" is in only %u of the runs: nothing is compared with "
                                      "it, or the others could not be judged",
                                      link->label, link->nights));
    }
    if (!ci_chain_upstream(links, error))
        return false;
    g_autofree char *text = ci_chain_text(links);
    g_ptr_array_add(told, g_strdup_printf("chain by MooBench's labels: %s", text));
    return true;
}

static bool any_time(const GPtrArray *links) {
    for (guint i = 0; i < links->len; i++)
        if (!((const ci_link *)links->pdata[i])->unit)
            return true;
    return false;
}

#define PARTS_NAMED 8

/* ", such as 'cpu_avg*' (30), 'ram_avg*' (30)": by what stands before the brackets that tell
 * benchmarks of one name apart; "" where that parts them no better. Owned. */
static char *parts_of(const GPtrArray *links) {
    json_auto_t *parts = json_object();
    g_autoptr(GString) text = g_string_new(NULL);
    const char *part;
    json_t *count;
    for (guint i = 0; i < links->len; i++) {
        const char *label = ((const ci_link *)links->pdata[i])->label, *end = strstr(label, " [");
        g_autofree char *stem = g_strndup(label, end ? (gsize)(end - label) : strlen(label));
        json_object_set_new(parts, stem, json_integer(cfg_json_integer(parts, stem) + 1));
    }
    json_object_foreach (parts, part, count)
        g_string_append_printf(text, "%s'%s*' (%" JSON_INTEGER_FORMAT ")",
                               text->len > 0 ? ", " : ", such as ", part,
                               json_integer_value(count));
    return g_strdup(json_object_size(parts) <= PARTS_NAMED ? text->str : "");
}

/* A night in which two names are one is taken out. */
static GPtrArray *all_of(json_t *nights, GPtrArray *told, GError **error) {
    g_autoptr(GPtrArray) links = g_ptr_array_new_with_free_func(ci_link_free);
    for (size_t i = 0; i < json_array_size(nights);) {
        json_t *night = json_array_get(nights, i);
        g_autofree char *twice = twice_in(night);
        if (twice) {
            g_ptr_array_add(told, g_strdup_printf("run of %s: %s; left out",
                                                  cfg_json_word(night, "night", "?"), twice));
            json_array_remove(nights, i);
            continue;
        }
        night_add(links, night, told);
        i++;
    }
    if (links->len > DET_CONFIGURATIONS_MAX && any_time(links))
        units_leave(links, "with them there are more than a project can have; --match chooses",
                    told);
    if (links->len == 0)
        ci_wrong(error, "no run has a value that can be used");
    else if (links->len > DET_CONFIGURATIONS_MAX) {
        g_autofree char *parts = parts_of(links);
        ci_wrong(error,
                 "there are %u benchmarks; a project has at most %u: import them in parts: one "
                 "file, --suite or --match for each project%s",
                 links->len, DET_CONFIGURATIONS_MAX, parts);
    } else
        return g_steal_pointer(&links);
    return NULL;
}

GPtrArray *ci_links_of_nights(json_t *nights, const char *chain, GPtrArray *told, GError **error) {
    GPtrArray *links = all_of(nights, told, error);
    if (links && !chain_make(links, chain, told, error))
        g_clear_pointer(&links, g_ptr_array_unref);
    return links;
}
