/* moowatch plan: a pilot by a fake runner, and what is said of it. */
#include "ci/command/plan.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/ci/command/fake_runner.h"
#include "tests/unit/ci/command/repository.h"
#include "tests/unit/ci/command/results_folder.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#define assert_near(a, b, within) assert_true(fabs((double)(a) - (double)(b)) <= (within))

static char *programs; /* the folder of the fake runner */

static char *put_project(const char *repository) {
    g_autofree char *text = g_strdup_printf(
        "name: short\nrepository: %s\nbenchmark:\n  driver: native\n  rest_seconds: 0\n"
        "  loops: 4\n  total_calls: 2000\n  configurations:\n"
        "    - {name: none, portion: T}\n    - {name: full, portion: W, parent: none}\n",
        repository);
    return put(repository, "short.yaml", text);
}

/* Settled after 30 calls. */
#define RAW_FILES                                                                                  \
    "for c in none full; do for i in 1 2 3; do awk 'BEGIN { srand(3); for (i = 0; i < 2000; i++) " \
    "printf \"1;%d\\n\", (i < 30 ? 2000 : 1000) + 100 * rand() }' >$at/raw-$i-10-$c.csv; done; "   \
    "done"

/* Three processes of each configuration; the means of `full` lie `apart` ns from each other.
 * every_s: the seconds from one start to the next, and their raw files are there, too; 0: neither.
 */
static void fake_pilot_at(int apart, int sd, const char *failed, int every_s) {
    g_autoptr(GString) loops = g_string_new(NULL);
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < 3; i++) {
            g_autofree char *started =
                every_s > 0 ? g_strdup_printf(",\"started_ms\":%d", 1000 * every_s * (3 * c + i))
                            : g_strdup("");
            g_string_append_printf(
                loops,
                "%s{\"configuration\":\"%s\",\"loop\":%d,\"seconds\":2%s,\"failed\":%s,"
                "\"warmup_calls\":1000,\"calls\":2000,\"summary\":{\"n\":1000,\"mean_ns\":%d,"
                "\"sd_ns\":%d}}",
                loops->len > 0 ? "," : "", c ? "full" : "none", i + 1, started, c ? failed : "null",
                1000 * (c + 1) + c * (i - 1) * apart, c ? sd : sd / 2);
        }
    g_autofree char *script =
        g_strdup_printf("while [ $# -gt 0 ]; do\n"
                        "  case $1 in --results) at=$2 ;; --loops) echo $2 >\"$0.loops\" ;; esac\n"
                        "  shift\ndone\nmkdir -p $at\n%s\ncat >$at/experiment.json "
                        "<<'END'\n{\"loops\":[%s]}\nEND\n",
                        every_s > 0 ? RAW_FILES : "", loops->str);
    fake_runner(programs, script);
}

static void fake_pilot(int apart, int sd, const char *failed) {
    fake_pilot_at(apart, sd, failed, 0);
}

#define PLAN(project, ...) CALL(ci_command_plan.run, "plan", project, __VA_ARGS__)

static void a_plan_is_told(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *folder = g_build_filename(*state, "out", NULL);
    fake_pilot(20, 100, "null");
    g_auto(called) c = PLAN(project, "--dir", folder, "--minutes=2", "--rounds");
    expect_called(&c, CI_OK, "benchmark:\n  loops: 29\n", "");
    expect_called(&c, CI_OK, "warmup_calls: 1000", "");
    g_autofree char *note = g_build_filename(programs, "moowatch-runner.loops", NULL), *text = NULL;
    assert_true(g_file_get_contents(note, &text, NULL, NULL));
    assert_string_equal(text, "5\n");
}

