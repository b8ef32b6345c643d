/* The file that measures a project again says what the API says of it, and only what a file may. */
#include "tests/unit/ci/expect.h"

#include "ci/dataset/project_file.h"

#define PROJECT                                                                                    \
    "{'name': 'figures', 'title': 'Figures', 'repository': 'https://example.org/f.git', "          \
    "'branch': 'main', 'nights': 2}"

/* The file; NULL with error. */
static char *file_of(const char *project, const char *benchmark, GError **error) {
    g_autofree char *text = g_strdup_printf("{'level': 0.95, 'benchmark': %s}", benchmark);
    json_auto_t *said = json_of(project);
    json_auto_t *experiment = json_of(text);
    return ci_project_file(said, experiment, error);
}

/* Behind its first line it is of YAML's flow style, which JSON is. */
static json_t *read_file(const char *text) {
    assert_true(g_str_has_prefix(text, "# How this data set was measured; "));
    assert_true(g_str_has_suffix(text, "}\n"));
    json_t *file = json_loads(strchr(text, '\n'), 0, NULL);
    assert_non_null(file);
    return file;
}

static void of_the_project(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autofree char *text = file_of(PROJECT, "{'driver': 'command'}", &error);
    assert_null(error);
    json_auto_t *file = read_file(text);
    json_auto_t *wanted =
        json_of("{'name': 'figures', 'title': 'Figures', 'repository': 'https://example.org/f.git',"
                " 'branch': 'main', 'benchmark': {'driver': 'command', 'configurations': []},"
                " 'detection': {'confidence': 0.95}}");
    assert_true(json_equal(file, wanted));
}

/* What a branch is kept under is no name for a file. */
static void of_a_branch(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autofree char *text = file_of("{'name': 'figures~1.15.x', 'main': 'figures', 'title': "
                                    "'Figures (1.15.x)', 'repository': 'f', 'branch': '1.15.x'}",
                                    "{'driver': 'command'}", &error);
    assert_null(error);
    json_auto_t *file = read_file(text);
    assert_string_equal(json_string_value(json_object_get(file, "name")), "figures");
    assert_string_equal(json_string_value(json_object_get(file, "branch")), "1.15.x");
}

static void benchmarks(void **state) {
    (void)state;
    static const struct {
        const char *given, *wanted;
    } cases[] = {
        /* what says nothing is not in a file; a false and a 0 say something */
        {"{'loops': 3, 'sweep': null, 'steps': [], 'limits': {}, 'rest_seconds': 0, 'cage': false}",
         "{'loops': 3, 'rest_seconds': 0, 'cage': false, 'configurations': []}"},
        /* what a file says elsewhere, or what needs the server */
        {"{'confidence': 0.9, 'artifact': 'a.zip', 'artifact_wait_seconds': 60, 'loops': 3}",
         "{'loops': 3, 'configurations': []}"},
        {"{'read': {'format': 'pattern', 'pattern': 'x', 'unit': 'ns', 'time': 'real'}}",
         "{'read': {'format': 'pattern', 'pattern': 'x', 'unit': 'ns'}, 'configurations': []}"},
        {"{'read': {'format': 'google-benchmark-json', 'time': 'cpu', 'pattern': 'x', 'unit': "
         "'ns', 'scope': 's', 'several': 'samples', 'match_limit': 9, 'file': 'out'}}",
         "{'read': {'format': 'google-benchmark-json', 'time': 'cpu', 'file': 'out'},"
         " 'configurations': []}"},
        {"{'read': {'format': 'jmh-json', 'time': 'cpu', 'unit': 'ns'}}",
         "{'read': {'format': 'jmh-json'}, 'configurations': []}"},
        {"{'configurations': [{'name': 'none', 'parent': null, 'environment': {}}, {'name': 'full',"
         " 'parent': 'none', 'environment': {'A': 'b=c', 'EMPTY': ''}}]}",
         "{'configurations': [{'name': 'none'}, {'name': 'full', 'parent': 'none', 'environment': "
         "['A=b=c', 'EMPTY=']}]}"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = file_of(PROJECT, cases[i].given, &error);
        assert_null(error);
        json_auto_t *file = read_file(text);
        json_auto_t *wanted = json_of(cases[i].wanted);
        if (!json_equal(json_object_get(file, "benchmark"), wanted))
            fail_msg("%s became %s", cases[i].given, text);
    }
}

/* The API's answer, which experiments.json has too, stays as it came. */
static void what_is_given_stays(void **state) {
    (void)state;
    json_auto_t *project = json_of(PROJECT);
    json_auto_t *experiment =
        json_of("{'level': 0.95, 'benchmark': {'artifact': 'a', 'read': {'format': 'jmh-json', "
                "'time': 'cpu'}, 'configurations': [{'name': 'n', 'environment': {'A': 'b'}}]}}");
    json_auto_t *before = json_deep_copy(experiment);
    g_autofree char *text = ci_project_file(project, experiment, NULL);
    assert_non_null(text);
    assert_true(json_equal(experiment, before));
}

static void values_that_are_withheld(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    assert_null(file_of(PROJECT,
                        "{'configurations': [{'name': 'none'}, {'name': 'full', 'environment': "
                        "{'A': 'b', 'SECRET': null}}]}",
                        &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT,
                 "configuration full: the values of its environment variables are withheld; give a "
                 "token of the scope read (--token-file)");
}

static void a_server_that_does_not_say_how(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    assert_null(file_of("{'name': 'figures'}", "{'loops': 3}", &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "the server does not say how the project is measured");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_the_project),
        cmocka_unit_test(of_a_branch),
        cmocka_unit_test(benchmarks),
        cmocka_unit_test(what_is_given_stays),
        cmocka_unit_test(values_that_are_withheld),
        cmocka_unit_test(a_server_that_does_not_say_how),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
