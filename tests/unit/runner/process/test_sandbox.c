/* In the kernel itself: what a program is denied, and what it is left to work with. */
#include "runner/process/sandbox.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <linux/perf_event.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FINE, OTHERWISE = 99, NOT_ENTERED = 98 };

/* What look says from inside, in a process of its own. */
static int inside(run_sandbox kind, int (*look)(const void *data), const void *data) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(run_sandbox_enter(kind) ? look(data) : NOT_ENTERED);
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status))
        fail_msg("ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status);
}

static void skip_without_it(void) {
    g_autofree char *words = run_sandbox_words();
    if (g_str_has_prefix(words, "none"))
        skip();
}

/* ---- system calls ---- */

typedef struct {
    const char *name;
    long number, first;
} call;

/* errno of the call; FINE when it was let through to succeed. */
static int try_call(const void *data) {
    const call *one = data;
    errno = 0;
    return syscall(one->number, one->first, 0, 0, 0, 0) >= 0 ? FINE : errno;
}

static void what_no_benchmark_needs_is_denied(void **state) {
    (void)state;
    skip_without_it();
    static const call calls[] = {
        {"bpf", SYS_bpf, 0},
        {"io_uring_setup", SYS_io_uring_setup, 1},
        {"userfaultfd", SYS_userfaultfd, 0},
        {"add_key", SYS_add_key, 0},
        {"keyctl", SYS_keyctl, 0},
        {"mount", SYS_mount, 0},
        {"open_tree", SYS_open_tree, -1},
        {"pivot_root", SYS_pivot_root, 0},
        {"setns", SYS_setns, -1},
        {"unshare of users", SYS_unshare, CLONE_NEWUSER},
        {"unshare of mounts", SYS_unshare, CLONE_NEWNS},
        {"clone of users", SYS_clone, CLONE_NEWUSER | SIGCHLD},
        {"clock_settime", SYS_clock_settime, CLOCK_REALTIME},
        {"init_module", SYS_init_module, 0},
        {"finit_module", SYS_finit_module, -1},
        {"kexec_load", SYS_kexec_load, 0},
        {"reboot", SYS_reboot, 0},
        {"swapon", SYS_swapon, 0},
        {"open_by_handle_at", SYS_open_by_handle_at, -1},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(calls); i++) {
        const int code = inside(RUN_SANDBOX_PROGRAM, try_call, &calls[i]);
        if (code != EPERM)
            fail_msg("%s: %s, not denied", calls[i].name, g_strerror(code));
    }
    const call clone3 = {"clone3", SYS_clone3, 0};
    assert_int_equal(inside(RUN_SANDBOX_PROGRAM, try_call, &clone3), ENOSYS);
}

/* Without it some are answered otherwise, also to root: the denial above is the filter's. */
static void without_it_they_reach_the_kernel(void **state) {
    (void)state;
    const call calls[] = {{"setns", SYS_setns, -1}, {"unshare", SYS_unshare, 0}};
    for (size_t i = 0; i < G_N_ELEMENTS(calls); i++)
        assert_int_not_equal(inside(RUN_SANDBOX_OFF, try_call, &calls[i]), EPERM);
}

static void *add_one(void *data) {
    *(int *)data += 1;
    return NULL;
}

/* What JVMs, perf, uftrace, strace and callgrind are made of. */
static int work(const void *data) {
    (void)data;
    int threads = 0, status = 0;
    pthread_t thread;
    if (pthread_create(&thread, NULL, add_one, &threads) != 0 || pthread_join(thread, NULL) != 0)
        return 1;
    void *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED || mprotect(code, 4096, PROT_READ | PROT_EXEC) != 0)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        _exit(7);
    }
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status) ||
        ptrace(PTRACE_CONT, child, NULL, NULL) != 0 || waitpid(child, &status, 0) != child ||
        WEXITSTATUS(status) != 7)
        return 3;
    if (unshare(0) != 0 || sched_yield() != 0)
        return 4;
    return threads == 1 ? FINE : 5;
}

