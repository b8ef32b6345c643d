/* A published night, measured again by a runner that is a script: what is told of it, and why a
 * night is not measured. */
#include "tests/unit/ci/command/fake_runner.h"
#include "tests/unit/ci/command/repository.h"

#include "ci/dataset/dataset.h"

#include <sys/utsname.h>

static char *programs; /* the folder of the fake runner */

#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define OLDER "89abcdef0123456789abcdef0123456789abcdef"
#define REPLICATE(...) CALL(ci_command_replicate.run, "replicate", __VA_ARGS__)

/* The newest night of a data set: its portions none and full, 90 to 110 and 690 to 710 ns. */
typedef struct {
    const char *sha, *kernel, *environment, *repository;
} published;

static char *project_text(const char *repository) {
    return g_strdup_printf("name: short\nrepository: %s\nbenchmark:\n  driver: native\n"
                           "  loops: 3\n  total_calls: 8\n  configurations:\n"
                           "    - {name: none, portion: T, warmup_calls: 4}\n"
                           "    - {name: full, portion: W, parent: none, warmup_calls: 4}\n",
                           repository);
}

static char *experiments_text(const published *p) {
    return g_strdup_printf(
        "[{\"night\": \"2024-03-04\", \"state\": \"measured\", \"commit\": {\"sha\": \"" OLDER
        "\"}, \"portions\": []},"
        "{\"night\": \"2024-03-05\", \"state\": \"measured\", \"level\": 0.9, \"commit\": {\"sha\":"
        " \"%s\"}, \"environment_detail\": {\"kernel\": \"%s\"%s}, \"portions\": ["
        "{\"portion\": \"T\", \"configuration\": \"none\", \"mean_ns\": 100, \"low_ns\": 90, "
        "\"high_ns\": 110}, {\"portion\": \"W\", \"configuration\": \"full\", \"mean_ns\": 700, "
        "\"low_ns\": 690, \"high_ns\": 710}]}]",
        p->sha ? p->sha : COMMIT, p->kernel ? p->kernel : "", p->environment ? p->environment : "");
}

static void put_sums(const char *set) {
    static const char *const names[] = {"experiments.json", "project.yaml"};
    g_autoptr(GString) sums = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(set, names[i], NULL), *text = NULL;
        assert_true(g_file_get_contents(path, &text, NULL, NULL));
        g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
        g_string_append_printf(sums, "%s  %s\n", sum, names[i]);
    }
    g_free(put(set, CI_SUMS, sums->str));
}

/* A data set in the folder; caller frees its path. */
static char *put_set(const char *folder, const published *p) {
    char *set = make_below(folder, "set");
    g_autofree char *experiments = experiments_text(p);
    g_autofree char *project = project_text(p->repository ? p->repository : "/no/such/repository");
    g_free(put(set, "experiments.json", experiments));
    g_free(put(set, "project.yaml", project));
    put_sums(set);
    return set;
}

/* A runner that writes raw files, W of `full` ns, and says what it was told in <runner>.told. */
static void fake_results(guint full) {
    g_autofree char *script = g_strdup_printf(
        "printf '%%s\\n' \"$@\" \"$MOOWATCH_REPOSITORY\" >\"$0.told\"\n"
        "while [ $# -gt 0 ]; do\n  case $1 in --results) at=$2 ;; esac\n  shift\ndone\n"
        "for loop in 1 2 3; do for c in none full; do\n"
        "  mean=$((98 + loop)); [ $c = none ] || mean=$((%u + 98 + loop))\n"
        "  for call in 1 2 3 4 5 6 7 8; do echo \"0;$mean\"; done >$at/raw-$loop-10-$c.csv\n"
        "done; done\n"
        "echo '{\"environment\": {\"cpu\": \"Mine\\u001b[2J\", \"runtime\": \"same\"}}' "
        ">$at/experiment.json\n",
        full);
    fake_runner(programs, script);
}

static char *told_text(void) {
    g_autofree char *path = g_build_filename(programs, "moowatch-runner.told", NULL);
    char *told = NULL;
    assert_true(g_file_get_contents(path, &told, NULL, NULL));
    return told;
}

static void one_that_holds(void **state) {
    g_autofree char *set = put_set(*state, &(published){0});
    g_autofree char *folder = g_build_filename(*state, "again", NULL);
    fake_results(700);
    g_auto(called) c = REPLICATE(set, "--dir", folder, "--json");
    expect_called(&c, CI_OK, NULL, "");
    json_auto_t *told = json_loads(c.out, 0, NULL);
    expect_text(told, "night", "2024-03-05");
    expect_text(told, "commit", COMMIT);
    assert_true(json_is_true(json_object_get(told, "holds")));
    const json_t *portions = json_object_get(told, "portions");
    assert_int_equal(json_array_size(portions), 2);
    const json_t *full = json_array_get(portions, 1);
    expect_text(full, "portion", "W");
    expect_real(json_object_get(full, "published"), "high_ns", 710);
    expect_real(json_object_get(full, "here"), "mean_ns", 700);
    expect_real(full, "ratio", 1);
    assert_true(json_is_true(json_object_get(full, "holds")));
}

