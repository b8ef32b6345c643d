#include "tests/unit/runner/test.h"

#include "runner/ground/stop.h"
#include "runner/process/descendants.h"
#include "runner/process/process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char path_variable[] = "PATH=/usr/bin:/bin", own_variable[] = "OWN=1";

static char *environment[] = {path_variable, own_variable, NULL};

/* Runs `hostile way argument` with what else is set in spec. */
/* Nothing that was started lives on. */
static void expect_none_left(void) {
    unsigned left = 0;
    assert_int_equal(run_descendants_kill(&left), 0);
    assert_int_equal(left, 0);
}

static bool run(run_process_spec *spec, const char *way, const char *argument,
                run_process_result *result, GError **error) {
    g_autofree char *program = g_strdup(HOSTILE), *first = g_strdup(way),
                    *second = g_strdup(argument);
    char *argv[] = {program, first, second, NULL};
    spec->argv = argv;
    spec->environment = environment;
    spec->directory = "/";
    spec->log_limit_bytes = 8192;
    spec->timeout_s = spec->timeout_s != 0 ? spec->timeout_s : 30;
    spec->stop_fd = spec->stop_fd != 0 ? spec->stop_fd : -1;
    bool good = run_process_run(spec, result, error);
    expect_none_left();
    return good;
}

static void test_ends(void **state) {
    (void)state;
    const struct {
        const char *way, *argument;
        run_process_end end;
        int code;
        const char *says;
    } cases[] = {{"exit", "0", RUN_END_EXIT, 0, NULL},
                 {"exit", "134", RUN_END_EXIT, 134, "exit status 134 after "},
                 {"abort", NULL, RUN_END_SIGNAL, SIGABRT, "killed by signal 6 (Aborted) after "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_process_spec spec = {0};
        run_process_result result;
        assert_true(run(&spec, cases[i].way, cases[i].argument, &result, NULL));
        assert_int_equal(result.end, cases[i].end);
        assert_int_equal(result.code, cases[i].code);
        g_autofree char *text = run_process_describe(&result);
        assert_true(!cases[i].says ? !text : g_str_has_prefix(text, cases[i].says));
        assert_int_equal(result.stragglers, 0);
        run_process_result_clear(&result);
    }
}

static void test_cannot_start(void **state) {
    const struct {
        const char *program, *says;
    } cases[] = {{"no-such-program", "cannot start no-such-program: there is no such program in "
                                     "/usr/bin:/bin; install it, or name its folder in path of "
                                     "moowatch-runner.yaml (moowatch run: --path)"},
                 {"/nonexistent/x", "cannot start /nonexistent/x: there is no such program"},
                 {"/etc/passwd", "cannot start /etc/passwd: "}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *program = g_strdup(cases[i].program);
        char *argv[] = {program, NULL};
        run_process_spec spec = {.argv = argv,
                                 .environment = environment,
                                 .directory = *state,
                                 .timeout_s = 5,
                                 .stop_fd = -1};
        run_process_result result;
        GError *problem = NULL;
        assert_false(run_process_run(&spec, &result, &problem));
        assert_error(problem, RUN_ERROR_JOB, cases[i].says);
    }
}

static void test_sees_nothing_of_ours(void **state) {
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    run_process_spec spec = {0};
    run_process_result result;
    assert_true(run(&spec, "tell", NULL, &result, NULL));
    signal(SIGPIPE, SIG_DFL);
    g_autofree char *expected = g_strdup_printf(
        "env PATH=/usr/bin:/bin\nenv OWN=1\nfd 0\nfd 1\nfd 2\nterm blocked 0\npipe ignored 0\n"
        "core 0\nsession leader 1\nuid %d\noom 500\nNoNewPrivs:\t1\n",
        (int)getuid());
    assert_string_equal(result.log, expected);
    run_process_result_clear(&result);
}

static void test_deadline(void **state) {
    (void)state;
    const char *ways[] = {"hang", "ignore-term"};
    for (size_t i = 0; i < 2; i++) {
        run_process_spec spec = {.timeout_s = 1};
        run_process_result result;
        assert_true(run(&spec, ways[i], NULL, &result, NULL));
        assert_int_equal(result.end, RUN_END_TIMEOUT);
        g_autofree char *text = run_process_describe(&result);
        assert_true(g_str_has_prefix(text, "still running after "));
        run_process_result_clear(&result);
    }
}

static void test_daemon_dies_too(void **state) {
    g_autofree char *pid_path = g_build_filename(*state, "pid", NULL);
    run_process_spec spec = {0};
    run_process_result result;
    assert_true(run(&spec, "daemonise", pid_path, &result, NULL));
    assert_int_equal(result.end, RUN_END_EXIT);
    assert_int_equal(result.stragglers, 1);
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(pid_path, &text, NULL, NULL));
    assert_int_equal(kill((pid_t)atoi(text), 0), -1);
    run_process_result_clear(&result);
}

