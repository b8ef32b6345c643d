/* moowatch import: other tools' results printed, as lines for the server, or sent there. */
#include "ci/command/import.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/ci/command/asked.h"
#include "tests/unit/ci/command/results_folder.h"

#define JMH                                                                                        \
    "[{\"benchmark\": \"org.x.A.run\", \"mode\": \"avgt\", \"primaryMetric\": "                    \
    "{\"score\": 12.5, \"scoreError\": 0.5, \"scoreConfidence\": [12, 13], \"scoreUnit\": "        \
    "\"ns/op\", \"rawData\": [[12.5]]}}]"
#define AAAA "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define BBBB "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define NIGHTS                                                                                     \
    "{\"entries\": {\"s\": [{\"commit\": {\"id\": \"" AAAA "\", \"message\": \"one\"}, \"date\": " \
    "1709600000000, \"benches\": [{\"name\": \"No instrumentation\", \"value\": 70, \"unit\": "    \
    "\"ns\"}]}, {\"commit\": {\"id\": \"" BBBB "\"}, \"date\": 1709700000000, \"benches\": "       \
    "[{\"name\": \"other\", \"value\": 1, \"unit\": \"us\"}, {\"name\": \"No instrumentation\", "  \
    "\"value\": 71, \"unit\": \"ns\"}]}]}}"

static char *jmh(asked *a) {
    return put(a->folder, "jmh.json", JMH);
}

static void a_night_a_line(void **state) {
    asked *a = *state;
    g_autofree char *file = put(a->folder, "data.json", NIGHTS);
    g_auto(called) c = CALL(ci_command_import.run, "import", file);
    expect_called(&c, CI_OK, NULL, "");
    g_auto(GStrv) lines = g_strsplit(c.out, "\n", -1);
    assert_int_equal(g_strv_length(lines), 3);
    json_t *first = json_loads(lines[0], 0, NULL);
    expect_text(json_object_get(first, "commit"), "sha", AAAA);
    json_decref(first);
    EXPECT_NO_REQUEST(a);
}

/* A benchmark that is left out stands in the line, and is told to people. */
static void what_is_left_out_is_told(void **state) {
    asked *a = *state;
    g_autofree char *file =
        put(a->folder, "hyperfine.json",
            "{\"results\": [{\"command\": \"a\", \"times\": [1, 1], \"exit_codes\": [0, 3]}]}");
    g_auto(called) c = CALL(ci_command_import.run, "import", file);
    expect_called(&c, CI_OK, NULL,
                  "left out of a: 1 of 2 runs failed; the last of them is run 2 (exit code 3)");
    assert_non_null(strstr(c.out, "\"left\""));
}

/* Nights without the value are left out, and the others keep their numbers. */
static void one_series_as_csv(void **state) {
    asked *a = *state;
    g_autofree char *file = put(a->folder, "data.json", NIGHTS), *with_interval = jmh(a);
    g_auto(called) c = CALL(ci_command_import.run, "import", file, "--series", "other");
    expect_called(&c, CI_OK, "index,value\n1,1000\n", "");
    g_auto(called) all = CALL(ci_command_import.run, "import", "--series=No instrumentation", file);
    expect_called(&all, CI_OK, "index,value\n0,70\n1,71\n", "");
    g_auto(called) interval =
        CALL(ci_command_import.run, "import", "--series", "org.x.A.run", with_interval);
    /* JMH's interval of 99.9 % over the iterations of one process is none of ours */
    expect_called(&interval, CI_OK, "index,value\n0,12.5\n", "JMH's own interval is not read");
    g_autofree char *forked = put(a->folder, "forks.json",
                                  "[{\"benchmark\": \"b\", \"mode\": \"avgt\", \"forks\": 2, "
                                  "\"primaryMetric\": {\"score\": 4,"
                                  " \"scoreUnit\": \"ns/op\", \"rawData\": [[4], [4]]}}]");
    g_auto(called) forks = CALL(ci_command_import.run, "import", "--series", "b", forked);
    expect_called(&forks, CI_OK, "index,value,lo,hi\n0,4,4,4\n", NULL);
    g_autofree char *two = put(
        a->folder, "two.json",
        "{\"entries\": {\"s\": [{\"date\": 1700000000000, \"benches\": [{\"name\": \"x\", "
        "\"value\": 1,"
        " \"unit\": \"ns\"}]}], \"t\": [{\"date\": 1700000000000, \"benches\": [{\"name\": \"x\","
        " \"value\": 2, \"unit\": \"ns\"}]}]}}");
    g_auto(called) both = CALL(ci_command_import.run, "import", "--series", "x", two);
    expect_called(&both, CI_USAGE, "", "there are several suites; choose one with --suite");
    g_auto(called) one = CALL(ci_command_import.run, "import", "--series=x", "--suite=t", two);
    expect_called(&one, CI_OK, "index,value\n0,2\n", "");
    g_auto(called) none = CALL(ci_command_import.run, "import", "--series", "Other", file);
    expect_called(&none, CI_INPUT, "", "there is no value called \"Other\" in it");
}