static void a_plan_is_one_json_object(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *folder = g_build_filename(*state, "out", NULL);
    fake_pilot(20, 100, "null");
    g_auto(called) c = PLAN(project, "--dir", folder, "--minutes=2", "--json");
    expect_called(&c, CI_OK, NULL, "");
    json_auto_t *plan = json_loads(c.out, 0, NULL);
    const json_t *full = json_array_get(json_object_get(plan, "configurations"), 1);
    assert_string_equal(json_string_value(json_object_get(full, "configuration")), "full");
    expect_real(full, "mean_ns", 2000);
    expect_real(full, "within_ns", 100);
    /* var(1980, 2000, 2020) - 100^2 / 1000 = 390 */
    assert_near(json_number_value(json_object_get(full, "between_ns")), sqrt(390), 1e-9);
    expect_real(plan, "loops", 4);
    const json_t *w = json_array_get(json_object_get(plan, "portions"), 1);
    const double before = json_number_value(json_object_get(w, "detectable_before_ns"));
    const double after = json_number_value(json_object_get(w, "detectable_after_ns"));
    assert_true(before > 0 && after > 0 && after < before);
}

static void what_is_refused(void **state) {
    g_autofree char *project = put_project(*state);
    const struct {
        int apart, sd;
        const char *failed, *option, *says;
        ci_exit exit;
    } cases[] = {
        {20, 100, "\"exit status 1\"", "--json", "full: 0 of its processes", CI_INPUT},
        {0, 0, "null", "--json", "all processes gave the same value", CI_INPUT},
        {20, 100, "null", "--minutes=0.05",
         "2 rounds of all configurations take 0.13 minutes, more than 0.05", CI_INPUT},
        {20, 100, "null", "--minutes=0", "--minutes: more than 0", CI_USAGE},
        {20, 100, "null", "--loops=1", "--loops: 2 to 100", CI_USAGE},
        {20, 100, "null", "--commit=nothing", "no commit \"nothing\"", CI_INPUT},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strdup_printf("out%zu", i);
        g_autofree char *folder = g_build_filename(*state, name, NULL);
        fake_pilot(cases[i].apart, cases[i].sd, cases[i].failed);
        g_auto(called) c = PLAN(project, "--dir", folder, cases[i].option);
        expect_called(&c, cases[i].exit, "", cases[i].says);
    }
}

static void a_budget_is_planned_with_its_shares(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *folder = g_build_filename(*state, "out", NULL);
    fake_pilot(20, 100, "null");
    g_auto(called) c = PLAN(project, "--dir", folder, "--minutes=2", "--json");
    json_auto_t *plan = json_loads(c.out, 0, NULL);
    const json_t *legs = json_object_get(plan, "configurations");
    const json_t *none = json_array_get(legs, 0), *full = json_array_get(legs, 1);
    expect_real(plan, "budget_minutes", 2);
    expect_real(plan, "planned_loops", 5);
    const double few = json_number_value(json_object_get(none, "planned_loops"));
    const double many = json_number_value(json_object_get(full, "planned_loops"));
    assert_true(few > 5 && many > 3 * few);
    assert_near(json_number_value(json_object_get(none, "share")) +
                    json_number_value(json_object_get(full, "share")),
                1, 1e-9);
    assert_near(json_number_value(json_object_get(plan, "seconds_after")), 120, 1);
    assert_non_null(strstr(json_string_value(json_object_get(plan, "warmup_evidence")),
                           "single calls unknown, so warm-up is unchanged"));
}

/* Whatever fails, the file is what it was. */
static void a_file_is_written_or_left(void **state) {
    g_autofree char *project = put_project(*state), *before = NULL, *same = NULL, *after = NULL;
    assert_true(g_file_get_contents(project, &before, NULL, NULL));
    g_autofree char *first = g_build_filename(*state, "one", NULL);
    fake_pilot(0, 0, "null");
    g_auto(called) none = PLAN(project, "--dir", first, "--write");
    expect_called(&none, CI_INPUT, "", "all processes gave the same value");
    assert_true(g_file_get_contents(project, &same, NULL, NULL));
    assert_string_equal(before, same);
    g_autofree char *second = g_build_filename(*state, "two", NULL);
    fake_pilot(20, 100, "null");
    g_auto(called) c = PLAN(project, "--dir", second, "--minutes=2", "--write");
    expect_called(&c, CI_OK, "These keys are now in", "");
    assert_true(g_file_get_contents(project, &after, NULL, NULL));
    assert_non_null(strstr(after, "  loops: 5\n"));
    assert_non_null(strstr(after, "  budget_minutes: 2\n"));
    assert_non_null(strstr(after, "{name: none, portion: T, total_calls: "));
    g_autoptr(cfg_project) read = cfg_project_load(project, NULL);
    assert_near(read->benchmark.budget_minutes, 2, 0);
}

