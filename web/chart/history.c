#include "web/chart/history.h"

#include <math.h>
#include <string.h>

#include "config/number.h"
#include "web/chart/chart.h"
#include "web/layout/text.h"
#include "web/words/words.h"

/* Longest texts that are kept: a chart shows far less. */
enum { NAME_CHARS = 60, REASON_CHARS = 300, DATE_CHARS = 10, COMMIT_CHARS = 12 };
/* Portions of one night that are looked at: the detector's limit is 24. */
enum { PORTIONS_MAX = 256 };
enum { TEXTS_BYTES = 8 << 10 }; /* of a piece: the texts of some hundred nights */

static bool is_plausible(double number) {
    return isfinite(number) && fabs(number) <= WEB_HISTORY_NS_MAX;
}

static web_value value_of(const det_interval *of) {
    web_value v = {0};
    if (!is_plausible(of->mean))
        return v;
    v.present = true;
    v.mean_ns = of->mean;
    v.low_ns = is_plausible(of->low) && of->low <= of->mean ? of->low : of->mean;
    v.high_ns = is_plausible(of->high) && of->high >= of->mean ? of->high : of->mean;
    return v;
}

static web_verdict verdict_of(const char *word) {
    return cfg_is(word, "anomaly")   ? WEB_VERDICT_ANOMALY
           : cfg_is(word, "suspect") ? WEB_VERDICT_SUSPECT
                                     : WEB_VERDICT_OK;
}

static int direction_of(const char *word) {
    return g_strcmp0(word, "up") == 0 ? 1 : g_strcmp0(word, "down") == 0 ? -1 : 0;
}

/* A portion as it is drawn. Its texts are its night's. */
typedef struct {
    const char *portion, *configuration, *parent, *unit;
    web_value value[2]; /* [web_chart_of] */
} chain_link;

typedef struct {
    chain_link links[PORTIONS_MAX];
    size_t count;
} tree;

static void set_verdict(chain_link *link, web_verdict verdict, const char *direction) {
    for (int of = WEB_OF_MEAN; of <= WEB_OF_MEDIAN; of++) {
        link->value[of].verdict = verdict;
        link->value[of].direction = verdict == WEB_VERDICT_ANOMALY ? direction_of(direction) : 0;
    }
}

static chain_link link_of(const cfg_portion *portion) {
    chain_link out = {portion->portion,
                      portion->configuration,
                      portion->parent,
                      portion->unit,
                      {value_of(&portion->now), value_of(&portion->median)}};
    const web_verdict verdict = verdict_of(portion->verdict);
    /* The mark of a change belongs to the night that the level began with. */
    set_verdict(&out, verdict == WEB_VERDICT_ANOMALY && portion->since ? WEB_VERDICT_OK : verdict,
                portion->direction);
    return out;
}

