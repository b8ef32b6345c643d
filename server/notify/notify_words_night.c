#include "server/notify/notify_words_night.h"

#include "server/notify/notify_words.h"

#include "web/layout/text.h"
#include "web/words/level.h"
#include "web/words/verdict.h"

#include <math.h>
#include <string.h>

#define REASON_MAX 300
#define STATUS_MAX 139 /* and an ellipsis: GitHub's limit of a status' description is 140 */

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static bool changed(const json_t *portion) {
    return g_str_equal(text_of(portion, "verdict"), "anomaly");
}

static bool rose(const json_t *portion) {
    return changed(portion) && g_str_equal(text_of(portion, "direction"), "up");
}

/* Did it change as a commit had announced? */
static bool in_advance(const json_t *portion) {
    return changed(portion) && json_is_true(json_object_get(portion, "accepted_in_advance"));
}

const char *srv_words_night_state(const json_t *night) {
    size_t i;
    json_t *portion;
    if (!g_str_equal(text_of(night, "state"), "measured"))
        return "error";
    json_array_foreach (json_object_get(night, "portions"), i, portion)
        if (rose(portion) && !in_advance(portion))
            return "failure";
    return "success";
}

char *srv_words_night(const json_t *night) {
    g_autoptr(GString) to = g_string_new(NULL);
    size_t i;
    json_t *portion;
    if (!g_str_equal(text_of(night, "state"), "measured"))
        g_string_append_printf(to, "%s: %s", text_of(night, "state"), text_of(night, "reason"));
    else
        json_array_foreach (json_object_get(night, "portions"), i, portion) {
            g_autofree char *mean = srv_words_ns(number_of(portion, "mean_ns"));
            g_string_append_printf(to, "%s%s %s ns%s%s", i > 0 ? ", " : "",
                                   text_of(portion, "portion"), mean,
                                   !changed(portion) ? ""
                                   : rose(portion)   ? " ▲"
                                                     : " ▼",
                                   in_advance(portion) ? " (accepted in advance)" : "");
        }
    return web_text_clean(to->str, STATUS_MAX);
}

/* "▲ **rose**", or what else the verdict is. */
static void verdict_add(GString *to, const json_t *portion) {
    const char *direction = text_of(portion, "direction");
    const char *words =
        web_verdict_words(text_of(portion, "verdict"), text_of(portion, "rule"), direction);
    if (changed(portion))
        g_string_append_printf(to, " %s **%s**", web_verdict_mark(direction), words);
    else {
        g_string_append_c(to, ' ');
        srv_words_markdown_add(to, words);
    }
}

const char *srv_words_night_title(const json_t *night) {
    const char *state = srv_words_night_state(night);
    bool announced = false;
    size_t i;
    json_t *portion;
    json_array_foreach (json_object_get(night, "portions"), i, portion)
        announced = announced || in_advance(portion);
    return g_str_equal(state, "error")     ? "Not measured"
           : g_str_equal(state, "failure") ? "A portion rose"
           : announced                     ? "Changed as accepted in advance"
                                           : "No portion rose";
}

static void row(GString *to, const json_t *portion) {
    const double before = number_of(json_object_get(portion, "reference"), "mean_ns");
    const double change = number_of(json_object_get(portion, "difference"), "mean_ns");
    g_autofree char *name = web_text_clean(text_of(portion, "portion"), REASON_MAX);
    g_string_append(to, "| ");
    srv_words_markdown_add(to, name);
    g_string_append(to, " |");
    srv_words_interval_add(to, json_object_get(portion, "reference"));
    srv_words_interval_add(to, portion);
    srv_words_change_add(to, change, before);
    verdict_add(to, portion);
    g_string_append_printf(to, "%s |\n", in_advance(portion) ? ", accepted in advance" : "");
}

/* One sentence of each portion that somebody should look at. */
static void reasons(GString *to, const json_t *portions) {
    static const char *const nothing[] = {"ok", "first", "cleared", ""};
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion) {
        bool boring = false;
        for (size_t n = 0; n < G_N_ELEMENTS(nothing); n++)
            boring |= g_str_equal(text_of(portion, "verdict"), nothing[n]);
        if (boring)
            continue;
        g_autofree char *reason = web_text_clean(text_of(portion, "reason"), REASON_MAX);
        g_string_append(to, "\n- ");
        srv_words_markdown_add(to, reason);
    }
}

char *srv_words_night_markdown(const json_t *night, const char *page, const char *chart,
                               const char *marker) {
    const json_t *commit = json_object_get(night, "commit");
    const json_t *portions = json_object_get(night, "portions");
    GString *to = g_string_new(NULL);
    if (marker)
        g_string_append_printf(to, "<!-- %s -->\n", marker);
    g_string_append(to, "### Monitoring overhead of ");
    srv_words_markdown_add(to, text_of(night, "project"));
    g_string_append_printf(to, " at %.12s\n", text_of(commit, "short"));
    if (!g_str_equal(text_of(night, "state"), "measured")) {
        g_autofree char *said = srv_words_night(night);
        srv_words_markdown_add(to, said);
    } else {
        size_t i;
        json_t *portion;
        g_autofree char *interval = web_level_interval(number_of(night, "level"));
        g_string_append_printf(to,
                               "| portion | before, ns a call [%s] | now | change | |\n"
                               "|---|--:|--:|--:|---|\n",
                               interval);
        json_array_foreach (portions, i, portion)
            row(to, portion);
        reasons(to, portions);
        if (json_is_string(json_object_get(night, "counted"))) {
            g_string_append(to, "\n\nCounted: ");
            srv_words_markdown_add(to, text_of(night, "counted"));
        }
    }
    g_string_append_printf(to, "\n\n<%s>\n", page);
    if (chart)
        g_string_append_printf(to, "\n![the last nights](%s)\n", chart);
    return g_string_free(to, FALSE);
}
