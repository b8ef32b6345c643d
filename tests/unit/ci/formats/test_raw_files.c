/* Which raw files a folder has, and whether they are one whole experiment. */
#include "tests/unit/ci/expect.h"

#include "ci/formats/moobench.h"

/* Empty files called so; the source of them. */
static ci_source *source_of(const char *folder, const char *const *names) {
    for (; *names; names++)
        g_free(put(folder, *names, ""));
    ci_source *source = ci_source_open(folder, NULL);
    assert_non_null(source);
    return source;
}

static void a_whole_experiment(void **state) {
    g_autoptr(ci_source) source =
        source_of(*state, (const char *[]){"raw-1-10-0.csv", "raw-2-10-0.csv", "raw-1-10-1.csv",
                                           "raw-2-10-1.csv", "results.yaml", "labels.sh", NULL});
    g_auto(ci_raw_files) files = {0};
    assert_true(ci_raw_files_find(source, CI_DEPTH_ANY, false, &files, NULL));
    assert_int_equal(files.depth, 10);
    assert_int_equal(files.loops, 2);
    assert_int_equal(files.files->len, 4);
    assert_int_equal(files.links->len, 2);
    const ci_raw_file *last = &g_array_index(files.files, ci_raw_file, 3);
    assert_string_equal(last->entry->name, "raw-2-10-1.csv");
    assert_int_equal(last->loop, 2);
    assert_int_equal(last->configuration, 1);
}

static void numbers_before_names_ten_after_nine(void **state) {
    g_autoptr(ci_source) source =
        source_of(*state, (const char *[]){"raw-1-10-otel.csv", "raw-1-10-10.csv", "raw-1-10-9.csv",
                                           "raw-1-10-bare.csv", NULL});
    static const char *const order[] = {"9", "10", "bare", "otel"};
    g_auto(ci_raw_files) files = {0};
    assert_true(ci_raw_files_find(source, CI_DEPTH_ANY, false, &files, NULL));
    for (guint i = 0; i < 4; i++) {
        const ci_link *link = files.links->pdata[i];
        assert_string_equal(link->name, order[i]);
        assert_string_equal(link->label, order[i]);
        assert_int_equal(link->parent, -1);
    }
}

static void one_depth_of_several(void **state) {
    g_autoptr(ci_source) source = source_of(
        *state, (const char *[]){"raw-1-10-0.csv", "raw-1-2-0.csv", "raw-2-2-0.csv", NULL});
    g_auto(ci_raw_files) files = {0};
    GError *error = NULL;
    assert_false(ci_raw_files_find(source, CI_DEPTH_ANY, false, &files, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "(2, 10); choose one with --depth");
    assert_false(ci_raw_files_find(source, 3, false, &files, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "depth 3; found: 2, 10");
    assert_true(ci_raw_files_find(source, 2, false, &files, &error));
    assert_int_equal(files.loops, 2);
    assert_int_equal(files.files->len, 2);
}

static void a_missing_loop_is_named(void **state) {
    g_autoptr(ci_source) source =
        source_of(*state, (const char *[]){"raw-1-10-0.csv", "raw-2-10-0.csv", "raw-3-10-0.csv",
                                           "raw-1-10-1.csv", "raw-3-10-1.csv", NULL});
    g_auto(ci_raw_files) files = {0};
    GError *error = NULL;
    assert_false(ci_raw_files_find(source, CI_DEPTH_ANY, false, &files, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "raw-2-10-1.csv is missing");
    assert_true(ci_raw_files_find(source, CI_DEPTH_ANY, true, &files, NULL));
    assert_int_equal(files.loops, 3);
    assert_int_equal(files.files->len, 5);
}

/* "01" and "1" are the same loop: neither is taken silently. */
static void the_same_loop_twice(void **state) {
    g_autoptr(ci_source) source =
        source_of(*state, (const char *[]){"raw-1-10-0.csv", "raw-01-10-0.csv", NULL});
    g_auto(ci_raw_files) files = {0};
    GError *error = NULL;
    assert_false(ci_raw_files_find(source, CI_DEPTH_ANY, true, &files, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "two files for loop 1");
}

static void loops_outside_the_limit(void **state) {
    g_autoptr(ci_source) source = source_of(*state, (const char *[]){"raw-0-10-0.csv", NULL});
    g_auto(ci_raw_files) files = {0};
    GError *error = NULL;
    assert_false(ci_raw_files_find(source, CI_DEPTH_ANY, true, &files, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "loop 0 is not between 1");
    g_autofree char *name = g_strdup_printf("raw-%u-10-0.csv", DET_LOOPS_MAX + 1);
    g_autofree char *zero = g_build_filename(*state, "raw-0-10-0.csv", NULL);
    g_remove(zero);
    g_autoptr(ci_source) beyond = source_of(*state, (const char *[]){name, NULL});
    assert_false(ci_raw_files_find(beyond, CI_DEPTH_ANY, true, &files, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "is not between 1");
}

static void too_many_configurations(void **state) {
    for (unsigned i = 0; i <= DET_CONFIGURATIONS_MAX; i++) {
        g_autofree char *name = g_strdup_printf("raw-1-10-%u.csv", i);
        g_free(put(*state, name, ""));
    }
    g_autoptr(ci_source) source = ci_source_open(*state, NULL);
    g_auto(ci_raw_files) files = {0};
    GError *error = NULL;
    assert_false(ci_raw_files_find(source, CI_DEPTH_ANY, false, &files, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "at most");
}

static void no_raw_file_at_all(void **state) {
    g_autoptr(ci_source) source =
        source_of(*state, (const char *[]){"results.yaml", "raw-1-10.csv", NULL});
    g_auto(ci_raw_files) files = {0};
    GError *error = NULL;
    assert_false(ci_raw_files_find(source, CI_DEPTH_ANY, false, &files, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, "is this a MooBench result?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_whole_experiment),      IN_FOLDER(numbers_before_names_ten_after_nine),
        IN_FOLDER(one_depth_of_several),    IN_FOLDER(a_missing_loop_is_named),
        IN_FOLDER(the_same_loop_twice),     IN_FOLDER(loops_outside_the_limit),
        IN_FOLDER(too_many_configurations), IN_FOLDER(no_raw_file_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