static void read_tree(const cfg_night *night, tree *out) {
    out->count = MIN(night->portions_count, PORTIONS_MAX);
    for (size_t i = 0; i < out->count; i++)
        out->links[i] = link_of(&night->portions[i]);
    for (unsigned b = 0; b < night->began_count; b++)
        for (size_t k = 0; k < out->count; k++)
            if (g_strcmp0(out->links[k].configuration, night->began[b].configuration) == 0)
                set_verdict(&out->links[k], WEB_VERDICT_ANOMALY, night->began[b].direction);
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

static char *label_of(const cfg_night *night, const chain_link *portion, const char *name) {
    const char *label = web_portion_label(name);
    if (!label && web_portion_letters(name) > 0) /* "W Zipkin" says it already */
        return strchr(name, ' ') ? g_strdup("") : web_portion_spelled(name);
    const cfg_measured *measured =
        label ? NULL : cfg_night_configuration(night, portion->configuration);
    label = measured ? measured->label : label;
    return web_text_name(label, NAME_CHARS);
}

/* Index of the portion called name, appended when it is new; -1 when there are too many. */
static int portion_index(web_history *h, const cfg_night *night, const chain_link *portion,
                         const char *word) {
    for (guint i = 0; i < h->portions->len; i++) /* most names need no cleaning */
        if (g_strcmp0(g_array_index(h->portions, web_portion, i).name, word) == 0)
            return (int)i;
    g_autofree char *name = web_text_name(word, NAME_CHARS);
    for (guint i = 0; i < h->portions->len; i++)
        if (strcmp(g_array_index(h->portions, web_portion, i).name, name) == 0)
            return (int)i;
    if (h->portions->len >= WEB_HISTORY_PORTIONS_MAX)
        return -1;
    web_portion added = {g_strdup(name), label_of(night, portion, name), g_strdup(portion->unit)};
    g_array_append_val(h->portions, added);
    return (int)h->portions->len - 1;
}

/* The height of the whole chain: the API's total, or the chain's last configuration. */
static web_value read_total(const cfg_night *night, web_chart_of of, const chain_link *last,
                            const char *leaf) {
    web_value total = {0};
    if (!leaf)
        total = value_of(of == WEB_OF_MEAN ? &night->total : &night->total_median);
    const cfg_measured *end =
        !total.present && last ? cfg_night_configuration(night, last->configuration) : NULL;
    return end ? value_of(of == WEB_OF_MEAN ? &end->now : &end->median) : total;
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

/* Nights from before their values had another unit are not drawn: nobody can compare them. */
static size_t of_unit(const web_history *h, const chain_link *const *chain, size_t n) {
    const bool alike =
        n == 0 || h->portions->len == 0 || g_strcmp0(web_history_unit(h), chain[0]->unit) == 0;
    return alike ? n : 0;
}

static void read_values(web_history *h, const cfg_night *of_night, web_night *night) {
    tree t;
    const chain_link *chain[WEB_HISTORY_PORTIONS_MAX];
    web_value values[2][WEB_HISTORY_PORTIONS_MAX] = {0};
    bool used[WEB_HISTORY_PORTIONS_MAX] = {false};
    read_tree(of_night, &t);
    const char *leaf = h->reading.leaf;
    const size_t all = measured(chain, find_chain(&t, leaf, chain)), n = of_unit(h, chain, all);
    for (size_t i = 0; i < n; i++) {
        const char *word = chain[i]->portion;
        int at =
            portion_index(h, of_night, chain[i], word && *word ? word : chain[i]->configuration);
        if (at >= 0 && used[at]) /* two of one name in a chain: the second by its configuration */
            at = portion_index(h, of_night, chain[i], chain[i]->configuration);
        if (at < 0 || used[at])
            continue;
        used[at] = true;
        values[WEB_OF_MEAN][at] = chain[i]->value[WEB_OF_MEAN];
        values[WEB_OF_MEDIAN][at] = chain[i]->value[WEB_OF_MEDIAN];
    }
    night->count = h->portions->len;
    for (int of = WEB_OF_MEAN; of <= WEB_OF_MEDIAN; of++) {
        g_array_append_vals(h->values, values[of], night->count);
        if (n < all)
            continue;
        night->total[of] =
            read_total(of_night, (web_chart_of)of, n > 0 ? chain[n - 1] : NULL, leaf);
        if (!night->total[of].present)
            night->total[of] = sum_of(chain, n, (web_chart_of)of);
    }
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
static const char *incident_of(web_history *h, const cfg_incident *incident) {
    const char *headline = incident ? incident->headline : NULL;
    return g_strcmp0(headline, WEB_INCIDENT_ENVIRONMENT) == 0 ? NULL
                                                              : keep_words(h, headline, NAME_CHARS);
}

static web_night read_night(web_history *h, const cfg_night *from) {
    const cfg_commit *commit = &from->commit;
    web_night night = {
        .date = keep_text(h, from->night, DATE_CHARS),
        .commit = keep_text(h, commit->shortened ? commit->shortened : commit->sha, COMMIT_CHARS),
        .reason = keep_words(h, from->reason, REASON_CHARS),
        .level = from->level,
        .release = keep_words(h, from->release, NAME_CHARS),
        .note = keep_words(h, from->note, NAME_CHARS),
        .baseline = keep_words(h, from->baseline, NAME_CHARS),
        .incident = incident_of(h, from->incident),
        .accepted = from->accepted,
        .boundary = from->environment_changed,
        .state = cfg_is(from->state, "failed")        ? WEB_NIGHT_FAILED
                 : cfg_is(from->state, "quarantined") ? WEB_NIGHT_QUARANTINED
                                                      : WEB_NIGHT_MEASURED,
    };
    (void)cfg_date_read(night.date, &night.day); /* else it stays invalid */
    read_values(h, from, &night);
    return night;
}

static void clear_portion(gpointer data) {
    web_portion *portion = data;
    g_free(portion->name);
    g_free(portion->label);
    g_free(portion->unit);
}

static const char *date_of(const cfg_night *night) {
    return night->night ? night->night : "";
}

/* Newest first; the API's own order (also newest first) decides between two of one date. */
static gint newest_first(gconstpointer a, gconstpointer b) {
    const cfg_night *x = *(const cfg_night *const *)a, *y = *(const cfg_night *const *)b;
    const int order = strcmp(date_of(y), date_of(x));
    return order != 0 ? order : (x > y) - (x < y);
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

void web_history_add(web_history *h, const cfg_night *nights, size_t count) {
    const char *until = h->reading.until;
    g_autofree const cfg_night **sorted = g_new(const cfg_night *, count);
    size_t wanted = 0;
    for (size_t i = 0; i < count; i++)
        if (!until || strcmp(date_of(&nights[i]), until) <= 0)
            sorted[wanted++] = &nights[i];
    if (wanted > 0) /* NOLINTNEXTLINE(bugprone-sizeof-expression): addresses are sorted */
        qsort(sorted, wanted, sizeof *sorted, newest_first);
    for (size_t k = 0; k < wanted && h->nights->len < h->reading.limit; k++) {
        web_night night = read_night(h, sorted[k]);
        g_array_append_val(h->nights, night);
    }
}

void web_history_end(web_history *h) {
    hand_out(h);
    reverse(h->nights);
    h->reading.leaf = NULL;
}

static bool refuse(GError **error, const char *what) {
    g_set_error(error, WEB_CHART_ERROR, WEB_CHART_ERROR_INPUT, "the nights to draw are not %s",
                what);
    return false;
}

static bool nights_read(const json_t *json, model_list *nights, GError **error) {
    size_t i;
    const json_t *night;
    if (!json_is_array(json))
        return refuse(error, "a JSON array");
    json_array_foreach (json, i, night) {
        if (!json_is_object(night))
            return refuse(error, "JSON objects");
        model_read_leniently(&cfg_night_model, night, model_list_add(nights));
    }
    return true;
}

web_history *web_history_new(const json_t *nights, const char *until, const char *leaf,
                             unsigned limit, GError **error) {
    g_auto(model_list) list = {.noun = &cfg_night_model};
    if (!nights_read(nights, &list, error))
        return NULL;
    web_history *h = web_history_begin(until, leaf, limit);
    web_history_add(h, list.items, list.count);
    web_history_end(h);
    return h;
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

const char *web_history_unit(const web_history *history) {
    return history->portions->len > 0 ? g_array_index(history->portions, web_portion, 0).unit
                                      : NULL;
}

bool web_history_shows(const web_history *history, web_chart_of of, guint portion) {
    for (guint i = 0; i < history->nights->len; i++)
        if (web_night_value(&g_array_index(history->nights, web_night, i), of, portion).present)
            return true;
    return false;
}
