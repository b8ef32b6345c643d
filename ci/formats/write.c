#include "ci/formats/write.h"

#include "ci/command/table.h"
#include "ci/formats/night.h"
#include "web/layout/text.h"
#include "web/words/level.h"
#include "web/words/night.h"
#include "web/words/verdict.h"

#include <math.h>
#include <string.h>

gboolean ci_portion_changed(const json_t *portion, const char *direction) {
    return g_str_equal(ci_json_text(portion, "verdict", ""), "anomaly") &&
           (!direction || g_str_equal(ci_json_text(portion, "direction", ""), direction));
}

char *ci_headline(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return night.headline ? g_steal_pointer(&night.headline) : web_night_headline(&night);
}

#define CSV_TEXT_MAX 100

/* A quoted field that no spreadsheet takes for a formula. */
static void csv_field(GString *to, const char *text) {
    g_autofree char *clean = web_text_clean(text, CSV_TEXT_MAX);
    g_auto(GStrv) parts = g_strsplit(clean, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);
    g_string_append_printf(to, "\"%s%s\"", strchr("=+-@", clean[0]) && clean[0] ? "'" : "",
                           doubled);
}

char *ci_plot_csv(const char *title, const json_t *night) {
    (void)title;
    g_autoptr(GString) values = g_string_new(NULL);
    GString *to = g_string_new(NULL);
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p) {
        const double mean = ci_json_real(p, "mean_ns");
        char text[G_ASCII_DTOSTR_BUF_SIZE] = "";
        if (isfinite(mean))
            g_ascii_formatd(text, sizeof text, "%.3f", mean);
        if (i) {
            g_string_append_c(to, ',');
            g_string_append_c(values, ',');
        }
        csv_field(to, ci_json_text(p, "portion", "?"));
        g_string_append(values, text);
    }
    g_string_append_printf(to, "\n%s\n", values->str);
    return g_string_free(to, FALSE);
}

#define HTML_TEXT_MAX 300

static void html_cell(GString *to, const char *tag, const char *text) {
    g_autofree char *clean = web_text_clean(text, HTML_TEXT_MAX);
    g_autofree char *safe = g_markup_escape_text(clean, -1);
    g_string_append_printf(to, "<%s>%s</%s>", tag, safe, tag);
}

static void html_interval(GString *to, const json_t *value) {
    g_autofree char *mean = ci_ns(ci_json_real(value, "mean_ns"));
    g_autofree char *range =
        ci_ns_interval(ci_json_real(value, "low_ns"), ci_json_real(value, "high_ns"));
    html_cell(to, "td", mean);
    html_cell(to, "td", range);
}

char *ci_html(const char *title, const json_t *night) {
    g_autofree char *range = web_level_interval(ci_json_real(night, "level"));
    const char *const head[] = {"portion",  "ns per call", range,    "before",
                                "interval", "change",      "verdict"};
    g_autofree char *headline = ci_headline(night);
    g_autofree char *line = g_strdup_printf("%s: %s", title, headline);
    GString *to = g_string_new("<div class=\"moowatch\">");
    html_cell(to, "h3", line);
    g_string_append(to, "<table><thead><tr>");
    for (gsize i = 0; i < G_N_ELEMENTS(head); i++)
        html_cell(to, "th", head[i]);
    g_string_append(to, "</tr></thead><tbody>");
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p) {
        g_autofree char *change = ci_ns(ci_json_real(json_object_get(p, "difference"), "mean_ns"));
        g_string_append(to, "<tr>");
        html_cell(to, "td", ci_json_text(p, "portion", "?"));
        html_interval(to, p);
        html_interval(to, json_object_get(p, "reference"));
        html_cell(to, "td", change);
        html_cell(to, "td",
                  web_verdict_words(ci_json_text(p, "verdict", "-"), ci_json_text(p, "rule", NULL),
                                    ci_json_text(p, "direction", NULL)));
        g_string_append(to, "</tr>");
    }
    g_string_append(to, "</tbody></table></div>\n");
    return g_string_free(to, FALSE);
}

#define JUNIT_TEXT_MAX 1000

typedef struct {
    GString *cases;
    unsigned tests, failures, errors, skipped;
} suite;

static char *attribute(const char *text) {
    g_autofree char *clean = web_text_clean(text, JUNIT_TEXT_MAX);
    return g_markup_escape_text(clean, -1);
}

