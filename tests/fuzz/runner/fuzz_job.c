/* What a server answers to a runner that asks for work: a job that is whole, or a reason. */
#include "runner/job/job.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const run_job *job) {
    if (!job->commit || !job->url || job->benchmark.configurations_count == 0 ||
        job->benchmark.loops == 0 || strchr(job->commit, '/') || job->commit[0] == '-' ||
        job->url[0] == '-')
        abort();
    for (unsigned i = 0; i < job->benchmark.configurations_count; i++) {
        const cfg_configuration *c = &job->benchmark.configurations[i];
        if (!c->name || run_job_parent(job, i) >= (int)i || run_job_find(job, c->name) != (int)i)
            abort();
        (void)run_job_calls(job, i);
    }
    for (unsigned i = 0; i < run_job_commits(job); i++) {
        const run_job_artifact *artifact = run_job_artifact_of(job, i);
        if (artifact && artifact->name && strchr(artifact->name, '/'))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    json_t *source = json_loadb((const char *)data, size, 0, NULL);
    g_autoptr(GError) error = NULL;
    if (source) {
        g_autoptr(run_job) job = run_job_parse(source, &error);
        if ((!job) != (error != NULL))
            abort();
        if (job)
            check(job);
    }
    json_decref(source);
    return 0;
}
