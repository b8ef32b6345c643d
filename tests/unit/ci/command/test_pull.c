/* Before the merge, from the command line: asked for, waited for, and an exit status. */
#include "tests/unit/ci/command/asked.h"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define SUBMIT(a, ...) CALL(ci_command_submit.run, "submit", "--server", (a)->url, __VA_ARGS__)
#define GATE(a, ...)                                                                               \
    CALL(ci_command_gate.run, "gate", "--server", (a)->url, "p", COMMIT, "--against-merge-base",   \
         __VA_ARGS__)
#define PULLS "/api/v1/projects/p/pull-requests"
#define LIST "{\"items\": [{\"id\": 9, \"commit\": \"" COMMIT "\"}], \"next\": null}"

/* One with the portions T and W, of which W has this answer. */
static char *pull_of(const char *state, const char *answer) {
    return g_strdup_printf(
        "{\"id\": 9, \"state\": \"%s\", \"reason\": \"it was closed\", \"headline\": "
        "\"Being measured\", \"place\": 2, \"left_seconds\": 90, \"portions\": ["
        "{\"portion\": \"T\", \"answer\": \"slower\", \"sentence\": \"T rose\"},"
        "{\"portion\": \"W\", \"answer\": \"%s\", \"sentence\": \"W moved\"}]}",
        state, answer);
}

static void a_number_and_no_night(void **state) {
    asked *a = *state;
    ANSWER(a, {202, NULL, NULL, "{\"pull_request\": 9}"});
    g_auto(called) c = SUBMIT(a, "p", COMMIT, "--against-merge-base");
    expect_called(&c, CI_OK, "9\n", "");
    EXPECT_REQUESTS(a, "POST " PULLS);
    assert_string_equal(receiver_get(a->server, 0)->body, "{\"commit\":\"" COMMIT "\"}");
    receiver_forget(a->server);
    g_auto(called) night = SUBMIT(a, "p", COMMIT, "--against-merge-base", "--night=2024-03-05");
    expect_called(&night, CI_USAGE, "", "leave out --night and --sweep");
    EXPECT_NO_REQUEST(a);
}

static void waited_for_as_json(void **state) {
    asked *a = *state;
    g_autofree char *done = pull_of("done", "same");
    ANSWER(a, {202, NULL, NULL, "{\"pull_request\": 9}"}, JSON(done));
    g_auto(called) c = SUBMIT(a, "p", COMMIT, "--against-merge-base", "--wait=5", "--json");
    expect_called(&c, CI_OK, "{\"id\":9,\"state\":\"done\"", "");
    EXPECT_REQUESTS(a, "POST " PULLS, "GET /api/v1/pull-requests/9");
}

/* What was not measured is no success of the step that waited for it. */
static void what_was_not_measured_is_told(void **state) {
    asked *a = *state;
    static const char *const ends[] = {"failed", "dropped"};
    for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autofree char *over = pull_of(ends[i], "more");
        ANSWER(a, {202, NULL, NULL, "{\"pull_request\": 9}"}, JSON(over));
        g_auto(called) c = SUBMIT(a, "p", COMMIT, "--against-merge-base", "--wait=5");
        expect_called(&c, CI_INPUT, "", "it was not measured: it was closed");
        ANSWER(a, {202, NULL, NULL, "{\"pull_request\": 9}"}, JSON(over));
        g_auto(called) json = SUBMIT(a, "p", COMMIT, "--against-merge-base", "--wait=5", "--json");
        expect_called(&json, CI_INPUT, "{\"id\":9,\"state\"", "it was not measured");
    }
}

static void what_the_server_refuses_is_told(void **state) {
    asked *a = *state;
    ANSWER(a, {400, NULL, NULL, "{\"detail\": \"project p measures no pull requests\"}"});
    g_auto(called) c = SUBMIT(a, "p", COMMIT, "--against-merge-base");
    assert_int_not_equal(c.exit, CI_OK);
    assert_non_null(strstr(c.err, "measures no pull requests"));
}

static void what_is_of_a_night_is_refused(void **state) {
    asked *a = *state;
    static const char *const options[] = {"--allow=W=10", "--markdown=-", "--junit=x.xml",
                                          "--plot-csv=-", "--html=-",     "--chart=x.svg"};
    for (size_t i = 0; i < G_N_ELEMENTS(options); i++) {
        g_auto(called) c = GATE(a, options[i]);
        expect_called(&c, CI_USAGE, "", "--against-merge-base: leave out --allow, --markdown");
    }
    EXPECT_NO_REQUEST(a);
}

