/* What is read from a mirror: the branch's line and single commits, with a stranger's texts. */
#include "tests/unit/test.h"

#include "server/git/repo_internal.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/mirror.h"

static const srv_nights_commit *commit_at(const GArray *line, guint i) {
    return &g_array_index(line, srv_nights_commit, i);
}

static void the_line_follows_first_parents_newest_first(void **state) {
    const repository *at = *state;
    g_autofree char *a = repository_commit(at, 1000, "a");
    repository_do(at, "checkout", "-q", "-b", "topic", NULL);
    g_free(repository_commit(at, 1100, "t"));
    repository_do(at, "checkout", "-q", "main", NULL);
    g_autofree char *b = repository_commit(at, 1200, "b");
    repository_do(at, "merge", "-q", "--no-ff", "-m", "m", "topic", NULL);
    g_autofree char *merge = repository_git(at, "rev-parse", "HEAD", NULL);
    mirror_update(at, NULL);
    g_autoptr(GArray) line = srv_repo_line(at->mirror, "main", 100, NULL);
    assert_int_equal(line->len, 3);
    assert_string_equal(commit_at(line, 0)->sha, merge);
    assert_string_equal(commit_at(line, 1)->sha, b);
    assert_string_equal(commit_at(line, 2)->sha, a);
    assert_int_equal(commit_at(line, 0)->time_s, REPOSITORY_TIME_S);
    assert_int_equal(commit_at(line, 2)->time_s, 1000);
    g_autoptr(GArray) cut = srv_repo_line(at->mirror, "main", 2, NULL);
    assert_int_equal(cut->len, 2);
    assert_string_equal(commit_at(cut, 1)->sha, b);
}

static void a_branch_that_was_never_fetched_has_no_line(void **state) {
    const repository *at = *state;
    GError *error = NULL;
    g_free(repository_commit(at, 1000, "a"));
    mirror_update(at, NULL);
    assert_null(srv_repo_line(at->mirror, "next", 100, &error));
    assert_io_error(error, FAILED, "the branch's history cannot be read: ");
}

static void a_commit_is_described_by_its_id_or_its_beginning(void **state) {
    const repository *at = *state;
    g_autofree char *a = repository_commit(at, 1000, "a");
    g_autofree char *b = repository_commit(at, 2000, "change b\n\nwhy");
    mirror_update(at, NULL);
    const int lengths[] = {40, 12, 7};
    for (size_t i = 0; i < G_N_ELEMENTS(lengths); i++) {
        g_auto(srv_repo_commit) commit = {0};
        g_autofree char *given = g_strndup(b, (gsize)lengths[i]);
        assert_true(srv_repo_describe(at->mirror, given, &commit, NULL));
        assert_string_equal(commit.sha, b);
        assert_string_equal(commit.parent, a);
        assert_string_equal(commit.author, "Ada");
        assert_string_equal(commit.author_email, "ada@example.org");
        assert_string_equal(commit.subject, "change b");
        assert_int_equal(commit.time_ms, 2000000);
    }
    g_auto(srv_repo_commit) first = {0};
    assert_true(srv_repo_describe(at->mirror, a, &first, NULL));
    assert_string_equal(first.parent, "");
}

