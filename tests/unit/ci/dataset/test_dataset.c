/* A project's nights as a data set: which files it has, what they say, and what is refused. */
#include "ci/dataset/dataset.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/ci/dataset/served.h"
#include "tests/unit/ci/expect.h"

static bool write_set(asked *a, const char *folder, const ci_dataset_options *given,
                      GError **error) {
    const ci_client_options options = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&options, NULL);
    assert_non_null(client);
    ci_dataset_options how = *given;
    how.folder = folder;
    how.date = "2026-11-22";
    return ci_dataset_write(client, "figures", &how, error);
}

static char *new_folder(const asked *a) {
    return g_build_filename(a->folder, "above", "set", NULL);
}

/* Of a set with raw values: all that SHA256SUMS names, and nothing else. */
static const char *const files[] = {
    "nights.csv",       "portions.csv",     "configurations.csv",
    "loops.csv",        "dictionary.csv",   "environments.json",
    "project.yaml",     "experiments.json", "LICENSE",
    "CITATION.cff",     "README.md",        "ro-crate-metadata.json",
    "raw/3/none-1.csv", "raw/4/none-1.csv", NULL};

static void expect_files(const char *folder) {
    g_autoptr(GError) error = NULL;
    g_autofree char *sums = text_of(folder, CI_SUMS);
    g_auto(GStrv) lines = g_strsplit(g_strchomp(sums), "\n", -1);
    assert_true(ci_sums_check(folder, files, &error));
    assert_int_equal(g_strv_length(lines), G_N_ELEMENTS(files) - 1);
}

/* Every file but the metadata itself is a part, with the size that it has. */
static void expect_crate(const char *folder) {
    g_autofree char *text = text_of(folder, "ro-crate-metadata.json");
    json_auto_t *crate = json_loads(text, 0, NULL);
    size_t i, parts = 0;
    const json_t *entity;
    json_array_foreach (json_object_get(crate, "@graph"), i, entity) {
        if (!g_str_equal(cfg_json_word(entity, "@type", ""), "File"))
            continue;
        g_autofree char *part = text_of(folder, cfg_json_word(entity, "@id", ""));
        g_autofree char *size = g_strdup_printf("%zu", strlen(part));
        expect_text(entity, "contentSize", size);
        parts++;
    }
    assert_int_equal(parts, G_N_ELEMENTS(files) - 2);
    const json_t *root = json_array_get(json_object_get(crate, "@graph"), 1);
    assert_int_equal(json_array_size(json_object_get(root, "hasPart")), parts);
    expect_text(root, "name", "Overhead of Figures, night by night");
    expect_text(root, "datePublished", "2026-11-22");
    expect_text(root, "description",
                "Response times of a method monitored by Figures, taken apart into portions with "
                "confidence intervals: 2 nights from 2026-03-04 to 2026-03-06, measured by "
                "moowatch with MooBench's design.");
}

static void all_of_it(void **state) {
    asked *a = *state;
    g_autofree char *folder = new_folder(a);
    g_autoptr(GError) error = NULL;
    ANSWER(a, SAYS(PROJECT), SAYS(NIGHTS_OF_TWO), SAYS(NIGHT_3), SAYS(NIGHT_4),
           {200, "ETag", "\"x\"", "0;100\n0;104\n"}, {200, NULL, NULL, ""});
    assert_true(write_set(a, folder, &(ci_dataset_options){.raw = true}, &error));
    EXPECT_REQUESTS(a, "GET /api/v1/projects/figures", "GET /api/v1/projects/figures/nights",
                    "GET /api/v1/experiments/3", "GET /api/v1/experiments/4",
                    "GET /api/v1/experiments/3/raw/none/1", "GET /api/v1/experiments/4/raw/none/1");
    assert_string_equal(receiver_get(a->server, 4)->query, "format=csv");
    expect_files(folder);
    expect_crate(folder);
    g_autofree char *raw = text_of(folder, "raw/3/none-1.csv");
    assert_string_equal(raw, "0;100\n0;104\n");
    g_autofree char *empty = text_of(folder, "raw/4/none-1.csv");
    assert_string_equal(empty, "");
    g_autofree char *citation = text_of(folder, "CITATION.cff");
    assert_non_null(strstr(citation, "authors:\n  - name: \"Contributors of Figures\"\n"
                                     "date-released: 2026-11-22\nlicense: CC-BY-4.0\n"
                                     "repository-code: \"https://example.org/f.git\"\n"));
}

