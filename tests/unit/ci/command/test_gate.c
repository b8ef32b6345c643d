/* The exit status that stops a pipeline: it must be no pass when nobody knows. */
#include "tests/unit/ci/command/asked.h"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define GATE(a, ...) CALL(ci_command_gate.run, "gate", "--server", (a)->url, __VA_ARGS__)

/* A page with the commit's night; portions T, I, C and W, of which W has the verdict. */
static char *night_page(const char *state, const char *verdict, const char *direction) {
    return g_strdup_printf(
        "{\"items\": [{\"night\": \"2024-03-05\", \"state\": \"%s\", \"reason\": \"because\", "
        "\"commit\": {\"sha\": \"" COMMIT "\", \"subject\": \"s\"}, \"level\": 0.95, "
        "\"portions\": [{\"portion\": \"T\", \"mean_ns\": 70, \"verdict\": \"ok\"}, "
        "{\"portion\": \"W\", \"configuration\": \"write\", \"mean_ns\": 1100, \"low_ns\": 1090, "
        "\"high_ns\": 1110, "
        "\"verdict\": \"%s\", \"direction\": %s%s%s, \"reason\": \"W rose by 10 %%\", "
        "\"reference\": {\"mean_ns\": 1000}, \"difference\": {\"mean_ns\": 100}}]}], "
        "\"next\": null}",
        state, verdict, direction ? "\"" : "", direction ? direction : "null",
        direction ? "\"" : "");
}

static void verdicts(void **state) {
    asked *a = *state;
    static const struct {
        const char *verdict, *direction, *option;
        ci_exit exit;
        const char *out;
    } cases[] = {
        {"ok", NULL, "--strict", CI_OK, "pass: p: "},
        {"first", NULL, "--strict", CI_UNSURE, "cannot tell: p: W rose by 10 %"},
        {"anomaly", "up", "--strict", CI_FOUND, "fail: p: W rose by 10 %"},
        {"anomaly", "down", "--strict", CI_OK, "pass: p: "},
        {"anomaly", "down", "--both", CI_FOUND, "fail: p: "},
        {"anomaly", "up", "--portion=T", CI_OK, "pass: p: "},
        {"anomaly", "up", "--allow=W=10", CI_OK, "pass: p: "},
        {"anomaly", "up", "--allow=W=9", CI_FOUND, "fail: p: "},
        {"environment", NULL, "--strict", CI_FOUND, "fail: p: "},
        {"environment", NULL, "--both", CI_UNSURE, "cannot tell: p: W rose by 10 %"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *page = night_page("measured", cases[i].verdict, cases[i].direction);
        ANSWER(a, JSON(page));
        receiver_forget(a->server);
        g_auto(called) c = GATE(a, "p", COMMIT, cases[i].option);
        expect_called(&c, cases[i].exit, cases[i].out, "");
        EXPECT_REQUESTS(a, "GET /api/v1/projects/p/nights");
    }
}

static void as_json_and_as_files(void **state) {
    asked *a = *state;
    g_autofree char *page = night_page("measured", "anomaly", "up");
    g_autofree char *junit = g_build_filename(a->folder, "j.xml", NULL);
    ANSWER(a, JSON(page));
    g_auto(called) c = GATE(a, "p", "0123", "--json", "--junit", junit);
    expect_called(
        &c, CI_FOUND,
        "{\"pass\":false,\"verdict\":\"fail\",\"sentence\":\"W rose by 10 %\",\"failed\":[", "");
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(junit, &text, NULL, NULL));
    assert_non_null(strstr(text, "failures=\"1\""));
}

/* What the policy lets pass is no failed test, and what it does not let pass is one. */
static void junit_has_the_answer(void **state) {
    asked *a = *state;
    static const struct {
        const char *direction, *option;
        ci_exit exit;
        const char *counts;
    } cases[] = {{"up", "--allow=W=10", CI_OK, "failures=\"0\" errors=\"0\" skipped=\"0\""},
                 {"up", "--allow=W=9", CI_FOUND, "failures=\"1\" errors=\"0\" skipped=\"0\""},
                 {"up", "--portion=W", CI_FOUND, "failures=\"1\" errors=\"0\" skipped=\"1\""},
                 {"up", "--portion=T", CI_OK, "failures=\"0\" errors=\"0\" skipped=\"1\""},
                 {"down", "--both", CI_FOUND, "failures=\"1\" errors=\"0\" skipped=\"0\""}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *page = night_page("measured", "anomaly", cases[i].direction);
        g_autofree char *junit = g_build_filename(a->folder, "j.xml", NULL);
        g_autofree char *text = NULL;
        ANSWER(a, JSON(page));
        g_auto(called) c = GATE(a, "p", COMMIT, cases[i].option, "--junit", junit);
        assert_int_equal(c.exit, cases[i].exit);
        assert_true(g_file_get_contents(junit, &text, NULL, NULL));
        if (!strstr(text, cases[i].counts))
            fail_msg("%s %s: %s", cases[i].direction, cases[i].option, text);
        if (strstr(cases[i].counts, "skipped=\"1\""))
            assert_non_null(
                strstr(text, "<skipped message=\"not judged: --portion names others\"/>"));
    }
}

/* The only test says that there is no result, and none of an earlier run is left. */
static void junit_without_a_result(void **state) {
    asked *a = *state;
    static const struct {
        receiver_answer answer;
        ci_exit exit;
        const char *says;
    } cases[] = {{JSON("{\"items\": [], \"next\": null}"), CI_TIMEOUT, "has not been measured"},
                 {{404, NULL, NULL, "{\"detail\": \"no project\"}"}, CI_SERVER, "404 no project"}};
    g_autofree char *junit = g_build_filename(a->folder, "j.xml", NULL);
    g_autofree char *failed = night_page("failed", "ok", NULL);
    for (size_t i = 0; i <= G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = NULL;
        const bool is_failed = i == G_N_ELEMENTS(cases);
        const receiver_answer answer = is_failed ? (receiver_answer)JSON(failed) : cases[i].answer;
        assert_true(g_file_set_contents(junit, "<testsuites/>", -1, NULL));
        ANSWER(a, answer, JSON("{\"items\": [], \"next\": null}"));
        g_auto(called) c = GATE(a, "p", COMMIT, "--junit", junit);
        expect_called(&c, is_failed ? CI_INPUT : cases[i].exit, "",
                      is_failed ? "the night is failed: because" : cases[i].says);
        assert_true(g_file_get_contents(junit, &text, NULL, NULL));
        assert_non_null(strstr(text, "errors=\"1\""));
        assert_non_null(strstr(text, is_failed ? "<error type=\"failed\" message=\"because\""
                                               : "<error type=\"missing\" message=\""));
        assert_non_null(strstr(text, is_failed ? "because" : cases[i].says));
    }
}

/* What the gate cannot tell is no passed test: --portion=T of a control that could have doubled,
 * and a control that moved, of which nobody asked. */
