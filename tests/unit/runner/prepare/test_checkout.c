#include "runner/prepare/checkout.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/shell.h"
#include "tests/unit/runner/test.h"

#include "runner/process/descendants.h"
#include "runner/process/scratch.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A repository with two commits on main, one more on no branch, a link and a filter attribute. */
static const char script[] =
    "set -e; export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=t "
    "GIT_AUTHOR_EMAIL=t@e GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@e; mkdir repo; cd repo; "
    "git init -q -b main; echo one > file; ln -s /etc/passwd link; mkdir d; echo x > d/y; "
    "echo '* filter=evil text=auto' > .gitattributes; git add -A; git commit -qm one; "
    "git rev-parse HEAD > ../one; echo two > file; git commit -qam two; "
    "git rev-parse HEAD > ../two; git checkout -q --detach; echo three > file; "
    "git commit -qam three; git rev-parse HEAD > ../three; git checkout -q main";

typedef struct {
    char *work, *url, *directory;
    cfg_runner config;
    run_node node;
    run_job job;
} bench;

static char branch[] = "main", missing[] = "nothing-here";

static char *commit_of(const char *root, const char *name) {
    g_autofree char *path = g_build_filename(root, name, NULL);
    char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    return g_strstrip(text);
}

static void set_up(bench *at, const char *root, const char *commit) {
    at->work = g_build_filename(root, "work", NULL);
    at->url = g_build_filename(root, "repo", NULL);
    at->directory = g_build_filename(at->work, "checkout", "tree", NULL);
    at->config =
        (cfg_runner){.work_dir = at->work, .prepare_output_limit_bytes = UINT64_C(1) << 30};
    at->node = (run_node){.config = &at->config, .stop_fd = -1};
    run_cpus_allowed(&at->node.housekeeping_cpus);
    at->job = (run_job){.url = at->url, .branch = branch, .commit = commit_of(root, commit)};
    assert_int_equal(g_mkdir_with_parents(at->work, 0700), 0);
}

static void tear_down(bench *at) {
    g_free(at->work);
    g_free(at->url);
    g_free(at->directory);
    g_free(at->job.commit);
}

static bool check_out(bench *at, GError **error) {
    g_autofree char *log = NULL;
    const run_prepare_step step = {.node = &at->node, .job = &at->job, .log = &log};
    return run_checkout(&step, at->job.commit, at->directory, error);
}

static void expect_file(const bench *at, const char *name, const char *text) {
    g_autofree char *path = g_build_filename(at->directory, name, NULL);
    g_autofree char *found = NULL;
    assert_true(g_file_get_contents(path, &found, NULL, NULL));
    assert_string_equal(found, text);
}

static void test_commits(void **state) {
    const struct {
        const char *commit, *branch, *text;
    } cases[] = {{"one", branch, "one\n"},
                 {"two", branch, "two\n"},
                 {"three", branch, "three\n"}, /* on no branch */
                 {"one", missing, "one\n"},    /* a branch that was deleted */
                 {"two", branch, "two\n"}};    /* over what is there */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bench at;
        set_up(&at, *state, cases[i].commit);
        g_autofree char *name = g_strdup(cases[i].branch);
        at.job.branch = name;
        assert_true(check_out(&at, NULL));
        expect_file(&at, "file", cases[i].text);
        expect_file(&at, "d/y", "x\n");
        g_autofree char *link = g_build_filename(at.directory, "link", NULL);
        g_autofree char *git = g_build_filename(at.directory, ".git", NULL);
        assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
        assert_false(g_file_test(git, G_FILE_TEST_EXISTS));
        tear_down(&at);
    }
}

static void test_unknown_commit(void **state) {
    bench at;
    GError *problem = NULL;
    set_up(&at, *state, "one");
    memset(at.job.commit, 'a', 40);
    assert_false(check_out(&at, &problem));
    assert_error(problem, RUN_ERROR_JOB, "the server does not have this commit:");
    tear_down(&at);
}