static void what_names_no_commit_is_refused(void **state) {
    const repository *at = *state;
    g_autofree char *a = repository_commit(at, 1000, "a");
    repository_do(at, "tag", "-a", "-m", "t", "v1", NULL);
    mirror_update(at, "v1");
    g_autofree char *tree = repository_git(at, "rev-parse", "HEAD^{tree}", NULL);
    g_autofree char *six = g_strndup(a, 6);
    g_autofree char *longer = g_strconcat(a, "0", NULL);
    const struct {
        const char *commit;
        int code;
        const char *says;
    } cases[] = {
        {six, G_IO_ERROR_INVALID_ARGUMENT, "a commit id has 7 to 40 hexadecimal digits"},
        {longer, G_IO_ERROR_INVALID_ARGUMENT, "a commit id has"},
        {"HEAD", G_IO_ERROR_INVALID_ARGUMENT, "a commit id has"},
        {"", G_IO_ERROR_INVALID_ARGUMENT, "a commit id has"},
        {"0123456", G_IO_ERROR_NOT_FOUND, "commit 0123456 is not on the watched branch"},
        {tree, G_IO_ERROR_NOT_FOUND, "is not on the watched branch as last fetched"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(srv_repo_commit) commit = {0};
        GError *error = NULL;
        assert_false(srv_repo_describe(at->mirror, cases[i].commit, &commit, &error));
        assert_error_of(error, G_IO_ERROR, cases[i].code, cases[i].says);
    }
}

static void a_commit_is_read_in_its_own_encoding(void **state) {
    const repository *at = *state;
    static const struct {
        const char *encoding, *author, *message, *subject, *name;
    } cases[] = {
        {"ISO-8859-1", "J\xf6rg <j@h>",
         "Gr\xfc\xdf"
         "e aus K\xf6ln",
         "Grüße aus Köln", "Jörg"},
        {"Shift_JIS", "a <a@h>", "\x83\x65\x83\x58\x83\x67", "テスト", "a"},
        {"windows-1251", "a <a@h>", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет", "a"},
        {"ISO-8859-1", "a <a@h>",
         "a\x85"
         "b",
         "a  b", "a"},
        /* what cannot be recoded stays as it is */
        {"no-such-encoding", "a <a@h>",
         "Gr\xfc"
         "n",
         "Gr\357\277\275n", "a"},
        {"../../etc/passwd", "a <a@h>",
         "Gr\xfc"
         "n",
         "Gr\357\277\275n", "a"},
        {"UTF-16", "a <a@h>", "odd", "odd", "a"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *config = g_strconcat("i18n.commitEncoding=", cases[i].encoding, NULL);
        repository_do(at, "-c", config, "-c", "user.name=x", "-c", "user.email=x@h", "commit", "-q",
                      "--allow-empty", "--author", cases[i].author, "-m", cases[i].message, NULL);
        g_autofree char *sha = repository_git(at, "rev-parse", "HEAD", NULL);
        mirror_update(at, NULL);
        g_auto(srv_repo_commit) commit = {0};
        assert_true(srv_repo_describe(at->mirror, sha, &commit, NULL));
        assert_string_equal(commit.subject, cases[i].subject);
        assert_string_equal(commit.author, cases[i].name);
    }
}

static void long_subjects_and_names_are_cut(void **state) {
    const repository *at = *state;
    g_autofree char *subject = g_strnfill(1000, 's');
    g_autofree char *name = g_strnfill(300, 'n');
    g_autofree char *author = g_strconcat(name, " <x@y>", NULL);
    g_free(repository_commit(at, 1000, subject));
    repository_do(at, "commit", "-q", "--amend", "--allow-empty", "--author", author, "-m", subject,
                  NULL);
    g_autofree char *sha = repository_git(at, "rev-parse", "HEAD", NULL);
    mirror_update(at, NULL);
    g_auto(srv_repo_commit) commit = {0};
    assert_true(srv_repo_describe(at->mirror, sha, &commit, NULL));
    assert_int_equal(g_utf8_strlen(commit.subject, -1), 200);
    assert_int_equal(g_utf8_strlen(commit.author, -1), 100);
    assert_string_equal(commit.author_email, "x@y");
}

static void an_error_carries_no_password(void **state) {
    (void)state;
    GError *error = NULL;
    git_error_set_str(GIT_ERROR_NET, "cannot resolve https://ada:secret@example.org/r.git: \xff");
    assert_false(
        srv__repo_fail(&error, "https://ada:secret@example.org/r.git", "fetching stopped"));
    assert_says_not(error->message, "secret");
    assert_io_error(error, FAILED, "fetching stopped: cannot resolve https://example.org/r.git: ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MIRROR_TEST(the_line_follows_first_parents_newest_first),
        MIRROR_TEST(a_branch_that_was_never_fetched_has_no_line),
        MIRROR_TEST(a_commit_is_described_by_its_id_or_its_beginning),
        MIRROR_TEST(what_names_no_commit_is_refused),
        MIRROR_TEST(a_commit_is_read_in_its_own_encoding),
        MIRROR_TEST(long_subjects_and_names_are_cut),
        MIRROR_TEST(an_error_carries_no_password),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
