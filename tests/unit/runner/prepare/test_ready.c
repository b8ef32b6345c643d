#include "runner/prepare/ready.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static char url[] = "/srv/a.git", project[] = "p",
            commit[] = "0123456789012345678901234567890123456789";
static char work_dir[] = "/srv";

/* Who knows all that a tree is made of, but not the node's secret, does not know its name. */
static void test_name_cannot_be_computed(void **state) {
    (void)state;
    char first[] = "00112233445566778899aabbccddeeff",
         second[] = "00112233445566778899aabbccddeefe";
    cfg_runner config = {.work_dir = work_dir};
    run_node node = {.config = &config};
    run_job job = {.url = url, .project = project, .commit = commit};
    char *secrets[] = {NULL, first, second, first};
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < G_N_ELEMENTS(secrets); i++) {
        node.secret = secrets[i];
        g_ptr_array_add(names, run_ready_folder(&node, &job, 0));
        assert_int_equal(strlen(names->pdata[i]), strlen("/srv/checkout/") + 32);
    }
    assert_string_not_equal(names->pdata[0], names->pdata[1]);
    assert_string_not_equal(names->pdata[1], names->pdata[2]);
    assert_string_equal(names->pdata[1],
                        names->pdata[3]); /* the cache holds copies of that place */
}

/* What one JDK has built is not what another one would have. */
static void test_another_jdk_is_another_tree(void **state) {
    (void)state;
    cfg_runner config = {.work_dir = work_dir};
    run_node node = {.config = &config};
    run_job job = {.url = url, .project = project, .commit = commit};
    char *jdks[] = {NULL, (char[]){"/usr/lib/jvm/21"}, (char[]){"/usr/lib/jvm/25"}};
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(jdks); i++) {
        job.benchmark.jdk = jdks[i];
        assert_true(g_hash_table_add(keys, cache_key_of(&node, &job, 0)));
    }
}

static void test_shown_and_closed(void **state) {
    struct stat status;
    GError *problem = NULL;
    assert_true(run_ready_show(*state, true, NULL));
    assert_true(stat(*state, &status) == 0 && (status.st_mode & 0777) == 0711);
    assert_true(run_ready_show(*state, false, NULL));
    assert_true(stat(*state, &status) == 0 && (status.st_mode & 0777) == 0700);
    assert_false(run_ready_show("/nonexistent/x", true, &problem));
    assert_error(problem, RUN_ERROR_NODE, "/nonexistent/x");
}

/* A script of the node's that prepares trees: whoever edits it makes what it has prepared out of
 * date. */

static char *hash_of(const char *first, const char *second, const char *harness) {
    g_autofree char *a = g_strdup(first), *b = g_strdup(second);
    char *words[] = {a, b, NULL};
    return outside_hash(words, harness);
}

static void write_file(const char *path, const char *text) {
    assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void test_bytes_count(void **state) {
    const char *folder = *state;
    g_autofree char *script = g_build_filename(folder, "prepare.sh", NULL);
    write_file(script, "make\n");
    g_autofree char *one = hash_of("sh", script, "/h");
    assert_int_equal(strlen(one), 64);
    write_file(script, "make\n"); /* another inode and moment, the same bytes */
    g_autofree char *same = hash_of("sh", script, "/h");
    assert_string_equal(one, same);
    write_file(script, "make -O2\n");
    g_autofree char *edited = hash_of("sh", script, "/h");
    assert_string_not_equal(one, edited);
    g_autofree char *other_place = g_build_filename(folder, "prepare2.sh", NULL);
    write_file(other_place, "make -O2\n");
    g_autofree char *moved = hash_of("sh", other_place, "/h");
    assert_string_not_equal(edited, moved);
}

static void test_below_the_harness(void **state) {
    const char *folder = *state;
    g_autofree char *script = g_build_filename(folder, "build.sh", NULL);
    write_file(script, "one");
    g_autofree char *one = hash_of("{harness}/build.sh", "x", folder);
    write_file(script, "two");
    g_autofree char *two = hash_of("{harness}/build.sh", "x", folder);
    assert_non_null(one);
    assert_string_not_equal(one, two);
}

/* What is in the commit, or found by PATH, or a folder, is not of the node's. */
static void test_nothing_outside(void **state) {
    assert_null(outside_hash(NULL, "/h"));
    g_autofree char *plain = hash_of("mvn", "./prepare", "/h");
    assert_null(plain);
    g_autofree char *folder = hash_of("make", *state, "/h");
    assert_null(folder);
    g_autofree char *gone = hash_of("/nonexistent/prepare.sh", "{harness}/none", NULL);
    assert_null(gone);
}

/* A large file is not read for each job: its size and moment count. */
static void test_a_large_file_by_its_stamp(void **state) {
    const char *folder = *state;
    g_autofree char *large = g_build_filename(folder, "large", NULL);
    write_file(large, "x");
    assert_int_equal(truncate(large, (64 << 20) + 1), 0);
    assert_int_equal(utime(large, &(struct utimbuf){1, 1}), 0);
    g_autofree char *one = hash_of(large, "x", "/h");
    g_autofree char *same = hash_of(large, "x", "/h");
    assert_string_equal(one, same);
    assert_int_equal(utime(large, &(struct utimbuf){2, 2}), 0);
    g_autofree char *later = hash_of(large, "x", "/h");
    assert_string_not_equal(one, later);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_name_cannot_be_computed),
        cmocka_unit_test(test_another_jdk_is_another_tree),
        cmocka_unit_test(test_shown_and_closed),

        cmocka_unit_test(test_bytes_count),
        cmocka_unit_test(test_below_the_harness),
        cmocka_unit_test(test_nothing_outside),
        cmocka_unit_test(test_a_large_file_by_its_stamp),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