static void what_programs_are_made_of_still_works(void **state) {
    (void)state;
    skip_without_it();
    assert_int_equal(inside(RUN_SANDBOX_PROGRAM, work, NULL), FINE);
}

static int open_counter(const void *data) {
    (void)data;
    struct perf_event_attr counter = {.type = PERF_TYPE_SOFTWARE,
                                      .size = sizeof counter,
                                      .config = PERF_COUNT_SW_TASK_CLOCK,
                                      .exclude_kernel = 1};
    return syscall(SYS_perf_event_open, &counter, 0, -1, -1, 0) >= 0 ? FINE : errno;
}

static void perf_is_the_nodes_to_allow(void **state) {
    (void)state;
    skip_without_it();
    assert_int_equal(inside(RUN_SANDBOX_PROGRAM, open_counter, NULL),
                     inside(RUN_SANDBOX_OFF, open_counter, NULL));
}

/* ---- Landlock ---- */

static int send_signal(const void *data) {
    return kill(*(const pid_t *)data, 0) == 0 ? FINE : errno;
}

static int send_own_signal(const void *data) {
    (void)data;
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    const int code = kill(child, SIGKILL) == 0 ? FINE : errno;
    waitpid(child, NULL, 0);
    return code;
}

static struct sockaddr_un abstract_name(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "moowatch-test-%d", (int)getpid());
    return name;
}

static int connect_to(const void *data) {
    const struct sockaddr_un *name = data;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    return fd >= 0 && connect(fd, (const struct sockaddr *)name, sizeof *name) == 0 ? FINE : errno;
}

static void others_are_out_of_reach(void **state) {
    (void)state;
    skip_without_it();
    if (sandbox_landlock() < 6)
        skip();
    const pid_t self = getpid();
    const struct sockaddr_un name = abstract_name();
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&name, sizeof name), 0);
    assert_int_equal(listen(fd, 4), 0);
    assert_int_equal(inside(RUN_SANDBOX_OFF, send_signal, &self), FINE);
    assert_int_equal(inside(RUN_SANDBOX_OFF, connect_to, &name), FINE);
    assert_int_equal(inside(RUN_SANDBOX_PROGRAM, send_signal, &self), EPERM);
    assert_int_equal(inside(RUN_SANDBOX_PROGRAM, connect_to, &name), EPERM);
    assert_int_equal(inside(RUN_SANDBOX_PROGRAM, send_own_signal, NULL), FINE);
    close(fd);
}

