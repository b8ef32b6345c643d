/* Until a job has ended, and what its end means. */
#include "tests/unit/ci/command/asked.h"

#define WAIT(a, ...) CALL(ci_command_wait.run, "wait", "--server", (a)->url, __VA_ARGS__)

static void how_it_ended(void **state) {
    asked *a = *state;
    static const struct {
        const char *job;
        ci_exit exit;
        const char *out, *err;
    } cases[] = {
        {"{\"id\": 7, \"state\": \"done\", \"experiment\": 12}", CI_OK,
         "job 7 done: experiment 12\n", ""},
        {"{\"id\": 7, \"state\": \"failed\", \"error\": \"no build\"}", CI_INPUT, "",
         "moowatch wait: job 7 failed: no build\n"},
        {"{\"id\": 7, \"state\": \"failed\"}", CI_INPUT, "", "job 7 failed: no reason given\n"},
        {"{\"id\": 7, \"state\": \"cancelled\", \"error\": \"by nora\"}", CI_INPUT, "",
         "job 7 cancelled: by nora\n"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ANSWER(a, JSON(cases[i].job));
        receiver_forget(a->server);
        g_auto(called) c = WAIT(a, "7");
        expect_called(&c, cases[i].exit, cases[i].out, cases[i].err);
        EXPECT_REQUESTS(a, "GET /api/v1/jobs/7");
    }
}

/* --json prints the job however it ended; the exit status is the same. */
static void as_json(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"id\": 7, \"state\": \"failed\", \"error\": \"no build\"}"));
    g_auto(called) c = WAIT(a, "--json", "7");
    expect_called(&c, CI_INPUT, NULL, "no build");
    assert_string_equal(c.out, "{\"id\":7,\"state\":\"failed\",\"error\":\"no build\"}\n");
}

static void the_time_is_up(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"id\": 7, \"state\": \"running\"}"));
    g_auto(called) c = WAIT(a, "7", "--timeout", "0");
    expect_called(&c, CI_TIMEOUT, "", "job 7 has not ended after 0 s: running; ask again later");
    EXPECT_REQUESTS(a, "GET /api/v1/jobs/7");
}

/* A server that restarts is asked again; the last of the time is used to the end. */
static void a_server_that_comes_back(void **state) {
    asked *a = *state;
    ANSWER(a, {503, NULL, NULL, "{}"}, JSON("{\"id\": 7, \"state\": \"done\", \"experiment\": 1}"));
    g_auto(called) c = WAIT(a, "7", "--timeout", "1");
    expect_called(&c, CI_OK, "done: experiment 1", "");
    assert_int_equal(receiver_count(a->server), 2);
}

static void asking_again_will_not_help(void **state) {
    asked *a = *state;
    ANSWER(a, {404, NULL, NULL, "{\"detail\": \"no job 7\"}"});
    g_auto(called) c = WAIT(a, "7");
    expect_called(&c, CI_SERVER, "", "404 no job 7");
    EXPECT_REQUESTS(a, "GET /api/v1/jobs/7");
}

static void a_job_that_is_no_number(void **state) {
    asked *a = *state;
    static const char *const wrong[] = {"seven", "7x", "0", "", "7.5", "99999999999999999999"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_auto(called) c = WAIT(a, wrong[i]);
        expect_called(&c, CI_USAGE, "", "JOB is the number");
    }
    g_auto(called) none = CALL(ci_command_wait.run, "wait");
    expect_called(&none, CI_USAGE, "", "give either the number of a job or --settled PROJECT");
    g_auto(called) both = WAIT(a, "7", "--settled", "kieker");
    expect_called(&both, CI_USAGE, "", "give either the number of a job or --settled PROJECT");
    EXPECT_NO_REQUEST(a);
}

#define SETTLED "{\"settled\": true, \"open\": [], \"nights\": 41, \"open_alerts\": 1}"
#define BUSY "{\"settled\": false, \"open\": [\"1 job queued\", \"1 job running\"]}"

static void until_a_project_is_settled(void **state) {
    asked *a = *state;
    ANSWER(a, JSON(BUSY), {503, NULL, NULL, "{}"}, JSON(SETTLED));
    g_auto(called) c = WAIT(a, "--settled", "a b", "--timeout", "60");
    expect_called(&c, CI_OK, "a b is settled: 41 nights, 1 open alert\n", "");
    EXPECT_REQUESTS(a, "GET /api/v1/projects/a b", "GET /api/v1/projects/a b",
                    "GET /api/v1/projects/a b");
}

static void one_is_no_plural(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"settled\": true, \"open\": [], \"nights\": 1, \"open_alerts\": 0}"));
    g_auto(called) c = WAIT(a, "--settled", "new");
    expect_called(&c, CI_OK, "new is settled: 1 night, 0 open alerts\n", "");
}

static void what_is_open_when_the_time_is_up(void **state) {
    asked *a = *state;
    ANSWER(a, JSON(BUSY));
    g_auto(called) c = WAIT(a, "--settled", "kieker", "--timeout", "0");
    expect_called(&c, CI_TIMEOUT, "",
                  "kieker is not settled after 0 s: 1 job queued, 1 job running; ask again later");
}

/* Nothing is open, because nobody has looked yet. */
static void a_project_just_taken_in(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"settled\": true, \"open\": [], \"nights\": 0, \"open_alerts\": 0, "
                   "\"polled_ms\": 0, \"problem\": null}"));
    g_auto(called) c = WAIT(a, "--settled", "lib", "--timeout", "0");
    expect_called(
        &c, CI_TIMEOUT, "",
        "lib is not settled after 0 s: its repository has not been asked yet; ask again later");
}

static void a_settled_project_as_json(void **state) {
    asked *a = *state;
    ANSWER(a, JSON(SETTLED));
    g_auto(called) c = WAIT(a, "--settled", "kieker", "--json");
    expect_called(&c, CI_OK, "\"settled\":true", "");
}

static void no_such_project(void **state) {
    asked *a = *state;
    ANSWER(a, {404, NULL, NULL, "{\"detail\": \"there is no project x\"}"});
    g_auto(called) c = WAIT(a, "--settled", "x");
    expect_called(&c, CI_SERVER, "", "404 there is no project x");
    EXPECT_REQUESTS(a, "GET /api/v1/projects/x");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ASKED(how_it_ended),
        ASKED(as_json),
        ASKED(the_time_is_up),
        ASKED(a_server_that_comes_back),
        ASKED(asking_again_will_not_help),
        ASKED(a_job_that_is_no_number),
        ASKED(until_a_project_is_settled),
        ASKED(one_is_no_plural),
        ASKED(what_is_open_when_the_time_is_up),
        ASKED(a_project_just_taken_in),
        ASKED(a_settled_project_as_json),
        ASKED(no_such_project),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