#define RUN(commit, day, better, unit, value)                                                      \
    "{\"commit\": {\"id\": \"" commit commit commit commit "\"}, \"date\": 17000" day              \
    "00000, \"tool\": \"custom" better                                                             \
    "IsBetter\", \"benches\": [{\"name\": \"b\", \"unit\": \"" unit "\", \"value\": " value "}]}"

/* As a project has it: runs in the order of the code, one unit a series. */
static void a_series_is_what_a_project_has(void **state) {
    asked *a = *state;
    g_autofree char *file = put(
        a->folder, "units.json",
        "{\"entries\": {\"s\": [" RUN("aaaaaaaaaa", "000", "Smaller", "ms", "5") "," RUN(
            "bbbbbbbbbb", "864", "Smaller", "ms",
            "6") "," RUN("aaaaaaaaaa", "950", "Smaller", "ms",
                         "9") "," RUN("cccccccccc", "960", "Smaller", "%",
                                      "7") "," RUN("dddddddddd", "970", "Bigger", "%", "8") "]}}");
    g_auto(called) times = CALL(ci_command_import.run, "import", "--series", "b", file);
    assert_string_equal(times.out, "index,value\n0,5000000\n1,6000000\n");
    expect_called(&times, CI_OK, NULL,
                  "the unit of \"b\" is % and was a time: it is another series from here on");
    assert_non_null(strstr(times.err, "a later run of old code is set aside"));
    g_auto(called) shares = CALL(ci_command_import.run, "import", "--series", "b [%]", file);
    assert_string_equal(shares.out, "index,value\n2,7\n3,8\n");
    expect_called(&shares, CI_OK, NULL, "\"b [%]\" is in %, of which less is better\n");
    assert_non_null(strstr(shares.err, "\"b [%]\" is in %, of which more is better\n"));
}

#define PORTION(date, value)                                                                       \
    "{\"date\": " date ", \"tool\": \"customSmallerIsBetter\", \"benches\": [{\"name\": \"I\", "   \
    "\"unit\": \"ns\", \"value\": " value ", \"range\": \"± 2\", \"extra\": \"95 % interval, "    \
    "portion over T\"}]}"

/* As our own export has portions near 0: detect reads what it gets, and gets all or nothing. */
static void a_series_near_zero(void **state) {
    asked *a = *state;
    g_autofree char *low =
        put(a->folder, "low.json",
            "{\"entries\": {\"s\": [" PORTION("1700000000000", "1.5") "," PORTION("1700100000000",
                                                                                  "2.5") "]}}");
    g_auto(called) c = CALL(ci_command_import.run, "import", "--series", "I", low);
    expect_called(&c, CI_OK, "index,value,lo,hi\n0,1.5,-0.5,3.5\n1,2.5,0.5,4.5\n", NULL);
    g_autofree char *csv = put(a->folder, "low.csv", c.out);
    g_auto(called) judged = CALL(ci_command_detect.run, "detect", csv);
    expect_called(&judged, CI_OK, NULL, "");
    g_autofree char *below =
        put(a->folder, "below.json",
            "{\"entries\": {\"s\": [" PORTION("1700000000000", "1.5") "," PORTION("1700100000000",
                                                                                  "-2.5") "]}}");
    g_auto(called) refused = CALL(ci_command_import.run, "import", "--series", "I", below);
    expect_called(
        &refused, CI_INPUT, "",
        "\"I\" is below 0 on 2023-11-16, which detect does not judge; import it with --project");
}

