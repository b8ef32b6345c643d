/* `benchmark:` of a project: its numbers at their bounds, the chain, the environment. */
#include "tests/unit/test.h"

#include "config/config.h"
#include "file.h"
#include "numbers.h"

#include <stddef.h>
#include <string.h>

#define HEAD "name: a\nrepository: /tmp/a\nbenchmark:\n  driver: native\n"
#define ROOT "  configurations:\n    - {name: none, portion: T}\n"
#define CALLS_MAX UINT64_C(1000000000)

static cfg_project *with(const char *line, GError **error) {
    g_autofree char *text = g_strdup_printf(HEAD "  %s\n" ROOT, line);
    return test_project(text, -1, error);
}

#define WIDE(...) WIDE_OF(cfg_benchmark, __VA_ARGS__)
#define SMALL(...) SMALL_OF(cfg_benchmark, __VA_ARGS__)

static const number_row numbers[] = {
    SMALL("prepare_timeout_seconds", prepare_timeout_s, 900, 1, 86400),
    SMALL("loops", loops, 10, 2, 1000),
    WIDE("total_calls", total_calls, 2000000, 2, CALLS_MAX),
    WIDE("warmup_calls", warmup_calls, 1000000, 0, 1999999),
    WIDE("method_time_ns", method_time_ns, 0, 0, CALLS_MAX),
    SMALL("recursion_depth", recursion_depth, 10, 1, 100000),
    SMALL("threads", threads, 1, 1, 1024),
    SMALL("loop_timeout_seconds", loop_timeout_s, 600, 1, 86400),
    SMALL("rest_seconds", rest_s, 30, 0, 3600),
};

static uint64_t number_of(const cfg_project *project, size_t row) {
    return number_at(&project->benchmark, &numbers[row]);
}

static cfg_project *with_number(const char *key, uint64_t value, GError **error) {
    g_autofree char *line = g_strdup_printf("%s: %" G_GUINT64_FORMAT, key, value);
    return with(line, error);
}

static void every_number_has_its_default_and_bounds(void **state) {
    (void)state;
    g_autoptr(cfg_project) plain = test_project(HEAD ROOT, -1, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_project) low = with_number(numbers[i].key, numbers[i].low, &error);
        g_autoptr(cfg_project) high = with_number(numbers[i].key, numbers[i].high, &error);
        assert_null(error);
        if (number_of(plain, i) != numbers[i].fallback || number_of(low, i) != numbers[i].low ||
            number_of(high, i) != numbers[i].high)
            fail_msg("%s", numbers[i].key);
        assert_null(with_number(numbers[i].key, numbers[i].high + 1, &error));
        assert_non_null(strstr(error->message, numbers[i].key));
        g_clear_error(&error);
        if (numbers[i].low)
            assert_null(with_number(numbers[i].key, numbers[i].low - 1, NULL));
    }
}

/* Half of the calls warm up, unless the project or the configuration says otherwise. */
static void warmup_follows_the_calls(void **state) {
    (void)state;
    static const struct {
        const char *benchmark, *configuration;
        uint64_t total, warmup;
    } cases[] = {
        {"loops: 5", "", 2000000, 1000000},
        {"total_calls: 101", "", 101, 50},
        {"warmup_calls: 7", "", 2000000, 7},
        {"warmup_calls: 7", ", total_calls: 100", 100, 50},
        {"warmup_calls: 7", ", total_calls: 100, warmup_calls: 99", 100, 99},
        {"total_calls: 10", ", warmup_calls: 9", 10, 9},
        {"total_calls: 10", ", warmup_calls: 0", 10, 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf(HEAD "  %s\n  configurations:\n    - {name: none, portion: T%s}\n",
                            cases[i].benchmark, cases[i].configuration);
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_project) project = test_project(text, -1, &error);
        if (!project)
            fail_msg("%s", error->message);
        assert_true(project->benchmark.configurations[0].total_calls == cases[i].total);
        assert_true(project->benchmark.configurations[0].warmup_calls == cases[i].warmup);
    }
}

