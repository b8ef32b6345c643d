/* moowatch run: what a project's file leaves to it, and what the command line changes. */
#include "ci/command/run.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/ci/command/called.h"
#include "tests/unit/ci/command/fake_runner.h"
#include "tests/unit/ci/command/repository.h"

#include <glib/gstdio.h>

static char *programs; /* the folder of the fake runner */

/* In the repository's folder, with the detection's limits. */
static char *put_project(const char *repository) {
    g_autofree char *text = g_strdup_printf(
        "name: short\nrepository: %s\ndetection:\n  confidence: 0.9\n"
        "  minimum_effect_percent: 5\n  minimum_effect_ns: 1\nbenchmark:\n  driver: native\n"
        "  loops: 3\n  total_calls: 8\n  configurations:\n"
        "    - {name: none, portion: T, warmup_calls: 4}\n"
        "    - {name: full, portion: W, parent: none, warmup_calls: 4}\n",
        repository);
    return put(repository, "short.yaml", text);
}

/* A runner that writes the files of both commits, or of one: W is `before` and `after` ns. More:
 * lines of its script that come last. */
static void fake_results_and(guint before, guint after, const char *more) {
    g_autofree char *script = g_strdup_printf(
        "while [ $# -gt 0 ]; do\n"
        "  case $1 in --results) at=$2 ;; --before) two=yes ;; --loops) echo $2 >\"$0.loops\" ;; "
        "esac\n"
        "  shift\ndone\n"
        "loops() {\n  mkdir -p $1\n  for loop in 1 2 3; do for c in none full; do\n"
        "    mean=$((100 + loop)); [ $c = none ] || mean=$(($2 + 100 + loop))\n"
        "    for call in 1 2 3 4 5 6 7 8; do echo \"0;$mean\"; done >$1/raw-$loop-10-$c.csv\n"
        "  done; done\n}\n"
        "if [ \"$two\" ]; then loops $at/before %u; loops $at/after %u; else loops $at %u; fi\n%s",
        before, after, after, more);
    fake_runner(programs, script);
}

static void fake_results(guint before, guint after) {
    fake_results_and(before, after, "");
}

#define RUN(project, ...) CALL(ci_command_run.run, "run", project, __VA_ARGS__)

static void one_commit(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *folder = g_build_filename(*state, "out", NULL);
    fake_results(0, 700);
    g_auto(called) c = RUN(project, "--dir", folder, "--json");
    expect_called(&c, CI_OK, NULL, "");
    json_t *night = json_loads(c.out, 0, NULL);
    const json_t *portions = json_object_get(night, "portions");
    expect_real(json_array_get(portions, 0), "mean_ns", 102);
    expect_real(json_array_get(portions, 1), "mean_ns", 700);
    expect_real(night, "level", 0.9); /* the project's */
    json_decref(night);
    expect_called(&c, CI_OK, "\"warmup_calls\":4", "");
}

