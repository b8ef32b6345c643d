#include "tests/unit/runner/test.h"

#include "runner/settings.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool parse(const char *line, run_settings *settings, GError **error) {
    g_auto(GStrv) words = g_strsplit(line, " ", -1);
    return run_settings_parse((int)g_strv_length(words), words, settings, error);
}

static void test_options_alone_have_the_files_defaults(void **state) {
    (void)state;
    run_settings settings;
    assert_true(parse("p --server http://s --token-file /t --work-dir=/w --node n --once",
                      &settings, NULL));
    assert_string_equal(settings.config->server, "http://s");
    assert_string_equal(settings.config->work_dir, "/w");
    assert_string_equal(settings.config->node, "n");
    assert_true(settings.once);
    assert_int_equal(settings.wait_s, 0);
    assert_int_equal(settings.config->poll_wait_s, 30);
    assert_int_equal(settings.config->process_limit, 512);
    run_settings_clear(&settings);
}

static void test_a_wait_is_that_of_each_question_too(void **state) {
    (void)state;
    run_settings settings;
    assert_true(parse("p --server http://s --token-file /t --work-dir /w --once --wait 7",
                      &settings, NULL));
    assert_int_equal(settings.wait_s, 7);
    assert_int_equal(settings.config->poll_wait_s, 7);
    run_settings_clear(&settings);
}

static void test_options_win_over_the_file(void **state) {
    g_autofree char *path = g_build_filename(*state, "r.yaml", NULL);
    assert_true(g_file_set_contents(
        path, "server: http://s\nnode: a\ntoken_file: t\nwork_dir: w\npoll_wait_seconds: 5\n", -1,
        NULL));
    g_autofree char *line = g_strdup_printf("p --config %s --node b", path);
    run_settings settings;
    assert_true(parse(line, &settings, NULL));
    assert_string_equal(settings.config->node, "b");
    assert_int_equal(settings.config->poll_wait_s, 5);
    assert_true(g_str_has_prefix(settings.config->work_dir, *state));
    run_settings_clear(&settings);
}

static void test_measure_needs_no_server(void **state) {
    (void)state;
    run_settings settings;
    assert_true(parse("p measure --project /p --commit c --results /r --loops 3 --path /a:/b",
                      &settings, NULL));
    assert_int_equal(settings.command, RUN_COMMAND_MEASURE);
    assert_string_equal(settings.results_dir, "/r");
    assert_string_equal(settings.config->work_dir, "/r/work");
    assert_string_equal(settings.measurement.project, "/p");
    assert_int_equal(settings.measurement.loops, 3);
    assert_null(settings.measurement.before);
    assert_null(settings.measurement.rest_s);
    assert_string_equal(settings.config->path, "/a:/b");
    /* root's home lets moowatch-git, whom the package makes, not in */
    if (geteuid() == 0)
        assert_string_equal(settings.config->git_user, "root");
    else
        assert_null(settings.config->git_user);
    run_settings_clear(&settings);
    assert_true(parse("p measure --project /p --commit c --results /r --rest 0", &settings, NULL));
    assert_int_equal(*settings.measurement.rest_s, 0);
    assert_string_equal(settings.config->path, CFG_RUNNER_PATH);
    run_settings_clear(&settings);
}

static void test_wrong(void **state) {
    (void)state;
    const struct {
        const char *line, *says;
    } cases[] = {
        {"p", "missing: --config"},
        {"p --server http://s", "missing: --config"},
        {"p --what", "Unknown option --what; see --help"},
        {"p what", "unknown command what"},
        {"p --node", "--node; see --help"},
        {"p --node=", "a value is missing after --node"},
        {"p measure --project /p --commit c", "measure needs"},
        {"p measure --project /p --commit c --results r --loops 0", "--loops"},
        {"p measure --project /p --commit c --results r --rest 3601", "from 0 to 3600: 3601"},
        {"p measure --project /p --commit c --results r --path bin:/usr/bin",
         "--path: not absolute folders with colons between them: bin:/usr/bin"},
        {"p --server http://s --token-file /t --work-dir /w --commit c", "Unknown option --commit"},
        {"p doctor --commit c", "Unknown option --commit"},
        {"p --server http://s --token-file /t --work-dir /w --wait 7", "--wait goes with --once"},
        {"p --server http://s --token-file /t --work-dir /w --once --wait 0",
         "--wait: not a number of seconds from 1 to 604800: 0"},
        {"p --config /nonexistent.yaml", "/nonexistent.yaml"},
        {"p --server ftp://s --token-file /t --work-dir /w", "http"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_settings settings;
        g_autoptr(GError) problem = NULL;
        assert_false(parse(cases[i].line, &settings, &problem));
        if (!strstr(problem->message, cases[i].says))
            fail_msg("case %zu: %s", i, problem->message);
        run_settings_clear(&settings);
    }
}

static void test_help_is_that_of_the_command(void **state) {
    (void)state;
    const struct {
        const char *line, *says, *not ;
    } cases[] = {{"p --help", "  doctor   tell", "--commit"},
                 {"p -h", "--token-file=FILE", "--commit"},
                 {"p measure --help", "--commit=ID", "Commands"},
                 {"p doctor --server s --help", "moowatch-runner doctor [OPTION", "--commit"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        run_settings settings;
        assert_true(parse(cases[i].line, &settings, NULL));
        assert_non_null(settings.help);
        assert_null(settings.config);
        if (!strstr(settings.help, cases[i].says) || strstr(settings.help, cases[i].not ))
            fail_msg("%s: %s", cases[i].line, settings.help);
        run_settings_clear(&settings);
    }
}

static void test_token(void **state) {
    g_autofree char *path = g_build_filename(*state, "token", NULL);
    GError *problem = NULL;
    assert_null(run_settings_token(path, &problem));
    assert_error(problem, RUN_ERROR_NODE, "No such file");
    assert_true(g_file_set_contents(path, "  secret \n", -1, NULL));
    assert_int_equal(chmod(path, 0600), 0);
    g_autofree char *token = run_settings_token(path, &problem);
    assert_string_equal(token, "secret");
    assert_int_equal(chmod(path, 0644), 0);
    assert_null(run_settings_token(path, &problem));
    assert_error(problem, RUN_ERROR_JOB, "chmod 600");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_measure_needs_no_server),
                                       cmocka_unit_test(test_options_alone_have_the_files_defaults),
                                       cmocka_unit_test(test_options_win_over_the_file),
                                       cmocka_unit_test(test_a_wait_is_that_of_each_question_too),
                                       cmocka_unit_test(test_help_is_that_of_the_command),
                                       cmocka_unit_test(test_wrong),
                                       cmocka_unit_test(test_token)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
