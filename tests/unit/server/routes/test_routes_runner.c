/* The runner's calls: a job is leased, kept, reported and ended, by its node alone. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "tests/unit/server/expect.h"

#include <unistd.h>

#define LEASE "/api/v1/runner/lease"
#define NODE "{\"node\":\"blade1\",\"version\":\"0.1\"}"

/* A runner's token for this node, of its name; owned. */
static char *token_of(desk *at, const char *node) {
    const srv_auth_wish wish = {.name = node, .scopes = "runner", .node = node};
    return srv_auth_create(at->listener->auth, &wish, 1, NULL);
}

static const double means[4] = {70, 470, 1600, 3200};

/* A queued job, leased over HTTP; the answer, owned. */
static json_t *leased(desk *at) {
    fix_add(at->fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    return desk_json(at, "POST", LEASE, at->runner, NODE, 200);
}

static char *target_of(const json_t *lease, const char *call) {
    return g_strdup_printf("/api/v1/runner/jobs/%d/%s", (int)job_id(lease), call);
}

static void without_a_job_there_is_nothing_to_say(void **state) {
    desk *at = *state;
    g_autofree char *none = desk_call(at, "POST", LEASE, at->runner, NODE, 204);
    assert_string_equal(answer_body(none), "");
    g_free(
        desk_call(at, "POST", LEASE, at->runner, "{\"node\":\"blade1\",\"wait_seconds\":-5}", 204));
}

static void a_lease_names_the_job_and_who_may_speak_for_it(void **state) {
    desk *at = *state;
    json_t *answer = leased(at);
    assert_true(strlen(text_of(answer, "lease")) > 30);
    assert_string_equal(text_of(json_object_get(answer, "job"), "commit"), fix_sha(1));
    /* the token is now of the node that used it first */
    const desk_refusal other = {LEASE, "{\"node\":\"blade2\"}", 403,
                                "this token belongs to another node"};
    desk_refuses(at, "POST", at->runner, &other, 1);
    /* Another node has its own; no job waits. */
    g_autofree char *token = token_of(at, "blade2");
    g_autofree char *own = g_strdup_printf("Authorization: Bearer %s\r\n", token);
    g_free(desk_call(at, "POST", LEASE, own, "{\"node\":\"blade2\"}", 204));
    json_decref(answer);
}

static void a_question_that_is_none_is_refused(void **state) {
    desk *at = *state;
    g_autofree char *name = g_strnfill(101, 'n');
    g_autofree char *long_node = g_strdup_printf("{\"node\":\"%s\"}", name);
    g_autofree char *long_version = g_strdup_printf("{\"node\":\"a\",\"version\":\"%s\"}", name);
    const desk_refusal cases[] = {
        {LEASE, "{}", 400, "node: is missing"},
        {LEASE, "{\"node\":\"\"}", 400, "node: is empty"},
        {LEASE, "{\"node\":7}", 400, "node: must be a text"},
        {LEASE, long_node, 400, "node: is too long"},
        {LEASE, long_version, 400, "version: is too long"},
        {LEASE, "{\"node\":\"a\",\"version\":\"\"}", 400, "version"},
        {LEASE, "{\"node\":\"a\",\"labels\":\"x\"}", 400, "labels: must be a list"},
        {LEASE, "{\"node\":\"a\",\"wait_seconds\":1.5}", 400,
         "wait_seconds: must be a whole number"},
        {LEASE, "{\"node\":\"a\",\"wait_seconds\":\"1\"}", 400,
         "wait_seconds: must be a whole number"},
        {LEASE, "no JSON", 400, "line 1"},
        {"/api/v1/runner/jobs/x/progress", "{}", 400, ""},
        {"/api/v1/runner/jobs/9/progress", "{\"lease\":\"x\"}", 400, "phase: is missing"},
        {"/api/v1/runner/jobs/9/resume", "{}", 400, "node: is missing"},
        {"/api/v1/runner/jobs/9/resume", "{\"node\":\"a\",\"lease\":\"\"}", 400, "lease: is empty"},
    };
    desk_refuses(at, "POST", at->runner, cases, G_N_ELEMENTS(cases));
    const desk_refusal foreign = {LEASE, NODE, 403, "with the scope"};
    desk_refuses(at, "POST", at->admin, &foreign, 1);
}

static void a_nodes_token_speaks_for_it_alone(void **state) {
    desk *at = *state;
    g_autofree char *token = token_of(at, "blade1");
    g_autofree char *own = g_strdup_printf("Authorization: Bearer %s\r\n", token);
    json_t *answer = leased(at);
    g_autofree char *resume = target_of(answer, "resume");
    g_autofree char *body =
        g_strdup_printf("{\"node\":\"blade2\",\"lease\":\"%s\"}", text_of(answer, "lease"));
    const desk_refusal cases[] = {
        {LEASE, "{\"node\":\"blade2\"}", 403, "this token belongs to another node"},
        {resume, body, 403, "this token belongs to another node"},
    };
    desk_refuses(at, "POST", own, cases, G_N_ELEMENTS(cases));
    /* its own job again: an answer that got lost */
    g_free(desk_call(at, "POST", LEASE, own, NODE, 200));
    json_decref(answer);
}

/* Waits, and is answered at the moment there is a job. */
static void a_waiting_runner_gets_the_job_that_comes(void **state) {
    desk *at = *state;
    const char *body = "{\"node\":\"blade1\",\"wait_seconds\":60}";
    g_autofree char *head =
        g_strdup_printf("POST " LEASE " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s"
                        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                        at->runner, strlen(body), body);
    const int fd = listener_connect(at->listener);
    assert_true(listener_send(fd, head, strlen(head)));
    /* queued by another connection, whose change the app hears of, before or after it is parked */
    g_autoptr(srv_store) store = srv_context_store(&at->app->context, NULL);
    srv_store *own = at->fix->store;
    at->fix->store = store;
    const int64_t job = fix_add(at->fix, "kieker", 1, "2013-04-01", SRV_KIND_NIGHTLY);
    at->fix->store = own;
    g_autofree char *answer = listener_read(fd);
    assert_int_equal(answer_status(answer), 200);
    json_t *lease = json_loads(answer_body(answer), 0, NULL);
    assert_int_equal(job_id(lease), job);
    json_decref(lease);
    close(fd);
}

static void waiting_ends_when_its_time_is_up(void **state) {
    desk *at = *state;
    g_free(
        desk_call(at, "POST", LEASE, at->runner, "{\"node\":\"blade1\",\"wait_seconds\":1}", 204));
}

static void a_leased_job_is_resumed_and_reported(void **state) {
    desk *at = *state;
    json_t *answer = leased(at);
    g_autofree char *resume = target_of(answer, "resume");
    g_autofree char *progress = target_of(answer, "progress");
    g_autofree char *good =
        g_strdup_printf("{\"node\":\"blade1\",\"lease\":\"%s\"}", text_of(answer, "lease"));
    g_autofree char *report = g_strdup_printf(
        "{\"lease\":\"%s\",\"phase\":\"measure\",\"fraction\":0.5}", text_of(answer, "lease"));
    json_decref(desk_json(at, "POST", resume, at->runner, good, 200));
    json_decref(desk_json(at, "POST", progress, at->runner, report, 200));
    const desk_refusal lost[] = {
        {resume, "{\"node\":\"blade1\",\"lease\":\"other\"}", 409, ""},
        {progress, "{\"lease\":\"other\",\"phase\":\"measure\"}", 409, ""},
    };
    desk_refuses(at, "POST", at->runner, lost, G_N_ELEMENTS(lost));
    json_decref(answer);
}

static void a_result_is_taken_once(void **state) {
    desk *at = *state;
    json_t *answer = leased(at);
    json_t *body = fix_result(at->fix, answer, means);
    g_autofree char *text = json_dumps(body, 0);
    g_autofree char *target = target_of(answer, "result");
    at->listener->config.body_limit_bytes = 1 << 20;
    json_t *first = desk_json(at, "POST", target, at->runner, text, 201);
    json_t *again = desk_json(at, "POST", target, at->runner, text, 200);
    assert_int_equal(number_of(first, "experiment"), number_of(again, "experiment"));
    json_decref(first);
    json_decref(again);
    json_object_set_new(body, "started_ms", json_integer(1001));
    g_autofree char *other = json_dumps(body, 0);
    json_decref(desk_json(at, "POST", target, at->runner, other, 409));
    json_decref(desk_json(at, "POST", target, at->runner, "{}", 409));
    json_decref(body);
    json_decref(answer);
}

static void a_failure_is_told_with_its_reason(void **state) {
    desk *at = *state;
    json_t *answer = leased(at);
    g_autofree char *target = target_of(answer, "failure");
    g_autofree char *text = g_strdup_printf(
        "{\"lease\":\"%s\",\"phase\":\"prepare\",\"reason\":\"does not build\",\"retry\":false}",
        text_of(answer, "lease"));
    json_decref(desk_json(at, "POST", target, at->runner, "{\"lease\":\"x\"}", 400));
    json_decref(desk_json(at, "POST", target, at->runner, text, 200));
    g_autofree char *view_target = g_strdup_printf("/api/v1/jobs/%d", (int)job_id(answer));
    json_t *job = desk_get(at, view_target);
    assert_string_equal(text_of(job, "state"), "failed");
    g_autofree char *shown = json_dumps(job, 0);
    assert_says(shown, "does not build");
    json_decref(job);
    json_decref(answer);
}

/* A raw file as a runner sends it, by its hash; headers with the lease. */
static void a_raw_file_comes_with_its_lease_and_hash(void **state) {
    desk *at = *state;
    json_t *answer = leased(at);
    g_autofree char *lease =
        g_strdup_printf("%sX-Moowatch-Lease: %s\r\n", at->runner, text_of(answer, "lease"));
    static const char frame[] = "no zstd frame";
    g_autofree char *sha = g_compute_checksum_for_string(G_CHECKSUM_SHA256, frame, -1);
    g_autofree char *path = g_strconcat("raw/", sha, NULL);
    g_autofree char *target = target_of(answer, path);
    g_autofree char *not_hash = target_of(answer, "raw/nonsense");
    const desk_refusal without[] = {
        {target, frame, 400, "the header X-Moowatch-Lease is missing"},
    };
    const desk_refusal with[] = {
        {target, "", 400, "the request has no body; a raw file was expected"},
        {"/api/v1/runner/jobs/x/raw/y", frame, 400, ""},
        {not_hash, frame, 400, ""},
        {target, frame, 400,
         "the raw file is not a zstd frame that declares the length of its lines"},
    };
    desk_refuses(at, "PUT", at->runner, without, G_N_ELEMENTS(without));
    desk_refuses(at, "PUT", lease, with, G_N_ELEMENTS(with));
    json_decref(answer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(without_a_job_there_is_nothing_to_say),
        DESK_TEST(a_lease_names_the_job_and_who_may_speak_for_it),
        DESK_TEST(a_question_that_is_none_is_refused),
        DESK_TEST(a_nodes_token_speaks_for_it_alone),
        DESK_TEST(a_waiting_runner_gets_the_job_that_comes),
        DESK_TEST(waiting_ends_when_its_time_is_up),
        DESK_TEST(a_leased_job_is_resumed_and_reported),
        DESK_TEST(a_result_is_taken_once),
        DESK_TEST(a_failure_is_told_with_its_reason),
        DESK_TEST(a_raw_file_comes_with_its_lease_and_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
