#include "runner/process/sandbox.h"

#include "runner/ground/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <net/if.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- system calls ---- */

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#define FOREIGN_BIT 0x40000000u /* x32: other numbers for the same calls */
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#define FOREIGN_BIT 0u
#else
#define ARCH 0u /* not known: no filter */
#define FOREIGN_BIT 0u
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))

/* Low word of an argument; both architectures are little-endian. */
#define LOAD_ARGUMENT(n)                                                                           \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (n))
#define ANSWER(code) BPF_STMT(BPF_RET | BPF_K, code)
#define FAIL_WITH(code) ANSWER(SECCOMP_RET_ERRNO | (code))
#define UNLESS(number, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, skip)
#define DENY(name) UNLESS(SYS_##name, 1), FAIL_WITH(EPERM)

/* Namespaces other than those that the runner made, a new user's above all. */
#define NAMESPACES                                                                                 \
    (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |     \
     CLONE_NEWCGROUP)
#define DENY_NAMESPACES(name)                                                                      \
    UNLESS(SYS_##name, 4), LOAD_ARGUMENT(0),                                                       \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1), FAIL_WITH(EPERM), LOAD(nr)

static struct sock_filter denials[] = {
    LOAD(arch),
    /* A program of another architecture (32 bits) would have numbers that are not looked at. */
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
    FAIL_WITH(ENOSYS),
    LOAD(nr),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, FOREIGN_BIT, 0, 1),
    FAIL_WITH(ENOSYS),
    UNLESS(SYS_clone3, 1),
    FAIL_WITH(ENOSYS),
    DENY_NAMESPACES(clone),
    DENY_NAMESPACES(unshare),
    DENY(setns),
    DENY(init_module),
    DENY(finit_module),
    DENY(delete_module),
    DENY(kexec_load),
    DENY(kexec_file_load),
    DENY(reboot),
    DENY(swapon),
    DENY(swapoff),
    DENY(settimeofday),
    DENY(clock_settime),
    DENY(clock_adjtime),
    DENY(adjtimex),
    DENY(add_key),
    DENY(request_key),
    DENY(keyctl),
    DENY(bpf),
    DENY(userfaultfd),
    DENY(io_uring_setup),
    DENY(io_uring_enter),
    DENY(io_uring_register),
    DENY(mount),
    DENY(umount2),
    DENY(pivot_root),
    DENY(chroot),
    DENY(open_tree),
    DENY(move_mount),
    DENY(fsopen),
    DENY(fsconfig),
    DENY(fsmount),
    DENY(fspick),
    DENY(mount_setattr),
    DENY(acct),
    DENY(quotactl),
    DENY(syslog),
    DENY(sethostname),
    DENY(setdomainname),
    DENY(vhangup),
    DENY(nfsservctl),
    DENY(open_by_handle_at),
    DENY(lookup_dcookie),
    DENY(fanotify_init),
#if defined(__x86_64__)
    DENY(iopl),
    DENY(ioperm),
    DENY(modify_ldt),
    DENY(uselib),
    DENY(ustat),
    DENY(_sysctl),
#endif
    ANSWER(SECCOMP_RET_ALLOW),
};

/* Beside those, for what only answers: Landlock says nothing of sockets that are no TCP,
 * and a kernel without it nothing at all. */
static struct sock_filter sealing[] = {
    LOAD(nr),     DENY(socket),   DENY(socketpair),          DENY(connect),
    DENY(execve), DENY(execveat), ANSWER(SECCOMP_RET_ALLOW),
};

