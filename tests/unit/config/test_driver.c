/* The keys of the drivers moobench and command: what they default to, and every way to be wrong. */
#include "tests/unit/test.h"

#include "config/config.h"
#include "file.h"

#include <string.h>

#define HEAD "name: a\nrepository: /tmp/a\nbenchmark:\n"
#define NONE "  configurations:\n    - {name: none, portion: T"
#define COMMAND HEAD "  driver: command\n"
#define ONE NONE ", command: [./b]}\n"
#define MOOBENCH HEAD "  driver: moobench\n  framework: frameworks/Kieker-java\n"

static cfg_project *load(const char *text, GError **error) {
    return test_project(text, -1, error);
}

static void a_command_has_defaults(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project =
        load(COMMAND "  read: {pattern: '(?<value>\\d+) (?<unit>ns)'}\n" ONE, &error);
    g_assert_no_error(error);
    const cfg_read *read = &project->benchmark.read;
    assert_int_equal(project->benchmark.driver, CFG_DRIVER_COMMAND);
    assert_int_equal(read->format, CFG_READ_PATTERN);
    assert_false(read->from_result);
    assert_false(read->whole);
    assert_false(read->samples);
    assert_null(read->unit);
    assert_int_equal(read->match_limit, 1000000);
    assert_int_equal(read->size_limit_bytes, 16 << 20);
    assert_false(project->benchmark.whole_rounds);
    assert_null(project->benchmark.configurations[0].result);
}

static void a_command_is_read_as_written(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project = load(
        COMMAND "  runtime: [java, -version]\n  whole_rounds: true\n"
                "  read: {format: google-benchmark-json, time: cpu, size_limit_bytes: 99}\n" NONE
                ", command: [./b, \"{result}\"], result: A}\n"
                "    - {name: w, portion: W, parent: none, result: B}\n",
        &error);
    g_assert_no_error(error);
    const cfg_benchmark *benchmark = &project->benchmark;
    assert_int_equal(benchmark->read.format, CFG_READ_google);
    assert_true(benchmark->read.from_result);
    assert_true(benchmark->read.cpu_time);
    assert_int_equal(benchmark->read.size_limit_bytes, 99);
    assert_true(benchmark->whole_rounds);
    assert_string_equal(benchmark->runtime[1], "-version");
    assert_string_equal(benchmark->configurations[1].result, "B");
}

/* Values of units of their own stand by themselves; the pattern needs to say none. */
static void a_unit_of_its_own_needs_no_parent(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project =
        load(COMMAND "  read: {pattern: '(?<name>\\w+) (?<value>\\d+)'}\n" NONE
                     ", command: [./b], result: a, unit: '%'}\n"
                     "    - {name: b, portion: B, command: [./b], result: b, unit: MiB}\n"
                     "    - {name: c, portion: C, parent: b, command: [./c], result: b, unit: MiB,"
                     " better: higher}\n",
             &error);
    g_assert_no_error(error);
    const cfg_configuration *all = project->benchmark.configurations;
    assert_string_equal(all[0].unit, "%");
    assert_false(all[1].higher);
    assert_null(all[1].parent);
    assert_true(all[2].higher);
    static const char *const wrong[][2] = {
        {"unit: ms}\n", "is of times, which are read without it"},
        {"better: higher}\n", "better needs a unit"},
        {"unit: '%', better: more}\n", "more"},
        {"unit: aaaaaaaaaaaaaaaaaaaaaaaaa}\n", "at most 24"},
        {"unit: '%'}\n    - {name: b, portion: B, parent: none, command: [./b], unit: MiB}\n",
         "its parent has another unit"},
        {"unit: '%'}\npull_requests: {minutes: 5}\n", "pull requests are judged by times alone"}};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) problem = NULL;
        g_autofree char *text = g_strconcat(
            COMMAND "  read: {pattern: '(?<value>\\d+)', unit: ns}\n" NONE ", command: [./b], ",
            wrong[i][0], NULL);
        assert_null(load(text, &problem));
        if (!strstr(problem->message, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], problem->message);
    }
}