static void test_swarm_dies_too(void **state) {
    (void)state;
    run_process_spec spec = {0};
    run_process_result result;
    assert_true(run(&spec, "swarm", "4", &result, NULL));
    assert_true(result.stragglers >= 3);
    assert_false(result.stuck);
    run_process_result_clear(&result);
}

static void test_hopping_process_is_caught(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        run_process_spec spec = {0};
        run_process_result result;
        assert_true(run(&spec, "hop", NULL, &result, NULL));
        assert_false(result.stuck);
        run_process_result_clear(&result);
    }
}

/* All of it, from the first instruction on: killing the group ends it. */
static void test_forked_into_control_group(void **state) {
    (void)state;
    g_autofree char *why = NULL, *name = g_strdup_printf("fork-%d", (int)getpid());
    run_cgroup_limits limits = {.process_limit = 0};
    g_autoptr(run_cgroup) group = run_cgroup_open("", name, &limits, &why);
    if (!group)
        skip();
    int begun[2], status = 0;
    char byte;
    assert_int_equal(pipe(begun), 0);
    pid_t pid = run_cgroup_fork(group, 0);
    if (pid == 0) {
        const ssize_t written = write(begun[1], "", 1);
        (void)written;
        for (;;)
            pause();
    }
    assert_int_equal(read(begun[0], &byte, 1), 1);
    assert_int_equal(run_cgroup_kill(group), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    close(begun[0]);
    close(begun[1]);
}

/* In a group of its own even what hides behind another parent is killed at once. */
static void test_control_group(void **state) {
    g_autofree char *why = NULL, *name = g_strdup_printf("test-%d", (int)getpid());
    g_autofree char *pid_path = g_build_filename(*state, "pid-in-group", NULL);
    run_cgroup_limits limits = {.process_limit = 0};
    g_autoptr(run_cgroup) group = run_cgroup_open("", name, &limits, &why);
    if (!group)
        skip();
    const char *ways[][2] = {{"exit", "7"}, {"daemonise", pid_path}, {"swarm", "4"}, {"hop", NULL}};
    for (size_t i = 0; i < 4; i++) {
        run_process_spec spec = {.cgroup = group};
        run_process_result result;
        assert_true(run(&spec, ways[i][0], ways[i][1], &result, NULL));
        assert_int_equal(result.end, RUN_END_EXIT);
        assert_int_equal(result.code, i == 0 ? 7 : 0);
        assert_int_equal(result.stragglers > 0, i > 0);
        assert_false(result.stuck);
        run_process_result_clear(&result);
    }
}

/* ---- in namespaces of its own ---- */

static void need_cage(void) {
    int refused = run_namespaces_refused();
    if (refused == 0)
        return;
    print_message("skipped: no namespaces here: %s\n", g_strerror(refused));
    skip();
}

static void test_namespaces_ends_are_told_as_they_were(void **state) {
    (void)state;
    need_cage();
    const struct {
        const char *way, *argument;
        run_process_end end;
        int code;
    } cases[] = {{"exit", "0", RUN_END_EXIT, 0},
                 {"exit", "134", RUN_END_EXIT, 134},
                 {"abort", NULL, RUN_END_SIGNAL, SIGABRT}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        run_process_spec spec = {.own_namespaces = true};
        run_process_result result;
        assert_true(run(&spec, cases[i].way, cases[i].argument, &result, NULL));
        assert_int_equal(result.end, cases[i].end);
        assert_int_equal(result.code, cases[i].code);
        assert_int_equal(result.stragglers, 0);
        assert_true(result.usage.ru_maxrss > 0);
        assert_in_range(result.seconds * 1e6, 1, 30e6);
        run_process_result_clear(&result);
    }
}

static void test_namespaces_leaves_nothing(void **state) {
    need_cage();
    g_autofree char *pid_path = g_build_filename(*state, "pid-in-namespace", NULL);
    const char *ways[][2] = {{"daemonise", pid_path}, {"swarm", "4"}, {"hop", NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
        run_process_spec spec = {.own_namespaces = true};
        run_process_result result;
        assert_true(run(&spec, ways[i][0], ways[i][1], &result, NULL));
        assert_int_equal(result.code, 0);
        assert_true(result.stragglers >= 1);
        assert_false(result.stuck);
        run_process_result_clear(&result);
    }
}

static void test_namespaces_sees_and_reaches_nobody(void **state) {
    (void)state;
    need_cage();
    const char *ways[][2] = {{"kill-all", "pid 2, parent 1\n"}, {"list", "2 processes\n"}};
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
        run_process_spec spec = {.own_namespaces = true};
        run_process_result result;
        assert_true(run(&spec, ways[i][0], NULL, &result, NULL));
        assert_int_equal(result.end, RUN_END_EXIT);
        assert_string_equal(result.log, ways[i][1]);
        run_process_result_clear(&result);
    }
}

static void test_namespaces_deadline_and_start(void **state) {
    need_cage();
    const char *ways[] = {"hang", "ignore-term"};
    for (size_t i = 0; i < G_N_ELEMENTS(ways); i++) {
        run_process_spec spec = {.own_namespaces = true, .timeout_s = 1};
        run_process_result result;
        assert_true(run(&spec, ways[i], NULL, &result, NULL));
        assert_int_equal(result.end, RUN_END_TIMEOUT);
        /* What heeds SIGTERM is not made to wait for SIGKILL. */
        assert_true(i == 1 || result.seconds * 1000 < 1000 + RUN_GRACE_MS);
        run_process_result_clear(&result);
    }
    g_autofree char *program = g_strdup("/etc/passwd");
    char *argv[] = {program, NULL};
    run_process_spec spec = {.argv = argv,
                             .environment = environment,
                             .directory = *state,
                             .own_namespaces = true,
                             .timeout_s = 5,
                             .stop_fd = -1};
    run_process_result result;
    GError *problem = NULL;
    assert_false(run_process_run(&spec, &result, &problem));
    assert_error(problem, RUN_ERROR_JOB, "cannot start /etc/passwd: execute");
}

/* How much there is on this node of what "leave-memory" makes: System V by its size, for a
 * PostgreSQL that starts or ends has some, too, and whether a name is in /dev/shm. */
static size_t shared_memory(const char *name) {
    static const struct {
        const char *list, *row; /* key, number, rights, size */
    } made[] = {{"/proc/sysvipc/shm", "^ *\\S+ +\\d+ +\\d+ +1060864 "},
                {"/proc/sysvipc/sem", "^ *\\S+ +\\d+ +\\d+ +5 "},
                {"/proc/sysvipc/msg", "^ *\\S+ +\\d+ +\\d+ +0 "}};
    g_autofree char *path = g_build_filename("/dev/shm", name, NULL);
    size_t sum = g_file_test(path, G_FILE_TEST_EXISTS) ? 1 : 0;
    for (size_t i = 0; i < G_N_ELEMENTS(made); i++) {
        g_autofree char *text = NULL;
        if (!g_file_get_contents(made[i].list, &text, NULL, NULL))
            continue;
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        for (char **line = lines; *line; line++)
            sum += g_regex_match_simple(made[i].row, *line, 0, 0) ? 1 : 0;
    }
    return sum;
}

static void test_namespaces_shared_memory_goes_too(void **state) {
    need_cage();
    if (run_sandbox_places_refused() != 0)
        skip();
    g_autofree char *name = g_strdup_printf("/moowatch-left-%d", (int)getpid());
    g_autofree char *folder = g_build_filename(*state, "private", NULL);
    g_autofree char *program = g_path_get_dirname(HOSTILE);
    const char *writable[] = {NULL}, *readable[] = {program, NULL};
    size_t before = shared_memory(name);
    for (unsigned i = 0; i < 2; i++) { /* the second finds nothing of the first */
        g_auto(run_sandbox_places) places = {0};
        assert_true(run_sandbox_places_prepare(&places, folder, writable, readable, 1 << 20, NULL));
        run_process_spec spec = {.own_namespaces = true, .places = &places};
        run_process_result result;
        assert_true(run(&spec, "leave-memory", name, &result, NULL));
        assert_int_equal(result.code, 0);
        run_process_result_clear(&result);
    }
    assert_int_equal(shared_memory(name), before);
}

/* Sockets by which somebody else could be asked to start processes that outlive the job. */
static void test_private_places_hide_what_starts_others(void **state) {
    if (run_sandbox_places_refused() != 0)
        skip();
    g_autofree char *folder = g_build_filename(*state, "hidden", NULL);
    g_autofree char *work = g_dir_make_tmp("moowatch-kept-XXXXXX", NULL);
    g_autofree char *script = g_strdup_printf(
        "ls -A /run /var/run/; touch /run/x; cat /etc/resolv.conf | wc -c; touch %s/kept; "
        "touch /tmp/mine; ls /tmp; touch %s/no; head -c 1000000 /dev/zero > /dev/shm/most && echo "
        "fits; "
        "head -c 1000000 /dev/zero > /dev/shm/more; true",
        work, *(char **)state);
    const char *writable[] = {work, NULL}, *readable[] = {*state, NULL};
    g_auto(run_sandbox_places) places = {0};
    assert_true(run_sandbox_places_prepare(&places, folder, writable, readable, 1 << 20, NULL));
    char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, script, NULL};
    run_process_spec spec = {.argv = argv,
                             .environment = environment,
                             .directory = "/",
                             .own_namespaces = run_namespaces_refused() == 0,
                             .places = &places,
                             .log_limit_bytes = 8192,
                             .timeout_s = 30,
                             .stop_fd = -1};
    run_process_result result;
    assert_true(run_process_run(&spec, &result, NULL));
    for (const char *const *name =
             (const char *const[]){"dbus", "systemd", "user", "docker.sock", "containerd", NULL};
         *name; name++)
        assert_null(strstr(result.log, *name));
    assert_non_null(strstr(result.log, "/run/x': Read-only file system"));
    assert_non_null(strstr(result.log, "fits"));
    assert_non_null(strstr(result.log, "No space left on device"));
    g_autofree char *no = g_strdup_printf("%s/no': Read-only file system", *(char **)state);
    assert_non_null(strstr(result.log, no));
    assert_non_null(strstr(result.log, "mine"));
    assert_false(g_file_test("/tmp/mine", G_FILE_TEST_EXISTS));
    g_autofree char *kept = g_build_filename(work, "kept", NULL);
    assert_true(g_file_test(kept, G_FILE_TEST_EXISTS));
    run_process_result_clear(&result);
    /* A program that lies in such a place, and is not kept: in words. */
    g_autofree char *lies = g_strdup_printf("/tmp/moowatch-hidden-%d", (int)getpid());
    char *hidden[] = {lies, NULL};
    assert_true(g_file_set_contents(hidden[0], "#!/bin/sh\n", -1, NULL));
    assert_int_equal(chmod(hidden[0], 0755), 0);
    GError *problem = NULL;
    spec.argv = hidden;
    assert_false(run_process_run(&spec, &result, &problem));
    assert_error(problem, RUN_ERROR_JOB, "code under test has a /tmp of its own");
    unlink(hidden[0]);
    assert_true(run_scratch_remove(work, NULL));
}