static void lists_become_arrays(void **state) {
    (void)state;
    g_autoptr(cfg_project) project = test_project(
        "name: a\nrepository: /tmp/a\nbenchmark:\n  driver: java\n  prepare: [mvn, -q]\n"
        "  classpath: [a.jar]\n  jdk: 25\n  network: off\n  configurations:\n"
        "    - {name: none, portion: T, options: [-Xmx1g], verify: [sh, -c, 'true'],"
        " loads: [a.jar, '{artifact}'],"
        " environment: ['A=b=c', 'EMPTY=', '_x1=']}\n",
        -1, NULL);
    const cfg_benchmark *b = &project->benchmark;
    const cfg_configuration *none = &b->configurations[0];
    assert_int_equal(b->driver, CFG_DRIVER_JAVA);
    assert_int_equal(b->network, CFG_NETWORK_OFF);
    assert_string_equal(b->prepare[1], "-q");
    assert_null(b->prepare[2]);
    assert_string_equal(b->classpath[0], "a.jar");
    assert_string_equal(b->jdk, "25");
    assert_string_equal(none->options[0], "-Xmx1g");
    assert_int_equal(none->verify_count, 3);
    assert_int_equal(none->loads_count, 2);
    assert_string_equal(none->loads[1], "{artifact}");
    assert_int_equal(none->environment_count, 3);
    assert_string_equal(none->environment[0].name, "A");
    assert_string_equal(none->environment[0].value, "b=c");
    assert_string_equal(none->environment[1].value, "");
    assert_string_equal(none->environment[2].name, "_x1");
}

