/* What every subcommand is made of: its options, its exit status, where our programs are. */
#include "tests/unit/ci/command/called.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <sys/stat.h>
#include <sys/wait.h>

typedef struct {
    gboolean flag;
    gint number;
    int argc; /* what is left */
    char *first;
} parsed;

static bool parse(const char *const *words, int least, int most, parsed *p, GError **error) {
    const GOptionEntry entries[] = {{"flag", 'f', 0, G_OPTION_ARG_NONE, &p->flag, "A flag", NULL},
                                    {"number", 0, 0, G_OPTION_ARG_INT, &p->number, "A number", "N"},
                                    {0}};
    char *argv[10] = {NULL};
    char **at = argv;
    p->argc = 0;
    for (; words[p->argc]; p->argc++)
        argv[p->argc] = (char *)(uintptr_t)words[p->argc]; /* NOLINT(performance-no-int-to-ptr) */
    const ci_usage usage = {"try FILE", "Tries.", least, most};
    const bool good = ci_parse(&usage, entries, &p->argc, &at, error);
    p->first = p->argc > 1 ? at[1] : NULL;
    return good;
}

static void options_and_arguments_in_any_order(void **state) {
    (void)state;
    static const char *const orders[][6] = {{"try", "-f", "--number", "7", "a"},
                                            {"try", "a", "--number=7", "--flag"},
                                            {"try", "--number", "7", "a", "-f"},
                                            {"try", "-f", "--number=7", "--", "a"}};
    for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
        parsed p = {0};
        g_autoptr(GError) error = NULL;
        assert_true(parse(orders[i], 1, 1, &p, &error));
        assert_true(p.flag);
        assert_int_equal(p.number, 7);
        assert_int_equal(p.argc, 2);
        assert_string_equal(p.first, "a");
    }
}

/* What stands behind "--" is an argument, however it begins. */
static void a_name_that_looks_like_an_option(void **state) {
    (void)state;
    parsed p = {0};
    assert_true(parse((const char *[]){"try", "--", "--flag", NULL}, 1, 1, &p, NULL));
    assert_false(p.flag);
    assert_string_equal(p.first, "--flag");
}

static void a_wrong_command_line(void **state) {
    (void)state;
    static const struct {
        const char *words[5];
        int least, most;
        const char *says;
    } cases[] = {
        {{"try"}, 1, 1, "an argument is missing; usage: moowatch try FILE"},
        {{"try", "a", "b"}, 1, 1, "too many arguments; usage: moowatch try FILE"},
        {{"try", "a"}, 0, 0, "too many arguments"},
        {{"try", "-f", "a"}, 2, -1, "an argument is missing"},
        {{"try", "--nothing", "a"}, 1, 1, "see moowatch try --help"},
        {{"try", "--number", "many", "a"}, 1, 1, "many"},
        {{"try", "--number=99999999999", "a"}, 1, 1, "99999999999"},
        {{"try", "a", "--number"}, 1, 1, "--number"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        parsed p = {0};
        GError *error = NULL;
        assert_false(parse(cases[i].words, cases[i].least, cases[i].most, &p, &error));
        EXPECT_ERROR(error, CI_ERROR_USAGE, cases[i].says);
    }
    parsed p = {0};
    assert_true(parse((const char *[]){"try", "a", "b", "c", NULL}, 1, -1, &p, NULL));
    assert_int_equal(p.argc, 4);
}

static ci_exit fail_with(int argc, char **argv, GError **error) {
    g_set_error_literal(error, argc > 2 ? G_FILE_ERROR : CI_ERROR, CI_ERROR_SERVER, argv[1]);
    return CI_OK;
}

static void a_failure_is_one_line_and_a_status(void **state) {
    (void)state;
    g_auto(called) own = CALL(fail_with, "try", "h: 500 \x1b[2Jgone");
    expect_called(&own, CI_SERVER, "", "moowatch try: h: 500 \uFFFD[2Jgone\n");
    g_auto(called) other = CALL(fail_with, "try", "no such file", "of GLib");
    expect_called(&other, CI_INPUT, "", "moowatch try: no such file\n");
    GError *error = NULL;
    assert_false(ci_wrong(&error, "%s:%d: %s", "a.csv", 3, "wrong"));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "a.csv:3: wrong");
}

static ci_exit print_given(int argc, char **argv, GError **error) {
    (void)error;
    for (int i = 1; i < argc; i++) {
        json_t *value = json_of(argv[i]);
        ci_print_json(value);
        json_decref(value);
    }
    return CI_OK;
}

