#include "runner/process/cage.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NAMESPACES (CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNS)

static volatile sig_atomic_t program_pid; /* of the one program of a first process */

pid_t run_cage_fork(const run_cgroup *group) {
    return run_cgroup_fork(group, NAMESPACES);
}

bool run_cage_settle(void) {
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

void run_cage_hold(void) {
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
static void wait_for(pid_t program, run_cage_report *told) {
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
        _exit(1); /* no first process: "all" would be everybody on the node */
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

_Noreturn void run_cage_keep(pid_t program, int report) {
    run_cage_report told;
    memset(&told, 0, sizeof told);
    listen_for_term(program);
    close_but(report);
    wait_for(program, &told);
    tell(report, &told, sizeof told);
    unsigned stragglers = kill_rest();
    tell(report, &stragglers, sizeof stragglers);
    _exit(0);
}

int run_cage_refused(void) {
    if (geteuid() != 0)
        return EPERM;
    pid_t pid = run_cage_fork(NULL);
    if (pid == 0)
        _exit(run_cage_settle() ? 0 : errno);
    int status = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid < 0 ? errno : WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}
