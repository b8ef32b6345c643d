/* Where a commit and the watched branch parted. */
#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/mirror.h"

#include <gio/gio.h>

/* main: one, two; topic: one, three; both ids of topic's commits are out. */
static void topic(const repository *at, char **base, char **head) {
    *base = repository_commit(at, 1000, "one");
    repository_do(at, "checkout", "-q", "-b", "topic", NULL);
    *head = repository_commit(at, 2000, "three");
    repository_do(at, "checkout", "-q", "main", NULL);
    g_free(repository_commit(at, 3000, "two"));
    mirror_update(at, NULL);
}

static bool ask(const repository *at, const char *head, const char *ref, srv_repo_base *out,
                GError **error) {
    const srv_repo_source source = {.url = at->url, .branch = "main"};
    return srv_repo_merge_base(at->mirror, &source, head, ref, out, error);
}

static void a_branchs_tip_is_found_and_fetched(void **state) {
    const repository *at = *state;
    g_autofree char *base = NULL, *head = NULL;
    srv_repo_base out;
    topic(at, &base, &head);
    assert_true(ask(at, head, NULL, &out, NULL));
    assert_null(out.reason);
    assert_string_equal(out.sha, base);
}

static void a_pull_requests_ref_is_fetched(void **state) {
    const repository *at = *state;
    g_autofree char *base = NULL, *head = NULL;
    srv_repo_base out;
    topic(at, &base, &head);
    repository_do(at, "update-ref", "refs/pull/7/head", head, NULL);
    repository_do(at, "branch", "-q", "-D", "topic", NULL);
    assert_true(ask(at, head, "refs/pull/7/head", &out, NULL));
    assert_string_equal(out.sha, base);
    /* it is in the mirror now: the remote is not asked again */
    repository_do(at, "update-ref", "-d", "refs/pull/7/head", NULL);
    assert_true(ask(at, head, "refs/pull/7/head", &out, NULL));
    assert_string_equal(out.sha, base);
}

static void a_commit_that_is_not_there_is_told(void **state) {
    const repository *at = *state;
    g_autofree char *base = NULL, *head = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(GError) moved = NULL;
    srv_repo_base out;
    topic(at, &base, &head);
    assert_false(ask(at, "0123456789012345678901234567890123456789", NULL, &out, &error));
    assert_true(g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND));
    assert_says(error->message, "at the tip of a branch or a pull request; push it first");
    /* another commit was pushed meanwhile */
    repository_do(at, "checkout", "-q", "topic", NULL);
    g_autofree char *late = repository_commit(at, 4000, "pushed over");
    repository_do(at, "checkout", "-q", "main", NULL);
    repository_do(at, "branch", "-q", "-D", "topic", NULL);
    repository_do(at, "update-ref", "refs/pull/7/head", head, NULL);
    assert_false(ask(at, late, "refs/pull/7/head", &out, &moved));
    assert_true(g_error_matches(moved, G_IO_ERROR, G_IO_ERROR_NOT_FOUND));
    assert_says(moved->message, "at refs/pull/7/head");
}

static void no_common_commit_is_told(void **state) {
    const repository *at = *state;
    srv_repo_base out;
    g_free(repository_commit(at, 1000, "one"));
    repository_do(at, "checkout", "-q", "--orphan", "alone", NULL);
    g_autofree char *head = repository_commit(at, 2000, "alone");
    repository_do(at, "checkout", "-q", "main", NULL);
    mirror_update(at, NULL);
    assert_true(ask(at, head, NULL, &out, NULL));
    assert_string_equal(out.sha, "");
    assert_string_equal(out.reason, "the commit and the branch have no commit in common");
}

static void what_is_merged_already_is_told(void **state) {
    const repository *at = *state;
    g_autofree char *base = NULL, *head = NULL;
    srv_repo_base out;
    topic(at, &base, &head);
    assert_true(ask(at, base, NULL, &out, NULL));
    assert_says(out.reason, "on the branch already");
}

/* One commit with this file beside what is there; its id, the caller's. */
static char *with_file(const repository *at, const char *name, int64_t time_s) {
    g_autofree char *folder = g_path_get_dirname(name),
                    *where = g_build_filename(at->url, folder, NULL);
    assert_int_equal(g_mkdir_with_parents(where, 0755), 0);
    g_free(folder_file(at->url, name, name));
    repository_do(at, "add", name, NULL);
    return repository_commit(at, time_s, name);
}

static void what_touches_no_path_is_told(void **state) {
    const repository *at = *state;
    g_autofree char *first = with_file(at, "src/a.c", 1000);
    g_autofree char *words = with_file(at, "docs/a.md", 2000);
    g_autofree char *code = with_file(at, "src/b.c", 3000);
    mirror_update(at, NULL);
    static const struct {
        const char *only[3], *but[2];
        bool words, code; /* touched by docs/a.md alone; by src/b.c too */
        const char *idle;
    } cases[] = {
        {{"src/"}, {NULL}, false, true, NULL},
        {{"src"}, {NULL}, false, true, NULL},
        {{"*.c"}, {NULL}, false, true, NULL},
        {{"docs", "src/"}, {NULL}, true, true, NULL},
        {{NULL}, {"docs/"}, false, true, NULL},
        {{NULL}, {"*.md"}, false, true, NULL},
        {{"src/"}, {"*.c"}, false, false, NULL},
        {{"sr"}, {NULL}, false, false, "\"sr\""},
        {{"src/", "lib/"}, {"*.txt"}, false, true, "\"lib\", \"*.txt\""},
        {{NULL}, {NULL}, true, true, NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const srv_repo_paths paths = {cases[i].only[0] ? cases[i].only : NULL,
                                      cases[i].but[0] ? cases[i].but : NULL};
        srv_repo_touch touch;
        assert_true(srv_repo_touches(at->mirror, first, words, &paths, &touch, NULL));
        assert_int_equal(touch.files, 1);
        assert_int_equal(touch.touched, cases[i].words);
        g_free(touch.idle);
        assert_true(srv_repo_touches(at->mirror, first, code, &paths, &touch, NULL));
        assert_int_equal(touch.files, 2);
        assert_int_equal(touch.touched, cases[i].code);
        assert_int_equal(g_strcmp0(touch.idle, cases[i].idle), 0);
        g_free(touch.idle);
    }
}

static void refs_are_those_of_pull_requests_and_branches(void **state) {
    (void)state;
    static const char *const good[] = {"refs/pull/7/head", "refs/merge-requests/12/head",
                                       "refs/merge-requests/12/train",
                                       "refs/merge-requests/1/merge", "refs/heads/a/b"};
    static const char *const bad[] = {"refs/pull/7/merge",
                                      "refs/pull/../head",
                                      "refs/pull/7/train",
                                      "refs/pull/7/head\n",
                                      "refs/tags/v1",
                                      "refs/heads/-x",
                                      "refs/heads/",
                                      "HEAD",
                                      ""};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++)
        assert_true(srv_repo_ref_check(good[i]));
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        assert_false(srv_repo_ref_check(bad[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MIRROR_TEST(a_branchs_tip_is_found_and_fetched),
        MIRROR_TEST(a_pull_requests_ref_is_fetched),
        MIRROR_TEST(a_commit_that_is_not_there_is_told),
        MIRROR_TEST(no_common_commit_is_told),
        MIRROR_TEST(what_touches_no_path_is_told),
        MIRROR_TEST(what_is_merged_already_is_told),
        cmocka_unit_test(refs_are_those_of_pull_requests_and_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
