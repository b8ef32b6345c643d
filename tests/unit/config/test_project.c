#include "tests/unit/test.h"

#include "config/config.h"
#include "file.h"

#include <jansson.h>
#include <string.h>

#define HEAD "name: a\nrepository: /tmp/a\n"
#define TEN "vvvvvvvvvv"
#define FIFTY TEN TEN TEN TEN TEN
#define LONG FIFTY FIFTY FIFTY FIFTY "*"
#define CHAIN "benchmark:\n  driver: native\n  configurations:\n    - {name: none, portion: T}\n"
#define WHOLE HEAD CHAIN

static void minimal_file_gets_all_defaults(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project = test_project(WHOLE, -1, &error);
    assert_null(error);
    assert_string_equal(project->title, "a");
    assert_string_equal(project->branch, "main");
    assert_string_equal(project->night_at, "03:00");
    assert_null(project->since);
    assert_true(project->enabled);
    assert_int_equal(project->benchmark.loops, 10);
    assert_int_equal(project->benchmark.total_calls, 2000000);
    assert_int_equal(project->benchmark.warmup_calls, 1000000);
    assert_int_equal(project->benchmark.recursion_depth, 10);
    assert_int_equal(project->benchmark.rest_s, 30);
    assert_true(project->benchmark.precision_percent == 0);
    assert_int_equal(project->benchmark.network, CFG_NETWORK_ON);
    assert_int_equal(project->benchmark.configurations_count, 1);
    assert_string_equal(project->benchmark.configurations[0].label, "none");
    assert_int_equal(project->benchmark.configurations[0].total_calls, 2000000);
    assert_float_equal(project->detection.confidence, 0.95, 0);
    /* What docs/detection.md reports is measured with just these (tests/bench/detector/loop.c). */
    assert_float_equal(project->detection.minimum_effect_percent, 1, 0);
    assert_float_equal(project->detection.minimum_effect_ns, 1, 0);
    assert_int_equal(project->detection.baseline_nights, 30);
    assert_int_equal(project->detection.minimum_loops, 2);
    assert_int_equal(project->detection.trim, DET_TRIM_ENDS);
    assert_true(project->detection.remeasure);
    assert_false(project->detection.tell_counts);
    assert_true(project->detection.dimensions);
    assert_int_equal(project->detection.remeasure_loops, 600);
    assert_float_equal(project->detection.remeasure_minutes, 0, 0);
    assert_float_equal(project->detection.explain_minutes, CFG_EXPLAIN_MINUTES, 0);
    assert_int_equal(project->detection.ageing_days, 30);
    assert_float_equal(project->detection.announced_percent, 50, 0);
    assert_int_equal(project->detection.announcers_count, 0);
    assert_float_equal(project->pull_requests.minutes, 0, 0);
    assert_float_equal(project->pull_requests.minutes_a_day, 480, 0);
    assert_int_equal(project->detection.profile_command_count, 0);
    assert_null(project->detection.profile_root);
}