static void test_gigabytes_of_output(void **state) {
    g_autofree char *log_path = g_build_filename(*state, "log", NULL);
    const char *paths[] = {NULL, log_path};
    for (size_t i = 0; i < 2; i++) {
        run_process_spec spec = {.log_path = paths[i]};
        run_process_result result;
        assert_true(run(&spec, "print", "200", &result, NULL));
        assert_int_equal(result.end, RUN_END_EXIT);
        assert_int_equal(result.log_bytes, 200 * 16 * 65536 + 8);
        assert_true(strlen(result.log) < 8300);
        assert_true(g_str_has_suffix(result.log, "the end\n"));
        run_process_result_clear(&result);
    }
}

static void test_file_size(void **state) {
    g_autofree char *path = g_build_filename(*state, "big", NULL);
    run_process_spec spec = {.file_limit_bytes = 1 << 20};
    run_process_result result;
    assert_true(run(&spec, "write", path, &result, NULL));
    assert_int_equal(result.end, RUN_END_SIGNAL);
    assert_int_equal(result.code, SIGXFSZ);
    run_process_result_clear(&result);
}

static void test_disk_watch(void **state) {
    g_autofree char *folder = g_build_filename(*state, "filled", NULL);
    assert_true(run_scratch_make(folder, NULL));
    run_process_spec spec = {.watch_directory = folder, .watch_limit_bytes = 5 << 20};
    run_process_result result;
    assert_true(run(&spec, "fill", folder, &result, NULL));
    assert_int_equal(result.end, RUN_END_DISK);
    assert_non_null(strstr(result.problem, "wrote more than 5 MB"));
    run_process_result_clear(&result);
    spec = (run_process_spec){.watch_directory = folder,
                              .watch_limit_bytes = UINT64_MAX,
                              .reserve_bytes = UINT64_MAX - 1};
    assert_true(run(&spec, "hang", NULL, &result, NULL));
    assert_int_equal(result.end, RUN_END_DISK);
    assert_non_null(strstr(result.problem, "disk full"));
    run_process_result_clear(&result);
}