/* A line each, members in their order, and a number reads back as what it was. */
static void json_is_a_line(void **state) {
    (void)state;
    g_auto(called) c = CALL(print_given, "print",
                            "{'b': 1, 'a': [0.1, 1e-320, 70.123456789012345]}", "'a\\nb'", "null");
    g_auto(GStrv) lines = g_strsplit(c.out, "\n", -1);
    assert_int_equal(g_strv_length(lines), 4);
    assert_true(g_str_has_prefix(lines[0], "{\"b\":1,\"a\":["));
    json_t *back = json_loads(lines[0], 0, NULL);
    const json_t *numbers = json_object_get(back, "a");
    assert_true(json_number_value(json_array_get(numbers, 0)) == 0.1);
    assert_true(json_number_value(json_array_get(numbers, 1)) == 1e-320);
    assert_true(json_number_value(json_array_get(numbers, 2)) == 70.123456789012345);
    assert_string_equal(lines[1], "\"a\\nb\"");
    assert_string_equal(lines[2], "null");
    json_decref(back);
}

static void a_program_is_found_on_the_path(void **state) {
    g_autofree char *path = put(*state, "moowatch-test-program", "#!/bin/sh\n");
    g_autofree char *before = g_strdup(g_getenv("PATH"));
    g_setenv("PATH", *state, TRUE);
    assert_null(ci_program_find("moowatch-test-program", "no-such-folder")); /* not executable */
    assert_int_equal(g_chmod(path, 0700), 0);
    g_autofree char *found = ci_program_find("moowatch-test-program", "no-such-folder");
    assert_string_equal(found, path);
    assert_null(ci_program_find("moowatch-no-such-program", "no-such-folder"));
    g_setenv("PATH", before, TRUE);
}

/* Beside us comes before the path; a folder of that name is not the program. */
static void a_program_beside_us_comes_first(void **state) {
    g_autofree char *own = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *name = g_path_get_basename(own), *folder = g_path_get_dirname(own);
    g_autofree char *found = ci_program_find(name, "no-such-folder");
    g_autofree char *beside = g_build_filename(folder, ".", name, NULL);
    assert_string_equal(found, beside);
    g_autofree char *above = g_path_get_basename(folder);
    g_autofree char *built = ci_program_find(name, above);
    assert_string_equal(built, beside);
    (void)state;
}

/* moowatch token, backup, restore: moowatchd takes our place, with the same words. */

/* The exit status of a child that calls it with this PATH, and what the child printed. */
static int in_child(const char *path, const char *const *words, char **said) {
    const capture out = capture_start(stdout), err = capture_start(stderr);
    const pid_t child = fork();
    if (child == 0) {
        char *argv[8] = {NULL};
        int argc = 0;
        for (; words[argc]; argc++)
            argv[argc] = (char *)(uintptr_t)words[argc]; /* NOLINT(performance-no-int-to-ptr) */
        g_setenv("PATH", path, TRUE);
        const ci_command daemon = {words[0], "", ci_daemon};
        exit((int)ci_call(&daemon, argc, argv));
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    g_autofree char *complaint = capture_end(err), *text = capture_end(out);
    *said = g_strconcat(text, complaint, NULL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void its_words_and_its_exit_status(void **state) {
    g_autofree char *program =
        put(*state, "moowatchd", "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n");
    assert_int_equal(chmod(program, 0700), 0);
    g_autofree char *said = NULL;
    assert_int_equal(
        in_child(*state, (const char *[]){"token", "add", "--node", "a b", "", NULL}, &said), 7);
    assert_string_equal(said, "<token><add><--node><a b><>");
}

static void without_a_daemon_here(void **state) {
    g_autofree char *said = NULL;
    assert_int_equal(in_child(*state, (const char *[]){"backup", NULL}, &said), CI_USAGE);
    assert_string_equal(said, "moowatch backup: moowatchd is not installed on this machine; run it "
                              "on the server\n");
}

static void a_program_that_cannot_be_run(void **state) {
    g_autofree char *program = put(*state, "moowatchd", "#!/no/such/shell\n");
    assert_int_equal(chmod(program, 0700), 0);
    g_autofree char *said = NULL;
    assert_int_equal(in_child(*state, (const char *[]){"restore", NULL}, &said), CI_INPUT);
    assert_non_null(strstr(said, "moowatch restore: "));
    assert_non_null(strstr(said, program));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_and_arguments_in_any_order),
        cmocka_unit_test(a_name_that_looks_like_an_option),
        cmocka_unit_test(a_wrong_command_line),
        cmocka_unit_test(a_failure_is_one_line_and_a_status),
        cmocka_unit_test(json_is_a_line),
        IN_FOLDER(a_program_is_found_on_the_path),
        cmocka_unit_test(a_program_beside_us_comes_first),

        IN_FOLDER(its_words_and_its_exit_status),
        IN_FOLDER(without_a_daemon_here),
        IN_FOLDER(a_program_that_cannot_be_run),
    };
    (void)setlocale(LC_CTYPE, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
