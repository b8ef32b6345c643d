#include "server/git/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Headers of Linux 6.1 name the first thirteen rights, and the first member. */
#define RIGHTS_OF_FOLDERS_AND_FILES ((UINT64_C(1) << 13) - 1)
#define RIGHT_REFER (UINT64_C(1) << 13)
#define RIGHT_TRUNCATE (UINT64_C(1) << 14)
#define RIGHT_IOCTL (UINT64_C(1) << 15)
#define RIGHT_BIND UINT64_C(1)
#define RIGHT_CONNECT UINT64_C(2)
#define SCOPE_SOCKETS_AND_SIGNALS UINT64_C(3)

#define READING ((uint64_t)(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR))
#define OF_FILES                                                                                   \
    ((uint64_t)(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |                     \
                LANDLOCK_ACCESS_FS_EXECUTE) |                                                      \
     RIGHT_TRUNCATE | RIGHT_IOCTL)

enum { REFER_SINCE = 2, TRUNCATE_SINCE = 3, NET_SINCE = 4, IOCTL_SINCE = 5, SCOPES_SINCE = 6 };

typedef struct {
    uint64_t files, network, scopes;
} rights;

/* Libraries and certificates, the names of hosts and users, random numbers, time zones. */
static const char *const system_paths[] = {"/usr",
                                           "/lib",
                                           "/lib64",
                                           "/etc",
                                           "/dev/null",
                                           "/dev/urandom",
                                           "/dev/random",
                                           "/run/resolvconf",
                                           "/run/systemd/resolve",
                                           NULL};

int srv_confine_version(void) {
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

/* What is forbidden unless a rule allows it. */
static rights forbidden(const srv_confinement *to, int version) {
    rights all = {.files = RIGHTS_OF_FOLDERS_AND_FILES};
    if (version >= REFER_SINCE)
        all.files |= RIGHT_REFER;
    if (version >= TRUNCATE_SINCE)
        all.files |= RIGHT_TRUNCATE;
    if (version >= IOCTL_SINCE)
        all.files |= RIGHT_IOCTL;
    if (to->reads_all)
        all.files &= ~READING;
    if (version >= NET_SINCE)
        all.network = RIGHT_BIND | (to->connects ? 0 : RIGHT_CONNECT);
    if (version >= SCOPES_SINCE)
        all.scopes = SCOPE_SOCKETS_AND_SIGNALS;
    return all;
}

/* The kernel takes no members that it does not know. */
static size_t known_size(int version) {
    return version >= SCOPES_SINCE ? sizeof(rights)
           : version >= NET_SINCE  ? offsetof(rights, scopes)
                                   : offsetof(rights, network);
}

/* What is not there needs no rule. */
static bool allow(int rules, const char *path, uint64_t allowed) {
    struct stat what;
    const int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return true;
    if (fstat(fd, &what) == 0 && !S_ISDIR(what.st_mode))
        allowed &= OF_FILES;
    const struct landlock_path_beneath_attr rule = {.allowed_access = allowed, .parent_fd = fd};
    const bool good = allowed == 0 || syscall(SYS_landlock_add_rule, rules,
                                              LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
    const int code = errno;
    close(fd);
    errno = code;
    return good;
}

static bool allow_reading(int rules, const char *const *paths, uint64_t reading) {
    for (; paths && *paths; paths++)
        if (!allow(rules, *paths, reading))
            return false;
    return true;
}

static bool enforce(int rules, const srv_confinement *to, const rights *all) {
    const uint64_t own = all->files & ~(uint64_t)LANDLOCK_ACCESS_FS_EXECUTE;
    const uint64_t reading = all->files & READING;
    g_autofree char *resolver = realpath("/etc/resolv.conf", NULL);
    bool good = allow(rules, to->folder, own) && allow_reading(rules, system_paths, reading) &&
                allow_reading(rules, to->reads, reading) &&
                (!resolver || allow(rules, resolver, reading));
#ifdef MOOWATCH_COVERAGE /* which lines ran is written at the end of the process */
    good = good && allow(rules, MOOWATCH_COVERAGE, own);
#endif
#ifdef __SANITIZE_ADDRESS__ /* leaks are looked for at the end of the process, in all threads */
    good = good && allow(rules, "/proc", reading);
#endif
    return good && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}

bool srv_confine(const srv_confinement *to, GError **error) {
    const int version = srv_confine_version();
    if (version == 0)
        return true;
    const rights all = forbidden(to, version);
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &all, known_size(version), 0);
    const bool good = rules >= 0 && enforce(rules, to, &all);
    if (!good)
        g_set_error(error, G_IO_ERROR, g_io_error_from_errno(errno),
                    "git cannot be confined to %s: %s", to->folder, g_strerror(errno));
    if (rules >= 0)
        close(rules);
    return good;
}
