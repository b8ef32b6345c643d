#include "tests/unit/runner/test.h"

#include "runner/ground/procfs.h"

static void test_stat(void **state) {
    (void)state;
    const struct {
        const char *text;
        run_procfs_stat expected;
    } cases[] = {
        {"cpu  100 20 30 4000 500 6 7 8 90 0\ncpu0 1 2 3\nintr 77 0 1\nctxt 88\nprocs_running 3\n",
         {.busy_ticks = 171, .steal_ticks = 8, .interrupts = 77, .switches = 88, .running = 3}},
        {"cpu  100 20 30 4000\n", {.busy_ticks = 150}}, /* Linux 2.4 had only four */
        {"cpu  100 20\n", {0}},
        {"nonsense", {0}},
        {"", {0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_procfs_stat out;
        bool good = run_procfs_parse_stat(cases[i].text, &out);
        assert_int_equal(good, cases[i].expected.busy_ticks > 0);
        assert_memory_equal(&out, &cases[i].expected, sizeof out);
    }
    run_procfs_stat none;
    assert_false(run_procfs_parse_stat(NULL, &none));
}

static void test_field(void **state) {
    (void)state;
    const char text[] = "MemTotal:  1000 kB\nMemFree:\t500 kB\nEmpty:\nMemAvailable: 700 kB";
    assert_int_equal(run_procfs_field(text, "MemTotal"), 1000);
    assert_int_equal(run_procfs_field(text, "MemFree"), 500);
    assert_int_equal(run_procfs_field(text, "MemAvailable"), 700);
    assert_int_equal(run_procfs_field(text, "Mem"), 0);
    assert_int_equal(run_procfs_field(text, "Empty"), 0);
    assert_int_equal(run_procfs_field("", "x"), 0);
}

static void test_interrupts(void **state) {
    (void)state;
    const char text[] = "           CPU0       CPU2       CPU3       \n"
                        " 24:          1         10        100   IO-APIC   5-edge  10 acpi\n"
                        "NMI:          2         20        200   Non-maskable interrupts\n"
                        "ERR:          4\n";
    const struct {
        const char *cpus;
        uint64_t expected;
    } cases[] = {{"0", 7}, {"2", 30}, {"0-3", 337}, {"1", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cpu_set_t set;
        CPU_ZERO(&set);
        for (size_t cpu = 0; cpu < 4; cpu++) {
            size_t first = (size_t)(cases[i].cpus[0] - '0');
            size_t last = cases[i].cpus[1] == '-' ? 3 : first;
            if (cpu >= first && cpu <= last)
                CPU_SET(cpu, &set);
        }
        assert_int_equal(run_procfs_interrupts(text, &set), cases[i].expected);
    }
}

static void test_disks(void **state) {
    (void)state;
    const char text[] = "   7       0 loop0 1 1 1000 1 1 1 1000 1 0 1 1\n"
                        "   8       0 sda 1 1 10 1 1 1 20 1 0 1 1\n"
                        "   8       1 sda1 1 1 10 1 1 1 20 1 0 1 1\n"
                        " 259       0 nvme0n1 1 1 100 1 1 1 200 1 0 1 1\n"
                        " 259       1 nvme0n1p1 1 1 100 1 1 1 200 1 0 1 1\n"
                        " 254       0 vda 1 1 5 1 1 1 6 1 0 1 1\n"
                        " 253       0 dm-0 1 1 5 1 1 1 6 1 0 1 1\n";
    assert_int_equal(run_procfs_disk_sectors(text), 30 + 300 + 11);
    assert_int_equal(run_procfs_disk_sectors(""), 0);
}

static void test_network(void **state) {
    (void)state;
    const char text[] = "Inter-|   Receive                   |  Transmit\n"
                        " face |bytes    packets errs |bytes    packets\n"
                        "    lo: 1000 1 0 0 0 0 0 0 1000 1 0 0 0 0 0 0\n"
                        "  eth0: 70 1 0 0 0 0 0 0 7 1 0 0 0 0 0 0\n"
                        "wlan0:300 1 0 0 0 0 0 0 30 1 0 0 0 0 0 0\n";
    assert_int_equal(run_procfs_network_bytes(text), 407);
}

static void test_lists(void **state) {
    (void)state;
    const struct {
        const char *text, *shortest; /* NULL: refused */
    } cases[] = {
        {"0", "0"},       {"0-3", "0-3"}, {"3,1,2", "1-3"}, {"2,4-7,5", "2,4-7"},
        {"1023", "1023"}, {"5-5", "5"},   {"", NULL},       {"1024", NULL},
        {"3-1", NULL},    {"1,", NULL},   {",1", NULL},     {"1 2", NULL},
        {"a", NULL},      {"-1", NULL},   {"1-", NULL},     {"99999999999999999999", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cpu_set_t set;
        GError *problem = NULL;
        bool good = run_cpus_parse(cases[i].text, &set, &problem);
        assert_int_equal(good, cases[i].shortest != NULL);
        if (good) {
            g_autofree char *text = run_cpus_format(&set);
            assert_string_equal(text, cases[i].shortest);
        } else {
            assert_error(problem, RUN_ERROR_JOB, "a list such as");
        }
    }
}

static void test_allowed_is_not_empty(void **state) {
    (void)state;
    cpu_set_t set;
    CPU_ZERO(&set);
    run_cpus_allowed(&set);
    assert_true(CPU_COUNT(&set) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stat),
        cmocka_unit_test(test_field),
        cmocka_unit_test(test_interrupts),
        cmocka_unit_test(test_disks),
        cmocka_unit_test(test_network),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_allowed_is_not_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