static void two_commits(void **state) {
    g_autofree char *project = put_project(*state);
    static const struct {
        guint after;
        const char *option;
        ci_exit exit;
        const char *out;
    } cases[] = {{770, "--json", CI_FOUND, "\"direction\":\"up\""},
                 {770, "--minimum-percent=20", CI_OK, "nothing changed"},
                 {720, "--confidence=0.8", CI_OK, "intervals of 80 %"},
                 {720, "--minimum-percent=1", CI_FOUND, "rose"},
                 {720, "--minimum-ns=50", CI_OK, "nothing changed"},
                 {720, "--markdown=-", CI_OK,
                  "### short: nothing changed by more than is ignored; W \\+20.0 ns: Writing"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strdup_printf("out%zu", i);
        g_autofree char *folder = g_build_filename(*state, name, NULL);
        fake_results(700, cases[i].after);
        g_auto(called) c = RUN(project, "--dir", folder, "--compare", "light", cases[i].option);
        expect_called(&c, cases[i].exit, cases[i].out, "");
    }
}

static void two_commits_at_the_same_time(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *folder = g_build_filename(*state, "out", NULL);
    fake_results_and(700, 770,
                     "echo '{\"loops\":[{\"readings\":{\"duet\":{\"cpus\":\"0\"}}}]}' "
                     ">$at/after/experiment.json\n");
    g_auto(called) c = RUN(project, "--dir", folder, "--compare", "light");
    expect_called(&c, CI_FOUND, "Both ran at the same time", "");
    expect_called(&c, CI_FOUND, "rose", "");
}

static void what_is_refused_before_anything_runs(void **state) {
    g_autofree char *project = put_project(*state), *bad = put(*state, "bad.yaml", "name: x\n");
    fake_runner(programs, "touch \"$0.ran\"\n");
    g_autofree char *ran = g_build_filename(programs, "moowatch-runner.ran", NULL);
    const struct {
        const char *project, *option, *says;
        ci_exit exit;
    } cases[] = {{project, "--loops=1", "--loops: at least 2", CI_USAGE},
                 {project, "--loops=-4", "--loops: at least 2", CI_USAGE},
                 {project, "--compare=main", "both are the same commit", CI_USAGE},
                 {project, "--compare=nothing", "no commit \"nothing\"", CI_INPUT},
                 {project, "--commit=nothing", "no commit \"nothing\"", CI_INPUT},
                 {project, "--repository=/no/such", "/no/such", CI_INPUT},
                 {bad, "--json", "bad.yaml", CI_INPUT},
                 {"/no/such.yaml", "--json", "/no/such.yaml", CI_INPUT}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(called) c = RUN(cases[i].project, cases[i].option);
        expect_called(&c, cases[i].exit, "", cases[i].says);
    }
    assert_false(g_file_test(ran, G_FILE_TEST_EXISTS));
}

static void loops_are_passed_on(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *folder = g_build_filename(*state, "out", NULL);
    fake_results(0, 700);
    g_auto(called) c = RUN(project, "--dir", folder, "--loops", "3");
    expect_called(&c, CI_OK, "3 loops", "");
    g_autofree char *note = g_build_filename(programs, "moowatch-runner.loops", NULL), *text = NULL;
    assert_true(g_file_get_contents(note, &text, NULL, NULL));
    assert_string_equal(text, "3\n");
}

/* A runner that ended well and left nothing is no measurement. */
static void nothing_was_left(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *folder = g_build_filename(*state, "out", NULL);
    fake_runner(programs, "exit 0\n");
    g_auto(called) c = RUN(project, "--dir", folder);
    expect_called(&c, CI_INPUT, "", "is this a MooBench result?");
}

/* Without --dir the folder has the commit's name, where the command is called. */
static void a_folder_by_the_commit(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *commit = GIT_TEXT(*state, "rev-parse", "--short=12", "light");
    g_autofree char *before = g_get_current_dir();
    g_autofree char *pattern = g_strdup_printf("overhead-%s", commit);
    fake_results(0, 700);
    assert_int_equal(g_chdir(*state), 0);
    g_auto(called) c = RUN(project, "--commit=light");
    assert_int_equal(g_chdir(before), 0);
    expect_called(&c, CI_OK, pattern, "");
}

/* Records that were dropped are told beside the result. */

static char *printed(const char *record) {
    g_autofree char *folder = g_dir_make_tmp("moowatch-received-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    if (record)
        assert_true(g_file_set_contents(path, record, -1, NULL));
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    received_print(folder, to);
    (void)fclose(to);
    g_unlink(path);
    g_rmdir(folder);
    char *owned = g_strdup(text);
    free(text);
    return owned;
}

#define LOOP(name, failed, told)                                                                   \
    "{\"configuration\":\"" name "\",\"failed\":" failed ",\"readings\":{" told "}}"
#define TOLD(records) "\"receiver\":{\"records\":" #records ",\"expected\":1000}"

static void what_was_dropped_is_told(void **state) {
    (void)state;
    static const struct {
        const char *loops, *says;
    } cases[] = {
        {LOOP("w", "null", TOLD(50)) "," LOOP("w", "null", TOLD(150)),
         "w: 200 of 2000 records reached the receiver (10.0 %); the rest was dropped.\n"},
        {LOOP("w", "null", TOLD(1000)), ""},
        {LOOP("w", "\"why\"", TOLD(0)) "," LOOP("w", "null", TOLD(1000)), ""},
        {LOOP("b", "null", TOLD(1)) "," LOOP("a", "null", TOLD(2)),
         "a: 2 of 1000 records reached the receiver (0.2 %); the rest was dropped.\n"
         "b: 1 of 1000 records reached the receiver (0.1 %); the rest was dropped.\n"},
        {LOOP("w", "null", "\"verify\":{\"records\":30,\"expected\":40}"),
         "w: 30 of 40 records were written, as verify counted (75.0 %); the rest was dropped.\n"},
        {LOOP("w", "null", "\"verify\":{\"records\":30}"), ""},
        {LOOP("w", "null", "\"verify\":{\"records\":40,\"expected\":40}"), ""},
        {LOOP("none", "null", "") "," LOOP("w", "null", "\"receiver\":{\"expected\":9}"), ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *record = g_strdup_printf("{\"loops\":[%s]}", cases[i].loops);
        g_autofree char *text = printed(record);
        assert_string_equal(text, cases[i].says);
    }
    g_autofree char *without = printed(NULL), *broken = printed("{");
    assert_string_equal(without, "");
    assert_string_equal(broken, "");
}

/* The doubts of a night beside this record. */
static json_t *doubts(const char *record, const char *night_text) {
    g_autofree char *folder = g_dir_make_tmp("moowatch-received-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "experiment.json", NULL);
    if (record)
        assert_true(g_file_set_contents(path, record, -1, NULL));
    json_t *night = json_loads(night_text, 0, NULL);
    json_t *list = received_doubts(folder, night);
    json_decref(night);
    g_unlink(path);
    g_rmdir(folder);
    return list;
}

static void doubts_are_of_the_night_and_its_loops(void **state) {
    (void)state;
    static const char night[] =
        "{\"portions\":[{\"portion\":\"I\",\"configuration\":\"probe\",\"parent\":\"none\","
        "\"low_ns\":-1,\"median_low_ns\":-1}]}";
    static const char *const expect[][2] = {{"silent", "probe"}, {"dropped", "w"}, {"failed", "w"}};
    json_t *list = doubts("{\"loops\":[" LOOP("w", "null", TOLD(50)) "," LOOP(
                              "none", "null", "") "," LOOP("w", "\"why\"", TOLD(0)) ",{}]}",
                          night);
    assert_int_equal(json_array_size(list), G_N_ELEMENTS(expect));
    for (size_t i = 0; i < G_N_ELEMENTS(expect); i++) {
        const json_t *one = json_array_get(list, i);
        assert_string_equal(json_string_value(json_object_get(one, "kind")), expect[i][0]);
        assert_string_equal(json_string_value(json_object_get(one, "configuration")), expect[i][1]);
    }
    json_decref(list);
    list = doubts(NULL, night);
    assert_int_equal(json_array_size(list), 1);
    json_decref(list);
    list = doubts(NULL, "{}");
    assert_int_equal(json_array_size(list), 0);
    json_decref(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_REPOSITORY(one_commit),
        IN_REPOSITORY(two_commits),
        IN_REPOSITORY(two_commits_at_the_same_time),
        IN_REPOSITORY(what_is_refused_before_anything_runs),
        IN_REPOSITORY(loops_are_passed_on),
        IN_REPOSITORY(nothing_was_left),
        IN_REPOSITORY(a_folder_by_the_commit),
        cmocka_unit_test(what_was_dropped_is_told),
        cmocka_unit_test(doubts_are_of_the_night_and_its_loops),
    };
    programs = fake_runner_folder();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)remove_folder((void **)&programs);
    return failed;
}