static void lines_for_the_server(void **state) {
    asked *a = *state;
    g_autofree char *file = put(a->folder, "data.json", NIGHTS);
    g_auto(called) c =
        CALL(ci_command_import.run, "import", file, "--project", "kieker", "--chain", "T,X");
    expect_called(&c, CI_OK, NULL, "");
    g_auto(GStrv) lines = g_strsplit(c.out, "\n", -1);
    assert_int_equal(g_strv_length(lines), 5); /* header, benchmark, two nights */
    json_t *header = json_loads(lines[0], 0, NULL), *last = json_loads(lines[3], 0, NULL);
    expect_text(header, "project", "kieker");
    expect_text(json_object_get(last, "commit"), "sha", BBBB);
    json_decref(header);
    json_decref(last);
}

#define ANSWER_OF_IMPORT                                                                           \
    "{\"nights\": 2, \"known\": 1, \"answers\": 3, \"unmatched\": 4, \"quarantined\": 5,"          \
    " \"changes\": 6, \"incidents\": 7, \"gaps\": [{\"configuration\": \"x\", \"nights\": 8}],"    \
    " \"flaws\": [{\"night\": \"2026-01-02\", \"reason\": \"configuration x has no result\"}],"    \
    " \"apart\": [\"X [b]\", \"Y [b]\"]}"

/* Lines with these would be refused by the server, one and all. */
static void a_commit_and_a_night_are_whole(void **state) {
    asked *a = *state;
    g_autofree char *file = jmh(a);
    g_auto(called) day =
        CALL(ci_command_import.run, "import", file, "--project", "p", "--night", "2024-1-5");
    expect_called(&day, CI_USAGE, "", "--night: \"2024-1-5\" is no date such as 2013-05-27");
    g_auto(called) id =
        CALL(ci_command_import.run, "import", file, "--project", "p", "--commit", "abc1234");
    expect_called(&id, CI_USAGE, "", "--commit: \"abc1234\" is no full id");
}

static void sent_as_it_would_be_printed(void **state) {
    asked *a = *state;
    g_autofree char *file = put(a->folder, "data.json", NIGHTS);
    g_auto(called) printed =
        CALL(ci_command_import.run, "import", file, "--project", "kieker", "--chain", "T,X");
    ANSWER(a, JSON(ANSWER_OF_IMPORT), JSON(ANSWER_OF_IMPORT));
    g_auto(called) c = CALL(ci_command_import.run, "import", file, "--project", "kieker", "--chain",
                            "T,X", "--server", a->url);
    expect_called(&c, CI_OK,
                  "results imported: 2, already present: 1; decisions and notes imported: 3, "
                  "skipped (no matching alert or night): 4\n"
                  "new here, and not what has their name: 2 (X [b], …); to go on with a history "
                  "after a renaming, give its former name in the file\n"
                  "changes found: 6, incidents: 7; results that cannot be judged: 5 (2026-01-02: "
                  "configuration x has no result); "
                  "configuration x has no value in 8 of them\n",
                  "");
    EXPECT_REQUESTS(a, "POST /api/v1/projects/kieker/import");
    assert_string_equal(receiver_get(a->server, 0)->body, printed.out);
    assert_string_equal(receiver_get(a->server, 0)->type, "application/x-ndjson");
    g_auto(called) json = CALL(ci_command_import.run, "import", file, "--project", "kieker",
                               "--chain", "T,X", "-s", a->url, "--json");
    expect_called(&json, CI_OK, "{\"nights\":2,\"known\":1,", "");
}

