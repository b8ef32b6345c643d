/* A pull request is told where it was asked, by GitHub's calls and GitLab's. */
#include "tests/unit/test.h"

#include "server/notify/notify_deliver.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/github.h"

#include <string.h>

#define BASE "/api/repos/kieker/monitoring/"
#define GITLAB "/api/projects/kieker%2Fmonitoring/"
#define COMMENTS "issues/7/comments"

/* at's message, about a pull request in this state whose answer is this. */
static void about(github *at, const char *state, const char *answer) {
    json_decref(at->items);
    at->items = json_pack("[{s:i,s:s,s:i,s:s,s:s,s:s*,s:s,s:f,s:[]}]", "id", 3, "project", "kieker",
                          "number", 7, "commit", GITHUB_SHA, "state", state, "answer", answer,
                          "headline", "Being measured", "level", 0.95, "portions");
    at->message.items = at->items;
    at->message.event = strcmp(state, "done") == 0 ? "answered" : "begun";
}

/* Tells it with these answers to come; the reference it is given, or "-". The caller's. */
static char *told(github *at, const receiver_answer *answers, guint count, srv_sent *out) {
    g_autofree char *reference = NULL;
    *out = (srv_sent){0};
    receiver_script(at->receiver, answers, count);
    srv_deliver(&at->message, out, &reference);
    return g_strdup(reference ? reference : "-");
}

static json_t *body_of(github *at, guint i) {
    json_t *body = json_loads(receiver_get(at->receiver, i)->body, 0, NULL);
    assert_non_null(body);
    return body;
}

static const char *member(const json_t *body, const char *key) {
    return json_string_value(json_object_get(body, key));
}

static void a_status_is_pending_and_then_answered(void **state) {
    github *at = *state;
    static const char *const table[][3] = {{"measuring", NULL, "pending"},
                                           {"done", "slower", "failure"},
                                           {"done", "same", "success"},
                                           {"failed", NULL, "error"}};
    at->rule.via = CFG_NOTIFY_GITHUB_STATUS;
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_auto(srv_sent) out;
        about(at, table[i][0], table[i][1]);
        g_free(told(at, (const receiver_answer[]){{201, NULL, NULL, "{}"}}, 1, &out));
        assert_true(out.delivered);
        json_auto_t *body = body_of(at, 0);
        assert_string_equal(member(body, "state"), table[i][2]);
        assert_string_equal(member(body, "context"), "overhead/kieker");
        assert_string_equal(member(body, "target_url"), "https://moo.example/pull-requests/3");
        github_expect(at, (const char *const[]){"POST " BASE "statuses/" GITHUB_SHA}, 1);
    }
}

static void a_check_run_is_made_and_then_changed(void **state) {
    github *at = *state;
    g_auto(srv_sent) out, again;
    at->rule.via = CFG_NOTIFY_GITHUB_CHECK;
    about(at, "measuring", NULL);
    g_autofree char *made =
        told(at, (const receiver_answer[]){{201, NULL, NULL, "{\"id\":42}"}}, 1, &out);
    assert_string_equal(made, "42");
    json_auto_t *first = body_of(at, 0);
    assert_string_equal(member(first, "status"), "in_progress");
    assert_string_equal(member(first, "head_sha"), GITHUB_SHA);
    github_expect(at, (const char *const[]){"POST " BASE "check-runs"}, 1);
    about(at, "done", "unsure");
    at->message.first = made;
    g_autofree char *changed =
        told(at, (const receiver_answer[]){{200, NULL, NULL, "{\"id\":42}"}}, 1, &again);
    assert_string_equal(changed, "42");
    json_auto_t *second = body_of(at, 0);
    assert_string_equal(member(second, "conclusion"), "neutral");
    assert_null(json_object_get(second, "head_sha"));
    github_expect(at, (const char *const[]){"PATCH " BASE "check-runs/42"}, 1);
}

/* GitHub renders it: what a failed build printed is shown as it is, and calls nobody. */
static void a_summary_is_markdown(void **state) {
    github *at = *state;
    g_auto(srv_sent) out;
    at->rule.via = CFG_NOTIFY_GITHUB_CHECK;
    about(at, "failed", NULL);
    json_object_set_new(json_array_get(at->items, 0), "reason",
                        json_string("make: ask @ada ![x](https://example.org/x) #12"));
    g_free(told(at, (const receiver_answer[]){{201, NULL, NULL, "{\"id\":42}"}}, 1, &out));
    json_auto_t *body = body_of(at, 0);
    assert_string_equal(
        member(json_object_get(body, "output"), "summary"),
        "Being measured: make: ask @&#8203;ada \\!\\[x\\]\\(https://example.org/x\\) "
        "\\#&#8203;12");
    github_expect(at, (const char *const[]){"POST " BASE "check-runs"}, 1);
}

static void a_comment_is_written_once_and_then_changed(void **state) {
    github *at = *state;
    g_auto(srv_sent) out, again;
    about(at, "measuring", NULL);
    g_autofree char *made =
        told(at, (const receiver_answer[]){{201, NULL, NULL, "{\"id\":5}"}}, 1, &out);
    assert_string_equal(made, "5");
    github_expect(at, (const char *const[]){"POST " BASE COMMENTS}, 1);
    about(at, "done", "same");
    at->message.first = made;
    at->message.made = 1;
    g_autofree char *changed =
        told(at, (const receiver_answer[]){{200, NULL, NULL, "{\"id\":5}"}}, 1, &again);
    assert_string_equal(changed, "5");
    github_expect(at, (const char *const[]){"PATCH " BASE "issues/comments/5"}, 1);
}

