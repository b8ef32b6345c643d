#include "runner/profile/profiler.h"

#include "config/log.h"
#include "runner/driver/bounded.h"
#include "runner/ground/durable.h"
#include "runner/ground/error.h"
#include "runner/link/client.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "profilers" /* below work_dir */
#define ZIP_BYTES_MAX (UINT64_C(32) << 20)
#define MODE 0755

/* What a version of a profiler has for a kind of processor. The hashes are those of the registries
 * (Maven Central, PyPI); those of the files were taken from the same archives. */
#define ASYNC_PROFILER(inside, hash)                                                               \
    {                                                                                              \
        .name = "async-profiler", .version = "4.6", .site = "https://repo1.maven.org",             \
        .path = "/maven2/tools/profiler/async-profiler/4.6/async-profiler-4.6.jar",                \
        .sha256 = "a5d3d9f4582c2033fa9db518046e73ef97219801f3e7542b82e3e09261ebe493",              \
        .bytes_max = ZIP_BYTES_MAX, .entry = (inside), .file = "libasyncProfiler.so",              \
        .file_sha256 = (hash)                                                                      \
    }
#define PY_SPY(where, hash, file_hash)                                                             \
    {                                                                                              \
        .name = "py-spy", .version = "0.4.3", .site = "https://files.pythonhosted.org",            \
        .path = (where), .sha256 = (hash), .bytes_max = ZIP_BYTES_MAX,                             \
        .entry = "py_spy-0.4.3.data/scripts/py-spy", .file = "py-spy", .file_sha256 = (file_hash)  \
    }

const run_part *run_part_async_profiler(void) {
#if defined(__x86_64__)
    static const run_part part =
        ASYNC_PROFILER("linux-x64/libasyncProfiler.so",
                       "1aa55af4645fafb7b70fe78b8bcc8d32a1a2fce1a278ce04318224df68694fb2");
    return &part;
#elif defined(__aarch64__)
    static const run_part part =
        ASYNC_PROFILER("linux-arm64/libasyncProfiler.so",
                       "45895af951d172126819552f5e2762b1a71c4db2a95ab8def791becb9ce7e35d");
    return &part;
#else
    return NULL;
#endif
}

const run_part *run_part_py_spy(void) {
#if defined(__x86_64__)
    static const run_part part =
        PY_SPY("/packages/78/1f/651389a861f6148754443834a50dd576993257af5f645d4316ab94505267/"
               "py_spy-0.4.3-py2.py3-none-manylinux1_x86_64.manylinux_2_5_x86_64.whl",
               "8a4277225f470d394a85cca0cdd944bef87f0097b6f20150a6dd3ac2e92806b8",
               "a41205d4925beafd108e1ace85e66c0a1a7adbfcbebcd4441f07848b608886c0");
    return &part;
#elif defined(__aarch64__)
    static const run_part part =
        PY_SPY("/packages/60/c3/c9384da6992d64e0dffab551cda3d1e990de1a2685fcfcc16fc8e5a98b18/"
               "py_spy-0.4.3-py2.py3-none-manylinux2014_aarch64.manylinux_2_17_aarch64.whl",
               "bbcec46930d464b3bfc142d6d02ade4dd8ad5627823263b3eff0280e80c7c132",
               "ad6e22882e8dcaced4f0a76fef10d372645cc7b94c48a289ebe1bedb754774ed");
    return &part;
#else
    return NULL;
#endif
}

static char *folder_of(const run_part *part, const char *work_dir) {
    g_autofree char *name = g_strconcat(part->name, "-", part->version, NULL);
    return g_build_filename(work_dir, FOLDER, name, NULL);
}

char *run_part_path(const run_part *part, const char *work_dir) {
    g_autofree char *folder = folder_of(part, work_dir);
    return g_build_filename(folder, part->file, NULL);
}

static bool wrong(GError **error, const char *what, const char *path) {
    return run_wrong(error, "cannot %s %s: %s", what, path, g_strerror(errno));
}