/* Oldest first, each environment once, and the nights as they were told. */
static void what_the_files_say(void **state) {
    asked *a = *state;
    g_autofree char *folder = new_folder(a);
    ANSWER(a, SAYS(PROJECT), SAYS(NIGHTS_OF_TWO), SAYS(NIGHT_3), SAYS(NIGHT_4));
    assert_true(write_set(a, folder, &(ci_dataset_options){0}, NULL));
    assert_int_equal(receiver_count(a->server), 4); /* no raw values, which nobody asked for */
    assert_false(has_file(folder, "raw"));
    g_autofree char *nights = text_of(folder, "nights.csv");
    g_auto(GStrv) rows = g_strsplit(nights, "\r\n", -1);
    assert_int_equal(g_strv_length(rows), 4);
    assert_true(g_str_has_prefix(rows[1], "3,2026-03-04,measured,,aaa3,,\"Ada, B\",more,"));
    assert_true(g_str_has_prefix(rows[2], "4,2026-03-06,measured,,aaa4,,\"Ada, B\",more,"));
    g_autofree char *machines = text_of(folder, "environments.json");
    json_auto_t *environments = json_loads(machines, 0, NULL);
    json_auto_t *one = json_of("{'e1': {'kernel': '6.1'}}");
    assert_true(json_equal(environments, one));
    g_autofree char *told = text_of(folder, "experiments.json");
    json_auto_t *experiments = json_loads(told, 0, NULL);
    json_auto_t *wanted = json_of("[" NIGHT_3 ", " NIGHT_4 "]");
    assert_true(json_equal(experiments, wanted));
    g_autofree char *project = text_of(folder, "project.yaml");
    assert_non_null(strstr(project, "\"A=b\""));
    g_autofree char *readme = text_of(folder, "README.md");
    for (size_t i = 0; i < 8; i++) {
        g_autofree char *row = g_strdup_printf("| `%s` | ", files[i]);
        assert_non_null(strstr(readme, row));
    }
}

static void what_is_given_counts(void **state) {
    asked *a = *state;
    static const char *const authors[] = {"Ada", "Grace", NULL};
    const ci_dataset_options given = {
        .title = "My nights", .license = "CC0-1.0", .authors = authors, .nights = 2};
    g_autofree char *folder = new_folder(a);
    ANSWER(a, SAYS(PROJECT), SAYS(NIGHTS_OF_TWO), SAYS(NIGHT_4));
    assert_true(write_set(a, folder, &given, NULL));
    assert_string_equal(receiver_get(a->server, 1)->query, "limit=2");
    assert_int_equal(receiver_count(a->server), 3); /* of the newest two one was measured */
    g_autofree char *citation = text_of(folder, "CITATION.cff");
    assert_non_null(strstr(citation, "title: \"My nights\"\nauthors:\n  - name: \"Ada\"\n"
                                     "  - name: \"Grace\"\n"));
    g_autofree char *license = text_of(folder, "LICENSE");
    assert_true(g_str_has_prefix(license, "SPDX-License-Identifier: CC0-1.0\n"));
    g_autofree char *readme = text_of(folder, "README.md");
    assert_true(g_str_has_prefix(readme, "# My nights\n"));
}

/* A server cannot make the caller ask for other things with the token. */
static void raw_values_that_lie_elsewhere(void **state) {
    asked *a = *state;
    g_autofree char *folder = new_folder(a);
    ANSWER(a, SAYS(PROJECT), SAYS("{'items': [{'experiment': 3}], 'next': null}"),
           SAYS(NIGHT_WITH("3", "2026-03-04", OPEN,
                           "{'name': 'none', 'loop_results': [{'loop': 1, 'raw': {'url': "
                           "'https://example.org/x'}}, {'loop': 2, 'raw': {'url': "
                           "'/api/v1/jobs/7'}}, {'loop': 3}]}")));
    assert_true(write_set(a, folder, &(ci_dataset_options){.raw = true}, NULL));
    assert_int_equal(receiver_count(a->server), 3);
    assert_false(has_file(folder, "raw"));
}

