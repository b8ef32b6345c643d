#include "tests/unit/runner/test.h"

#include "runner/node/workplace.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECRET_DIGITS 32

typedef struct {
    char *work;
    cfg_runner config;
    run_node node;
} place;

static void place_init(place *at, const char *folder) {
    *at = (place){.work = g_build_filename(folder, "work", NULL)};
    at->config.work_dir = at->work;
    at->node = (run_node){.config = &at->config, .stop_fd = -1};
    assert_int_equal(sched_getaffinity(0, sizeof(cpu_set_t), &at->node.housekeeping_cpus), 0);
}

static void place_clear(place *at) {
    run_node_clear(&at->node);
    assert_true(run_scratch_remove(at->work, NULL));
    g_free(at->work);
}

static char *below(const place *at, const char *name) {
    return g_build_filename(at->work, name, NULL);
}

static void put(const place *at, const char *name, const char *text) {
    g_autofree char *path = below(at, name);
    g_autofree char *folder = g_path_get_dirname(path);
    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    assert_true(g_file_set_contents(path, text, -1, NULL));
}

static bool is_there(const place *at, const char *name) {
    g_autofree char *path = below(at, name);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

static void expect_mode(const place *at, const char *name, mode_t mode) {
    struct stat status;
    g_autofree char *path = below(at, name);
    assert_int_equal(stat(path, &status), 0);
    if ((status.st_mode & 07777) != mode)
        fail_msg("%s has mode %o", name, (unsigned)(status.st_mode & 07777));
}

/* The next agent: the lock of this one ends with the process, or with its file. */
static void take_again(place *at) {
    g_autofree char *lock = below(at, "lock");
    assert_int_equal(unlink(lock), 0);
    run_node_clear(&at->node);
    assert_true(run_workplace_take(&at->node, NULL));
}

static void test_folders_closed_to_code_under_test(void **state) {
    place at;
    place_init(&at, *state);
    assert_true(run_workplace_take(&at.node, NULL));
    const char *const passable[] = {"", "scratch", "checkout", "mirrors"};
    for (size_t i = 0; i < G_N_ELEMENTS(passable); i++)
        expect_mode(&at, passable[i], 0711);
    const char *const closed[] = {"cache", "spool"};
    for (size_t i = 0; i < G_N_ELEMENTS(closed); i++)
        expect_mode(&at, closed[i], 0700);
    expect_mode(&at, "lock", 0600);
    expect_mode(&at, "secret", 0600);
    assert_int_equal(prctl(PR_GET_DUMPABLE, 0, 0, 0, 0), 0); /* the token cannot be read */
    assert_false(at.node.volumes); /* without a user of its own code under test is not held */
    assert_false(at.node.private_places);
    place_clear(&at);
}

static void test_what_stays_and_what_goes(void **state) {
    place at;
    place_init(&at, *state);
    put(&at, "scratch/loop/out/raw.csv", "1;2\n");
    put(&at, "spool/job-7/job.json", "{}");
    put(&at, "cache/tree", "x");
    put(&at, "checkout/key/tree", "x");
    assert_true(run_workplace_take(&at.node, NULL));
    assert_false(is_there(&at, "scratch/loop"));
    assert_true(is_there(&at, "spool/job-7/job.json"));
    assert_true(is_there(&at, "cache/tree"));
    assert_true(is_there(&at, "checkout/key/tree")); /* a spooled job goes on in it */
    run_workplace_empty_checkouts(&at.node);
    assert_false(is_there(&at, "checkout/key"));
    expect_mode(&at, "checkout", 0711);
    place_clear(&at);
}

static void test_one_secret_for_as_long_as_it_is_whole(void **state) {
    place at;
    place_init(&at, *state);
    assert_true(run_workplace_take(&at.node, NULL));
    g_autofree char *first = g_strdup(at.node.secret);
    assert_int_equal(strlen(first), SECRET_DIGITS);
    assert_int_equal(strspn(first, "0123456789abcdef"), SECRET_DIGITS);
    take_again(&at);
    assert_string_equal(at.node.secret, first);
    put(&at, "secret", "0123"); /* cut off, or somebody's */
    take_again(&at);
    assert_int_equal(strlen(at.node.secret), SECRET_DIGITS);
    assert_string_not_equal(at.node.secret, first);
    expect_mode(&at, "secret", 0600);
    place_clear(&at);
}

/* Held by another agent; told to stop, this one does not wait for it. */
static void test_one_agent_at_a_time(void **state) {
    place at;
    int stop[2];
    GError *problem = NULL;
    place_init(&at, *state);
    put(&at, "lock", "");
    g_autofree char *path = below(&at, "lock");
    int held = open(path, O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(held, LOCK_EX), 0);
    assert_int_equal(pipe2(stop, O_CLOEXEC), 0);
    assert_int_equal(write(stop[1], "", 1), 1);
    at.node.stop_fd = stop[0];
    put(&at, "scratch/loop/raw.csv", "of the other agent");
    assert_false(run_workplace_take(&at.node, &problem));
    assert_error(problem, RUN_ERROR_NODE, "another moowatch-runner is using it");
    assert_true(is_there(&at, "scratch/loop/raw.csv"));
    close(held);
    assert_true(run_workplace_take(&at.node, NULL));
    close(stop[0]);
    close(stop[1]);
    place_clear(&at);
}

static void test_work_dir_cannot_be_made(void **state) {
    place at;
    GError *problem = NULL;
    place_init(&at, *state);
    put(&at, "file", "");
    g_autofree char *inside = below(&at, "file/work");
    at.config.work_dir = inside;
    assert_false(run_workplace_take(&at.node, &problem));
    assert_error(problem, RUN_ERROR_NODE, "cannot create ");
    place_clear(&at);
}

/* Such as /root, for a node with users of its own. */
static void test_work_dir_that_its_users_cannot_enter(void **state) {
    static const char *const keys[] = {"git_user", "run_as_user"};
    if (geteuid() != 0)
        skip();
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        place at;
        GError *problem = NULL;
        place_init(&at, *state);
        g_autofree char *closed = below(&at, "closed"), *inside = below(&at, "closed/work");
        put(&at, "closed/file", "");
        assert_int_equal(chmod(closed, 0700), 0);
        at.config.work_dir = inside;
        at.node.switch_git = i == 0;
        at.node.switch_user = i == 1;
        at.node.uid = at.node.git_uid = 65534;
        at.node.gid = at.node.git_gid = 65534;
        assert_false(run_workplace_take(&at.node, &problem));
        assert_non_null(strstr(problem->message, keys[i]));
        assert_error(problem, RUN_ERROR_NODE, "cannot enter it; choose a place");
        place_clear(&at);
    }
}

