/*
 * go test -bench, as text or -json. With -count a benchmark is there several times: its loops. Of
 * packages with equal names each is told by its package.
 */
#include "config/formats/formats.h"
#include "config/units.h"

#include <math.h>
#include <string.h>

#define PREFIX "Benchmark"

static bool is_event(const json_t *at) {
    return json_is_string(json_object_get(at, "Action"));
}

/* An event of the compiler has ImportPath in place of Package (Go 1.24). */
static bool has_package(const json_t *at) {
    return is_event(at) && json_is_string(json_object_get(at, "Package"));
}

static bool is_result(const char *line) {
    const char *at = line + strcspn(line, " \t");
    at += strspn(at, " \t");
    const size_t digits = strspn(at, "0123456789");
    return g_str_has_prefix(line, PREFIX) && at > line && digits > 0 &&
           (at[digits] == ' ' || at[digits] == '\t') && strstr(at, "/op");
}

/* A line that a benchmark began and that does not end with its result: it printed something itself,
 * or has no ns/op, or broke off. With -v its name stands alone on a line before. */
static bool is_broken(const char *line) {
    const char *name = line + strlen(PREFIX);
    return g_str_has_prefix(line, PREFIX) && *name && !g_ascii_islower(*name) &&
           line[strcspn(line, " \t")] != '\0' && !is_result(line);
}

/* With -v, and so in events: the benchmark begins. */
static bool is_begin(const char *line) {
    const char *name = line + strlen(PREFIX);
    return g_str_has_prefix(line, PREFIX) && *name && !strpbrk(name, " \t\r");
}

static bool is(const fmt_input *in) {
    size_t i = 0;
    while (i < json_array_size(in->root) && !has_package(json_array_get(in->root, i)))
        i++;
    if (in->root)
        return i < json_array_size(in->root) || has_package(in->root);
    for (const char *line = in->text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        g_autofree char *one = g_strndup(line, strcspn(line, "\r\n"));
        if (is_result(one))
            return true;
    }
    return false;
}

static bool is_time(const char *unit) {
    return g_str_has_suffix(unit, "/op") && cfg_unit_ns(unit) > 0;
}

/* The unit of the time of a call among values with their units: "ns/op", or, where a benchmark
 * hides that, the only other one. NULL: none, or nobody knows which. */
static const char *time_unit_of(GStrv words) {
    const char *only = NULL;
    guint times = 0;
    for (GStrv at = words; *at && at[1]; at += 2) {
        if (g_str_equal(at[1], "ns/op"))
            return at[1];
        times += is_time(at[1]);
        only = is_time(at[1]) ? at[1] : only;
    }
    return times == 1 ? only : NULL;
}

/* "BenchmarkSpan-2   4644832   68.29 ns/op   16 B/op   1 allocs/op" */
static void result_read(const char *line, const char *package, fmt_night *night) {
    g_auto(GStrv) words = g_strsplit_set(line, " \t\r", -1);
    GStrv packed = words;
    for (GStrv from = words; *from; from++) { /* without the empty ones between two blanks */
        char *word = *from;
        *from = NULL;
        if (*word == '\0')
            g_free(word);
        else
            *packed++ = word;
    }
    double ns = (double)NAN, bytes = (double)NAN;
    const char *taken = time_unit_of(words + 2);
    for (GStrv at = words + 2; *at && at[1]; at += 2)
        if (g_strcmp0(at[1], taken) == 0)
            ns = fmt_number(at[0]) * cfg_unit_ns(at[1]);
        else if (g_str_equal(at[1], "B/op"))
            bytes = fmt_number(at[0]);
        else
            fmt_night_unread(night, at[1]);
    if (!isfinite(ns)) {
        fmt_night_leave(night, words[0], package, "it has no ns/op, nor one other time per call");
        return;
    }
    fmt_value *value = fmt_night_value(night, words[0], package);
    fmt_value_loop(value);
    fmt_value_add(value, ns);
    value->allocated_bytes = isfinite(bytes) ? bytes : value->allocated_bytes;
}

static char *word_of(const char *text) {
    return g_strndup(text, strcspn(text, " \t\r"));
}

/* "--- FAIL: BenchmarkSpan", "--- SKIP: …", "FAIL\tpackage\t0.1s" */
static void mark_read(const char *line, const char *package, fmt_night *night) {
    static const struct {
        const char *mark, *why;
    } marks[] = {{"--- FAIL: " PREFIX, "has failed"}, {"--- SKIP: " PREFIX, "was skipped"}};
    for (size_t i = 0; i < G_N_ELEMENTS(marks); i++)
        if (g_str_has_prefix(line, marks[i].mark)) {
            g_autofree char *own = word_of(line + strlen("--- FAIL: "));
            fmt_night_leave(night, own, package, "%s", marks[i].why);
        }
    /* "FAIL package [build failed]" has printed no pkg: */
    if (strncmp(line, "FAIL\t", strlen("FAIL\t")) == 0) {
        g_autofree char *own = word_of(line + strlen("FAIL\t"));
        fmt_night_leave(night, own, NULL, "has failed: what came after may be missing");
    }
    if (is_broken(line)) {
        g_autofree char *own = word_of(line);
        fmt_night_leave(night, own, package, "no result in its line: \"%s\"", line + strlen(own));
    }
}

/* What a text says before its benchmarks: the package, the machine, and what people add who keep
 * several runs in one file. */
