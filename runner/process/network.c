#include "runner/process/network.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static bool put(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return good;
}

/* Puts id and a space before text[at]; returns where they begin. printf is not for between fork
 * and exec. */
static size_t prepend(char *text, size_t at, unsigned id) {
    text[--at] = ' ';
    do {
        text[--at] = (char)('0' + id % 10);
        id /= 10;
    } while (id > 0);
    return at;
}

/* "id id 1": who it is outside it is inside. */
static bool put_same(const char *path, unsigned id) {
    char text[32];
    size_t at = sizeof text - 2;
    text[at] = '1';
    text[at + 1] = '\0';
    at = prepend(text, at, id);
    return put(path, text + prepend(text, at, id));
}

static bool leave_without_privileges(void) {
    unsigned uid = geteuid(), gid = getegid();
    return unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 && put("/proc/self/setgroups", "deny") &&
           put_same("/proc/self/uid_map", uid) && put_same("/proc/self/gid_map", gid);
}

static bool bring_up_loopback(void) {
    struct ifreq request = {.ifr_name = "lo"};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool good = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0;
    request.ifr_flags |= IFF_UP;
    good = good && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
    if (fd >= 0)
        close(fd);
    return good;
}

/* A root without the right to set up the new network goes back: without loopback it is of no
 * use. */
static bool leave_with_privileges(void) {
    int before = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    bool left = before >= 0 && unshare(CLONE_NEWNET) == 0;
    bool good = left && bring_up_loopback();
    int code = errno;
    if (left && !good)
        setns(before, CLONE_NEWNET);
    if (before >= 0)
        close(before);
    errno = code;
    return good;
}

/* Root has other users to become afterwards, whom a user namespace of one would not know. */
bool run_network_leave(void) {
    return geteuid() == 0 ? leave_with_privileges()
                          : leave_without_privileges() && bring_up_loopback();
}

int run_network_refused(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(run_network_leave() ? 0 : errno);
    int status = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid < 0 ? errno : WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}
