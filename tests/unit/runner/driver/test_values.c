#include "tests/unit/runner/test.h"

#include "runner/driver/harvest.h"

static void expect_wrong(const char *text, const char *unit, const char *message) {
    g_autoptr(run_values) values = run_values_new(NULL, NULL, false);
    GError *error = NULL;
    assert_false(run_values_parse(values, NULL, text, unit, "line 7", &error));
    if (strstr(error->message, "line 7: ") == NULL)
        fail_msg("\"%s\" names no place", error->message);
    assert_error(error, RUN_ERROR_JOB, message);
}

static void test_units(void **state) {
    (void)state;
    const struct {
        const char *value, *unit;
        double ns;
    } rows[] = {{"12.5", "ns", 12.5},   {"1.5", "us/op", 1500}, {"2e3", "ms", 2e9},
                {"0", "s", 0},          {"4", "ops/us", 250},   {"+3", "µs", 3000},
                {"1e6", "ops/s", 1000}, {".5", "ns", 0.5}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(run_values) values = run_values_new(NULL, NULL, false);
        g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
        assert_true(run_values_parse(values, NULL, rows[i].value, rows[i].unit, "x", NULL));
        assert_true(run_values_tell(values, "output", loop, NULL));
        assert_close(loop->summary.mean, rows[i].ns, 1e-12 * rows[i].ns);
        assert_int_equal(loop->calls, 1);
        assert_int_equal(loop->warmup_calls, 0);
        assert_int_equal(loop->summary.n, 1);
        assert_true(isnan(loop->summary.sd) && isnan(loop->summary.q1));
    }
}

static void test_what_is_no_value(void **state) {
    (void)state;
    expect_wrong("nan", "ns", "not a finite number");
    expect_wrong("inf", "ns", "not a finite number");
    expect_wrong("1e999", "ns", "not a finite number");
    expect_wrong("-1", "ns", "is negative");
    expect_wrong("1,234", "ns", "is not a decimal number");
    expect_wrong("", "ns", "is not a decimal number");
    expect_wrong(" 1", "ns", "is not a decimal number");
    expect_wrong("0x10", "ns", "is not a decimal number");
    expect_wrong("12ns", "ns", "is not a decimal number");
    expect_wrong("1", "MB", "unknown unit \"MB\"");
    expect_wrong("1", "", "unknown unit");
    expect_wrong("0", "ops/s", "cannot be turned into a time per call");
    expect_wrong("1e305", "min", "out of range");
}

/* A value of a unit of its own is kept as it is; of another one it is another value. */
static void test_a_unit_of_its_own(void **state) {
    (void)state;
    g_autoptr(run_values) values = run_values_new(NULL, "MiB", true);
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    GError *error = NULL;
    assert_true(run_values_parse(values, NULL, "54.5", "MiB", "x", NULL));
    assert_true(run_values_parse(values, NULL, "0", "MiB", "x", NULL));
    assert_false(run_values_parse(values, NULL, "1", "KiB", "line 7", &error));
    assert_error(error, RUN_ERROR_JOB, "the unit is \"KiB\" and not \"MiB\"");
    error = NULL;
    assert_false(run_values_parse(values, NULL, "-1", "MiB", "line 7", &error));
    assert_error(error, RUN_ERROR_JOB, "at least 0");
    assert_true(run_values_tell(values, "output", loop, NULL));
    assert_close(loop->summary.mean, 27.25, 1e-12);
    g_autoptr(run_values) rates = run_values_new(NULL, "records/s", false);
    assert_true(run_values_parse(rates, NULL, "500000", "ns", "of a tool", NULL));
    assert_true(run_values_tell(rates, "output", loop, NULL));
    assert_close(loop->summary.mean, 2000, 1e-9);
    error = NULL;
    assert_false(run_values_parse(rates, NULL, "0", "ns", "line 7", &error));
    assert_error(error, RUN_ERROR_JOB, "line 7: 0 ns cannot be turned into records/s");
    g_autoptr(run_values) prefixed = run_values_new(NULL, "records/s", false);
    assert_true(run_values_parse(prefixed, NULL, "1.5", "krecords/s", "of a tool", NULL));
    assert_true(run_values_tell(prefixed, "output", loop, NULL));
    assert_close(loop->summary.mean, 1500, 1e-9);
    error = NULL;
    assert_false(run_values_parse(rates, NULL, "5", "ms", "line 7", &error));
    assert_error(error, RUN_ERROR_JOB, "the unit is \"ms\" and not \"records/s\"");
    error = NULL;
    run_values_mean(values, NULL, 99);
    assert_false(run_values_tell(values, "output", loop, &error));
    assert_error(error, RUN_ERROR_JOB,
                 "the mean of 99 MiB is not within its values, 0 to 54.5 MiB");
}

