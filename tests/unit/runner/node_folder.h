#pragma once
/* A folder that looks like a node's /proc and /sys, for what reads and sets them. */
#include "tests/unit/runner/test.h"

static inline void put_file(const char *root, const char *path, const char *text) {
    g_autofree char *whole = g_strconcat(root, path, NULL);
    g_autofree char *folder = g_path_get_dirname(whole);
    assert_int_equal(g_mkdir_with_parents(folder, 0700), 0);
    assert_true(g_file_set_contents(whole, text, -1, NULL));
}

static inline void expect_file(const char *root, const char *path, const char *text) {
    g_autofree char *whole = g_strconcat(root, path, NULL);
    g_autofree char *found = NULL;
    assert_true(g_file_get_contents(whole, &found, NULL, NULL));
    assert_string_equal(g_strstrip(found), text);
}

#define CPU_DIR "/sys/devices/system/cpu/"

static inline void put_node(const char *root) {
    put_file(root, "/proc/sys/kernel/random/boot_id", "boot-1\n");
    put_file(root, CPU_DIR "cpu0/cpufreq/scaling_governor", "powersave\n");
    put_file(root, CPU_DIR "cpu1/cpufreq/scaling_governor", "schedutil\n");
    put_file(root, CPU_DIR "intel_pstate/no_turbo", "0\n");
    put_file(root, CPU_DIR "smt/control", "notsupported\n");
    put_file(root, CPU_DIR "vulnerabilities/meltdown", "Mitigation: PTI\n");
    put_file(root, CPU_DIR "vulnerabilities/l1tf", "Not affected\n");
    put_file(root, CPU_DIR "vulnerabilities/mds", "Vulnerable\n");
    put_file(root, "/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    put_file(root, "/sys/kernel/mm/ksm/run", "0\n");
    put_file(root, "/proc/irq/7/smp_affinity_list", "0-3\n");
    put_file(root, "/proc/cpuinfo",
             "processor\t: 0\nmodel name\t: Xeon  X\nphysical id\t: 0\nmicrocode\t: 0x2a\n\n"
             "processor\t: 1\nmodel name\t: other\nphysical id\t: 1\n");
    put_file(root, "/proc/meminfo", "MemTotal:       16384000 kB\n");
    put_file(root, "/proc/cmdline", "quiet isolcpus=1\n");
}
