/* The runner as a child: what it is told, what of its lines is believed, how it may end. */
#include "ci/command/experiment.c" /* NOLINT(bugprone-suspicious-include) */
#include "tests/unit/ci/command/fake_runner.h"

static char *programs; /* the folder of the fake runner */

/* Its words and what it was told by the environment, a line each, in told. */
#define TELL "printf '%s\\n' \"$@\" \"${MOOWATCH_REPOSITORY-(unset)}\" > \"$FOLDER/told\"\n"

static bool run(const experiment *what, const char *folder, const char *script, GError **error) {
    g_autofree char *whole = g_strdup_printf("FOLDER='%s'\n%s", folder, script);
    fake_runner(programs, whole);
    return experiment_run(what, folder, error);
}

static void expect_told(const char *folder, const char *wanted) {
    g_autofree char *path = g_build_filename(folder, "told", NULL), *told = NULL;
    assert_true(g_file_get_contents(path, &told, NULL, NULL));
    assert_string_equal(told, wanted);
}

static void the_least_it_is_told(void **state) {
    const experiment what = {.project = "p.yaml", .commit = "abc"};
    assert_true(run(&what, *state, TELL, NULL));
    g_autofree char *wanted = g_strdup_printf(
        "measure\n--project\np.yaml\n--commit\nabc\n--results\n%s\n(unset)\n", (char *)*state);
    expect_told(*state, wanted);
}

/* The repository may hold a password: no other user sees it in a list of processes. */
static void all_it_can_be_told(void **state) {
    const experiment what = {.project = "p q.yaml",
                             .repository = "https://n:geheim@h/r.git",
                             .commit = "abc",
                             .before = "def",
                             .config = "r.yaml",
                             .path = "/a b:/c",
                             .rest = "0",
                             .loops = 7};
    assert_true(run(&what, *state, TELL, NULL));
    g_autofree char *wanted =
        g_strdup_printf("measure\n--project\np "
                        "q.yaml\n--commit\nabc\n--before\ndef\n--config\nr.yaml\n--path\n/a b:/c\n"
                        "--loops\n7\n--rest\n0\n--results\n%s\nhttps://n:geheim@h/r.git\n",
                        (char *)*state);
    expect_told(*state, wanted);
}

static void how_it_may_fail(void **state) {
    (void)state;
    static const struct {
        const char *script, *says;
    } cases[] = {
        {"echo '{\"reason\": \"no build\", \"log\": \"cc: not found\"}'; exit 1",
         "not measured: no build\ncc: not found (more in "},
        {"echo '{\"reason\": \"old\"}'; echo '{\"reason\": \" new \"}'; exit 1",
         "not measured: new (more in "},
        {"echo one >&2; echo the last line >&2; exit 1", "not measured: the last line (more in "},
        {"exit 3", "not measured:  (more in "},
        {"kill -KILL $$", "not measured: "},
        {"printf 'not JSON\\n[1]\\n{\"done\": -1, \"total\": -5}\\n\\n{'; echo why >&2; exit 1",
         "not measured: why (more in "},
        {"rm \"$FOLDER/run.log\"; exit 1", "not measured: the runner ended (more in "},
        {"printf '\\377bytes' >&2; exit 1", "not measured: \uFFFDbytes (more in "},
    };
    const experiment what = {.project = "p.yaml", .commit = "abc"};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *folder = g_dir_make_tmp("moowatch-ci-XXXXXX", NULL);
        g_autofree char *log = g_build_filename(folder, "run.log", NULL);
        GError *error = NULL;
        assert_false(run(&what, folder, cases[i].script, &error));
        assert_non_null(strstr(error->message, log));
        EXPECT_ERROR(error, CI_ERROR_INPUT, cases[i].says);
        (void)remove_folder((void **)&folder);
    }
}

/* What it prints on the way is no failure, and what it complains of is kept. */
static void lines_on_the_way(void **state) {
    const experiment what = {.project = "p.yaml", .commit = "abc"};
    assert_true(run(&what, *state,
                    "echo '{\"phase\": \"measure\", \"configuration\": \"none\", \"done\": 1, "
                    "\"total\": 4, \"eta_seconds\": 95}'\n"
                    "echo '{\"phase\": \"measure\", \"done\": 4, \"total\": 4}'\necho noisy >&2\n",
                    NULL));
    g_autofree char *log = g_build_filename(*state, "run.log", NULL), *text = NULL;
    assert_true(g_file_get_contents(log, &text, NULL, NULL));
    assert_string_equal(text, "noisy\n");
}

/* Old raw files among new ones would be measured by nobody. */
static void a_folder_that_is_in_use(void **state) {
    const experiment what = {.project = "p.yaml", .commit = "abc"};
    g_autofree char *file = put(*state, "raw-1-10-0.csv", "0;1\n");
    GError *error = NULL;
    assert_false(run(&what, *state, TELL, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "is not empty; name a new folder with --dir");
    assert_false(run(&what, file, TELL, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, file);
    g_autofree char *new = g_build_filename(*state, "new", NULL);
    assert_true(run(&what, new, TELL, NULL));
    assert_true(g_file_test(new, G_FILE_TEST_IS_DIR));
}

/* Its log is of use to a person, and in nobody's way. */
static void a_folder_of_an_attempt_that_failed(void **state) {
    const experiment what = {.project = "p.yaml", .commit = "abc"};
    g_autofree char *log = g_build_filename(*state, "run.log", NULL), *text = NULL;
    GError *error = NULL;
    assert_false(run(&what, *state, "echo why >&2; exit 1", &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "run.log, which the next run replaces)");
    assert_true(run(&what, *state, "echo well >&2", NULL));
    assert_true(g_file_get_contents(log, &text, NULL, NULL));
    assert_string_equal(text, "well\n");
    g_free(put(*state, "raw-1-10-0.csv", "0;1\n"));
    assert_false(run(&what, *state, "true", &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "is not empty; name a new folder with --dir");
    assert_true(g_file_test(log, G_FILE_TEST_EXISTS));
}

static void without_a_runner(void **state) {
    const experiment what = {.project = "p.yaml", .commit = "abc"};
    g_autofree char *before = g_strdup(g_getenv("PATH"));
    g_setenv("PATH", *state, TRUE);
    GError *error = NULL;
    assert_false(experiment_run(&what, *state, &error));
    g_setenv("PATH", before, TRUE);
    EXPECT_ERROR(error, CI_ERROR_INPUT, "moowatch-runner is not installed next to moowatch");
}

/* An installation that is broken is said to be, with its program. */
static void a_runner_that_cannot_be_started(void **state) {
    const experiment what = {.project = "p.yaml", .commit = "abc"};
    g_autofree char *program = put(programs, "moowatch-runner", "#!/no/such/shell\n");
    assert_int_equal(chmod(program, 0700), 0);
    g_autoptr(GError) error = NULL;
    assert_false(experiment_run(&what, *state, &error));
    assert_non_null(strstr(error->message, program));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_least_it_is_told),     IN_FOLDER(all_it_can_be_told),
        cmocka_unit_test(how_it_may_fail),   IN_FOLDER(lines_on_the_way),
        IN_FOLDERS(a_folder_that_is_in_use), IN_FOLDER(a_folder_of_an_attempt_that_failed),
        IN_FOLDER(without_a_runner),         IN_FOLDER(a_runner_that_cannot_be_started),
    };
    programs = fake_runner_folder();
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)remove_folder((void **)&programs);
    return failed;
}