#ifndef __SANITIZE_ADDRESS__
static void test_memory_limit(void **state) {
    (void)state;
    run_process_spec spec = {.memory_limit_bytes = 256 << 20};
    run_process_result result;
    assert_true(run(&spec, "allocate", "64", &result, NULL));
    assert_int_equal(result.code, 0);
    run_process_result_clear(&result);
    assert_true(run(&spec, "allocate", "512", &result, NULL));
    assert_int_equal(result.code, 12);
    run_process_result_clear(&result);
}
#endif

static bool count_to_two(void *data, GError **error) {
    int *count = data;
    if (++*count < 2)
        return true;
    g_set_error(error, RUN_ERROR, RUN_ERROR_LOST, "enough");
    return false;
}

static void test_tick_can_end_it(void **state) {
    (void)state;
    int count = 0;
    run_process_spec spec = {.tick = count_to_two, .tick_data = &count};
    run_process_result result;
    GError *problem = NULL;
    assert_false(run(&spec, "hang", NULL, &result, &problem));
    assert_error(problem, RUN_ERROR_LOST, "enough");
    assert_int_equal(count, 2);
}

static void test_stop_ends_it(void **state) {
    (void)state;
    GError *problem = NULL;
    int stop_fd = run_stop_open(&problem);
    assert_true(stop_fd >= 0);
    assert_false(run_stop_asked(stop_fd));
    raise(SIGTERM);
    assert_true(run_stop_asked(stop_fd));
    run_process_spec spec = {.stop_fd = stop_fd};
    run_process_result result;
    assert_false(run(&spec, "hang", NULL, &result, &problem));
    assert_error(problem, RUN_ERROR_STOPPED, "told to stop");
    close(stop_fd);
}