/* What is there with other values is told, and replaced for who wants that. */
static void other_values_are_told(void **state) {
    asked *a = *state;
    static const char left[] = "{\"nights\": 0, \"known\": 1, \"differing\": [{\"night\": "
                               "\"2026-01-02\", \"reason\": \"x: 1 ns here, 2 ns in the file\"}]}";
    static const char taken[] = "{\"nights\": 0, \"known\": 1, \"changes\": 3, \"replaced\": "
                                "[{\"night\": \"2026-01-02\", \"reason\": \"y\"}]}";
    g_autofree char *file = put(a->folder, "data.json", NIGHTS);
#define IMPORT(...)                                                                                \
    CALL(ci_command_import.run, "import", file, "--project", "p", "--chain", "T,X", __VA_ARGS__)
    ANSWER(a, JSON(left), JSON(taken));
    g_auto(called) stay = IMPORT("-s", a->url);
    expect_called(&stay, CI_OK,
                  "results imported: 0, already present: 1; decisions and notes imported: 0, "
                  "skipped (no matching alert or night): 0\n"
                  "left as they are, with other values here: 1 (2026-01-02: x: 1 ns here, 2 ns in "
                  "the file); --replace takes the file's\n",
                  "");
    g_auto(called) replace = IMPORT("-s", a->url, "--replace");
    expect_called(&replace, CI_OK, NULL, "");
    assert_non_null(strstr(replace.out, "\nreplaced, with other values here before: 1 (2026-01-02: "
                                        "y)\nchanges found: 3, incidents: 0"));
    EXPECT_REQUESTS(a, "POST /api/v1/projects/p/import", "POST /api/v1/projects/p/import");
    assert_string_equal(receiver_get(a->server, 0)->query, "");
    assert_string_equal(receiver_get(a->server, 1)->query, "replace=true");
    g_auto(called) nowhere = IMPORT("--replace");
    expect_called(&nowhere, CI_USAGE, "", "--replace needs --server");
}

/* What moowatchd export wrote goes there byte by byte, whatever its lines hold. */
static void an_export_is_passed_on(void **state) {
    asked *a = *state;
    static const char text[] = "{\"moowatch_export\": 1}\n{\"type\":  \"later\"}\n";
    g_autofree char *file = put(a->folder, "kieker.jsonl", text);
    ANSWER(a, JSON("{}"));
    g_auto(called) c = CALL(ci_command_import.run, "import", file, "--project", "p", "-s", a->url);
    expect_called(&c, CI_OK, "results imported: 0", "");
    assert_string_equal(receiver_get(a->server, 0)->body, text);
}

static void what_cannot_be_sent(void **state) {
    asked *a = *state;
    g_autofree char *file = jmh(a), *damaged = put(a->folder, "x.json", "{\"a\": ");
    g_auto(called) nameless = CALL(ci_command_import.run, "import", file, "-s", a->url);
    expect_called(&nameless, CI_USAGE, "", "--server needs --project NAME");
    g_auto(called) dateless =
        CALL(ci_command_import.run, "import", file, "-s", a->url, "--project=p", "--chain=T");
    expect_called(&dateless, CI_USAGE, "", "give --night");
    g_auto(called) broken =
        CALL(ci_command_import.run, "import", damaged, "-s", a->url, "--project", "p");
    expect_called(&broken, CI_INPUT, "", "x.json");
    g_auto(called) missing =
        CALL(ci_command_import.run, "import", "/no/such", "-s", a->url, "--project", "p");
    expect_called(&missing, CI_INPUT, "", "/no/such");
    EXPECT_NO_REQUEST(a);
}

static void a_refused_import(void **state) {
    asked *a = *state;
    g_autofree char *file = put(a->folder, "data.json", NIGHTS);
    ANSWER(a, {403, NULL, NULL, "{\"detail\": \"a token of the scope admin is needed\"}"});
    g_auto(called) c = CALL(ci_command_import.run, "import", file, "--project", "p", "-s", a->url,
                            "--chain", "T,X");
    expect_called(&c, CI_SERVER, "", "403 a token of the scope admin");
}

