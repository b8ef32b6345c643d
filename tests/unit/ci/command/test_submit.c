/* Ask for a measurement: what was built goes before the job that needs it. */
#include "tests/unit/ci/command/asked.h"

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define SUBMIT(a, ...) CALL(ci_command_submit.run, "submit", "--server", (a)->url, __VA_ARGS__)
#define JOBS "POST /api/v1/projects/kieker/jobs"

static void a_job_and_its_number(void **state) {
    asked *a = *state;
    ANSWER(a, {201, NULL, NULL, "{\"job\": 12, \"state\": \"queued\"}"});
    g_auto(called) c = SUBMIT(a, "kieker", "0123456");
    expect_called(&c, CI_OK, NULL, "");
    assert_string_equal(c.out, "12\n");
    EXPECT_REQUESTS(a, JOBS);
    assert_string_equal(receiver_get(a->server, 0)->body, "{\"commit\":\"0123456\"}");
}

/* "4 server error" was the answer to a typing error, and HEAD was no commit. */
static void a_name_is_gits(void **state) {
    asked *a = *state;
    g_auto(called) wrong = SUBMIT(a, "kieker", "no such commit");
    expect_called(&wrong, CI_USAGE, "", "a name that git knows in this folder");
    EXPECT_NO_REQUEST(a);
}

/* A sweep is no night and has several jobs, so it has a number of its own. */
static void a_sweep_and_its_number(void **state) {
    asked *a = *state;
    ANSWER(a, {201, NULL, NULL, "{\"sweep\": 3, \"queued\": true}"});
    g_auto(called) c = SUBMIT(a, "kieker", "0123456", "--sweep");
    expect_called(&c, CI_OK, "3\n", "");
    EXPECT_REQUESTS(a, "POST /api/v1/projects/kieker/sweeps");
    assert_string_equal(receiver_get(a->server, 0)->body, "{\"commit\":\"0123456\"}");
    receiver_forget(a->server);
    g_auto(called) waits = SUBMIT(a, "kieker", "0123456", "--sweep", "--wait=5");
    expect_called(&waits, CI_USAGE, "", "leave out --night and --wait");
    g_auto(called) night = SUBMIT(a, "kieker", "0123456", "--sweep", "--night=2024-03-05");
    expect_called(&night, CI_USAGE, "", "leave out --night and --wait");
    EXPECT_NO_REQUEST(a);
}

static void as_a_night_and_as_json(void **state) {
    asked *a = *state;
    ANSWER(a, JSON("{\"job\": 12, \"state\": \"queued\"}"));
    g_auto(called) c = SUBMIT(a, "kieker", "0123456", "--night", "2024-03-05", "--json");
    expect_called(&c, CI_OK, NULL, "");
    assert_string_equal(c.out, "{\"job\":12,\"state\":\"queued\"}\n");
    assert_string_equal(receiver_get(a->server, 0)->body,
                        "{\"commit\":\"0123456\",\"night\":\"2024-03-05\"}");
}

static void an_artifact_first(void **state) {
    asked *a = *state;
    g_autofree char *file = put(a->folder, "agent 1+2.jar", "bytes");
    ANSWER(a, {201, NULL, NULL, "{}"}, JSON("{\"job\": 3}"), {201, NULL, NULL, "{}"},
           JSON("{\"job\": 4}"));
    g_auto(called) own = SUBMIT(a, "kieker", COMMIT, "--artifact", file);
    expect_called(&own, CI_OK, "3\n", "");
    g_auto(called) named = SUBMIT(a, "kieker", COMMIT, "-a", file, "--name", "a/b");
    expect_called(&named, CI_OK, "4\n", "");
    EXPECT_REQUESTS(a, "PUT /api/v1/projects/kieker/artifacts/" COMMIT "/agent 1+2.jar", JOBS,
                    "PUT /api/v1/projects/kieker/artifacts/" COMMIT "/a/b", JOBS);
    assert_string_equal(receiver_get(a->server, 0)->body, "bytes");
}

/* The server files it under the whole id: a branch would be another commit tomorrow. */
static void an_artifact_of_no_full_id(void **state) {
    asked *a = *state;
    g_autofree char *file = put(a->folder, "a.jar", "bytes");
    static const char *const wrong[] = {"main", "0123456", COMMIT "0",
                                        "0123456789ABCDEF0123456789abcdef01234567"};
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_auto(called) c = SUBMIT(a, "kieker", wrong[i], "-a", file);
        expect_called(&c, CI_USAGE, "", "--artifact needs the full commit id");
    }
    EXPECT_NO_REQUEST(a);
}

static void what_was_not_taken_in_is_not_measured(void **state) {
    asked *a = *state;
    g_autofree char *file = put(a->folder, "a.jar", "bytes");
    ANSWER(a, {409, NULL, NULL, "{\"detail\": \"another file of that name is here\"}"});
    g_auto(called) c = SUBMIT(a, "kieker", COMMIT, "-a", file);
    expect_called(&c, CI_SERVER, "", "another file of that name");
    g_auto(called) none = SUBMIT(a, "kieker", COMMIT, "-a", "/no/such.jar");
    expect_called(&none, CI_INPUT, "", "/no/such.jar");
    assert_int_equal(receiver_count(a->server), 1);
}

static void waiting_for_its_end(void **state) {
    asked *a = *state;
    static const struct {
        const char *end, *option;
        ci_exit exit;
        const char *out, *err;
    } cases[] = {
        {"{\"id\": 12, \"state\": \"done\"}", "--wait=60", CI_OK, "12\n", ""},
        {"{\"id\": 12, \"state\": \"failed\", \"error\": \"no\"}", "--wait=1", CI_INPUT, "",
         "job 12 failed: no"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ANSWER(a, JSON("{\"job\": 12}"), JSON(cases[i].end));
        receiver_forget(a->server);
        g_auto(called) c = SUBMIT(a, "kieker", "0123456", cases[i].option);
        expect_called(&c, cases[i].exit, cases[i].out, cases[i].err);
        EXPECT_REQUESTS(a, JOBS, "GET /api/v1/jobs/12");
    }
    ANSWER(a, JSON("{\"job\": 12}"),
           JSON("{\"id\": 12, \"state\": \"failed\", \"error\": \"no\"}"));
    g_auto(called) json = SUBMIT(a, "kieker", "0123456", "-w", "1", "--json");
    expect_called(&json, CI_INPUT, "{\"id\":12,\"state\":\"failed\"", "job 12 failed: no");
}

static void a_commit_that_is_no_text(void **state) {
    asked *a = *state;
    g_auto(called) c = SUBMIT(a, "kieker", "\xff\xfe");
    assert_int_equal(c.exit, CI_USAGE);
    EXPECT_NO_REQUEST(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ASKED(a_job_and_its_number),
        ASKED(a_name_is_gits),
        ASKED(a_sweep_and_its_number),
        ASKED(as_a_night_and_as_json),
        ASKED(an_artifact_first),
        ASKED(an_artifact_of_no_full_id),
        ASKED(what_was_not_taken_in_is_not_measured),
        ASKED(waiting_for_its_end),
        ASKED(a_commit_that_is_no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
