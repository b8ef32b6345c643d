#include "tests/unit/runner/node_folder.h"

#include "runner/node/tuning.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char governor[] = "governor", turbo[] = "turbo", thp[] = "thp", ksm[] = "ksm", irq[] = "irq",
            aslr[] = "aslr", smt[] = "smt", watchdog[] = "watchdog";
static char *names[] = {governor, turbo, thp, ksm, irq, aslr, smt, watchdog};
#define NAMES (unsigned)(sizeof names / sizeof *names)

static run_tuning_place place_in(const char *root, char *restore_path) {
    return (run_tuning_place){.root = root, .restore_path = restore_path, .housekeeping = "0"};
}

static void expect_untouched(const char *root) {
    expect_file(root, CPU_DIR "cpu0/cpufreq/scaling_governor", "powersave");
    expect_file(root, CPU_DIR "cpu1/cpufreq/scaling_governor", "schedutil");
    expect_file(root, CPU_DIR "intel_pstate/no_turbo", "0");
    expect_file(root, "/proc/irq/7/smp_affinity_list", "0-3");
}

static void expect_tuned(const char *root) {
    expect_file(root, CPU_DIR "cpu0/cpufreq/scaling_governor", "performance");
    expect_file(root, CPU_DIR "cpu1/cpufreq/scaling_governor", "performance");
    expect_file(root, CPU_DIR "intel_pstate/no_turbo", "1");
    expect_file(root, "/sys/kernel/mm/transparent_hugepage/enabled", "never");
    expect_file(root, "/proc/irq/7/smp_affinity_list", "0");
}

static const char *outcome(const run_tuning *tuning, const char *name) {
    return json_string_value(json_object_get(run_tuning_outcome(tuning), name));
}

static void test_set_and_restored(void **state) {
    g_autofree char *path = g_build_filename(*state, "restore.json", NULL);
    put_node(*state);
    run_tuning_place place = place_in(*state, path);
    run_tuning *tuning = run_tuning_apply(&place, names, NAMES, NULL);
    assert_non_null(tuning);
    expect_tuned(*state);
    assert_string_equal(outcome(tuning, "governor"), "set");
    assert_string_equal(outcome(tuning, "ksm"), "already set");
    assert_string_equal(outcome(tuning, "smt"), "absent");
    assert_string_equal(outcome(tuning, "watchdog"), "absent");
    assert_true(run_tuning_fixed_addresses(tuning));
    g_autofree char *effective = run_tuning_effective(tuning);
    assert_string_equal(effective, "aslr,governor,irq,ksm,thp,turbo");
    assert_true(g_file_test(path, G_FILE_TEST_EXISTS));
    run_tuning_end(tuning);
    expect_untouched(*state);
    expect_file(*state, "/sys/kernel/mm/transparent_hugepage/enabled", "madvise");
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

/* Killed while tuned: the process forgets, the file does not. */
static void test_recovered_after_a_kill(void **state) {
    g_autofree char *path = g_build_filename(*state, "restore.json", NULL);
    put_node(*state);
    run_tuning_place place = place_in(*state, path);
    pid_t pid = fork();
    if (pid == 0) {
        run_tuning *tuning = run_tuning_apply(&place, names, NAMES, NULL);
        _exit(tuning ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    expect_tuned(*state);
    assert_int_equal(run_tuning_recover(&place), 5);
    expect_untouched(*state);
    assert_int_equal(run_tuning_recover(&place), 0);
}

/* After a boot the kernel has its own values again: ours are old. */
static void test_not_recovered_after_a_boot(void **state) {
    g_autofree char *path = g_build_filename(*state, "restore.json", NULL);
    put_node(*state);
    run_tuning_place place = place_in(*state, path);
    pid_t pid = fork();
    if (pid == 0) {
        run_tuning *tuning = run_tuning_apply(&place, names, NAMES, NULL);
        _exit(tuning ? 0 : 1);
    }
    waitpid(pid, NULL, 0);
    put_file(*state, "/proc/sys/kernel/random/boot_id", "boot-2\n");
    put_file(*state, CPU_DIR "cpu0/cpufreq/scaling_governor", "ondemand\n");
    assert_int_equal(run_tuning_recover(&place), 0);
    expect_file(*state, CPU_DIR "cpu0/cpufreq/scaling_governor", "ondemand");
    assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
}

static void test_restore_file_writes_nothing_else(void **state) {
    g_autofree char *path = g_build_filename(*state, "restore.json", NULL);
    put_node(*state);
    put_file(*state, "/etc/passwd", "root\n");
    put_file(*state, "/restore.json",
             "{\"boot_id\":\"boot-1\",\"values\":[{\"path\":\"/etc/passwd\",\"value\":\"x\"},"
             "{\"path\":\"/sys/../etc/passwd\",\"value\":\"x\"},{\"path\":7},\"y\"]}");
    run_tuning_place place = place_in(*state, path);
    assert_int_equal(run_tuning_recover(&place), 0);
    expect_file(*state, "/etc/passwd", "root");
}

static void test_refused(void **state) {
    if (geteuid() == 0)
        skip(); /* nothing is refused to root in a folder */
    g_autofree char *path = g_build_filename(*state, "restore.json", NULL);
    g_autofree char *file = g_strconcat(*state, CPU_DIR "intel_pstate/no_turbo", NULL);
    put_node(*state);
    assert_int_equal(chmod(file, 0400), 0);
    run_tuning_place place = place_in(*state, path);
    char *one[] = {turbo};
    run_tuning *tuning = run_tuning_apply(&place, one, 1, NULL);
    assert_true(g_str_has_prefix(outcome(tuning, "turbo"), "refused: "));
    g_autofree char *effective = run_tuning_effective(tuning);
    assert_string_equal(effective, "");
    run_tuning_end(tuning);
}

static void test_errors(void **state) {
    GError *problem = NULL;
    put_node(*state);
    char unknown[] = "overclock";
    char *one[] = {unknown};
    char nowhere[] = "/nonexistent/restore.json";
    run_tuning_place place = place_in(*state, nowhere);
    assert_false(run_tuning_check(one, 1, &problem));
    assert_error(problem, RUN_ERROR_JOB,
                 "unknown knob \"overclock\"; known are aslr, cstates, governor");
    assert_null(run_tuning_apply(&place, names, NAMES, &problem));
    assert_error(problem, RUN_ERROR_NODE, "/nonexistent/restore.json");
    expect_untouched(*state);
}

static void test_no_knobs(void **state) {
    char nowhere[] = "/nonexistent/restore.json";
    run_tuning_place place = place_in(*state, nowhere);
    run_tuning *tuning = run_tuning_apply(&place, NULL, 0, NULL);
    assert_non_null(tuning);
    run_tuning_end(tuning);
    for (size_t i = 0; run_tuning_names[i]; i++)
        assert_non_null(run_tuning_explain(run_tuning_names[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_and_restored),
        cmocka_unit_test(test_recovered_after_a_kill),
        cmocka_unit_test(test_not_recovered_after_a_boot),
        cmocka_unit_test(test_restore_file_writes_nothing_else),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_no_knobs),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