static void test_other_user(void **state) {
    (void)state;
    if (geteuid() != 0)
        skip();
    run_process_spec spec = {.switch_user = true, .uid = 65534, .gid = 65534};
    run_process_result result;
    assert_true(run(&spec, "tell", NULL, &result, NULL));
    assert_non_null(strstr(result.log, "uid 65534\n"));
    run_process_result_clear(&result);
}

/* Two lines of shell at the same time. */
static bool run_both(const char *first, const char *second, run_process_spec *spec,
                     run_process_result *result, GError **error) {
    const char *const words[2][4] = {{"/bin/sh", "-c", first, NULL},
                                     {"/bin/sh", "-c", second, NULL}};
    for (int i = 0; i < 2; i++) {
        spec[i].argv = (char **)(uintptr_t)words[i]; /* NOLINT(performance-no-int-to-ptr) */
        spec[i].environment = environment;
        spec[i].directory = "/";
        spec[i].log_limit_bytes = 8192;
        spec[i].timeout_s = spec[i].timeout_s != 0 ? spec[i].timeout_s : 30;
        spec[i].stop_fd = -1;
    }
    bool good = run_process_run_both(spec, result, error);
    expect_none_left();
    return good;
}

/* Each finds the other one running, in namespaces and without. */
static void test_both_at_the_same_time(void **state) {
    g_autofree char *first = g_strdup_printf("echo >%s/a; until [ -e %s/b ]; do :; done; echo one",
                                             (char *)*state, (char *)*state),
                    *second = g_strdup_printf(
                        "echo >%s/b; until [ -e %s/a ]; do :; done; echo two; exit 3",
                        (char *)*state, (char *)*state);
    for (int own_namespaces = 0; own_namespaces < (run_namespaces_refused() ? 1 : 2);
         own_namespaces++) {
        run_process_spec spec[2] = {{.own_namespaces = own_namespaces > 0},
                                    {.own_namespaces = own_namespaces > 0}};
        run_process_result result[2];
        assert_true(run_both(first, second, spec, result, NULL));
        assert_string_equal(result[0].log, "one\n");
        assert_string_equal(result[1].log, "two\n");
        assert_int_equal(result[0].code, 0);
        assert_int_equal(result[1].code, 3);
        for (int i = 0; i < 2; i++) {
            g_autofree char *made = g_strdup_printf("%s/%s", (char *)*state, i == 0 ? "a" : "b");
            assert_int_equal(result[i].end, RUN_END_EXIT);
            assert_int_equal(unlink(made), 0);
            run_process_result_clear(&result[i]);
        }
    }
}

