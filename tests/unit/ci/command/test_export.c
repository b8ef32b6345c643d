/* A project's nights for other programs: oldest first, in the format that was named. */
#include "tests/unit/ci/dataset/served.h"

#define EXPORT(a, ...) CALL(ci_command_export.run, "export", "--server", (a)->url, __VA_ARGS__)
#define NIGHTS                                                                                     \
    "{\"items\": [{\"night\": \"2024-03-02\", \"state\": \"measured\", \"commit\": {\"sha\": "     \
    "\"bbbb\", \"time_ms\": 2000}, \"portions\": [{\"portion\": \"W\", \"mean_ns\": 1100, "        \
    "\"verdict\": \"ok\"}]}, {\"night\": \"2024-03-01\", \"state\": \"measured\", \"commit\": "    \
    "{\"sha\": \"aaaa\", \"time_ms\": 1000}, \"portions\": [{\"portion\": \"W\", \"mean_ns\": "    \
    "1000, \"verdict\": \"first\"}]}], \"next\": null}"

static void formats(void **state) {
    asked *a = *state;
    static const struct {
        const char *option, *begins, *before, *after; /* before stands somewhere before after */
    } cases[] = {
        {"--nights=0", "night,commit,portion,mean_ns", "\"2024-03-01\"", "\"2024-03-02\""},
        {"--format=csv", "night,commit,portion,mean_ns", "\"2024-03-01\"", "\"2024-03-02\""},
        {"--format=json", "{\"", "2024-03-01", "2024-03-02"},
        {"--format=github", "window.BENCHMARK_DATA = ", "\"aaaa\"", "\"bbbb\""},
        {"--format=bmf", "{\n \"kieker W\": ", "kieker W", "1100"},
        {"--format=openmetrics", "# TYPE overhead_portion_mean_seconds gauge", "portion=\"W\"",
         "# EOF"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ANSWER(a, JSON(NIGHTS));
        g_auto(called) c = EXPORT(a, "kieker", cases[i].option);
        expect_called(&c, CI_OK, NULL, "");
        assert_true(g_str_has_prefix(c.out, cases[i].begins));
        const char *before = strstr(c.out, cases[i].before);
        assert_non_null(before);
        assert_non_null(strstr(before, cases[i].after));
    }
}

/* Before the server is asked for years of nights. */
static void a_format_that_is_none(void **state) {
    asked *a = *state;
    g_auto(called) c = EXPORT(a, "kieker", "--format", "xml");
    expect_called(&c, CI_USAGE, "",
                  "--format xml: must be csv, json, github, bmf, openmetrics or otep");
    EXPECT_NO_REQUEST(a);
}

/* Half of the points would be taken for all of them. */
static void a_release_that_the_server_does_not_tell(void **state) {
    asked *a = *state;
    ANSWER(a,
           SAYS("{'items': [{'experiment': 8, 'state': 'measured', 'release': '2.0'}, "
                "{'experiment': 7, 'state': 'measured', 'release': '1.9'}], 'next': null}"),
           SAYS("{'release': '1.9', 'configurations': []}"), REFUSES(503, "busy"));
    g_auto(called) c = EXPORT(a, "kieker", "--format=otep");
    expect_called(&c, CI_SERVER, "", "/api/v1/experiments/8: 503 busy");
}

/* The points of releases need each one's experiment. */
static void points_of_releases(void **state) {
    asked *a = *state;
    ANSWER(
        a,
        JSON("{\"items\": [{\"experiment\": 8, \"state\": \"measured\", \"release\": \"2.0\"}, "
             "{\"experiment\": 7, \"state\": \"failed\", \"release\": \"1.9\"}, "
             "{\"experiment\": 6, \"state\": \"measured\", \"release\": null}], \"next\": null}"),
        JSON("{\"release\": \"2.0\", \"configurations\": [{\"label\": \"call\", \"median_ns\": "
             "3}]}"));
    g_auto(called) c = EXPORT(a, "kieker", "--format=otep");
    expect_called(&c, CI_OK, NULL, "");
    assert_non_null(strstr(c.out, "\"release\":\"2.0\""));
    assert_non_null(strstr(c.out, "\"name\":\"call\""));
    EXPECT_REQUESTS(a, "GET /api/v1/projects/kieker/nights", "GET /api/v1/experiments/8");
    ANSWER(a, JSON(NIGHTS));
    g_auto(called) none = EXPORT(a, "kieker", "--format=otep");
    expect_called(&none, CI_INPUT, "", "no measured night of the project is a release");
}

static void to_a_file(void **state) {
    asked *a = *state;
    g_autofree char *path = g_build_filename(a->folder, "n.csv", NULL);
    g_autofree char *text = NULL;
    ANSWER(a, JSON(NIGHTS));
    g_auto(called) c = EXPORT(a, "kieker", "-o", path, "-n", "7");
    expect_called(&c, CI_OK, "", "");
    assert_string_equal(receiver_get(a->server, 0)->query, "limit=7");
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_true(g_str_has_prefix(text, "night,commit,portion,"));
    ANSWER(a, JSON(NIGHTS));
    g_auto(called) wrong = EXPORT(a, "kieker", "-o", "/no/such/folder/n.csv");
    expect_called(&wrong, CI_INPUT, "", "writing: ");
}

/* An export that broke off leaves nothing that looks like all nights. */
static void a_server_that_fails(void **state) {
    asked *a = *state;
    g_autofree char *path = g_build_filename(a->folder, "n.csv", NULL);
    ANSWER(a, JSON("{\"items\": [], \"next\": \"2\"}"), {500, NULL, NULL, "{\"title\": \"no\"}"});
    g_auto(called) c = EXPORT(a, "kieker", "-o", path);
    expect_called(&c, CI_SERVER, "", "500 no");
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

/* --dataset: what the options say stands in the files; --output and --format are not asked for. */
static void a_data_set(void **state) {
    asked *a = *state;
    g_autofree char *folder = g_build_filename(a->folder, "set", NULL);
    g_autoptr(GDateTime) before = g_date_time_new_now_utc();
    ANSWER(a, SAYS(PROJECT), SAYS(NIGHTS_OF_TWO), SAYS(NIGHT_4), {200, NULL, NULL, "0;1\n"});
    g_auto(called) c =
        EXPORT(a, "figures", "--dataset", folder, "--raw", "-n", "1", "--title", "My nights",
               "--author", "Ada", "--author", "Grace", "--license", "CC0-1.0");
    g_autoptr(GDateTime) after = g_date_time_new_now_utc();
    expect_called(&c, CI_OK, "", "");
    assert_string_equal(receiver_get(a->server, 1)->query, "limit=1");
    g_autofree char *citation = text_of(folder, "CITATION.cff");
    /* of the day of the export, which may have ended meanwhile */
    g_autofree char *one = g_date_time_format(before, "date-released: %Y-%m-%d\n");
    g_autofree char *other = g_date_time_format(after, "date-released: %Y-%m-%d\n");
    assert_true(strstr(citation, one) || strstr(citation, other));
    assert_non_null(strstr(citation, "title: \"My nights\"\nauthors:\n  - name: \"Ada\"\n"
                                     "  - name: \"Grace\"\n"));
    assert_non_null(strstr(citation, "license: CC0-1.0\n"));
    g_autofree char *raw = text_of(folder, "raw/4/none-1.csv");
    assert_string_equal(raw, "0;1\n");
    receiver_forget(a->server);
    g_auto(called) again = EXPORT(a, "figures", "--dataset", folder);
    expect_called(&again, CI_INPUT, "", "set is not empty; name a new folder with --dataset");
    EXPECT_NO_REQUEST(a);
}

static void data_sets_that_are_refused(void **state) {
    asked *a = *state;
    g_autofree char *folder = g_build_filename(a->folder, "set", NULL);
    g_auto(called) license = EXPORT(a, "figures", "--dataset", folder, "--license", "my own");
    expect_called(&license, CI_INPUT, "",
                  "moowatch export: --license my own: must be an SPDX identifier");
    EXPECT_NO_REQUEST(a);
    ANSWER(a, REFUSES(404, "no such project"));
    g_auto(called) none = EXPORT(a, "figures", "--dataset", folder);
    expect_called(&none, CI_SERVER, "", "404 no such project");
    ANSWER(a, SAYS(PROJECT), SAYS(NIGHTS_OF_TWO), SAYS(NIGHT_WITH("3", "2026-03-04", WITHHELD, "")),
           SAYS(NIGHT_WITH("4", "2026-03-06", WITHHELD, "")));
    g_auto(called) withheld = EXPORT(a, "figures", "--dataset", folder);
    expect_called(&withheld, CI_INPUT, "", "give a token of the scope read (--token-file)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ASKED(formats),
        ASKED(a_format_that_is_none),
        ASKED(points_of_releases),
        ASKED(a_release_that_the_server_does_not_tell),
        ASKED(to_a_file),
        ASKED(a_server_that_fails),
        SERVED(a_data_set),
        SERVED(data_sets_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
