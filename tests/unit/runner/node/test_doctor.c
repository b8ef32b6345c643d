#include "tests/unit/runner/node_folder.h"

#include "runner/node/doctor.h"

#include <string.h>

static char housekeeping[] = "0", user[] = "bench", governor[] = "governor";

static void examine(run_doctor *doctor, cfg_runner *config, const char *root) {
    run_node node = {.config = config};
    CPU_ZERO(&node.benchmark_cpus);
    put_node(root);
    run_doctor_examine(doctor, &node, root, 0);
}

static void test_tells(void **state) {
    cfg_runner config = {.idle_cpu_percent = 1e9, .disturbed_steal_percent = 100};
    run_doctor doctor;
    examine(&doctor, &config, *state);
    g_autofree char *text = run_doctor_tell(&doctor);
    const char *says[] = {
        "  cpu             Xeon  X\n",
        "  governor   can be set ",
        "  irq        needs housekeeping_cpus ",
        "  ksm        already set ",
        "  watchdog   absent ",
        "  - gate_wait_seconds: 600",
        "  control group   no version 2 hierarchy: only per-process limits apply\n",
        "  - tuning: [aslr, ",
        ", governor, ",
        "Verdict: this node is ready to measure",
        "  disk limit      measured every few seconds, not enforced by the kernel: ",
        "  /tmp            shared, without run_as_user\n",
        "  - run_as_user:"};
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        if (!strstr(text, says[i]))
            fail_msg("\"%s\" is missing in\n%s", says[i], text);
    assert_null(strstr(text, "virtual machine"));
    run_doctor_clear(&doctor);
}

static void test_tells_what_a_virtual_machine_and_old_control_groups_mean(void **state) {
    cfg_runner config = {.idle_cpu_percent = 1e9, .disturbed_steal_percent = 100};
    g_autofree char *root = g_build_filename(*state, "virtual", NULL);
    run_node node = {.config = &config};
    run_doctor doctor;
    put_node(root);
    put_file(root, "/proc/cpuinfo", "model name\t: X\nflags\t\t: fpu hypervisor sse\n");
    put_file(root, "/proc/self/mountinfo", "30 1 0:1 / /cg rw shared:9 - cgroup2 cgroup2 rw\n");
    put_file(root, "/cg/cgroup.controllers", "hugetlb\n");
    put_file(root, "/proc/cgroups", "#subsys_name\thierarchy\tnum\tenabled\ncpuset\t3\t1\t1\n");
    run_doctor_examine(&doctor, &node, root, 0);
    g_autofree char *text = run_doctor_tell(&doctor);
    assert_non_null(strstr(text, " bound to version 1"));
    assert_non_null(strstr(text, "this is a virtual machine: "));
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (size_t i = 0; lines[i]; i++) /* read in a terminal, but for lines to copy */
        assert_true(strlen(lines[i]) <= 120 || g_str_has_prefix(lines[i], "  - "));
    run_doctor_clear(&doctor);
    put_file(root, "/proc/cgroups", "cpuset\t0\t1\t1\n");
    run_doctor_examine(&doctor, &node, root, 0);
    assert_string_equal(doctor.cgroup,
                        "version 2 without cpuset, pids and memory: it can only count and kill");
    run_doctor_clear(&doctor);
}

static void test_does_not_advise_what_is_done(void **state) {
    char *tuning[] = {governor};
    cfg_runner config = {.idle_cpu_percent = 1e9,
                         .disturbed_steal_percent = 100,
                         .gate_wait_s = 600,
                         .disturbed_repeats = 3,
                         .housekeeping_cpus = housekeeping,
                         .run_as_user = user,
                         .tuning = tuning,
                         .tuning_count = 1};
    run_doctor doctor;
    examine(&doctor, &config, *state);
    for (guint i = 0; i < doctor.advice->len; i++) {
        const char *advice = doctor.advice->pdata[i];
        if (!g_str_has_prefix(advice, "tuning: [") || strstr(advice, "governor") == NULL)
            fail_msg("%s", advice);
    }
    run_doctor_clear(&doctor);
}

static void test_says_who_is_in_the_way(void **state) {
    cfg_runner config = {.idle_cpu_percent = -1, .disturbed_steal_percent = -1};
    run_doctor doctor;
    examine(&doctor, &config, *state);
    g_autofree char *text = run_doctor_tell(&doctor);
    assert_non_null(strstr(text, "Verdict: this node is not ready to measure\n  - others use "));
    assert_non_null(strstr(text, " -1 % are allowed (idle_cpu_percent)\n"));
    assert_non_null(strstr(text, "to another machine; busiest now: "));
    assert_non_null(strstr(text, "use another machine"));
    run_doctor_clear(&doctor);
}

static void test_changes_nothing(void **state) {
    cfg_runner config = {.idle_cpu_percent = 1e9, .disturbed_steal_percent = 100};
    run_doctor doctor;
    examine(&doctor, &config, *state);
    run_doctor_clear(&doctor);
    expect_file(*state, CPU_DIR "cpu0/cpufreq/scaling_governor", "powersave");
    expect_file(*state, CPU_DIR "intel_pstate/no_turbo", "0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tells),
        cmocka_unit_test(test_tells_what_a_virtual_machine_and_old_control_groups_mean),
        cmocka_unit_test(test_does_not_advise_what_is_done),
        cmocka_unit_test(test_says_who_is_in_the_way), cmocka_unit_test(test_changes_nothing)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
