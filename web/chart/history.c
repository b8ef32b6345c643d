#include "web/chart/history.h"

#include <math.h>
#include <string.h>

#include "web/chart/chart.h"
#include "web/layout/text.h"
#include "web/words/incident.h"
#include "web/words/portion.h"

/* Longest texts that are kept: a chart shows far less. */
enum { NAME_CHARS = 60, REASON_CHARS = 300, DATE_CHARS = 10, COMMIT_CHARS = 12 };
/* Portions of one night that are looked at: the detector's limit is 24. */
enum { PORTIONS_MAX = 256 };
enum { TEXTS_BYTES = 8 << 10 }; /* of a piece: the texts of some hundred nights */

static bool read_number(const json_t *value, double *out) {
    if (!json_is_number(value))
        return false;
    double number = json_number_value(value);
    if (!isfinite(number) || fabs(number) > WEB_HISTORY_NS_MAX)
        return false;
    *out = number;
    return true;
}

static web_value make_value(const json_t *mean, const json_t *low, const json_t *high) {
    web_value v = {0};
    if (!read_number(mean, &v.mean_ns))
        return v;
    v.present = true;
    if (!read_number(low, &v.low_ns) || v.low_ns > v.mean_ns)
        v.low_ns = v.mean_ns;
    if (!read_number(high, &v.high_ns) || v.high_ns < v.mean_ns)
        v.high_ns = v.mean_ns;
    return v;
}

static web_value get_value(const json_t *object, web_chart_of of) {
    static const char *const keys[][3] = {
        [WEB_OF_MEAN] = {"mean_ns", "low_ns", "high_ns"},
        [WEB_OF_MEDIAN] = {"median_ns", "median_low_ns", "median_high_ns"}};
    return make_value(json_object_get(object, keys[of][0]), json_object_get(object, keys[of][1]),
                      json_object_get(object, keys[of][2]));
}

