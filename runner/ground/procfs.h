#pragma once
/*
 * procfs - numbers out of the kernel's text files. All take the text, so that all can be tested.
 */
#include <glib.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

/* run_procfs_read - a whole small file, or NULL; g_free. */
char *run_procfs_read(const char *path);

/* run_procfs_number - the first whole number of a file, or fallback. */
int64_t run_procfs_number(const char *path, int64_t fallback);

/* What /proc/stat counts since boot. Times are ticks, all processors together. */
typedef struct {
    uint64_t busy_ticks;  /* user, nice, system, irq, softirq and steal */
    uint64_t steal_ticks; /* of these, taken by the hypervisor */
    uint64_t switches;    /* context switches */
    uint64_t interrupts;
    uint64_t running; /* threads that run or could, now; the reader is one of them */
} run_procfs_stat;

/* run_procfs_parse_stat - false when the text is not understood; then out is all zero. */
bool run_procfs_parse_stat(const char *text, run_procfs_stat *out);

/* run_procfs_pressure_us - "total=" of the "some" line of a /proc/pressure file; 0 if none. */
uint64_t run_procfs_pressure_us(const char *text);

/* run_procfs_field - number behind "name:" or "name " at the start of a line; fallback if none. */
int64_t run_procfs_field(const char *text, const char *name, int64_t fallback);

/* run_procfs_interrupts - sum of the columns of these processors in /proc/interrupts. */
uint64_t run_procfs_interrupts(const char *text, const cpu_set_t *cpus);

/* run_procfs_disk_sectors - read and written by whole disks, /proc/diskstats (512 bytes each). */
uint64_t run_procfs_disk_sectors(const char *text);

/* run_procfs_network_bytes - received and sent, all interfaces but lo, /proc/net/dev. */
uint64_t run_procfs_network_bytes(const char *text);
