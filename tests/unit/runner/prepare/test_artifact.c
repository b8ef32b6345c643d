/* What CI handed in: fetched from the agent's own server, checked, and unpacked by a process. */
#include "tests/unit/runner/served.h"

#include "tests/unit/runner/file.h"

#include "runner/prepare/prepare.h"
#include "runner/prepare/unpack.h"
#include "runner/process/descendants.h"

#include <sched.h>

typedef struct {
    cfg_runner config;
    run_node node;
    run_job job;
    run_prepare_step step;
    char *log, *folder, *sha256;
    run_job_artifact artifact;
} fetched;

static char url[] = "/api/v1/projects/p/artifacts/a";

/* A job with an artifact of this name, of which the server will send the text. */
static void prepare(fetched *f, const served *s, char *name, const char *text) {
    *f = (fetched){.config = {.work_dir = s->folder,
                              .prepare_output_limit_bytes = 1 << 20,
                              .log_limit_bytes = 4096},
                   .job = {.benchmark.prepare_timeout_s = 60},
                   .folder = g_build_filename(s->folder, "artifact", NULL),
                   .sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1)};
    f->node = (run_node){.config = &f->config, .client = s->client, .stop_fd = -1};
    assert_int_equal(sched_getaffinity(0, sizeof(cpu_set_t), &f->node.housekeeping_cpus), 0);
    f->node.benchmark_cpus = f->node.housekeeping_cpus;
    f->step = (run_prepare_step){.node = &f->node, .job = &f->job, .log = &f->log};
    f->artifact =
        (run_job_artifact){.name = name, .url = url, .sha256 = f->sha256, .bytes = strlen(text)};
}

static void fetched_clear(fetched *f) {
    g_free(f->log);
    g_free(f->folder);
    g_free(f->sha256);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(fetched, fetched_clear)

static void where_it_is_found(void **state) {
    (void)state;
    static char jar[] = "agent.jar", tar[] = "agent.tar.gz";
    const run_job_artifact file = {.name = jar}, archive = {.name = tar};
    g_autofree char *one = run_artifact_path(&file, "/f"),
                    *other = run_artifact_path(&archive, "/f");
    assert_string_equal(one, "/f/agent.jar");
    assert_string_equal(other, "/f/unpacked");
}

static void a_file_as_it_is(void **state) {
    served *s = *state;
    static char name[] = "agent.jar";
    g_auto(fetched) f;
    prepare(&f, s, name, "built by CI");
    ANSWER(s, {200, NULL, NULL, "built by CI"});
    GError *error = NULL;
    if (!run_artifact_get(&f.step, &f.artifact, f.folder, &error))
        fail_msg("%s", error->message);
    EXPECT_LINES(s, "GET /api/v1/projects/p/artifacts/a");
    g_autofree char *path = run_artifact_path(&f.artifact, f.folder), *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_string_equal(text, "built by CI");
}

/* Before a byte of it is asked for. */
static void one_that_is_too_large(void **state) {
    served *s = *state;
    static char name[] = "agent.jar";
    g_auto(fetched) f;
    prepare(&f, s, name, "built by CI");
    GError *error = NULL;
    f.artifact.bytes = f.config.prepare_output_limit_bytes + 1;
    assert_false(run_artifact_get(&f.step, &f.artifact, f.folder, &error));
    assert_error(error, RUN_ERROR_JOB, "(prepare_output_limit_bytes)");
    f.artifact.bytes = 5;
    f.config.disk_reserve_bytes = UINT64_MAX / 4;
    assert_false(run_artifact_get(&f.step, &f.artifact, f.folder, &error));
    assert_error(error, RUN_ERROR_NODE, "disk");
    assert_int_equal(receiver_count(s->server), 0);
}

static void what_the_server_refuses(void **state) {
    served *s = *state;
    static char name[] = "agent.jar";
    g_auto(fetched) f;
    prepare(&f, s, name, "built by CI");
    GError *error = NULL;
    ANSWER(s, {404, NULL, NULL, "{\"detail\": \"it was removed\"}"});
    assert_false(run_artifact_get(&f.step, &f.artifact, f.folder, &error));
    assert_error(error, RUN_ERROR_REFUSED, "artifact: the server answered 404: it was removed");
    assert_true(run_scratch_remove(f.folder, NULL));
    ANSWER(s, {200, NULL, NULL, "built by CI, and more"});
    assert_false(run_artifact_get(&f.step, &f.artifact, f.folder, &error));
    assert_error(error, RUN_ERROR_REFUSED, "more bytes than the job announced");
}

/* An archive that is none ends the job, with what the process that unpacked it said. */
static void an_archive_that_is_none(void **state) {
    served *s = *state;
    static char name[] = "agent.tar";
    g_auto(fetched) f;
    prepare(&f, s, name, "no archive at all");
    ANSWER(s, {200, NULL, NULL, "no archive at all"});
    GError *error = NULL;
    assert_false(run_artifact_get(&f.step, &f.artifact, f.folder, &error));
    assert_error(error, RUN_ERROR_JOB, "artifact agent.tar: ");
    assert_non_null(strstr(f.log, "unpack: "));
    g_autofree char *archive = g_build_filename(f.folder, name, NULL);
    assert_false(g_file_test(archive, G_FILE_TEST_EXISTS));
}

/* Once more it is the runner: `SELF unpack ARCHIVE FOLDER BYTES`. */
int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_it_is_found), SERVED(a_file_as_it_is),
        SERVED(one_that_is_too_large),       SERVED(what_the_server_refuses),
        SERVED(an_archive_that_is_none),
    };
    if (argc > 1 && g_str_equal(argv[1], RUN_UNPACK_COMMAND))
        return run_unpack_main(argc, argv);
    if (!run_descendants_adopt(NULL))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
