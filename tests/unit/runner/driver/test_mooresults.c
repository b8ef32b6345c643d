#include "runner/driver/mooresults.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#define FRAMEWORK "frameworks/Kieker-java"
#define LABELS "TITLE[0]=\"No instrumentation\"\nTITLE[4]=\"Binary file\"\n"

/* One checkout a test: the folder's name is made of a counter. */
typedef struct {
    char *checkout, *framework, *raw;
    run_mooresults_place place;
} tree;

static void put(const char *folder, const char *name, const char *text) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autofree char *parent = g_path_get_dirname(path);
    assert_int_equal(g_mkdir_with_parents(parent, 0755), 0);
    assert_true(g_file_set_contents(path, text, -1, NULL));
}

static tree make(void **state) {
    static unsigned number;
    g_autofree char *name = g_strdup_printf("tree-%u", number++);
    tree at = {.checkout = g_build_filename(*state, name, NULL)};
    at.framework = g_build_filename(at.checkout, FRAMEWORK, NULL);
    at.raw = g_strconcat(at.checkout, ".csv", NULL);
    at.place = (run_mooresults_place){
        .checkout = at.checkout, .framework = FRAMEWORK, .depth = 10, .bytes_max = 100000};
    put(at.framework, "labels.sh", LABELS);
    return at;
}

