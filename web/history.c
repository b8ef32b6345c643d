#include "web/history.h"

#include <math.h>
#include <string.h>

#include "web/chart.h"

/* Longest texts that are kept: a chart shows far less. */
enum { NAME_CHARS = 60, REASON_CHARS = 300, DATE_CHARS = 10, COMMIT_CHARS = 12 };

/* Characters that would turn the direction of neighbouring text around. */
static bool is_bidi_control(gunichar c) {
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E ||
           c == 0x200F;
}

char *web_text_clean(const char *text, size_t max_chars) {
    g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);
    GString *out = g_string_sized_new(64);
    size_t n = 0;
    for (const char *p = valid; *p; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        if (is_bidi_control(c))
            continue;
        if (n++ == max_chars) {
            g_string_append(out, "…");
            break;
        }
        g_string_append_unichar(out, g_unichar_iscntrl(c) ? ' ' : c);
    }
    return g_string_free(out, FALSE);
}

static bool get_number(const json_t *object, const char *key, double *out) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        return false;
    double number = json_number_value(value);
    if (!isfinite(number) || fabs(number) > WEB_HISTORY_NS_MAX)
        return false;
    *out = number;
    return true;
}

static web_value get_value(const json_t *object) {
    web_value v = {0};
    if (!get_number(object, "mean_ns", &v.mean_ns))
        return v;
    v.present = true;
    if (!get_number(object, "low_ns", &v.low_ns) || v.low_ns > v.mean_ns)
        v.low_ns = v.mean_ns;
    if (!get_number(object, "high_ns", &v.high_ns) || v.high_ns < v.mean_ns)
        v.high_ns = v.mean_ns;
    return v;
}

