/* Tables for people, from the JSON of a night. */
#include "tests/unit/ci/command/called.h"

#include "ci/command/report.h"

/* What is printed of it; caller frees. */
static char *night_text(const json_t *night) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    ci_report_night(night, to);
    (void)fclose(to);
    char *owned = g_strdup(text);
    free(text);
    return owned;
}

static char *comparison_text(const json_t *before, const json_t *after) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    ci_report_comparison(before, after, to);
    (void)fclose(to);
    char *owned = g_strdup(text);
    free(text);
    return owned;
}

static void expect_says(const char *text, const char *says) {
    if (!strstr(text, says))
        fail_msg("\"%s\" is not in: %s", says, text);
}

#define LOOP(n_, dropped_) "{'summary': {'n': " #n_ "}, 'warmup_calls': " #dropped_ "}"

/* Two loops' night of one configuration; recursion_depth 0: of a program of one's own. */
static json_t *night_of(const char *loops, int recursion_depth) {
    g_autofree char *json =
        g_strdup_printf("{'source': 'r', 'loops': 2, 'recursion_depth': %d, 'level': 0.9,"
                        " 'configurations': [{'name': '0', 'loop_results': [%s]}]}",
                        recursion_depth, loops);
    return json_of(json);
}

/* Loops that differ are told as a range; one that is missing is no 0. */
static void how_many_calls(void **state) {
    (void)state;
    static const struct {
        const char *loops, *says;
    } cases[] = {
        {LOOP(100, 50) "," LOOP(100, 50), "100 calls kept of each loop (50 dropped)"},
        {LOOP(90, 50) "," LOOP(100, 50), "90 to 100 calls kept of each loop (50 dropped)"},
        {LOOP(100, 40) "," LOOP(100, 50), "100 calls kept of each loop (40 to 50 dropped)"},
        {LOOP(100, 50) ",{'summary': null, 'failed': 'the raw file is missing'}",
         "100 calls kept of each loop (50 dropped)"},
        {"", "2 loops\n"},
        {"{'summary': {'mean_ns': 5}}", "2 loops\n"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *night = night_of(cases[i].loops, 10);
        g_autofree char *text = night_text(night);
        expect_says(text, cases[i].says);
        expect_says(text, "r: recursion depth 10, 2 loops");
        assert_null(strstr(text, "of calls\" is"));
        expect_says(text, "intervals of 90 %");
        json_decref(night);
    }
}

/* Of a program of one's own nobody knows how many calls a value is of. */
static void values_are_no_calls(void **state) {
    (void)state;
    static const struct {
        const char *loops, *says;
    } cases[] = {{LOOP(100, 3) "," LOOP(90, 3), "r: 2 loops, 90 to 100 values kept of each loop (3 "
                                                "dropped)\n"},
                 {LOOP(1, 0) "," LOOP(1, 0), "r: 2 loops\n"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *night = night_of(cases[i].loops, 0);
        g_autofree char *text = night_text(night);
        expect_says(text, cases[i].says);
    }
}

static void rows(void **state) {
    (void)state;
    json_t *night = json_of(
        "{'source': 'r', 'loops': 1, 'level': 0.95, 'configurations': [{'name': '0', 'label':"
        " 'No instrumentation', 'loops': 1, 'mean_ns': 70.12, 'low_ns': null, 'high_ns': null,"
        " 'statistics': {'n': 8, 'mean_ns': 70.12, 'sd_ns': 2.5, 'calls_low_ns': 69.5,"
        " 'calls_high_ns': 70.5}}], 'portions': [{'portion': 'I', 'configuration': '1', 'parent':"
        " '0', 'mean_ns': 12.5, 'low_ns': 12, 'high_ns': 13, 'median_ns': 12.25, 'method':"
        " 'paired'}]}");
    g_autofree char *text = night_text(night);
    expect_says(text, "r: 1 loop\nIn nanoseconds per call; intervals of 95 %");
    expect_says(text, "\n\"of calls\" is the interval that MooBench prints.");
    expect_says(text, "One loop has no interval");
    expect_says(text, "\n0 No instrumentation      1  70.12         -");
    expect_says(text, "[69.50, 70.50]\n");
    expect_says(
        text,
        "\nI        1              0      12.50  [12.00, 13.00]      12.25         -  paired\n");
    json_decref(night);
}

#define PORTION(verdict_, direction_, percent_)                                                    \
    "{'portion': 'W', 'mean_ns': 1100, 'low_ns': 1090, 'high_ns': 1110, 'verdict': '" verdict_     \
    "', 'direction': " direction_ ", 'reference': {'mean_ns': 1000, 'low_ns': 990, 'high_ns':"     \
    " 1010}, 'difference': {'mean_ns': 100, 'low_ns': 86, 'high_ns': 114, 'percent': " percent_    \
    "}}"

/* Mean and median both: one slow start moves a mean. */
static void a_step_that_does_nothing(void **state) {
    (void)state;
    static const struct {
        const char *low, *median_low, *parent;
        bool told;
    } cases[] = {{"-1", "-2", "'none'", true},
                 {"0", "0", "'none'", true},
                 {"-1", "5", "'none'", false},
                 {"5", "-1", "'none'", false},
                 {"-1", "-2", "null", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *json = g_strdup_printf(
            "{'source': 'r', 'loops': 2, 'recursion_depth': 10, 'level': 0.9, 'configurations': [],"
            " 'portions': [{'portion': 'I', 'configuration': 'probe', 'parent': %s, 'mean_ns': 9,"
            " 'low_ns': %s, 'high_ns': 20, 'median_ns': 9, 'median_low_ns': %s,"
            " 'median_high_ns': 20}]}",
            cases[i].parent, cases[i].low, cases[i].median_low);
        json_t *night = json_of(json);
        g_autofree char *text = night_text(night);
        assert_true((strstr(text, "I: these loops cannot tell probe from none.") != NULL) ==
                    cases[i].told);
        json_decref(night);
    }
}

static void a_comparison(void **state) {
    (void)state;
    static const struct {
        const char *portion, *row;
        bool rose;
    } cases[] = {
        {PORTION("anomaly", "'up'", "10"), "+10.0 %  ▲ rose\n", true},
        {PORTION("anomaly", "'down'", "-10"), "-10.0 %  ▼ fell\n", false},
        {PORTION("ok", "null", "null"), "        -  \n", false},
        {"{'portion': 'W', 'mean_ns': 1100, 'verdict': 'first'}", "-  \n", false},
    };
    json_t *before = json_of("{'source': 'old'}");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *json =
            g_strdup_printf("{'source': 'new', 'state': 'measured', 'level': 0.99, 'headline':"
                            " 'said\\u001b', 'portions': [%s]}",
                            cases[i].portion);
        json_t *after = json_of(json);
        g_autofree char *text = comparison_text(before, after);
        expect_says(text, "old → new, nanoseconds per call; intervals of 99 %\n");
        expect_says(text, cases[i].row);
        expect_says(text, "\nsaid\uFFFD\n");
        assert_true(ci_any_rose(after) == cases[i].rose);
        json_decref(after);
    }
    json_decref(before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_many_calls), cmocka_unit_test(values_are_no_calls),
        cmocka_unit_test(rows),           cmocka_unit_test(a_step_that_does_nothing),
        cmocka_unit_test(a_comparison),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
