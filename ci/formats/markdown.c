#include "ci/command/table.h"
#include "ci/formats/night.h"
#include "ci/formats/write.h"
#include "web/layout/text.h"
#include "web/words/level.h"
#include "web/words/verdict.h"

#include <string.h>

#define TEXT_MAX 300
#define SENTENCE_MAX 800 /* two names of functions */

static void escaped_most(GString *to, const char *text, size_t most) {
    g_autofree char *clean = web_text_clean(text, most);
    web_text_markdown(to, clean);
}

static void escaped(GString *to, const char *text) {
    escaped_most(to, text, TEXT_MAX);
}

/* As code, in which nothing can be escaped. */
static void commit_id(GString *to, const char *sha) {
    if (strspn(sha, "0123456789abcdef") == strlen(sha))
        g_string_append_printf(to, "`%.12s` ", sha);
}

static void interval(GString *to, const json_t *value) {
    g_autofree char *mean = ci_ns(ci_json_real(value, "mean_ns"));
    g_autofree char *range =
        ci_ns_interval(ci_json_real(value, "low_ns"), ci_json_real(value, "high_ns"));
    g_string_append_printf(to, " %s | %s |", mean, range);
}

/* "▲ **rose**", or what else the verdict is. */
static void verdict(GString *to, const json_t *p) {
    const char *direction = ci_json_text(p, "direction", NULL);
    const char *words = web_verdict_words(ci_json_text(p, "verdict", "-"),
                                          ci_json_text(p, "rule", NULL), direction);
    if (ci_portion_changed(p, NULL)) {
        g_string_append_printf(to, " %s **%s** |", web_verdict_mark(direction), words);
        return;
    }
    g_string_append_c(to, ' ');
    escaped(to, words);
    g_string_append(to, " |");
}

static void portion_row(GString *to, const json_t *p, gboolean compared) {
    g_string_append(to, "| ");
    escaped(to, ci_json_text(p, "portion", "?"));
    g_string_append(to, " |");
    interval(to, p);
    if (compared) {
        const json_t *difference = json_object_get(p, "difference");
        g_autofree char *change = ci_ns(ci_json_real(difference, "mean_ns"));
        interval(to, json_object_get(p, "reference"));
        g_string_append_printf(to, " %s |", change);
        verdict(to, p);
    }
    g_string_append_c(to, '\n');
}

static gboolean is_compared(const json_t *portions) {
    size_t i;
    json_t *p;
    json_array_foreach (portions, i, p)
        if (json_is_object(json_object_get(p, "reference")))
            return TRUE;
    return FALSE;
}

static void reasons(GString *to, const json_t *portions) {
    size_t i;
    json_t *p;
    json_array_foreach (portions, i, p) {
        const char *verdict = ci_json_text(p, "verdict", "");
        if (g_str_equal(verdict, "ok") || g_str_equal(verdict, "first"))
            continue;
        g_string_append(to, "\n- ");
        escaped(to, ci_json_text(p, "reason", ""));
    }
}

/* What profiles say of the changes that began here. */
static void where(GString *to, const json_t *sentences) {
    size_t i;
    json_t *sentence;
    json_array_foreach (sentences, i, sentence) {
        g_string_append(to, "\n- Where it is: ");
        escaped_most(to, json_string_value(sentence) ? json_string_value(sentence) : "",
                     SENTENCE_MAX);
    }
}

char *ci_markdown(const char *title, const json_t *night) {
    const json_t *portions = json_object_get(night, "portions");
    const json_t *commit = json_object_get(night, "commit");
    const gboolean compared = is_compared(portions);
    g_autofree char *headline = ci_headline(night);
    GString *to = g_string_new("### ");
    escaped(to, title);
    g_string_append(to, ": ");
    escaped(to, headline);
    g_string_append(to, "\n\n");
    if (commit) {
        commit_id(to, ci_json_text(commit, "sha", ""));
        escaped(to, ci_json_text(commit, "subject", ""));
        g_string_append(to, "\n\n");
    }
    if (json_array_size(portions)) {
        g_autofree char *range = web_level_interval(ci_json_real(night, "level"));
        g_string_append_printf(to, "| portion | ns per call | %s |", range);
        if (compared)
            g_string_append(to, " before | interval | change | |\n|---|--:|---|--:|---|--:|---|\n");
        else
            g_string_append(to, "\n|---|--:|---|\n");
        size_t i;
        json_t *p;
        json_array_foreach (portions, i, p)
            portion_row(to, p, compared);
        reasons(to, portions);
        where(to, json_object_get(night, "where"));
    }
    g_string_append_c(to, '\n');
    return g_string_free(to, FALSE);
}