static void clear(tree *at) {
    g_free(at->checkout);
    g_free(at->framework);
    g_free(at->raw);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(tree, clear)

static json_t *expect(const tree *at, unsigned index, const char *text) {
    GError *error = NULL;
    json_t *report;
    char got[1000] = {0};
    const int fd = run_mooresults_take(&at->place, index, at->raw, &report, &error);
    if (fd < 0)
        fail_msg("%s", error->message);
    assert_int_equal(read(fd, got, sizeof got - 1), strlen(text));
    close(fd);
    assert_string_equal(got, text);
    return report;
}

static void expect_wrong(const tree *at, unsigned index, const char *message) {
    GError *error = NULL;
    json_t *report;
    assert_int_equal(run_mooresults_take(&at->place, index, at->raw, &report, &error), -1);
    assert_null(report);
    assert_error(error, RUN_ERROR_JOB, message);
}

static void pack(const char *folder, const char *name, const char *bytes, size_t size) {
    g_autofree char *path = g_build_filename(folder, "results.zip", NULL);
    assert_int_equal(g_mkdir_with_parents(folder, 0755), 0);
    zip_t *zip = zip_open(path, ZIP_CREATE, NULL);
    assert_non_null(zip);
    zip_source_t *source = zip_source_buffer(zip, bytes, size, 0);
    assert_true(zip_file_add(zip, name, source, ZIP_FL_OVERWRITE) >= 0);
    assert_int_equal(zip_close(zip), 0);
}

static void test_raw_as_it_is(void **state) {
    g_auto(tree) at = make(state);
    put(at.framework, "results-Kieker-java/raw-1-10-4.csv", "1;5\n");
    json_t *report = expect(&at, 4, "1;5\n");
    assert_string_equal(json_string_value(json_object_get(report, "label")), "Binary file");
    assert_null(json_object_get(report, "mean_us"));
    json_decref(report);
}

static void test_zipped(void **state) {
    g_auto(tree) at = make(state);
    g_autofree char *results = g_build_filename(at.framework, "results", NULL);
    pack(results, "raw-1-10-0.csv", "1;7\n", 4);
    put(results, "results.yaml", "]["); /* upstream's figures are beside the point */
    json_t *report = expect(&at, 0, "1;7\n");
    assert_null(json_object_get(report, "mean_us"));
    json_decref(report);
}

static void test_whole_round(void **state) {
    g_auto(tree) at = make(state);
    at.place.whole = true;
    put(at.framework, "results/raw-1-10-0.csv", "1;5\n");
    put(at.framework, "results/raw-1-10-4.csv", "1;9\n");
    json_decref(expect(&at, 0, "1;5\n"));
    json_decref(expect(&at, 4, "1;9\n"));
    at.place.whole = false;
    expect_wrong(&at, 4, "from another configuration than 4");
}

static void test_missing(void **state) {
    g_auto(tree) at = make(state);
    expect_wrong(&at, 4, "the script wrote no results");
    put(at.framework, "results/output_1_10_4.txt", "Killed");
    expect_wrong(&at, 4, FRAMEWORK "/results: raw-1-10-4.csv is missing; raw files there: none");
    g_autofree char *results = g_build_filename(at.framework, "results", NULL);
    pack(results, "notes.txt", "", 0);
    expect_wrong(&at, 4, "raw-1-10-4.csv is missing");
    at.place.results = "elsewhere";
    expect_wrong(&at, 4, FRAMEWORK "/elsewhere: No such file");
}

static void test_mixed(void **state) {
    g_auto(tree) at = make(state);
    put(at.framework, "results/raw-1-10-4.csv", "1;5\n");
    put(at.framework, "results/raw-1-5-4.csv", "1;5\n");
    expect_wrong(&at, 4, "raw-1-5-4.csv has recursion depth 5 instead of 10");
    g_auto(tree) loops = make(state);
    put(loops.framework, "results/raw-1-10-4.csv", "1;5\n");
    put(loops.framework, "results/raw-2-10-4.csv", "1;5\n");
    expect_wrong(&loops, 4, "raw-2-10-4.csv is from loop 2, but only one loop was requested");
    g_auto(tree) twice = make(state);
    put(twice.framework, "results/raw-1-10-4.csv", "1;5\n");
    put(twice.framework, "results/raw-01-10-04.csv", "1;5\n");
    expect_wrong(&twice, 4, "two raw files of configuration 4");
    g_auto(tree) both = make(state);
    put(both.framework, "results/raw-1-10-4.csv", "1;5\n");
    put(both.framework, "results-Kieker-java/raw-1-10-4.csv", "1;5\n");
    expect_wrong(&both, 4, "wrote both results-Kieker-java and results");
}

static void test_labels(void **state) {
    g_auto(tree) at = make(state);
    put(at.framework, "results/raw-1-10-2.csv", "1;5\n");
    expect_wrong(&at, 2, "labels.sh has no TITLE[2]; correct configurations[].index");
    put(at.framework, "results/labels.sh", LABELS "TITLE[2]=\"No collection\"\n");
    expect_wrong(&at, 2, "two label files that differ: labels.sh and " FRAMEWORK "/results/labels");
    put(at.framework, "labels.sh", LABELS "TITLE[2]=\"No collection\"\n");
    json_decref(expect(&at, 2, "1;5\n"));
}

/* A link anywhere on the way would have us read, as the agent's user, what the benchmark may
 * not. */
static void test_links_are_not_followed(void **state) {
    g_auto(tree) at = make(state);
    g_autofree char *secret = g_build_filename(*state, "secret", NULL);
    put(secret, "raw-1-10-4.csv", "1;5\n");
    g_autofree char *results = g_build_filename(at.framework, "results", NULL);
    assert_int_equal(symlink(secret, results), 0);
    expect_wrong(&at, 4, "not a folder of the checkout itself");
    assert_int_equal(unlink(results), 0);
    g_autofree char *raw = g_build_filename(results, "raw-1-10-4.csv", NULL);
    g_autofree char *target = g_build_filename(secret, "raw-1-10-4.csv", NULL);
    assert_int_equal(g_mkdir(results, 0755), 0);
    assert_int_equal(symlink(target, raw), 0);
    expect_wrong(&at, 4, "raw-1-10-4.csv: a link, not a file");
    g_autofree char *frameworks = g_build_filename(at.checkout, "frameworks", NULL);
    g_autofree char *moved = g_build_filename(at.checkout, "moved", NULL);
    assert_int_equal(rename(frameworks, moved), 0);
    assert_int_equal(symlink("moved", frameworks), 0);
    expect_wrong(&at, 4, FRAMEWORK ": not a folder of the checkout itself");
}

static void test_zips_that_are_wrong(void **state) {
    g_auto(tree) at = make(state);
    g_autofree char *results = g_build_filename(at.framework, "results", NULL);
    g_autofree char *bomb = g_malloc0(200000);
    pack(results, "raw-1-10-4.csv", bomb, 200000);
    expect_wrong(&at, 4, "unpacks to 200000 bytes, more than the limit of 100000");
    g_auto(tree) out = make(state);
    g_autofree char *other = g_build_filename(out.framework, "results", NULL);
    pack(other, "../../../raw-1-10-4.csv", "1;5\n", 4);
    expect_wrong(&out, 4, "raw-1-10-4.csv is missing; raw files there: none");
    g_auto(tree) damaged = make(state);
    put(damaged.framework, "results/results.zip", "PK\x03\x04 and no more");
    expect_wrong(&damaged, 4, "is it a whole zip file?");
    put(damaged.framework, "results/results.zip", "");
    expect_wrong(&damaged, 4, "results.zip");
}

static void test_too_large(void **state) {
    g_auto(tree) at = make(state);
    put(at.framework, "results/raw-1-10-4.csv", "1;5\n1;5\n");
    at.place.bytes_max = 7;
    expect_wrong(&at, 4, "8 bytes, more than the limit of 7");
}

#define HEAD "kind: Kieker-java\nexperiments:\n"
#define ONE(label, mean)                                                                           \
    "- timestamp: 1\n  measurements:\n    " label ": [" mean                                       \
    ", 0.1, 0.2, 0.6, 0.7, 0.8, 0.9, 0.5]\n"

static double mean_of(const char *text, const char *label) {
    json_t *found = reported_find(text, strlen(text), label);
    double mean = found ? json_real_value(json_object_get(found, "mean_us")) : -1;
    if (found)
        assert_close(json_real_value(json_object_get(found, "ci95_us")), 0.2, 0);
    json_decref(found);
    return mean;
}

static void test_last_experiment_counts(void **state) {
    (void)state;
    assert_close(mean_of(HEAD ONE("none", "0.7"), "none"), 0.7, 0);
    assert_close(mean_of(HEAD ONE("none", "0.7") ONE("none", "0.9"), "none"), 0.9, 0);
}

static void test_nothing_to_be_had(void **state) {
    (void)state;
    const char *const texts[] = {"",
                                 "][",
                                 "kind: x\n",
                                 HEAD "[]\n",
                                 HEAD ONE("other", "0.7"),
                                 HEAD ONE("none", ".NAN"),
                                 HEAD ONE("none", "1e999")};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        assert_close(mean_of(texts[i], "none"), -1, 0);
}

/* 4 KB that stood for 92 MB: each experiment the same by its alias. */
static void test_alias_bomb(void **state) {
    (void)state;
    g_autoptr(GString) bomb =
        g_string_new(HEAD "- &e\n  timestamp: 1\n  measurements: {none: &l [1,1,0.2,1,1,1,1,1]");
    for (int i = 0; i < 60000; i++)
        g_string_append_printf(bomb, ",k%x: *l", (unsigned)i);
    g_string_append(bomb, "}\n");
    for (int i = 0; i < 100000; i++)
        g_string_append(bomb, "- *e\n");
    assert_close(mean_of(bomb->str, "none"), -1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raw_as_it_is),
        cmocka_unit_test(test_zipped),
        cmocka_unit_test(test_whole_round),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_links_are_not_followed),
        cmocka_unit_test(test_zips_that_are_wrong),
        cmocka_unit_test(test_too_large),
    };
    const struct CMUnitTest reported_tests[] = {
        cmocka_unit_test(test_last_experiment_counts),
        cmocka_unit_test(test_nothing_to_be_had),
        cmocka_unit_test(test_alias_bomb),
    };
    const int failed = cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
    return failed + cmocka_run_group_tests(reported_tests, NULL, NULL);
}