static void outcome(suite *s, const char *element, unsigned *count, const char *type,
                    const char *message) {
    g_autofree char *text = attribute(message);
    g_autofree char *type_text = attribute(type);
    if (g_str_equal(element, "skipped"))
        g_string_append_printf(s->cases, "      <skipped message=\"%s\"/>\n", text);
    else
        g_string_append_printf(s->cases, "      <%s type=\"%s\" message=\"%s\">%s</%s>\n", element,
                               type_text, text, text, element);
    (*count)++;
}

static void add_case(suite *s, const char *class_name, const char *name, double seconds) {
    g_autofree char *class_text = attribute(class_name);
    g_autofree char *name_text = attribute(name);
    char time[G_ASCII_DTOSTR_BUF_SIZE];
    /* a response time cannot be negative, a portion can: C may measure below zero */
    g_ascii_formatd(time, sizeof time, "%.9f", isfinite(seconds) ? fmax(0, seconds) : 0);
    g_string_append_printf(s->cases, "    <testcase classname=\"%s\" name=\"%s\" time=\"%s\">\n",
                           class_text, name_text, time);
    s->tests++;
}

static void portion_case(suite *s, const char *title, const json_t *p) {
    const char *verdict = ci_json_text(p, "verdict", "first");
    const char *reason = ci_json_text(p, "reason", "no reason given");
    add_case(s, title, ci_json_text(p, "portion", "?"), ci_json_real(p, "mean_ns") / 1e9);
    if (ci_portion_changed(p, "up"))
        outcome(s, "failure", &s->failures, "overhead", reason);
    else if (g_str_equal(verdict, "harness") || g_str_equal(verdict, "environment"))
        outcome(s, "error", &s->errors, verdict, reason);
    else if (g_str_equal(verdict, "suspect"))
        outcome(s, "skipped", &s->skipped, verdict, "being confirmed by measuring again");
    else if (g_str_equal(verdict, "first"))
        outcome(s, "skipped", &s->skipped, verdict, "nothing to compare with yet");
    g_autofree char *text = attribute(ci_json_text(p, "reason", ""));
    g_autofree char *mean = ci_ns(ci_json_real(p, "mean_ns"));
    g_autofree char *range = ci_ns_interval(ci_json_real(p, "low_ns"), ci_json_real(p, "high_ns"));
    g_string_append_printf(s->cases,
                           "      <system-out>%s ns %s %s</system-out>\n    </testcase>\n", mean,
                           range, text);
}

char *ci_junit(const char *title, const json_t *night) {
    suite s = {.cases = g_string_new(NULL)};
    size_t i;
    json_t *p;
    json_array_foreach (json_object_get(night, "portions"), i, p)
        portion_case(&s, title, p);
    if (!g_str_equal(ci_json_text(night, "state", "measured"), "measured")) {
        add_case(&s, title, "measurement", 0);
        outcome(&s, "error", &s.errors, ci_json_text(night, "state", ""),
                ci_json_text(night, "reason", "no reason given"));
        g_string_append(s.cases, "    </testcase>\n");
    }
    g_autofree char *name = attribute(title);
    char *text = g_strdup_printf(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"%s\" "
        "tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\">\n%s  </testsuite>\n"
        "</testsuites>\n",
        name, s.tests, s.failures, s.errors, s.skipped, s.cases->str);
    g_string_free(s.cases, TRUE);
    return text;
}

#define MARKDOWN_TEXT_MAX 300
#define SENTENCE_MAX 800 /* two names of functions */

static void escaped_most(GString *to, const char *text, size_t most) {
    g_autofree char *clean = web_text_clean(text, most);
    web_text_markdown(to, clean);
}

static void escaped(GString *to, const char *text) {
    escaped_most(to, text, MARKDOWN_TEXT_MAX);
}

/* As code, in which nothing can be escaped. */
static void commit_id(GString *to, const char *sha) {
    if (strspn(sha, "0123456789abcdef") == strlen(sha))
        g_string_append_printf(to, "`%.12s` ", sha);
}

static void markdown_interval(GString *to, const json_t *value) {
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
    markdown_interval(to, p);
    if (compared) {
        const json_t *difference = json_object_get(p, "difference");
        g_autofree char *change = ci_ns(ci_json_real(difference, "mean_ns"));
        markdown_interval(to, json_object_get(p, "reference"));
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
