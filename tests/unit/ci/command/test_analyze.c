/* One experiment to its portions. By hand: T, I, C and W are 102, 50, 150 and 600 ns. */
#include "ci/command/analyze.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/ci/command/results_folder.h"
#include "tests/unit/ci/expect.h"

static void portions(void **state) {
    put_results(*state, 0);
    g_auto(called) c = CALL(ci_command_analyze.run, "analyze", *state, "--json");
    expect_called(&c, CI_OK, NULL, "");
    json_t *night = json_loads(c.out, 0, NULL);
    static const struct {
        const char *portion;
        double mean_ns;
    } wanted[] = {{"T", 102}, {"I", 50}, {"C", 150}, {"W", 600}};
    const json_t *portions = json_object_get(night, "portions");
    assert_int_equal(json_array_size(portions), G_N_ELEMENTS(wanted));
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
        expect_text(json_array_get(portions, i), "portion", wanted[i].portion);
        expect_real(json_array_get(portions, i), "mean_ns", wanted[i].mean_ns);
    }
    expect_real(night, "loops", 3);
    expect_real(night, "recursion_depth", 10);
    expect_real(json_object_get(night, "total"), "mean_ns", 902);
    json_decref(night);
}

static void a_table_for_people(void **state) {
    put_results(*state, 0);
    g_auto(called) c = CALL(ci_command_analyze.run, "analyze", *state);
    static const char *const says[] = {
        ": recursion depth 10, 3 loops, 4 calls kept of each loop (4 dropped)\n",
        "intervals of 95 % over the loops' means.\n",
        "\nportion  configuration  minus",
        "\nW        3              2      600.0",
        "no decision uses it.\n",
    };
    for (size_t i = 0; i < G_N_ELEMENTS(says); i++)
        expect_called(&c, CI_OK, says[i], "");
}

static void options(void **state) {
    put_results(*state, 0);
    static const struct {
        const char *option;
        const char *path[3]; /* of the number */
        double value;
    } cases[] = {{"--confidence=0.8", {"level"}, 0.8},
                 {"--warmup=0", {"total", "mean_ns"}, (1000000.0 * 4 + 902.0 * 4) / 8},
                 {"--warmup=7", {"total", "mean_ns"}, 905},
                 {"--depth=10", {"recursion_depth"}, 10},
                 {"--threads=1", {"total", "mean_ns"}, 902}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(called) c =
            CALL(ci_command_analyze.run, "analyze", *state, "--json", cases[i].option);
        expect_called(&c, CI_OK, NULL, "");
        json_t *night = json_loads(c.out, 0, NULL);
        const json_t *at = night;
        size_t k = 0;
        for (; cases[i].path[k + 1]; k++)
            at = json_object_get(at, cases[i].path[k]);
        expect_real(at, cases[i].path[k], cases[i].value);
        json_decref(night);
    }
}

static void options_out_of_range(void **state) {
    put_results(*state, 0);
    static const struct {
        const char *option, *says;
        ci_exit exit;
    } cases[] = {{"--depth=-1", "--depth: out of range", CI_USAGE},
                 {"--depth=3", "depth 3; found: 10", CI_INPUT},
                 {"--warmup=-2", "--warmup: out of range", CI_USAGE},
                 {"--warmup=8", "raw-", CI_INPUT},
                 {"--threads=257", "--threads: out of range", CI_USAGE},
                 {"--confidence=1", "--confidence: out of range", CI_USAGE},
                 {"--confidence=0", "--confidence: out of range", CI_USAGE},
                 {"--chain=T", "--chain has 1 items", CI_INPUT},
                 {"--project=/no/such.yaml", "/no/such.yaml", CI_INPUT},
                 {"--labels=/no/such.sh", "/no", CI_INPUT}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(called) c = CALL(ci_command_analyze.run, "analyze", *state, cases[i].option);
        expect_called(&c, cases[i].exit, "", cases[i].says);
    }
    g_auto(called) both =
        CALL(ci_command_analyze.run, "analyze", *state, "--chain=T", "--project=p.yaml");
    expect_called(&both, CI_USAGE, "", "--chain and --project exclude each other");
}

/* Loops are a sample of processes: of one there is no spread, and so no interval. */
static void a_single_loop(void **state) {
    put_loop(*state, 1, "0", 100);
    put_loop(*state, 1, "1", 150);
    g_auto(called) c = CALL(ci_command_analyze.run, "analyze", *state);
    expect_called(&c, CI_OK, "1 loop, ", "");
    assert_non_null(strstr(c.out, "One loop has no interval"));
    g_auto(called) json = CALL(ci_command_analyze.run, "analyze", *state, "--json");
    json_t *night = json_loads(json.out, 0, NULL);
    assert_true(json_is_null(json_object_get(json_object_get(night, "total"), "low_ns")));
    json_decref(night);
}

