#pragma once
/*
 * procfs - numbers out of the kernel's text files. All take the text, so that all can be tested.
 */
#include <errno.h>
#include <glib.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

/* run_procfs_read - a whole small file, or NULL; g_free. */
char *run_procfs_read(const char *path);

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

/* run_procfs_field - number behind "name:" or "name " at the start of a line; 0 if none. */
int64_t run_procfs_field(const char *text, const char *name);

/* run_procfs_interrupts - sum of the columns of these processors in /proc/interrupts. */
uint64_t run_procfs_interrupts(const char *text, const cpu_set_t *cpus);

/* run_procfs_disk_sectors - read and written by whole disks, /proc/diskstats (512 bytes each). */
uint64_t run_procfs_disk_sectors(const char *text);

/* run_procfs_network_bytes - received and sent, all interfaces but lo, /proc/net/dev. */
uint64_t run_procfs_network_bytes(const char *text);

/*
 * cpus - sets of processors, as people and the kernel write them: "0-3,8".
 */

/* run_cpus_parse - fills set. False with RUN_ERROR_JOB when the text is not such a list. */
bool run_cpus_parse(const char *text, cpu_set_t *set, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_cpus_format - the shortest such list; "" for none. Returns a string to g_free. */
char *run_cpus_format(const cpu_set_t *set);

/* run_cpus_allowed - where this process may run now; all, when the kernel does not say. */
void run_cpus_allowed(cpu_set_t *set);

/* run_procfs_write - in one write, as the kernel takes or refuses such a file. False with errno. */
bool run_procfs_write(const char *path, const char *text);

/* fd - an open file, closed where its block ends; errno stays. As a variable: g_auto(run_fd). */
typedef int run_fd;
static inline void run_fd_clear(const run_fd *fd) {
    const int code = errno;
    if (*fd >= 0)
        close(*fd);
    errno = code;
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(run_fd, run_fd_clear)
