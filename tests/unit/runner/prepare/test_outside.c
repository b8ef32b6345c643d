/* A script of the node's that prepares trees: whoever edits it makes what it has prepared out of
 * date. */
#include "tests/unit/runner/test.h"

#include "runner/prepare/outside.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

static char *hash_of(const char *first, const char *second, const char *harness) {
    g_autofree char *a = g_strdup(first), *b = g_strdup(second);
    char *words[] = {a, b, NULL};
    return run_outside_hash(words, harness);
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
    assert_null(run_outside_hash(NULL, "/h"));
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
        cmocka_unit_test(test_bytes_count),
        cmocka_unit_test(test_below_the_harness),
        cmocka_unit_test(test_nothing_outside),
        cmocka_unit_test(test_a_large_file_by_its_stamp),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
