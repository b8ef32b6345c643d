#include "ci/command/experiment.h"

#include "ci/command/progress.h"
#include "ci/command/revision.h"
#include "ci/formats/night.h"
#include "config/options.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The runner ends when we do, and puts the machine back as it was before it does. */
static void end_with_parent(gpointer unused) {
    (void)unused;
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
}

static void ignore(int signal_number) {
    (void)signal_number;
}

#define LOG "run.log"

typedef struct {
    const char *project;    /* file */
    const char *repository; /* URL or absolute path */
    const char *commit;     /* full id */
    const char *before;     /* full id; measured in turn with commit; NULL: commit alone */
    const char *config;     /* the runner's file; NULL: its defaults */
    const char *path;       /* folders of programs, with colons; NULL: the runner's */
    const char *rest;       /* seconds between two processes; NULL: the project's */
    gint loops;             /* 0: the project's */
} experiment;

static void word(GPtrArray *argv, const char *option, const char *value) {
    if (value) {
        g_ptr_array_add(argv, g_strdup(option));
        g_ptr_array_add(argv, g_strdup(value));
    }
}

static GPtrArray *command(const experiment *what, const char *program, const char *folder) {
    GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *loops = what->loops > 0 ? g_strdup_printf("%d", what->loops) : NULL;
    g_ptr_array_add(argv, g_strdup(program));
    g_ptr_array_add(argv, g_strdup("measure"));
    word(argv, "--project", what->project);
    word(argv, "--commit", what->commit);
    word(argv, "--before", what->before);
    word(argv, "--config", what->config);
    word(argv, "--path", what->path);
    word(argv, "--loops", loops);
    word(argv, "--rest", what->rest);
    word(argv, "--results", folder);
    g_ptr_array_add(argv, NULL);
    return argv;
}

/* "measure collecting, 3 min left" */
static char *words_of(const json_t *line) {
    const double left_s = cfg_json_number(line, "eta_seconds");
    GString *to = g_string_new(cfg_json_word(line, "phase", ""));
    const bool waits = g_str_equal(to->str, "wait");
    g_string_append_printf(to, waits ? ": %s" : " %s",
                           cfg_json_word(line, waits ? "message" : "configuration", ""));
    if (left_s >= 90)
        g_string_append_printf(to, ", %.0f min left", left_s / 60);
    else if (left_s >= 0)
        g_string_append_printf(to, ", %.0f s left", left_s);
    return g_string_free(to, FALSE);
}

/* The child's lines until it closes its output. Returns why it failed, "" when it did not say. */
static char *follow(int fd) {
    char *reason = g_strdup("");
    FILE *lines = fdopen(fd, "r");
    char *line = NULL;
    size_t size = 0;
    while (lines && getline(&line, &size, lines) > 0) {
        json_auto_t *told = json_loads(line, 0, NULL);
        const char *why = cfg_json_word(told, "reason", NULL);
        if (why) {
            const char *log = cfg_json_word(told, "log", "");
            g_free(reason);
            reason = g_strdup_printf("%s%s%s", why, *log ? "\n" : "", log);
        } else if (json_is_object(told)) {
            g_autofree char *text = words_of(told);
            const double done = cfg_json_number(told, "done"),
                         total = cfg_json_number(told, "total");
            ci_progress((guint)MAX(done, 0), (guint)MAX(total, 1), text);
        }
    }
    free(line);
    if (lines)
        (void)fclose(lines);
    else
        (void)close(fd);
    ci_progress_end();
    return g_strstrip(reason);
}

/* By the environment, which only our own user can read: it may hold a password. */
static GStrv environment_of(const experiment *what) {
    GStrv environment = g_get_environ();
    return what->repository
               ? g_environ_setenv(environment, "MOOWATCH_REPOSITORY", what->repository, TRUE)
               : g_environ_unsetenv(environment, "MOOWATCH_REPOSITORY");
}

