/* Does one branch have a commit of another: itself, picked, or not at all? Each has its mirror. */
#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/mirror.h"

/* A file of the repository gets another text, in a commit at this time; its id, the caller's. */
static char *changed(const repository *at, const char *text, int64_t time_s, const char *message) {
    g_free(folder_file(at->url, "file", text));
    repository_do(at, "add", "file", NULL);
    return repository_commit(at, time_s, message);
}

/* Mirrors of both branches; what 1.15.x says of a commit of main. */
static srv_repo_holding asked(const repository *at, const char *commit) {
    g_autoptr(GError) error = NULL;
    g_autofree char *own = g_strconcat(at->mirror, "-1.15.x", NULL);
    const srv_repo_source source = {.url = at->url, .branch = "1.15.x"};
    srv_repo_fetched fetched;
    srv_repo_holding out = {.held = SRV_REPO_UNKNOWN};
    mirror_update(at, NULL);
    if (!srv_repo_update(own, &source, &fetched, &error) ||
        !srv_repo_contains(own, "1.15.x", at->mirror, commit, &out, &error))
        fail_msg("%s", error->message);
    return out;
}

/* main: one, two; 1.15.x begins at one and is checked out. The id of two. */
static char *parted(const repository *at) {
    g_free(changed(at, "a\nb\nc\n", 1000, "one"));
    repository_do(at, "branch", "1.15.x", NULL);
    char *two = changed(at, "a\nbetter\nc\n", 2000, "two");
    repository_do(at, "checkout", "-q", "1.15.x", NULL);
    return two;
}

static void what_is_in_its_history_it_has(void **state) {
    const repository *at = *state;
    g_autofree char *two = parted(at);
    g_autofree char *one = repository_git(at, "rev-parse", "HEAD", NULL);
    assert_int_equal(asked(at, one).held, SRV_REPO_HELD);
    assert_int_equal(asked(at, two).held, SRV_REPO_LACKED);
    g_free(repository_commit(at, 3000, "own"));
    assert_int_equal(asked(at, one).held, SRV_REPO_HELD);
    const srv_repo_holding lacked = asked(at, two);
    assert_int_equal(lacked.held, SRV_REPO_LACKED);
    assert_string_equal(lacked.as, "");
    repository_do(at, "merge", "-q", "--no-ff", "-m", "merge", "main", NULL);
    assert_int_equal(asked(at, two).held, SRV_REPO_HELD);
}

static void a_pick_that_names_its_commit_is_one(void **state) {
    const repository *at = *state;
    g_autofree char *two = parted(at);
    g_autofree char *message =
        g_strdup_printf("fix for users\n\n(cherry picked from commit %s)\n", two);
    g_autofree char *picked = changed(at, "a\nquite different\nc\n", 4000, message);
    g_free(repository_commit(at, 5000, "own"));
    const srv_repo_holding held = asked(at, two);
    assert_int_equal(held.held, SRV_REPO_PICKED);
    assert_string_equal(held.as, picked);
}

/* The other way round: the commit of main was picked from the branch. */
static void what_was_picked_from_it_it_has(void **state) {
    const repository *at = *state;
    g_free(parted(at));
    g_autofree char *fix = changed(at, "a\nfixed\nc\n", 3000, "fix");
    repository_do(at, "checkout", "-q", "main", NULL);
    g_autofree char *message = g_strdup_printf("fix\n\n(cherry picked from commit %s)\n", fix);
    g_autofree char *later = changed(at, "a\nfixed here\nc\n", 4000, message);
    const srv_repo_holding held = asked(at, later);
    assert_int_equal(held.held, SRV_REPO_PICKED);
    assert_string_equal(held.as, fix);
    /* one that names a commit nobody has is no pick */
    g_autofree char *strange =
        changed(at, "a\nx\nc\n", 5000,
                "x\n\n(cherry picked from commit 0123456789012345678901234567890123456789)\n"
                "(cherry picked from commit nothing)\n");
    assert_int_equal(asked(at, strange).held, SRV_REPO_LACKED);
}

static void the_same_patch_is_a_pick(void **state) {
    const repository *at = *state;
    g_autofree char *two = parted(at);
    g_free(repository_commit(at, 3000, "own"));
    repository_do(at, "cherry-pick", two, NULL); /* without -x: author, time and subject stay */
    g_autofree char *picked = repository_git(at, "rev-parse", "HEAD", NULL);
    g_free(repository_commit(at, 4000, "more"));
    const srv_repo_holding held = asked(at, two);
    assert_string_equal(held.as, picked);
    assert_int_equal(held.held, SRV_REPO_PICKED);
}

static void the_same_words_alone_are_none(void **state) {
    const repository *at = *state;
    g_autofree char *two = parted(at);
    g_free(changed(at, "a\nb\nsomething else\n", 2000, "two"));
    assert_int_equal(asked(at, two).held, SRV_REPO_LACKED);
    /* nor is an empty commit of the same name */
    g_free(repository_commit(at, 2000, "two"));
    assert_int_equal(asked(at, two).held, SRV_REPO_LACKED);
}

/* It was taken back and made again: the branch has it as it was, and what took it back. The dates
 * of what lies between are of a clock that was behind, and the graph decides. */
static void what_both_have_is_no_pick(void **state) {
    const repository *at = *state;
    g_free(changed(at, "a\n", 3000, "one"));
    g_free(changed(at, "b\n", 4000, "two"));
    g_free(changed(at, "a\n", 5000, "not two"));
    repository_do(at, "branch", "1.15.x", NULL);
    for (int i = 0; i < 10; i++)
        g_free(repository_commit(at, 1000 + i, "slow"));
    g_autofree char *again = changed(at, "b\n", 6000, "two");
    repository_do(at, "checkout", "-q", "1.15.x", NULL);
    g_free(repository_commit(at, 7000, "own"));
    assert_int_equal(asked(at, again).held, SRV_REPO_LACKED);
}

static void what_nobody_has_is_not_known(void **state) {
    const repository *at = *state;
    g_free(parted(at));
    assert_int_equal(asked(at, "0123456789012345678901234567890123456789").held, SRV_REPO_UNKNOWN);
    assert_int_equal(asked(at, "zz").held, SRV_REPO_UNKNOWN);
}

static void a_branch_that_was_never_fetched_is_told(void **state) {
    const repository *at = *state;
    g_autofree char *two = parted(at);
    g_autoptr(GError) error = NULL;
    srv_repo_holding out;
    mirror_update(at, NULL);
    assert_false(srv_repo_contains(at->mirror, "1.14.x", at->mirror, two, &out, &error));
    assert_says(error->message, "the branch has not been fetched yet");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MIRROR_TEST(what_is_in_its_history_it_has),
        MIRROR_TEST(a_pick_that_names_its_commit_is_one),
        MIRROR_TEST(what_was_picked_from_it_it_has),
        MIRROR_TEST(the_same_patch_is_a_pick),
        MIRROR_TEST(the_same_words_alone_are_none),
        MIRROR_TEST(what_both_have_is_no_pick),
        MIRROR_TEST(what_nobody_has_is_not_known),
        MIRROR_TEST(a_branch_that_was_never_fetched_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