static void the_answer_is_an_exit_status(void **state) {
    asked *a = *state;
    static const struct {
        const char *answer, *option;
        ci_exit exit;
        const char *out;
    } cases[] = {
        {"slower", "--strict", CI_FOUND, "fail: W moved"},
        {"slower", "--portion=T", CI_FOUND, "fail: T rose"},
        {"same", "--strict", CI_OK, "pass: W moved"},
        {"faster", "--strict", CI_OK, "pass: W moved"},
        {"faster", "--both", CI_FOUND, "fail: W moved"},
        {"unsure", "--both", CI_UNSURE, "cannot tell: W moved"},
        {"unsure", "--portion=T", CI_FOUND, "not judged: W moved"},
        {"unsure", "--strict", CI_FOUND, "fail: W moved"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *pull = pull_of("done", cases[i].answer);
        ANSWER(a, JSON(LIST), JSON(pull));
        receiver_forget(a->server);
        g_auto(called) c = GATE(a, cases[i].option);
        assert_int_equal(c.exit, cases[i].exit);
        assert_non_null(strstr(c.out, cases[i].out));
        EXPECT_REQUESTS(a, "GET " PULLS, "GET /api/v1/pull-requests/9");
    }
}

static void a_misspelt_portion_is_no_pass(void **state) {
    asked *a = *state;
    g_autofree char *pull = pull_of("done", "slower");
    ANSWER(a, JSON(LIST), JSON(pull));
    g_auto(called) c = GATE(a, "--portion=Writing");
    expect_called(&c, CI_USAGE, "", "no portion \"Writing\"");
}

/* Nothing was compared: it was a pass. */
static void an_answer_without_portions(void **state) {
    asked *a = *state;
    ANSWER(a, JSON(LIST), JSON("{\"id\": 9, \"state\": \"done\", \"portions\": []}"));
    g_auto(called) c = GATE(a, "--both");
    expect_called(&c, CI_UNSURE, "cannot tell: no portion was compared\n", "");
    ANSWER(a, JSON(LIST), JSON("{\"id\": 9, \"state\": \"done\"}"));
    g_auto(called) json = GATE(a, "--json");
    expect_called(&json, CI_UNSURE, "{\"id\":9", "");
}

static void what_was_not_measured_neither_passes_nor_fails(void **state) {
    asked *a = *state;
    g_autofree char *dropped = pull_of("dropped", "more");
    ANSWER(a, JSON(LIST), JSON(dropped));
    g_auto(called) c = GATE(a, "--json");
    expect_called(&c, CI_INPUT, "", "it was not measured: it was closed");
}

static void nobody_knows_yet(void **state) {
    asked *a = *state;
    g_autofree char *open = pull_of("measuring", "more");
    ANSWER(a, JSON(LIST), JSON(open));
    g_auto(called) c = GATE(a, "--strict");
    expect_called(&c, CI_TIMEOUT, "",
                  "Being measured, place 2 in the queue, 1.5 minutes of measuring left at most");
    ANSWER(a, JSON("{\"items\": [{\"id\": 1, \"commit\": \"ff\"}], \"next\": \"1\"}"),
           JSON("{\"items\": [], \"next\": null}"));
    g_auto(called) none = GATE(a, "--strict");
    expect_called(&none, CI_INPUT, "", "moowatch submit --against-merge-base asks for one");
}

static void why_it_waits_for_tomorrow(void **state) {
    asked *a = *state;
    g_autofree char *open = pull_of("waiting", "more");
    ANSWER(a, JSON(LIST), JSON(open));
    g_auto(called) c = GATE(a, "--strict");
    expect_called(&c, CI_TIMEOUT, "", "measuring left at most: it was closed");
}

static void the_answer_comes_in_time(void **state) {
    asked *a = *state;
    g_autofree char *open = pull_of("measuring", "more"), *done = pull_of("done", "slower");
    ANSWER(a, JSON(LIST), JSON(open), JSON(done));
    g_auto(called) c = GATE(a, "--timeout=1", "--json");
    expect_called(&c, CI_FOUND, "{\"id\":9,\"state\":\"done\"", "");
    assert_int_equal(receiver_count(a->server), 3);
}

static void a_server_that_refuses_is_not_waited_for(void **state) {
    asked *a = *state;
    ANSWER(a, JSON(LIST), {404, NULL, NULL, "{\"detail\": \"it was removed\"}"});
    g_auto(called) c = GATE(a, "--timeout=3600");
    expect_called(&c, CI_SERVER, "", "404 it was removed");
    EXPECT_REQUESTS(a, "GET " PULLS, "GET /api/v1/pull-requests/9");
    receiver_forget(a->server);
    ANSWER(a, {401, NULL, NULL, "{\"detail\": \"a token is needed\"}"});
    g_auto(called) list = GATE(a, "--timeout=3600");
    expect_called(&list, CI_SERVER, "", "401 a token is needed");
    EXPECT_REQUESTS(a, "GET " PULLS);
}

static void asked_for_as_json(void **state) {
    asked *a = *state;
    ANSWER(a, {202, NULL, NULL, "{\"pull_request\": 9}"});
    g_auto(called) c = SUBMIT(a, "p", COMMIT, "--against-merge-base", "--json");
    expect_called(&c, CI_OK, "{\"pull_request\":9}\n", "");
    receiver_forget(a->server);
    g_auto(called) bytes = SUBMIT(a, "p", "\xff\xfe", "--against-merge-base");
    assert_int_equal(bytes.exit, CI_USAGE);
    EXPECT_NO_REQUEST(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ASKED(a_number_and_no_night),
        ASKED(waited_for_as_json),
        ASKED(what_was_not_measured_is_told),
        ASKED(what_the_server_refuses_is_told),
        ASKED(what_is_of_a_night_is_refused),
        ASKED(the_answer_is_an_exit_status),
        ASKED(a_misspelt_portion_is_no_pass),
        ASKED(an_answer_without_portions),
        ASKED(what_was_not_measured_neither_passes_nor_fails),
        ASKED(nobody_knows_yet),
        ASKED(why_it_waits_for_tomorrow),
        ASKED(the_answer_comes_in_time),
        ASKED(a_server_that_refuses_is_not_waited_for),
        ASKED(asked_for_as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
