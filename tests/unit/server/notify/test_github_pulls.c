/* Which pull requests a commit is the head of, as GitHub and Gitea list them. */
#include "tests/unit/test.h"

#include "server/notify/notify_deliver.h"
#include "tests/unit/server/github.h"

#define BASE "GET /api/repos/kieker/monitoring/"
#define OF_COMMIT BASE "commits/" GITHUB_SHA "/pulls?per_page=100"
#define OPEN(page) BASE "pulls?state=open&limit=20&page=" page
#define PULL(number, state, sha)                                                                   \
    "{\"number\":" number ",\"state\":\"" state "\",\"head\":{\"sha\":\"" sha "\"}}"
#define OTHER_SHA "9999999999999999999999999999999999999999"

static GArray *pulls_of(github *at, const receiver_answer *answers, guint count, srv_sent *out) {
    receiver_script(at->receiver, answers, count);
    return srv__github_pulls(&at->message, GITHUB_SHA, out);
}

static void only_open_requests_of_this_very_commit_count(void **state) {
    static const char *const pulls[] = {
        "[]",
        "[" PULL("12", "closed", GITHUB_SHA) "]",
        "[" PULL("12", "open", OTHER_SHA) "]", /* it has gone on */
        "[" PULL("0", "open", GITHUB_SHA) "]",
        "[{\"number\":12}]",
        "{\"message\":\"no list\"}",
        "no JSON",
    };
    github *at = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(pulls); i++) {
        const receiver_answer answers[] = {{200, NULL, NULL, pulls[i]}};
        g_auto(srv_sent) out = {0};
        g_autoptr(GArray) numbers = pulls_of(at, answers, 1, &out);
        assert_true(out.delivered);
        assert_int_equal(numbers->len, 0);
        github_expect(at, (const char *const[]){OF_COMMIT}, 1);
    }
}

/* Gitea has no such address, and lists the repository's open ones page by page. */
static void gitea_is_asked_for_all_open_ones(void **state) {
    static const receiver_answer answers[] = {
        {404, NULL, NULL, "404 page not found\n"},
        {200, NULL, NULL, "[" PULL("7", "open", OTHER_SHA) "," PULL("12", "open", GITHUB_SHA) "]"},
        {200, NULL, NULL, "[" PULL("13", "open", GITHUB_SHA) "]"},
        {200, NULL, NULL, "[]"}};
    g_auto(srv_sent) out = {0};
    github *at = *state;
    g_autoptr(GArray) numbers = pulls_of(at, answers, G_N_ELEMENTS(answers), &out);
    assert_true(out.delivered);
    assert_int_equal(numbers->len, 2);
    assert_int_equal(g_array_index(numbers, json_int_t, 0), 12);
    assert_int_equal(g_array_index(numbers, json_int_t, 1), 13);
    github_expect(at, (const char *const[]){OF_COMMIT, OPEN("1"), OPEN("2"), OPEN("3")}, 4);
}

/* A token without rights, a repository that is not there: both are 404, and remain it. */
static void what_nobody_has_is_no_success(void **state) {
    static const receiver_answer answers[] = {{404, NULL, NULL, "{}"}, {404, NULL, NULL, "{}"}};
    g_auto(srv_sent) out = {0};
    github *at = *state;
    g_autoptr(GArray) numbers = pulls_of(at, answers, G_N_ELEMENTS(answers), &out);
    assert_false(out.delivered);
    assert_int_equal(out.status, 404);
    assert_int_equal(numbers->len, 0);
    github_expect(at, (const char *const[]){OF_COMMIT, OPEN("1")}, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        GITHUB_TEST(only_open_requests_of_this_very_commit_count),
        GITHUB_TEST(gitea_is_asked_for_all_open_ones),
        GITHUB_TEST(what_nobody_has_is_no_success),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
