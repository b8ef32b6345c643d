#include "tests/unit/runner/test.h"

#include "runner/process/volume.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB (UINT64_C(1) << 20)

static bool refused;

/* As fast as it can until it is stopped; how many bytes got in. */
static uint64_t fill(const char *folder, const char *name, int *stopped_by) {
    static char block[1 << 20];
    g_autofree char *path = g_build_filename(folder, name, NULL);
    uint64_t written = 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    memset(block, 'x', sizeof block);
    for (ssize_t got; (got = write(fd, block, sizeof block)) > 0; written += (uint64_t)got)
        if (written > 200 * MIB)
            break; /* nothing stops it */
    *stopped_by = errno;
    close(fd);
    return written;
}

static char *make(const char *top, const char *name) {
    char *folder = g_build_filename(top, name, NULL);
    assert_true(run_scratch_make(folder, NULL));
    return folder;
}

static void test_holds_so_much_and_no_more(void **state) {
    GError *problem = NULL;
    if (refused)
        skip();
    g_autofree char *folder = make(*state, "volume");
    int stopped_by = 0;
    bool good = run_volume_open(folder, NULL, 16 * MIB, 0, &problem);
    assert_null(problem);
    assert_true(good && run_volume_is_open(folder));
    uint64_t bytes = fill(folder, "x", &stopped_by);
    assert_int_equal(stopped_by, ENOSPC);
    assert_in_range(bytes, 16 * MIB, 21 * MIB);
    struct stat status;
    assert_int_equal(stat(folder, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0711);
    g_autofree char *image = g_strconcat(folder, ".image", NULL);
    assert_false(g_file_test(image, G_FILE_TEST_EXISTS));
    assert_true(run_volume_close(folder, NULL));
    assert_false(run_volume_is_open(folder));
    assert_true(run_volume_close(folder, NULL));
    assert_true(run_scratch_bytes(folder) < MIB); /* what was in it is gone */
    assert_true(run_scratch_remove(folder, NULL));
}

static void test_a_kept_one_has_its_files_again(void **state) {
    if (refused)
        skip();
    g_autofree char *folder = make(*state, "home");
    g_autofree char *image = g_strconcat(folder, ".image", NULL);
    g_autofree char *file = g_build_filename(folder, "kept", NULL);
    const struct {
        uint64_t bytes;
        bool damage, there;
    } cases[] = {{16 * MIB, false, false}, /* new */
                 {16 * MIB, false, true},  /* the same again */
                 {12 * MIB, false, false}, /* too large by now */
                 {20 * MIB, false, true},  /* a little small */
                 {20 * MIB, true, false},  /* not a file system any more */
                 {64 * MIB, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].damage) {
            int fd = open(image, O_WRONLY | O_CLOEXEC);
            for (off_t at = 0; at < 1 << 20; at += 8)
                assert_int_equal(pwrite(fd, "damaged!", 8, at), 8);
            close(fd);
        }
        GError *problem = NULL;
        bool good = run_volume_open(folder, image, cases[i].bytes, 0, &problem);
        assert_null(problem);
        assert_true(good);
        assert_int_equal(g_file_test(file, G_FILE_TEST_EXISTS), cases[i].there);
        assert_true(g_file_set_contents(file, "x", 1, NULL));
        assert_true(run_volume_close(folder, NULL));
        assert_false(g_file_test(file, G_FILE_TEST_EXISTS));
    }
    assert_int_equal(unlink(image), 0);
    assert_true(run_scratch_remove(folder, NULL));
}

static void test_never_takes_the_reserve(void **state) {
    GError *problem = NULL;
    if (refused)
        skip();
    g_autofree char *folder = make(*state, "small");
    assert_false(run_volume_open(folder, NULL, 16 * MIB, UINT64_MAX / 2, &problem));
    assert_error(problem, RUN_ERROR_NODE, "mkfs.ext4");
    assert_true(run_scratch_remove(folder, NULL));
}

/* Whoever has no right to it is told so, and nothing is left. */
static void test_says_why_not(void **state) {
    g_autofree char *nowhere = g_build_filename(*state, "nowhere", NULL);
    g_autofree char *why = run_volume_refused(nowhere);
    assert_non_null(why);
    g_autoptr(GDir) left = g_dir_open(*state, 0, NULL);
    assert_null(g_dir_read_name(left));
}

static int prepare(void **state) {
    if (make_test_folder(state) != 0)
        return -1;
    g_autofree char *why = run_volume_refused(*state);
    refused = why || !run_volume_enter();
    if (refused)
        print_message("no volumes here: %s\n", why ? why : g_strerror(errno));
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holds_so_much_and_no_more),
        cmocka_unit_test(test_a_kept_one_has_its_files_again),
        cmocka_unit_test(test_never_takes_the_reserve),
        cmocka_unit_test(test_says_why_not),
    };
    return cmocka_run_group_tests(tests, prepare, remove_test_folder);
}
