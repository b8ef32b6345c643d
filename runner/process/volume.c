#include "runner/process/volume.h"

#include "config/log.h"
#include "runner/ground/error.h"
#include "runner/ground/procfs.h"
#include "runner/process/process.h"
#include "runner/process/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (UINT64_C(1) << 20)
#define OWN_SHARE 32 /* of the bytes, and OWN_LEAST: what ext4 needs for itself */
#define OWN_LEAST (4 * MIB)
#define PROBE_BYTES MIB
#define MAKE_TIMEOUT_S 60
#define TRIES 10 /* another program can take the free loop device first */
#define TOOL_PATH "PATH=/usr/sbin:/sbin:/usr/bin:/bin"

bool run_volume_enter(void) {
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", NULL, MS_REC | MS_SLAVE, NULL) == 0;
}

/* A tool of e2fsprogs on an image; most: the largest exit status that is fine. */
static bool run_tool(char *const *argv, int most, GError **error) {
    char *environment[] = {(char[]){TOOL_PATH}, NULL};
    run_process_spec spec = {.argv = argv,
                             .environment = environment,
                             .directory = "/",
                             .log_limit_bytes = 4096,
                             .timeout_s = MAKE_TIMEOUT_S,
                             .stop_fd = -1};
    run_process_result result;
    if (!run_process_run(&spec, &result, error))
        return false;
    bool good = result.end == RUN_END_EXIT && result.code <= most;
    if (!good) {
        g_autofree char *why = run_process_describe(&result);
        run_fail(error, RUN_ERROR_NODE, "%s: %s: %s", argv[0], why, g_strstrip(result.log));
    }
    run_process_result_clear(&result);
    return good;
}

/* One that is kept has a journal: the agent may be killed while it is mounted. */
static bool make_image(const char *path, uint64_t bytes, bool kept, GError **error) {
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool good = fd >= 0 && ftruncate(fd, (off_t)bytes) == 0;
    if (!good)
        run_cannot(error, "make", path);
    if (fd >= 0)
        close(fd);
    g_autofree char *image = g_strdup(path);
    char *argv[] = {(char[]){"mkfs.ext4"},
                    (char[]){"-qF"},
                    (char[]){"-m0"},
                    (char[]){"-O"},
                    kept ? (char[]){"has_journal"} : (char[]){"^has_journal"},
                    (char[]){"-E"},
                    (char[]){"nodiscard,lazy_itable_init=1,lazy_journal_init=1"},
                    image,
                    NULL};
    return good && run_tool(argv, 0, error);
}

/* A loop device for the file; it goes by itself when it is not mounted any more. */
static int attach(const char *path, char device[32], GError **error) {
    struct loop_config config = {.info.lo_flags = LO_FLAGS_AUTOCLEAR};
    g_auto(run_fd) control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    g_auto(run_fd) file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    int fd = -1;
    config.fd = (unsigned)file;
    for (int tries = 0; control >= 0 && file >= 0 && fd < 0 && tries < TRIES; tries++) {
        int number = ioctl(control, LOOP_CTL_GET_FREE);
        g_snprintf(device, 32, "/dev/loop%d", number);
        fd = number >= 0 ? open(device, O_RDWR | O_CLOEXEC) : -1;
        if (fd >= 0 && ioctl(fd, LOOP_CONFIGURE, &config) != 0) {
            int code = errno;
            close(fd);
            errno = code;
            fd = -1;
        }
        if (fd < 0 && errno != EBUSY)
            break;
    }
    if (fd < 0)
        run_cannot(error, "use a loop device for", path);
    return fd;
}

static bool mount_image(const char *path, const char *folder, GError **error) {
    char device[32];
    int fd = attach(path, device, error);
    if (fd < 0)
        return false;
    bool good = mount(device, folder, "ext4", MS_NOSUID | MS_NODEV | MS_NOATIME, "discard") == 0;
    if (!good)
        run_cannot(error, "mount a file system of its own on", folder);
    close(fd); /* mounted, it stays; else it goes */
    return good;
}