static void junit_of_what_nobody_can_tell(void **state) {
    asked *a = *state;
    static const struct {
        const char *portion, *option, *skipped;
    } cases[] = {
        {"\"verdict\": \"ok\", \"judged\": {\"low_ns\": 10, \"high_ns\": 400}, \"reference\": "
         "{\"mean_ns\": 70, \"low_ns\": 10, \"high_ns\": 400}",
         "--portion=T", "more than a doubling"},
        {"\"verdict\": \"environment\", \"rule\": \"control-moved\", \"reason\": \"T moved\"",
         "--portion=W", "T moved"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *page = g_strdup_printf(
            "{\"items\": [{\"night\": \"2024-03-05\", \"state\": \"measured\", \"level\": 0.95, "
            "\"commit\": {\"sha\": \"" COMMIT "\"}, "
            "\"portions\": [{\"portion\": \"T\", \"configuration\": \"none\", \"mean_ns\": 70, "
            "%s}, "
            "{\"portion\": \"W\", \"configuration\": \"write\", \"parent\": \"none\", "
            "\"mean_ns\": 9, \"verdict\": \"ok\"}]}], \"next\": null}",
            cases[i].portion);
        g_autofree char *junit = g_build_filename(a->folder, "j.xml", NULL);
        g_autofree char *text = NULL;
        ANSWER(a, JSON(page));
        g_auto(called) c = GATE(a, "p", COMMIT, cases[i].option, "--junit", junit);
        expect_called(&c, CI_UNSURE, "cannot tell", "");
        assert_true(g_file_get_contents(junit, &text, NULL, NULL));
        const char *skipped = strstr(text, "name=\"T\"");
        assert_non_null(skipped);
        if (!g_strstr_len(skipped, 400, cases[i].skipped))
            fail_msg("%s", text);
    }
}

/* What the experiment says of the project's limits. */
static void limits(void **state) {
    asked *a = *state;
    static const struct {
        const char *limit;
        ci_exit exit;
        const char *out, *tests;
    } cases[] = {{"met", CI_OK, "pass: p: ", "failures=\"0\" errors=\"0\" skipped=\"0\""},
                 {"unknown", CI_OK, "pass: p: ", "failures=\"0\" errors=\"0\" skipped=\"1\""},
                 {"unsure", CI_UNSURE, "cannot tell: p: start <= 2 s: 2.1 s",
                  "failures=\"0\" errors=\"0\" skipped=\"1\""},
                 {"above", CI_FOUND, "fail: p: start <= 2 s: 2.1 s",
                  "failures=\"1\" errors=\"0\" skipped=\"0\""}};
    g_autofree char *junit = g_build_filename(a->folder, "j.xml", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *page = night_page("measured", "ok", NULL);
        g_autofree char *numbered =
            g_strdup_printf("{\"items\": [{\"experiment\": 7, %s", strchr(page, '[') + 2);
        g_autofree char *whole =
            g_strdup_printf("{\"limits\": [{\"limit\": \"start <= 2 s\", \"state\": \"%s\", "
                            "\"sentence\": \"start <= 2 s: 2.1 s\"}]}",
                            cases[i].limit);
        ANSWER(a, JSON(numbered), JSON("{}"), JSON(whole));
        receiver_forget(a->server);
        g_autofree char *text = NULL;
        g_auto(called) c = GATE(a, "p", COMMIT, "--junit", junit);
        expect_called(&c, cases[i].exit, cases[i].out, "");
        EXPECT_REQUESTS(a, "GET /api/v1/projects/p/nights", "GET /api/v1/projects/p/alerts",
                        "GET /api/v1/experiments/7");
        assert_true(g_file_get_contents(junit, &text, NULL, NULL));
        if (!strstr(text, cases[i].tests) || !strstr(text, "name=\"start &lt;= 2 s\""))
            fail_msg("%s: %s", cases[i].limit, text);
    }
}

/* A night without a measurement has no verdict: it neither passes nor fails. */
static void a_night_that_was_not_measured(void **state) {
    asked *a = *state;
    g_autofree char *page = night_page("failed", "ok", NULL);
    ANSWER(a, JSON(page));
    g_auto(called) c = GATE(a, "p", COMMIT);
    expect_called(&c, CI_INPUT, "", "the night is failed: because");
}

/* It was "timeout", 5, without waiting. */
static void no_commit_is_no_timeout(void **state) {
    asked *a = *state;
    g_auto(called) c = GATE(a, "p", "nosuchcommit");
    expect_called(&c, CI_USAGE, "", "“nosuchcommit” is neither");
    EXPECT_NO_REQUEST(a);
}

static void nobody_knows_yet(void **state) {
    asked *a = *state;
    g_autofree char *suspect = night_page("measured", "suspect", "up");
    ANSWER(a, JSON("{\"items\": [], \"next\": null}"), JSON("{\"items\": [], \"next\": null}"));
    g_auto(called) none = GATE(a, "p", COMMIT);
    expect_called(&none, CI_TIMEOUT, "", "has not been measured; moowatch submit asks for it");
    ANSWER(a, JSON(suspect));
    g_auto(called) again = GATE(a, "p", COMMIT);
    expect_called(&again, CI_TIMEOUT, "", "is to be measured again, to confirm a change");
}

/* With --timeout the answer is waited for: first nothing, then the confirmed change. */
static void the_answer_comes_in_time(void **state) {
    asked *a = *state;
    g_autofree char *suspect = night_page("measured", "suspect", "up");
    g_autofree char *page = night_page("measured", "anomaly", "up");
    ANSWER(a, JSON(suspect), JSON(page));
    g_auto(called) c = GATE(a, "p", COMMIT, "--timeout", "1");
    expect_called(&c, CI_FOUND, "fail: p", "");
    assert_int_equal(receiver_count(a->server), 2);
}

static void a_server_that_refuses_is_not_waited_for(void **state) {
    asked *a = *state;
    ANSWER(a, {401, NULL, NULL, "{\"detail\": \"a token is needed\"}"});
    g_auto(called) c = GATE(a, "p", COMMIT, "--timeout", "3600");
    expect_called(&c, CI_SERVER, "", "401 a token is needed");
    EXPECT_REQUESTS(a, "GET /api/v1/projects/p/nights");
}

static void a_policy_that_cannot_be(void **state) {
    asked *a = *state;
    g_autofree char *page = night_page("measured", "ok", NULL);
    g_auto(called) wrong = GATE(a, "p", COMMIT, "--allow", "W");
    expect_called(&wrong, CI_USAGE, "", "NAME=PERCENT");
    EXPECT_NO_REQUEST(a);
    ANSWER(a, JSON(page));
    g_auto(called) unknown = GATE(a, "p", COMMIT, "--portion", "Writing");
    expect_called(&unknown, CI_USAGE, "", "no portion \"Writing\"");
}

#define CHANGED                                                                                    \
    "{\"items\": [{\"night\": \"2024-03-05\", \"state\": \"measured\", \"experiment\": 7, "        \
    "\"commit\": {\"sha\": \"" COMMIT "\"}, \"portions\": [{\"portion\": \"W\", \"verdict\": "     \
    "\"anomaly\", \"direction\": \"up\", \"reason\": \"W rose\"}]}], \"next\": null}"
#define ALERT(experiment, sentence)                                                                \
    "{\"to\": {\"experiment\": " experiment "}, \"explanation\": {\"portions\": [{\"sentence\": "  \
    "\"" sentence "\"}]}}"

/* The file says where the change is, by the alerts of this night alone; the verdict stands whatever
 * the server answers to that. */
static void where_it_is(void **state) {
    asked *a = *state;
    g_autofree char *file = g_build_filename(a->folder, "gate.md", NULL), *text = NULL;
    ANSWER(a, JSON(CHANGED),
           JSON("{\"items\": [{}, " ALERT("6", "in another") ", " ALERT("7", "in writeLine") "]}"),
           JSON("{}"));
    g_auto(called) c = GATE(a, "p", COMMIT, "--markdown", file);
    expect_called(&c, CI_FOUND, "fail: p: W rose", "");
    EXPECT_REQUESTS(a, "GET /api/v1/projects/p/nights", "GET /api/v1/projects/p/alerts",
                    "GET /api/v1/experiments/7");
    assert_true(g_file_get_contents(file, &text, NULL, NULL));
    assert_non_null(strstr(text, "\n- Where it is: in writeLine"));
    assert_null(strstr(text, "in another"));
    ANSWER(a, JSON(CHANGED), {500, NULL, NULL, "{\"detail\": \"no\"}"}, JSON("{}"));
    g_auto(called) unknown = GATE(a, "p", COMMIT, "--markdown", file);
    expect_called(&unknown, CI_FOUND, "fail: p: W rose", "");
    g_clear_pointer(&text, g_free);
    assert_true(g_file_get_contents(file, &text, NULL, NULL));
    assert_null(strstr(text, "Where it is"));
}

#define BEGAN                                                                                      \
    "{\"items\": [{\"night\": \"2025-03-13\", \"state\": \"measured\", \"experiment\": 7, "        \
    "\"headline\": \"W may have changed\", \"commit\": {\"sha\": \"" COMMIT                        \
    "\"}, \"began\": [{\"configuration\": \"w\"}], \"portions\": [{\"portion\": \"W\", "           \
    "\"configuration\": \"w\", \"verdict\": \"ok\", \"rule\": \"pending\", \"reason\": \"not "     \
    "enough "                                                                                      \
    "to say so\"}]}], \"next\": null}"
#define BEGAN_TWO                                                                                  \
    "{\"items\": [{\"night\": \"2025-03-13\", \"state\": \"measured\", \"experiment\": 7, "        \
    "\"commit\": {\"sha\": \"" COMMIT                                                              \
    "\"}, \"portions\": [{\"portion\": \"W\", \"configuration\": "                                 \
    "\"w\", " ROSE "}, {\"portion\": \"C\", \"configuration\": \"c\", " ROSE                       \
    "}]}], \"next\": null}"
#define DATED                                                                                      \
    "{\"items\": [{\"to\": {\"experiment\": 7}, \"portions\": [{\"configuration\": \"w\", "        \
    "\"direction\": \"up\", \"sentence\": \"W rose from 50 ns to 80 ns\"}]}]}"
#define LATER                                                                                      \
    "{\"items\": [{\"night\": \"2025-03-14\", \"state\": \"measured\", \"experiment\": 8, "        \
    "\"headline\": \"W rose by 61 %\", \"commit\": {\"sha\": \"" COMMIT                            \
    "\"}, \"portions\": [{\"portion\": \"W\", \"configuration\": \"w\", \"verdict\": "             \
    "\"anomaly\", \"direction\": \"up\", \"since\": \"2025-03-13\", \"reference\": {\"mean_ns\": " \
    "50}}]}], \"next\": null}"

/* The night that an alert is dated to fails, though its own verdict came too early; the night that
 * showed the change passes. */
static void the_commit_that_an_alert_names_fails(void **state) {
    asked *a = *state;
    ANSWER(a, JSON(BEGAN), JSON(DATED), JSON("{}"));
    g_auto(called) culprit = GATE(a, "p", COMMIT);
    expect_called(&culprit, CI_FOUND, "fail: p: W rose from 50 ns to 80 ns\n", "");
    ANSWER(a, JSON(BEGAN), {500, NULL, NULL, "{\"detail\": \"no\"}"});
    g_auto(called) unknown = GATE(a, "p", COMMIT);
    expect_called(&unknown, CI_SERVER, "", "500 no");
    ANSWER(a, JSON(LATER), JSON("{}"), JSON("{}"));
    g_auto(called) next = GATE(a, "p", COMMIT);
    expect_called(&next, CI_OK,
                  "pass: p: the change of W began on 2025-03-13, not with this commit\n", "");
    g_autoptr(GString) same = g_string_new(LATER); /* a commit before it on its own date */
    g_string_replace(same, "2025-03-14", "2025-03-13", 1);
    ANSWER(a, JSON(same->str), JSON("{}"), JSON("{}"));
    g_auto(called) of_date = GATE(a, "p", COMMIT);
    expect_called(&of_date, CI_OK,
                  "pass: p: the change of W began on 2025-03-13, not with this commit\n", "");
    ANSWER(a, JSON(LATER), JSON("{}"), JSON("{}"));
    g_auto(called) table = GATE(a, "p", COMMIT, "--markdown=-");
    expect_called(&table, CI_OK, "| changed, not with this commit |", "");
}

#define AGAIN(night, portion) AGAIN_ON("13", night, portion)
#define AGAIN_ON(day, night, portion)                                                              \
    "{\"night\": \"2025-03-" day "\", \"state\": \"measured\", \"experiment\": " night ", "        \
    "\"headline\": \"night " night "\", \"commit\": {\"sha\": \"" COMMIT "\"}, "                   \
    "\"portions\": [{\"portion\": \"W\", \"configuration\": \"w\", " portion "}]}"
#define CLEAR "\"verdict\": \"ok\""
#define ROSE "\"verdict\": \"anomaly\", \"direction\": \"up\", \"reason\": \"W rose\""
#define LESS "\"verdict\": \"anomaly\", \"direction\": \"down\", \"reason\": \"W fell\""
#define BEGAN_HERE "\"verdict\": \"ok\", \"later\": \"up\""
#define BETWEEN BEGAN_HERE ", \"since\": \"2025-03-12\""
#define SINCE_13 ROSE ", \"since\": \"2025-03-13\""
#define TOLD ROSE ", \"since\": \"2025-03-12\""
#define SUSPECT "\"verdict\": \"suspect\""
#define ANOTHER "{\"commit\": {\"sha\": \"fedcba\"}}"

/* "Repeat this" made it green: the second result of a commit is as the first one. What any of them
 * tells counts, most what got worse with it, on whatever date and behind whatever other commit. */
static void a_commit_that_was_measured_again(void **state) {
    asked *a = *state;
    static const struct {
        const char *nights, *option;
        ci_exit exit;
        const char *out;
    } cases[] = {
        {AGAIN("9", CLEAR) "," AGAIN("7", ROSE), "--strict", CI_FOUND, "fail: p: W rose\n"},
        {AGAIN("9", LESS) "," AGAIN("7", ROSE), "--strict", CI_FOUND, "fail: p: W rose\n"},
        {AGAIN("9", LESS) "," AGAIN("7", BEGAN_HERE), "--both", CI_OK, "pass: p: night 7\n"},
        {AGAIN("9", CLEAR) "," AGAIN("7", BETWEEN), "--both", CI_OK, "pass: p: night 9\n"},
        {AGAIN("9", CLEAR) "," AGAIN("7", LESS), "--both", CI_FOUND, "fail: p: W fell\n"},
        {AGAIN("9", CLEAR) "," AGAIN("8", CLEAR), "--both", CI_OK, "pass: p: night 9\n"},
        {AGAIN("9", CLEAR) "," ANOTHER "," AGAIN("7", ROSE), "--both", CI_FOUND, "fail: p: W rose"},
        {AGAIN_ON("15", "9", CLEAR) "," AGAIN("7", ROSE), "--both", CI_FOUND, "fail: p: W rose\n"},
        {AGAIN_ON("15", "9", TOLD) "," AGAIN("7", LESS), "--both", CI_FOUND, "fail: p: W fell\n"},
        {AGAIN("9", SINCE_13) "," AGAIN("7", LESS), "--both", CI_FOUND, "fail: p: W fell\n"},
        {AGAIN_ON("15", "9", CLEAR) "," AGAIN("7", TOLD), "--both", CI_OK,
         "pass: p: the change of "},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *page = g_strdup_printf("{\"items\": [%s]}", cases[i].nights);
        ANSWER(a, JSON(page), JSON("{}"), JSON("{}"));
        g_auto(called) c = GATE(a, "p", COMMIT, cases[i].option);
        expect_called(&c, cases[i].exit, cases[i].out, "");
    }
    ANSWER(a, JSON("{\"items\": [" AGAIN("9", CLEAR) "," AGAIN("7", SUSPECT) "]}"));
    g_auto(called) asking = GATE(a, "p", COMMIT);
    expect_called(&asking, CI_TIMEOUT, "", "is to be measured again, to confirm a change");
}

/* It passed by its newest date: the change began with its first one, and the second one told. */
static void a_commit_that_was_measured_on_several_dates(void **state) {
    asked *a = *state;
    static const char *const nights[] = {
        AGAIN_ON("15", "9", CLEAR) "," AGAIN_ON("14", "8", SINCE_13) "," AGAIN("7", BEGAN_HERE),
        AGAIN_ON("15", "9", CLEAR) "," AGAIN_ON("14", "8", SINCE_13) "," AGAIN("7", CLEAR)};
    for (size_t i = 0; i < G_N_ELEMENTS(nights); i++) {
        g_autofree char *page = g_strdup_printf("{\"items\": [%s]}", nights[i]);
        ANSWER(a, JSON(page), JSON(DATED), JSON("{}"));
        g_auto(called) c = GATE(a, "p", COMMIT);
        expect_called(&c, CI_FOUND, "fail: p: W rose from 50 ns to 80 ns\n", "");
    }
}

/* The commit rose and did not change: it failed where nobody of its repository did it, and nobody
 * could tell where it came slowly. */
static void what_came_between_two_measurements_of_a_commit(void **state) {
    asked *a = *state;
    static const char *const nights[] = {
        BEGAN, "{\"items\": [" AGAIN("7", ROSE) "," AGAIN_ON("12", "6", CLEAR) "]}"};
    static const char *const ways[] = {"{\"to\"", "{\"slow\": true, \"to\""};
    for (size_t i = 0; i < G_N_ELEMENTS(nights) * G_N_ELEMENTS(ways); i++) {
        g_autoptr(GString) dated = g_string_new(DATED);
        g_string_replace(dated, "{\"to\"", ways[i / 2], 1);
        g_string_replace(
            dated, "7}",
            "7, \"commit\": {\"sha\": \"" COMMIT "\"}}, \"from\": "
            "{\"night\": \"2025-03-12\", \"experiment\": 6, \"commit\": {\"sha\": \"" COMMIT "\"}}",
            1);
        ANSWER(a, JSON(nights[i % 2]), JSON(dated->str), JSON("{}"));
        g_auto(called) c = GATE(a, "p", COMMIT, "--strict");
        expect_called(&c, CI_OK,
                      "pass: p: the change of W came later: on 2025-03-12 this commit was measured "
                      "without it\n",
                      "");
    }
}

/* Nor is the commit that somebody moved a change to, which nobody measured there. */
static void what_was_moved_by_hand_is_nobodys(void **state) {
    asked *a = *state;
    g_autoptr(GString) dated = g_string_new(DATED);
    g_string_replace(dated, "{\"to\"", "{\"moved\": \"moved by hand (ada)\", \"to\"", 1);
    ANSWER(a, JSON(BEGAN), JSON(dated->str), JSON("{}"));
    g_auto(called) first = GATE(a, "p", COMMIT);
    expect_called(&first, CI_UNSURE, "cannot tell: p: the change of W was moved by hand (ada)\n",
                  "");
}

/* Nights show a little each, and none was measured again: neither the night that it is dated to nor
 * the one that told is accused, and neither passes; nor is that of a change with a night alone. */
static void a_slow_shift_is_nobodys(void **state) {
    asked *a = *state;
    g_autoptr(GString) dated = g_string_new(DATED), later = g_string_new(LATER);
    g_string_replace(dated, "{\"to\"", "{\"slow\": true, \"to\"", 1);
    g_string_replace(later, "\"since\"", "\"slow\": true, \"since\"", 1);
    ANSWER(a, JSON(BEGAN), JSON(dated->str), JSON("{}"));
    g_auto(called) first = GATE(a, "p", COMMIT);
    expect_called(
        &first, CI_UNSURE,
        "cannot tell: p: the change of W came slowly; which commit it came with is not known\n",
        "");
    ANSWER(a, JSON(later->str), JSON("{}"), JSON("{}"));
    g_auto(called) next = GATE(a, "p", COMMIT);
    expect_called(&next, CI_UNSURE,
                  "cannot tell: p: the change of W came slowly from 2025-03-13 on; which commit it "
                  "came with is not known\n",
                  "");
    g_autoptr(GString) fell = g_string_new(later->str);
    g_string_replace(fell, "\"up\"", "\"down\"", 1);
    ANSWER(a, JSON(fell->str), JSON("{}"), JSON("{}"));
    g_auto(called) better = GATE(a, "p", COMMIT, "--markdown=-");
    expect_called(&better, CI_OK, "| changed, its commit is not known |", "");
    g_string_replace(later, ", \"since\": \"2025-03-13\"", "", 1);
    ANSWER(a, JSON(later->str), JSON("{}"), JSON("{}"));
    g_auto(called) alone = GATE(a, "p", COMMIT);
    expect_called(
        &alone, CI_UNSURE,
        "cannot tell: p: the change of W came slowly; which commit it came with is not known\n",
        "");
}

/* Its night had risen: "+1.62" stood beside "fell". */
static void a_slow_fall_is_told_with_its_numbers(void **state) {
    asked *a = *state;
    g_autoptr(GString) rose = g_string_new(BEGAN), dated = g_string_new(DATED);
    g_string_replace(rose, "\"ok\"",
                     "\"anomaly\", \"direction\": \"up\", \"reference\": {\"mean_ns\": 4}, "
                     "\"difference\": {\"mean_ns\": 1.62}",
                     1);
    g_string_replace(dated, "\"up\"",
                     "\"down\", \"before\": {\"mean_ns\": 80}, \"difference\": {\"mean_ns\": -30}",
                     1);
    g_string_replace(dated, "{\"to\"", "{\"slow\": true, \"to\"", 1);
    ANSWER(a, JSON(rose->str), JSON(dated->str), JSON("{}"));
    g_auto(called) fell = GATE(a, "p", COMMIT, "--markdown=-");
    expect_called(&fell, CI_OK, "| 80.00 | - | -30.00 | changed, its commit is not known |", "");
}

/* What the night could not say by itself, a later one has shown: it is as clear as the night that
 * told, and passes as the status does; of a slow shift neither does. */
static void what_a_later_night_showed_is_not_in_question(void **state) {
    asked *a = *state;
    g_autoptr(GString) between = g_string_new(LATER);
    g_string_replace(between, "\"anomaly\"",
                     "\"ok\", \"rule\": \"pending\", \"later\": \"up\", \"reason\": \"not enough\"",
                     1);
    ANSWER(a, JSON(between->str), JSON("{}"), JSON("{}"));
    g_auto(called) passed = GATE(a, "p", COMMIT);
    expect_called(&passed, CI_OK,
                  "pass: p: the change of W began on 2025-03-13, not with this commit\n", "");
    g_string_replace(between, "\"since\"", "\"slow\": true, \"since\"", 1);
    ANSWER(a, JSON(between->str), JSON("{}"), JSON("{}"));
    g_auto(called) slow = GATE(a, "p", COMMIT);
    expect_called(&slow, CI_UNSURE,
                  "cannot tell: p: the change of W came slowly from 2025-03-13 on; which commit it "
                  "came with is not known\n",
                  "");
}

/* A fall that a later night told is told once, and passes. */
static void a_change_that_is_dated_is_told_once(void **state) {
    asked *a = *state;
    g_autoptr(GString) began = g_string_new(BEGAN), dated = g_string_new(DATED);
    g_string_replace(began, "\"rule\"", "\"later\": \"down\", \"rule\"", 1);
    g_string_replace(dated, "\"up\"", "\"down\"", 1);
    ANSWER(a, JSON(began->str), JSON(dated->str), JSON("{}"));
    g_auto(called) fell = GATE(a, "p", COMMIT);
    expect_called(&fell, CI_OK, "pass: p: Writing (W) fell\n", "");
}

#define LOST "W +0.80 % of records lost"
#define BUT_LOST ", but " LOST ": this is no improvement"

/* What got cheaper because it loses more is no pass, as of a pull request: of the night that saw it
 * so, and of one that a later night told of. */
static void what_loses_more_is_no_improvement(void **state) {
    asked *a = *state;
    g_autofree char *page = night_page("measured", "anomaly", "down");
    g_autoptr(GString) lossy = g_string_new(page);
    g_string_replace(lossy, "\"W rose by 10 %\"", "\"W fell" BUT_LOST "\", \"lost\": \"" LOST "\"",
                     1);
    ANSWER(a, JSON(lossy->str));
    g_auto(called) fell = GATE(a, "p", COMMIT);
    expect_called(&fell, CI_UNSURE, "cannot tell: p: W fell" BUT_LOST "\n", "");
    g_string_replace(lossy, "\"lost\"", "\"accepted_in_advance\": true, \"lost\"", 1);
    ANSWER(a, JSON(lossy->str));
    g_auto(called) announced = GATE(a, "p", COMMIT);
    expect_called(&announced, CI_OK, "pass: p: Writing (W) rose by 10.0 %, but " LOST, "");
    g_autoptr(GString) began = g_string_new(BEGAN), dated = g_string_new(DATED);
    g_string_replace(began, "\"rule\"", "\"later\": \"down\", \"lost\": \"" LOST "\", \"rule\"", 1);
    g_string_replace(dated, "\"up\"", "\"down\"", 1);
    ANSWER(a, JSON(began->str), JSON(dated->str), JSON("{}"));
    g_auto(called) later = GATE(a, "p", COMMIT);
    expect_called(&later, CI_UNSURE, "cannot tell: p: W rose from 50 ns to 80 ns" BUT_LOST "\n",
                  "");
}

#define FELL                                                                                       \
    "{\"items\": [{\"night\": \"2025-03-13\", \"state\": \"measured\", \"experiment\": 7, "        \
    "\"commit\": {\"sha\": \"" COMMIT "\"}, \"portions\": [{\"portion\": \"W\", "                  \
    "\"configuration\": \"w\", \"verdict\": \"anomaly\", \"direction\": \"down\"}]}], \"next\": "  \
    "null}"
#define PAGE_OF(alert, next) "{\"items\": [" alert "], \"next\": " next "}"
#define STATED(state, way)                                                                         \
    "{\"to\": {\"experiment\": 7}, \"state\": \"" state "\", \"explanation\": {\"portions\": "     \
    "[{\"sentence\": \"in writeLine\"}]}, \"portions\": [{\"configuration\": \"w\", "              \
    "\"direction\": "                                                                              \
    "\"" way "\", \"sentence\": \"W moved " way "\"}]}"

/* W takes longer, and its memory fell: that passed. Memory alone is not what began. */
static void another_dimension_of_the_alert_is_not_the_time(void **state) {
    asked *a = *state;
    static const char memory[] = "{\"configuration\": \"w\", \"dimension\": \"peak_mb\", "
                                 "\"direction\": \"down\", \"sentence\": \"memory of W fell\"}";
    g_autofree char *both = g_strdup_printf(
        "{\"items\": [{\"to\": {\"experiment\": 7}, \"state\": \"open\", \"portions\": "
        "[{\"configuration\": \"w\", \"dimension\": \"time\", \"direction\": \"up\", "
        "\"sentence\": \"W rose\"}, %s]}], \"next\": null}",
        memory);
    ANSWER(a, JSON(BEGAN), JSON(both), JSON("{}"));
    g_auto(called) slower = GATE(a, "p", COMMIT);
    expect_called(&slower, CI_FOUND, "fail: p: W rose\n", "");
    g_autofree char *alone =
        g_strdup_printf("{\"items\": [{\"to\": {\"experiment\": 7}, \"state\": \"open\", "
                        "\"portions\": [%s]}], \"next\": null}",
                        memory);
    ANSWER(a, JSON(BEGAN), JSON(alone), JSON("{}"));
    g_auto(called) untold = GATE(a, "p", COMMIT);
    expect_called(&untold, CI_SERVER, "", "the server has no alert for a change");
}

#define SEARCHED                                                                                   \
    "{\"id\": 3, \"state\": \"open\", \"portion\": \"W\", \"sentence\": \"W rose from 50 ns to "   \
    "80 ns\", "                                                                                    \
    "\"to\": {\"experiment\": 7}, \"portions\": [{\"configuration\": \"w\", \"portion\": \"W\", "  \
    "\"direction\": \"up\", \"sentence\": \"W rose from 50 ns to 80 ns\", \"before\": "            \
    "{\"mean_ns\": 50}, \"difference\": {\"mean_ns\": 30}}], "                                     \
    "\"bisection\": {\"state\": \"found\", \"culprit\": {\"sha\": \"" COMMIT "\"}, \"of\": "       \
    "\"start of W\", \"steps\": ["                                                                 \
    "{\"commit\": {\"sha\": \"" COMMIT "\"}, \"state\": \"after\"}, "                              \
    "{\"commit\": {\"sha\": \"aa23456789\"}, \"state\": \"before\", \"saw\": \"as before\"}, "     \
    "{\"commit\": {\"sha\": \"bb23456789\"}, \"state\": \"part\", \"saw\": \"a part of it\"}, "    \
    "{\"commit\": {\"sha\": \"cc23456789\"}, \"state\": \"skipped\", \"saw\": \"not "              \
    "measured\"}]}}"
#define BY "no night measured it, but the search for the commit of alert 3"

/* It was "not measured", though a search had measured it, and found it. */
static void a_commit_that_only_a_search_measured(void **state) {
    asked *a = *state;
    static const struct {
        const char *commit, *option;
        ci_exit exit;
        const char *out, *err;
    } cases[] = {
        {COMMIT, "--strict", CI_FOUND, "fail: p: " BY " found it: W rose from 50 ns to 80 ns", ""},
        {COMMIT, "--allow=W=70", CI_UNSURE, "cannot tell: p: " BY " found it: W rose", ""},
        {COMMIT, "--portion=C", CI_UNSURE, "cannot tell: p: " BY " found it: W rose", ""},
        {"aa23456", "--both", CI_UNSURE, "cannot tell: p: " BY " did (start of W: as before)\n",
         ""},
        {"bb23456", "--both", CI_UNSURE, "cannot tell: p: " BY " did (start of W: a part of it)\n",
         ""},
        {"cc23456", "--both", CI_TIMEOUT, "", "has not been measured; moowatch submit asks"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ANSWER(
            a, JSON("{\"items\": [], \"next\": null}"),
            JSON("{\"items\": [{\"id\": 4, \"to\": {\"experiment\": 9}}], \"next\": \"41\"}"),
            JSON("{\"items\": [" SEARCHED "], \"next\": null}"),
            JSON("{\"portions\": [{\"portion\": \"C\", \"configuration\": \"c\", \"mean_ns\": 3}, "
                 "{\"portion\": \"W\", \"configuration\": \"w\", \"mean_ns\": 9}]}"));
        g_auto(called) c = GATE(a, "p", cases[i].commit, cases[i].option);
        expect_called(&c, cases[i].exit, cases[i].out, cases[i].err);
    }
}

/* Nobody is told of the whole for whom a part was measured. */
static void a_commit_that_brought_but_a_part(void **state) {
    asked *a = *state;
    g_autoptr(GString) page = g_string_new(PAGE_OF(SEARCHED, "null"));
    g_string_replace(page, "\"state\": \"found\"", "\"state\": \"found\", \"told\": \"Only 62 %\"",
                     1);
    ANSWER(
        a, JSON("{\"items\": [], \"next\": null}"), JSON(page->str),
        JSON("{\"portions\": [{\"portion\": \"W\", \"configuration\": \"w\", \"mean_ns\": 9}]}"));
    g_auto(called) c = GATE(a, "p", COMMIT, "--both");
    expect_called(&c, CI_FOUND, "found it: W rose from 50 ns to 80 ns. Only 62 %\n", "");
    g_string_replace(page, "\"told\"", "\"parts\": [{\"sha\": \"bb23456789\"}], \"told\"", 1);
    ANSWER(
        a, JSON("{\"items\": [], \"next\": null}"), JSON(page->str),
        JSON("{\"portions\": [{\"portion\": \"W\", \"configuration\": \"w\", \"mean_ns\": 9}]}"));
    g_auto(called) other = GATE(a, "p", "bb23456", "--both");
    expect_called(&other, CI_FOUND, "found it: W rose from 50 ns to 80 ns. Only 62 %\n", "");
    g_string_replace(page, "\"told\"",
                     "\"configuration\": \"w\", \"dimension\": \"start_ms\", \"told\"", 1);
    g_string_replace(page, "\"direction\"", "\"dimension\": \"start_ms\", \"direction\"", 1);
    ANSWER(
        a, JSON("{\"items\": [], \"next\": null}"), JSON(page->str),
        JSON("{\"portions\": [{\"portion\": \"W\", \"configuration\": \"w\", \"mean_ns\": 9}]}"));
    g_auto(called) start = GATE(a, "p", COMMIT, "--both");
    expect_called(&start, CI_UNSURE, "found it: W rose from 50 ns to 80 ns. Only 62 %\n", "");
}

/* Of an alert of two portions one was searched: the other is neither this commit's nor another's.
 */
static void a_commit_that_was_found_of_one_portion_of_two(void **state) {
    asked *a = *state;
    static const struct {
        const char *searched, *culprit;
        ci_exit exit;
        const char *out;
    } cases[] = {
        {"w", COMMIT, CI_FOUND, "fail: p: W rose from 50 ns to 80 ns. Of W.\n"},
        {"w", "dd23456789abcdef", CI_UNSURE,
         "cannot tell: p: the change of C came with an unknown commit; the search is of Writing "
         "(W) "
         "alone\n"},
        {"c", "dd23456789abcdef", CI_UNSURE,
         "cannot tell: p: the change of W came with an unknown commit; the search is of Writing "
         "(W) "
         "alone\n"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *alert = g_strdup_printf(
            PAGE_OF("{\"id\": 3, \"state\": \"open\", \"to\": {\"experiment\": 7}, \"portions\": ["
                    "{\"configuration\": \"w\", \"sentence\": \"W rose from 50 ns to 80 ns\", "
                    "\"direction\": \"up\"}, {\"configuration\": \"c\", \"sentence\": \"C rose\", "
                    "\"direction\": \"up\"}], \"bisection\": {\"state\": \"found\", "
                    "\"configuration\": \"%s\", \"of\": \"Writing (W)\", \"alone\": \"Of W.\", "
                    "\"told\": \"Of W.\", "
                    "\"culprit\": {\"sha\": \"%s\"}}}",
                    "null"),
            cases[i].searched, cases[i].culprit);
        ANSWER(a, JSON(BEGAN_TWO), JSON(alert), JSON("{}"));
        g_auto(called) c = GATE(a, "p", COMMIT);
        expect_called(&c, cases[i].exit, cases[i].out, "");
        if (i > 0)
            continue;
        ANSWER(a, JSON("{\"items\": [], \"next\": null}"), JSON(alert),
               JSON("{\"portions\": [{\"portion\": \"C\", \"configuration\": \"c\"}, "
                    "{\"portion\": \"W\", \"configuration\": \"w\"}]}"));
        g_auto(called) between = GATE(a, "p", COMMIT);
        expect_called(&between, CI_FOUND,
                      "fail: p: " BY " found it: W rose from 50 ns to 80 ns. Of W.\n", "");
    }
}

/* Of two searches that measured it the newer one passed it, and the older one found it. */
static void a_commit_that_one_search_passed_and_another_found(void **state) {
    asked *a = *state;
    ANSWER(
        a, JSON("{\"items\": [], \"next\": null}"),
        JSON("{\"items\": [{\"id\": 4, \"state\": \"open\", \"portion\": \"C\", \"sentence\": "
             "\"C rose\", \"to\": {\"experiment\": 9}, \"bisection\": {\"state\": \"found\", "
             "\"steps\": [{\"commit\": {\"sha\": \"" COMMIT "\"}, \"state\": \"before\"}]}}], "
             "\"next\": \"41\"}"),
        JSON("{\"items\": [" SEARCHED "], \"next\": null}"),
        JSON("{\"portions\": [{\"portion\": \"W\", \"configuration\": \"w\", \"mean_ns\": 9}]}"));
    g_auto(called) c = GATE(a, "p", COMMIT, "--strict");
    expect_called(&c, CI_FOUND, "fail: p: " BY " found it: W rose from 50 ns to 80 ns", "");
}

/* The night of 12 commits is not that of the one which a search found among them. */
static void a_commit_beside_the_one_that_was_found(void **state) {
    asked *a = *state;
    g_autoptr(GString) night = g_string_new(LATER), alert = g_string_new(SEARCHED);
    g_string_replace(night, ", \"since\": \"2025-03-13\"", "", 1);
    g_string_replace(alert, "\"experiment\": 7", "\"experiment\": 8", 1);
    g_autofree char *same = g_strdup_printf(PAGE_OF("%s", "null"), alert->str);
    g_string_replace(alert, COMMIT, "dd23456789abcdef", 1);
    g_autofree char *other = g_strdup_printf(PAGE_OF("%s", "null"), alert->str);
    ANSWER(a, JSON(night->str), JSON(other), JSON("{}"));
    g_auto(called) innocent = GATE(a, "p", COMMIT);
    expect_called(&innocent, CI_OK,
                  "pass: p: the change of W came with dd2345678, not with this commit\n", "");
    g_string_replace(alert, "\"state\": \"found\"",
                     "\"state\": \"found\", \"partly\": true, \"rest\": \"Only 57 %\"", 1);
    g_autofree char *part = g_strdup_printf(PAGE_OF("%s", "null"), alert->str);
    ANSWER(a, JSON(night->str), JSON(part), JSON("{}"));
    g_auto(called) unsure = GATE(a, "p", COMMIT);
    expect_called(&unsure, CI_UNSURE,
                  "cannot tell: p: the change of W came with dd2345678 in part; it is not known "
                  "whether this one brought some, too\n",
                  "");
    /* All that its step shows is that it may be less: seen with one of 40 % before one of 60. */
    g_string_replace(alert, "\"rest\": \"Only 57 %\"", "\"acquitted\": [{\"sha\": \"x\"}]", 1);
    g_autofree char *wide = g_strdup_printf(PAGE_OF("%s", "null"), alert->str);
    ANSWER(a, JSON(night->str), JSON(wide), JSON("{}"));
    g_auto(called) perhaps = GATE(a, "p", COMMIT);
    expect_called(&perhaps, CI_UNSURE,
                  "cannot tell: p: the change of W came with dd2345678, perhaps in part; "
                  "it is not known whether this one brought some, too\n",
                  "");
    g_string_replace(alert, "\"x\"", "\"" COMMIT "\"", 1);
    g_autofree char *before = g_strdup_printf(PAGE_OF("%s", "null"), alert->str);
    ANSWER(a, JSON(night->str), JSON(before), JSON("{}"));
    g_auto(called) acquitted = GATE(a, "p", COMMIT);
    expect_called(&acquitted, CI_OK,
                  "pass: p: the change of W came with dd2345678, not with this commit\n", "");
    ANSWER(a, JSON(night->str), JSON(same), JSON("{}"));
    g_auto(called) found = GATE(a, "p", COMMIT);
    expect_called(&found, CI_FOUND, "fail: p: ", "");
}

#define QUIET(day, night) "{\"items\": [" AGAIN_ON(day, night, CLEAR) "]}"
#define OF_RANGE(more)                                                                             \
    "{\"items\": [{\"id\": 3, \"state\": \"open\", \"from\": {\"night\": \"2025-03-11\", "         \
    "\"experiment\": 5}, \"to\": {\"experiment\": 7, \"night\": \"2025-03-13\"}, \"until\": "      \
    "{\"night\": \"2025-03-15\", \"experiment\": 9}, \"portions\": [{\"configuration\": \"w\", "   \
    "\"direction\": \"up\", "                                                                      \
    "\"sentence\": \"W rose\"}], " more "}], \"next\": null}"
/* An alert of W +32 ns, in whose search the commit was measured. */
#define BROUGHT(after) MEASURED(after, "\"rest\": \"Beside.\", ")
#define MEASURED(after, rest)                                                                      \
    OF_RANGE(                                                                                      \
        "\"confirmation\": {\"before_ns\": 50, \"mean_ns\": 32, \"low_ns\": 31, \"high_ns\": "     \
        "33}, \"bisection\": {\"state\": \"found\", \"commits\": 5, \"of\": \"W\", " rest          \
        "\"told\": "                                                                               \
        "\"Beside.\", \"parts\": [{\"sha\": \"" COMMIT "\"}], \"culprit\": {\"sha\": \"" COMMIT    \
        "\"}, \"steps\": [{\"commit\": {\"sha\": \"" COMMIT "\"}, \"place\": 0, \"state\": "       \
        "\"after\", \"before\": {\"mean_ns\": 50, \"low_ns\": 46, \"high_ns\": 54}, "              \
        "\"after\": {\"mean_ns\": " after ", \"low_ns\": 60, \"high_ns\": " after "}, "            \
        "\"difference\": {\"mean_ns\": 52, \"low_ns\": 49, \"high_ns\": 55}}]}")
/* Others took back some of what it had brought, or brought more: it is judged by its own. What its
 * step shows of all of it is no second number: the gate had 10.9 %, and the alert 10.6. */
static void a_commit_is_judged_by_what_it_brought(void **state) {
    asked *a = *state;
    static const struct {
        const char *alert, *allow;
        ci_exit exit;
        const char *out;
    } cases[] = {
        {BROUGHT("102"), "--allow=W=103", CI_FOUND,
         "fail: p: With 012345678 W rose from 50 ns to 102 ns (+52.0 ns, +104 %; interval +49.0 ns "
         "to +55.0 ns). Beside.\n"},
        {BROUGHT("102"), "--allow=W=105", CI_OK, "pass: p: "},
        {BROUGHT("68"), "--allow=W=35", CI_FOUND,
         "fail: p: With 012345678 W rose from 50.0 ns to 68.0 ns (+18.0 ns, +36.0 %; "},
        {BROUGHT("68"), "--allow=W=37", CI_OK, "pass: p: "},
        {MEASURED("102", ""), "--both", CI_FOUND, "fail: p: With 012345678 W rose from 50 ns to"},
        {MEASURED("83", ""), "--both", CI_FOUND, "fail: p: W rose. Beside.\n"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ANSWER(a, JSON(QUIET("13", "7")), JSON(cases[i].alert), JSON("{}"));
        g_auto(called) c = GATE(a, "p", COMMIT, cases[i].allow);
        expect_called(&c, cases[i].exit, cases[i].out, "");
    }
    ANSWER(a, JSON("{\"items\": [" AGAIN_ON("13", "7", CLEAR ", \"lost\": \"" LOST "\"") "]}"),
           JSON(BROUGHT("68")), JSON("{}"));
    g_auto(called) lossy = GATE(a, "p", COMMIT);
    assert_null(strstr(lossy.out, LOST)); /* of all the range, as is told beside it */
    ANSWER(a, JSON("{\"items\": [], \"next\": null}"), JSON(BROUGHT("68")),
           JSON("{\"portions\": [{\"portion\": \"W\", \"configuration\": \"w\"}]}"));
    g_auto(called) begun = GATE(a, "p", "0123456", "--both");
    expect_called(&begun, CI_FOUND, "found it: With 012345678 W rose from 50.0 ns to 68.0 ns", "");
    g_autofree char *file = g_build_filename(a->folder, "own.md", NULL);
    ANSWER(a, JSON(QUIET("13", "7")), JSON(BROUGHT("102")), JSON("{}"));
    g_auto(called) json = GATE(a, "p", COMMIT, "--json", "--markdown", file);
    expect_called(&json, CI_FOUND, "\"difference\":{\"mean_ns\":52.0,\"low_ns\":49.0", "");
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(file, &text, NULL, NULL));
    assert_non_null(strstr(text, "| 50.00 | - | 52.00 | ▲ **rose** |"));
}

#define REST "Only 27 % of the change came with dd2345678; the rest came with others."
#define PARTLY(culprit)                                                                            \
    OF_RANGE("\"bisection\": {\"state\": \"found\", \"commits\": 5, \"partly\": true, \"rest\": "  \
             "\"" REST "\", \"told\": \"" REST "\", \"parts\": [{\"sha\": \"" COMMIT               \
             "\"}], \"culprit\": {\"sha\": \"" culprit "\"}}")
#define REST_UNKNOWN                                                                               \
    "cannot tell: p: the change of W came with dd2345678 in part; it is not known whether "        \
    "this one brought some, too\n"
#define SLOWLY OF_RANGE("\"slow\": true, \"commits\": 5")
#define SLOWLY_BEGAN(before)                                                                       \
    "{\"items\": [{\"night\": \"2025-03-12\", \"state\": \"measured\", \"experiment\": 6, "        \
    "\"headline\": \"W rose slowly\", \"commit\": {\"sha\": \"" COMMIT                             \
    "\"}, \"began\": [{\"configuration\": \"w\"}], \"portions\": [{\"portion\": \"W\", "           \
    "\"configuration\": \"w\", " BEGAN_HERE ", \"slow\": true}]}" before "]}"
#define NOBODY                                                                                     \
    "cannot tell: p: the change of W came slowly; which commit it came with is not known\n"
#define EIGHT OF_RANGE("\"commits\": 8, \"bisection\": {\"state\": \"running\", \"commits\": 8}")
#define UNCOUNTED(nights) OF_RANGE("\"commits\": null, \"nights\": " nights)
#define OF_NIGHTS                                                                                  \
    "cannot tell: p: the change of W came with one of the commits of 2 nights; which one is not "  \
    "known\n"
#define SOME                                                                                       \
    OF_RANGE("\"commits\": 8, \"bisection\": {\"state\": \"range\", \"commits\": 8, "              \
             "\"left\": 2, \"rest\": \"Only 47 %\"}")
#define ACQUITTED                                                                                  \
    OF_RANGE("\"commits\": 8, \"bisection\": {\"state\": \"range\", \"commits\": 8, "              \
             "\"acquitted\": [{\"sha\": \"" COMMIT "\"}]}")
#define ONE_OF                                                                                     \
    "cannot tell: p: the change of W came with one of 8 commits; which one is being searched\n"

/* Each of these passed, failed as if it had been known to be the one, or asked to ask again: any
 * commit after the last that was as before, up to the one that showed the change, may have brought
 * some of it. */
static void a_commit_among_those_that_may_have_done_it(void **state) {
    asked *a = *state;
    g_autofree char *others = g_strdup(PARTLY("dd23456789abcdef"));
    g_autoptr(GString) unnamed = g_string_new(others);
    g_string_replace(unnamed, COMMIT, "aa2345678", 1);
    const struct {
        const char *night, *alert;
        ci_exit exit;
        const char *out;
    } cases[] = {
        {QUIET("11", "5"), unnamed->str, CI_OK, "pass: p: night 5"},
        {QUIET("12", "6"), unnamed->str, CI_UNSURE, REST_UNKNOWN},
        {BEGAN, unnamed->str, CI_UNSURE, REST_UNKNOWN},
        {LATER, unnamed->str, CI_UNSURE, REST_UNKNOWN},
        {QUIET("16", "9"), unnamed->str, CI_OK, "pass: p: night 9"},
        {QUIET("12", "6"), PARTLY(COMMIT), CI_FOUND, "fail: p: W rose. " REST "\n"},
        {QUIET("12", "6"), others, CI_FOUND, "fail: p: W rose. " REST "\n"},
        {QUIET("11", "5"), SLOWLY, CI_OK, "pass: p: night 5"},
        {QUIET("12", "6"), SLOWLY, CI_UNSURE, NOBODY},
        {SLOWLY_BEGAN(""), SLOWLY, CI_UNSURE, NOBODY},
        {SLOWLY_BEGAN("," AGAIN_ON("11", "5", CLEAR)), SLOWLY, CI_OK, "pass: p: W rose slowly"},
        {QUIET("15", "9"), SLOWLY, CI_UNSURE, NOBODY},
        {QUIET("16", "9"), SLOWLY, CI_OK, "pass: p: night 9"},
        {BEGAN, EIGHT, CI_UNSURE, ONE_OF},
        {LATER, EIGHT, CI_UNSURE, ONE_OF},
        {QUIET("12", "6"), EIGHT, CI_UNSURE, ONE_OF},
        {BEGAN, UNCOUNTED("2"), CI_UNSURE, OF_NIGHTS},
        {QUIET("12", "6"), UNCOUNTED("2"), CI_UNSURE, OF_NIGHTS},
        {BEGAN, UNCOUNTED("1"), CI_FOUND, "fail: p: W rose\n"},
        {BEGAN, SOME, CI_UNSURE, "the change of W came with some of 8 commits; the search found"},
        {QUIET("11", "6"), EIGHT, CI_UNSURE, ONE_OF}, /* the dates of the ends have others, too */
        {QUIET("15", "10"), EIGHT, CI_OK, "pass: p: night 10"},
        {QUIET("12", "6"), ACQUITTED, CI_OK, "pass: p: night 6"},
        {BEGAN, ACQUITTED, CI_OK, "pass: p: the change of W came with another, not with this com"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ANSWER(a, JSON(cases[i].night), JSON(cases[i].alert), JSON("{}"));
        g_auto(called) c = GATE(a, "p", COMMIT);
        expect_called(&c, cases[i].exit, cases[i].out, "");
    }
}

/* What fails by itself fails, whatever else may have come with it; what was measured at the last
 * night before the change, too, is not among them; nor is what got better in question. */
static void what_a_range_does_not_put_in_question(void **state) {
    asked *a = *state;
    g_autoptr(GString) better = g_string_new(EIGHT), announced = g_string_new(BEGAN);
    g_string_replace(better, "\"up\"", "\"down\"", 1);
    g_string_replace(announced, "\"ok\"", "\"ok\", \"accepted_in_advance\": true", 1);
    const struct {
        const char *night, *alert;
        ci_exit exit;
        const char *out;
    } cases[] = {
        {"{\"items\": [" AGAIN_ON("12", "6", ROSE) "]}", EIGHT, CI_FOUND, "fail: p: W rose\n"},
        {"{\"items\": [" AGAIN_ON("12", "6", CLEAR) "," AGAIN_ON("11", "5", CLEAR) "]}", EIGHT,
         CI_OK, "pass: p: night 6"},
        {QUIET("12", "6"), better->str, CI_OK, "pass: p: night 6"},
        {announced->str, EIGHT, CI_OK, "pass: p: the change of W came with one of 8 commits"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ANSWER(a, JSON(cases[i].night), JSON(cases[i].alert), JSON("{}"));
        g_auto(called) c = GATE(a, "p", COMMIT);
        expect_called(&c, cases[i].exit, cases[i].out, "");
    }
}

/* The night that told passed: the change is dated to an earlier one, but the search found this. */
static void the_night_that_told_may_be_that_of_the_commit(void **state) {
    asked *a = *state;
    ANSWER(a, JSON(LATER), JSON(PAGE_OF(SEARCHED, "null")), JSON("{}"));
    g_auto(called) found = GATE(a, "p", COMMIT);
    expect_called(&found, CI_FOUND, "fail: p: ", "");
}

/* It said that nobody had measured it. */
static void searches_that_the_server_does_not_tell(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"items\": [], \"next\": null}"),
           {500, NULL, NULL, "{\"error\": {\"message\": \"out of order\"}}"});
    g_auto(called) c = GATE(a, "p", COMMIT);
    assert_int_equal(c.exit, CI_SERVER);
    assert_null(strstr(c.err, "has not been measured"));
}

/* The alert is older than the newest page of them; the commit passed. */
static void an_alert_of_long_ago(void **state) {
    asked *a = *state;
    ANSWER(a, JSON(BEGAN), JSON(PAGE_OF(ALERT("9", "x"), "\"41\"")),
           JSON(PAGE_OF(STATED("open", "up"), "\"20\"")), JSON("{}"));
    g_auto(called) c = GATE(a, "p", COMMIT);
    expect_called(&c, CI_FOUND, "fail: p: W moved up\n", "");
    assert_int_equal(receiver_count(a->server), 4);
    assert_non_null(strstr(receiver_get(a->server, 2)->query, "cursor=41"));
    ANSWER(a, JSON(BEGAN), JSON(PAGE_OF(ALERT("9", "x"), "\"41\"")),
           JSON(PAGE_OF(STATED("withdrawn", "up"), "null")));
    g_auto(called) none = GATE(a, "p", COMMIT);
    expect_called(&none, CI_SERVER, "", "the server has no alert for a change that began with it");
}

/* It is not the machine's word any more: with --markdown the commit failed, without it passed. */
static void an_alert_that_was_taken_back(void **state) {
    asked *a = *state;
    g_autofree char *file = g_build_filename(a->folder, "gate.md", NULL);
    for (size_t i = 0; i < 2; i++) {
        g_autofree char *text = NULL;
        ANSWER(a, JSON(FELL),
               JSON(i == 0 ? PAGE_OF(STATED("withdrawn", "up"), "null")
                           : PAGE_OF(STATED("false", "up"), "null")),
               JSON("{}"));
        g_auto(called) told = GATE(a, "p", COMMIT, "--markdown", file);
        expect_called(&told, CI_OK, "pass: p: ", "");
        assert_true(g_file_get_contents(file, &text, NULL, NULL));
        assert_null(strstr(text, "writeLine"));
        ANSWER(a, JSON(FELL), JSON(PAGE_OF(STATED("false", "up"), "null")), JSON("{}"));
        g_auto(called) plain = GATE(a, "p", COMMIT);
        expect_called(&plain, CI_OK, "pass: p: ", "");
        ANSWER(a, JSON(BEGAN), JSON(PAGE_OF(STATED("false", "up"), "null")), JSON("{}"));
        g_auto(called) dated = GATE(a, "p", COMMIT, "--markdown", file);
        expect_called(&dated, CI_UNSURE, "cannot tell: p: not enough to say so", "");
        g_clear_pointer(&text, g_free);
        assert_true(g_file_get_contents(file, &text, NULL, NULL));
        assert_true(g_str_has_prefix(text, "### p: cannot tell: not enough to say so"));
    }
}

/* Of a night without a change nobody is asked where it is. */
static void where_nothing_is(void **state) {
    asked *a = *state;
    g_autofree char *file = g_build_filename(a->folder, "gate.md", NULL);
    g_autofree char *page = night_page("measured", "ok", NULL);
    ANSWER(a, JSON(page));
    g_auto(called) c = GATE(a, "p", COMMIT, "--markdown", file);
    expect_called(&c, CI_OK, "pass: p: ", "");
    EXPECT_REQUESTS(a, "GET /api/v1/projects/p/nights");
    assert_true(g_file_test(file, G_FILE_TEST_IS_REGULAR));
}

/* A subject or reason of somebody else is not obeyed by the terminal. */
static void an_escape_in_the_reason(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"items\": [{\"state\": \"measured\", \"commit\": {\"sha\": \"" COMMIT
                   "\"}, \"portions\": [{\"portion\": \"W\", \"verdict\": \"anomaly\", "
                   "\"direction\": \"up\", \"reason\": \"\\u001b[2Jnothing\"}]}]}"));
    g_auto(called) c = GATE(a, "p", COMMIT);
    expect_called(&c, CI_FOUND, "fail: p: \uFFFD[2Jnothing", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ASKED(verdicts),
        ASKED(limits),
        ASKED(as_json_and_as_files),
        ASKED(junit_has_the_answer),
        ASKED(junit_without_a_result),
        ASKED(junit_of_what_nobody_can_tell),
        ASKED(a_night_that_was_not_measured),
        ASKED(no_commit_is_no_timeout),
        ASKED(nobody_knows_yet),
        ASKED(the_answer_comes_in_time),
        ASKED(a_server_that_refuses_is_not_waited_for),
        ASKED(a_policy_that_cannot_be),
        ASKED(an_escape_in_the_reason),
        ASKED(where_it_is),
        ASKED(where_nothing_is),
        ASKED(the_commit_that_an_alert_names_fails),
        ASKED(what_loses_more_is_no_improvement),
        ASKED(a_commit_that_was_measured_again),
        ASKED(a_commit_that_was_measured_on_several_dates),
        ASKED(a_slow_shift_is_nobodys),
        ASKED(a_slow_fall_is_told_with_its_numbers),
        ASKED(what_was_moved_by_hand_is_nobodys),
        ASKED(what_came_between_two_measurements_of_a_commit),
        ASKED(a_change_that_is_dated_is_told_once),
        ASKED(what_a_later_night_showed_is_not_in_question),
        ASKED(another_dimension_of_the_alert_is_not_the_time),
        ASKED(a_commit_that_only_a_search_measured),
        ASKED(a_commit_that_brought_but_a_part),
        ASKED(a_commit_that_was_found_of_one_portion_of_two),
        ASKED(a_commit_that_one_search_passed_and_another_found),
        ASKED(a_commit_beside_the_one_that_was_found),
        ASKED(a_commit_among_those_that_may_have_done_it),
        ASKED(what_a_range_does_not_put_in_question),
        ASKED(a_commit_is_judged_by_what_it_brought),
        ASKED(the_night_that_told_may_be_that_of_the_commit),
        ASKED(searches_that_the_server_does_not_tell),
        ASKED(an_alert_of_long_ago),
        ASKED(an_alert_that_was_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
