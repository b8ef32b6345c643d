/* MooBench's raw files, in a folder or a zip: all loops, their labels, and what is refused. */
#include "tests/unit/ci/command/results_folder.h"

#include "ci/formats/moobench.h"

#include <zip.h>

static const ci_moobench_options halves = {.warmup_calls = DET_RAW_WARMUP_HALF};

/* The files of a folder, below results/ in the zip at path. */
static void pack(const char *folder, const char *path) {
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    g_autoptr(GDir) files = g_dir_open(folder, 0, NULL);
    assert_non_null(zip);
    for (const char *name; (name = g_dir_read_name(files));) {
        g_autofree char *file = g_build_filename(folder, name, NULL);
        g_autofree char *inner = g_strconcat("results/", name, NULL);
        zip_source_t *source = zip_source_file(zip, file, 0, -1);
        assert_true(zip_file_add(zip, inner, source, ZIP_FL_ENC_UTF_8) >= 0);
    }
    assert_int_equal(zip_close(zip), 0);
}

/* The four configurations zipped; caller frees the path. */
static char *put_zip(const char *folder) {
    g_autofree char *raw = make_below(folder, "raw");
    char *path = g_build_filename(folder, "all.zip", NULL);
    put_results(raw, 0);
    pack(raw, path);
    return path;
}

static ci_results *read_good(const char *path, const ci_moobench_options *options) {
    GError *error = NULL;
    ci_results *results = ci_moobench_read(path, options, &error);
    if (!results)
        fail_msg("%s", error->message);
    return results;
}

static void expect_refusal(const char *path, const ci_moobench_options *options,
                           const char *words) {
    GError *error = NULL;
    assert_null(ci_moobench_read(path, options, &error));
    EXPECT_ERROR(error, CI_ERROR_INPUT, words);
}

static void expect_label(const char *path, const ci_moobench_options *options, const char *label) {
    g_autoptr(ci_results) results = read_good(path, options);
    assert_string_equal(((const ci_link *)results->links->pdata[3])->label, label);
}

static void every_loop_after_its_warm_up(void **state) {
    put_results(*state, 0);
    g_autoptr(ci_results) results = read_good(*state, &halves);
    static const double means[] = {100, 150, 300, 900};
    assert_int_equal(results->depth, 10);
    assert_int_equal(results->loops, 3);
    assert_int_equal(results->links->len, 4);
    for (guint c = 0; c < 4; c++) {
        const ci_configuration *one = &results->configurations[c];
        for (guint l = 0; l < 3; l++) {
            assert_true(one->loops[l].present);
            assert_true(one->loops[l].calls.mean == means[c] + l + 1);
            assert_int_equal(one->loops[l].calls.n, CALLS / 2);
            assert_int_equal(one->loops[l].warmup_calls, CALLS / 2);
            assert_int_equal(one->loops[l].threads, 1);
        }
        assert_int_equal(one->all.n, 3 * CALLS / 2);
        assert_true(fabs(one->all.mean - means[c] - 2) < 1e-9);
    }
}

static void progress(guint done, guint total, void *user) {
    guint *calls = user;
    assert_int_equal(done, ++*calls);
    assert_int_equal(total, 12);
}

/* Unpacked by one thread or several, the night is that of the folder. */
static void a_zip_is_its_folder(void **state) {
    g_autofree char *path = put_zip(*state);
    g_autofree char *raw = g_build_filename(*state, "raw", NULL);
    guint calls = 0;
    ci_moobench_options options = halves;
    options.progress = progress;
    options.progress_user = &calls;
    g_autoptr(ci_results) wanted = read_good(raw, &options);
    assert_int_equal(calls, 12);
    json_t *night = ci_night_of(wanted, 0.95, NULL);
    json_object_del(night, "source");
    json_object_del(night, "night");
    for (options.threads = 0; options.threads <= 3; options.threads++) {
        calls = 0;
        g_autoptr(ci_results) results = read_good(path, &options);
        json_t *other = ci_night_of(results, 0.95, NULL);
        assert_int_equal(calls, 12);
        expect_text(other, "source", path);
        expect_text(other, "night", "all.zip");
        json_object_del(other, "source");
        json_object_del(other, "night");
        assert_true(json_equal(night, other));
        json_decref(other);
    }
    json_decref(night);
}

