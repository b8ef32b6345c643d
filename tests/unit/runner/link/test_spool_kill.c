/* kill -9 at every system call of what the spool writes: nothing half, nothing twice. */
#include "tests/unit/runner/test.h"

#include "tests/unit/runner/link/raw.h"

#include "runner/link/spool.h"

#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOB 7
#define STOPS_MAX 5000

static run_spool *open_spool(const char *work) {
    GError *problem = NULL;
    run_spool *spool = run_spool_open(work, JOB, &problem);
    assert_null(problem);
    return spool;
}

static bool add(run_spool *spool, unsigned number) {
    run_durable_pack *raw = raw_of(spool, "1;5\n1;200\n");
    return raw && run_spool_add(spool, run_loop_new("none", NULL, number), raw, NULL);
}

typedef bool (*step)(run_spool *spool, const char *work);

static bool add_second(run_spool *spool, const char *work) {
    (void)work;
    return add(spool, 2);
}

static bool update_head(run_spool *spool, const char *work) {
    (void)work;
    run_spool_head(spool)->prepared = json_array();
    return run_spool_update(spool, NULL);
}

/* Runs the step in a process that is killed at its n-th stop at a system call. Whether it lived. */
static bool run_until(step what, run_spool *spool, const char *work, unsigned stops) {
    int status = 0;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
            _exit(77);
        raise(SIGSTOP);
        _exit(what(spool, work) ? 0 : 1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    for (unsigned i = 0; i < stops && WIFSTOPPED(status); i++) {
        assert_int_equal(ptrace(PTRACE_SYSCALL, pid, NULL, NULL), 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
    }
    if (WIFSTOPPED(status)) {
        kill(pid, SIGKILL);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        return false;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77) {
        print_message("processes cannot be traced here\n");
        skip();
    }
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return true;
}

/* A spool with one loop, and the step on top, killed at every stop until it is done. */
static void kill_everywhere(const char *work, step what, void (*check)(const char *, bool)) {
    bool done = false;
    for (unsigned stops = 1; !done; stops++) {
        json_t *head =
            json_pack("{s:{s:i}, s:s, s:i}", "job", "id", JOB, "lease", "l", "started_ms", 1);
        run_spool *spool = run_spool_create(work, JOB, head, NULL);
        json_decref(head);
        assert_non_null(spool);
        assert_true(add(spool, 1));
        done = run_until(what, spool, work, stops);
        run_spool_free(spool);
        check(work, done);
        assert_in_range(stops, 1, STOPS_MAX);
    }
}

static void check_loops(const char *work, bool done) {
    run_spool *spool = open_spool(work);
    size_t there = run_spool_loops(spool)->len;
    assert_in_range(there, done ? 2 : 1, 2);
    if (there == 1) /* as the plan does: it is measured again */
        assert_true(add(spool, 2));
    run_spool_free(spool);
    spool = open_spool(work);
    assert_int_equal(run_spool_loops(spool)->len, 2);
    assert_int_equal(run_spool_next(spool), 3);
    for (guint i = 0; i < 2; i++) {
        const run_loop *loop = run_loops_at(run_spool_loops(spool), i);
        assert_int_equal(loop->number, i + 1);
        assert_int_equal(strlen(loop->raw.sha256), 64);
    }
    assert_true(run_spool_drop(spool, NULL));
    run_spool_free(spool);
}

static void check_head(const char *work, bool done) {
    run_spool *spool = open_spool(work);
    bool there = run_spool_head(spool)->prepared != NULL;
    assert_true(there || !done);
    assert_int_equal(run_spool_loops(spool)->len, 1);
    assert_true(run_spool_drop(spool, NULL));
    run_spool_free(spool);
}

static void test_killed_while_a_loop_is_added(void **state) {
    kill_everywhere(*state, add_second, check_loops);
}

static void test_killed_while_the_head_is_replaced(void **state) {
    kill_everywhere(*state, update_head, check_head);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed_while_a_loop_is_added),
                                       cmocka_unit_test(test_killed_while_the_head_is_replaced)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
