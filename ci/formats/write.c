#include "ci/formats/write.h"

#include "ci/command/table.h"
#include "ci/formats/night.h"
#include "config/limits.h"
#include "web/layout/text.h"
#include "web/words/words.h"

#include <math.h>
#include <string.h>

static const char *either(const char *text, const char *otherwise) {
    return text ? text : otherwise;
}

static char *headline_of(const cfg_night *night) {
    return night->headline ? g_strdup(night->headline) : web_night_headline(night);
}

char *ci_headline(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return headline_of(&night);
}

void ci_csv_field(GString *to, const char *text) {
    g_autofree char *clean = web_text_clean(text, CI_TEXT_CHARS);
    g_auto(GStrv) parts = g_strsplit(clean, "\"", -1);
    g_autofree char *doubled = g_strjoinv("\"\"", parts);
    g_string_append_printf(to, "\"%s%s\"", strchr("=+-@", clean[0]) && clean[0] ? "'" : "",
                           doubled);
}

char *ci_plot_csv(const char *title, const json_t *json) {
    (void)title;
    g_auto(cfg_night) night = cfg_night_of(json);
    g_autoptr(GString) values = g_string_new(NULL);
    GString *to = g_string_new(NULL);
    for (unsigned i = 0; i < night.portions_count; i++) {
        const double mean = night.portions[i].now.mean;
        char text[G_ASCII_DTOSTR_BUF_SIZE] = "";
        if (isfinite(mean))
            g_ascii_formatd(text, sizeof text, "%.3f", mean);
        if (i) {
            g_string_append_c(to, ',');
            g_string_append_c(values, ',');
        }
        ci_csv_field(to, either(night.portions[i].portion, "?"));
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

static void html_interval(GString *to, const det_interval *value) {
    g_autofree char *mean = ci_ns(value->mean);
    g_autofree char *range = ci_ns_interval(value->low, value->high);
    html_cell(to, "td", mean);
    html_cell(to, "td", range);
}

const char *ci_unit_words(const cfg_night *night) {
    const char *unit = cfg_night_unit(night);
    return g_str_equal(unit, "ns a call") ? "nanoseconds per call" : unit;
}

/* What stands beside the level before; judged: by which the two were judged, or NULL. */
static const char *range_before(const char *judged) {
    return judged ? "decision band" : "interval";
}

char *ci_html(const char *title, const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    g_autofree char *range = web_level_interval(night.level);
    const char *judged = web_judged_words(&night);
    const char *const head[] = {"portion", ci_unit_words(&night), range,
                                "before",  range_before(judged),  "change",
                                "verdict"};
    g_autofree char *headline = headline_of(&night);
    g_autofree char *line = g_strdup_printf("%s: %s", title, headline);
    GString *to = g_string_new("<div class=\"moowatch\">");
    html_cell(to, "h3", line);
    if (judged)
        html_cell(to, "p", judged);
    g_string_append(to, "<table><thead><tr>");
    for (gsize i = 0; i < G_N_ELEMENTS(head); i++)
        html_cell(to, "th", head[i]);
    g_string_append(to, "</tr></thead><tbody>");
    for (unsigned i = 0; i < night.portions_count; i++) {
        const cfg_portion *p = &night.portions[i];
        g_autofree char *change = ci_ns(p->difference.mean);
        g_string_append(to, "<tr>");
        g_autofree char *name = cfg_portion_title(&night, p);
        html_cell(to, "td", name);
        html_interval(to, &p->now);
        html_interval(to, &p->reference);
        html_cell(to, "td", change);
        html_cell(to, "td", p->verdict ? web_portion_words(p) : "-");
        g_string_append(to, "</tr>");
    }
    g_string_append(to, "</tbody></table></div>\n");
    return g_string_free(to, FALSE);
}

typedef struct {
    GString *cases;
    unsigned tests, failures, errors, skipped;
} suite;

static char *attribute(const char *text) {
    g_autofree char *clean = web_text_clean(text, CI_TEXT_CHARS);
    return g_markup_escape_text(clean, -1);
}

/* type: NULL for what is skipped, which has none */
static void outcome(suite *s, const char *element, unsigned *count, const char *type,
                    const char *message) {
    g_autofree char *text = attribute(message);
    g_autofree char *type_text = type ? attribute(type) : NULL;
    if (!type)
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

static bool is_among(const json_t *portions, const cfg_portion *p) {
    size_t i;
    const json_t *one;
    json_array_foreach (portions, i, one)
        if (cfg_is(p->configuration, cfg_json_word(one, "configuration", "")))
            return true;
    return false;
}

/* As the gate's policy has it, where one asked (its "failed"); else what got worse, and nobody had
 * announced. */
static bool is_failure(const json_t *failed, const cfg_portion *p) {
    return failed ? is_among(failed, p)
                  : cfg_is(p->verdict, "anomaly") && !p->accepted_in_advance &&
                        cfg_is_worse(p->direction, p->better);
}

/* Why nobody can tell of a measured portion whether it changed, as the gate has it; owned, NULL: it
 * can be told. doubted: the gate's policy cannot tell, whatever the portion says. */
static char *untold(const cfg_night *night, const cfg_portion *p, bool doubted) {
    char *why = cfg_is(p->verdict, "suspect") ? g_strdup("being confirmed by measuring again")
                : !p->verdict                 ? g_strdup("nothing to compare with yet")
                                              : web_unclear_reason(night, p);
    return why || !doubted ? why : g_strdup(either(night->headline, "nobody can tell"));
}

/* Was the gate asked about it ("asked": names)? Without a policy, or a choice of its, about all. */
static bool is_asked(const json_t *asked, const cfg_portion *p) {
    size_t i;
    const json_t *name;
    json_array_foreach (asked, i, name)
        if (cfg_is(p->portion, json_string_value(name)) ||
            cfg_is(p->configuration, json_string_value(name)))
            return true;
    return !asked;
}

static void portion_case(suite *s, const char *title, const cfg_night *night, const cfg_portion *p,
                         const json_t *json) {
    const bool doubted = is_among(json_object_get(json, "unsure"), p);
    g_autofree char *why_not = untold(night, p, doubted);
    g_autofree char *name = cfg_portion_name(night, p);
    add_case(s, title, name, p->unit ? 0 : p->now.mean / 1e9);
    if (!doubted && !is_asked(json_object_get(json, "asked"), p))
        outcome(s, "skipped", &s->skipped, NULL, "not judged: --portion names others");
    else if (is_failure(json_object_get(json, "failed"), p))
        outcome(s, "failure", &s->failures, "overhead", either(p->reason, "no reason given"));
    else if (why_not)
        outcome(s, "skipped", &s->skipped, NULL, why_not);
    g_autofree char *text = attribute(either(p->reason, ""));
    g_autofree char *unit = attribute(cfg_portion_unit(p));
    g_autofree char *mean = ci_ns(p->now.mean);
    g_autofree char *range = ci_ns_interval(p->now.low, p->now.high);
    g_string_append_printf(s->cases,
                           "      <system-out>%s %s %s %s</system-out>\n    </testcase>\n", mean,
                           unit, range, text);
}

static void limit_case(suite *s, const char *title, const cfg_limited *limit) {
    const char *said = either(limit->sentence, either(limit->limit, "?"));
    add_case(s, title, either(limit->limit, "?"), 0);
    if (cfg_limit_broken(limit))
        outcome(s, "failure", &s->failures, "limit", said);
    else if (!cfg_is(limit->state, "met"))
        outcome(s, "skipped", &s->skipped, NULL, said);
    g_string_append(s->cases, "    </testcase>\n");
}

char *ci_junit(const char *title, const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    suite s = {.cases = g_string_new(NULL)};
    for (unsigned i = 0; i < night.portions_count; i++)
        portion_case(&s, title, &night, &night.portions[i], json);
    for (unsigned i = 0; i < night.limits_count; i++)
        limit_case(&s, title, &night.limits[i]);
    if (night.state && !cfg_is(night.state, "measured")) {
        add_case(&s, title, "measurement", 0);
        outcome(&s, "error", &s.errors, night.state, either(night.reason, "no reason given"));
        g_string_append(s.cases, "    </testcase>\n");
    }
    const char *const beside[] = {night.lost, night.disturbed};
    for (size_t i = 0; i < G_N_ELEMENTS(beside); i++) {
        g_autofree char *said = attribute(either(beside[i], ""));
        if (*said)
            g_string_append_printf(s.cases, "    <system-out>%s</system-out>\n", said);
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

static void escaped(GString *to, const char *text) {
    web_text_markdown_line(to, text, MARKDOWN_TEXT_MAX);
}

/* As code, in which nothing can be escaped. */
static void commit_id(GString *to, const char *sha) {
    if (strspn(sha, "0123456789abcdef") == strlen(sha))
        g_string_append_printf(to, "`%.12s` ", sha);
}

static void markdown_interval(GString *to, const det_interval *value) {
    g_autofree char *mean = ci_ns(value->mean);
    g_autofree char *range = ci_ns_interval(value->low, value->high);
    g_string_append_printf(to, " %s | %s |", mean, range);
}

/* "▲ **rose**", or what else the verdict is. */
static void verdict(GString *to, const cfg_portion *p) {
    const char *words = p->verdict ? web_portion_words(p) : "-";
    if (cfg_is(p->verdict, "anomaly")) {
        g_string_append_printf(to, " %s **%s** |", web_verdict_mark(p->direction), words);
        return;
    }
    g_string_append_c(to, ' ');
    escaped(to, words);
    g_string_append(to, " |");
}

static void portion_row(GString *to, const cfg_night *night, const cfg_portion *p, bool compared) {
    g_string_append(to, "| ");
    g_autofree char *name = cfg_portion_title(night, p);
    escaped(to, name);
    g_string_append(to, " |");
    markdown_interval(to, &p->now);
    if (compared) {
        g_autofree char *change = ci_ns(p->difference.mean);
        markdown_interval(to, &p->reference);
        g_string_append_printf(to, " %s |", change);
        verdict(to, p);
    }
    g_string_append_c(to, '\n');
}

/* Of some portion it is known what it was before. */
static bool is_compared(const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (isfinite(night->portions[i].reference.mean))
            return true;
    return false;
}

static void table(GString *to, const cfg_night *night) {
    const bool compared = is_compared(night);
    g_autofree char *range = web_level_interval(night->level);
    const char *judged = web_judged_words(night);
    if (judged) {
        web_text_markdown_line(to, judged, SENTENCE_MAX);
        g_string_append(to, "\n\n");
    }
    g_string_append_printf(to, "| portion | %s | %s |", ci_unit_words(night), range);
    if (compared)
        g_string_append_printf(to, " before | %s | change | |\n|---|--:|---|--:|---|--:|---|\n",
                               range_before(judged));
    else
        g_string_append(to, "\n|---|--:|---|\n");
    for (unsigned i = 0; i < night->portions_count; i++)
        portion_row(to, night, &night->portions[i], compared);
    for (unsigned i = 0; i < night->portions_count; i++) {
        const cfg_portion *p = &night->portions[i];
        if ((cfg_is(p->verdict, "ok") && !cfg_portion_is_denied(p)) || cfg_is(p->verdict, "first"))
            continue;
        g_autoptr(GString) why = g_string_new(NULL);
        escaped(why, either(p->reason, ""));
        if (!strstr(to->str, why->str)) /* the headline says it, or another portion */
            g_string_append_printf(to, "\n- %s", why->str);
    }
}

/* What profiles say of the changes that began here. */
static void where(GString *to, const json_t *sentences) {
    size_t i;
    json_t *sentence;
    json_array_foreach (sentences, i, sentence) {
        g_string_append(to, "\n- Where it is: ");
        web_text_markdown_line(to, either(json_string_value(sentence), ""), SENTENCE_MAX);
    }
}

char *ci_markdown(const char *title, const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    g_autofree char *headline = headline_of(&night);
    GString *to = g_string_new("### ");
    escaped(to, title);
    g_string_append(to, ": ");
    escaped(to, headline);
    g_string_append(to, "\n\n");
    if (night.commit.sha || night.commit.subject) {
        commit_id(to, either(night.commit.sha, ""));
        escaped(to, either(night.commit.subject, ""));
        g_string_append(to, "\n\n");
    }
    if (night.portions_count > 0) {
        table(to, &night);
        where(to, json_object_get(json, "where"));
    }
    g_string_append_c(to, '\n');
    return g_string_free(to, FALSE);
}
