#pragma once
/* A node with nothing but a work directory, and a job whose benchmark is a line of shell. */
#include "tests/unit/runner/test.h"

#include "runner/job/job.h"
#include "runner/link/spool.h"
#include "runner/node/node.h"
#include "runner/process/descendants.h"

#include <sched.h>
#include <string.h>

#define BENCH_COMMIT "0123456789abcdef0123456789abcdef01234567"
#define BENCH_AGAINST "89abcdef0123456789abcdef0123456789abcdef"

typedef struct {
    char *work, *checkout;
    cfg_runner config;
    run_node node;
    run_job job;
    cfg_configuration configurations[2]; /* "none" and "probe", which is its child */
    run_spool *spool;
} shell_bench;

static char *bench_no_words[] = {NULL};

static inline GStrv bench_shell(const char *line) {
    const char *const words[] = {"/bin/sh", "-c", line, NULL};
    return g_strdupv((char **)(uintptr_t)words); /* NOLINT(performance-no-int-to-ptr) */
}

/* In a work directory, which is made. */
static inline void bench_node(run_node *node, cfg_runner *config, char *work) {
    static char name[] = "blade1", harness[] = "/none";
    *config = (cfg_runner){.node = name,
                           .work_dir = work,
                           .log_limit_bytes = 4096,
                           .loop_output_limit_bytes = 1 << 20,
                           .idle_cpu_percent = 1e9,
                           .disturbed_cpu_percent = 1e9,
                           .disturbed_steal_percent = 100};
    *node = (run_node){.config = config, .harness_dir = harness, .stop_fd = -1};
    assert_int_equal(sched_getaffinity(0, sizeof(cpu_set_t), &node->benchmark_cpus), 0);
    node->housekeeping_cpus = node->benchmark_cpus;
    assert_int_equal(g_mkdir_with_parents(work, 0700), 0);
    assert_true(run_descendants_adopt(NULL));
}

/* Every configuration runs the line, and what it prints is its value in ns. */
static inline void bench_init(shell_bench *at, const char *folder, const char *line) {
    static char none[] = "none", probe[] = "probe", project[] = "p", commit[] = BENCH_COMMIT,
                url[] = "https://h/r.git", unit[] = "ns", pattern[] = "^(?<value>[0-9.]+)$";
    *at = (shell_bench){.work = g_build_filename(folder, "work", NULL),
                        .checkout = g_build_filename(folder, "tree", NULL)};
    bench_node(&at->node, &at->config, at->work);
    at->job = (run_job){.id = 7,
                        .project = project,
                        .commit = commit,
                        .url = url,
                        .seed = 42,
                        .benchmark.driver = CFG_DRIVER_COMMAND,
                        .minimum_loops = 2,
                        .benchmark.prepare = bench_no_words,
                        .benchmark.read = {.pattern = pattern,
                                           .unit = unit,
                                           .match_limit = 100000,
                                           .timeout_s = 30,
                                           .size_limit_bytes = 4096},
                        .benchmark.loops = 1,
                        .benchmark.threads = 1,
                        .benchmark.loop_timeout_s = 60,
                        .benchmark.confidence = 0.95,
                        .benchmark.configurations = at->configurations,
                        .benchmark.configurations_count = 1};
    for (int i = 0; i < 2; i++)
        at->configurations[i] = (cfg_configuration){.name = i == 0 ? none : probe,
                                                    .command = bench_shell(line),
                                                    .options = bench_no_words,
                                                    .verify = bench_no_words,
                                                    .total_calls = 1,
                                                    .parent = i == 0 ? NULL : none};
    assert_int_equal(g_mkdir_with_parents(at->checkout, 0700), 0);
    json_t *head = json_pack("{s:{s:i}, s:s, s:i, s:{s:{}}}", "job", "id", 7, "lease", "l",
                             "started_ms", 1, "environment", "detail");
    at->spool = run_spool_create(at->work, 7, head, NULL);
    json_decref(head);
    assert_non_null(at->spool);
}

static inline const run_loop *bench_loop(const shell_bench *at, guint i) {
    const GPtrArray *loops = run_spool_loops(at->spool);
    assert_true(i < loops->len);
    return run_loops_at(loops, i);
}

/* No process leaves a file outside the spool. */
static inline void bench_clear(shell_bench *at) {
    g_autofree char *scratch = g_build_filename(at->work, "scratch", "loop", NULL);
    assert_false(g_file_test(scratch, G_FILE_TEST_EXISTS));
    run_spool_free(at->spool);
    assert_true(run_scratch_remove(at->work, NULL));
    assert_true(run_scratch_remove(at->checkout, NULL));
    for (int i = 0; i < 2; i++)
        g_strfreev(at->configurations[i].command);
    g_free(at->work);
    g_free(at->checkout);
}