static int write_file(const void *data) {
    int fd = open(data, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    return fd >= 0 ? FINE : errno;
}

static int run_true(const void *data) {
    (void)data;
    execl("/bin/true", "true", (char *)NULL);
    return errno;
}

static int read_file(const void *data) {
    char byte;
    int fd = open(data, O_RDONLY | O_CLOEXEC);
    return fd >= 0 && read(fd, &byte, 1) == 1 ? FINE : OTHERWISE;
}

static int make_socket(const void *data) {
    (void)data;
    int ends[2];
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 || socket(AF_UNIX, SOCK_DGRAM, 0) >= 0
               ? FINE
               : errno;
}

static void a_parser_can_only_read(void **state) {
    (void)state;
    skip_without_it();
    if (sandbox_landlock() == 0)
        skip();
    g_autofree char *folder = g_dir_make_tmp("moowatch-sandbox-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "x", NULL);
    assert_int_equal(inside(RUN_SANDBOX_SEALED, write_file, path), EACCES);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(inside(RUN_SANDBOX_SEALED, run_true, NULL), EPERM);
    assert_int_equal(inside(RUN_SANDBOX_SEALED, make_socket, NULL), EPERM);
    assert_int_equal(inside(RUN_SANDBOX_PROGRAM, make_socket, NULL), FINE);
    assert_int_equal(inside(RUN_SANDBOX_SEALED, read_file, "/etc/passwd"), FINE);
    assert_int_equal(inside(RUN_SANDBOX_PROGRAM, write_file, path), FINE);
    assert_int_equal(inside(RUN_SANDBOX_PROGRAM, run_true, NULL), FINE);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static void it_says_what_is_in_force(void **state) {
    (void)state;
    skip_without_it();
    g_autofree char *words = run_sandbox_words();
    g_autofree char *version = g_strdup_printf("Landlock %d", sandbox_landlock());
    assert_non_null(strstr(words, "system calls are filtered"));
    assert_non_null(strstr(words, sandbox_landlock() > 0 ? version : "no Landlock"));
}

/* In the kernel itself; skipped where it allows no namespaces. */

enum { NETWORK_FINE, NOT_LEFT, ANOTHER_INTERFACE, NO_LOOPBACK, ANOTHER_USER, REACHED };

static int listen_on_loopback(struct sockaddr_in *at) {
    socklen_t length = sizeof *at;
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)at, length) != 0 || listen(fd, 1) != 0 ||
        getsockname(fd, (struct sockaddr *)at, &length) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static bool connects(const struct sockaddr_in *at) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool good = fd >= 0 && connect(fd, (const struct sockaddr *)at, sizeof *at) == 0;
    close(fd);
    return good;
}

static bool only_loopback(void) {
    struct ifaddrs *all = NULL;
    bool good = getifaddrs(&all) == 0;
    for (struct ifaddrs *one = all; one; one = one->ifa_next)
        good = good && (one->ifa_flags & IFF_LOOPBACK);
    freeifaddrs(all);
    return good;
}

/* outside: somebody listens there, on this machine's loopback. */
static int look_from_inside(const struct sockaddr_in *outside) {
    uid_t uid = geteuid();
    struct sockaddr_in inside;
    if (!run_network_leave())
        return NOT_LEFT;
    int fd = listen_on_loopback(&inside);
    int found = !only_loopback()                                            ? ANOTHER_INTERFACE
                : fd < 0 || !connects(&inside)                              ? NO_LOOPBACK
                : geteuid() != uid                                          ? ANOTHER_USER
                : inside.sin_port != outside->sin_port && connects(outside) ? REACHED
                                                                            : NETWORK_FINE;
    close(fd);
    return found;
}

static int in_a_child(const struct sockaddr_in *outside, uid_t uid) {
    pid_t pid = fork();
    if (pid == 0) {
        _exit(uid != geteuid() && (setgid(uid) != 0 || setuid(uid) != 0)
                  ? NOT_LEFT
                  : look_from_inside(outside));
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_nothing_but_loopback(void **state) {
    (void)state;
    if (run_network_refused() != 0)
        skip();
    struct sockaddr_in outside;
    int fd = listen_on_loopback(&outside);
    assert_true(fd >= 0 && connects(&outside));
    assert_int_equal(in_a_child(&outside, geteuid()), NETWORK_FINE);
    assert_true(connects(&outside)); /* this process still has its own */
    close(fd);
}

/* Some kernels keep user namespaces from ordinary users: then it is refused, not half done. */
static void test_without_privileges(void **state) {
    (void)state;
    if (geteuid() != 0 || run_network_refused() != 0)
        skip();
    struct sockaddr_in outside;
    int fd = listen_on_loopback(&outside);
    int found = in_a_child(&outside, 65534);
    assert_true(found == NETWORK_FINE || found == NOT_LEFT);
    close(fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_benchmark_needs_is_denied),
        cmocka_unit_test(without_it_they_reach_the_kernel),
        cmocka_unit_test(what_programs_are_made_of_still_works),
        cmocka_unit_test(perf_is_the_nodes_to_allow),
        cmocka_unit_test(others_are_out_of_reach),
        cmocka_unit_test(a_parser_can_only_read),
        cmocka_unit_test(it_says_what_is_in_force),
        cmocka_unit_test(test_nothing_but_loopback),
        cmocka_unit_test(test_without_privileges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
