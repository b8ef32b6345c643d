/* experiment.json of `moowatch run`: which attempt of a loop counts, and what is no experiment. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/summaries.h"

static cfg_project *project_of(const char *folder) {
    g_autofree char *path = put(folder, "p.yaml",
                                "name: p\nrepository: /r\nbenchmark:\n  driver: command\n  read: "
                                "{pattern: '(?<value>x)', unit: ns}\n"
                                "  configurations:\n    - {name: none, portion: T, command: [a]}\n"
                                "    - {name: full, portion: W, parent: none, command: [b]}\n");
    GError *error = NULL;
    cfg_project *project = cfg_project_load(path, &error);
    if (!project)
        fail_msg("%s", error->message);
    return project;
}

static ci_results *read_text(const char *folder, const char *text, GError **error) {
    g_autofree char *json = g_strdelimit(g_strdup(text), "'", '"');
    g_free(put(folder, "experiment.json", json));
    g_autoptr(cfg_project) project = project_of(folder);
    return ci_summaries_read(folder, project, error);
}

#define LOOP(configuration_, loop_, mean_, more_)                                                  \
    "{'configuration': '" configuration_ "', 'loop': " #loop_                                      \
    ", 'warmup_calls': 5, 'summary': {'n': 10, 'mean_ns': " #mean_ "}" more_ "}"
#define DISTURBED ", 'disturbed': true"
#define FAILED ", 'failed': 'timeout'"

static void every_loop_has_its_place(void **state) {
    g_autoptr(ci_results) r = read_text(
        *state, "{'loops': [" LOOP("full", 2, 40, "") "," LOOP("none", 1, 10, "") "]}", NULL);
    assert_non_null(r);
    assert_int_equal(r->loops, 2);
    assert_int_equal(r->links->len, 2);
    assert_true(r->configurations[0].loops[0].calls.mean == 10);
    assert_int_equal(r->configurations[0].loops[0].warmup_calls, 5);
    assert_false(r->configurations[0].loops[1].present);
    assert_true(r->configurations[1].loops[1].calls.mean == 40);
    assert_true(isnan(r->configurations[1].all.median)); /* that needs the single calls */
}

/* The last good, undisturbed attempt counts, else the last good one, in whatever order they are. */
static void which_attempt_counts(void **state) {
    static const struct {
        const char *attempts;
        double mean; /* NaN: none counts */
    } cases[] = {
        {LOOP("none", 1, 1, "") "," LOOP("none", 1, 2, ""), 2},
        {LOOP("none", 1, 1, "") "," LOOP("none", 1, 2, DISTURBED), 1},
        {LOOP("none", 1, 1, DISTURBED) "," LOOP("none", 1, 2, ""), 2},
        {LOOP("none", 1, 1, DISTURBED) "," LOOP("none", 1, 2, DISTURBED), 2},
        {LOOP("none", 1, 1, "") "," LOOP("none", 1, 2, FAILED), 1},
        {LOOP("none", 1, 1, DISTURBED) "," LOOP("none", 1, 2, FAILED), 1},
        {LOOP("none", 1, 1, FAILED), (double)NAN},
        {LOOP("other", 1, 1, ""), (double)NAN},
        {"{'configuration': 'none', 'loop': 1, 'summary': null}", (double)NAN},
        {"{'configuration': 'none', 'loop': 1}, 7", (double)NAN},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf("{'loops': [%s]}", cases[i].attempts);
        g_autoptr(ci_results) r = read_text(*state, text, NULL);
        assert_non_null(r);
        const ci_loop *loop = &r->configurations[0].loops[0];
        assert_true(loop->present == !isnan(cases[i].mean));
        assert_true(!loop->present || loop->calls.mean == cases[i].mean);
    }
}

static void what_is_no_experiment(void **state) {
    static const char *const texts[] = {"{'loops': []}",
                                        "{}",
                                        "{'loops': 3}",
                                        "{'loops': [{'loop': 0}]}",
                                        "{'loops': [{'loop': -1}]}",
                                        "{'loops': [{'loop': 99999999}]}",
                                        "{'loops': [{'loop': 'x'}]}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        GError *error = NULL;
        assert_null(read_text(*state, texts[i], &error));
        EXPECT_ERROR(error, CI_ERROR_INPUT, "there are no loops in it");
    }
    GError *error = NULL;
    assert_null(read_text(*state, "{'loops': [", &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "experiment.json: ");
    assert_null(read_text(*state, "{'loops': [], 'loops': []}", &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "experiment.json: ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_loop_has_its_place),
        IN_FOLDER(which_attempt_counts),
        IN_FOLDER(what_is_no_experiment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
