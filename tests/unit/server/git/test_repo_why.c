/* What libgit2 cannot read is told in words of the person who owns it, and heals. */
#include "tests/unit/test.h"

#include "server/git/repo_internal.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/mirror.h"

#include <unistd.h>

/* What an update from another place says; NULL: it goes. */
static char *said(const repository *at, const char *url) {
    g_autoptr(GError) error = NULL;
    const srv_repo_source source = {.url = url, .branch = "main"};
    srv_repo_fetched fetched;
    return srv_repo_update(at->mirror, &source, &fetched, &error) ? NULL : g_strdup(error->message);
}

static char *beside(const repository *at, const char *name) {
    return g_build_filename(at->dir, name, NULL);
}

static void a_repository_of_sha256_is_named(void **state) {
    const repository *at = *state;
    g_autofree char *other = beside(at, "sha256");
    g_autofree char *address = g_strconcat("file://", other, NULL);
    repository_do(at, "init", "-q", "--object-format=sha256", "-b", "main", other, NULL);
    const char *const urls[] = {other, address};
    for (size_t i = 0; i < G_N_ELEMENTS(urls); i++) {
        g_autofree char *says = said(at, urls[i]);
        assert_says(says, "the repository uses SHA-256 object ids, which libgit2 ");
        assert_says(says, " on this machine cannot read");
        assert_says_not(says, "extension");
    }
}

static void what_a_newer_git_made_is_named(void **state) {
    const repository *at = *state;
    static const struct {
        const char *key, *value, *says;
    } cases[] = {{"extensions.refStorage", "reftable", "git refs migrate --ref-format=files"},
                 {"extensions.relativeWorktrees", "true", "has worktrees with relative paths"}};
    g_free(repository_commit(at, 1000, "one"));
    repository_do(at, "config", "core.repositoryFormatVersion", "1", NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *config = g_build_filename(at->url, ".git", "config", NULL);
        g_autofree char *plain = NULL;
        assert_true(g_file_get_contents(config, &plain, NULL, NULL));
        repository_do(at, "config", cases[i].key, cases[i].value, NULL);
        g_autofree char *says = said(at, at->url);
        assert_says(says, cases[i].says);
        assert_says(says, "give the address of a server");
        assert_true(g_file_set_contents(config, plain, -1, NULL));
    }
}

/* libgit2 1.9 would take its history for the whole, and never get the rest. */
static void a_shallow_clone_is_refused_until_it_is_whole(void **state) {
    const repository *at = *state;
    g_autofree char *other = beside(at, "shallow");
    g_autofree char *address = g_strconcat("file://", at->url, NULL);
    g_free(repository_commit(at, 1000, "one"));
    g_free(repository_commit(at, 2000, "two"));
    repository_do(at, "clone", "-q", "--depth", "1", address, other, NULL);
    g_autofree char *mend = g_strdup_printf("git -C %s fetch --unshallow", other);
    g_autofree char *says = said(at, other);
    assert_says(says, mend);
    repository_do(at, "-C", other, "fetch", "-q", "--unshallow", NULL);
    assert_null(said(at, other));
    g_autoptr(GArray) line = srv_repo_line(at->mirror, "main", 10, NULL);
    assert_int_equal(line->len, 2);
}

/* A worktree's folder has neither the configuration nor the list of what is missing. */
static void a_worktree_of_it_is_as_shallow(void **state) {
    const repository *at = *state;
    g_autofree char *other = beside(at, "shallow");
    g_autofree char *tree = beside(at, "tree");
    g_autofree char *address = g_strconcat("file://", at->url, NULL);
    g_free(repository_commit(at, 1000, "one"));
    g_free(repository_commit(at, 2000, "two"));
    repository_do(at, "clone", "-q", "--depth", "1", address, other, NULL);
    repository_do(at, "-C", other, "worktree", "add", "-q", "-b", "side", tree, NULL);
    g_autofree char *says = said(at, tree);
    assert_says(says, "is a shallow clone");
}

static void a_partial_clone_is_refused_until_it_is_whole(void **state) {
    const repository *at = *state;
    g_autofree char *other = beside(at, "partial");
    g_autofree char *address = g_strconcat("file://", at->url, NULL);
    g_free(folder_file(at->url, "data", "some\n"));
    repository_do(at, "add", "data", NULL);
    g_free(repository_commit(at, 1000, "one"));
    repository_do(at, "config", "uploadpack.allowFilter", "true", NULL);
    repository_do(at, "clone", "-q", "--bare", "--filter=blob:none", address, other, NULL);
    g_autofree char *says = said(at, other);
    assert_says(says, "the repository is a partial clone (--filter), in which objects are missing");
    assert_says(says, "fetch --refetch --no-filter");
    repository_do(at, "-C", other, "fetch", "-q", "--refetch", "--no-filter", "origin", "main:main",
                  NULL);
    assert_null(said(at, other));
}

static void one_of_another_user_is_told_with_both_names(void **state) {
    const repository *at = *state;
    if (geteuid() != 0)
        skip();
    g_free(repository_commit(at, 1000, "one"));
    g_autofree char *inside = g_build_filename(at->url, ".git", NULL);
    assert_int_equal(chown(at->url, 65534, 65534), 0);
    assert_int_equal(chown(inside, 65534, 65534), 0);
    g_autofree char *says = said(at, at->url);
    assert_says(says, " belongs to nobody and the server runs as root");
    assert_says(says, "safe.directory ");
    g_autofree char *allowed = g_strdup_printf("[safe]\n\tdirectory = %s\n", at->url);
    g_free(folder_file(at->dir, ".gitconfig", allowed));
    assert_true(srv_repo_init(at->dir, NULL));
    g_autofree char *then = said(at, at->url);
    assert_null(then);
}

static void what_a_server_sends_is_told_by_what_it_means(void **state) {
    (void)state;
    static const struct {
        const char *words, *says;
    } cases[] = {
        {"error parsing REF pkt-line", "is a shallow clone (git fetch --unshallow there), or uses"},
        {"invalid packet line", "is a shallow clone"},
        {"unknown remote object format 'sha256'", "uses SHA-256 object ids"},
        {"early EOF", "partial clone"},
        {"could not read from remote repository", "partial clone"},
        {"invalid content-type: 'application/octet-stream'", "dumb HTTP"},
        {"failed to start SSH session: Failed getting banner", "keys of it were refused"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *why = srv__repo_why("https://h/r.git", cases[i].words);
        assert_says(why, cases[i].says);
    }
    assert_null(srv__repo_why("https://h/r.git", "Connection refused"));
    assert_null(srv__repo_why("/nonexistent", "Connection refused"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MIRROR_TEST(a_repository_of_sha256_is_named),
        MIRROR_TEST(what_a_newer_git_made_is_named),
        MIRROR_TEST(a_shallow_clone_is_refused_until_it_is_whole),
        MIRROR_TEST(a_worktree_of_it_is_as_shallow),
        MIRROR_TEST(a_partial_clone_is_refused_until_it_is_whole),
        MIRROR_TEST(one_of_another_user_is_told_with_both_names),
        cmocka_unit_test(what_a_server_sends_is_told_by_what_it_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