static void a_loop_that_is_cut_short(void **state) {
    put_results(*state, 0);
    g_free(put(*state, "raw-2-10-3.csv", "0;1000000\n0;902\n"));
    g_auto(called) c = CALL(ci_command_analyze.run, "analyze", *state);
    expect_called(&c, CI_INPUT, "", "was it cut short? --allow-missing uses what is there");
    g_auto(called) allowed = CALL(ci_command_analyze.run, "analyze", *state, "--allow-missing");
    expect_called(&allowed, CI_OK, "1 to 4 calls kept of each loop (1 to 4 dropped)", "");
    g_autofree char *gone = g_build_filename(*state, "raw-2-10-3.csv", NULL);
    g_remove(gone);
    g_auto(called) missing =
        CALL(ci_command_analyze.run, "analyze", *state, "--json", "--allow-missing");
    expect_called(&missing, CI_OK, "\"the raw file is missing\"", "");
}

static void a_wrong_line_is_named(void **state) {
    put_results(*state, 0);
    g_free(put(*state, "raw-2-10-3.csv", "0;1\n0;x\n"));
    g_auto(called) c = CALL(ci_command_analyze.run, "analyze", *state);
    expect_called(&c, CI_INPUT, "", "raw-2-10-3.csv:2:");
}

/* A file takes standard output: no table in it. */
static void files_for_other_tools(void **state) {
    put_results(*state, 0);
    g_auto(called) c = CALL(ci_command_analyze.run, "analyze", *state, "--plot-csv", "-");
    expect_called(&c, CI_OK, NULL, "");
    assert_string_equal(c.out, "\"T\",\"I\",\"C\",\"W\"\n102.000,50.000,150.000,600.000\n");
}

/* A driver that reads a program's own figures leaves its record alone. */
static void figures_without_calls(void **state) {
    g_autofree char *project =
        put(*state, "short.yaml",
            "name: short\nrepository: /r\nbenchmark:\n  driver: native\n  loops: 2\n"
            "  total_calls: 8\n  configurations:\n    - {name: none, portion: T}\n"
            "    - {name: full, portion: W, parent: none}\n");
#define LOOP(configuration, loop, mean)                                                            \
    "{\"configuration\": \"" configuration "\", \"loop\": " loop ", \"warmup_calls\": 4, "         \
    "\"summary\": {\"n\": 4, \"mean_ns\": " mean ", \"sd_ns\": 1}}"
    g_free(put(*state, "experiment.json",
               "{\"loops\": [" LOOP("none", "1", "99") "," LOOP("none", "2", "101") "," LOOP(
                   "full", "1", "398") "," LOOP("full", "2", "402") "]}"));
    g_auto(called) c =
        CALL(ci_command_analyze.run, "analyze", *state, "--json", "--project", project);
    expect_called(&c, CI_OK, NULL, "");
    json_auto_t *night = json_loads(c.out, 0, NULL);
    const json_t *portions = json_object_get(night, "portions");
    expect_real(json_array_get(portions, 0), "mean_ns", 100);
    expect_real(json_array_get(portions, 1), "mean_ns", 300);
    expect_real(night, "loops", 2);
    g_free(put(*state, "experiment.json", "{\"loops\": []}"));
    g_auto(called) none = CALL(ci_command_analyze.run, "analyze", *state, "--project", project);
    expect_called(&none, CI_INPUT, "", "experiment.json: there are no loops in it");
}

/* What a program of one's own measures has no recursion that anybody told. */
static void a_depth_of_nobody(void **state) {
    g_autofree char *project =
        put(*state, "own.yaml",
            "name: own\nrepository: /r\nbenchmark:\n  driver: command\n  loops: 2\n"
            "  read: {format: pytest-benchmark-json}\n"
            "  configurations:\n    - {name: none, portion: T, command: [a]}\n");
    g_free(put(*state, "experiment.json",
               "{\"loops\": [" LOOP("none", "1", "99") "," LOOP("none", "2", "101") "]}"));
    g_auto(called) c = CALL(ci_command_analyze.run, "analyze", *state, "--project", project);
    expect_called(&c, CI_OK, ": 2 loops", "");
    assert_null(strstr(c.out, "depth"));
}

/* experiment.json of `moowatch run`: which attempt of a loop counts, and what is no experiment. */

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
    return summaries_read(folder, project, error);
}

