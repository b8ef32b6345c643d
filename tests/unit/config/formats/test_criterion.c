/* Criterion.rs: estimates.json and sample.json of one benchmark. */
#include "tests/unit/config/formats/reader.h"

#include <glib/gstdio.h>

#define ESTIMATES(level)                                                                           \
    "{'mean': {'confidence_interval': {'confidence_level': " level ", 'lower_bound': 24,"          \
    " 'upper_bound': 41}, 'point_estimate': 32, 'standard_error': 4}, 'median_abs_dev': {}}"

static void estimates_have_their_interval(void **state) {
    (void)state;
    fmt_night *night = night_of("criterion", ESTIMATES("0.95"));
    expect_mean(value_at(night, 0), "", 32, 24, 41);
    fmt_night_free(night);
    night = night_of("criterion", ESTIMATES("0.99"));
    expect_mean(value_at(night, 0), "", 32, NAN, NAN);
    expect_note(night, "\"confidence_interval\" is not read: it is not of 95 %");
    fmt_night_free(night);
}

static void a_sample_is_of_so_many_calls(void **state) {
    (void)state;
    fmt_night *night = night_of("criterion", "{'sampling_mode': 'Linear', 'iters': [10.0, 20.0],"
                                             " 'times': [100.0, 300.0]}");
    expect_mean(value_at(night, 0), "", 12.5, NAN, NAN);
    expect_loops(value_at(night, 0), 0, 2);
    fmt_night_free(night);
    expect_wrong("criterion", "{'iters': [1], 'times': [1, 2]}", "there are 2 times of 1 iters");
    expect_wrong("criterion", "{'iters': [1, 0], 'times': [1, 2]}", "times[1]: is not a time");
}

/* The name stands in a file beside it; no folder says it: "10" is one of any group. */
static void the_name_stands_beside(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("moowatch-XXXXXX", NULL);
    g_autofree char *file = g_build_filename(folder, "benchmark.json", NULL);
    g_autofree char *path = g_build_filename(folder, "estimates.json", NULL);
    g_autofree char *text = g_strdelimit(g_strdup(ESTIMATES("0.95")), "'", '"');
    assert_null(fmt_read(NULL, "estimates.json", path, text, strlen(text), false, &error));
    assert_string_equal(error->message, "estimates.json: Criterion: benchmark.json, which has its "
                                        "name, is not beside it");
    assert_true(g_file_set_contents(file, "{\"full_id\": \"Overhead/span\"}", -1, NULL));
    g_autoptr(GPtrArray) nights =
        fmt_read(NULL, "estimates.json", path, text, strlen(text), false, NULL);
    assert_string_equal(value_at(nights->pdata[0], 0)->name, "Overhead/span");
    (void)g_remove(file);
    (void)g_rmdir(folder);
}

static void another_tools_json(void **state) {
    (void)state;
    static const char *const texts[] = {"{}",
                                        "[1, 2]",
                                        "{'iters': []}",
                                        "{'mean': {}}",
                                        "{'mean': {'point_estimate': 1}}",
                                        "{'full_id': 'x'}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        expect_refused("criterion", texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_have_their_interval),
        cmocka_unit_test(a_sample_is_of_so_many_calls),
        cmocka_unit_test(the_name_stands_beside),
        cmocka_unit_test(another_tools_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
