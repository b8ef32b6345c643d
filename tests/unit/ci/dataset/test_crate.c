/* What says of a data set what it is: RO-Crate metadata, citation, licence, README. */
#include "tests/unit/ci/expect.h"

#include "ci/dataset/crate.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metadata),
        cmocka_unit_test(citation),
        cmocka_unit_test(a_repository_that_is_no_web_address),
        cmocka_unit_test(license),
        cmocka_unit_test(readme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
