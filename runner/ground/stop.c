#include "runner/ground/stop.h"

#include "runner/ground/error.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

int run_stop_open(GError **error) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    int fd = -1;
    if (sigprocmask(SIG_BLOCK, &signals, NULL) == 0)
        fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd < 0)
        run_fail(error, RUN_ERROR_NODE, "cannot watch for signals: %s", g_strerror(errno));
    return fd;
}

bool run_stop_asked(int stop_fd) {
    return run_stop_sleep(stop_fd, 0);
}

bool run_stop_sleep(int stop_fd, int64_t ms) {
    int64_t end_us = g_get_monotonic_time() + ms * 1000;
    for (;;) {
        int64_t left_ms = (end_us - g_get_monotonic_time() + 999) / 1000;
        struct pollfd poll_fd = {.fd = stop_fd, .events = POLLIN, .revents = 0};
        int ready = poll(&poll_fd, 1, (int)CLAMP(left_ms, 0, G_MAXINT));
        if (ready > 0)
            return true;
        if ((ready == 0 && left_ms <= 0) || (ready < 0 && errno != EINTR))
            return false;
    }
}