static void whole_file_is_read_as_written(void **state) {
    (void)state;
    static const char text[] =
        "name: kieker-java\ntitle: Kieker\nrepository: https://example.org/k.git\nbranch: dev/x\n"
        "night_at: \"23:59\"\nsince: 2013-04-17\nenabled: false\n"
        "commit_url: https://example.org/{commit}\nreleases: v*\n"
        "benchmark:\n  driver: java\n  prepare: [mvn, -q, package]\n  loops: 5\n"
        "  total_calls: 1000\n  warmup_calls: 300\n  method_time_ns: 500000\n  threads: 2\n"
        "  classpath: [lib/a.jar]\n  configurations:\n"
        "    - {name: none, label: No instrumentation, portion: T}\n"
        "    - name: writing\n      parent: none\n      portion: W\n      total_calls: 400\n"
        "      options: [\"@options/w\", -Xmx1g]\n      environment: [A=b=c, B=]\n"
        "      verify: [./check, \"{scratch}\"]\n"
        "detection: {confidence: 0.99, minimum_effect_percent: 2.5, remeasure: false,\n"
        "            remeasure_loops: 40, remeasure_minutes: 22.5, ageing_days: 0, tell_counts: "
        "true, dimensions: false,\n"
        "            announced_percent: 7.5, announcers: [ada@example.org], trim: slow}\n"
        "pull_requests: {minutes: 10, minutes_a_day: 90, percent: 3, label: go}\n"
        "node_labels: [jdk17, bare-metal]\npaths: [src/, \"*.gradle\"]\n"
        "paths_ignore: [\"*.md\"]\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project = test_project(text, -1, &error);
    assert_null(error);
    const cfg_benchmark *benchmark = &project->benchmark;
    assert_string_equal(project->releases, "v*");
    assert_int_equal(benchmark->driver, CFG_DRIVER_JAVA);
    assert_string_equal(benchmark->prepare[2], "package");
    assert_null(benchmark->prepare[3]);
    assert_int_equal(benchmark->warmup_calls, 300);
    const cfg_configuration *writing = &benchmark->configurations[1];
    assert_string_equal(writing->parent, "none");
    assert_int_equal(writing->total_calls, 400);
    assert_int_equal(writing->warmup_calls, 200);
    assert_int_equal(benchmark->configurations[0].warmup_calls, 300);
    assert_string_equal(writing->environment[0].name, "A");
    assert_string_equal(writing->environment[0].value, "b=c");
    assert_string_equal(writing->environment[1].value, "");
    assert_string_equal(writing->verify[1], "{scratch}");
    assert_false(project->enabled);
    assert_float_equal(project->detection.minimum_effect_percent, 2.5, 0);
    assert_false(project->detection.remeasure);
    assert_true(project->detection.tell_counts);
    assert_false(project->detection.dimensions);
    assert_int_equal(project->detection.trim, DET_TRIM_SLOW);
    assert_int_equal(project->detection.remeasure_loops, 40);
    assert_float_equal(project->detection.remeasure_minutes, 22.5, 0);
    assert_float_equal(project->pull_requests.minutes, 10, 0);
    assert_float_equal(project->pull_requests.minutes_a_day, 90, 0);
    assert_float_equal(project->pull_requests.percent, 3, 0);
    assert_string_equal(project->pull_requests.label, "go");
    assert_int_equal(project->detection.ageing_days, 0);
    assert_float_equal(project->detection.announced_percent, 7.5, 0);
    assert_string_equal(project->detection.announcers[0], "ada@example.org");
    assert_int_equal(project->paths_count, 2);
    assert_string_equal(project->paths[1], "*.gradle");
    assert_string_equal(project->paths_ignore[0], "*.md");
    assert_int_equal(project->node_labels_count, 2);
    assert_string_equal(project->node_labels[1], "bare-metal");
}