static void where_the_raw_files_are(void **state) {
    g_autofree char *path = put_zip(*state);
    g_autofree char *below = make_below(*state, "results");
    g_autofree char *zip = g_build_filename(*state, "results.zip", NULL);
    g_autofree char *deep = g_build_filename(below, "results.zip", NULL);
    expect_refusal(*state, &halves, *state);
    assert_int_equal(g_rename(path, deep), 0);
    g_autoptr(ci_results) third = read_good(*state, &halves);
    assert_string_equal(third->path, deep);
    assert_int_equal(g_rename(deep, zip), 0);
    g_autoptr(ci_results) second = read_good(*state, &halves);
    assert_string_equal(second->path, zip);
    put_results(below, 0);
    g_autoptr(ci_results) first = read_good(*state, &halves);
    assert_string_equal(first->path, below);
}

/* results-<framework>, as newer scripts of upstream call it; of two such nobody knows which. */
static void results_of_a_framework(void **state) {
    g_autofree char *own = make_below(*state, "results-Kieker-java");
    put_results(own, 0);
    expect_label(*state, &halves, "3");
    g_free(put(*state, "labels.sh", "TITLE[3]=\"Binary file\"\n"));
    expect_label(*state, &halves, "Binary file");
    g_autofree char *other = make_below(*state, "results-Skywalking-java");
    put_results(other, 0);
    expect_refusal(*state, &halves, "both have raw files; name one of them");
}

static void a_results_zip_that_is_none(void **state) {
    g_free(put(*state, "results.zip", "no zip"));
    expect_refusal(*state, &halves, "give a folder of raw files");
}

static void labels_beside_and_above(void **state) {
    g_autofree char *raw = make_below(*state, "raw");
    g_autofree char *zip = g_build_filename(*state, "all.zip", NULL);
    put_results(raw, 0);
    pack(raw, zip);
    expect_label(raw, &halves, "3");
    g_free(put(*state, "labels.sh", "TITLE[3]=\"Above\"\n"));
    expect_label(raw, &halves, "Above");
    expect_label(zip, &halves, "Above");
    g_free(put(raw, "labels.sh", "TITLE[3]=\"Inside\"\n"));
    expect_refusal(raw, &halves, "two label files that differ: ");
    expect_refusal(raw, &halves, "choose one with --labels");
    g_free(put(raw, "labels.sh", "TITLE[3]=\"Above\"\n"));
    expect_label(raw, &halves, "Above");
}

static void labels_as_told(void **state) {
    g_autofree char *raw = make_below(*state, "raw");
    put_results(raw, 0);
    g_free(put(raw, "labels.sh", "TITLE[3]=\"Inside\"\n"));
    expect_label(raw, &halves, "Inside");
    g_autofree char *mine = put(*state, "mine.sh", "TITLE[3]=\"Mine\"\nTITLE[9]=\"Nobody\"\n");
    ci_moobench_options options = halves;
    options.labels = mine;
    expect_label(raw, &options, "Mine");
    assert_int_equal(g_remove(mine), 0);
    expect_refusal(raw, &options, "mine.sh: there is no such file");
    g_autofree char *nowhere = g_build_filename(*state, "nowhere", "labels.sh", NULL);
    options.labels = nowhere;
    expect_refusal(raw, &options, "nowhere: there is no such file or folder");
    g_autofree char *large = g_strnfill((gsize)256 * 1024 + 1, '#');
    g_free(put(raw, "labels.sh", large));
    expect_refusal(raw, &halves, "labels.sh");
    g_free(put(*state, "labels.sh", "TITLE[3]=\"Above\"\n"));
    expect_refusal(raw, &halves, "larger than");
}