static const char *const places[] = {"pkg", "goos", "goarch", "cpu", "toolchain", "commit"};
enum { PLACE_MACHINE = 1, PLACE_STABLE = 3, PLACE_CODE = 5 };

typedef struct {
    char *first[G_N_ELEMENTS(places)], *now[G_N_ELEMENTS(places)]; /* NULL: nothing yet */
    bool two[G_N_ELEMENTS(places)]; /* the text has another one, be it later */
} place;

/* Whether lines "goarch: …" differ. */
static bool says_two(GStrv lines, const char *key) {
    g_autofree char *begin = g_strconcat(key, ": ", NULL);
    const char *first = NULL;
    bool two = false;
    for (GStrv line = lines; *line && !two; line++) {
        if (!g_str_has_prefix(*line, begin))
            continue;
        first = first ? first : *line;
        two = strcmp(g_strchomp(*line), first) != 0;
    }
    return two;
}

/* "cpu: AMD EPYC 7763 64-Core Processor"; false: another line. */
static bool place_read(const char *line, place *at, fmt_night *night) {
    g_auto(GStrv) words = g_strsplit(line, ": ", 2);
    size_t i = 0;
    while (i < G_N_ELEMENTS(places) && g_strcmp0(words[0], places[i]) != 0)
        i++;
    if (i == G_N_ELEMENTS(places) || !words[1])
        return false;
    g_free(at->now[i]);
    at->now[i] = g_strdup(g_strstrip(words[1]));
    if (at->first[i])
        return true;
    at->first[i] = g_strdup(at->now[i]);
    const bool is_machine = i >= PLACE_MACHINE && i < PLACE_CODE;
    json_auto_t *said = is_machine ? json_pack("{s:s}", places[i], at->now[i]) : NULL;
    const fmt_at machine = fmt_root(said);
    fmt_night_machine(night, &machine, NULL);
    return true;
}

/* The package, the system and architecture of a text of two, be they in whatever order, and of the
 * rest, which changes from night to night, what differs from the first one. Owned; NULL: nothing.
 */
static char *place_text(const place *at) {
    GString *text = g_string_new(at->now[0]);
    for (size_t i = 1; i < G_N_ELEMENTS(places); i++)
        if ((at->two[i] && at->now[i]) || g_strcmp0(at->now[i], at->first[i]) != 0)
            g_string_append_printf(text, "%s%s: %s", text->len > 0 ? ", " : "", places[i],
                                   at->now[i]);
    return g_string_free(text, text->len == 0);
}

/* package: until the text names one; NULL: none yet. */
static void text_read(const char *text, const char *package, fmt_night *night) {
    place at = {.now = {g_strdup(package)}};
    g_autofree char *own = g_strdup(package);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    const char *begun = NULL; /* and no result yet */
    for (size_t i = PLACE_MACHINE; i < PLACE_STABLE; i++)
        at.two[i] = says_two(lines, places[i]);
    for (GStrv line = lines; *line; line++) {
        if (begun && g_str_has_prefix(*line, "panic: "))
            fmt_night_leave(night, begun, own, "no result in its line: \"%s\"", *line);
        begun = is_begin(*line) ? *line : is_result(*line) ? NULL : begun;
        if (place_read(*line, &at, night)) {
            g_free(own);
            own = place_text(&at);
        } else if (is_result(*line)) {
            result_read(*line, own, night);
        } else {
            mark_read(*line, own, night);
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        g_free(at.first[i]);
        g_free(at.now[i]);
    }
}

/* What the packages printed, which run beside each other, in the order in which they began. */
static bool events_read(const fmt_at *events, fmt_night *night, GError **error) {
    g_autoptr(GPtrArray) order = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) texts = g_hash_table_new(g_str_hash, g_str_equal);
    bool good = true;
    for (size_t i = 0; good && i < fmt_size(events); i++) {
        const fmt_at event = fmt_item(events, i);
        const char *package = fmt_text_of(&event, "Package"), *out = fmt_text_of(&event, "Output");
        if (!is_event(event.json)) {
            good = fmt_wrong(&event, error, "an event without Action");
            continue;
        }
        if (!package) {
            if (g_str_equal(fmt_text_of(&event, "Action"), "build-fail"))
                fmt_night_leave(night, fmt_text_of(&event, "ImportPath"), NULL, "was not built");
            continue;
        }
        GString *text = g_hash_table_lookup(texts, package);
        if (!text) {
            text = g_string_new(NULL);
            char *key = g_strdup(package);
            g_ptr_array_add(order, key);
            g_hash_table_insert(texts, key, text);
        }
        if (out && g_str_equal(fmt_text_of(&event, "Action"), "output"))
            g_string_append(text, out);
        if (night->time_ms < 0)
            night->time_ms = fmt_time_ms(fmt_text_of(&event, "Time"));
    }
    for (guint i = 0; i < order->len; i++) {
        GString *text = g_hash_table_lookup(texts, order->pdata[i]);
        text_read(text->str, order->pdata[i], night);
        g_string_free(text, TRUE);
    }
    return good;
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    fmt_night *night = fmt_night_new(nights, "gotest");
    night->lasting = true;
    const fmt_at root = fmt_root(in->root);
    if (json_is_array(in->root))
        return events_read(&root, night, error);
    if (!in->root)
        text_read(in->text, NULL, night);
    return true;
}

const fmt_format fmt_gotest = {"gotest", "go test -bench",
                               "does -bench match any, and did the tests before them pass?", is,
                               take};
