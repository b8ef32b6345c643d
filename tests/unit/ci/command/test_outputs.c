/* One night to the files that options name. */
#include "tests/unit/ci/command/called.h"

#include "ci/command/outputs.h"
#include "config/options.h"

static json_t *a_night(void) {
    return json_of("{'night': '2024-03-05', 'state': 'measured', 'level': 0.95, 'headline': 'none',"
                   " 'commit': {'sha': '0123456789abcdef0123456789abcdef01234567', 'subject': 's'},"
                   " 'portions': [{'portion': 'W', 'configuration': '3', 'mean_ns': 1332.5,"
                   " 'low_ns': 1300, 'high_ns': 1360, 'verdict': 'first'}]}");
}

static char *in(void **state, const char *name) {
    return cfg_kept(g_build_filename(*state, name, NULL));
}

static void expect_begins(const char *path, const char *begin) {
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        fail_msg("%s was not written", path);
    if (!g_str_has_prefix(text, begin))
        fail_msg("%s begins \"%.40s\"", path, text);
}

static void every_format_to_its_file(void **state) {
    ci_outputs o = {.markdown = in(state, "m.md"),
                    .junit = in(state, "j.xml"),
                    .plot_csv = in(state, "p.csv"),
                    .html = in(state, "h.html"),
                    .chart = in(state, "c.svg")};
    json_t *night = a_night();
    g_autoptr(GError) error = NULL;
    assert_false(ci_outputs_stdout(&o));
    assert_true(ci_outputs_write(&o, "kieker", night, NULL, &error));
    expect_begins(o.markdown, "### kieker: ");
    expect_begins(o.junit, "<?xml version=\"1.0\"");
    expect_begins(o.plot_csv, "\"W\"\n1332.500\n");
    expect_begins(o.html, "<div class=\"moowatch\"><h3>kieker: ");
    expect_begins(o.chart, "<svg ");
    json_decref(night);
}

static void a_chart_by_the_end_of_its_name(void **state) {
    static const struct {
        const char *name, *begin;
    } cases[] = {{"c.svg", "<svg "}, {"c.png", "\x89PNG\r\n"}, {"c.v.pdf", "%PDF-1."}};
    json_t *night = a_night(), *nights = json_pack("[O,O]", night, night);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        ci_outputs o = {.chart = in(state, cases[i].name)};
        assert_true(ci_outputs_write(&o, "kieker", night, i ? nights : NULL, NULL));
        expect_begins(o.chart, cases[i].begin);
    }
    json_decref(nights);
    json_decref(night);
}

static void a_chart_of_no_known_kind(void **state) {
    static const char *const names[] = {"c.jpg", "c", "svg", "c.SVG", "c.svg.gz"};
    json_t *night = a_night();
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        ci_outputs o = {.chart = in(state, names[i])};
        GError *error = NULL;
        assert_false(ci_outputs_write(&o, "kieker", night, NULL, &error));
        EXPECT_ERROR(error, CI_ERROR_USAGE, ".svg, .png or .pdf");
        assert_false(g_file_test(o.chart, G_FILE_TEST_EXISTS));
    }
    json_decref(night);
}

/* The first that fails ends it: what comes after is not written as if all were well. */
static void a_file_that_cannot_be_written(void **state) {
    ci_outputs o = {.markdown = in(state, "no/m.md"), .junit = in(state, "j.xml")};
    json_t *night = a_night();
    g_autoptr(GError) error = NULL;
    assert_false(ci_outputs_write(&o, "kieker", night, NULL, &error));
    assert_non_null(strstr(error->message, "m.md"));
    assert_false(g_file_test(o.junit, G_FILE_TEST_EXISTS));
    json_decref(night);
}

static void who_takes_standard_output(void **state) {
    (void)state;
    char dash[] = "-", file[] = "m.md";
    static const size_t places[] = {offsetof(ci_outputs, markdown), offsetof(ci_outputs, junit),
                                    offsetof(ci_outputs, plot_csv), offsetof(ci_outputs, html)};
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        ci_outputs o = {.chart = file};
        assert_false(ci_outputs_stdout(&o));
        *(char **)((char *)&o + places[i]) = dash;
        assert_true(ci_outputs_stdout(&o));
    }
    const ci_outputs nothing = {0};
    assert_false(ci_outputs_stdout(&nothing));
}

static ci_exit write_dash(int argc, char **argv, GError **error) {
    (void)error;
    (void)argc;
    return ci_write("-", argv[0], NULL) ? CI_OK : CI_INPUT;
}

static void a_dash_is_standard_output(void **state) {
    (void)state;
    g_auto(called) c = CALL(write_dash, "a\n- b\n");
    expect_called(&c, CI_OK, NULL, "");
    assert_string_equal(c.out, "a\n- b\n");
}

/* As in `moowatch gate --markdown - | head -1`, or on a full disk. */
static void standard_output_that_is_full(void **state) {
    (void)state;
    FILE *full = fopen("/dev/full", "we");
    assert_non_null(full);
    (void)fflush(stdout);
    const int own = dup(STDOUT_FILENO);
    dup2(fileno(full), STDOUT_FILENO);
    GError *error = NULL;
    const bool written = ci_write("-", "text", &error);
    clearerr(stdout);
    dup2(own, STDOUT_FILENO);
    (void)close(own);
    (void)fclose(full);
    assert_false(written);
    EXPECT_ERROR(error, CI_ERROR_INPUT, "cannot write to stdout");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_format_to_its_file),
        IN_FOLDER(a_chart_by_the_end_of_its_name),
        IN_FOLDER(a_chart_of_no_known_kind),
        IN_FOLDER(a_file_that_cannot_be_written),
        cmocka_unit_test(who_takes_standard_output),
        cmocka_unit_test(a_dash_is_standard_output),
        cmocka_unit_test(standard_output_that_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