static void test_repository_gone(void **state) {
    bench at;
    GError *problem = NULL;
    set_up(&at, *state, "one");
    assert_true(check_out(&at, NULL));
    g_autofree char *elsewhere = g_strconcat(at.url, ".away", NULL);
    assert_int_equal(rename(at.url, elsewhere), 0);
    assert_true(check_out(&at, NULL)); /* the mirror has it */
    memset(at.job.commit, 'a', 40);
    assert_false(check_out(&at, &problem));
    assert_error(problem, RUN_ERROR_NODE, "cannot fetch from");
    assert_int_equal(rename(elsewhere, at.url), 0);
    tear_down(&at);
}

/* As a power cut leaves it: an object is gone or cut. */
static void test_damaged_mirror_is_made_anew(void **state) {
    bench at;
    set_up(&at, *state, "two");
    assert_true(check_out(&at, NULL));
    assert_true(shell(at.work, "find mirrors -path '*/objects/*' -type f "
                               "-exec truncate -s 5 {} +"));
    assert_true(check_out(&at, NULL));
    expect_file(&at, "file", "two\n");
    tear_down(&at);
}

/* As a fetch leaves it that was killed while it wrote objects one by one: the commit without its
 * files, on no branch. */
static void test_half_a_commit_is_fetched_again(void **state) {
    bench at;
    set_up(&at, *state, "one");
    g_free(at.job.commit);
    at.job.commit = commit_of(*state, "three");
    assert_true(shell(*state,
                      "mkdir -p work/mirrors; cd repo; git cat-file commit $(cat ../three) > "
                      "../half"));
    bench first;
    set_up(&first, *state, "one");
    assert_true(check_out(&first, NULL)); /* makes the mirror, which has not the third */
    assert_true(shell(*state, "cd work/mirrors/*; git --git-dir . hash-object -t commit -w --stdin "
                              "< ../../../half"));
    assert_true(check_out(&at, NULL));
    expect_file(&at, "file", "three\n");
    tear_down(&first);
    tear_down(&at);
}

/* As kill -9 in the middle of a fetch leaves it: the branch stayed where it was, and every later
 * commit after it was fetched again for each job. */
static void test_what_a_killed_fetch_has_locked_moves_on(void **state) {
    bench at;
    set_up(&at, *state, "two");
    assert_true(check_out(&at, NULL));
    assert_true(shell(*state, "cd work/mirrors/*; touch refs/heads/main.lock packed-refs.lock; "
                              "cd ../../../repo; export GIT_CONFIG_NOSYSTEM=1 "
                              "GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@e "
                              "GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@e; echo four > file; "
                              "git commit -qam four; git rev-parse HEAD > ../four"));
    g_free(at.job.commit);
    at.job.commit = commit_of(*state, "four");
    assert_true(check_out(&at, NULL));
    expect_file(&at, "file", "four\n");
    assert_true(shell(*state,
                      "cd work/mirrors/*; "
                      "[ \"$(git --git-dir . rev-parse main)\" = \"$(cat ../../../four)\" ]"));
    tear_down(&at);
}

static bool stop_at_once(void *data, GError **error) {
    (void)data;
    g_set_error(error, RUN_ERROR, RUN_ERROR_LOST, "stop");
    return false;
}

/* A server that takes the connection and says nothing; the tick ends it. */
static void test_silent_server_can_be_left(void **state) {
    bench at;
    set_up(&at, *state, "one");
    memset(at.job.commit, 'b', 40);
    g_autofree char *fifo = g_build_filename(*state, "silent.git", NULL);
    assert_int_equal(g_mkdir_with_parents(fifo, 0700), 0);
    g_autofree char *config = g_build_filename(fifo, "HEAD", NULL);
    assert_int_equal(mkfifo(config, 0600), 0);
    g_autofree char *url = g_strconcat("file://", fifo, NULL);
    at.job.url = url;
    g_autofree char *log = NULL;
    GError *problem = NULL;
    const run_prepare_step step = {
        .node = &at.node, .job = &at.job, .tick = stop_at_once, .log = &log};
    assert_false(run_checkout(&step, at.job.commit, at.directory, &problem));
    assert_error(problem, RUN_ERROR_LOST, "stop");
    at.job.url = NULL;
    tear_down(&at);
}