static void a_pilot_that_fails_says_why(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *folder = g_build_filename(*state, "out", NULL);
    fake_runner(programs, "echo '{\"reason\":\"make: exit status 2\"}'\nexit 1\n");
    g_auto(called) c = PLAN(project, "--dir", folder);
    expect_called(&c, CI_INPUT, "", "not measured: make: exit status 2");
}

static void a_pilot_without_record_is_none(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *folder = g_build_filename(*state, "out", NULL);
    fake_runner(programs, "exit 0\n");
    g_auto(called) c = PLAN(project, "--dir", folder);
    expect_called(&c, CI_INPUT, "", "experiment.json");
}

/* What a process leaves is read before the next one starts, and costs time, too. */
static void what_is_between_processes_counts(void **state) {
    g_autofree char *project = put_project(*state);
    double seconds[2];
    for (int i = 0; i < 2; i++) {
        g_autofree char *name = g_strdup_printf("out%d", i);
        g_autofree char *folder = g_build_filename(*state, name, NULL);
        fake_pilot_at(20, 100, "null", 2 + 3 * i);
        g_auto(called) c = PLAN(project, "--dir", folder, "--minutes=10", "--json");
        expect_called(&c, CI_OK, NULL, "");
        json_auto_t *plan = json_loads(c.out, 0, NULL);
        seconds[i] = cfg_json_number(plan, "seconds_before");
        const json_t *none = json_array_get(json_object_get(plan, "configurations"), 0);
        assert_true(cfg_json_number(none, "planned_warmup_calls") < 1000);
    }
    assert_near(seconds[1] - seconds[0], 4 * 2 * 3, 1e-6); /* loops, configurations, seconds */
}

/* Without --dir the folder has the commit's name, where the command is called. */
static void a_folder_by_the_commit(void **state) {
    g_autofree char *project = put_project(*state);
    g_autofree char *commit = GIT_TEXT(*state, "rev-parse", "--short=12", "light");
    g_autofree char *name = g_strdup_printf("pilot-%s", commit);
    g_autofree char *folder = g_build_filename(*state, name, "experiment.json", NULL);
    g_autofree char *before = g_get_current_dir();
    fake_pilot_at(20, 100, "null", 3);
    assert_int_equal(g_chdir(*state), 0);
    g_auto(called) c = PLAN(project, "--commit=light", "--minutes=2");
    assert_int_equal(g_chdir(before), 0);
    expect_called(&c, CI_OK, "(3/3)", "");
    assert_true(g_file_test(folder, G_FILE_TEST_IS_REGULAR));
}

/* A plan's keys in a project's file: they are put there, and nothing else changes. */

static const char before[] = "# Watched since 2013.\n"
                             "name: short   # the name\n"
                             "repository: /r\n"
                             "benchmark:\n"
                             "  driver: native\n"
                             "  loops: 10      # as the thesis has it\n"
                             "\n"
                             "  # the chain\n"
                             "  configurations:\n"
                             "    - {name: none, portion: T}\n"
                             "    - name: full # the \xc3\xa4ra\n"
                             "      portion: 'W'\n"
                             "      parent: none\n"
                             "      total_calls: 5000\n"
                             "# the end\n";
static const char after[] = "# Watched since 2013.\n"
                            "name: short   # the name\n"
                            "repository: /r\n"
                            "benchmark:\n"
                            "  driver: native\n"
                            "  loops: 5      # as the thesis has it\n"
                            "  budget_minutes: 12.5\n"
                            "  warmup_evidence: 'a pilot''s'\n"
                            "\n"
                            "  # the chain\n"
                            "  configurations:\n"
                            "    - {name: none, portion: T, total_calls: 1200, warmup_calls: 200}\n"
                            "    - name: full # the \xc3\xa4ra\n"
                            "      portion: 'W'\n"
                            "      parent: none\n"
                            "      total_calls: 3000\n"
                            "      warmup_calls: 0\n"
                            "# the end\n";

