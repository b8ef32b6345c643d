#include "runner/job/job.h"

#include "config/credential.h"
#include "config/model/benchmark.h"
#include "config/number.h"
#include "config/projects.h"
#include "detector/statistics/dimension.h"
#include "runner/ground/error.h"
#include "runner/protocol.h"

#include <math.h>
#include <string.h>

#define FILE_NAME_BYTES_MAX 128

/* Of those that git is allowed to use (checkout.c). */
static bool is_url(const char *text) {
    return cfg_url_kind_of(text) != CFG_URL_NONE;
}

/* It becomes the name of a file. */
static bool is_file_name(const char *name) {
    return strlen(name) <= FILE_NAME_BYTES_MAX && g_ascii_isalnum(name[0]) &&
           name[strspn(
               name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-")] == '\0';
}

/* The token goes with it: to the server it belongs to, and nowhere else. */
static bool is_server_path(const char *url) {
    return model_is_plain(url) && url[0] == '/' && url[1] != '/';
}

static const model_member artifact_members[] = {
    MODEL(run_job_artifact, name, "name", .good = is_file_name, .expected = "a file name"),
    MODEL(run_job_artifact, sha256, "sha256", .good = cfg_is_sha256,
          .expected = "a SHA-256 in hex"),
    MODEL(run_job_artifact, url, "url", .good = is_server_path, .expected = "a path on the server"),
    MODEL(run_job_artifact, bytes, "bytes", .low = 1)};
static const model_noun artifact = MODEL_NOUN(run_job_artifact, artifact_members, "artifact");

static const model_member repository_members[] = {
    MODEL(run_job, url, "url", .good = is_url,
          .expected = "an https, http, ssh, git or file URL, user@host:path or an absolute path"),
    MODEL(run_job, branch, "branch", .good = cfg_is_branch, .expected = "a branch name")};
static const model_noun repository = MODEL_NOUN(run_job, repository_members, "repository");

static bool is_profile(const char *word) {
    return g_str_equal(word, DET_PROFILE_PROCESS) || g_str_equal(word, DET_PROFILE_START) ||
           g_str_equal(word, DET_PROFILE_MEMORY);
}

static bool is_kind(const run_job *job, const char *kind) {
    return g_strcmp0(job->kind, kind) == 0;
}

static bool explains(const void *job) {
    return is_kind(job, "explain");
}

static bool uses_artifact(const void *job) {
    return ((const run_job *)job)->benchmark.artifact != NULL;
}

static bool uses_two(const void *job) {
    return uses_artifact(job) && ((const run_job *)job)->before;
}

static const model_member job_members[] = {
    MODEL(run_job, id, "id", .low = 1),
    MODEL(run_job, project, "project", MODEL_PLAIN),
    MODEL(run_job, seed, "seed"),
    MODEL(run_job, kind, "kind", MODEL_LEFT_OUT),
    MODEL(run_job, commit, "commit", .good = cfg_is_commit, .expected = "a full commit id in hex"),
    MODEL(run_job, before, "before", MODEL_LEFT_OUT, .good = cfg_is_commit,
          .expected = "a full commit id in hex that differs from \"commit\""),
    MODEL(run_job, explain_minutes, "explain_minutes", .low = RUN_EXPLAIN_MINUTES_LEAST,
          .high = RUN_EXPLAIN_MINUTES_MAX, .belongs = explains),
    MODEL(run_job, profile_command, "profile_command", MODEL_LEFT_OUT, CFG_ARGV,
          .belongs = explains),
    MODEL(run_job, profile_root, "profile_root", MODEL_LEFT_OUT, MODEL_PLAIN, .belongs = explains),
    MODEL(run_job, profile_of, "profile_of", MODEL_LEFT_OUT, .good = is_profile,
          .expected = "process, start or memory; a newer server needs a newer runner",
          .belongs = explains),
    MODEL(run_job, minimum_loops, "minimum_loops", MODEL_LEFT_OUT, RUN_MINIMUM_LOOPS, .low = 1,
          .high = CFG_LOOPS_MAX),
    MODEL_INSIDE(repository, "repository"),
    MODEL_A(run_job, benchmark, cfg_benchmark_model, MODEL_PART, "benchmark"),
    MODEL_A(run_job, artifact, artifact, MODEL_OWN, "artifact", .belongs = uses_artifact),
    MODEL_A(run_job, before_artifact, artifact, MODEL_OWN, "before_artifact", .belongs = uses_two)};

/* A trial has two commits, everything else one. */
static bool commits_fit(const void *object, GError **error) {
    const run_job *job = object;
    const bool trial =
        is_kind(job, "confirmation") || is_kind(job, "bisection") || is_kind(job, "explain");
    if (!trial)
        return !job->before ||
               model_wrong(error, "before",
                           "left out unless \"kind\" is confirmation, bisection or explain; "
                           "a newer server needs a newer runner");
    return (job->before && strcmp(job->before, job->commit) != 0) ||
           model_wrong(error, "before", "a full commit id in hex that differs from \"commit\"");
}

static const model_noun job_noun = MODEL_NOUN(run_job, job_members, "job", commits_fit);

run_job *run_job_parse(json_t *source, GError **error) {
    g_autoptr(run_job) job = g_new0(run_job, 1);
    g_autoptr(GError) problem = NULL;
    if (!model_read(&job_noun, source, job, &problem)) {
        run_wrong(error, "%s", problem->message);
        return NULL;
    }
    job->explain_s = (unsigned)ceil(job->explain_minutes * 60);
    job->source = json_incref(source);
    return g_steal_pointer(&job);
}

void run_job_free(run_job *job) {
    if (!job)
        return;
    json_decref(job->source);
    model_clear(&job_noun, job);
    g_free(job);
}

int run_job_find(const run_job *job, const char *configuration) {
    return cfg_benchmark_find(&job->benchmark, job->benchmark.configurations_count, configuration);
}

int run_job_parent(const run_job *job, unsigned configuration) {
    return run_job_find(job, job->benchmark.configurations[configuration].parent);
}

bool run_job_uses_harness(const run_job *job) {
    for (unsigned i = 0; i < job->benchmark.configurations_count; i++) {
        const char *program = job->benchmark.configurations[i].command[0];
        if (!program || strstr(program, "{harness}") != NULL)
            return true;
    }
    return false;
}

unsigned run_job_commits(const run_job *job) {
    return job->before ? 2 : 1;
}

const char *run_job_commit(const run_job *job, unsigned which) {
    return which == RUN_BEFORE ? job->before : job->commit;
}

const run_job_artifact *run_job_artifact_of(const run_job *job, unsigned which) {
    return which == RUN_BEFORE ? job->before_artifact : job->artifact;
}

uint64_t run_job_calls(const run_job *job, unsigned configuration) {
    return job->benchmark.configurations[configuration].total_calls *
           cfg_benchmark_threads(&job->benchmark, configuration);
}

static bool is_python(const char *program) {
    g_autofree char *name = g_path_get_basename(program);
    return g_str_has_prefix(name, "python") && strspn(name + 6, "0123456789.") == strlen(name + 6);
}

bool run_job_runs_python(const run_job *job) {
    const GStrv command =
        job->benchmark.configurations_count > 0 ? job->benchmark.configurations[0].command : NULL;
    return job->benchmark.driver == CFG_DRIVER_NATIVE && command && command[0] &&
           is_python(command[0]);
}
