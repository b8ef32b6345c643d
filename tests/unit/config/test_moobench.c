#include "tests/unit/test.h"

#include "config/config.h"
#include "config/moobench.h"

#include <math.h>
#include <string.h>

#define TOO_LONG "raw-1-10-0123456789012345678901234567890123456789012345678901234567890.csv"

static void raw_names(void **state) {
    (void)state;
    cfg_moobench_raw raw;
    assert_true(cfg_moobench_raw_name("raw-3-10-4.csv", &raw));
    assert_int_equal(raw.loop, 3);
    assert_int_equal(raw.depth, 10);
    assert_string_equal(raw.configuration, "4");
    assert_true(cfg_moobench_raw_name("raw-999999999-0-otel.v-2_x.csv", &raw));
    assert_int_equal(raw.loop, 999999999);
    assert_string_equal(raw.configuration, "otel.v-2_x");
}

static void other_names(void **state) {
    (void)state;
    const char *const names[] = {"",
                                 "raw-",
                                 "raw-1-10-.csv",
                                 "raw-1-10-0.csv.bak",
                                 "raw-1-10.csv",
                                 "raw--10-0.csv",
                                 "raw-1-10-../x.csv",
                                 "raw-1-10-a/b.csv",
                                 "raw-1-10--.csv",
                                 "raw-1234567890-10-0.csv",
                                 "raw-1-10-0.csv\n",
                                 "Raw-1-10-0.csv",
                                 TOO_LONG,
                                 "raw-1-10-csv"};
    cfg_moobench_raw raw;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_false(cfg_moobench_raw_name(names[i], &raw));
}

#define EIGHT "[1.5, 2, 3, 4, 5, 6, 7, .NAN]"

static cfg_moobench *parse(const char *text, GError **error) {
    return cfg_moobench_parse(text, strlen(text), "results.yaml", error);
}

static void results_as_upstream_writes_them(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_moobench) results =
        parse("kind: Kieker-java\nexperiments:\n- timestamp: 1700000000.5\n  measurements:\n"
              "    No instrumentation : " EIGHT "\n    Writer (TCP): " EIGHT "\n"
              "- timestamp: 1\n  measurements: {}\n",
              &error);
    assert_null(error);
    assert_string_equal(results->kind, "Kieker-java");
    assert_int_equal(results->experiments->len, 2);
    const cfg_moobench_experiment *first = results->experiments->pdata[0];
    assert_true(first->timestamp_s == 1700000000.5);
    assert_int_equal(first->measurements->len, 2);
    const cfg_measurement *none = &g_array_index(first->measurements, cfg_measurement, 0);
    assert_string_equal(none->label, "No instrumentation");
    assert_true(none->us[0] == 1.5 && none->us[6] == 7 && isnan(none->us[7]));
    const cfg_moobench_experiment *second = results->experiments->pdata[1];
    assert_int_equal(second->measurements->len, 0);
}

/* R has words of its own for what it could not compute: of one loop there is no deviation. */
static void what_r_could_not_compute(void **state) {
    (void)state;
    g_autoptr(cfg_moobench) results = parse("experiments:\n- timestamp: 1\n  measurements:\n"
                                            "    a: [1.5, NA, NaN, .nan, .NAN, NA, NA, NA]\n",
                                            NULL);
    assert_non_null(results);
    const cfg_moobench_experiment *first = results->experiments->pdata[0];
    const cfg_measurement *one = &g_array_index(first->measurements, cfg_measurement, 0);
    assert_true(one->us[0] == 1.5);
    for (size_t i = 1; i < CFG_MOOBENCH_VALUES; i++)
        assert_true(isnan(one->us[i]));
}

static void no_kind_is_no_error(void **state) {
    (void)state;
    g_autoptr(cfg_moobench) results = parse("experiments: []\n", NULL);
    assert_string_equal(results->kind, "");
    assert_int_equal(results->experiments->len, 0);
}

static void broken_results(void **state) {
    (void)state;
#define ONE "experiments:\n- timestamp: 1\n  measurements:\n    a: "
    static const struct {
        const char *text, *place, *words;
    } cases[] = {
        {"", ":1: ", "is this MooBench's"},
        {"kind: x\n", ":1: ", "is this MooBench's"},
        {"experiments: x\n", ":1: ", "is this MooBench's"},
        {"- a\n", ":1: ", "is this MooBench's"},
        {"experiments:\n- 3\n", ":2: ", "has no measurements"},
        {"experiments:\n- timestamp: 1\n  measurements: []\n", ":2: ", "has no measurements"},
        {"experiments:\n- measurements: {}\n", "", "a number is expected"},
        {"experiments:\n- timestamp: soon\n  measurements: {}\n", ":2: ", "a number is expected"},
        {"experiments:\n- timestamp: 1e999\n  measurements: {}\n", ":2: ", "a number is expected"},
        {ONE "3\n", ":4: ", "[mean, sd"},
        {ONE "[1, 2, 3, 4, 5, 6, 7]\n", ":4: ", "[mean, sd"},
        {ONE "[1, 2, 3, 4, 5, 6, 7, 8, 9]\n", ":4: ", "[mean, sd"},
        {ONE "[1, 2, 3, 4, 5, 6, 7, x]\n", ":4: ", "a number is expected"},
        {ONE "[1, 2, 3, 4, 5, 6, 7, .inf]\n", ":4: ", "a number is expected"},
        {ONE "[1, 2, 3, 4, 5, 6, 7, [8]]\n", ":4: ", "a number is expected"},
        {"experiments:\n- timestamp: 1\n  measurements:\n    [a]: " EIGHT "\n",
         ":4: ", "a label is expected"},
        {"experiments: [\n", "", "results.yaml:"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(parse(cases[i].text, &error));
        assert_int_equal(error->code, CFG_ERROR_SYNTAX);
        if (!strstr(error->message, cases[i].place) || !strstr(error->message, cases[i].words))
            fail_msg("%s: %s", cases[i].text, error->message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(raw_names),
        cmocka_unit_test(other_names),
        cmocka_unit_test(results_as_upstream_writes_them),
        cmocka_unit_test(what_r_could_not_compute),
        cmocka_unit_test(no_kind_is_no_error),
        cmocka_unit_test(broken_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
