#include "tests/unit/runner/node_folder.h"

#include "runner/ground/procfs.h"
#include "runner/process/process.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const run_cgroup_limits limits = {.process_limit = 64, .memory_limit_bytes = 1 << 30};

/* A folder as the kernel would show it to an agent that is alone in a delegated group. */
static void put_hierarchy(const char *root, const char *own, const char *processes) {
    const char *files[] = {
        "cgroup.controllers",          "cgroup.subtree_control",     "cgroup.procs",
        "moowatch-job-x/cgroup.procs", "moowatch-job-x/cgroup.kill", "moowatch-job-x/pids.max",
        "moowatch-job-x/memory.max",   "moowatch-job-x/cpuset.cpus", "moowatch-agent/cgroup.procs"};
    put_file(root, "/proc/self/mountinfo",
             "24 30 0:22 / /proc rw - proc proc rw\n"
             "31 24 0:27 / /mnt rw,nosuid shared:9 - cgroup2 cgroup2 rw\n");
    g_autofree char *line = g_strdup_printf("1:cpu:/\n0::%s\n", own);
    put_file(root, "/proc/self/cgroup", line);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        g_autofree char *path = g_build_filename("/mnt/unit", files[i], NULL);
        put_file(root, path, i == 0 ? "cpuset cpu pids\n" : "");
    }
    put_file(root, "/mnt/unit/cgroup.procs", processes);
}

static void test_alone_takes_controllers(void **state) {
    const char *owns[] = {"/unit", "/unit/moowatch-agent"};
    for (size_t i = 0; i < 2; i++) {
        g_autofree char *self = g_strdup_printf("%d\n", (int)getpid());
        put_hierarchy(*state, owns[i], i == 0 ? self : "");
        g_autofree char *why = NULL;
        g_autoptr(run_cgroup) group = run_cgroup_open(*state, "x", &limits, &why);
        assert_non_null(group);
        assert_string_equal(run_cgroup_controllers(group), "cpuset pids");
        expect_file(*state, "/mnt/unit/moowatch-agent/cgroup.procs", "0");
        expect_file(*state, "/mnt/unit/moowatch-job-x/pids.max", "64");
        expect_file(*state, "/mnt/unit/moowatch-job-x/memory.max", "");   /* not delegated */
        expect_file(*state, "/mnt/unit/moowatch-job-x/cgroup.kill", "1"); /* of an earlier start */
        cpu_set_t cpus;
        assert_true(run_cpus_parse("1-2", &cpus, NULL));
        assert_true(run_cgroup_cpus(group, &cpus));
        expect_file(*state, "/mnt/unit/moowatch-job-x/cpuset.cpus", "1-2");
        /* This is no group for the kernel: the child enters it as before Linux 5.7. */
        pid_t pid = run_cgroup_fork(group, 0);
        if (pid == 0)
            _exit(0);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        expect_file(*state, "/mnt/unit/moowatch-job-x/cgroup.procs", "0");
        put_file(*state, "/mnt/unit/moowatch-job-x/cgroup.procs", "5\n6\n");
        assert_int_equal(run_cgroup_kill(group), 2);
    }
}

/* Not only "killed by signal 9": whose limit it was. */
static void test_spent_memory_is_named(void **state) {
    static const struct {
        const char *script, *says;
    } cases[] = {
        {"printf 'low 0\noom 9\noom_kill 3\n' >\"$0\"; kill -9 $$",
         "killed by signal 9 (Killed) after 0.0 s; its processes needed more than "
         "memory_limit_bytes"},
        {"printf 'oom 9\noom_kill 4\n' >\"$0\"; exit 137",
         "exit status 137 after 0.0 s; its processes needed more than memory_limit_bytes"},
        {"exit 137", "exit status 137 after 0.0 s"}, /* of an earlier one's */
    };
    g_autofree char *why = NULL;
    put_hierarchy(*state, "/unit", "");
    g_autofree char *events =
        g_build_filename(*state, "/mnt/unit/moowatch-job-x/memory.events", NULL);
    g_autoptr(run_cgroup) group = run_cgroup_open(*state, "x", &limits, &why);
    assert_int_equal(run_cgroup_memory_kills(group), 0);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char script[200];
        g_strlcpy(script, cases[i].script, sizeof script);
        char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, script, events, NULL};
        const run_process_spec spec = {.argv = argv,
                                       .environment = (char *[]){NULL},
                                       .directory = *state,
                                       .log_limit_bytes = 100,
                                       .cgroup = group,
                                       .stop_fd = -1,
                                       .timeout_s = 60};
        run_process_result result;
        assert_true(run_process_run(&spec, &result, NULL));
        result.seconds = 0;
        g_autofree char *said = run_process_describe(&result);
        assert_string_equal(said, cases[i].says);
        run_process_result_clear(&result);
    }
}

