#include "ci/command/table.h"
#include "ci/formats/night.h"
#include "ci/formats/write.h"
#include "web/layout/text.h"

#include <math.h>

#define TEXT_MAX 1000

typedef struct {
    GString *cases;
    unsigned tests, failures, errors, skipped;
} suite;

static char *attribute(const char *text) {
    g_autofree char *clean = web_text_clean(text, TEXT_MAX);
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