/* Each wrong file: the line that must be named, and a word of the message. */
static const struct {
    const char *name, *text;
    int line;
    const char *word;
} wrong[] = {
    {"unknown key", "name: a\nfoo: 3\nrepository: b\n" CHAIN, 2, "foo"},
    {"unknown key deep inside", WHOLE "    - {name: b, portion: I, parent: none, depth: 4}\n", 7,
     "depth"},
    {"unknown key of the benchmark", WHOLE "  treads: 4\n", 7, "treads"},
    {"name missing", "repository: b\n" CHAIN, 0, "name"},
    {"number wanted", WHOLE "  loops: many\n", 7, "many"},
    {"list wanted", WHOLE "  prepare: make\n", 7, "must be a list"},
    {"text wanted", "name: [a]\nrepository: b\n" CHAIN, 1, "must be a single value"},
    {"flag is true or false", "enabled: maybe\n" WHOLE, 1, "maybe"},
    {"no such driver", HEAD "benchmark:\n  driver: perl\n  configurations: []\n", 4, "perl"},
    {"too few loops", WHOLE "  loops: 1\n", 7, "between 2 and 1000"},
    {"negative number", WHOLE "  loops: -3\n", 7, "-3"},
    {"octal number", WHOLE "  loops: 010\n", 7, "010"},
    {"overflowing number", WHOLE "  loops: 99999999999999999999999\n", 7, "999"},
    {"warm-up eats all calls", WHOLE "  total_calls: 10\n  warmup_calls: 10\n", 8, "warmup_calls"},
    {"infinite threshold", WHOLE "detection:\n  minimum_effect_ns: 1e999\n", 8, "1e999"},
    {"hardly any loops again", WHOLE "detection:\n  remeasure_loops: 4\n", 8, "remeasure_loops"},
    {"loops again for ever", WHOLE "detection:\n  remeasure_loops: 10001\n", 8, "remeasure_loops"},
    {"more minutes than a day has", WHOLE "detection:\n  remeasure_minutes: 1441\n", 8,
     "remeasure_minutes"},
    {"less than no minutes", WHOLE "detection:\n  remeasure_minutes: -1\n", 8, "remeasure_minutes"},
    {"a profile that goes nowhere", WHOLE "detection:\n  profile_command: [perf]\n", 8,
     "{profile}"},
    {"a root of no profile", WHOLE "detection:\n  profile_root: main\n", 8, "profile_command"},
    {"loops that nobody names", WHOLE "detection:\n  trim: fast\n", 8, "ends or slow"},
    {"a limit without a unit", WHOLE "detection:\n  limits: [start <= 2]\n", 8, "must be ns"},
    {"a limit of nothing", WHOLE "detection:\n  limits: [Z <= 2 ns]\n", 8, "neither a portion"},
    {"a limit of no time", WHOLE "detection:\n  limits: [start <= 2 MiB]\n", 8,
     "nor a dimension with such a unit"},
    {"ages never to come", WHOLE "detection:\n  ageing_days: 36501\n", 8, "ageing_days"},
    {"a path that is none", WHOLE "paths: [src/, \"!docs/\"]\n", 7, "!docs/"},
    {"a path from elsewhere", WHOLE "paths_ignore: [/docs]\n", 7, "paths_ignore"},
    {"a label without letters", WHOLE "node_labels: [\"\"]\n", 7, "node_labels"},
    {"a key for no ssh", WHOLE "ssh_key_file: key\n", 7, "ssh_key_file"},
    {"a fingerprint of MD5",
     "name: a\nrepository: git@example.org:b.git\n" CHAIN "ssh_host_fingerprints: [\"MD5:a\"]\n", 7,
     "ssh_host_fingerprints"},
    {"nan threshold", WHOLE "detection:\n  confidence: nan\n", 8, "nan"},
    {"root with a parent",
     HEAD
     "benchmark:\n  driver: native\n  configurations:\n    - {name: n, parent: n, portion: T}\n",
     6, "has no parent"},
    {"artifact with a path", WHOLE "  artifact: ../a.jar\n", 7, "file name"},
    {"artifact that is hidden", WHOLE "  artifact: .jar\n", 7, "file name"},
    {"waiting for nothing", WHOLE "  artifact_wait_seconds: 60\n", 7, "artifact_wait_seconds"},
    {"waiting for ever", WHOLE "  artifact: a.jar\n  artifact_wait_seconds: 2592001\n", 8,
     "artifact_wait_seconds"},
    {"second root", WHOLE "    - {name: b, portion: I}\n", 7, "parent"},
    {"parent below", WHOLE "    - {name: b, portion: I, parent: c}\n", 7, "\"c\""},
    {"name twice", WHOLE "    - {name: none, portion: I, parent: none}\n", 7, "used twice"},
    {"portion twice", WHOLE "    - {name: b, portion: T, parent: none}\n", 7, "used twice"},
    {"name with a slash", WHOLE "    - {name: ../b, portion: I, parent: none}\n", 7, "../b"},
    {"variable without value",
     WHOLE "    - {name: b, portion: I, parent: none, environment: [A=1, B]}\n", 7, "NAME=value"},
    {"variable without name",
     WHOLE "    - {name: b, portion: I, parent: none, environment: [=1]}\n", 7, "NAME=value"},
    {"command for java",
     HEAD "benchmark:\n  driver: java\n  configurations:\n"
          "    - {name: a, portion: T, command: [x]}\n",
     6, "native"},
    {"project name for a path", "name: ../a\nrepository: b\n" CHAIN, 1, "../a"},
    {"remote helper", "name: a\nrepository: \"ext::sh -c x\"\n" CHAIN, 2, "repository"},
    {"repository as option", "name: a\nrepository: --upload-pack=x\n" CHAIN, 2, "repository"},
    {"branch as option", WHOLE "branch: -x\n", 7, "branch"},
    {"branch with dots", WHOLE "branch: a..b\n", 7, "branch"},
    {"an hour that no day has", WHOLE "schedule: \"0 24 * * *\"\n", 7, "\"24\" is not a hour"},
    {"a night that never comes", WHOLE "schedule: \"0 3 31 2 *\"\n", 7, "it never fires"},
    {"six fields", WHOLE "schedule: \"0 0 3 * * *\"\n", 7, "five"},
    {"a zone that is none", WHOLE "schedule: \"0 3 * * *\"\ntime_zone: Nowhere/City\n", 8,
     "\"Nowhere/City\" is unknown"},
    {"night of 25 hours", WHOLE "night_at: \"25:00\"\n", 7, "HH:MM"},
    {"30 February", WHOLE "since: 2013-02-30\n", 7, "date"},
    {"endless pattern", WHOLE "releases: " LONG "\n", 7, "pattern"},
    {"script as link", WHOLE "commit_url: \"javascript:{commit}\"\n", 7, "http"},
    {"alias", WHOLE "title: &t x\nbranch: *t\n", 0, "alias"},
    {"tab", "name: a\n\tb: c\n", 2, "not valid YAML"},
    {"open bracket", "name: [a\n", 0, "not valid YAML"},
    {"empty", "", 1, "key: value"},
    {"only a word", "hello\n", 1, "key: value"},
    {"key twice", WHOLE "name: b\n", 7, "name"},
};

