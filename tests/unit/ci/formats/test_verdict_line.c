/* A verdict as a line: beside jansson's objects, which say the same slowly. */
#include "tests/unit/test.h"

#include "ci/formats/verdict_line.h"
#include "config/json_text.h"

#include <math.h>
#include <string.h>

static json_t *real(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval(const det_interval *i) {
    return json_pack("{s:o,s:o,s:o}", "mean_ns", real(i->mean), "low_ns", real(i->low), "high_ns",
                     real(i->high));
}

static json_t *night(const ci_series *series, gint64 id) {
    g_autofree char *name = ci_series_night(series, id);
    return json_string(name);
}

static json_t *end(const ci_verdict_line *line, gint64 id) {
    const det_verdict_name name = line->verdict->verdict;
    return name == DET_VERDICT_ANOMALY || name == DET_VERDICT_SUSPECT ||
                   name == DET_VERDICT_ENVIRONMENT
               ? json_pack("{s:o}", "night", night(line->series, id))
               : json_null();
}

/* What the line must say, by way of objects. */
static char *expected(const ci_verdict_line *line) {
    static const char *const directions[] = {"down", NULL, "up"};
    const det_verdict *v = line->verdict;
    json_t *reference = interval(&v->reference);
    json_object_set_new(reference, "nights", json_integer(v->reference_nights));
    json_object_set_new(reference, "from_night",
                        v->reference_nights ? night(line->series, v->reference_from) : json_null());
    json_object_set_new(reference, "to_night",
                        v->reference_nights ? night(line->series, v->reference_to) : json_null());
    json_t *json =
        json_pack("{s:s,s:s,s:s,s:s,s:s?,s:f,s:o,s:o,s:o,s:o,s:o,s:o,s:s}", "night", line->night,
                  "portion", line->portion, "verdict", det_verdict_text(v->verdict), "rule",
                  det_rule_text(v->rule), "direction", directions[v->direction + 1], "level",
                  line->level, "judged", interval(&v->night), "reference", reference, "difference",
                  interval(&v->difference), "evidence", real(v->evidence), "from",
                  end(line, v->from), "to", end(line, v->to), "reason", v->reason);
    g_autofree char *text = cfg_json_text(json, 0);
    json_decref(json);
    return g_strconcat(text, "\n", NULL);
}

static void line_is_right(const ci_verdict_line *line) {
    g_autoptr(GString) to = g_string_new("before\n");
    g_autofree char *right = expected(line);
    ci_verdict_line_add(to, line);
    ci_verdict_line_add(to, line);
    g_autofree char *whole = g_strconcat("before\n", right, right, NULL);
    assert_string_equal(to->str, whole);
    assert_int_equal(to->len, strlen(whole));
}

static det_verdict sample(void) {
    det_verdict v = {.verdict = DET_VERDICT_ANOMALY,
                     .rule = DET_RULE_WINDOW,
                     .direction = 1,
                     .night = {.mean = 1500.25, .low = 1490, .high = 1.0 / 3 + 1510},
                     .reference = {.mean = 1400, .low = 1399.999, .high = 1401},
                     .difference = {.mean = 100.25, .low = -1e-7, .high = 1e20},
                     .evidence = 17.5,
                     .reference_nights = 30,
                     .reference_from = 735000,
                     .reference_to = 735029,
                     .from = 735029,
                     .to = 735030};
    g_strlcpy(v.reason, "I rose by 7.16 %: from 1.40 µs to 1.50 µs", sizeof v.reason);
    return v;
}

static void every_verdict_is_said_as_by_objects(void **state) {
    (void)state;
    for (int dates = 0; dates < 2; dates++) {
        const ci_series series = {.dates = dates};
        for (int name = DET_VERDICT_OK; name <= DET_VERDICT_SUSPECT; name++)
            for (int direction = -1; direction <= 1; direction++) {
                det_verdict v = sample();
                v.verdict = (det_verdict_name)name;
                v.direction = direction;
                v.reference_nights = (unsigned)(name % 2) * 1234;
                line_is_right(
                    &(ci_verdict_line){&series, dates ? "2013-05-27" : "41", "I", 0.95, &v});
            }
    }
}

static void what_is_not_known_is_null(void **state) {
    (void)state;
    const ci_series series = {.dates = true};
    det_verdict v = sample();
    v.night.low = v.night.high = NAN;
    v.reference = v.difference = (det_interval){.mean = NAN, .low = -INFINITY, .high = INFINITY};
    v.evidence = NAN;
    line_is_right(&(ci_verdict_line){&series, "2013-05-27", "T", 0.999, &v});
}

/* Names and sentences that JSON cannot have as they are, and the longest ones. */
static void texts_of_any_letters(void **state) {
    (void)state;
    const ci_series series = {.dates = false};
    det_verdict v = sample();
    g_strlcpy(v.reason, "a \"name\"\\ with\ttabs,\nlines,\x01 and \x1f; W × 2 µs", sizeof v.reason);
    line_is_right(&(ci_verdict_line){&series, "-9223372036854775808", "W \"x\"\b", 0.5, &v});
    memset(v.reason, '\x02', sizeof v.reason - 1);
    v.reason[sizeof v.reason - 1] = 0;
    char name[DET_NAME_MAX];
    memset(name, '\x03', sizeof name - 1);
    name[sizeof name - 1] = 0;
    v.reference_from = G_MININT64;
    v.reference_to = v.from = v.to = G_MAXINT64;
    line_is_right(&(ci_verdict_line){&series, "9223372036854775807", name, 0.5, &v});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_is_said_as_by_objects),
        cmocka_unit_test(what_is_not_known_is_null),
        cmocka_unit_test(texts_of_any_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
