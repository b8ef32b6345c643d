#include "tests/unit/runner/test.h"

#include "runner/driver/harvest.h"

#include <string.h>

#define TIMED "(?<value>[-+]?(?:[0-9][0-9.e]*|nan)) *(?<unit>[a-zµ/]+)$"

static const run_extract_rule usual = {.pattern = TIMED, .match_limit = 1000000, .timeout_s = 10};

static bool run(run_extract_rule rule, const char *text, const char *wanted, double *mean,
                GError **error) {
    g_autoptr(run_values) values = run_values_new(wanted, NULL, false);
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    bool good = run_extract(&rule, text, strlen(text), values, error) &&
                run_values_tell(values, "output", loop, error);
    *mean = loop->summary.mean;
    return good;
}

static void expect(run_extract_rule rule, const char *text, const char *wanted, double ns) {
    GError *error = NULL;
    double mean = 0;
    if (!run(rule, text, wanted, &mean, &error))
        fail_msg("%s", error->message);
    assert_close(mean, ns, 1e-9 * ns);
}

static void expect_wrong(run_extract_rule rule, const char *text, const char *message) {
    GError *error = NULL;
    double mean;
    assert_false(run(rule, text, NULL, &mean, &error));
    assert_error(error, RUN_ERROR_JOB, message);
}

static void test_lines(void **state) {
    (void)state;
    expect(usual, "starting\nmean: 12.5 us\nbye\n", NULL, 12500);
    expect(usual, "mean: 12.5 us", NULL, 12500);
    expect(usual, "mean: 12.5 us\r\n", NULL, 12500);
    expect(usual, "mean: 3µs\n", NULL, 3000);
    run_extract_rule fixed = {
        .pattern = "^t=(?<value>\\d+)$", .unit = "ms", .match_limit = 1000, .timeout_s = 10};
    expect(fixed, "x\nt=7\nt=no\n", NULL, 7e6);
}

static void test_names_choose(void **state) {
    (void)state;
    run_extract_rule named = usual;
    named.pattern = "^(?<name>\\w+): (?<value>\\S+) (?<unit>\\S+)$";
    expect(named, "none: 5 ns\nwriting: 2 us\n", "writing", 2000);
    expect(named, "none: 5 ns\nwriting: 2 us\n", "none", 5);
    expect_wrong(named, "none: 5 ns\nwriting: 2 us\n", "values with several names (none, writing");
}

static void test_whole(void **state) {
    (void)state;
    run_extract_rule whole = usual;
    whole.whole = true;
    whole.pattern = "Result:\\s+(?<value>[0-9.]+)\\s+(?<unit>\\w+)";
    expect(whole, "noise\nResult:\n   8.25\nns\n", NULL, 8.25);
    whole.whole = false;
    expect_wrong(whole, "noise\nResult:\n   8.25\nns\n", "no match of the pattern /Result:");
    whole.whole = true;
    whole.pattern = "^v (?<value>\\S+) (?<unit>\\S+)";
    expect_wrong(whole, "a\nb\nv 1 ns\nc\nv x ns\n", "line 5: \"x\" is not a decimal number");
}

static void test_every_error_names_pattern_and_line(void **state) {
    (void)state;
    expect_wrong(usual, "a\nb 1 parsec\n", "pattern /" TIMED "/, line 2: unknown unit \"parsec\"");
    expect_wrong(usual, "nan ns\n", "line 1: the value is not a finite number");
    expect_wrong(usual, "\n\n-3 ns\n", "line 3: the value -3 is negative");
    expect_wrong(usual, "1 ns\n2 ns\n", "several values: at line 1 and at line 2; narrow");
    expect_wrong(usual, "", "in 0 bytes, 0 lines; the last line: \"\"");
    expect_wrong(usual, "oops\nSegmentation fault\n\n",
                 "in 25 bytes, 3 lines; the last line: \"Segmentation fault\"; correct");
}

static void test_patterns_that_cannot_be_used(void **state) {
    (void)state;
    run_extract_rule rule = usual;
    rule.pattern = "(?<value>";
    expect_wrong(rule, "1 ns", "read.pattern, offset 9: ");
    rule.pattern = "(?<number>.)";
    expect_wrong(rule, "1 ns", "has no group named value");
    rule.pattern = "a|(?<value>b)";
    expect_wrong(rule, "a", "its group value is empty");
    rule.pattern = "(?<value>\\d)(?<unit>ns)?";
    expect_wrong(rule, "1", "its group unit is empty");
}

static void test_work_is_bounded(void **state) {
    (void)state;
    run_extract_rule greedy = usual;
    greedy.pattern = "^(a+)+(?<value>\\d)(?<unit>ns)$";
    char text[64] = {0};
    memset(text, 'a', 40);
    strcat(text, "ns"); /* what must be there is there, else PCRE2 does not even begin */
    expect_wrong(greedy, text, "more steps than read.match_limit allows");
    run_extract_rule late = usual;
    late.timeout_s = 0;
    expect_wrong(late, "1 ns", "longer than read.timeout_seconds");
}

static void test_empty_matches_end(void **state) {
    (void)state;
    run_extract_rule rule = {
        .pattern = "(?<value>\\d*)", .unit = "ns", .match_limit = 1000, .timeout_s = 10};
    expect_wrong(rule, "ä", "\"\" is not a decimal number");
    rule.pattern = "(?=(?<value>7))";
    expect_wrong(rule, "77", "several values");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_names_choose),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_every_error_names_pattern_and_line),
        cmocka_unit_test(test_patterns_that_cannot_be_used),
        cmocka_unit_test(test_work_is_bounded),
        cmocka_unit_test(test_empty_matches_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