#define SUMMARY(configuration_, loop_, mean_, more_)                                               \
    "{'configuration': '" configuration_ "', 'loop': " #loop_                                      \
    ", 'warmup_calls': 5, 'summary': {'n': 10, 'mean_ns': " #mean_ "}" more_ "}"
#define DISTURBED ", 'disturbed': true"
#define FAILED ", 'failed': 'timeout'"

static void every_loop_has_its_place(void **state) {
    g_autoptr(ci_results) r = read_text(
        *state, "{'loops': [" SUMMARY("full", 2, 40, "") "," SUMMARY("none", 1, 10, "") "]}", NULL);
    assert_non_null(r);
    assert_int_equal(r->loops, 2);
    assert_int_equal(r->links->len, 2);
    assert_true(r->configurations[0].loops[0].calls.mean == 10);
    assert_int_equal(r->configurations[0].loops[0].warmup_calls, 5);
    assert_false(r->configurations[0].loops[1].present);
    assert_true(r->configurations[1].loops[1].calls.mean == 40);
    assert_true(isnan(r->configurations[1].all.median)); /* that needs the single calls */
}

#define SPREAD(loop_, n_, mean_, sd_, min_, max_)                                                  \
    "{'configuration': 'none', 'loop': " #loop_ ", 'warmup_calls': 2, 'summary': {'n': " #n_       \
    ", 'mean_ns': " #mean_ ", 'sd_ns': " #sd_ ", 'min_ns': " #min_ ", 'max_ns': " #max_ "}}"

/* R: x <- c(1, 2, 3, 10, 14); c(mean(x), sd(x), range(x)) */
static void samples_of_all_loops_have_their_spread(void **state) {
    g_autoptr(ci_results) r = read_text(*state,
                                        "{'loops': [" SPREAD(1, 3, 2, 1, 1, 3) "," SPREAD(
                                            3, 2, 12, 2.8284271247461903, 10, 14) "]}",
                                        NULL);
    assert_non_null(r);
    const det_summary *all = &r->configurations[0].all;
    assert_int_equal(all->n, 5);
    assert_true(fabs(all->mean - 6) < 1e-12 && fabs(all->sd - 5.7008771254956896) < 1e-12);
    assert_true(all->min == 1 && all->max == 14 && isnan(all->q1) && isnan(all->p99));
    assert_int_equal(r->configurations[1].all.n, 0);
    g_autoptr(ci_results) single = read_text(
        *state, "{'loops': [" SPREAD(1, 1, 2, 0, 2, 2) "," SPREAD(2, 1, 4, 0, 4, 4) "]}", NULL);
    assert_int_equal(single->configurations[0].all.n, 0); /* a value a loop: they are its means */
}

/* The last good, undisturbed attempt counts, else the last good one, in whatever order they are. */
static void which_attempt_counts(void **state) {
    static const struct {
        const char *attempts;
        double mean; /* NaN: none counts */
    } cases[] = {
        {SUMMARY("none", 1, 1, "") "," SUMMARY("none", 1, 2, ""), 2},
        {SUMMARY("none", 1, 1, "") "," SUMMARY("none", 1, 2, DISTURBED), 1},
        {SUMMARY("none", 1, 1, DISTURBED) "," SUMMARY("none", 1, 2, ""), 2},
        {SUMMARY("none", 1, 1, DISTURBED) "," SUMMARY("none", 1, 2, DISTURBED), 2},
        {SUMMARY("none", 1, 1, "") "," SUMMARY("none", 1, 2, FAILED), 1},
        {SUMMARY("none", 1, 1, DISTURBED) "," SUMMARY("none", 1, 2, FAILED), 1},
        {SUMMARY("none", 1, 1, FAILED), (double)NAN},
        {SUMMARY("other", 1, 1, ""), (double)NAN},
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
        IN_FOLDERS(portions),
        IN_FOLDERS(a_table_for_people),
        IN_FOLDERS(options),
        IN_FOLDERS(options_out_of_range),
        IN_FOLDERS(a_single_loop),
        IN_FOLDERS(a_loop_that_is_cut_short),
        IN_FOLDERS(a_wrong_line_is_named),
        IN_FOLDERS(files_for_other_tools),
        IN_FOLDERS(figures_without_calls),
        IN_FOLDERS(a_depth_of_nobody),

        IN_FOLDER(every_loop_has_its_place),
        IN_FOLDER(samples_of_all_loops_have_their_spread),
        IN_FOLDER(which_attempt_counts),
        IN_FOLDER(what_is_no_experiment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