static void every_format_has_its_word(void **state) {
    (void)state;
    static const char *const words[] = {CFG_READ_FORMATS(CFG_WORD)};
    for (unsigned i = 1; i < sizeof words / sizeof *words; i++) { /* 0: a pattern, above */
        g_autoptr(GError) error = NULL;
        g_autofree char *text = g_strdup_printf(COMMAND "  read: {format: %s}\n" ONE, words[i]);
        g_autoptr(cfg_project) project = load(text, &error);
        g_assert_no_error(error);
        assert_int_equal(project->benchmark.read.format, i);
        assert_true(project->benchmark.read.from_result);
    }
}

static void moobench_takes_its_numbers(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project =
        load(MOOBENCH NONE ", index: 0}\n    - {name: \"4\", portion: W, parent: none}\n", &error);
    g_assert_no_error(error);
    const cfg_benchmark *benchmark = &project->benchmark;
    assert_string_equal(benchmark->framework, "frameworks/Kieker-java");
    assert_string_equal(benchmark->script, "measure.sh");
    assert_null(benchmark->results);
    assert_int_equal(benchmark->configurations[0].index, 0);
    assert_int_equal(benchmark->configurations[1].index, 4);
}

/* One index with two numbers of threads is two configurations. */
static void moobench_has_an_index_once_for_each_number_of_threads(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project = load(
        MOOBENCH "  threads: [1, 4]\n" NONE "}\n    - {name: \"4\", portion: W, parent: none}\n",
        &error);
    assert_null(project);
    assert_non_null(strstr(error->message, "needs index"));
    g_clear_error(&error);
    project = load(MOOBENCH "  threads: [1, 4]\n" NONE
                            ", index: 0}\n    - {name: \"4\", portion: W, parent: none}\n",
                   &error);
    g_assert_no_error(error);
    assert_int_equal(project->benchmark.configurations[3].index, 4);
    assert_int_equal(cfg_benchmark_threads(&project->benchmark, 3), 4);
    g_autoptr(cfg_project) by_hand =
        load(MOOBENCH NONE ", index: 0}\n    - {name: w, portion: W, parent: none, index: 0, "
                           "threads: 4}\n",
             &error);
    g_assert_no_error(error);
    assert_int_equal(cfg_benchmark_threads(&by_hand->benchmark, 1), 4);
}

typedef struct {
    const char *text, *message;
} slip;

static void expect_slips(const slip *rows, size_t n) {
    for (size_t i = 0; i < n; i++) {
        g_autoptr(GError) error = NULL;
        assert_null(load(rows[i].text, &error));
        assert_non_null(error);
        if (!strstr(error->message, rows[i].message))
            fail_msg("row %zu: \"%s\" does not say \"%s\"", i, error->message, rows[i].message);
    }
}

