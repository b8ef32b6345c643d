#include "ci/formats/record.h"

#include "config/model/benchmark.h"

cfg_project *ci_record_project(const char *folder) {
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    json_t *record = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    const json_t *benchmark = json_object_get(record, "benchmark");
    cfg_project *project = g_new0(cfg_project, 1);
    const bool known =
        benchmark && model_read(&cfg_benchmark_model, benchmark, &project->benchmark, NULL);
    json_decref(record);
    if (known) {
        project->name = g_strdup("experiment.json");
        return project;
    }
    g_free(project);
    return NULL;
}