static void a_deleted_comment_is_made_anew_once(void **state) {
    github *at = *state;
    static const receiver_answer gone[] = {{404, NULL, NULL, "{}"},
                                           {201, NULL, NULL, "{\"id\":6}"}};
    g_auto(srv_sent) out, again;
    about(at, "done", "same");
    at->message.first = "5";
    at->message.made = 1;
    g_autofree char *anew = told(at, gone, 2, &out);
    assert_string_equal(anew, "6");
    assert_true(out.delivered);
    github_expect(
        at, (const char *const[]){"PATCH " BASE "issues/comments/5", "POST " BASE COMMENTS}, 2);
    at->message.first = "6";
    at->message.made = 2;
    g_autofree char *no_more = told(at, gone, 1, &again);
    assert_string_equal(no_more, "-");
    assert_true(again.refused);
    assert_says(again.problem, "deleted twice");
    github_expect(at, (const char *const[]){"PATCH " BASE "issues/comments/6"}, 1);
}

/* The answer to the first attempt got lost: what it wrote is found by its marker. */
static void a_lost_answer_makes_no_second_comment(void **state) {
    github *at = *state;
    g_auto(srv_sent) out, again;
    about(at, "measuring", NULL);
    g_free(told(at, (const receiver_answer[]){{500, NULL, NULL, NULL}}, 1, &out));
    json_auto_t *body = body_of(at, 0);
    json_auto_t *there = json_pack("[{s:i,s:s},{s:i,s:s}]", "id", 4, "body", "mine", "id", 9,
                                   "body", member(body, "body"));
    char *list = json_dumps(there, JSON_COMPACT);
    receiver_forget(at->receiver);
    at->message.attempts = 1;
    const receiver_answer answers[] = {{200, NULL, NULL, list}, {200, NULL, NULL, "{\"id\":9}"}};
    g_autofree char *found = told(at, answers, 2, &again);
    assert_string_equal(found, "9");
    github_expect(at,
                  (const char *const[]){"GET " BASE COMMENTS "?per_page=100&page=1",
                                        "PATCH " BASE "issues/comments/9"},
                  2);
    free(list);
}

static void gitlab_has_its_own_calls(void **state) {
    github *at = *state;
    g_auto(srv_sent) status, note, changed;
    at->rule.via = CFG_NOTIFY_GITLAB_STATUS;
    about(at, "done", "slower");
    g_free(told(at, (const receiver_answer[]){{201, NULL, NULL, "{}"}}, 1, &status));
    json_auto_t *body = body_of(at, 0);
    assert_string_equal(member(body, "state"), "failed");
    assert_string_equal(member(body, "name"), "overhead/kieker");
    receiver_forget(at->receiver);
    at->rule.via = CFG_NOTIFY_GITLAB_COMMENT;
    g_autofree char *made =
        told(at, (const receiver_answer[]){{201, NULL, NULL, "{\"id\":8}"}}, 1, &note);
    assert_string_equal(made, "8");
    at->message.first = made;
    g_free(told(at, (const receiver_answer[]){{200, NULL, NULL, "{\"id\":8}"}}, 1, &changed));
    assert_true(changed.delivered);
    assert_int_equal(receiver_count(at->receiver), 2);
    assert_true(g_str_has_suffix(receiver_get(at->receiver, 0)->line, "/merge_requests/7/notes"));
    assert_true(g_str_has_suffix(receiver_get(at->receiver, 1)->line, "/merge_requests/7/notes/8"));
    assert_true(g_str_has_prefix(receiver_get(at->receiver, 1)->line, "PUT /api/projects/"));
    assert_string_equal(receiver_get(at->receiver, 1)->authorization, "Bearer ghp_secret");
    g_auto(srv_sent) refused;
    static const receiver_answer no = {403, NULL, NULL, "{\"message\":\"403 Forbidden\"}"};
    g_free(told(at, &no, 1, &refused));
    assert_says(refused.problem, "answers 403: 403 Forbidden");
}

static void a_token_that_cannot_be_read_is_told(void **state) {
    github *at = *state;
    static char nowhere[] = "/nonexistent/token";
    static const cfg_notify_via vias[] = {CFG_NOTIFY_GITHUB_COMMENT, CFG_NOTIFY_GITLAB_STATUS,
                                          CFG_NOTIFY_GITHUB_CHECK};
    at->rule.secret_file = nowhere;
    about(at, "measuring", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(vias); i++) {
        g_auto(srv_sent) out;
        at->rule.via = vias[i];
        g_free(told(at, NULL, 0, &out));
        assert_false(out.delivered);
        assert_says(out.problem, "/nonexistent/token");
    }
    assert_int_equal(receiver_count(at->receiver), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GITHUB_TEST(a_status_is_pending_and_then_answered),
        GITHUB_TEST(a_check_run_is_made_and_then_changed),
        GITHUB_TEST(a_summary_is_markdown),
        GITHUB_TEST(a_comment_is_written_once_and_then_changed),
        GITHUB_TEST(a_deleted_comment_is_made_anew_once),
        GITHUB_TEST(a_lost_answer_makes_no_second_comment),
        GITHUB_TEST(gitlab_has_its_own_calls),
        GITHUB_TEST(a_token_that_cannot_be_read_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
