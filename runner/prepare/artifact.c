#include "runner/prepare/prepare.h"

#include "config/log.h"
#include "runner/driver/driver.h"
#include "runner/ground/error.h"
#include "runner/ground/stop.h"
#include "runner/link/upload.h"
#include "runner/prepare/unpack.h"
#include "runner/process/scratch.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define DAMAGED_TRIES 3
#define WAIT_STEP_MS 1000
#define UNPACKED "unpacked"

typedef struct {
    const run_prepare_step *step;
    const run_job_artifact *artifact;
    const char *folder;
} fetching;

char *run_artifact_path(const run_job_artifact *artifact, const char *folder) {
    return g_build_filename(
        folder, run_unpack_is_archive(artifact->name) ? UNPACKED : artifact->name, NULL);
}

/* ---- fetching ---- */

static bool check_size(const fetching *work, GError **error) {
    const cfg_runner *config = work->step->node->config;
    if (work->artifact->bytes > config->prepare_output_limit_bytes)
        return run_wrong(error,
                         "artifact %s has %" PRIu64 " MB; the limit is %" PRIu64 " MB "
                         "(prepare_output_limit_bytes)",
                         work->artifact->name, work->artifact->bytes >> 20,
                         config->prepare_output_limit_bytes >> 20);
    return run_scratch_reserve(config->work_dir, config->disk_reserve_bytes + work->artifact->bytes,
                               error);
}

/* One try. RUN_ERROR_AWAY and RUN_ERROR_NODE are worth another one. */
static bool fetch_once(const fetching *work, int fd, GError **error) {
    char sha256[65];
    g_auto(run_answer) answer = {0};
    if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)
        return run_cannot(error, "write below", work->folder);
    const run_download what = {.path = work->artifact->url,
                               .fd = fd,
                               .bytes_max = work->artifact->bytes,
                               .tick = work->step->tick,
                               .tick_data = work->step->tick_data};
    if (!run_client_get_file(work->step->node->client, &what, sha256, &answer, error) ||
        !run_client_judge(&answer, "artifact", error))
        return false;
    if (answer.status == 200 && strcmp(sha256, work->artifact->sha256) == 0)
        return true;
    return run_fail(error, RUN_ERROR_NODE,
                    "artifact %s arrived with SHA-256 %s instead of %s: it was damaged in transit",
                    work->artifact->name, sha256, work->artifact->sha256);
}

/* Sleeps with the lease kept. */
static bool wait_for(const fetching *work, unsigned seconds, GError **error) {
    for (unsigned i = 0; i < seconds; i++) {
        if (run_stop_sleep(work->step->node->stop_fd, WAIT_STEP_MS))
            return run_fail(error, RUN_ERROR_STOPPED, "the agent was told to stop");
        if (work->step->tick && !work->step->tick(work->step->tick_data, error))
            return false;
    }
    return true;
}

static bool fetch(const fetching *work, int fd, GError **error) {
    unsigned repetition = 0, damaged = 0;
    for (;;) {
        g_autoptr(GError) problem = NULL;
        if (fetch_once(work, fd, &problem))
            return true;
        bool away = g_error_matches(problem, RUN_ERROR, RUN_ERROR_AWAY);
        bool node = g_error_matches(problem, RUN_ERROR, RUN_ERROR_NODE);
        if (!away && (!node || ++damaged >= DAMAGED_TRIES)) {
            g_propagate_error(error, g_steal_pointer(&problem));
            return false;
        }
        unsigned delay_s = run_upload_delay_s(++repetition);
        cfg_log("warning", "artifact", "repeat", "in_seconds=%u reason=\"%s\"", delay_s,
                problem->message);
        if (!wait_for(work, delay_s, error))
            return false;
    }
}

static bool fetch_file(const fetching *work, const char *path, GError **error) {
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (fd < 0)
        return run_cannot(error, "create", path);
    bool good = fetch(work, fd, error);
    return close(fd) == 0 ? good : good && run_cannot(error, "write", path);
}

/* ---- unpacking ---- */

static bool judge(const fetching *work, run_process_result *result, GError **error) {
    g_autofree char *problem = run_process_describe(result);
    const cfg_runner *config = work->step->node->config;
    bool disk = run_scratch_free_bytes(config->work_dir) < config->disk_reserve_bytes;
    if (problem) {
        g_autofree char *said = g_strdup(result->log);
        g_set_error(error, RUN_ERROR, disk ? RUN_ERROR_NODE : RUN_ERROR_JOB,
                    "artifact %s: %s: %.300s", work->artifact->name, problem, g_strstrip(said));
        g_free(*work->step->log);
        *work->step->log = g_steal_pointer(&result->log);
    }
    run_process_result_clear(result);
    return !problem;
}

static bool unpack(const fetching *work, const char *path, GError **error) {
    const run_node *node = work->step->node;
    const uint64_t limit_bytes = node->config->prepare_output_limit_bytes;
    g_autofree char *into = run_artifact_path(work->artifact, work->folder);
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *archive = g_strdup(path);
    g_autofree char *limit = g_strdup_printf("%" PRIu64, limit_bytes);
    char command[] = RUN_UNPACK_COMMAND;
    char *argv[] = {self, command, archive, into, limit, NULL};
    run_placeholder values = {.scratch = into};
    g_autoptr(GPtrArray) environment = run_driver_environment(&values, NULL);
    if (!self || !run_scratch_make(into, error) || !run_scratch_open(into, error) ||
        !run_node_give(node, into, error))
        return false;
    run_process_spec spec = run_node_process(node);
    spec.argv = argv;
    spec.environment = (char **)environment->pdata;
    spec.directory = into;
    spec.timeout_s = work->step->job->benchmark.prepare_timeout_s;
    spec.file_limit_bytes = limit_bytes;
    spec.watch_directory = work->folder;
    spec.reserve_directory = node->config->work_dir;
    spec.watch_limit_bytes = limit_bytes;
    spec.limit_name = "prepare_output_limit_bytes";
    spec.tick = work->step->tick;
    spec.tick_data = work->step->tick_data;
    g_autofree char *own = g_build_filename(work->folder, "private", NULL);
    g_auto(run_sandbox_places) places = {0};
    if (!run_node_places(node, own, &places, error))
        return false;
    spec.places = &places;
    run_process_result result;
    bool good = run_process_run(&spec, &result, error) && judge(work, &result, error);
    return run_scratch_remove(own, good ? error : NULL) && good;
}

bool run_artifact_get(const run_prepare_step *step, const run_job_artifact *artifact,
                      const char *folder, GError **error) {
    const fetching work = {step, artifact, folder};
    g_autofree char *path = g_build_filename(folder, artifact->name, NULL);
    if (!run_scratch_make(folder, error) || !run_scratch_open(folder, error) ||
        !check_size(&work, error) || !fetch_file(&work, path, error))
        return false;
    if (!run_unpack_is_archive(artifact->name))
        return true;
    bool good = unpack(&work, path, error);
    unlink(path);
    return good;
}