/* Every loop of one night, which says neither commit nor date of itself. */
static void a_folder_of_raw_results(void **state) {
    static const char commit[] = "--commit=" AAAA;
    asked *a = *state;
    put_results(a->folder, 0);
    g_auto(called) nameless = CALL(ci_command_import.run, "import", a->folder, "--project=p");
    expect_called(&nameless, CI_USAGE, "", "give --commit and --night");
    g_auto(called) c = CALL(ci_command_import.run, "import", a->folder, "--project=p", commit,
                            "--night=2024-03-05");
    expect_called(&c, CI_OK, NULL, "chain: T = 0, I = 1 less 0");
    g_auto(GStrv) lines = g_strsplit(c.out, "\n", -1);
    assert_int_equal(g_strv_length(lines), 4); /* header, benchmark, the night */
    json_auto_t *night = json_loads(lines[2], 0, NULL);
    expect_text(night, "night", "2024-03-05");
    expect_text(json_object_get(night, "commit"), "sha", AAAA);
    assert_int_equal(json_array_size(json_object_get(json_object_get(night, "result"), "loops")),
                     4 * 3);
    g_autofree char *gone = g_build_filename(a->folder, "raw-2-10-3.csv", NULL);
    assert_int_equal(g_unlink(gone), 0);
    g_auto(called) less = CALL(ci_command_import.run, "import", a->folder, "--project=p", commit,
                               "--night=2024-03-05");
    expect_called(&less, CI_INPUT, "", "--allow-missing continues without it");
    g_auto(called) all = CALL(ci_command_import.run, "import", a->folder, "--project=p", commit,
                              "--night=2024-03-05", "--allow-missing");
    expect_called(&all, CI_OK,
                  "{\"configuration\":\"3\",\"loop\":2,\"position\":7,\"started_ms\":1709640000000,"
                  "\"seconds\":0.0,\"failed\":\"the raw file is missing\"}",
                  "chain: T = 0, I = 1 less 0");
    g_auto(called) none = CALL(ci_command_import.run, "import", "/", "--project=p", commit);
    expect_called(&none, CI_INPUT, "", "is this a MooBench result?");
}

/* What is sent to be imported: an export as it is, or lines that were just made. */

static void which_file_is_an_export(void **state) {
    static const struct {
        const char *text;
        bool is;
    } cases[] = {{"{\"moowatch_export\": 1}\n", true},
                 {"{\"moowatch_export\": 1, \"project\": \"p\"}\n{\"type\": \"night\"}\n", true},
                 {"{\"moowatch_export\": 9}", true}, /* of a later release: the server says so */
                 {"\xef\xbb\xbf{\"moowatch_export\": 1}\r\n", true},
                 {"{\"entries\": {}}\n", false},
                 {"\n{\"moowatch_export\": 1}\n", false},
                 {"{\n\"moowatch_export\": 1}\n", false},
                 {"[\"moowatch_export\"]\n", false},
                 {"", false},
                 {"moowatch_export\n", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = put(*state, "file", cases[i].text);
        if (import_is_export(path) != cases[i].is)
            fail_msg("%s", cases[i].text);
    }
    assert_false(import_is_export(*state));
    assert_false(import_is_export("/no/such/file"));
}

static void lines_go_out_as_they_are_printed(void **state) {
    asked *a = *state;
    const ci_client_options options = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&options, NULL);
    json_t *lines = json_of("[{'b': 1, 'a': 'ä'}, {'c': null}]");
    ANSWER(a, JSON("{\"nights\": 1}"), JSON("{}"));
    g_autofree char *to = ci_client_path("projects", "a/b", "import");
    json_t *answer = import_send_lines(client, to, lines, NULL);
    expect_real(answer, "nights", 1);
    EXPECT_REQUESTS(a, "POST /api/v1/projects/a/b/import");
    assert_string_equal(receiver_get(a->server, 0)->body, "{\"b\":1,\"a\":\"ä\"}\n{\"c\":null}\n");
    json_decref(answer);
    json_array_clear(lines);
    json_decref(import_send_lines(client, to, lines, NULL));
    assert_string_equal(receiver_get(a->server, 1)->body, "");
    json_decref(lines);
}

static void a_file_that_went_away(void **state) {
    asked *a = *state;
    const ci_client_options options = {.server = a->url};
    g_autoptr(ci_client) client = ci_client_new(&options, NULL);
    GError *error = NULL;
    assert_null(import_send_file(client, "/import", "/no/such/file", &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "/no/such/file");
    EXPECT_NO_REQUEST(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ASKED(a_night_a_line),
        ASKED(one_series_as_csv),
        ASKED(a_series_is_what_a_project_has),
        ASKED(a_series_near_zero),
        ASKED(lines_for_the_server),
        ASKED(a_commit_and_a_night_are_whole),
        ASKED(sent_as_it_would_be_printed),
        ASKED(other_values_are_told),
        ASKED(an_export_is_passed_on),
        ASKED(what_cannot_be_sent),
        ASKED(a_refused_import),
        ASKED(a_folder_of_raw_results),
        ASKED(what_is_left_out_is_told),

        IN_FOLDER(which_file_is_an_export),
        ASKED(lines_go_out_as_they_are_printed),
        ASKED(a_file_that_went_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