static bool start(const experiment *what, GPtrArray *argv, const char *log, GPid *pid, int *out,
                  GError **error) {
    int pipe_fds[2];
    const int log_fd = g_open(log, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (log_fd < 0 || !g_unix_open_pipe(pipe_fds, FD_CLOEXEC, NULL)) {
        ci_wrong(error, "%s: %s", log, g_strerror(errno));
        if (log_fd >= 0)
            (void)close(log_fd);
        return false;
    }
    g_auto(GStrv) environment = environment_of(what);
    const bool good =
        g_spawn_async_with_fds(NULL, (char **)argv->pdata, environment, G_SPAWN_DO_NOT_REAP_CHILD,
                               end_with_parent, NULL, pid, -1, pipe_fds[1], log_fd, error);
    (void)close(log_fd);
    (void)close(pipe_fds[1]);
    if (good)
        *out = pipe_fds[0];
    else
        (void)close(pipe_fds[0]);
    return good;
}

/* What stands at the end of a file; for a runner that could not even begin. */
static char *last_line(const char *path) {
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return g_strdup("the runner ended");
    g_strchomp(text);
    const char *line = strrchr(text, '\n');
    return g_utf8_make_valid(line ? line + 1 : text, -1);
}

static bool runner_run(const experiment *what, const char *program, const char *folder,
                       GError **error) {
    g_autofree char *log = g_build_filename(folder, LOG, NULL);
    g_autoptr(GPtrArray) argv = command(what, program, folder);
    /* Ctrl-C reaches the runner, too: it cleans up, and we wait for it. */
    const struct sigaction wait_for_it = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    struct sigaction before;
    (void)sigaction(SIGINT, &wait_for_it, &before);
    GPid pid = 0;
    int out = -1, status = 0;
    bool good = start(what, argv, log, &pid, &out, error);
    if (good) {
        g_autofree char *reason = follow(out);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        g_autofree char *last = good ? NULL : last_line(log);
        if (!good)
            ci_wrong(error, "not measured: %s (more in %s, which the next run replaces)",
                     *reason ? reason : last, log);
    }
    (void)sigaction(SIGINT, &before, NULL);
    return good;
}

/* The log of an attempt that failed, when it is alone there, is in nobody's way. */
static void take_again(const char *folder) {
    g_autofree char *log = g_build_filename(folder, LOG, NULL);
    g_autoptr(GDir) there = g_dir_open(folder, 0, NULL);
    if (there && g_strcmp0(g_dir_read_name(there), LOG) == 0 && !g_dir_read_name(there))
        (void)g_unlink(log);
}

/*
 * Blocking, for as long as it takes; a progress bar on a terminal.
 * folder  new, empty, or of an attempt that failed; gets the raw files (of two commits in before/
 *         and after/), experiment.json and run.log, which alone stays of an attempt that fails
 * Returns false with error (CI_ERROR_INPUT) that says why nothing was measured.
 */
static bool experiment_run(const experiment *what, const char *folder, GError **error) {
    g_autofree char *program = ci_program_find("moowatch-runner", "runner");
    if (!program)
        return ci_wrong(
            error, "moowatch-runner is not installed next to moowatch; it is needed to measure");
    take_again(folder);
    return ci_folder_make(folder, "--dir", error) && runner_run(what, program, folder, error);
}

#define COMMIT_SHORT 12

char *ci_experiment_measure(ci_experiment_options *o, const char *file, const cfg_project *project,
                            const char *name, GError **error) {
    const char *given = o->repository ? o->repository : project->repository;
    g_autofree char *repository = g_file_test(given, G_FILE_TEST_IS_DIR)
                                      ? g_canonicalize_filename(given, NULL)
                                      : g_strdup(given);
    g_autofree char *commit = ci_revision_find(repository, project->branch, o->commit, error);
    g_autofree char *before = commit && o->compare
                                  ? ci_revision_find(repository, project->branch, o->compare, error)
                                  : NULL;
    if (!commit || (o->compare && !before))
        return NULL;
    if (before && g_str_equal(before, commit)) {
        ci_misused(error, "--compare: both are the same commit, %s", before);
        return NULL;
    }
    if (!o->folder)
        o->folder = cfg_kept(g_strdup_printf("%s-%.*s", name, COMMIT_SHORT, commit));
    const experiment what = {.project = file,
                             .repository = repository,
                             .commit = commit,
                             .before = before,
                             .config = o->config,
                             .path = o->path,
                             .rest = o->rest,
                             .loops = o->loops};
    return experiment_run(&what, o->folder, error) ? g_steal_pointer(&commit) : NULL;
}