static ci_pilot planned(bool budget) {
    ci_pilot p = {.count = 2, .budget = budget, .loops = 10, .planned_loops = 5};
    p.leg[0] = (ci_pilot_leg){.name = "none", .planned_warmup = 200, .planned = 1000};
    p.leg[1] = (ci_pilot_leg){.name = "full", .planned = 3000, .settled = 4, .seen = 5};
    return p;
}

static void only_the_keys_change(void **state) {
    g_autofree char *file = put(*state, "short.yaml", before), *got = NULL;
    const ci_pilot pilot = planned(true);
    struct stat kept;
    assert_int_equal(chmod(file, 0640), 0);
    assert_true(proposal_write(file, &pilot, 12.5, "a pilot's", NULL));
    assert_true(g_file_get_contents(file, &got, NULL, NULL));
    assert_string_equal(got, after);
    assert_int_equal(stat(file, &kept), 0);
    assert_int_equal(kept.st_mode & 07777, 0640);
}

static void writing_again_changes_nothing(void **state) {
    g_autofree char *file = put(*state, "short.yaml", after), *got = NULL;
    const ci_pilot pilot = planned(true);
    assert_true(proposal_write(file, &pilot, 12.5, "a pilot's", NULL));
    assert_true(g_file_get_contents(file, &got, NULL, NULL));
    assert_string_equal(got, after);
}

/* A budget that is there is none any more. */
static void rounds_end_a_budget(void **state) {
    g_autofree char *file = put(*state, "short.yaml", after), *got = NULL;
    const ci_pilot pilot = planned(false);
    assert_true(proposal_write(file, &pilot, 12.5, "x", NULL));
    assert_true(g_file_get_contents(file, &got, NULL, NULL));
    assert_non_null(strstr(got, "  budget_minutes: 0\n"));
}

static void a_link_stays_a_link(void **state) {
    g_autofree char *file = put(*state, "real.yaml", before);
    g_autofree char *link = g_build_filename(*state, "link.yaml", NULL), *got = NULL;
    const ci_pilot pilot = planned(true);
    assert_int_equal(symlink("real.yaml", link), 0);
    assert_true(proposal_write(link, &pilot, 12.5, "a pilot's", NULL));
    assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    assert_true(g_file_get_contents(file, &got, NULL, NULL));
    assert_string_equal(got, after);
}

static void refused(const char *folder, const char *text, const char *words) {
    g_autofree char *file = put(folder, "bad.yaml", text), *got = NULL;
    g_autoptr(GError) error = NULL;
    const ci_pilot pilot = planned(true);
    assert_false(proposal_write(file, &pilot, 12.5, "x", &error));
    if (!strstr(error->message, words))
        fail_msg("%s", error->message);
    assert_true(g_file_get_contents(file, &got, NULL, NULL));
    assert_string_equal(got, text);
    g_autofree char *left = g_build_filename(folder, ".bad.yaml.plan", NULL);
    assert_false(g_file_test(left, G_FILE_TEST_EXISTS));
}

/* No place for a key, or what is written would contradict the rest: the file stays. */
static void what_cannot_be_written_is_left(void **state) {
    static const char head[] = "name: bad\nrepository: /r\nbenchmark:\n  driver: native\n";
    static const char chain[] = "  configurations:\n    - {name: none, portion: T}\n"
                                "    - {name: full, portion: W, parent: none}\n";
    g_autofree char *early = g_strconcat(head, "  precision_percent: 2\n", chain, NULL);
    g_autofree char *other =
        g_strconcat(head, "  configurations:\n    - {name: none, portion: T}\n", NULL);
    refused(*state, early, "precision_percent; leave one of them out");
    refused(*state, other, "benchmark.configurations.full.total_calls: is not in a mapping");
    refused(*state, "name: [\n", "bad.yaml");
    g_autoptr(GError) error = NULL;
    const ci_pilot pilot = planned(true);
    g_autofree char *gone = g_build_filename(*state, "gone.yaml", NULL);
    assert_false(proposal_write(gone, &pilot, 12.5, "x", &error));
    assert_non_null(strstr(error->message, "gone.yaml: No such file"));
}