static void a_chain_is_a_tree(void **state) {
    (void)state;
    static const struct {
        const char *rows, *words;
    } cases[] = {
        {"{name: none, portion: T, parent: none}", "has no parent"},
        {"{name: none, portion: T}\n    - {name: b, portion: I}", "needs a parent"},
        {"{name: none, portion: T}\n    - {name: none, portion: I, parent: none}", "is used twice"},
        {"{name: none, portion: T}\n    - {name: b, portion: I, parent: c}\n"
         "    - {name: c, portion: C, parent: none}",
         "define parents before"},
        {"{name: none, portion: T}\n    - {name: b, portion: I, parent: b}",
         "define parents before"},
        {"{name: none, portion: T}\n    - {name: b, portion: T, parent: none}",
         "choose another name"},
        {"{name: probe, portion: I-2}\n    - {name: b, portion: C, parent: probe}",
         "its parent has the portion \"I-2\""},
        {"{name: None, portion: T}", "must be a-z"},
        {"{name: 'a b', portion: T}", "must be a-z"},
        {"{name: ../x, portion: T}", "must be a-z"},
        {"{name: none, portion: TTTTTTTTTTTTTTTTTTTTTTTTT}", "longer than 24"},
        {"{portion: T}", "name"},
        {"{name: none}", "portion"},
        {"{name: none, portion: T, speed: 3}", "is not allowed here"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf(HEAD "  configurations:\n    - %s\n", cases[i].rows);
        g_autoptr(GError) error = NULL;
        assert_null(test_project(text, -1, &error));
        if (!strstr(error->message, cases[i].words))
            fail_msg("%s: %s", cases[i].rows, error->message);
    }
}

static void names_at_their_length(void **state) {
    (void)state;
    g_autofree char *name = g_strnfill(60, 'n'), *portion = g_strnfill(24, 'p');
    g_autofree char *good =
        g_strdup_printf(HEAD "  configurations:\n    - {name: %s, portion: %s}\n", name, portion);
    g_autofree char *bad =
        g_strdup_printf(HEAD "  configurations:\n    - {name: %sn, portion: T}\n", name);
    g_autoptr(cfg_project) project = test_project(good, -1, NULL);
    assert_string_equal(project->benchmark.configurations[0].name, name);
    assert_null(test_project(bad, -1, NULL));
}

static void at_most_64_configurations(void **state) {
    (void)state;
    for (unsigned n = 64; n <= 65; n++) {
        g_autoptr(GString) text = g_string_new(HEAD ROOT);
        for (unsigned i = 1; i < n; i++)
            g_string_append_printf(text, "    - {name: c%u, portion: P%u, parent: none}\n", i, i);
        g_autoptr(cfg_project) project = test_project(text->str, -1, NULL);
        assert_true(!project == (n == 65));
    }
    assert_null(test_project(HEAD "  configurations: []\n", -1, NULL));
    assert_null(test_project(HEAD, -1, NULL));
}

/* A configuration may have more threads than the benchmark. */
static void threads_of_a_configuration(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project = test_project(
        HEAD "  threads: 2\n" ROOT
             "    - {name: none-8-threads, portion: T 8 threads, parent: none, threads: 8}\n",
        -1, &error);
    g_assert_no_error(error);
    assert_int_equal(cfg_benchmark_threads(&project->benchmark, 0), 2);
    assert_int_equal(cfg_benchmark_threads(&project->benchmark, 1), 8);
}

#define PROBE "    - {name: probe, portion: I, parent: none, total_calls: 30, options: [-x]}\n"

/* One line: each further number makes all configurations once more. */
static void threads_of_all_configurations(void **state) {
    static const struct {
        const char *name, *portion, *parent;
        unsigned threads;
    } made[] = {{"none", "T", NULL, 1},
                {"probe", "I", "none", 1},
                {"none-2-threads", "T 2 threads", "none", 2},
                {"probe-2-threads", "I 2 threads", "none-2-threads", 2},
                {"none-8-threads", "T 8 threads", "none", 8},
                {"probe-8-threads", "I 8 threads", "none-8-threads", 8}};
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project =
        test_project(HEAD "  threads: [1, 2, 8]\n" ROOT PROBE, -1, &error);
    g_assert_no_error(error);
    assert_int_equal(project->benchmark.configurations_count, G_N_ELEMENTS(made));
    for (unsigned i = 0; i < G_N_ELEMENTS(made); i++) {
        const cfg_configuration *one = &project->benchmark.configurations[i];
        assert_string_equal(one->name, made[i].name);
        assert_string_equal(one->portion, made[i].portion);
        assert_string_equal(one->parent ? one->parent : "", made[i].parent ? made[i].parent : "");
        assert_int_equal(cfg_benchmark_threads(&project->benchmark, i), made[i].threads);
        assert_int_equal(one->total_calls, i % 2 ? 30 : 2000000);
        assert_int_equal(one->options_count, i % 2);
    }
    assert_string_equal(project->benchmark.configurations[5].label, "probe, 8 threads");
}

static void threads_that_make_no_configurations(void **state) {
    static const char *const wrong[][2] = {
        {HEAD "  threads: []\n" ROOT, "threads: must be a list of 1 to 16 entries"},
        {HEAD "  threads: [2, 1]\n" ROOT,
         "threads[1]: each value must be larger than the one before it"},
        {HEAD "  threads: [1, 2000]\n" ROOT, "threads[1]: 2000 is not a whole number between 1"},
        {HEAD "  threads: [1, 2]\n" ROOT "    - {name: b, portion: I, parent: none, threads: 4}\n",
         "leave threads of b out"},
        {HEAD "  threads: [1, 2]\n" ROOT
              "    - {name: b, portion: a name of 17 bytes, parent: none}\n",
         "portion \"a name of 17 bytes 2 threads\" is longer than 24 bytes"},
        {"name: a\nrepository: /tmp/a\nbenchmark:\n  driver: command\n  threads: [1, 2]\n"
         "  read: {format: jmh-json}\n  configurations:\n"
         "    - {name: none, portion: T, command: [x]}\n",
         "are for the drivers native, java and moobench"}};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(test_project(wrong[i][0], -1, &error));
        if (!strstr(error->message, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][1], error->message);
    }
    g_autoptr(GString) many = g_string_new(HEAD "  threads: [1, 2, 3, 4, 5]\n" ROOT);
    for (unsigned i = 1; i < 13; i++)
        g_string_append_printf(many, "    - {name: c%u, portion: P%u, parent: none}\n", i, i);
    g_autoptr(GError) error = NULL;
    assert_null(test_project(many->str, -1, &error));
    assert_non_null(strstr(error->message, "they make 65 configurations; at most 64"));
}

static void environment_names(void **state) {
    (void)state;
    static const char *const wrong[] = {"A",     "=x",   "1A=x", "A-B=x",
                                        "A B=x", " A=x", "Ä=x",  "A.B=x"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autofree char *text = g_strdup_printf(
            HEAD "  configurations:\n    - {name: none, portion: T, environment: ['A=1', '%s']}\n",
            wrong[i]);
        g_autoptr(GError) error = NULL;
        assert_null(test_project(text, -1, &error));
        if (!strstr(error->message, "environment[1]") || !strstr(error->message, "NAME=value"))
            fail_msg("%s: %s", wrong[i], error->message);
    }
}

