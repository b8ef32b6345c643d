/* Local results in the shape of the server's nights: portions, intervals, what is missing. */
#include "tests/unit/ci/command/results_folder.h"

#include "ci/command/analyze.h"
#include "ci/formats/night.h"
#include "config/model/benchmark.h"

static ci_results *results_of(const char *folder, bool allow_missing) {
    const ci_moobench_options options = {.warmup_calls = DET_RAW_WARMUP_HALF,
                                         .allow_missing = allow_missing};
    ci_results *results = ci_moobench_read(folder, &options, NULL);
    assert_non_null(results);
    return results;
}

static json_t *at(const json_t *object, const char *key, size_t i) {
    json_t *one = json_array_get(json_object_get(object, key), i);
    assert_non_null(one);
    return one;
}

/* The differences of loop l are the same for every l: intervals of no width. */
static void portions_of_upstreams_chain(void **state) {
    static const struct {
        const char *portion, *parent;
        double mean;
    } wanted[] = {{"T", NULL, 102}, {"I", "0", 50}, {"C", "1", 150}, {"W", "2", 600}};
    put_results(*state, 0);
    g_autoptr(ci_results) results = results_of(*state, false);
    json_t *night = ci_night_of(results, 0.95, NULL);
    expect_text(night, "state", "measured");
    expect_text(night, "source", *state);
    expect_real(night, "loops", 3);
    expect_real(night, "recursion_depth", 10);
    expect_real(json_object_get(night, "total"), "mean_ns", 902);
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
        const json_t *portion = at(night, "portions", i);
        expect_text(portion, "portion", wanted[i].portion);
        expect_text(portion, "parent", wanted[i].parent);
        expect_text(portion, "verdict", "first");
        expect_real(portion, "mean_ns", wanted[i].mean);
        expect_real(portion, "median_ns", wanted[i].mean);
    }
    json_decref(night);
}

/* 101, 102, 103: mean 102 ± qt(0.975, 2) / sqrt(3), twelve calls as if independent. */
static void the_statistics_of_a_configuration(void **state) {
    put_results(*state, 0);
    g_autoptr(ci_results) results = results_of(*state, false);
    json_t *night = ci_night_of(results, 0.95, NULL);
    const json_t *one = at(night, "configurations", 0);
    const double half = 4.302652729696142 / sqrt(3);
    expect_text(one, "name", "0");
    expect_real(one, "loops", 3);
    const json_t *statistics = json_object_get(one, "statistics");
    assert_true(fabs(cfg_json_number(statistics, "low_ns") - (102 - half)) < 1e-6);
    assert_true(fabs(cfg_json_number(statistics, "high_ns") - (102 + half)) < 1e-6);
    const double low = cfg_json_number(statistics, "calls_low_ns");
    const double high = cfg_json_number(statistics, "calls_high_ns");
    assert_true(fabs((low + high) / 2 - 102) < 1e-9 && low < 102);
    expect_real(at(one, "loop_results", 2), "loop", 3);
    expect_real(json_object_get(at(one, "loop_results", 2), "summary"), "mean_ns", 103);
    json_decref(night);
}

static void a_missing_loop_is_told(void **state) {
    put_results(*state, 0);
    g_autofree char *path = g_build_filename(*state, "raw-2-10-3.csv", NULL);
    assert_int_equal(g_remove(path), 0);
    g_autoptr(ci_results) results = results_of(*state, true);
    json_t *night = ci_night_of(results, 0.95, NULL);
    const json_t *writer = at(night, "configurations", 3);
    expect_real(writer, "loops", 2);
    expect_text(at(writer, "loop_results", 1), "failed", "the raw file is missing");
    assert_true(json_is_null(json_object_get(at(writer, "loop_results", 1), "summary")));
    assert_true(json_is_null(json_object_get(at(writer, "loop_results", 0), "failed")));
    json_decref(night);
}

static void one_loop_has_no_interval(void **state) {
    put_loop(*state, 1, "0", 100);
    g_autoptr(ci_results) results = results_of(*state, false);
    json_t *night = ci_night_of(results, 0.95, NULL);
    const json_t *only = at(night, "portions", 0);
    expect_real(only, "mean_ns", 100);
    expect_real(only, "low_ns", NAN);
    assert_true(json_is_null(json_object_get(only, "high_ns")));
    json_decref(night);
}

static void a_level_that_is_none(void **state) {
    put_results(*state, 0);
    g_autoptr(ci_results) results = results_of(*state, false);
    GError *error = NULL;
    assert_null(ci_night_of(results, 1, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, (const char *)*state);
}

/* What a run of ours left says its chain, labels and warm-up. */

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
    ci_results_options options = CI_RESULTS_OPTIONS;
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
    const struct CMUnitTest tests[] = {
        IN_FOLDER(portions_of_upstreams_chain), IN_FOLDER(the_statistics_of_a_configuration),
        IN_FOLDER(a_missing_loop_is_told),      IN_FOLDER(one_loop_has_no_interval),
        IN_FOLDER(a_level_that_is_none),        IN_FOLDER(the_chain_of_the_run),
        IN_FOLDER(another_record_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