static const char *get_string(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static web_verdict verdict_of(const char *word) {
    static const char *const words[] = {"ok", "first", "anomaly", "environment", "harness"};
    for (size_t i = 0; word && i < G_N_ELEMENTS(words); i++)
        if (strcmp(word, words[i]) == 0)
            return (web_verdict)i;
    return WEB_VERDICT_OK;
}

static int direction_of(const char *word) {
    return g_strcmp0(word, "up") == 0 ? 1 : g_strcmp0(word, "down") == 0 ? -1 : 0;
}

static const json_t *portion_where(const json_t *portions, const char *key, const char *value) {
    size_t i;
    const json_t *portion;
    json_array_foreach(portions, i, portion) {
        if (g_strcmp0(get_string(portion, key), value) == 0)
            return portion;
    }
    return NULL;
}

/* Fills chain[] from the root upwards; returns its length. A circle ends at the limit. */
static size_t find_chain(const json_t *portions, const char *leaf, const json_t **chain) {
    size_t n = 0;
    const json_t *from_leaf = leaf ? portion_where(portions, "configuration", leaf) : NULL;
    if (from_leaf) {
        for (const json_t *p = from_leaf; p && n < WEB_HISTORY_SERIES_MAX;) {
            chain[n++] = p;
            const char *parent = get_string(p, "parent");
            p = parent ? portion_where(portions, "configuration", parent) : NULL;
        }
        for (size_t i = 0; i < n / 2; i++) {
            const json_t *swap = chain[i];
            chain[i] = chain[n - 1 - i];
            chain[n - 1 - i] = swap;
        }
        return n;
    }
    const json_t *p = portion_where(portions, "parent", NULL);
    while (p && n < WEB_HISTORY_SERIES_MAX) {
        chain[n++] = p;
        const char *name = get_string(p, "configuration");
        p = name ? portion_where(portions, "parent", name) : NULL;
    }
    return n;
}

static const char *standard_label(const char *name) {
    static const struct {
        const char *name, *label;
    } standard[] = {
        {"T", "method time"}, {"I", "instrumentation"}, {"C", "collection"}, {"W", "writing"}};
    for (size_t i = 0; i < G_N_ELEMENTS(standard); i++)
        if (strcmp(name, standard[i].name) == 0)
            return standard[i].label;
    return NULL;
}

static char *series_label(const json_t *night, const json_t *portion, const char *name) {
    const char *label = standard_label(name);
    if (!label) {
        const json_t *configuration = portion_where(json_object_get(night, "configurations"),
                                                    "name", get_string(portion, "configuration"));
        label = get_string(configuration, "label");
    }
    return web_text_clean(label, NAME_CHARS);
}

/* Index of the series called name, appended when it is new; -1 when there are too many. */
static int series_index(web_history *h, const json_t *night, const json_t *portion,
                        const char *name) {
    for (guint i = 0; i < h->series->len; i++)
        if (strcmp(g_array_index(h->series, web_series, i).name, name) == 0)
            return (int)i;
    if (h->series->len >= WEB_HISTORY_SERIES_MAX)
        return -1;
    web_series series = {g_strdup(name), series_label(night, portion, name)};
    g_array_append_val(h->series, series);
    return (int)h->series->len - 1;
}

static void read_values(web_history *h, const json_t *json, web_night *night, const char *leaf) {
    const json_t *chain[WEB_HISTORY_SERIES_MAX];
    size_t n = find_chain(json_object_get(json, "portions"), leaf, chain);
    double sum = 0;
    bool all = n > 0;
    bool used[WEB_HISTORY_SERIES_MAX] = {false};
    night->values = g_new0(web_value, WEB_HISTORY_SERIES_MAX);
    for (size_t i = 0; i < n; i++) {
        const char *word = get_string(chain[i], "portion");
        g_autofree char *name = web_text_clean(
            word && *word ? word : get_string(chain[i], "configuration"), NAME_CHARS);
        int at = series_index(h, json, chain[i], name);
        if (at >= 0 && used[at]) { /* two of one name in a chain: the second by its configuration */
            g_autofree char *other =
                web_text_clean(get_string(chain[i], "configuration"), NAME_CHARS);
            at = series_index(h, json, chain[i], other);
        }
        web_value v = get_value(chain[i]);
        all = all && v.present;
        sum += v.present ? v.mean_ns : 0;
        if (at < 0 || used[at])
            continue;
        v.verdict = verdict_of(get_string(chain[i], "verdict"));
        v.direction = direction_of(get_string(chain[i], "direction"));
        used[at] = true;
        night->values[at] = v;
    }
    const json_t *last = n > 0 ? chain[n - 1] : NULL;
    const json_t *top = portion_where(json_object_get(json, "configurations"), "name",
                                      get_string(last, "configuration"));
    night->total = get_value(top ? top : leaf ? NULL : json_object_get(json, "total"));
    if (!night->total.present && all)
        night->total = (web_value){.mean_ns = sum, .low_ns = sum, .high_ns = sum, .present = true};
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

static web_night read_night(web_history *h, const json_t *json, const char *leaf) {
    const json_t *commit = json_object_get(json, "commit");
    const char *state = get_string(json, "state");
    const char *reason = get_string(json, "reason");
    const char *shortened = get_string(commit, "short");
    web_night night = {
        .date = web_text_clean(get_string(json, "night"), DATE_CHARS),
        .commit = web_text_clean(shortened ? shortened : get_string(commit, "sha"), COMMIT_CHARS),
        .reason = reason ? web_text_clean(reason, REASON_CHARS) : NULL,
        .boundary = json_is_true(json_object_get(json, "environment_changed")),
        .state = g_strcmp0(state, "failed") == 0        ? WEB_NIGHT_FAILED
                 : g_strcmp0(state, "quarantined") == 0 ? WEB_NIGHT_QUARANTINED
                                                        : WEB_NIGHT_MEASURED,
    };
    read_day(night.date, &night.day);
    read_values(h, json, &night, leaf);
    return night;
}

static void clear_night(gpointer data) {
    web_night *night = data;
    g_free(night->date);
    g_free(night->commit);
    g_free(night->reason);
    g_free(night->values);
}

static void clear_series(gpointer data) {
    web_series *series = data;
    g_free(series->name);
    g_free(series->label);
}

static const char *night_date(gconstpointer json) {
    const char *date = get_string(json, "night");
    return date ? date : "";
}

/* Newest first; the API's own order (also newest first) decides between two of one date. */
static gint newest_first(gconstpointer a, gconstpointer b) {
    return strcmp(night_date(*(json_t *const *)b), night_date(*(json_t *const *)a));
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

web_history *web_history_new(const json_t *nights, const char *until, const char *leaf,
                             unsigned limit, GError **error) {
    if (!json_is_array(nights)) {
        g_set_error_literal(error, WEB_CHART_ERROR, WEB_CHART_ERROR_INPUT,
                            "the nights to draw are not a JSON array");
        return NULL;
    }
    if (limit == 0 || limit > WEB_HISTORY_NIGHTS_MAX)
        limit = WEB_HISTORY_NIGHTS_MAX;
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    size_t i;
    json_t *json;
    json_array_foreach(nights, i, json) {
        if (!json_is_object(json)) {
            g_set_error(error, WEB_CHART_ERROR, WEB_CHART_ERROR_INPUT,
                        "night %zu of the nights to draw is not a JSON object", i);
            return NULL;
        }
        if (!until || strcmp(night_date(json), until) <= 0)
            g_ptr_array_add(sorted, json);
    }
    g_ptr_array_sort(sorted, newest_first);
    web_history *h = g_new0(web_history, 1);
    h->nights = g_array_new(FALSE, TRUE, sizeof(web_night));
    h->series = g_array_new(FALSE, TRUE, sizeof(web_series));
    g_array_set_clear_func(h->nights, clear_night);
    g_array_set_clear_func(h->series, clear_series);
    for (guint k = 0; k < sorted->len && k < limit; k++) {
        web_night night = read_night(h, g_ptr_array_index(sorted, k), leaf);
        g_array_append_val(h->nights, night);
    }
    reverse(h->nights);
    return h;
}

void web_history_free(web_history *history) {
    if (!history)
        return;
    g_array_unref(history->nights);
    g_array_unref(history->series);
    g_free(history);
}