static const char *get_string(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static web_verdict verdict_of(const char *word) {
    static const char *const words[] = {"ok",      "first",   "anomaly", "environment",
                                        "harness", "suspect", "cleared"};
    for (size_t i = 0; word && i < G_N_ELEMENTS(words); i++)
        if (strcmp(word, words[i]) == 0)
            return (web_verdict)i;
    return WEB_VERDICT_OK;
}

static int direction_of(const char *word) {
    return g_strcmp0(word, "up") == 0 ? 1 : g_strcmp0(word, "down") == 0 ? -1 : 0;
}

static const json_t *find_named(const json_t *array, const char *name) {
    size_t i;
    const json_t *item;
    json_array_foreach (array, i, item)
        if (name && g_strcmp0(get_string(item, "name"), name) == 0)
            return item;
    return NULL;
}

/*
 * A portion as read. Its object is walked once instead of asked for each key: in a long history
 * nearly all the time goes into looking keys up.
 */
typedef struct {
    const char *portion, *configuration, *parent;
    web_value value[2]; /* [web_chart_of] */
} chain_link;

typedef struct {
    chain_link links[PORTIONS_MAX];
    size_t count;
} tree;

enum {
    PORTION,
    CONFIGURATION,
    PARENT,
    MEAN,
    LOW,
    HIGH,
    MEDIAN,
    MEDIAN_LOW,
    MEDIAN_HIGH,
    VERDICT,
    DIRECTION,
    FIELDS
};

static int field_of(const char *key) {
    static const char *const names[FIELDS] = {
        "portion",   "configuration", "parent",         "mean_ns", "low_ns",   "high_ns",
        "median_ns", "median_low_ns", "median_high_ns", "verdict", "direction"};
    for (int i = 0; i < FIELDS; i++)
        if (key[0] == names[i][0] && strcmp(key, names[i]) == 0)
            return i;
    return FIELDS;
}

static chain_link read_link(json_t *portion) {
    const json_t *fields[FIELDS + 1] = {NULL};
    const char *key;
    json_t *value;
    int missing = FIELDS;
    json_object_foreach (portion, key, value) {
        int field = field_of(key);
        missing -= field < FIELDS && !fields[field];
        fields[field] = value;
        if (missing == 0)
            break;
    }
    chain_link out = {json_string_value(fields[PORTION]),
                      json_string_value(fields[CONFIGURATION]),
                      json_string_value(fields[PARENT]),
                      {make_value(fields[MEAN], fields[LOW], fields[HIGH]),
                       make_value(fields[MEDIAN], fields[MEDIAN_LOW], fields[MEDIAN_HIGH])}};
    web_verdict verdict = verdict_of(json_string_value(fields[VERDICT]));
    if (verdict == WEB_VERDICT_ANOMALY && get_string(portion, "since"))
        verdict = WEB_VERDICT_OK; /* its mark belongs to the night that the level began with */
    int direction =
        verdict == WEB_VERDICT_ANOMALY ? direction_of(json_string_value(fields[DIRECTION])) : 0;
    for (int of = WEB_OF_MEAN; of <= WEB_OF_MEDIAN; of++) {
        out.value[of].verdict = verdict;
        out.value[of].direction = direction;
    }
    return out;
}

static void read_tree(const json_t *portions, tree *out) {
    size_t i;
    json_t *json;
    out->count = 0;
    json_array_foreach (portions, i, json) {
        if (out->count == PORTIONS_MAX)
            break;
        out->links[out->count++] = read_link(json);
    }
}

static void mark_began(const json_t *began, tree *out) {
    size_t i;
    const json_t *change;
    json_array_foreach (began, i, change)
        for (size_t k = 0; k < out->count; k++)
            if (g_strcmp0(out->links[k].configuration, get_string(change, "configuration")) == 0)
                for (int of = WEB_OF_MEAN; of <= WEB_OF_MEDIAN; of++) {
                    out->links[k].value[of].verdict = WEB_VERDICT_ANOMALY;
                    out->links[k].value[of].direction =
                        direction_of(get_string(change, "direction"));
                }
}

static const chain_link *find_configuration(const tree *t, const char *name) {
    for (size_t i = 0; name && i < t->count; i++)
        if (g_strcmp0(t->links[i].configuration, name) == 0)
            return &t->links[i];
    return NULL;
}

/* The first portion whose parent is that; NULL: the root. */
static const chain_link *find_child(const tree *t, const char *parent) {
    for (size_t i = 0; i < t->count; i++)
        if (g_strcmp0(t->links[i].parent, parent) == 0)
            return &t->links[i];
    return NULL;
}

/* Fills chain[] from the root upwards; returns its length. A circle ends at the limit. */
static size_t find_chain(const tree *t, const char *leaf, const chain_link **chain) {
    size_t n = 0;
    const chain_link *at = find_configuration(t, leaf);
    if (at) {
        for (; at && n < WEB_HISTORY_PORTIONS_MAX; at = find_configuration(t, at->parent))
            chain[n++] = at;
        for (size_t i = 0; i < n / 2; i++) {
            const chain_link *swap = chain[i];
            chain[i] = chain[n - 1 - i];
            chain[n - 1 - i] = swap;
        }
        return n;
    }
    at = find_child(t, NULL);
    while (at && n < WEB_HISTORY_PORTIONS_MAX) {
        chain[n++] = at;
        at = at->configuration ? find_child(t, at->configuration) : NULL;
    }
    return n;
}

static char *label_of(const json_t *night, const chain_link *portion, const char *name) {
    const char *label = web_portion_label(name);
    if (!label && web_portion_letters(name) > 0) /* "W Zipkin" says it already */
        return strchr(name, ' ') ? g_strdup("") : web_portion_spelled(name);
    if (!label)
        label = get_string(
            find_named(json_object_get(night, "configurations"), portion->configuration), "label");
    return web_text_clean(label, NAME_CHARS);
}

/* Index of the portion called name, appended when it is new; -1 when there are too many. */
static int portion_index(web_history *h, const json_t *night, const chain_link *portion,
                         const char *word) {
    for (guint i = 0; i < h->portions->len; i++) /* most names need no cleaning */
        if (g_strcmp0(g_array_index(h->portions, web_portion, i).name, word) == 0)
            return (int)i;
    g_autofree char *name = web_text_clean(word, NAME_CHARS);
    for (guint i = 0; i < h->portions->len; i++)
        if (strcmp(g_array_index(h->portions, web_portion, i).name, name) == 0)
            return (int)i;
    if (h->portions->len >= WEB_HISTORY_PORTIONS_MAX)
        return -1;
    web_portion added = {g_strdup(name), label_of(night, portion, name)};
    g_array_append_val(h->portions, added);
    return (int)h->portions->len - 1;
}

/* The height of the whole chain: the API's total, or the chain's last configuration. */
static web_value read_total(const json_t *json, web_chart_of of, const chain_link *last,
                            const char *leaf) {
    web_value total = {0};
    if (!leaf)
        total = get_value(json_object_get(json, "total"), of);
    if (!total.present && last)
        total =
            get_value(find_named(json_object_get(json, "configurations"), last->configuration), of);
    return total;
}

/* The sum of a chain's portions, if all are there. */
static web_value sum_of(const chain_link *const *chain, size_t n, web_chart_of of) {
    web_value sum = {.present = n > 0};
    for (size_t i = 0; i < n; i++) {
        sum.present = sum.present && chain[i]->value[of].present;
        sum.mean_ns += chain[i]->value[of].mean_ns;
    }
    sum.low_ns = sum.high_ns = sum.mean_ns;
    return sum.present ? sum : (web_value){0};
}

/* Without the ends of the chain that have no result that night: the rest is drawn. */
static size_t measured(const chain_link *const *chain, size_t n) {
    while (n > 1 && !chain[n - 1]->value[WEB_OF_MEAN].present)
        n--;
    return n;
}

static void read_values(web_history *h, const json_t *json, web_night *night) {
    tree t;
    const chain_link *chain[WEB_HISTORY_PORTIONS_MAX];
    web_value values[2][WEB_HISTORY_PORTIONS_MAX] = {0};
    bool used[WEB_HISTORY_PORTIONS_MAX] = {false};
    read_tree(json_object_get(json, "portions"), &t);
    mark_began(json_object_get(json, "began"), &t);
    const char *leaf = h->reading.leaf;
    const size_t n = measured(chain, find_chain(&t, leaf, chain));
    for (size_t i = 0; i < n; i++) {
        const char *word = chain[i]->portion;
        int at = portion_index(h, json, chain[i], word && *word ? word : chain[i]->configuration);
        if (at >= 0 && used[at]) /* two of one name in a chain: the second by its configuration */
            at = portion_index(h, json, chain[i], chain[i]->configuration);
        if (at < 0 || used[at])
            continue;
        used[at] = true;
        values[WEB_OF_MEAN][at] = chain[i]->value[WEB_OF_MEAN];
        values[WEB_OF_MEDIAN][at] = chain[i]->value[WEB_OF_MEDIAN];
    }
    night->count = h->portions->len;
    for (int of = WEB_OF_MEAN; of <= WEB_OF_MEDIAN; of++) {
        g_array_append_vals(h->values, values[of], night->count);
        night->total[of] = read_total(json, (web_chart_of)of, n > 0 ? chain[n - 1] : NULL, leaf);
        if (!night->total[of].present)
            night->total[of] = sum_of(chain, n, (web_chart_of)of);
    }
}

/* "2013-03-07" to a date; anything else leaves it invalid. */
static void read_day(const char *text, GDate *out) {
    g_date_clear(out, 1);
    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-' || strspn(text, "0123456789-") != 10)
        return;
    guint64 year = g_ascii_strtoull(text, NULL, 10);
    guint64 month = g_ascii_strtoull(text + 5, NULL, 10);
    guint64 day = g_ascii_strtoull(text + 8, NULL, 10);
    if (g_date_valid_dmy((GDateDay)day, (GDateMonth)month, (GDateYear)year))
        g_date_set_dmy(out, (GDateDay)day, (GDateMonth)month, (GDateYear)year);
}

/* Cleaned and kept with the history's own; never NULL. */
static const char *keep_text(web_history *h, const char *text, size_t max_chars) {
    g_autofree char *clean = web_text_clean(text, max_chars);
    return g_string_chunk_insert(h->texts, clean);
}

/* As keep_text; NULL: there is none, or it is empty. */
static const char *keep_words(web_history *h, const char *text, size_t max_chars) {
    return text && *text ? keep_text(h, text, max_chars) : NULL;
}

/* Its name; another environment has a mark of its own. */
static const char *incident_of(web_history *h, const json_t *incident) {
    const char *headline = get_string(incident, "headline");
    if (!headline || g_strcmp0(headline, WEB_INCIDENT_ENVIRONMENT) == 0)
        return NULL;
    return keep_words(h, headline, NAME_CHARS);
}

static web_night read_night(web_history *h, const json_t *json) {
    const json_t *commit = json_object_get(json, "commit");
    const char *state = get_string(json, "state");
    const json_t *level = json_object_get(json, "level");
    const char *shortened = get_string(commit, "short");
    web_night night = {
        .date = keep_text(h, get_string(json, "night"), DATE_CHARS),
        .commit = keep_text(h, shortened ? shortened : get_string(commit, "sha"), COMMIT_CHARS),
        .reason = keep_words(h, get_string(json, "reason"), REASON_CHARS),
        .level = json_is_number(level) ? json_number_value(level) : (double)NAN,
        .release = keep_words(h, get_string(json, "release"), NAME_CHARS),
        .note = keep_words(h, get_string(json, "note"), NAME_CHARS),
        .baseline = keep_words(h, get_string(json, "baseline"), NAME_CHARS),
        .incident = incident_of(h, json_object_get(json, "incident")),
        .accepted = json_is_true(json_object_get(json, "accepted")),
        .boundary = json_is_true(json_object_get(json, "environment_changed")),
        .state = g_strcmp0(state, "failed") == 0        ? WEB_NIGHT_FAILED
                 : g_strcmp0(state, "quarantined") == 0 ? WEB_NIGHT_QUARANTINED
                                                        : WEB_NIGHT_MEASURED,
    };
    read_day(night.date, &night.day);
    read_values(h, json, &night);
    return night;
}

static void clear_portion(gpointer data) {
    web_portion *portion = data;
    g_free(portion->name);
    g_free(portion->label);
}

/* A night before it is read: what it is sorted by, and its place, which decides between equals. */
typedef struct {
    const char *date;
    json_t *json;
    size_t place;
} entry;

/* Newest first; the API's own order (also newest first) decides between two of one date. */
static gint newest_first(gconstpointer a, gconstpointer b) {
    const entry *x = a, *y = b;
    int order = strcmp(y->date, x->date);
    return order != 0 ? order : (x->place > y->place) - (x->place < y->place);
}

/* The values of all nights, in the order in which they were read. */
static void hand_out(web_history *h) {
    guint at = 0;
    for (guint i = 0; i < h->nights->len; i++) {
        web_night *night = &g_array_index(h->nights, web_night, i);
        for (int of = WEB_OF_MEAN; of <= WEB_OF_MEDIAN; of++, at += night->count)
            night->values[of] = &g_array_index(h->values, web_value, at);
    }
}

static void reverse(GArray *nights) {
    for (guint i = 0; i < nights->len / 2; i++) {
        web_night *a = &g_array_index(nights, web_night, i);
        web_night *b = &g_array_index(nights, web_night, nights->len - 1 - i);
        web_night swap = *a;
        *a = *b;
        *b = swap;
    }
}

web_history *web_history_begin(const char *until, const char *leaf, unsigned limit) {
    web_history *h = g_new0(web_history, 1);
    h->nights = g_array_new(FALSE, TRUE, sizeof(web_night));
    h->portions = g_array_new(FALSE, TRUE, sizeof(web_portion));
    h->texts = g_string_chunk_new(TEXTS_BYTES);
    h->values = g_array_new(FALSE, FALSE, sizeof(web_value));
    g_array_set_clear_func(h->portions, clear_portion);
    h->reading.leaf = leaf;
    h->reading.until = g_strdup(until);
    h->reading.limit = limit > 0 ? MIN(limit, WEB_HISTORY_NIGHTS_MAX) : WEB_HISTORY_NIGHTS_MAX;
    return h;
}

/* Those up to the last night that is wanted, newest first; NULL with error. */
static GArray *sorted_of(const web_history *h, const json_t *nights, GError **error) {
    g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(entry));
    const char *until = h->reading.until;
    size_t i;
    json_t *json;
    json_array_foreach (nights, i, json) {
        if (!json_is_object(json)) {
            g_set_error(error, WEB_CHART_ERROR, WEB_CHART_ERROR_INPUT,
                        "night %zu of the nights to draw is not a JSON object", i);
            return NULL;
        }
        const char *date = get_string(json, "night");
        entry next = {date ? date : "", json, i};
        if (!until || strcmp(next.date, until) <= 0)
            g_array_append_val(sorted, next);
    }
    g_array_sort(sorted, newest_first);
    return g_steal_pointer(&sorted);
}