static void test_shared_group_is_left_alone(void **state) {
    put_hierarchy(*state, "/unit", "1\n4711\n");
    g_autofree char *why = NULL;
    g_autoptr(run_cgroup) group = run_cgroup_open(*state, "x", &limits, &why);
    assert_non_null(group);
    assert_string_equal(run_cgroup_controllers(group), "");
    expect_file(*state, "/mnt/unit/cgroup.subtree_control", "");
    expect_file(*state, "/mnt/unit/moowatch-agent/cgroup.procs", "");
    cpu_set_t cpus;
    assert_true(run_cpus_parse("0", &cpus, NULL));
    assert_false(run_cgroup_cpus(group, &cpus));
}

/* This process' own group of the real hierarchy, where groups can be made; NULL: none such. */
static char *real_group(void) {
    g_autofree char *text = NULL;
    static const char *const mounts[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
    g_file_get_contents("/proc/self/cgroup", &text, NULL, NULL);
    const char *line = text ? strstr(text, "0::/") : NULL;
    for (size_t i = 0; line && i < 2; i++) {
        g_autofree char *below = g_strndup(line + 3, strcspn(line + 3, "\n"));
        g_autofree char *own = g_build_filename(mounts[i], below, NULL);
        g_autofree char *procs = g_build_filename(own, "cgroup.procs", NULL);
        if (access(procs, W_OK) == 0 && access(own, W_OK) == 0)
            return g_steal_pointer(&own);
    }
    return NULL;
}

/* In the kernel's own hierarchy: a killed agent's empty group goes, a living one's stays. */
static void test_leftovers_are_removed(void **state) {
    (void)state;
    g_autofree char *own = real_group();
    g_autofree char *why = NULL, *first = g_strdup_printf("first-%d", (int)getpid());
    g_autofree char *second = g_strdup_printf("second-%d", (int)getpid());
    g_autofree char *left = g_strdup_printf("%s/moowatch-job-left-%d", own, (int)getpid());
    g_autofree char *living = g_strdup_printf("%s/moowatch-job-%s", own, first);
    if (!own || mkdir(left, 0755) != 0)
        skip();
    g_autoptr(run_cgroup) one = run_cgroup_open("", first, &limits, &why);
    assert_non_null(one);
    assert_false(g_file_test(left, G_FILE_TEST_EXISTS));
    run_cgroup *two = run_cgroup_open("", second, &limits, &why);
    assert_non_null(two);
    assert_true(g_file_test(living, G_FILE_TEST_EXISTS));
    run_cgroup_free(two);
}

static void test_offered(void **state) {
    put_file(*state, "/proc/self/mountinfo", "31 24 0:27 / /mnt rw - cgroup2 cgroup2 rw\n");
    put_file(*state, "/mnt/cgroup.controllers", "cpuset cpu io memory hugetlb\n");
    g_autofree char *some = run_cgroup_offered(*state);
    assert_string_equal(some, "cpuset memory");
    put_file(*state, "/mnt/cgroup.controllers", "");
    g_autofree char *nothing = run_cgroup_offered(*state);
    assert_string_equal(nothing, "");
    put_file(*state, "/proc/self/mountinfo", "");
    assert_null(run_cgroup_offered(*state));
}

static void test_none(void **state) {
    const struct {
        const char *mountinfo, *own, *says;
    } cases[] = {{"24 30 0:22 / /proc rw - proc proc rw\n", "0::/unit\n", "no version 2"},
                 {"31 24 0:27 / /mnt rw - cgroup2 cgroup2 rw\n", "1:cpu:/\n", "no version 2"},
                 {"31 24 0:27 / /mnt rw - cgroup2 cgroup2 rw\n", "0::/../x\n", "no version 2"},
                 {"31 24 0:27 / /mnt rw - cgroup2 cgroup2 rw\n", "0::/gone\n", "/mnt/gone: "},
                 {"", "", "no version 2"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_file(*state, "/proc/self/mountinfo", cases[i].mountinfo);
        put_file(*state, "/proc/self/cgroup", cases[i].own);
        g_autofree char *why = NULL;
        assert_null(run_cgroup_open(*state, "x", &limits, &why));
        assert_non_null(strstr(why, cases[i].says));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_alone_takes_controllers),
                                       cmocka_unit_test(test_spent_memory_is_named),
                                       cmocka_unit_test(test_shared_group_is_left_alone),
                                       cmocka_unit_test(test_leftovers_are_removed),
                                       cmocka_unit_test(test_offered),
                                       cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