static void wrong_file_names_its_line(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_project) project = test_project(wrong[i].text, -1, &error);
        if (project || !error)
            fail_msg("%s: was accepted", wrong[i].name);
        g_autofree char *place = g_strdup_printf("file.yaml:%d: ", wrong[i].line);
        if (wrong[i].line && !strstr(error->message, place))
            fail_msg("%s: line %d is not named: %s", wrong[i].name, wrong[i].line, error->message);
        if (!strstr(error->message, wrong[i].word))
            fail_msg("%s: \"%s\" is not said: %s", wrong[i].name, wrong[i].word, error->message);
    }
}

static void bytes_that_are_no_text_are_refused(void **state) {
    (void)state;
    static const char latin1[] = "name: \"\xe9\"\n", nul[] = "name: a\0b\n";
    g_autoptr(GError) first = NULL, second = NULL, third = NULL;
    assert_null(test_project(latin1, sizeof latin1 - 1, &first));
    assert_non_null(first);
    assert_null(test_project(nul, sizeof nul - 1, &second));
    assert_non_null(second);
    assert_null(cfg_project_load("/nonexistent/p.yaml", &third));
    assert_true(g_error_matches(third, CFG_ERROR, CFG_ERROR_READ));
}

static void relative_repository_is_beside_the_file(void **state) {
    (void)state;
    char *path = test_file("name: a\nrepository: ../r\n" CHAIN, -1);
    g_autoptr(cfg_project) project = cfg_project_load(path, NULL);
    g_autofree char *folder = g_path_get_dirname(path), *above = g_path_get_dirname(folder);
    g_autofree char *expected = g_build_filename(above, "r", NULL);
    assert_string_equal(project->repository, expected);
    test_file_remove(path);
}

/* For editors: the table that a file is read by. */
static void its_schema_is_the_table(void **state) {
    (void)state;
    json_auto_t *schema = cfg_project_schema();
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *name = json_object_get(properties, "name");
    assert_int_equal(json_integer_value(json_object_get(name, "minLength")), 1);
    assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
    const json_t *required = json_object_get(schema, "required");
    assert_int_equal(json_array_size(required), 3);
    const json_t *benchmark =
        json_object_get(json_object_get(properties, "benchmark"), "properties");
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(benchmark, "loops"), "type")), "integer");
    const json_t *driver = json_object_get(json_object_get(benchmark, "driver"), "enum");
    assert_string_equal(json_string_value(json_array_get(driver, 0)), "native");
    const json_t *configurations = json_object_get(benchmark, "configurations");
    assert_string_equal(json_string_value(json_object_get(configurations, "type")), "array");
    g_autofree char *text = json_dumps(schema, JSON_COMPACT);
    assert_non_null(strstr(text, "\"app_id\":{\"type\":\"integer\",\"minimum\":1}"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minimal_file_gets_all_defaults),
        cmocka_unit_test(whole_file_is_read_as_written),
        cmocka_unit_test(wrong_file_names_its_line),
        cmocka_unit_test(bytes_that_are_no_text_are_refused),
        cmocka_unit_test(relative_repository_is_beside_the_file),
        cmocka_unit_test(its_schema_is_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