/* The other one works on until that is ended, and longer. */
static void test_of_both_one_may_hang(void **state) {
    g_autofree char *ended = g_strdup_printf("%s/ended", (char *)*state),
                    *hang = g_strdup_printf(
                        "trap 'echo >%s; exit' TERM; while :; do sleep 0.1; done", ended),
                    *work =
                        g_strdup_printf("until [ -e %s ]; do sleep 0.1; done; echo done", ended);
    for (int which = 0; which < 2; which++) {
        run_process_spec spec[2] = {{.timeout_s = which == 0 ? 1 : 30},
                                    {.timeout_s = which == 1 ? 1 : 30}};
        run_process_result result[2];
        assert_true(
            run_both(which == 0 ? hang : work, which == 1 ? hang : work, spec, result, NULL));
        assert_int_equal(result[which].end, RUN_END_TIMEOUT);
        assert_int_equal(result[1 - which].end, RUN_END_EXIT);
        assert_string_equal(result[1 - which].log, "done\n");
        assert_int_equal(unlink(ended), 0);
        run_process_result_clear(&result[0]);
        run_process_result_clear(&result[1]);
    }
}

static bool refuse(void *data, GError **error) {
    (void)data;
    g_set_error(error, RUN_ERROR, RUN_ERROR_LOST, "somebody else's");
    return false;
}

/* Neither is left: when the second one is none, and when the agent must stop. */
static void test_both_end_with_us(void **state) {
    (void)state;
    GError *problem = NULL;
    run_process_result result[2];
    run_process_spec none[2] = {{.directory = "/"}, {.own_namespaces = false}};
    char missing[] = "/nonexistent/x", *argv[] = {missing, NULL};
    char sleeps[] = "/bin/sleep", long_s[] = "1000", *sleeping[] = {sleeps, long_s, NULL};
    for (int i = 0; i < 2; i++)
        none[i] = (run_process_spec){.argv = i == 0 ? sleeping : argv,
                                     .environment = environment,
                                     .directory = "/",
                                     .timeout_s = 30,
                                     .stop_fd = -1};
    assert_false(run_process_run_both(none, result, &problem));
    assert_error(problem, RUN_ERROR_JOB, "/nonexistent/x");
    run_process_spec told[2] = {{.tick = refuse}, {.tick = NULL}};
    problem = NULL;
    assert_false(run_both("sleep 1000", "sleep 1000", told, result, &problem));
    assert_error(problem, RUN_ERROR_LOST, "somebody else's");
    expect_none_left();
}

static int set_up(void **state) {
    return make_test_folder(state) == 0 && run_descendants_adopt(NULL) ? 0 : -1;
}