/* A reason that is no text cannot be told as JSON, and the loop would seem to have gone well. */
static void test_reasons_do_not_cut_letters(void **state) {
    (void)state;
    GString *text = g_string_new(NULL);
    for (int i = 0; i < 100; i++)
        g_string_append(text, "€");
    g_autoptr(run_values) values = run_values_new(NULL, NULL, false);
    GError *error = NULL;
    assert_false(run_values_parse(values, NULL, text->str, "ns", "line 1", &error));
    assert_true(g_utf8_validate(error->message, -1, NULL));
    assert_error(error, RUN_ERROR_JOB, "is not a decimal number");
    g_string_free(text, TRUE);
}

static bool add(run_values *values, const char *name, const char *text, GError **error) {
    return run_values_parse(values, name, text, "ns", "line 1", error);
}

static void test_names(void **state) {
    (void)state;
    GError *error = NULL;
    g_autoptr(run_values) one = run_values_new("b", NULL, false);
    assert_true(add(one, "a", "not looked at", NULL));
    assert_true(add(one, "b", "5", NULL));
    assert_true(add(one, NULL, "not looked at either", NULL));
    assert_false(add(one, "b", "6", &error));
    assert_error(error, RUN_ERROR_JOB, "several values of b: at line 1 and at line 1");
    g_autoptr(run_values) none = run_values_new("c", NULL, false);
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    assert_true(add(none, "a", "1", NULL));
    assert_false(run_values_tell(none, "output", loop, &error));
    assert_error(error, RUN_ERROR_JOB, "output: no value named \"c\"; found: a;");
    g_autoptr(run_values) any = run_values_new(NULL, NULL, true);
    assert_true(add(any, "a", "1", NULL));
    assert_true(add(any, "a", "2", NULL));
    assert_false(add(any, "b", "3", &error));
    assert_error(error, RUN_ERROR_JOB, "several names (a, b");
}

static void test_samples(void **state) {
    (void)state;
    g_autoptr(run_values) values = run_values_new(NULL, NULL, true);
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    assert_true(add(values, NULL, "10", NULL) && add(values, NULL, "40", NULL) &&
                add(values, NULL, "20", NULL));
    assert_true(run_values_tell(values, "output", loop, NULL));
    assert_close(loop->summary.mean, 70.0 / 3, 1e-12);
    /* R: quantile(c(10,20,40), type=7), sd(c(10,20,40)) */
    assert_close(loop->summary.q3, 30, 0);
    assert_close(loop->summary.sd, 15.275252316519467, 1e-12);
    assert_int_equal(loop->calls, 3);
    assert_int_equal(loop->warmup_calls, 0);
}

static void test_the_first_samples_do_not_count(void **state) {
    (void)state;
    g_autoptr(run_values) values = run_values_new(NULL, NULL, true);
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    run_values_warm_up(values, 2);
    GError *error = NULL;
    assert_true(add(values, NULL, "900", NULL) && add(values, NULL, "500", NULL));
    assert_false(run_values_tell(values, "output", loop, &error));
    assert_error(error, RUN_ERROR_JOB, "output: 2 values, and the first 2 are the warm-up");
    assert_true(add(values, NULL, "10", NULL) && add(values, NULL, "40", NULL));
    assert_true(run_values_tell(values, "output", loop, NULL));
    assert_close(loop->summary.mean, 25, 0);
    assert_close(loop->summary.max, 40, 0);
    assert_int_equal(loop->summary.n, 2);
    assert_int_equal(loop->calls, 4);
    assert_int_equal(loop->warmup_calls, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_what_is_no_value),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_reasons_do_not_cut_letters),
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_a_unit_of_its_own),
        cmocka_unit_test(test_the_first_samples_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
