/* A comment on the pull requests whose head was measured: written once, then brought up to date. */
#include "tests/unit/test.h"

#include "server/notify/notify_deliver.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/github.h"

#define BASE "/api/repos/kieker/monitoring/"
#define PULLS "GET " BASE "commits/" GITHUB_SHA "/pulls?per_page=100"
#define COMMENTS(page) "GET " BASE "issues/12/comments?per_page=100&page=" page
#define WRITE "POST " BASE "issues/12/comments"
#define PULL(number, state, sha)                                                                   \
    "{\"number\":" number ",\"state\":\"" state "\",\"head\":{\"sha\":\"" sha "\"}}"
#define OURS "[" PULL("12", "open", GITHUB_SHA) "]"

static void tell(github *at, const receiver_answer *answers, guint count, srv_sent *out) {
    *out = (srv_sent){0};
    g_autofree char *reference = NULL;
    receiver_script(at->receiver, answers, count);
    srv_deliver(&at->message, out, &reference);
}

/* What the first comment begins with; the caller's. */
static char *marker_of(github *at) {
    static const receiver_answer answers[] = {{200, NULL, NULL, OURS}, {200, NULL, NULL, "[]"}};
    g_auto(srv_sent) out;
    tell(at, answers, G_N_ELEMENTS(answers), &out);
    assert_true(out.delivered);
    json_t *body = json_loads(receiver_get(at->receiver, 2)->body, 0, NULL);
    const char *text = json_string_value(json_object_get(body, "body"));
    assert_true(g_str_has_prefix(text, "<!-- moowatch kieker "));
    assert_says(text, "https://moo.example/charts/kieker.svg");
    assert_says(text, "https://moo.example/experiments/5");
    char *marker = g_strndup(text, (gsize)(strstr(text, "-->") - text) + 3);
    json_decref(body);
    github_expect(at, (const char *const[]){PULLS, COMMENTS("1"), WRITE}, 3);
    return marker;
}

/* A page of so many comments by others, then perhaps one that begins like this; the caller's. */
static char *page_of(int others, const char *begins) {
    json_t *list = json_array();
    for (int i = 0; i < others; i++)
        json_array_append_new(list, json_pack("{s:i,s:s}", "id", 1000 + i, "body", "nice work"));
    if (begins)
        json_array_append_new(list, json_pack("{s:i,s:s}", "id", 77, "body", begins));
    char *text = json_dumps(list, JSON_COMPACT);
    json_decref(list);
    return text;
}

static void the_comment_is_found_again_and_changed(void **state) {
    github *at = *state;
    g_autofree char *marker = marker_of(at);
    g_autofree char *begins = g_strconcat(marker, "\nthe old figures", NULL);
    g_autofree char *near = page_of(3, begins), *full = page_of(100, NULL),
                    *far = page_of(0, begins);
    const receiver_answer at_once[] = {{200, NULL, NULL, OURS}, {200, NULL, NULL, near}};
    const receiver_answer later[] = {
        {200, NULL, NULL, OURS}, {200, NULL, NULL, full}, {200, NULL, NULL, far}};
    g_auto(srv_sent) out;
    tell(at, at_once, G_N_ELEMENTS(at_once), &out);
    assert_true(out.delivered);
    github_expect(
        at, (const char *const[]){PULLS, COMMENTS("1"), "PATCH " BASE "issues/comments/77"}, 3);
    srv_sent_clear(&out);
    tell(at, later, G_N_ELEMENTS(later), &out);
    assert_true(out.delivered);
    github_expect(at,
                  (const char *const[]){PULLS, COMMENTS("1"), COMMENTS("2"),
                                        "PATCH " BASE "issues/comments/77"},
                  4);
}

/* Somebody who quotes ours, or guesses how it begins, must not be written over. */
static void anothers_comment_is_left_alone(void **state) {
    github *at = *state;
    g_autofree char *marker = marker_of(at);
    g_autofree char *quoted = g_strconcat("> ", marker, NULL);
    const char *const begins[] = {quoted,
                                  "<!-- moowatch kieker 00000000000000000000000000000000 -->",
                                  "<!-- moowatch kieker -->"};
    for (size_t i = 0; i < G_N_ELEMENTS(begins); i++) {
        g_autofree char *page = page_of(0, begins[i]);
        const receiver_answer answers[] = {{200, NULL, NULL, OURS}, {200, NULL, NULL, page}};
        g_auto(srv_sent) out;
        tell(at, answers, G_N_ELEMENTS(answers), &out);
        github_expect(at, (const char *const[]){PULLS, COMMENTS("1"), WRITE}, 3);
    }
}

static void the_marker_hangs_on_key_project_and_pull_request(void **state) {
    github *at = *state;
    g_autofree char *own = marker_of(at);
    g_autofree char *same = marker_of(at);
    assert_string_equal(own, same);
    g_free(folder_file(at->dir, "token", "ghp_another\n"));
    g_autofree char *other = marker_of(at);
    assert_string_not_equal(own, other);
}

static void a_night_without_a_commit_id_is_refused(void **state) {
    static const char *const shas[] = {
        NULL, "", "HEAD", "0123456", "../../etc", "012345678901234567890123456789012345678Z"};
    github *at = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(shas); i++) {
        g_free(at->night.commit.sha);
        at->night.commit.sha = g_strdup(shas[i]);
        g_auto(srv_sent) out;
        tell(at, NULL, 0, &out);
        assert_true(out.refused);
        assert_says(out.problem, "the night has no commit id");
        assert_int_equal(receiver_count(at->receiver), 0);
    }
}

static void trouble_on_the_way_writes_nothing(void **state) {
    static const struct {
        receiver_answer answers[2];
        guint count;
    } cases[] = {
        {{{500, NULL, NULL, ""}}, 1},
        {{{422, NULL, NULL, "{}"}}, 1}, /* GitHub has no such commit */
        {{{200, NULL, NULL, OURS}, {502, NULL, NULL, ""}}, 2},
    };
    github *at = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(srv_sent) out;
        tell(at, cases[i].answers, cases[i].count, &out);
        assert_false(out.delivered);
        assert_int_equal(receiver_count(at->receiver), cases[i].count);
        receiver_forget(at->receiver);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GITHUB_TEST(the_comment_is_found_again_and_changed),
        GITHUB_TEST(anothers_comment_is_left_alone),
        GITHUB_TEST(the_marker_hangs_on_key_project_and_pull_request),
        GITHUB_TEST(a_night_without_a_commit_id_is_refused),
        GITHUB_TEST(trouble_on_the_way_writes_nothing),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed;
}
