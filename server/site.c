#include "server/site.h"

#include "server/ground/error.h"
#include "server/ground/log.h"
#include "server/ground/spawn.h"
#include "server/ground/thread.h"
#include "server/views/views.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LATEST_MS = 3600000,  /* a project that is never settled is shown by then */
    RETRY_MS = 600000,    /* after a failure */
    MOST_MS = 1800000,    /* one write */
    GRACE_MS = 3000,      /* to end */
    SAID_BYTES = 2000,    /* of what the program says */
    LOWEST_PRIORITY = 19, /* it must not disturb who measures beside it */
};

struct srv_site {
    srv_context *context;
    char *program, *url;
    int stop_fd, wake_fd;
    pthread_t thread;
    bool running;
    pthread_mutex_t lock; /* of the following */
    GHashTable *projects; /* that changed; "": any */
    int64_t since_us;     /* when the first of them did */
    char *problem;        /* NULL: none */
};

static char *find_program(const char *daemon) {
    static const char *const places[] = {"moowatch", "../ci/moowatch", "../bin/moowatch"};
    g_autofree char *folder = g_path_get_dirname(daemon);
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path = g_build_filename(folder, places[i], NULL);
        if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
            return g_steal_pointer(&path);
    }
    return NULL;
}

void srv_site_look(srv_site *site) {
    if (site)
        (void)eventfd_write(site->wake_fd, 1);
}

void srv_site_changed(srv_site *site, const char *project) {
    if (!site)
        return;
    pthread_mutex_lock(&site->lock);
    if (g_hash_table_size(site->projects) == 0)
        site->since_us = g_get_monotonic_time();
    g_hash_table_add(site->projects, g_strdup(project ? project : ""));
    pthread_mutex_unlock(&site->lock);
    srv_site_look(site);
}

char *srv_site_problem(srv_site *site) {
    if (!site)
        return NULL;
    pthread_mutex_lock(&site->lock);
    char *problem = g_strdup(site->problem);
    pthread_mutex_unlock(&site->lock);
    return problem;
}

/* Takes problem; NULL: all is well. */
static void conclude(srv_site *site, char *problem) {
    if (problem)
        srv_log_error("site", "not_written", "folder", site->context->config->site.folder, "reason",
                      problem, NULL);
    else
        srv_log_info("site", "written", "folder", site->context->config->site.folder, NULL);
    pthread_mutex_lock(&site->lock);
    g_free(site->problem);
    site->problem = problem ? g_strconcat("site: ", problem, NULL) : NULL;
    pthread_mutex_unlock(&site->lock);
    g_free(problem);
}

static bool is_changed(srv_site *site) {
    pthread_mutex_lock(&site->lock);
    const bool changed = g_hash_table_size(site->projects) > 0;
    pthread_mutex_unlock(&site->lock);
    return changed;
}

/* What has changed, [char*]; NULL: it is time whatever is under way. */
static char **waiting_for(srv_site *site) {
    pthread_mutex_lock(&site->lock);
    const bool late = g_hash_table_contains(site->projects, "") ||
                      g_get_monotonic_time() - site->since_us >= (int64_t)LATEST_MS * 1000;
    g_autofree char **keys =
        late ? NULL : (char **)g_hash_table_get_keys_as_array(site->projects, NULL);
    char **names = g_strdupv(keys);
    pthread_mutex_unlock(&site->lock);
    return names;
}

/* Has it nothing under way? One that is gone has not. */
static bool is_settled(srv_store *store, const char *name, bool *settled, GError **error) {
    g_autoptr(GError) wrong = NULL;
    json_auto_t *project = srv_view_project(store, name, &wrong);
    *settled = !project || json_is_true(json_object_get(project, "settled"));
    if (project || g_error_matches(wrong, SRV_ERROR, SRV_ERROR_NOT_FOUND))
        return true;
    g_propagate_error(error, g_steal_pointer(&wrong));
    return false;
}

/* Is it time: has a project that changed nothing under way, or did they change long ago? Only those
 * that changed are asked about: this happens at each job that ends. */
static bool is_due(srv_site *site, srv_store *store, bool *due, GError **error) {
    g_auto(GStrv) names = waiting_for(site);
    bool good = true;
    *due = !names;
    for (char **name = names; name && *name && good && !*due; name++)
        good = is_settled(store, *name, due, error);
    return good;
}

/* What is written now has all that changed until now; who is not settled changes again. */
static void forget(srv_site *site) {
    pthread_mutex_lock(&site->lock);
    g_hash_table_remove_all(site->projects);
    pthread_mutex_unlock(&site->lock);
}

/* Waits for the first of them; -1: of no child. True when the site is to stop. */
static bool wait_for(const srv_site *site, int child_out, int ms) {
    struct pollfd wait[2] = {{.fd = site->stop_fd, .events = POLLIN},
                             {.fd = child_out >= 0 ? child_out : site->wake_fd, .events = POLLIN}};
    while (poll(wait, 2, ms) < 0 && errno == EINTR)
        ;
    return wait[0].revents != 0;
}

/* Reads what it says until its end, or until time is up; false: it was ended. */
static bool listen_to(const srv_site *site, int out, GString *said) {
    const int64_t end_us = g_get_monotonic_time() + (int64_t)MOST_MS * 1000;
    for (;;) {
        char block[512];
        const int64_t left_ms = (end_us - g_get_monotonic_time()) / 1000;
        if (left_ms <= 0 || wait_for(site, out, (int)left_ms))
            return false;
        const ssize_t n = read(out, block, sizeof block);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            return true;
        if (n > 0 && said->len < SAID_BYTES)
            g_string_append_len(said, block, n);
    }
}

