#include "server/git/fetch.h"

#include "config/json_text.h"
#include "server/git/repo.h"
#include "server/git/repo_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <linux/landlock.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

/* For the rest of this process and what it starts. False with error in G_IO_ERROR: the kernel has
 * Landlock and refused. */
static bool srv_confine(const srv_confinement *to, GError **error) {
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

enum { REQUEST_MAX = 65536 };
/* A pack may not be larger than this even when the transfer's own limit fails to notice. */
#define FILE_MAX_BYTES ((rlim_t)8 << 30)
#define MEMORY_MAX_BYTES ((rlim_t)2 << 30)

static json_t *error_json(const GError *error) {
    return json_pack("{s:s}", "error", error->message);
}

/* The daemon's files for ssh and git, and certificates; OpenSSL takes a list of folders with colons
 * between them. NULL-ended, the caller's. */
static GStrv readable(const char *home, const char *ssh_key_file) {
    g_autoptr(GStrvBuilder) paths = g_strv_builder_new();
    g_autofree char *ssh = g_build_filename(home, ".ssh", NULL);
    g_autofree char *git = g_build_filename(home, ".gitconfig", NULL);
    const char *folders = g_getenv("SSL_CERT_DIR");
    g_auto(GStrv) certificates = g_strsplit(folders ? folders : "", ":", -1);
    const char *const named[] = {ssh, git, g_getenv("SSL_CERT_FILE"), ssh_key_file};
    for (size_t i = 0; i < G_N_ELEMENTS(named); i++)
        if (named[i])
            g_strv_builder_add(paths, named[i]);
    for (char **folder = certificates; *folder; folder++)
        g_strv_builder_add(paths, *folder);
    return g_strv_builder_end(paths);
}

/* What a question needs, and no more: the mirrors, what is readable, and the network or the files
 * of this machine where the repository lies. */
static bool confine_to(const json_t *request, GError **error) {
    const char *home = g_getenv("HOME");
    const char *mirror = cfg_json_word(request, "mirror", NULL);
    const char *url = cfg_json_word(request, "url", NULL);
    if (!mirror)
        return true;
    const bool local = url && (url[0] == '/' || g_str_has_prefix(url, "file:"));
    g_autofree char *mirrors = g_path_get_dirname(mirror);
    g_auto(GStrv) reads =
        readable(home ? home : "/nonexistent", cfg_json_word(request, "ssh_key_file", NULL));
    if (g_mkdir_with_parents(mirrors, 0700) != 0)
        return SRV__FAIL(error, G_IO_ERROR, g_io_error_from_errno(errno), "cannot create %s: %s",
                         mirrors, g_strerror(errno));
    return srv_confine(&(srv_confinement){.folder = mirrors,
                                          .reads = (const char *const *)reads,
                                          .reads_all = local,
                                          .connects = url && !local},
                       error);
}

/* And waits until the transfer may begin. Once: a mirror nearby that fails is followed by the
 * remote. */
static void tell_connected(void) {
    static bool said_once;
    char c = '\0';
    ssize_t n = 1;
    if (said_once)
        return;
    said_once = true;
    (void)fputs(SRV_FETCH_CONNECTED, stdout);
    (void)fflush(stdout);
    while (c != '\n' && (n > 0 || (n < 0 && errno == EINTR)))
        n = read(STDIN_FILENO, &c, 1);
}

static json_t *answer(const char *line) {
    g_autoptr(GError) error = NULL;
    json_error_t where;
    json_t *request = json_loads(line, 0, &where), *reply = NULL;
    if (!request)
        g_set_error(&error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "not a request: %s",
                    where.text);
    else if (confine_to(request, &error))
        reply = srv__repo_answer(request, cfg_json_true(request, "tells") ? tell_connected : NULL,
                                 &error);
    json_decref(request);
    return reply ? reply : error_json(error);
}

/* A few bytes of a pack can stand for an object of any size. */
static void limit_memory(void) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* they map terabytes */
    struct rlimit memory = {MEMORY_MAX_BYTES, MEMORY_MAX_BYTES};
    setrlimit(RLIMIT_AS, &memory);
#endif
}

static void limit_this(void) {
    /* The daemon may die without a word; nothing of this process may outlive it. */
    prctl(PR_SET_PDEATHSIG, 9);
    struct rlimit file = {FILE_MAX_BYTES, FILE_MAX_BYTES};
    setrlimit(RLIMIT_FSIZE, &file);
    limit_memory();
}

static bool say(json_t *reply) {
    g_autofree char *text = json_dumps(reply, JSON_COMPACT);
    json_decref(reply);
    return text && printf("%s\n", text) >= 0 && fflush(stdout) == 0;
}

/* In a process of its own: what a repository did to it ends with its question, and what it may
 * touch differs from question to question. */
static bool answer_apart(const char *line) {
    int status = 0;
    const pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, 9);
        if (getppid() != parent) /* it ended before that was asked for */
            _exit(1);
        exit(say(answer(line)) ? 0 : 1);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int srv_fetch_helper_main(void) {
    limit_this();
    const char *home = g_getenv("HOME");
    g_autoptr(GError) error = NULL;
    bool ready = srv_repo_init(home ? home : "/nonexistent", &error);
    bool good = true;
    char *line = NULL;
    size_t size = 0;
    ssize_t length = 0;
    while (good && (length = getline(&line, &size, stdin)) > 0)
        if (!ready)
            good = say(error_json(error));
        else if (length > REQUEST_MAX)
            good = say(json_pack("{s:s}", "error", "the request is too long"));
        else
            good = answer_apart(line);
    g_free(line);
    return 0;
}