static void every_slip_has_its_line(void **state) {
    (void)state;
    const slip rows[] = {
        {COMMAND ONE, ":3: benchmark: the command driver needs read"},
        {COMMAND "  read: {unit: ns}\n" ONE, ":5: benchmark.read: needs a pattern"},
        {COMMAND "  read: {pattern: '(?<value>'}\n" ONE, ":5: benchmark.read.pattern: "},
        {COMMAND "  read: {pattern: '(?<time>.)', unit: ns}\n" ONE, "no group named value"},
        {COMMAND "  read: {pattern: '(?<value>.)'}\n" ONE, "needs unit, or a group"},
        {COMMAND "  read: {pattern: '(?<value>.)', unit: MB}\n" ONE, "unknown unit \"MB\""},
        {COMMAND "  read: {pattern: '(?<value>.)', unit: ns}\n" NONE
                 ", command: [./b], result: x}\n",
         ":7: benchmark.configurations[0].result: names a value, but the pattern has no group"},
        {COMMAND "  read: {pattern: '(?<value>.)', unit: ns, several: mean}\n" ONE, ":5: "},
        {COMMAND "  read: {pattern: '(?<value>.)', unit: ns, time: cpu}\n" ONE,
         "is for format: google-benchmark-json"},
        {COMMAND "  read: {pattern: '(?<value>.)', unit: ns, match_limit: 1}\n" ONE, "1000"},
        {COMMAND "  read: {format: jmh-json, unit: ns}\n" ONE, "are for format: pattern"},
        {COMMAND "  read: {format: jmh-json, warmup_values: 1}\n" ONE, "are for format: pattern"},
        {COMMAND "  read: {pattern: '(?<value>.)', unit: ns, warmup_values: 1}\n" ONE,
         ":5: benchmark.read.warmup_values: is for several: samples"},
        {COMMAND "  read: {format: jmh-json}\n" NONE "}\n",
         ":7: benchmark.configurations[0]: needs "
         "a command"},
        {COMMAND "  whole_rounds: true\n  read: {format: jmh-json}\n" ONE,
         "needs result: the name"},
        {COMMAND "  whole_rounds: true\n  read: {format: jmh-json}\n" NONE
                 ", command: [./b], result: A}\n"
                 "    - {name: w, portion: W, parent: none, command: [./c], result: B}\n",
         "share the first one's command"},
        {COMMAND "  framework: x\n  read: {format: jmh-json}\n" ONE, "is for the moobench driver"},
        {COMMAND "  classpath: [x]\n  read: {format: jmh-json}\n" ONE, "is for the java driver"},
        {COMMAND "  read: {format: jmh-json}\n" NONE ", command: [./b], index: 0}\n",
         "index is for the moobench driver"},
        {HEAD "  driver: moobench\n" NONE ", index: 0}\n", "needs framework"},
        {HEAD "  driver: moobench\n  framework: ../x\n" NONE ", index: 0}\n",
         ":5: benchmark.framework: \"../x\" must be a relative path"},
        {HEAD "  driver: moobench\n  framework: /x\n" NONE ", index: 0}\n", "relative path"},
        {MOOBENCH "  script: -x\n" NONE ", index: 0}\n", "relative path"},
        {MOOBENCH "  read: {format: jmh-json}\n" NONE ", index: 0}\n", "is for the command driver"},
        {MOOBENCH NONE "}\n", ":7: benchmark.configurations[0]: needs index"},
        {MOOBENCH NONE ", index: 1000}\n", "1000"},
        {MOOBENCH NONE ", index: 0, command: [x]}\n", "command is not for the moobench driver"},
        {MOOBENCH NONE ", index: 0, result: x}\n", "result is for the command driver"},
        {MOOBENCH NONE ", index: 0}\n    - {name: w, portion: W, parent: none, index: 0}\n",
         ":8: benchmark.configurations[1].index: 0 is already used by none"},
        {MOOBENCH "  whole_rounds: true\n" NONE ", index: 0, total_calls: 10}\n",
         "total_calls belongs to the benchmark"},
        {HEAD "  driver: native\n  whole_rounds: true\n" NONE "}\n",
         "is for the moobench or command driver"},
        {HEAD "  driver: java\n  runtime: [java, -version]\n" NONE "}\n",
         "is for the native, moobench or command driver"},
        {HEAD "  driver: java\n" NONE ", command: [x]}\n", "java takes options"},
    };
    expect_slips(rows, G_N_ELEMENTS(rows));
}

static void a_slip_of_the_java_driver(void **state) {
    (void)state;
    const slip rows[] = {
        {HEAD "  driver: native\n  jdk: 25\n" NONE "}\n", "benchmark.jdk: is for the java driver"},
        {HEAD "  driver: java\n  jdk: temurin\n" NONE "}\n",
         ":5: benchmark.jdk: \"temurin\" is neither a version such as 25 nor an absolute path"},
        {HEAD "  driver: java\n  jdk: /a:/b\n" NONE "}\n", "nor an absolute path"},
    };
    expect_slips(rows, G_N_ELEMENTS(rows));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_has_defaults),
        cmocka_unit_test(a_command_is_read_as_written),
        cmocka_unit_test(a_unit_of_its_own_needs_no_parent),
        cmocka_unit_test(every_format_has_its_word),
        cmocka_unit_test(moobench_takes_its_numbers),
        cmocka_unit_test(moobench_has_an_index_once_for_each_number_of_threads),
        cmocka_unit_test(every_slip_has_its_line),
        cmocka_unit_test(a_slip_of_the_java_driver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