bool web_history_add(web_history *h, const json_t *nights, GError **error) {
    if (!json_is_array(nights)) {
        g_set_error_literal(error, WEB_CHART_ERROR, WEB_CHART_ERROR_INPUT,
                            "the nights to draw are not a JSON array");
        return false;
    }
    g_autoptr(GArray) sorted = sorted_of(h, nights, error);
    for (guint k = 0; sorted && k < sorted->len && h->nights->len < h->reading.limit; k++) {
        web_night night = read_night(h, g_array_index(sorted, entry, k).json);
        g_array_append_val(h->nights, night);
    }
    return sorted != NULL;
}

void web_history_end(web_history *h) {
    hand_out(h);
    reverse(h->nights);
    h->reading.leaf = NULL;
}

web_history *web_history_new(const json_t *nights, const char *until, const char *leaf,
                             unsigned limit, GError **error) {
    g_autoptr(web_history) h = web_history_begin(until, leaf, limit);
    if (!web_history_add(h, nights, error))
        return NULL;
    web_history_end(h);
    return g_steal_pointer(&h);
}

void web_history_free(web_history *history) {
    if (!history)
        return;
    g_array_unref(history->nights);
    g_array_unref(history->portions);
    if (history->texts)
        g_string_chunk_free(history->texts);
    if (history->values)
        g_array_unref(history->values);
    g_free(history->reading.until);
    g_free(history);
}

web_history *web_history_window(const web_history *history, const char *until, unsigned limit) {
    const GArray *all = history->nights;
    guint end = all->len;
    while (until && end > 0 && strcmp(g_array_index(all, web_night, end - 1).date, until) > 0)
        end--;
    guint count = limit > 0 ? MIN(end, limit) : end;
    web_history *h = g_new0(web_history, 1);
    h->nights = g_array_sized_new(FALSE, TRUE, sizeof(web_night), count);
    if (count > 0)
        g_array_append_vals(h->nights, &g_array_index(all, web_night, end - count), count);
    h->portions = g_array_ref(history->portions);
    return h;
}

bool web_history_shows(const web_history *history, web_chart_of of, guint portion) {
    for (guint i = 0; i < history->nights->len; i++)
        if (web_night_value(&g_array_index(history->nights, web_night, i), of, portion).present)
            return true;
    return false;
}