/* The night's commit, the data set's project, and what of the command line is the runner's. */
static void what_the_runner_is_told(void **state) {
    g_autofree char *set = put_set(*state, &(published){0});
    g_autofree char *folder = g_build_filename(*state, "again", NULL);
    g_autofree char *settings = put(*state, "runner.yaml", "");
    g_autofree char *project = g_build_filename(set, "project.yaml", NULL);
    fake_results(700);
    g_auto(called) c =
        REPLICATE(set, "--dir", folder, "--loops=7", "--config", settings, "--repository", *state);
    expect_called(&c, CI_OK, NULL, "");
    g_autofree char *told = told_text();
    g_autofree char *wanted =
        g_strdup_printf("measure\n--project\n%s\n--commit\n" COMMIT "\n--config\n%s\n--loops\n7\n"
                        "--results\n%s\n%s\n",
                        project, settings, folder, (char *)*state);
    assert_string_equal(told, wanted);
}

static void one_that_does_not_hold(void **state) {
    g_autofree char *set =
        put_set(*state, &(published){.environment = ", \"cpu\": \"Theirs\", \"runtime\": \"same\", "
                                                    "\"governor\": \"performance\""});
    g_autofree char *folder = g_build_filename(*state, "again", NULL);
    fake_results(900);
    g_auto(called) c = REPLICATE(set, "--dir", folder);
    g_autofree char *head = g_strdup_printf(
        "2024-03-05, commit 0123456789ab, measured again in %s\ncpu: published Theirs, here Mine",
        folder);
    expect_called(&c, CI_FOUND, head, "");
    assert_null(strchr(c.out, '\033')); /* strangers' text drives no terminal */
    assert_null(strstr(c.out, "runtime:"));
    assert_null(strstr(c.out, "governor:")); /* not known here */
    expect_called(&c, CI_FOUND, "T        published 100 ± 10 ns, here 100", "");
    const char *full = strstr(c.out, "\nW ");
    assert_non_null(full);
    assert_non_null(strstr(full, "published 700 ± 10 ns, here 900"));
    assert_true(g_str_has_suffix(c.out, ": does not hold\n"));
    g_autofree char *line = g_strndup(c.out, (gsize)(full - c.out));
    assert_true(g_str_has_suffix(line, ": holds"));
}

/* A portion without an interval is known by nobody: the night does not hold as a whole. */
static void what_nobody_can_tell(void **state) {
    g_autofree char *set = put_set(*state, &(published){0});
    g_autofree char *folder = g_build_filename(*state, "again", NULL);
    g_free(put(set, "experiments.json",
               "[{\"night\": \"2024-03-05\", \"state\": \"measured\", \"commit\": {\"sha\": "
               "\"" COMMIT "\"}, \"portions\": ["
               "{\"portion\": \"T\", \"configuration\": \"none\", \"mean_ns\": 100},"
               "{\"portion\": \"X\", \"configuration\": \"gone\", \"mean_ns\": 5000, "
               "\"low_ns\": 4900, \"high_ns\": 5100},"
               "{\"portion\": \"ram\", \"configuration\": \"ram\", \"unit\": \"MiB\", "
               "\"mean_ns\": 5000, \"low_ns\": 4900, \"high_ns\": 5100}]}]"));
    put_sums(set);
    fake_results(700);
    g_auto(called) c = REPLICATE(set, "--dir", folder);
    expect_called(&c, CI_FOUND, "T        published 100 ns, here 100", "");
    expect_called(&c, CI_FOUND, "X        published 5.00 ± 0.10 µs, here unknown: unknown\n", "");
    expect_called(&c, CI_FOUND, "ram      published 5000 ± 100 MiB, here unknown: unknown\n", "");
    g_autofree char *other = g_build_filename(*state, "other", NULL);
    g_auto(called) none = REPLICATE(set, "--dir", other, "--json");
    expect_called(&none, CI_FOUND, "\"holds\":false", "");
}

/* In a folder named by the night, of the commit that the repository has. */
static void as_it_is_by_default(void **state) {
    char *repository = NULL;
    assert_int_equal(repository_make((void **)&repository), 0);
    g_autofree char *set = put_set(*state, &(published){.sha = "light", .repository = repository});
    g_autofree char *commit = GIT_TEXT(repository, "rev-parse", "light");
    g_autofree char *before = g_get_current_dir();
    assert_int_equal(g_chdir(*state), 0);
    fake_results(700);
    g_auto(called) c = REPLICATE(set, "--night=2024-03-05");
    assert_int_equal(g_chdir(before), 0);
    expect_called(&c, CI_OK, "measured again in replication-2024-03-05\n", "");
    g_autofree char *told = told_text();
    assert_non_null(strstr(told, commit));
    assert_int_equal(repository_remove((void **)&repository), 0);
}

