#include "server/ground/spawn.h"

#include "config/log.h"
#include "server/ground/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <sys/eventfd.h>
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

enum {
    PAUSE_MIN_MS = 1000,
    PAUSE_MAX_MS = 60000,
    STEADY_MS = 60000, /* a runner that lived so long starts with a short pause again */
    GRACE_MS = 10000   /* it ends its benchmark's processes and saves what it has */
};

struct srv_runner_child {
    char *program;
    char *config;
    char *daemon;
    int stop_fd;
    pthread_t thread;
};

static char *find_runner(const char *program) {
    static const char *const places[] = {"moowatch-runner", "../runner/moowatch-runner",
                                         "../libexec/moowatch/moowatch-runner"};
    g_autofree char *folder = g_path_get_dirname(program);
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path = g_build_filename(folder, places[i], NULL);
        if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
            return g_steal_pointer(&path);
    }
    return NULL;
}

static bool write_config(const char *path, const char *data_dir, const char *url,
                         const char *token_file, const char *lines, GError **error) {
    g_autofree char *work_dir = g_build_filename(data_dir, "runner", NULL);
    g_autoptr(GString) text =
        g_string_new("# written by moowatchd --with-runner at every start, with what its own file "
                     "says in runner:\n");
    const char *const keys[][2] = {
        {"server", url}, {"token_file", token_file}, {"work_dir", work_dir}};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        /* A single-quoted YAML scalar needs its quotes doubled and nothing else. */
        g_auto(GStrv) parts = g_strsplit(keys[i][1], "'", -1);
        g_autofree char *quoted = g_strjoinv("''", parts);
        g_string_append_printf(text, "%s: '%s'\n", keys[i][0], quoted);
    }
    g_string_append(text, lines);
    return g_file_set_contents_full(path, text->str, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                    error);
}

/* Waits for the child's end or our own; true when it was ours. */
static bool wait_for(int stop_fd, pid_t child, int ms) {
    int fd = child > 0 ? pidfd_open(child, 0) : -1;
    struct pollfd wait[2] = {{.fd = stop_fd, .events = POLLIN}, {.fd = fd, .events = POLLIN}};
    int ready = 0;
    do
        ready = poll(wait, 2, ms);
    while (ready < 0 && errno == EINTR);
    if (fd >= 0)
        close(fd);
    return wait[0].revents != 0;
}

static void tell_end(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const bool killed = WIFSIGNALED(status);
    cfg_log("warning", "runner", "ended", "how=\"%s %d\"", killed ? "signal" : "status",
            killed ? WTERMSIG(status) : WEXITSTATUS(status));
}

static void *keep_running(void *data) {
    srv_runner_child *self = data;
    const char *argv[] = {self->daemon, "--runner-helper", self->program, self->config, NULL};
    g_auto(GStrv) env = g_get_environ();
    int pause_ms = PAUSE_MIN_MS;
    for (;;) {
        g_autoptr(GError) error = NULL;
        int64_t began_us = g_get_monotonic_time();
        pid_t child = srv_spawn(argv, (const char *const *)env, -1, -1, &error);
        if (error)
            cfg_log("error", "runner", "not_started", "reason=%s", error->message);
        if (child > 0 && wait_for(self->stop_fd, child, -1)) {
            srv_spawn_kill(child, GRACE_MS);
            return NULL;
        }
        if (child > 0)
            tell_end(child);
        if (g_get_monotonic_time() - began_us > (int64_t)STEADY_MS * 1000)
            pause_ms = PAUSE_MIN_MS;
        if (wait_for(self->stop_fd, 0, pause_ms))
            return NULL;
        pause_ms = MIN(pause_ms * 2, PAUSE_MAX_MS);
    }
}

static void release(srv_runner_child *child) {
    if (child->stop_fd >= 0)
        close(child->stop_fd);
    g_free(child->program);
    g_free(child->config);
    g_free(child->daemon);
    g_free(child);
}

srv_runner_child *srv_runner_child_start(const char *program, const char *data_dir, const char *url,
                                         const char *token_file, const char *lines,
                                         GError **error) {
    srv_runner_child *child = g_new0(srv_runner_child, 1);
    child->stop_fd = eventfd(0, EFD_CLOEXEC);
    child->program = find_runner(program);
    child->daemon = g_strdup(program);
    child->config = g_build_filename(data_dir, "runner.yaml", NULL);
    if (!child->program) {
        g_set_error(
            error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
            "moowatch-runner is not next to %s; install it there or leave out --with-runner",
            program);
    } else if (write_config(child->config, data_dir, url, token_file, lines, error) &&
               srv_thread_start(&child->thread, "runner", keep_running, child, error)) {
        return child;
    }
    release(child);
    return NULL;
}

void srv_runner_child_stop(srv_runner_child *child) {
    if (!child)
        return;
    eventfd_write(child->stop_fd, 1);
    pthread_join(child->thread, NULL);
    release(child);
}