/* The file, line and column of a damaged raw file, whatever it is in. */
static void a_damaged_raw_file(void **state) {
    static const struct {
        const char *text, *words;
    } cases[] = {{"0;1\n0;x\n", "raw-2-10-3.csv:2:3: "},
                 {"0;1\n0;2", "raw-2-10-3.csv:"},
                 {"", "raw-2-10-3.csv:"}};
    g_autofree char *raw = make_below(*state, "raw");
    g_autofree char *zip = g_build_filename(*state, "all.zip", NULL);
    put_results(raw, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_free(put(raw, "raw-2-10-3.csv", cases[i].text));
        pack(raw, zip);
        expect_refusal(raw, &halves, cases[i].words);
        expect_refusal(zip, &halves, cases[i].words);
    }
}

static void a_loop_that_was_cut_short(void **state) {
    g_autofree char *raw = make_below(*state, "raw");
    g_autofree char *zip = g_build_filename(*state, "all.zip", NULL);
    put_results(raw, 0);
    g_free(put(raw, "raw-2-10-3.csv", "0;1000000\n0;902\n"));
    pack(raw, zip);
    const char *const paths[] = {raw, zip};
    for (size_t i = 0; i < 2; i++) {
        expect_refusal(paths[i], &halves, "raw-2-10-3.csv: 2 calls, but 8 in ");
        expect_refusal(paths[i], &halves, "was it cut short? --allow-missing uses what is there");
        ci_moobench_options options = halves;
        options.allow_missing = true;
        g_autoptr(ci_results) results = read_good(paths[i], &options);
        assert_int_equal(results->configurations[3].loops[1].calls.n, 1);
    }
}

static void the_chain_must_fit(void **state) {
    put_results(*state, 0);
    ci_moobench_options options = halves;
    options.chain = "T,I";
    expect_refusal(*state, &options, "--chain");
    options.chain = "T,A:0,B:0,C:0";
    g_autoptr(ci_results) star = read_good(*state, &options);
    assert_int_equal(((const ci_link *)star->links->pdata[3])->parent, 0);
    assert_string_equal(((const ci_link *)star->links->pdata[3])->portion, "C");
    put_loop(*state, 1, "bare", 100);
    options.chain = NULL;
    options.allow_missing = true;
    expect_refusal(*state, &options, "--chain");
}

/* In a project's order, by its numbers, each configuration with its own warm-up. */
static void a_projects_own_warm_up(void **state) {
    put_results(*state, 0);
    g_autoptr(cfg_project) project =
        cfg_project_load(TEST_SOURCE_DIR "/config/examples/projects.d/kieker-java.yaml", NULL);
    assert_non_null(project);
    static const uint64_t warmups[] = {4, 6, 4, 5};
    for (size_t i = 0; i < G_N_ELEMENTS(warmups); i++)
        project->benchmark.configurations[i].warmup_calls = warmups[i];
    ci_moobench_options options = {.project = project, .project_warmup = true};
    g_autoptr(ci_results) results = read_good(*state, &options);
    for (guint c = 0; c < G_N_ELEMENTS(warmups); c++) {
        assert_int_equal(results->configurations[c].loops[2].warmup_calls, warmups[c]);
        assert_int_equal(results->configurations[c].loops[2].calls.n, CALLS - warmups[c]);
        assert_int_equal(results->configurations[c].all.n, 3 * (CALLS - warmups[c]));
    }
    assert_true(results->configurations[1].loops[0].calls.mean == 151 + 2); /* the last two */
    project->benchmark.configurations[2].warmup_calls = CALLS;
    expect_refusal(*state, &options, ".csv:9:1: all 8 calls are warm-up");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_loop_after_its_warm_up),
        IN_FOLDERS(a_zip_is_its_folder),
        IN_FOLDERS(where_the_raw_files_are),
        IN_FOLDERS(results_of_a_framework),
        IN_FOLDER(a_results_zip_that_is_none),
        IN_FOLDERS(labels_beside_and_above),
        IN_FOLDERS(labels_as_told),
        IN_FOLDERS(a_damaged_raw_file),
        IN_FOLDERS(a_loop_that_was_cut_short),
        IN_FOLDER(the_chain_must_fit),
        IN_FOLDER(a_projects_own_warm_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
