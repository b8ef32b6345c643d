#include "server/ground/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int redirect(posix_spawn_file_actions_t *actions, int fd, int to, int flags) {
    if (fd >= 0)
        return posix_spawn_file_actions_adddup2(actions, fd, to);
    return posix_spawn_file_actions_addopen(actions, to, "/dev/null", flags, 0);
}

pid_t srv_spawn(const char *const *argv, const char *const *env, int in, int out, GError **error) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    pid_t child = -1;
    int code = redirect(&actions, in, STDIN_FILENO, O_RDONLY);
    if (code == 0)
        code = redirect(&actions, out, STDOUT_FILENO, O_WRONLY);
    if (code == 0) {
        /* posix_spawn does not write to them; its prototype is older than const. */
        union {
            const char *const *given;
            char *const *wanted;
        } arguments = {argv}, environment = {env};
        code = posix_spawn(&child, argv[0], &actions, &attributes, arguments.wanted,
                           environment.wanted);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (code == 0)
        return child;
    g_set_error(error, G_IO_ERROR, g_io_error_from_errno(code), "cannot start %s: %s", argv[0],
                g_strerror(code));
    return -1;
}

/* Waits until the child has ended, without reaping it; false when time is up. */
static bool ended_within(pid_t child, int ms) {
    int fd = pidfd_open(child, 0);
    if (fd < 0)
        return errno == ESRCH;
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int ready = poll(&wait, 1, ms);
    close(fd);
    return ready > 0;
}

void srv_spawn_kill(pid_t child, int grace_ms) {
    if (grace_ms > 0) {
        kill(-child, SIGTERM);
        ended_within(child, grace_ms);
    }
    /* The group is killed before its leader is reaped, so the number is still ours. */
    kill(-child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
}