/* Without what would give it a token or another server. */
static char **environment(void) {
    char **all = g_environ_unsetenv(g_get_environ(), "MOOWATCH_TOKEN");
    return g_environ_unsetenv(all, "MOOWATCH_SERVER");
}

static pid_t start(const srv_site *site, int out, GError **error) {
    const cfg_site *config = &site->context->config->site;
    const char *argv[] = {"/bin/sh",          "-c",
                          "exec \"$@\" 2>&1", "sh",
                          site->program,      "site",
                          config->folder,     "--server",
                          site->url,          config->base ? "--url" : NULL,
                          config->base,       NULL};
    g_auto(GStrv) env = environment();
    const pid_t child = srv_spawn(argv, (const char *const *)env, -1, out, error);
    if (child > 0)
        (void)setpriority(PRIO_PGRP, (id_t)child, LOWEST_PRIORITY);
    return child;
}

/* In one line, valid and without its name; the caller's. */
static char *reason_of(GString *said, int status) {
    static const char own[] = "moowatch site: ";
    g_autofree char *text = g_utf8_make_valid(said->str, (gssize)said->len);
    const char *begin = g_str_has_prefix(text, own) ? text + strlen(own) : text;
    g_strdelimit(g_strchomp(text), "\r\n", ' ');
    if (*begin != '\0')
        return g_strdup(begin);
    return WIFSIGNALED(status)
               ? g_strdup_printf("moowatch was ended by signal %d", WTERMSIG(status))
               : g_strdup_printf("moowatch ended with %d", WEXITSTATUS(status));
}

/* Why it failed, the caller's; NULL: it did not, or is to stop. */
static char *write_once(const srv_site *site, bool *stopped) {
    int ends[2], status = 0;
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) said = g_string_new(NULL);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return g_strdup(g_strerror(errno));
    const pid_t child = start(site, ends[1], &error);
    close(ends[1]);
    const bool ended = child > 0 && listen_to(site, ends[0], said);
    close(ends[0]);
    if (child < 0)
        return g_strdup(error->message);
    if (!ended) {
        srv_spawn_kill(child, GRACE_MS);
        *stopped = wait_for(site, -1, 0);
        return *stopped ? NULL : g_strdup_printf("it took longer than %d minutes", MOST_MS / 60000);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : reason_of(said, status);
}

/* When there is something to do and it is this server's; how long to wait then. */
static int look(srv_site *site, srv_store *store, bool *stopped) {
    g_autoptr(GError) error = NULL;
    if (!srv_leader_leads(site->context->leader))
        return RETRY_MS;
    if (!is_changed(site)) /* a job's progress alone is no reason to ask about any */
        return LATEST_MS / 60;
    bool due;
    char *problem = NULL;
    if (!is_due(site, store, &due, &error))
        problem = g_strdup(error->message);
    else if (!due)
        return LATEST_MS / 60;
    else {
        forget(site);
        problem = write_once(site, stopped);
    }
    if (*stopped)
        return 0;
    const bool failed = problem != NULL;
    conclude(site, problem);
    if (failed)
        srv_site_changed(site, NULL);
    return failed ? RETRY_MS : LATEST_MS;
}

static void *keep_written(void *data) {
    srv_site *site = data;
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_store) store = srv_context_store(site->context, &error);
    if (!store)
        conclude(site, g_strdup(error->message));
    bool stopped = !store;
    while (!stopped) {
        eventfd_t woken;
        (void)eventfd_read(site->wake_fd, &woken);
        const int ms = look(site, store, &stopped);
        const bool failed = ms == RETRY_MS;
        /* After a failure nights that come are no reason to try again sooner. */
        stopped = stopped || wait_for(site, failed ? site->stop_fd : -1, ms);
    }
    return NULL;
}

void srv_site_free(srv_site *site) {
    if (!site)
        return;
    srv_site_stop(site);
    close(site->stop_fd);
    close(site->wake_fd);
    pthread_mutex_destroy(&site->lock);
    g_hash_table_unref(site->projects);
    g_free(site->problem);
    g_free(site->program);
    g_free(site->url);
    g_free(site);
}

srv_site *srv_site_new(srv_context *context, GError **error) {
    g_autofree char *program = find_program(context->program);
    if (!program) {
        g_set_error(
            error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
            "moowatch is not next to %s; install it there or leave out site:", context->program);
        return NULL;
    }
    srv_site *site = g_new0(srv_site, 1);
    site->context = context;
    site->program = g_steal_pointer(&program);
    site->stop_fd = eventfd(0, EFD_CLOEXEC);
    site->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    site->projects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    pthread_mutex_init(&site->lock, NULL);
    srv_site_changed(site, NULL);
    return site;
}

bool srv_site_run(srv_site *site, const char *url, GError **error) {
    site->url = g_strdup(url);
    site->running = srv_thread_start(&site->thread, "site", keep_written, site, error);
    return site->running;
}

void srv_site_stop(srv_site *site) {
    if (!site || !site->running)
        return;
    (void)eventfd_write(site->stop_fd, 1);
    pthread_join(site->thread, NULL);
    site->running = false;
}
