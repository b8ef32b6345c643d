#include "ci/formats/verdict_line.h"

#include "config/json_text.h"

#include <math.h>
#include <string.h>

/* Its words and members without the texts that it holds; eleven numbers are among them. */
#define FIXED_MAX (512 + 11 * CFG_JSON_REAL_MAX + 5 * CI_SERIES_NIGHT_MAX)
#define VERDICT_MAX                                                                                \
    (FIXED_MAX + CFG_JSON_ESCAPED_MAX * (CI_SERIES_NIGHT_MAX + DET_NAME_MAX + DET_REASON_MAX))

static char *text_to(char *to, const char *text) {
    return cfg_json_string_to(to, text, strlen(text));
}

static char *number_to(char *to, double value) {
    return isfinite(value) ? cfg_json_real_to(to, value) : stpcpy(to, "null");
}

/* Its three members, without the bracket that ends them. */
static char *interval_to(char *to, const det_interval *i) {
    to = number_to(stpcpy(to, "{\"mean_ns\":"), i->mean);
    to = number_to(stpcpy(to, ",\"low_ns\":"), i->low);
    return number_to(stpcpy(to, ",\"high_ns\":"), i->high);
}

static char *night_to(char *to, const ci_series *series, gint64 night) {
    *to++ = '"';
    to = ci_series_night_to(to, series, night);
    *to++ = '"';
    return to;
}

static char *reference_to(char *to, const ci_series *series, const det_verdict *v) {
    to = stpcpy(interval_to(to, &v->reference), ",\"nights\":");
    to = stpcpy(ci_series_number_to(to, v->reference_nights), ",\"from_night\":");
    if (v->reference_nights == 0)
        return stpcpy(to, "null,\"to_night\":null}");
    to = stpcpy(night_to(to, series, v->reference_from), ",\"to_night\":");
    return stpcpy(night_to(to, series, v->reference_to), "}");
}

/* One end of a change, as an alert has it. */
static char *end_to(char *to, const ci_series *series, const det_verdict *v, gint64 night) {
    const bool changed = v->verdict == DET_VERDICT_ANOMALY || v->verdict == DET_VERDICT_SUSPECT ||
                         v->verdict == DET_VERDICT_ENVIRONMENT;
    if (!changed)
        return stpcpy(to, "null");
    return stpcpy(night_to(stpcpy(to, "{\"night\":"), series, night), "}");
}

static char *verdict_to(char *to, const ci_verdict_line *line) {
    static const char *const directions[] = {"\"down\"", "null", "\"up\""};
    const det_verdict *v = line->verdict;
    to = text_to(stpcpy(to, "{\"night\":"), line->night);
    to = text_to(stpcpy(to, ",\"portion\":"), line->portion);
    to = stpcpy(stpcpy(to, ",\"verdict\":\""), det_verdict_text(v->verdict));
    to = stpcpy(stpcpy(to, "\",\"rule\":\""), det_rule_text(v->rule));
    to = stpcpy(stpcpy(to, "\",\"direction\":"), directions[v->direction + 1]);
    to = number_to(stpcpy(to, ",\"level\":"), line->level);
    to = stpcpy(interval_to(stpcpy(to, ",\"judged\":"), &v->night), "}");
    return reference_to(stpcpy(to, ",\"reference\":"), line->series, v);
}

static char *change_to(char *to, const ci_verdict_line *line) {
    const det_verdict *v = line->verdict;
    to = stpcpy(interval_to(stpcpy(to, ",\"difference\":"), &v->difference), "}");
    to = number_to(stpcpy(to, ",\"evidence\":"), v->evidence);
    to = end_to(stpcpy(to, ",\"from\":"), line->series, v, v->from);
    to = end_to(stpcpy(to, ",\"to\":"), line->series, v, v->to);
    to = text_to(stpcpy(to, ",\"reason\":"), v->reason);
    return stpcpy(to, "}\n");
}

void ci_verdict_line_add(GString *to, const ci_verdict_line *line) {
    const gsize length = to->len;
    g_string_set_size(to, length + VERDICT_MAX);
    const char *end = change_to(verdict_to(to->str + length, line), line);
    g_string_truncate(to, (gsize)(end - to->str));
}