/* Known by the folder they work in, or by the TMPDIR they were given. */
static void test_what_a_killed_agent_left_running(void **state) {
    for (int by_folder = 0; by_folder < 2; by_folder++) {
        place at;
        GPid pid;
        int status = 0;
        char program[] = "sleep", time[] = "600";
        char *argv[] = {program, time, NULL};
        place_init(&at, *state);
        put(&at, "scratch/loop/raw.csv", "");
        g_autofree char *folder = below(&at, "scratch/loop");
        g_autofree char *given = g_strconcat("TMPDIR=", folder, NULL);
        char *variables[] = {by_folder ? NULL : given, NULL};
        assert_true(g_spawn_async(by_folder ? folder : "/", argv, variables,
                                  G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
                                  NULL));
        assert_true(run_workplace_take(&at.node, NULL));
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        place_clear(&at);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_folders_closed_to_code_under_test),
                                       cmocka_unit_test(test_what_stays_and_what_goes),
                                       cmocka_unit_test(test_one_secret_for_as_long_as_it_is_whole),
                                       cmocka_unit_test(test_one_agent_at_a_time),
                                       cmocka_unit_test(test_work_dir_cannot_be_made),
                                       cmocka_unit_test(test_work_dir_that_its_users_cannot_enter),
                                       cmocka_unit_test(test_what_a_killed_agent_left_running)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