static void the_text_is_what_is_written(void **state) {
    (void)state;
    const ci_pilot pilot = planned(true);
    g_autofree char *text = proposal_text(&pilot, 12.5, "why");
    assert_string_equal(text, "benchmark:\n  budget_minutes: 12.5\n  loops: 5\n"
                              "  warmup_evidence: 'why'\n  configurations:\n"
                              "    - name: none\n      total_calls: 1200\n"
                              "      warmup_calls: 200\n    - name: full\n"
                              "      total_calls: 3000\n      warmup_calls: 0\n");
}

static void evidence_counts_processes(void **state) {
    (void)state;
    ci_pilot pilot = planned(true);
    g_autofree char *some = proposal_evidence(&pilot, "0123456789abcdef", "2026-11-22");
    assert_string_equal(some, "pilot of 2026-11-22, commit 0123456789ab; processes that settled: "
                              "full 4 of 5");
    pilot.leg[1].seen = 0;
    g_autofree char *none = proposal_evidence(&pilot, "0123456789abcdef", "2026-11-22");
    assert_string_equal(
        none,
        "pilot of 2026-11-22, commit 0123456789ab; single calls unknown, so warm-up is unchanged");
    pilot.count = CI_PILOT_CONFIGURATIONS;
    for (size_t i = 0; i < pilot.count; i++)
        pilot.leg[i] = (ci_pilot_leg){.name = "a-name-that-is-quite-long", .settled = 1, .seen = 1};
    g_autofree char *many = proposal_evidence(&pilot, "0123456789abcdef", "2026-11-22");
    assert_int_equal(strlen(many), 1000);
    /* in the middle of a letter of two bytes, wherever it begins */
    for (size_t i = 0; i < pilot.count; i++)
        pilot.leg[i].name =
            "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4";
    for (size_t more = 0; more < 2; more++) {
        g_autofree char *cut =
            proposal_evidence(&pilot, "0123456789abcdef", more ? "2026-11-22" : "2026-11-2");
        assert_true(strlen(cut) >= 999 && strlen(cut) <= 1000);
        assert_true(g_utf8_validate(cut, -1, NULL));
    }
}

/* A budget of a third of an hour and a bit: not rounded to six digits. */
static void minutes_are_kept(void **state) {
    (void)state;
    const ci_pilot pilot = planned(true);
    g_autofree char *text = proposal_text(&pilot, 1234.56789, "why");
    assert_non_null(strstr(text, "budget_minutes: 1234.56789\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_REPOSITORY(a_plan_is_told),
        IN_REPOSITORY(a_plan_is_one_json_object),
        IN_REPOSITORY(what_is_refused),
        IN_REPOSITORY(a_budget_is_planned_with_its_shares),
        IN_REPOSITORY(a_file_is_written_or_left),
        IN_REPOSITORY(a_pilot_that_fails_says_why),
        IN_REPOSITORY(a_pilot_without_record_is_none),
        IN_REPOSITORY(what_is_between_processes_counts),
        IN_REPOSITORY(a_folder_by_the_commit),

        IN_FOLDER(only_the_keys_change),
        IN_FOLDER(writing_again_changes_nothing),
        IN_FOLDER(rounds_end_a_budget),
        IN_FOLDER(a_link_stays_a_link),
        IN_FOLDER(what_cannot_be_written_is_left),
        cmocka_unit_test(the_text_is_what_is_written),
        cmocka_unit_test(evidence_counts_processes),
        cmocka_unit_test(minutes_are_kept),
    };
    programs = fake_runner_folder();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)remove_folder((void **)&programs);
    return failed;
}