/* <folder>/a/{tool, text, folder/} and <folder>/b/{tool, other} */
static void make_files(const char *folder) {
    const struct {
        const char *name;
        mode_t mode;
    } files[] = {{"a/tool", 0700}, {"a/text", 0600}, {"b/tool", 0700}, {"b/other", 0700}};
    g_autofree char *a_folder = g_build_filename(folder, "a", "folder", NULL);
    g_autofree char *b = g_build_filename(folder, "b", NULL);
    assert_int_equal(g_mkdir_with_parents(a_folder, 0700), 0);
    assert_int_equal(g_mkdir_with_parents(b, 0700), 0);
    for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *path = g_build_filename(folder, files[i].name, NULL);
        assert_true(g_file_set_contents(path, "", -1, NULL));
        assert_int_equal(chmod(path, files[i].mode), 0);
    }
}

static void test_as_execvp_would(void **state) {
    const char *folder = *state;
    make_files(folder);
    const struct {
        const char *name, *found; /* below folder; NULL: nothing */
    } cases[] = {{"tool", "a/tool"},
                 {"other", "b/other"},
                 {"text", NULL},
                 {"folder", NULL},
                 {"missing", NULL},
                 {"./tool", "a/./tool"},
                 {"./text", "a/./text"},
                 {"./folder", NULL},
                 {"../b/other", "a/../b/other"},
                 {"", NULL}};
    g_autofree char *directory = g_build_filename(folder, "a", NULL);
    g_autofree char *path = g_strdup_printf("PATH=relative::%s/a:%s/b", folder, folder);
    char own[] = "OWN=1", decoy[] = "PATHS=/nonexistent";
    char *variables[] = {own, decoy, path, NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *found = run_program_find(cases[i].name, directory, variables);
        g_autofree char *expected =
            cases[i].found ? g_build_filename(folder, cases[i].found, NULL) : NULL;
        if (g_strcmp0(found, expected) != 0)
            fail_msg("%s is %s", cases[i].name, found ? found : "nothing");
    }
    g_autofree char *absolute = g_build_filename(folder, "b", "other", NULL);
    g_autofree char *found = run_program_find(absolute, directory, variables);
    assert_string_equal(found, absolute);
}

static void test_without_a_path(void **state) {
    (void)state;
    char *variables[] = {NULL};
    g_autofree char *shell = run_program_find("sh", "/", variables);
    assert_non_null(shell);
    assert_true(g_str_has_suffix(shell, "/bin/sh"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_cannot_start),
        cmocka_unit_test(test_sees_nothing_of_ours),
        cmocka_unit_test(test_deadline),
        cmocka_unit_test(test_daemon_dies_too),
        cmocka_unit_test(test_swarm_dies_too),
        cmocka_unit_test(test_hopping_process_is_caught),
        cmocka_unit_test(test_forked_into_control_group),
        cmocka_unit_test(test_control_group),
        cmocka_unit_test(test_namespaces_ends_are_told_as_they_were),
        cmocka_unit_test(test_namespaces_leaves_nothing),
        cmocka_unit_test(test_namespaces_sees_and_reaches_nobody),
        cmocka_unit_test(test_namespaces_deadline_and_start),
        cmocka_unit_test(test_namespaces_shared_memory_goes_too),
        cmocka_unit_test(test_private_places_hide_what_starts_others),
        cmocka_unit_test(test_gigabytes_of_output),
        cmocka_unit_test(test_file_size),
        cmocka_unit_test(test_disk_watch),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(test_memory_limit),
#endif
        cmocka_unit_test(test_tick_can_end_it),
        cmocka_unit_test(test_other_user),
        cmocka_unit_test(test_both_at_the_same_time),
        cmocka_unit_test(test_of_both_one_may_hang),
        cmocka_unit_test(test_both_end_with_us),
        cmocka_unit_test(test_stop_ends_it),
    };
    const struct CMUnitTest program_tests[] = {
        cmocka_unit_test(test_as_execvp_would),
        cmocka_unit_test(test_without_a_path),
    };
    const int failed = cmocka_run_group_tests(tests, set_up, remove_test_folder);
    return failed + cmocka_run_group_tests(program_tests, make_test_folder, remove_test_folder);
}
