/* Two results against each other: the exit status says whether a portion rose. */
#include "tests/unit/ci/command/results_folder.h"

/* Before: W is 600 ns. After: `more` ns above it. */
static void put_both(const char *folder, guint more, char **before, char **after) {
    *before = make_below(folder, "before");
    *after = make_below(folder, "after");
    put_results(*before, 0);
    put_results(*after, more);
}

static void what_rose(void **state) {
    static const struct {
        guint more;
        const char *option;
        ci_exit exit;
        const char *out;
    } cases[] = {
        {0, "--json", CI_OK, "\"verdict\":\"ok\""},
        {60, "--json", CI_FOUND, "\"direction\":\"up\""},
        {60, "--minimum-percent=11", CI_OK, "nothing changed"},
        {60, "--minimum-ns=61", CI_OK, "nothing changed"},
        {60, "--minimum-ns=59", CI_FOUND, "▲ rose"},
        {20, "--minimum-percent=5", CI_OK, "nothing changed"},
        {20, "--minimum-percent=3", CI_FOUND, "▲ rose"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *folder = g_dir_make_tmp("moowatch-ci-XXXXXX", NULL);
        g_autofree char *before = NULL, *after = NULL;
        put_both(folder, cases[i].more, &before, &after);
        g_auto(called) c = CALL(ci_command_compare.run, "compare", before, after, cases[i].option);
        expect_called(&c, cases[i].exit, cases[i].out, "");
        char *path = g_steal_pointer(&folder);
        assert_int_equal(remove_folders((void **)&path), 0);
    }
    (void)state;
}

static void put_memory(const char *folder, const char *means) {
    g_auto(GStrv) of = g_strsplit(means, " ", -1);
    GString *text = g_string_new("{\"loops\": [");
    for (guint i = 0; of[i]; i++)
        g_string_append_printf(text,
                               "%s{\"configuration\": \"ram\", \"loop\": %u, \"warmup_calls\": 0, "
                               "\"summary\": {\"n\": 1, \"mean_ns\": %s}}",
                               i > 0 ? "," : "", i + 1, of[i]);
    g_string_append(text, "]}");
    g_free(put(folder, "experiment.json", text->str));
    g_string_free(text, TRUE);
}

/* ns do not bound what is counted in MiB. */
static void a_unit_of_its_own(void **state) {
    g_autofree char *before = make_below(*state, "before"), *after = make_below(*state, "after");
    g_autofree char *project = put(*state, "p.yaml",
                                   "name: p\nrepository: /r\nbenchmark:\n  driver: command\n"
                                   "  read: {pattern: '(?<value>x)'}\n  configurations:\n"
                                   "    - {name: ram, portion: ram, unit: MiB, command: [a]}\n");
    put_memory(before, "50 51 52 50");
    put_memory(after, "51 52 50 51");
    g_auto(called) c = CALL(ci_command_compare.run, "compare", before, after, "--project", project,
                            "--minimum-ns=40");
    expect_called(&c, CI_OK, "nothing changed; a change of ram by ", "");
    assert_null(strstr(c.out, "by 40"));
}

/* 900 ns of W are drowned in loops between 100 and 20000 ns: that passed. */
static void noise_is_no_pass(void **state) {
    g_autofree char *before = NULL, *after = NULL;
    put_both(*state, 0, &before, &after);
    put_loop(after, 1, "3", 20000);
    put_loop(after, 2, "3", 1000);
    put_loop(after, 3, "3", 100);
    g_auto(called) c = CALL(ci_command_compare.run, "compare", before, after);
    expect_called(&c, CI_UNSURE, "could have been seen, which is more than a doubling", "");
    g_auto(called) junit = CALL(ci_command_compare.run, "compare", before, after, "--junit", "-");
    expect_called(&junit, CI_UNSURE, "failures=\"0\" errors=\"0\" skipped=\"1\"", "");
    g_auto(called) same = CALL(ci_command_compare.run, "compare", before, before);
    expect_called(&same, CI_OK, "nothing changed; a change of I by 2.50 ns, ", "");
    expect_called(&same, CI_OK, " ns would have been seen\n", "");
}

/* Loops that differ by 200 ns: no file of it says "as before", or that
 * anything may have risen, and what would not have been told is not told of. */
static void what_nobody_can_see(void **state) {
    g_autofree char *before = NULL, *after = NULL;
    put_both(*state, 0, &before, &after);
    for (guint loop = 1; loop <= 3; loop++) {
        put_loop(before, loop, "3", 700 + 100 * loop);
        put_loop(after, loop, "3", 850 + 50 * loop);
    }
    g_auto(called) c = CALL(ci_command_compare.run, "compare", before, after, "--markdown=-");
    expect_called(&c, CI_OK, ": nothing shown to have changed; a change of I by ", "");
    expect_called(&c, CI_OK, " or W by 368 ns would have been seen", "");
    expect_called(&c, CI_OK, "not shown to have changed |", "");
    g_auto(called) junit = CALL(ci_command_compare.run, "compare", before, after, "--junit=-");
    expect_called(&junit, CI_OK, "Writing (W) is 6", "");
    assert_null(strstr(junit.out, "may have"));
}

/* Nor is a loop alone, whatever it rose by. */
static void one_loop_is_no_pass(void **state) {
    g_autofree char *before = make_below(*state, "before"), *after = make_below(*state, "after");
    put_loop(before, 1, "0", 100);
    put_loop(after, 1, "0", 100);
    put_loop(before, 1, "1", 300);
    put_loop(after, 1, "1", 3000);
    g_auto(called) c = CALL(ci_command_compare.run, "compare", before, after);
    expect_called(&c, CI_UNSURE,
                  "\ncannot tell: Instrumentation (I) is 2.90 µs against 200 ns (+2.70 µs, "
                  "+1350 %); one loop has no interval, so the two cannot be compared\n",
                  "");
    g_auto(called) table = CALL(ci_command_compare.run, "compare", before, after, "--markdown=-");
    expect_called(&table, CI_UNSURE, "| may have changed |", "");
}

/* What fell is shown, and is no reason to stop. */
static void what_fell(void **state) {
    g_autofree char *before = NULL, *after = NULL;
    put_both(*state, 90, &before, &after);
    g_auto(called) c = CALL(ci_command_compare.run, "compare", after, before);
    expect_called(&c, CI_OK, "▼ fell", "");
    g_autofree char *head =
        g_strdup_printf("%s → %s, nanoseconds per call; intervals of 95 %%\n", after, before);
    expect_called(&c, CI_OK, head, "");
    expect_called(&c, CI_OK, "-13.0 %", "");
}

static void nothing_to_compare(void **state) {
    g_autofree char *before = NULL, *after = NULL;
    put_both(*state, 0, &before, &after);
    g_autofree char *empty = make_below(*state, "empty");
    g_auto(called) first = CALL(ci_command_compare.run, "compare", empty, after);
    expect_called(&first, CI_INPUT, "", "empty");
    g_auto(called) second = CALL(ci_command_compare.run, "compare", before, empty);
    expect_called(&second, CI_INPUT, "", "empty");
    g_auto(called) alone = CALL(ci_command_compare.run, "compare", before);
    expect_called(&alone, CI_USAGE, "", "an argument is missing");
}

/* A pipeline that asks for a file must not read "nothing rose" where none could be written. */
static void a_file_that_cannot_be_written(void **state) {
    g_autofree char *before = NULL, *after = NULL;
    put_both(*state, 60, &before, &after);
    g_auto(called) c =
        CALL(ci_command_compare.run, "compare", before, after, "--junit", "/no/such/j.xml");
    expect_called(&c, CI_INPUT, NULL, "/no/such/j.xml");
    g_auto(called) chart =
        CALL(ci_command_compare.run, "compare", before, after, "--chart", "c.gif");
    expect_called(&chart, CI_USAGE, NULL, "--chart c.gif");
}

static void junit_on_standard_output(void **state) {
    g_autofree char *before = NULL, *after = NULL;
    put_both(*state, 60, &before, &after);
    g_auto(called) c = CALL(ci_command_compare.run, "compare", before, after, "--junit", "-");
    expect_called(&c, CI_FOUND, "failures=\"1\"", "");
    assert_null(strstr(c.out, "→"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rose),          IN_FOLDERS(what_fell),
        IN_FOLDERS(noise_is_no_pass),         IN_FOLDERS(one_loop_is_no_pass),
        IN_FOLDERS(nothing_to_compare),       IN_FOLDERS(a_file_that_cannot_be_written),
        IN_FOLDERS(junit_on_standard_output), IN_FOLDERS(a_unit_of_its_own),
        IN_FOLDERS(what_nobody_can_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