static int make_repository(void **state) {
    if (make_test_folder(state) != 0 || !run_descendants_adopt(NULL))
        return -1;
    return shell(*state, script) ? 0 : -1;
}

/* Where the agent is root git is not: what a server sends is unpacked by somebody who owns the
 * mirror and the tree alone. */
static void test_as_another_user(void **state) {
    bench at;
    struct stat status;
    const uid_t nobody = 65534;
    if (geteuid() != 0)
        skip();
    set_up(&at, *state, "two");
    static const char *const below[] = {"", "mirrors", "checkout"};
    g_autofree char *before = g_build_filename(at.work, "mirrors", NULL);
    assert_true(run_scratch_remove(before, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(below); i++) {
        g_autofree char *path = g_build_filename(at.work, below[i], NULL);
        assert_int_equal(g_mkdir_with_parents(path, 0711), 0);
        assert_int_equal(chmod(path, 0711), 0);
    }
    assert_int_equal(chmod(*state, 0755), 0);
    at.node.switch_git = true;
    at.node.git_uid = nobody;
    at.node.git_gid = nobody;
    for (int round = 0; round < 2; round++) { /* the mirror is there the second time */
        g_autoptr(GError) error = NULL;
        if (!check_out(&at, &error))
            fail_msg("%s", error->message);
        expect_file(&at, "file", "two\n");
        g_autofree char *file = g_build_filename(at.directory, "file", NULL);
        assert_int_equal(lstat(file, &status), 0);
        assert_int_equal(status.st_uid, nobody);
    }
    g_autofree char *mirrors = g_build_filename(at.work, "mirrors", NULL);
    g_autoptr(GDir) dir = g_dir_open(mirrors, 0, NULL);
    g_autofree char *mirror = g_build_filename(mirrors, g_dir_read_name(dir), NULL);
    assert_int_equal(stat(mirror, &status), 0);
    assert_int_equal(status.st_uid, nobody);
    assert_int_equal(status.st_mode & 0777, 0700);
    /* One that another user has fetched before is made anew, with nothing of that user's. */
    g_autofree char *left = g_build_filename(mirror, "left", NULL);
    for (int as_root = 0; as_root < 2; as_root++) {
        const uid_t user = as_root ? 0 : nobody;
        assert_true(g_file_set_contents(left, "", -1, NULL));
        assert_true(run_scratch_give(mirror, as_root ? nobody : 0, as_root ? nobody : 0, NULL));
        at.node.switch_git = !as_root;
        assert_true(check_out(&at, NULL));
        assert_int_equal(access(left, F_OK), -1);
        assert_int_equal(stat(mirror, &status), 0);
        assert_int_equal(status.st_uid, user);
    }
    tear_down(&at);
}

static void test_addresses(void **state) {
    (void)state;
    const struct {
        const char *parent, *url, *whole; /* NULL: refused */
    } cases[] = {
        {"https://h/a/b.git", "https://other/x", "https://other/x"},
        {"https://h/a/b.git", "git://other/x", "git://other/x"},
        {"https://h/a/b.git", "../c.git", "https://h/a/c.git"},
        {"https://h/a/b.git/", "../c.git", "https://h/a/c.git"},
        {"https://h/a/b.git", "../../c/d.git", "https://h/c/d.git"},
        {"https://h/a/b.git", "./c.git", "https://h/a/b.git/c.git"},
        {"https://h/a/b.git", "../.././../c", NULL}, /* beyond the host */
        {"https://h/a/b.git", "../../../c", NULL},
        {"https://u:p@h/a/b.git", "../c.git", "https://h/a/c.git"}, /* without the password */
        {"https://u:p@h/a/b.git", "https://h/a/c.git", "https://h/a/c.git"},
        {"git@h:a/b.git", "../c.git", "git@h:a/c.git"},
        {"git@h:b.git", "../c.git", "git@h:c.git"},
        {"git@h:b.git", "../../c.git", NULL},
        {"ssh://git@h/a/b.git", "../c.git", "ssh://git@h/a/c.git"},
        {"ssh://git@h/a/b.git", "git@other:c.git", "git@other:c.git"},
        {"https://h/a/b.git", "git@h:c.git", NULL},
        {"https://h/a/b.git", "ssh://h/c.git", NULL},
        {"https://h/a/b.git", "file:///etc", NULL},
        {"https://h/a/b.git", "/etc", NULL},
        {"ssh://git@h/a/b.git", "/etc", NULL},
        {"/srv/a", "../c", "/srv/c"},
        {"/srv/a", "/srv/c", "/srv/c"},
        {"file:///srv/a", "../c", "file:///srv/c"},
        {"/srv/a", "ext::sh -c id", NULL},
        {"/srv/a", "ext::id", NULL},
        {"/srv/a", "-oProxyCommand=id", NULL},
        {"/srv/a", "https://-x/y", NULL},
        {"/srv/a", "https://h/a b", NULL},
        {"/srv/a", "https://h/a\nb", NULL},
        {"/srv/a", "ftp://h/a", NULL},
        {"/srv/a", "", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *problem = NULL;
        g_autofree char *whole = submodule_url(cases[i].parent, cases[i].url, &problem);
        if (g_strcmp0(whole, cases[i].whole) != 0)
            fail_msg("%s + %s: %s", cases[i].parent, cases[i].url, whole);
        if (!cases[i].whole)
            assert_error(problem, RUN_ERROR_JOB, "submodule address");
    }
}

#define ID "0123456789012345678901234567890123456789"

static void test_list(void **state) {
    (void)state;
    static const char files[] = "100644 " ID " 0\tREADME\0"
                                "160000 " ID " 0\tlib/a b\0"
                                "160000 " ID " 0\tstray\0"
                                "160000 nonsense 0\tx\0"
                                "160000 " ID " 1\tconflict\0"
                                "cut";
    static const char modules[] = "submodule.one.path\nlib/a b\0"
                                  "submodule.one.url\n../a\0"
                                  "submodule.two.path\nelsewhere\0"
                                  "submodule.nothing\0"
                                  "submodule.three.url\nhttps://h/x";
    g_autoptr(GPtrArray) list =
        submodule_list(files, sizeof files - 1, modules, sizeof modules - 1);
    assert_int_equal(list->len, 2);
    const run_submodule *first = list->pdata[0], *second = list->pdata[1];
    assert_string_equal(first->path, "lib/a b");
    assert_string_equal(first->commit, ID);
    assert_string_equal(first->url, "../a");
    assert_string_equal(second->path, "stray");
    assert_null(second->url);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commits),
        cmocka_unit_test(test_unknown_commit),
        cmocka_unit_test(test_repository_gone),
        cmocka_unit_test(test_damaged_mirror_is_made_anew),
        cmocka_unit_test(test_half_a_commit_is_fetched_again),
        cmocka_unit_test(test_what_a_killed_fetch_has_locked_moves_on),
        cmocka_unit_test(test_silent_server_can_be_left),
        cmocka_unit_test(test_as_another_user),
    };
    const struct CMUnitTest submodule_tests[] = {
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_list),
    };
    const int failed = cmocka_run_group_tests(tests, make_repository, remove_test_folder);
    return failed + cmocka_run_group_tests(submodule_tests, NULL, NULL);
}