/* What is not this user's own folder is not believed: a link could lead anywhere. */
static bool make_folder(const char *path, GError **error) {
    struct stat status;
    if (mkdir(path, MODE) != 0 && errno != EEXIST)
        return wrong(error, "make", path);
    if (lstat(path, &status) != 0)
        return wrong(error, "look at", path);
    if (!S_ISDIR(status.st_mode) || status.st_uid != geteuid())
        return run_wrong(error, "%s is not a folder owned by the agent's user", path);
    return chmod(path, MODE) == 0 || wrong(error, "open", path);
}

static bool make_folders(const run_part *part, const run_node *node, GError **error) {
    g_autofree char *all = run_node_path(node, FOLDER);
    g_autofree char *own = folder_of(part, node->config->work_dir);
    return make_folder(all, error) && make_folder(own, error);
}

static int create(const char *path, GError **error) {
    (void)unlink(path);
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, MODE);
    if (fd < 0)
        wrong(error, "create", path);
    return fd;
}

/* The zip, to an open file. */
static bool download(const run_part *part, const run_node *node, const run_download *what,
                     GError **error) {
    char sha256[65];
    g_auto(run_answer) answer = {0};
    g_autoptr(run_client) client = run_client_new(part->site, NULL, node->stop_fd, error);
    if (!client || !run_client_get_file(client, what, sha256, &answer, error))
        return false;
    if (answer.status != 200 || strcmp(sha256, part->sha256) != 0)
        return run_wrong(error, "%s%s: status %ld, SHA-256 %s instead of %s", part->site,
                         part->path, answer.status, sha256, part->sha256);
    return true;
}

/* The file out of the zip: written under another name, checked, renamed. */
static bool unpack(const run_part *part, int zip, const char *path, GError **error) {
    g_autofree char *fresh = g_strconcat(path, ".new", NULL);
    const int out = create(fresh, error);
    if (out < 0)
        return false;
    bool good = run_zip_copy(zip, part->path, part->entry, part->bytes_max, out, error);
    if ((fchmod(out, MODE) != 0 || fsync(out) != 0) && good)
        good = wrong(error, "write", fresh);
    close(out);
    if (good && !run_durable_check(fresh, part->file_sha256)) {
        run_wrong(error, "%s in it is not the expected file", part->entry);
        good = false;
    }
    if (good && rename(fresh, path) != 0)
        good = wrong(error, "rename", fresh);
    (void)unlink(fresh);
    return good;
}

static bool fetch(const run_part *part, const run_node *node, const char *path, run_download *what,
                  GError **error) {
    g_autofree char *zip = g_strconcat(path, ".zip", NULL);
    what->fd = create(zip, error);
    if (what->fd < 0)
        return false;
    const bool good = download(part, node, what, error) && unpack(part, what->fd, path, error);
    close(what->fd);
    (void)unlink(zip);
    return good;
}

/* Only what ends the job may end it here; whatever else is in the way is a part less. */
static bool is_ours(const GError *problem) {
    return problem->domain != RUN_ERROR || problem->code == RUN_ERROR_JOB ||
           problem->code == RUN_ERROR_NODE || problem->code == RUN_ERROR_AWAY ||
           problem->code == RUN_ERROR_REFUSED;
}

char *run_part_get(const run_part *part, const run_node *node, run_process_tick tick,
                   void *tick_data, GError **error) {
    g_autoptr(GError) problem = NULL;
    g_autofree char *path = run_part_path(part, node->config->work_dir);
    run_download what = {
        .path = part->path, .bytes_max = part->bytes_max, .tick = tick, .tick_data = tick_data};
    if (!make_folders(part, node, error))
        return NULL;
    if (run_durable_check(path, part->file_sha256) && chmod(path, MODE) == 0)
        return g_steal_pointer(&path);
    if (fetch(part, node, path, &what, &problem)) {
        cfg_log("info", "profile", "fetched", "part=%s version=%s", part->name, part->version);
        return g_steal_pointer(&path);
    }
    if (is_ours(problem))
        run_wrong(error, "%s %s cannot be fetched: %s (%s of %s%s can be put at %s by hand)",
                  part->name, part->version, problem->message, part->entry, part->site, part->path,
                  path);
    else
        g_propagate_error(error, g_steal_pointer(&problem));
    return NULL;
}
