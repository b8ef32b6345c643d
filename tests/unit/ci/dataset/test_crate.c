/* What says of a data set what it is: RO-Crate metadata, citation, licence, README. */
#include "tests/unit/ci/expect.h"

#include "ci/dataset/dataset.h"

static const char *const authors[] = {"Ada \"A\" Lovelace", "Grace: Hopper", NULL};
static const ci_about about = {.title = "Overhead: \"A\"",
                               .description = "Two nights.",
                               .repository = "https://example.org/a.git",
                               .license = "CC0-1.0",
                               .authors = authors,
                               .date = "2026-11-22"};
static const ci_part parts[] = {{"nights.csv", "One row a night.", "text/csv", 12},
                                {"raw/4/none-1.csv", "Calls.", "text/csv", 5000000000}};

static void metadata(void **state) {
    (void)state;
    json_auto_t *got = ci_crate_metadata(&about, parts, G_N_ELEMENTS(parts));
    json_auto_t *wanted = json_of(
        "{'@context': 'https://w3id.org/ro/crate/1.1/context', '@graph': ["
        "{'@id': 'ro-crate-metadata.json', '@type': 'CreativeWork',"
        " 'conformsTo': {'@id': 'https://w3id.org/ro/crate/1.1'}, 'about': {'@id': './'}},"
        "{'@id': './', '@type': 'Dataset', 'name': 'Overhead: \\'A\\'',"
        " 'description': 'Two nights.', 'datePublished': '2026-11-22',"
        " 'license': {'@id': 'https://spdx.org/licenses/CC0-1.0'},"
        " 'author': [{'@id': '#author-1'}, {'@id': '#author-2'}],"
        " 'hasPart': [{'@id': 'nights.csv'}, {'@id': 'raw/4/none-1.csv'}]},"
        "{'@id': 'https://spdx.org/licenses/CC0-1.0', '@type': 'CreativeWork', 'name': 'CC0-1.0',"
        " 'description': 'The licence of this data set, by its SPDX identifier'},"
        "{'@id': '#author-1', '@type': 'Person', 'name': 'Ada \\'A\\' Lovelace'},"
        "{'@id': '#author-2', '@type': 'Person', 'name': 'Grace: Hopper'},"
        "{'@id': 'nights.csv', '@type': 'File', 'name': 'nights.csv',"
        " 'description': 'One row a night.', 'encodingFormat': 'text/csv', 'contentSize': '12'},"
        "{'@id': 'raw/4/none-1.csv', '@type': 'File', 'name': 'raw/4/none-1.csv',"
        " 'description': 'Calls.', 'encodingFormat': 'text/csv', 'contentSize': '5000000000'}]}");
    if (!json_equal(got, wanted)) {
        g_autofree char *text = json_dumps(got, JSON_INDENT(1));
        fail_msg("%s", text);
    }
}

/* Names with quotes and colons are no YAML of their own. */
static void citation(void **state) {
    (void)state;
    g_autofree char *text = ci_crate_citation(&about);
    assert_string_equal(text, "cff-version: 1.2.0\n"
                              "message: If you use this data set, please cite it.\n"
                              "type: dataset\n"
                              "title: \"Overhead: \\\"A\\\"\"\n"
                              "authors:\n"
                              "  - name: \"Ada \\\"A\\\" Lovelace\"\n"
                              "  - name: \"Grace: Hopper\"\n"
                              "date-released: 2026-11-22\n"
                              "license: CC0-1.0\n"
                              "repository-code: \"https://example.org/a.git\"\n");
}

/* CITATION.cff has web addresses only; a path of somebody's machine is nobody's matter. */
static void a_repository_that_is_no_web_address(void **state) {
    (void)state;
    static const char *const elsewhere[] = {"/srv/a.git", "git@example.org:a.git", "http://a", ""};
    for (size_t i = 0; i < G_N_ELEMENTS(elsewhere); i++) {
        ci_about own = about;
        own.repository = elsewhere[i];
        g_autofree char *text = ci_crate_citation(&own);
        assert_null(strstr(text, "repository-code"));
        assert_true(g_str_has_suffix(text, "license: CC0-1.0\n"));
    }
}

static void license(void **state) {
    (void)state;
    g_autofree char *text = ci_crate_license(&about);
    assert_true(g_str_has_prefix(text, "SPDX-License-Identifier: CC0-1.0\n"));
    assert_non_null(strstr(text, "https://spdx.org/licenses/CC0-1.0\n"));
    assert_non_null(strstr(text, "The code that was measured has a licence of its own."));
}

static void readme(void **state) {
    (void)state;
    g_autofree char *text = ci_crate_readme(&about, parts, G_N_ELEMENTS(parts));
    assert_true(g_str_has_prefix(text, "# Overhead: \"A\"\n\nTwo nights.\n\n"
                                       "| file | what it has |\n|---|---|\n"
                                       "| `nights.csv` | One row a night. |\n"
                                       "| `raw/4/none-1.csv` | Calls. |\n\n"));
    assert_non_null(strstr(text, "Licence: CC0-1.0."));
    assert_non_null(strstr(text, "`sha256sum -c SHA256SUMS`"));
    assert_non_null(strstr(text, "`moowatch replicate .`"));
}

/* The file that measures a project again says what the API says of it, and only what a file may. */

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
        cmocka_unit_test(metadata),
        cmocka_unit_test(citation),
        cmocka_unit_test(a_repository_that_is_no_web_address),
        cmocka_unit_test(license),
        cmocka_unit_test(readme),

        cmocka_unit_test(of_the_project),
        cmocka_unit_test(of_a_branch),
        cmocka_unit_test(benchmarks),
        cmocka_unit_test(what_is_given_stays),
        cmocka_unit_test(values_that_are_withheld),
        cmocka_unit_test(a_server_that_does_not_say_how),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
