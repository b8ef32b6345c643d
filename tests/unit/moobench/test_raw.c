/* raw: the format, and that a file under its name is whole. */
#include "tests/unit/test.h"

#include "runner/moobench/c/moobench.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static char folder[] = "/tmp/test_raw_XXXXXX";
static char name[64], part_name[80];

static int make_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(name, sizeof name, "%s/raw.csv", folder);
    snprintf(part_name, sizeof part_name, "%s.part", name);
    return 0;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(name);
    return rmdir(folder);
}

static size_t file_read(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = '\0';
    return length;
}

static void test_lines_hold_thread_and_nanoseconds(void **state) {
    (void)state;
    int64_t durations[] = {0, 10, 999999999999, INT64_MAX};
    moobench_calls calls = {2, 2, durations, 0, 0};
    moobench_raw raw;
    assert_int_equal(moobench_raw_open(&raw, name), 0);
    assert_int_equal(access(name, F_OK), -1);
    assert_int_equal(moobench_raw_write(&raw, &calls), 0);
    char text[128];
    file_read(name, text, sizeof text);
    assert_string_equal(text, "1;0\n1;10\n2;999999999999\n2;9223372036854775807\n");
    assert_int_equal(access(part_name, F_OK), -1);
}

/* More than the buffer holds, so that lines meet its end. */
static void test_long_file_loses_nothing_between_buffers(void **state) {
    (void)state;
    enum { COUNT = 200000 };
    int64_t *durations = malloc(COUNT * sizeof *durations);
    assert_non_null(durations);
    for (int i = 0; i < COUNT; i++)
        durations[i] = 1000000 + i;
    moobench_calls calls = {1, COUNT, durations, 0, 0};
    moobench_raw raw;
    assert_int_equal(moobench_raw_open(&raw, name), 0);
    assert_int_equal(moobench_raw_write(&raw, &calls), 0);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    char line[64], expected[64];
    for (int i = 0; i < COUNT; i++) {
        snprintf(expected, sizeof expected, "1;%d\n", 1000000 + i);
        assert_non_null(fgets(line, sizeof line, file));
        assert_string_equal(line, expected);
    }
    assert_null(fgets(line, sizeof line, file));
    fclose(file);
    free(durations);
}

static void test_full_disk_leaves_the_old_file_and_no_part(void **state) {
    (void)state;
    FILE *old = fopen(name, "w");
    assert_non_null(old);
    fputs("old\n", old);
    fclose(old);
    int64_t durations[1000] = {0};
    moobench_calls calls = {1, 1000, durations, 0, 0};
    moobench_raw raw;
    assert_int_equal(moobench_raw_open(&raw, name), 0);

    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit small = {100, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int error = moobench_raw_write(&raw, &calls);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);

    assert_int_equal(error, EFBIG);
    assert_int_equal(access(part_name, F_OK), -1);
    char text[16];
    file_read(name, text, sizeof text);
    assert_string_equal(text, "old\n");
}

static void test_missing_folder_is_told_at_once(void **state) {
    (void)state;
    moobench_raw raw;
    assert_int_equal(moobench_raw_open(&raw, "/nonexistent/raw.csv"), ENOENT);
}

static void test_discard_leaves_nothing(void **state) {
    (void)state;
    unlink(name);
    moobench_raw raw;
    assert_int_equal(moobench_raw_open(&raw, name), 0);
    moobench_raw_discard(&raw);
    assert_int_equal(access(part_name, F_OK), -1);
    assert_int_equal(access(name, F_OK), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_hold_thread_and_nanoseconds),
        cmocka_unit_test(test_long_file_loses_nothing_between_buffers),
        cmocka_unit_test(test_full_disk_leaves_the_old_file_and_no_part),
        cmocka_unit_test(test_missing_folder_is_told_at_once),
        cmocka_unit_test(test_discard_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