/* Neither larger than may be, nor so small that most of what may be is not there. */
static bool is_whole(const char *image, uint64_t most) {
    struct stat status;
    g_autofree char *path = g_strdup(image);
    g_autoptr(GError) damaged = NULL;
    char *argv[] = {(char[]){"e2fsck"}, (char[]){"-p"}, path, NULL};
    if (lstat(image, &status) != 0 || !S_ISREG(status.st_mode) || (uint64_t)status.st_size > most ||
        (uint64_t)status.st_size < most / 2)
        return false;
    if (!run_tool(argv, 1, &damaged)) {
        cfg_log("warning", "volume", "damaged", "next=\"made anew\" reason=\"%s\"",
                damaged->message);
        return false;
    }
    return true;
}

static uint64_t on_disk(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0 ? (uint64_t)status.st_blocks * 512 : 0;
}

bool run_volume_open(const char *folder, const char *image, uint64_t bytes, uint64_t reserve_bytes,
                     GError **error) {
    g_autofree char *nameless = g_strconcat(folder, ".image", NULL);
    const char *path = image ? image : nameless;
    uint64_t own = bytes / OWN_SHARE + OWN_LEAST;
    uint64_t room = run_scratch_free_bytes(folder) + on_disk(path);
    uint64_t whole = MIN(bytes + own, room > reserve_bytes ? room - reserve_bytes : 0);
    whole -= whole % MIB;
    bool good = (image && is_whole(image, whole)) || make_image(path, whole, image != NULL, error);
    good = good && mount_image(path, folder, error);
    if (!image)
        unlink(path);
    if (good) {
        g_autofree char *lost = g_build_filename(folder, "lost+found", NULL);
        rmdir(lost);
        good = chmod(folder, 0711) == 0 || run_cannot(error, "set the mode of", folder);
    }
    return good;
}

bool run_volume_is_open(const char *folder) {
    struct stat inside, outside;
    g_autofree char *above = g_path_get_dirname(folder);
    return stat(folder, &inside) == 0 && stat(above, &outside) == 0 &&
           inside.st_dev != outside.st_dev;
}

bool run_volume_close(const char *folder, GError **error) {
    if (!run_volume_is_open(folder) || umount2(folder, 0) == 0)
        return true;
    /* A process that cannot be killed holds it: out of sight, and gone when that goes. */
    return umount2(folder, MNT_DETACH) == 0 || run_cannot(error, "unmount", folder);
}

void run_volume_drop(const char *folder) {
    g_autoptr(GError) problem = NULL;
    if (!run_volume_close(folder, &problem))
        cfg_log("warning", "volume", "left_over", "reason=\"%s\"", problem->message);
}

/* In a process of its own, with a view of its own: nothing is left of it. */
static void probe(const char *folder, int report) {
    g_autoptr(GError) error = NULL;
    /* Nor of the agent, should it be killed meanwhile: its lock must not be held on. */
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (report > 3)
        syscall(SYS_close_range, 3, report - 1, 0);
    syscall(SYS_close_range, report + 1, ~0U, 0);
    g_autofree char *place = g_strdup_printf("%s/volume-%d", folder, (int)getpid());
    bool good = geteuid() == 0 || (errno = EPERM, run_cannot(&error, "mount on", folder));
    good = good &&
           (run_volume_enter() || run_cannot(&error, "have mounts of its own for", folder)) &&
           (mkdir(place, 0700) == 0 || run_cannot(&error, "make", place));
    if (good) {
        good =
            run_volume_open(place, NULL, PROBE_BYTES, 0, &error) && run_volume_close(place, &error);
        rmdir(place);
    }
    if (!good) {
        ssize_t written = write(report, error->message, strlen(error->message));
        (void)written;
    }
}

char *run_volume_refused(const char *folder) {
    int ends[2];
    char why[512];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return g_strdup(g_strerror(errno));
    pid_t pid = fork();
    if (pid == 0) {
        probe(folder, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    ssize_t got = pid > 0 ? read(ends[0], why, sizeof why - 1) : 0;
    close(ends[0]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    why[MAX(got, 0)] = '\0';
    return pid < 0 ? g_strdup(g_strerror(errno)) : got > 0 ? g_utf8_make_valid(why, -1) : NULL;
}