static void licences_that_are_none(void **state) {
    asked *a = *state;
    static const char *const wrong[] = {"", "my own", "../x", "CC0/1.0", "a\nb", "CC0\"", "ä"};
    g_autofree char *folder = new_folder(a);
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *words = g_strdup_printf(
            "--license %s: must be an SPDX identifier, such as CC-BY-4.0", wrong[i]);
        assert_false(write_set(a, folder, &(ci_dataset_options){.license = wrong[i]}, &error));
        EXPECT_ERROR(error, CI_ERROR_INPUT, words);
        assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
    }
    EXPECT_NO_REQUEST(a);
}

/* Nothing of the caller's is written over, and no server is asked in vain. */
static void folders_that_are_taken(void **state) {
    asked *a = *state;
    g_autofree char *file = put(a->folder, "mine", "text");
    g_autofree char *below = g_build_filename(file, "set", NULL);
    g_autoptr(GError) error = NULL;
    assert_false(write_set(a, a->folder, &(ci_dataset_options){0}, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, " is not empty; name a new folder with --dataset");
    assert_false(write_set(a, file, &(ci_dataset_options){0}, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "mine: ");
    assert_false(write_set(a, below, &(ci_dataset_options){0}, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "mine/set: Not a directory");
    EXPECT_NO_REQUEST(a);
    g_autofree char *text = text_of(a->folder, "mine");
    assert_string_equal(text, "text");
}

/* One set that is refused; what is there has no checksums, so that none takes it for a whole one.
 */
static void expect_refused(asked *a, guint requests, int code, const char *words) {
    g_autofree char *folder = new_folder(a);
    g_autoptr(GError) error = NULL;
    receiver_forget(a->server);
    assert_false(write_set(a, folder, &(ci_dataset_options){.raw = true}, &error));
    EXPECT_ERROR(error, code, words);
    assert_int_equal(receiver_count(a->server), requests);
    assert_false(has_file(folder, CI_SUMS));
    remove_below(folder);
}

static void servers_that_refuse(void **state) {
    asked *a = *state;
    ANSWER(a, REFUSES(404, "no such project"));
    expect_refused(a, 1, CI_ERROR_SERVER, "/api/v1/projects/figures: 404 no such project");
    ANSWER(a, SAYS(PROJECT), REFUSES(500, "nights"));
    expect_refused(a, 2, CI_ERROR_SERVER, "500 nights");
    ANSWER(a, SAYS(PROJECT), SAYS(NIGHTS_OF_TWO), SAYS(NIGHT_3), REFUSES(503, "busy"));
    expect_refused(a, 4, CI_ERROR_SERVER, "/api/v1/experiments/4: 503 busy");
    ANSWER(a, SAYS(PROJECT), SAYS(NIGHTS_OF_TWO), SAYS(NIGHT_3), SAYS(NIGHT_4),
           REFUSES(410, "gone"));
    expect_refused(a, 5, CI_ERROR_SERVER, "/raw/none/1?format=csv: 410 gone");
    ANSWER(a, SAYS(PROJECT), SAYS(NIGHTS_OF_TWO), SAYS(NIGHT_3), SAYS(NIGHT_4), REFUSES(304, ""));
    expect_refused(a, 5, CI_ERROR_SERVER,
                   "/raw/none/1?format=csv: the server answered 304 (not modified)");
}

static void nights_that_make_no_set(void **state) {
    asked *a = *state;
    ANSWER(a, SAYS(PROJECT), SAYS("{'items': [], 'next': null}"));
    expect_refused(a, 2, CI_ERROR_INPUT, "the project has no measured night");
    ANSWER(a, SAYS(PROJECT), SAYS("{'items': [{'experiment': null}], 'next': null}"));
    expect_refused(a, 2, CI_ERROR_INPUT, "the project has no measured night");
    ANSWER(a, SAYS(PROJECT), SAYS("{'items': [{'experiment': 3}], 'next': null}"),
           SAYS(NIGHT_WITH("3", "2026-03-04", WITHHELD, "")));
    expect_refused(a, 3, CI_ERROR_INPUT,
                   "configuration none: the values of its environment variables are withheld");
    ANSWER(a, SAYS("{'name': 'figures'}"), SAYS("{'items': [{'experiment': 3}], 'next': null}"),
           SAYS(NIGHT_3));
    expect_refused(a, 3, CI_ERROR_INPUT, "the server does not say how the project is measured");
}

/* A server's name of a configuration leads to no file outside, nor to one that cannot be. */
static void names_that_name_no_file(void **state) {
    asked *a = *state;
    g_autofree char *folder = new_folder(a), *far = g_strnfill(300, 'n');
    g_autofree char *night = g_strdup_printf(
        NIGHT_WITH("3", "2026-03-04", OPEN,
                   "{'name': '%s', 'loop_results': [{'loop': 1, " RAW("3", "none", "1") "}]}"),
        far);
    g_autoptr(GError) error = NULL;
    ANSWER(a, SAYS(PROJECT), SAYS("{'items': [{'experiment': 3}], 'next': null}"),
           SAYS(NIGHT_WITH(
               "3", "2026-03-04", OPEN,
               "{'name': '../../x', 'loop_results': [{'loop': 1, " RAW("3", "none", "1") "}]}")),
           {200, NULL, NULL, "0;1\n"});
    expect_refused(a, 4, CI_ERROR_INPUT,
                   "the server names a configuration \"../../x\", which cannot name a file");
    assert_false(has_file(a->folder, "x-1.csv"));
    ANSWER(a, SAYS(PROJECT), SAYS("{'items': [{'experiment': 3}], 'next': null}"), SAYS(night),
           {200, NULL, NULL, "0;1\n"});
    assert_false(write_set(a, folder, &(ci_dataset_options){.raw = true}, &error));
    assert_non_null(error);
    assert_non_null(strstr(error->message, "File name too long"));
    assert_false(has_file(folder, CI_SUMS));
}

/* What sha256sum checks: every file that is named is there, and as it was. */

static void put_file(const char *folder, const char *name, const char *text) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    assert_true(g_file_set_contents(path, text, -1, NULL));
}

static const char *const needed[] = {"a", NULL};

static void expect_wrong(const char *folder, const char *words) {
    g_autoptr(GError) error = NULL;
    assert_false(ci_sums_check(folder, needed, &error));
    assert_int_equal(error->code, CI_ERROR_INPUT);
    if (!strstr(error->message, words))
        fail_msg("\"%s\" is not in \"%s\"", words, error->message);
}

static void whole_and_not(void **state) {
    const char *folder = *state;
    char *paths[] = {(char[]){"a"}, (char[]){"b"}, NULL};
    expect_wrong(folder, "not a data set");
    put_file(folder, "a", "abc");
    put_file(folder, "b", "");
    assert_true(sums_write(folder, paths, NULL));
    g_autofree char *file = g_build_filename(folder, CI_SUMS, NULL), *text = NULL;
    assert_true(g_file_get_contents(file, &text, NULL, NULL));
    /* printf abc | sha256sum */
    assert_true(g_str_has_prefix(
        text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n"));
    assert_true(ci_sums_check(folder, needed, NULL));
    put_file(folder, "b", "x");
    expect_wrong(folder, "b: differs from what was published: its SHA-256 is 2d711642b726");
    g_autofree char *gone = g_build_filename(folder, "a", NULL);
    assert_int_equal(g_remove(gone), 0);
    expect_wrong(folder, "a: missing");
}

static void lines_that_are_none(void **state) {
    const char *folder = *state;
#define HASH "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    static const char *const lines[] = {
        "", "x", HASH, HASH " a", HASH "  ../a", HASH "  /etc/x", HASH "  a//b", HASH "0  a"};
    for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
        put_file(folder, CI_SUMS, lines[i]);
        expect_wrong(folder, *lines[i] ? "is not a SHA-256" : "does not name a; the data set");
    }
    char *paths[] = {(char[]){"none"}, NULL};
    g_autoptr(GError) error = NULL;
    assert_false(sums_write(folder, paths, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SERVED(all_of_it),
        SERVED(what_the_files_say),
        SERVED(what_is_given_counts),
        SERVED(raw_values_that_lie_elsewhere),
        SERVED(licences_that_are_none),
        SERVED(folders_that_are_taken),
        SERVED(servers_that_refuse),
        SERVED(nights_that_make_no_set),
        SERVED(names_that_name_no_file),
        IN_FOLDER(whole_and_not),
        IN_FOLDER(lines_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
