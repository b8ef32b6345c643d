/* What people call a commit, to its id. */
#include "tests/unit/ci/command/repository.h"

#include "ci/command/revision.h"

#include <unistd.h>

#define ID "0123456789abcdef0123456789abcdef01234567"

/* That it is found as what git calls `meant`. */
static void expect_found(const char *repository, const char *folder, const char *text,
                         const char *meant) {
    GError *error = NULL;
    g_autofree char *id = ci_revision_find(repository, "main", text, &error);
    if (!id)
        fail_msg("%s: %s", text ? text : "(none)", error->message);
    g_autofree char *commit = g_strconcat(meant, "^{commit}", NULL);
    g_autofree char *wanted = GIT_TEXT(folder, "rev-parse", commit);
    assert_string_equal(id, wanted);
}

static void expect_refused(const char *repository, const char *text, const char *says) {
    GError *error = NULL;
    assert_null(ci_revision_find(repository, "main", text, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, says);
}

/* In the folder that a user is in. */
static void expect_given(const char *folder, const char *text, const char *says) {
    g_autofree char *before = g_get_current_dir();
    GError *error = NULL;
    assert_int_equal(chdir(folder), 0);
    assert_null(ci_revision_given(text, &error));
    EXPECT_ERROR(error, CI_ERROR_USAGE, says);
    assert_int_equal(chdir(before), 0);
}

/* Nobody is asked; an id need not be known here. */
static void a_full_id_is_itself(void **state) {
    (void)state;
    static const char *const ids[] = {ID, ID "89abcdef0123456789abcdef"};
    for (size_t i = 0; i < G_N_ELEMENTS(ids); i++) {
        g_autofree char *id = ci_revision_find("/no/such/place", "main", ids[i], NULL);
        assert_string_equal(id, ids[i]);
    }
}

static void in_a_folder(void **state) {
    const char *folder = *state;
    g_autofree char *url = g_strconcat("file://", folder, NULL);
    static const char *const names[] = {"main", "light",  "heavy",
                                        "HEAD", "main~1", "refs/tags/light"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        expect_found(folder, folder, names[i], names[i]);
        expect_found(url, folder, names[i], names[i]);
    }
    expect_found(folder, folder, NULL, "main");
    g_autofree char *whole = GIT_TEXT(folder, "rev-parse", "main");
    g_autofree char *begin = g_strndup(whole, 9);
    expect_found(folder, folder, begin, "main");
}

/* Without a name the branch of the project counts, not what is checked out. */
static void the_branch_is_the_projects(void **state) {
    const char *folder = *state;
    GIT(folder, "checkout", "--quiet", "-b", "topic");
    GIT(folder, "commit", "--quiet", "--allow-empty", "-m", "four");
    expect_found(folder, folder, NULL, "main");
    GIT(folder, "tag", "main", "light"); /* a tag of the branch's name */
    expect_found(folder, folder, NULL, "refs/heads/main");
}

static void what_a_folder_does_not_have(void **state) {
    const char *folder = *state;
    static const char *const names[] = {
        "nothing", "main~7",       "--upload-pack=x", "-h",
        "",        "heavy^{tree}", "main:x",          "0123456789ABCDEF0123456789abcdef01234567"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        expect_refused(folder, names[i], "no commit \"");
    g_autofree char *empty = g_dir_make_tmp("moowatch-ci-XXXXXX", NULL);
    expect_refused(empty, "main", "no commit \"main\"");
    expect_given(empty, "main", "“main” is neither: fatal: not a git repository");
    expect_given(folder, "nothing", "“nothing” is neither");
    g_rmdir(empty);
}

/* As a pipeline's checkout is, where nobody has asked for more. */
static void a_shallow_clone_says_so(void **state) {
    const char *folder = *state;
    g_autofree char *url = g_strconcat("file://", folder, NULL);
    g_autofree char *shallow = g_build_filename(folder, "shallow", NULL);
    g_autofree char *mend = g_strdup_printf("git -C %s fetch --unshallow", shallow);
    GIT(folder, "clone", "--quiet", "--depth", "1", "--branch", "main", url, shallow);
    expect_found(shallow, shallow, "HEAD", "HEAD");
    expect_refused(shallow, "HEAD~1", "no commit \"HEAD~1\"");
    expect_refused(shallow, "HEAD~1", mend);
    expect_given(shallow, "HEAD~1", "“HEAD~1” is neither; this is a shallow clone, in which older");
    GIT(shallow, "fetch", "--quiet", "--unshallow");
    expect_found(shallow, shallow, "HEAD~1", "HEAD~1");
}

/* An address that is no folder, so that git is asked by ls-remote: git itself takes it for one. */
#define ELSEWHERE "moowatch-test://r.git"

static const char *make_elsewhere(const char *folder) {
    g_autofree char *key = g_strdup_printf("url.%s/.git.insteadOf", folder);
    g_setenv("GIT_CONFIG_COUNT", "1", TRUE);
    g_setenv("GIT_CONFIG_KEY_0", key, TRUE);
    g_setenv("GIT_CONFIG_VALUE_0", ELSEWHERE, TRUE);
    return ELSEWHERE;
}

static void elsewhere(void **state) {
    const char *folder = *state;
    const char *there = make_elsewhere(folder);
    expect_found(there, folder, NULL, "main");
    expect_found(there, folder, "main", "main");
    expect_found(there, folder, "light", "light");
    expect_found(there, folder, "heavy", "heavy"); /* its commit, not the tag's own id */
}

/* A branch before a tag of the same name, and never something that only ends so. */
static void a_name_that_several_have(void **state) {
    const char *folder = *state;
    GIT(folder, "branch", "both", "main");
    GIT(folder, "tag", "both", "light");
    GIT(folder, "branch", "topic/deep", "light");
    const char *there = make_elsewhere(folder);
    expect_found(there, folder, "both", "refs/heads/both");
    expect_found(there, folder, "topic/deep", "light");
    expect_refused(there, "deep", "no branch or tag \"deep\"");
}

static void what_is_not_there(void **state) {
    const char *there = make_elsewhere(*state);
    expect_refused(there, "nothing", "other commits are named by their full id");
    expect_refused(there, "main~1", "no branch or tag \"main~1\"");
    expect_refused("/no/such/place", "main", "/no/such/place");
    expect_refused("--upload-pack=touch /tmp/moowatch-x", "main", "--upload-pack");
}

/* The error of git and ours name the address without what gets one in. */
static void a_password_is_in_no_message(void **state) {
    (void)state;
    GError *error = NULL;
    assert_null(ci_revision_find("http://nora:geheim@127.0.0.1:1/r.git", "main", NULL, &error));
    assert_null(strstr(error->message, "geheim"));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "http://127.0.0.1:1/r.git");
}

static void without_git(void **state) {
    (void)state;
    g_autofree char *before = g_strdup(g_getenv("PATH"));
    g_setenv("PATH", "/nonexistent", TRUE);
    expect_refused("/", "main", "git is not installed, or not on PATH");
    GError *error = NULL;
    assert_null(ci_revision_given("main", &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "git is not installed, or not on PATH");
    g_setenv("PATH", before, TRUE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_id_is_itself),         IN_REPOSITORY(in_a_folder),
        IN_REPOSITORY(the_branch_is_the_projects),     IN_REPOSITORY(what_a_folder_does_not_have),
        IN_REPOSITORY(a_shallow_clone_says_so),        IN_REPOSITORY(elsewhere),
        IN_REPOSITORY(a_name_that_several_have),       IN_REPOSITORY(what_is_not_there),
        cmocka_unit_test(a_password_is_in_no_message), cmocka_unit_test(without_git),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