static void artifacts(void **state) {
    (void)state;
    g_autofree char *hundred = g_strnfill(100, 'a');
    g_autofree char *line = g_strdup_printf("artifact: %s", hundred);
    g_autofree char *longer = g_strdup_printf("artifact: %sa", hundred);
    g_autoptr(cfg_project) none = test_project(HEAD ROOT, -1, NULL);
    g_autoptr(cfg_project) good = with("artifact: lib-1.0+x_y.jar", NULL);
    g_autoptr(cfg_project) longest = with(line, NULL);
    assert_null(none->benchmark.artifact);
    assert_string_equal(good->benchmark.artifact, "lib-1.0+x_y.jar");
    assert_int_equal(good->benchmark.artifact_wait_s, 6 * 3600);
    assert_non_null(longest);
    static const char *const wrong[] = {"artifact: ../x", "artifact: a/b",   "artifact: .x",
                                        "artifact: -x",   "artifact: 'a b'", "artifact: ''"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++)
        assert_null(with(wrong[i], NULL));
    assert_null(with(longer, NULL));
    g_autoptr(GError) error = NULL;
    assert_null(with("artifact_wait_seconds: 60", &error));
    assert_non_null(strstr(error->message, "needs artifact"));
    assert_null(with("artifact: x\n  artifact_wait_seconds: 0", NULL));
    assert_null(with("artifact: x\n  artifact_wait_seconds: 2592001", NULL));
}

static void precision_is_a_percentage(void **state) {
    (void)state;
    g_autoptr(cfg_project) never = with("precision_percent: 0", NULL);
    g_autoptr(cfg_project) whole = with("precision_percent: 100", NULL);
    assert_true(never->benchmark.precision_percent == 0);
    assert_true(whole->benchmark.precision_percent == 100);
    assert_null(with("precision_percent: 100.5", NULL));
    assert_null(with("precision_percent: -1", NULL));
}

static void what_is_counted_is_a_word(void **state) {
    (void)state;
    g_autoptr(cfg_project) none = with("loops: 5", NULL), aut = with("count: auto", NULL);
    g_autoptr(cfg_project) always = with("count: always", NULL), never = with("count: never", NULL);
    assert_int_equal(none->benchmark.count, CFG_COUNT_NEVER);
    assert_int_equal(aut->benchmark.count, CFG_COUNT_AUTO);
    assert_int_equal(always->benchmark.count, CFG_COUNT_ALWAYS);
    assert_int_equal(never->benchmark.count, CFG_COUNT_NEVER);
    assert_null(with("count: sometimes", NULL));
}

static void evidence_is_a_text(void **state) {
    (void)state;
    g_autofree char *most = g_strnfill(1000, 'x'), *more = g_strnfill(1001, 'x');
    g_autofree char *fits = g_strconcat("warmup_evidence: ", most, NULL);
    g_autofree char *longer = g_strconcat("warmup_evidence: ", more, NULL);
    g_autoptr(cfg_project) none = with("loops: 5", NULL), some = with(fits, NULL);
    assert_null(none->benchmark.warmup_evidence);
    assert_string_equal(some->benchmark.warmup_evidence, most);
    assert_null(with(longer, NULL));
}

static void a_budget_is_kept_alone(void **state) {
    (void)state;
    g_autoptr(cfg_project) none = with("loops: 5", NULL);
    g_autoptr(cfg_project) some = with("budget_minutes: 22.5", NULL);
    g_autoptr(cfg_project) not_early = with("budget_minutes: 5\n  precision_percent: 0", NULL);
    assert_true(none->benchmark.budget_minutes == 0);
    assert_true(some->benchmark.budget_minutes == 22.5);
    assert_true(not_early->benchmark.budget_minutes == 5);
    assert_null(with("budget_minutes: 1440.5", NULL));
    assert_null(with("budget_minutes: -1", NULL));
    assert_null(with("budget_minutes: 5\n  precision_percent: 2", NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_has_its_default_and_bounds),
        cmocka_unit_test(warmup_follows_the_calls),
        cmocka_unit_test(lists_become_arrays),
        cmocka_unit_test(a_chain_is_a_tree),
        cmocka_unit_test(names_at_their_length),
        cmocka_unit_test(at_most_64_configurations),
        cmocka_unit_test(threads_of_a_configuration),
        cmocka_unit_test(threads_of_all_configurations),
        cmocka_unit_test(threads_that_make_no_configurations),
        cmocka_unit_test(environment_names),
        cmocka_unit_test(artifacts),
        cmocka_unit_test(precision_is_a_percentage),
        cmocka_unit_test(what_is_counted_is_a_word),
        cmocka_unit_test(evidence_is_a_text),
        cmocka_unit_test(a_budget_is_kept_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
