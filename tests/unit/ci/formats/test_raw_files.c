/* Which raw files a folder has, and whether they are one whole experiment. */
#include "tests/unit/ci/expect.h"
#include "tests/unit/test.h"

#include "ci/formats/moobench.h"

#include <math.h>

/* Empty files called so; the source of them. */
static ci_source *source_of(const char *folder, const char *const *names) {
    for (; *names; names++)
        g_free(put(folder, *names, "0;1\n"));
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

/* It holds no call: of the loop there is as little as without it. */
static void an_empty_file_is_a_missing_loop(void **state) {
    g_free(put(*state, "raw-2-10-0.csv", ""));
    g_autoptr(ci_source) source = source_of(*state, (const char *[]){"raw-1-10-0.csv", NULL});
    g_auto(ci_raw_files) files = {0}, all = {0};
    assert_true(ci_raw_files_find(source, CI_DEPTH_ANY, true, &files, NULL));
    assert_int_equal(files.loops, 1);
    assert_int_equal(files.files->len, 1);
    assert_true(ci_raw_files_find(source, CI_DEPTH_ANY, false, &all, NULL));
    assert_int_equal(all.files->len, 2);
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

/* counts must say the same as the detector's summary of all values, for every small size too. */

/* splitmix64: the same values on every machine */
static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void assert_near(double a, double b) {
    assert_true(fabs(a - b) <= 1e-12 * fabs(b) || (isnan(a) && isnan(b)));
}

static void assert_same(ci_counts *counts, const double *values, size_t n) {
    det_summary mine, theirs;
    assert_int_equal(ci_counts_summary(counts, &mine), DET_OK);
    assert_int_equal(det_summary_of(&theirs, values, n), DET_OK);
    assert_int_equal(mine.n, theirs.n);
    assert_near(mine.mean, theirs.mean);
    assert_near(mine.sd, theirs.sd);
    assert_true(mine.min == theirs.min && mine.max == theirs.max);
    assert_near(mine.q1, theirs.q1);
    assert_near(mine.median, theirs.median);
    assert_near(mine.q3, theirs.q3);
}

static void every_small_size(void **state) {
    (void)state;
    double values[64];
    uint64_t seed = 1;
    for (size_t n = 1; n <= 64; n++)
        for (unsigned range = 0; range < 3; range++) {
            static const uint64_t ranges[] = {10, 200000, UINT64_C(1) << 40};
            g_autoptr(ci_counts) counts = ci_counts_new();
            for (size_t i = 0; i < n; i++)
                values[i] = (double)(next(&seed) % ranges[range]);
            ci_counts_add(counts, values, n);
            assert_same(counts, values, n);
        }
}

static void merged_is_as_added(void **state) {
    (void)state;
    const size_t n = 30000;
    g_autofree double *values = g_new(double, n);
    uint64_t seed = 2;
    for (size_t i = 0; i < n; i++)
        values[i] = (double)(next(&seed) % (i % 100 ? 3000 : 3000000));
    g_autoptr(ci_counts) all = ci_counts_new();
    for (size_t i = 0; i < n; i += 10000) {
        g_autoptr(ci_counts) part = ci_counts_new();
        ci_counts_add(part, values + i, 10000);
        ci_counts_merge(all, part);
    }
    assert_same(all, values, n);
}

static void constant_has_no_spread(void **state) {
    (void)state;
    const double values[] = {70, 70, 70};
    g_autoptr(ci_counts) counts = ci_counts_new();
    ci_counts_add(counts, values, 3);
    assert_same(counts, values, 3);
}

static void nothing_is_too_short(void **state) {
    (void)state;
    g_autoptr(ci_counts) counts = ci_counts_new();
    det_summary summary;
    assert_int_equal(ci_counts_summary(counts, &summary), DET_ESHORT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_whole_experiment),
        IN_FOLDER(numbers_before_names_ten_after_nine),
        IN_FOLDER(one_depth_of_several),
        IN_FOLDER(a_missing_loop_is_named),
        IN_FOLDER(an_empty_file_is_a_missing_loop),
        IN_FOLDER(the_same_loop_twice),
        IN_FOLDER(loops_outside_the_limit),
        IN_FOLDER(too_many_configurations),
        IN_FOLDER(no_raw_file_at_all),

        cmocka_unit_test(every_small_size),
        cmocka_unit_test(merged_is_as_added),
        cmocka_unit_test(constant_has_no_spread),
        cmocka_unit_test(nothing_is_too_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
