/* What a run of ours left says its chain, labels and warm-up. */
#include "tests/unit/ci/command/results_folder.h"

#include "ci/command/results.h"
#include "ci/formats/record.h"
#include "config/model/benchmark.h"

/* experiment.json as a run of the project in that text writes it. */
static void put_record(const char *folder, const char *yaml) {
    g_autofree char *path = put(folder, "project.yaml", yaml);
    g_autoptr(cfg_project) project = cfg_project_load(path, NULL);
    assert_non_null(project);
    json_t *record = json_pack("{s:o,s:[]}", "benchmark",
                               model_write(&cfg_benchmark_model, &project->benchmark), "loops");
    g_autofree char *text = json_dumps(record, 0);
    g_free(put(folder, "experiment.json", text));
    json_decref(record);
}

#define PROJECT                                                                                    \
    "name: x\nrepository: /x\nbenchmark:\n  driver: native\n  total_calls: 8\n  warmup_calls: 6\n" \
    "  configurations:\n"                                                                          \
    "  - {name: none, label: No probe, portion: T}\n"                                              \
    "  - {name: probe, label: With a probe, portion: I, parent: none}\n"                           \
    "  - {name: tcp, portion: W-tcp, parent: probe}\n"                                             \
    "  - {name: file, portion: W-file, parent: probe}\n"

static void the_chain_of_the_run(void **state) {
    put_record(*state, PROJECT);
    static const char *const names[] = {"none", "probe", "tcp", "file"};
    for (guint c = 0; c < G_N_ELEMENTS(names); c++)
        for (guint loop = 1; loop <= 2; loop++)
            put_loop(*state, loop, names[c], 100 * (c + 1) + loop);
    g_auto(ci_results_options) options = CI_RESULTS_OPTIONS;
    GError *error = NULL;
    json_t *night = ci_results_night(*state, &options, &error);
    if (!night)
        fail_msg("%s", error->message);
    const json_t *portions = json_object_get(night, "portions");
    static const char *const wanted[][2] = {
        {"T", NULL}, {"I", "none"}, {"W-tcp", "probe"}, {"W-file", "probe"}};
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
        expect_text(json_array_get(portions, i), "portion", wanted[i][0]);
        expect_text(json_array_get(portions, i), "parent", wanted[i][1]);
    }
    const json_t *first = json_array_get(json_object_get(night, "configurations"), 0);
    expect_text(first, "label", "No probe");
    const json_t *loop = json_array_get(json_object_get(first, "loop_results"), 0);
    expect_real(loop, "warmup_calls", 6); /* the run's, not the half */
    json_decref(night);
}

static void another_record_says_nothing(void **state) {
    static const char *const texts[] = {"{}", "{", "{\"loops\":[]}", "{\"benchmark\":{}}"};
    assert_null(ci_record_project(*state));
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_free(put(*state, "experiment.json", texts[i]));
        assert_null(ci_record_project(*state));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {IN_FOLDER(the_chain_of_the_run),
                                       IN_FOLDER(another_record_says_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