static bool filter(struct sock_filter *words, size_t count) {
    struct sock_fprog program = {.len = (unsigned short)count, .filter = words};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

static bool filter_calls(run_sandbox kind) {
    return ARCH == 0u || (filter(denials, G_N_ELEMENTS(denials)) &&
                          (kind != RUN_SANDBOX_SEALED || filter(sealing, G_N_ELEMENTS(sealing))));
}

/* ---- Landlock ---- */

/* As in Linux 6.12: headers of older kernels have the first member alone. */
typedef struct {
    uint64_t handled_access_fs, handled_access_net, scoped;
} ruleset;

enum { SCOPES_SINCE = 6, NET_SINCE = 4, IOCTL_SINCE = 5, TRUNCATE_SINCE = 3, REFER_SINCE = 2 };

#define SCOPE_ABSTRACT_SOCKETS (UINT64_C(1) << 0)
#define SCOPE_SIGNALS (UINT64_C(1) << 1)
#define NET_BIND_AND_CONNECT UINT64_C(3)
#define FS_FIRST ((UINT64_C(1) << 13) - 1) /* of version 1 */
#define FS_READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define FS_REFER (UINT64_C(1) << 13)
#define FS_TRUNCATE (UINT64_C(1) << 14)
#define FS_IOCTL (UINT64_C(1) << 15)

/* The version of Landlock that the kernel has; 0: none. */
static int sandbox_landlock(void) {
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

/* All that this version can forbid, but reading: it is seen in the file's mode already. */
static ruleset rules_of(run_sandbox kind, int version) {
    ruleset rules = {.scoped =
                         version >= SCOPES_SINCE ? SCOPE_ABSTRACT_SOCKETS | SCOPE_SIGNALS : 0};
    if (kind != RUN_SANDBOX_SEALED)
        return rules;
    rules.handled_access_fs =
        (FS_FIRST & ~(uint64_t)FS_READ) | (version >= REFER_SINCE ? FS_REFER : 0) |
        (version >= TRUNCATE_SINCE ? FS_TRUNCATE : 0) | (version >= IOCTL_SINCE ? FS_IOCTL : 0);
    rules.handled_access_net = version >= NET_SINCE ? NET_BIND_AND_CONNECT : 0;
    return rules;
}

/* The kernel takes no members that it does not know. */
static size_t size_of(int version) {
    return version >= SCOPES_SINCE ? sizeof(ruleset)
           : version >= NET_SINCE  ? offsetof(ruleset, scoped)
                                   : offsetof(ruleset, handled_access_net);
}

static bool lock_down(run_sandbox kind) {
    const int version = sandbox_landlock();
    const ruleset rules = rules_of(kind, version);
    if (version == 0 || (rules.scoped == 0 && rules.handled_access_fs == 0))
        return true;
    g_auto(run_fd) fd = (int)syscall(SYS_landlock_create_ruleset, &rules, size_of(version), 0);
    return fd >= 0 && syscall(SYS_landlock_restrict_self, fd, 0) == 0;
}

bool run_sandbox_enter(run_sandbox kind) {
    return kind == RUN_SANDBOX_OFF ||
           (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && lock_down(kind) && filter_calls(kind));
}

int run_sandbox_answer(pid_t pid) {
    int status = 0;
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return pid < 0 ? errno : WIFEXITED(status) ? WEXITSTATUS(status) : ECHILD;
}

static int refused(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(run_sandbox_enter(RUN_SANDBOX_PROGRAM) ? 0 : errno);
    return run_sandbox_answer(pid);
}

char *run_sandbox_words(void) {
    const int code = refused(), version = sandbox_landlock();
    const char *calls = ARCH == 0u ? "no filter of system calls for this architecture"
                                   : "system calls are filtered";
    if (code != 0)
        return g_strdup_printf("none: %s", g_strerror(code));
    if (version == 0)
        return g_strdup_printf("%s; the kernel has no Landlock", calls);
    return g_strdup_printf("%s; Landlock %d: %s", calls, version,
                           version >= SCOPES_SINCE
                               ? "neither signals nor abstract sockets reach other processes"
                               : "signals and abstract sockets need version 6 (Linux 6.12)");
}

/* Puts id and a space before text[at]; returns where they begin. printf is not for between fork
 * and exec. */
static size_t prepend(char *text, size_t at, unsigned id) {
    text[--at] = ' ';
    do {
        text[--at] = (char)('0' + id % 10);
        id /= 10;
    } while (id > 0);
    return at;
}

/* "id id 1": who it is outside it is inside. */
static bool put_same(const char *path, unsigned id) {
    char text[32];
    size_t at = sizeof text - 2;
    text[at] = '1';
    text[at + 1] = '\0';
    at = prepend(text, at, id);
    return run_procfs_write(path, text + prepend(text, at, id));
}

static bool leave_without_privileges(void) {
    unsigned uid = geteuid(), gid = getegid();
    return unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0 &&
           run_procfs_write("/proc/self/setgroups", "deny") &&
           put_same("/proc/self/uid_map", uid) && put_same("/proc/self/gid_map", gid);
}

static bool bring_up_loopback(void) {
    struct ifreq request = {.ifr_name = "lo"};
    g_auto(run_fd) fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const bool good = fd >= 0 && ioctl(fd, SIOCGIFFLAGS, &request) == 0;
    request.ifr_flags |= IFF_UP;
    return good && ioctl(fd, SIOCSIFFLAGS, &request) == 0;
}

/* A root without the right to set up the new network goes back: without loopback it is of no
 * use. */
static bool leave_with_privileges(void) {
    g_auto(run_fd) before = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    bool left = before >= 0 && unshare(CLONE_NEWNET) == 0;
    bool good = left && bring_up_loopback();
    int code = errno;
    if (left && !good)
        setns(before, CLONE_NEWNET);
    errno = code;
    return good;
}

/* Root has other users to become afterwards, whom a user namespace of one would not know. */
bool run_network_leave(void) {
    return geteuid() == 0 ? leave_with_privileges()
                          : leave_without_privileges() && bring_up_loopback();
}

int run_network_refused(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(run_network_leave() ? 0 : errno);
    return run_sandbox_answer(pid);
}