static void a_night_of_another_processor(void **state) {
    struct utsname own;
    assert_int_equal(uname(&own), 0);
    const bool here = g_str_equal(own.machine, "s390x");
    g_autofree char *set =
        put_set(*state, &(published){.kernel = here ? "6.1.0-18-amd64" : "6.1.0-9-s390x"});
    g_autofree char *folder = g_build_filename(*state, "again", NULL);
    fake_results(700);
    g_auto(called) c = REPLICATE(set, "--dir", folder);
    g_autofree char *says =
        g_strdup_printf("the night was measured on %s, this machine is %s: its times cannot be "
                        "repeated here; use --anyway to measure nevertheless",
                        here ? "x86_64" : "s390x", own.machine);
    expect_called(&c, CI_INPUT, "", says);
    assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
    g_auto(called) anyway = REPLICATE(set, "--dir", folder, "--anyway");
    expect_called(&anyway, CI_OK, "W        published 700 ± 10 ns", "");
}

/* Nothing is measured of a set that is not what was published. */
static void a_set_that_is_none(void **state) {
    g_autofree char *set = put_set(*state, &(published){0});
    g_autofree char *folder = g_build_filename(*state, "again", NULL);
    g_auto(called) none = REPLICATE(*state, "--dir", folder);
    expect_called(&none, CI_INPUT, "", "not a data set: there is no SHA256SUMS");
    g_auto(called) night = REPLICATE(set, "--dir", folder, "--night=1999-01-01");
    expect_called(&night, CI_INPUT, "", "no measured night of this date or commit");
    g_free(put(set, "experiments.json", "{}"));
    g_auto(called) spoiled = REPLICATE(set, "--dir", folder);
    expect_called(&spoiled, CI_INPUT, "", "experiments.json: differs from what was published");
    put_sums(set);
    g_auto(called) object = REPLICATE(set, "--dir", folder);
    expect_called(&object, CI_INPUT, "",
                  "experiments.json: not a list of experiments: it is something else\n");
    g_free(put(set, "experiments.json", "[1"));
    put_sums(set);
    g_auto(called) broken = REPLICATE(set, "--dir", folder);
    expect_called(&broken, CI_INPUT, "", "not a list of experiments: ");
    assert_false(g_file_test(folder, G_FILE_TEST_EXISTS));
}

static void a_project_that_is_none(void **state) {
    g_autofree char *set = put_set(*state, &(published){0});
    g_free(put(set, "project.yaml", "name: [\n"));
    put_sums(set);
    g_auto(called) c = REPLICATE(set);
    expect_called(&c, CI_INPUT, "", "project.yaml");
}

static void what_cannot_be_measured(void **state) {
    g_autofree char *set = put_set(*state, &(published){0});
    g_autofree char *folder = g_build_filename(*state, "again", NULL);
    fake_runner(programs, "echo '{\"reason\": \"no build\"}'; exit 1\n");
    g_auto(called) c = REPLICATE(set, "--dir", folder);
    expect_called(&c, CI_INPUT, "",
                  "commit 0123456789ab of /no/such/repository: not measured: no build");
    fake_runner(programs, "");
    g_autofree char *empty = g_build_filename(*state, "empty", NULL);
    g_auto(called) nothing = REPLICATE(set, "--dir", empty);
    assert_int_equal(nothing.exit, CI_INPUT);
    assert_non_null(strstr(nothing.err, empty));
}

static void a_commit_that_is_not_there(void **state) {
    char *repository = NULL;
    assert_int_equal(repository_make((void **)&repository), 0);
    g_autofree char *set = put_set(*state, &(published){.sha = "nowhere"});
    g_auto(called) c = REPLICATE(set, "--repository", repository);
    expect_called(&c, CI_INPUT, "", "no commit \"nowhere\"");
    assert_int_equal(repository_remove((void **)&repository), 0);
}

static void words_that_cannot_be(void **state) {
    static const char *const loops[] = {"--loops=1", "--loops=-2"};
    for (size_t i = 0; i < G_N_ELEMENTS(loops); i++) {
        g_auto(called) c = REPLICATE(*state, loops[i]);
        expect_called(&c, CI_USAGE, "", "--loops: at least 2, or there are no intervals");
    }
    g_auto(called) none = REPLICATE("--json");
    assert_int_equal(none.exit, CI_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDERS(one_that_holds),          IN_FOLDERS(what_the_runner_is_told),
        IN_FOLDERS(one_that_does_not_hold),  IN_FOLDERS(what_nobody_can_tell),
        IN_FOLDERS(as_it_is_by_default),     IN_FOLDERS(a_night_of_another_processor),
        IN_FOLDERS(a_set_that_is_none),      IN_FOLDERS(a_project_that_is_none),
        IN_FOLDERS(what_cannot_be_measured), IN_FOLDERS(a_commit_that_is_not_there),
        IN_FOLDER(words_that_cannot_be),
    };
    programs = fake_runner_folder();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)remove_folder((void **)&programs);
    return failed;
}
