/* In the kernel itself; skipped where it allows no namespaces. */
#include "tests/unit/runner/test.h"

#include "runner/process/network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FINE, NOT_LEFT, ANOTHER_INTERFACE, NO_LOOPBACK, ANOTHER_USER, REACHED };

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
                                                                            : FINE;
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
    assert_int_equal(in_a_child(&outside, geteuid()), FINE);
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
    assert_true(found == FINE || found == NOT_LEFT);
    close(fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_but_loopback),
                                       cmocka_unit_test(test_without_privileges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
