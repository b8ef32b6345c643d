#include "runner/process/child.h"

#include "runner/process/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NAMESPACES (CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS)

static volatile sig_atomic_t program_pid; /* of the one program of an init */

pid_t run_namespaces_fork(const run_cgroup *group) {
    return run_cgroup_fork(group, NAMESPACES);
}

/* In init: mounts of its own, /proc of its own processes. False with
 * errno. */
static bool init_settle(void) {
    errno = EPERM;
    return getpid() == 1 && mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) == 0;
}

static void hand_on(int number) {
    int code = errno;
    if (program_pid > 0 && kill(-program_pid, number) != 0)
        kill(program_pid, number); /* before it had a session of its own */
    errno = code;
}

/* Holds SIGTERM back until init_keep: it must not be lost in between. */
static void init_hold(void) {
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, NULL);
}

static void listen_for_term(pid_t program) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = hand_on;
    action.sa_flags = SA_RESTART;
    program_pid = program;
    sigaction(SIGTERM, &action, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_but(int report) {
    if (report > 0)
        syscall(SYS_close_range, 0, report - 1, 0);
    syscall(SYS_close_range, report + 1, ~0U, 0);
}

/* Orphans end here too. */
static void wait_for(pid_t program, run_namespaces_report *told) {
    pid_t got;
    do {
        got = wait4(-1, &told->status, 0, &told->usage);
    } while ((got < 0 && errno == EINTR) || (got > 0 && got != program));
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    told->ended_us = now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

/* All that is left in the namespace: none can be missed, and none can fork while it is killed. */
static unsigned kill_rest(void) {
    unsigned count = 0;
    pid_t got;
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
    if (getpid() != 1)
        _exit(1); /* not init: "all" would be everybody on the node */
    kill(-1, SIGKILL);
    do {
        got = waitpid(-1, NULL, 0);
        count += got > 0;
    } while (got > 0 || errno == EINTR);
    return count;
}

static void tell(int report, const void *what, size_t bytes) {
    ssize_t written = write(report, what, bytes);
    (void)written; /* who would read it is gone, and we with it */
}

/*
 * In init, until the program has ended. SIGTERM is handed on to the
 * program's process group. Ends with status 0.
 * report  descriptor that gets a run_namespaces_report, then the number of stragglers
 */
static _Noreturn void init_keep(pid_t program, int report) {
    run_namespaces_report told;
    memset(&told, 0, sizeof told);
    listen_for_term(program);
    close_but(report);
    wait_for(program, &told);
    tell(report, &told, sizeof told);
    unsigned stragglers = kill_rest();
    tell(report, &stragglers, sizeof stragglers);
    _exit(0);
}

int run_namespaces_refused(void) {
    if (geteuid() != 0)
        return EPERM;
    pid_t pid = run_namespaces_fork(NULL);
    if (pid == 0)
        _exit(init_settle() ? 0 : errno);
    return run_sandbox_answer(pid);
}

/* What is kept beside the standard descriptors, until exec closes it. */
#define REPORT_FD 3
#define INIT_FD 4

static _Noreturn void fail(int report, const char *stage) {
    run_child_failure failure = {.code = errno};
    strncpy(failure.stage, stage, sizeof failure.stage - 1);
    ssize_t written = write(report, &failure, sizeof failure);
    _exit(written == (ssize_t)sizeof failure ? 127 : 126);
}

static void limit(int report, int resource, uint64_t value, const char *stage) {
    struct rlimit both = {.rlim_cur = value, .rlim_max = value};
    /* An own lower hard limit may already be in force; it is then the one that counts. */
    if (setrlimit((__rlimit_resource_t)resource, &both) != 0 && errno != EPERM)
        fail(report, stage);
}

static void set_limits(const run_process_spec *spec, int report) {
    limit(report, RLIMIT_CORE, 0, "limit core");
    if (spec->file_limit_bytes > 0)
        limit(report, RLIMIT_FSIZE, spec->file_limit_bytes, "limit file size");
    if (spec->process_limit > 0)
        limit(report, RLIMIT_NPROC, spec->process_limit, "limit processes");
    if (spec->cpu_limit_s > 0)
        limit(report, RLIMIT_CPU, spec->cpu_limit_s, "limit processor time");
    if (spec->memory_limit_bytes > 0)
        limit(report, RLIMIT_AS, spec->memory_limit_bytes, "limit memory");
}

/* Out of memory, it is the program that shall go, not the agent or the node's services. */
static void offer_to_oom_killer(void) {
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    ssize_t written = fd >= 0 ? write(fd, "500", 3) : 0;
    (void)written; /* best effort */
}

static void reset_signals(void) {
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    for (int i = 1; i < 65; i++)
        sigaction(i, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Raw calls: glibc's wrappers would try to reach the other threads of the forked parent. */
static void switch_user(const run_process_spec *spec, int report) {
    if (syscall(SYS_setgroups, 0, NULL) != 0 ||
        syscall(SYS_setresgid, spec->gid, spec->gid, spec->gid) != 0 ||
        syscall(SYS_setresuid, spec->uid, spec->uid, spec->uid) != 0)
        fail(report, "switch user");
}

static int arrange_descriptors(const run_child *child) {
    int output = fcntl(child->output, F_DUPFD_CLOEXEC, 10);
    int report = fcntl(child->report, F_DUPFD_CLOEXEC, 10);
    int init = child->init >= 0 ? fcntl(child->init, F_DUPFD_CLOEXEC, 10) : -1;
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (output < 0 || report < 0 || null < 0 || dup2(null, 0) < 0 || dup2(output, 1) < 0 ||
        dup2(output, 2) < 0 || dup3(report, REPORT_FD, O_CLOEXEC) < 0 ||
        (child->init >= 0 && (init < 0 || dup3(init, INIT_FD, O_CLOEXEC) < 0)) ||
        syscall(SYS_close_range, init >= 0 ? INIT_FD + 1 : REPORT_FD + 1, ~0U, 0) != 0)
        fail(child->report, "arrange descriptors");
    return REPORT_FD;
}

/* Whether who forked us is there: in a PID namespace its number cannot be asked for. */
static bool is_orphan(const run_child *child, int report) {
    struct pollfd reader = {.fd = report, .events = POLLOUT};
    if (child->init < 0)
        return getppid() != child->parent;
    return poll(&reader, 1, 0) < 0 || (reader.revents & POLLERR) != 0;
}

/* The kernel ends us with who forked us, and with us the namespace. */
static void go_with_parent(const run_child *child, int report) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0)
        fail(report, "go with the agent");
    if (is_orphan(child, report))
        _exit(127);
}

/* Returns in the program to be; init stays behind. */
static void fork_program(int report) {
    init_hold();
    pid_t program = (pid_t)syscall(SYS_clone, (unsigned long)SIGCHLD, 0, 0, 0, 0);
    if (program < 0)
        fail(report, "start a process");
    if (program > 0)
        init_keep(program, INIT_FD);
    reset_signals();
    close(INIT_FD);
    if (setsid() < 0)
        fail(report, "start a session");
}

/* Where it is, and what it sees there. */
static void settle(const run_child *child, int report) {
    if (setsid() < 0)
        fail(report, "start a session");
    go_with_parent(child, report);
    if (child->init >= 0 && !init_settle())
        fail(report, "have its own processes");
    if (child->spec->places && !run_sandbox_places_enter(child->spec->places))
        fail(report, "make /tmp private");
    if (child->init >= 0)
        fork_program(report);
    if (chdir(child->spec->directory) != 0)
        fail(report, "change directory");
    umask(0022);
}

_Noreturn void run_child_exec(const run_child *child) {
    const run_process_spec *spec = child->spec;
    reset_signals();
    int report = arrange_descriptors(child);
    settle(child, report);
    set_limits(spec, report);
    offer_to_oom_killer();
    if (spec->cpus && sched_setaffinity(0, sizeof *spec->cpus, spec->cpus) != 0)
        fail(report, "choose processors");
    if (spec->fixed_addresses)
        personality(ADDR_NO_RANDOMIZE); /* may be refused in a container: noise, not a failure */
    if (spec->no_network)
        run_network_leave(); /* while it still has the right to */
    if (spec->switch_user)
        switch_user(spec, report);
    /* After the change of user, which would clear it: the program goes when the agent goes. In a
     * PID namespace it goes with the init process anyhow. */
    if (child->init < 0)
        go_with_parent(child, report);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        fail(report, "drop privileges");
    /* Last: all that was done before is denied from here on. */
    if (!run_sandbox_enter(spec->sandbox))
        fail(report, "filter system calls");
    execve(child->program, spec->argv, spec->environment);
    fail(report, "execute");
}
