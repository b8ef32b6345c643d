/* Where a raw file is, and how it goes. */
#include "server/store/files.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/server/expect.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/test.h"

#include <glib.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHA "abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789"

static void a_path_has_two_levels(void **state) {
    (void)state;
    g_autofree char *path = srv_raw_path("/data/raw", SHA);
    assert_string_equal(
        path,
        "/data/raw/ab/cdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789.csv.zst");
}

enum { AS_WANTED, OTHERWISE, NO_MOUNT };

/* In a mount namespace of its own. */
static int try_read_only(char *dir) {
    const srv__place place = {.dir = g_strdup(dir), .what = "raw file", .limit_bytes = 100};
    g_autoptr(GError) error = NULL;
    if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", dir, "tmpfs", MS_RDONLY, NULL) != 0)
        return NO_MOUNT;
    return !srv__place_new(&place, &error) && g_error_matches(error, SRV_ERROR, SRV_ERROR_FULL) &&
                   strstr(error->message, "check the disk, then upload it again")
               ? AS_WANTED
               : OTHERWISE;
}

/* As the kernel leaves one whose disk fails: who uploads is told to come again. */
static void a_file_system_that_became_read_only(void **state) {
    (void)state;
    char *dir = folder_new();
    int status = 0;
    const pid_t pid = fork();
    if (pid == 0)
        _exit(try_read_only(dir));
    assert_int_equal(waitpid(pid, &status, 0), pid);
    folder_free(dir);
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_MOUNT)
        skip();
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), AS_WANTED);
}

/* What does not fit is told with what helps: a reserve of 0 cannot be lowered, nor is it in the way
 * of what is larger than the disk. */
static void what_helps_is_named(void **state) {
    (void)state;
    const struct {
        uint64_t reserve_bytes;
        int64_t size_bytes;
        bool reserve;
    } cases[] = {{0, INT64_MAX, false},
                 {1, INT64_MAX, false},
                 {UINT64_MAX, 1, true},
                 {UINT64_MAX, INT64_MAX, false}};
    char *dir = folder_new();
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const srv__place about = {.dir = g_strdup(dir),
                                  .what = "raw file",
                                  .folder = "raw",
                                  .suffix = "",
                                  .limit_bytes = UINT64_MAX,
                                  .reserve_bytes = cases[i].reserve_bytes};
        g_autoptr(srv__place) place = srv__place_new(&about, NULL);
        g_autoptr(GError) error = NULL;
        assert_non_null(place);
        assert_null(srv__incoming_new(place, NULL, cases[i].size_bytes, &error));
        assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_FULL));
        assert_non_null(strstr(error->message, "free some space"));
        if (!strstr(error->message, "lower disk_reserve_bytes") != !cases[i].reserve)
            fail_msg("%s", error->message);
    }
    folder_free(dir);
}

static void add(fixture *fix) {
    assert_true(srv__removal_add(fix->store, SRV__REMOVAL_RAW, SHA, fix->now_ms, NULL));
}

static bool claim(fixture *fix, int64_t after_ms, GError **error) {
    return removal_claim(fix->store, SRV__REMOVAL_RAW, SHA, fix->now_ms + after_ms, error);
}

static json_t *take_after(fixture *fix, int64_t after_ms, size_t count) {
    json_t *rows = removal_take(fix->store, SRV__REMOVAL_RAW, fix->now_ms + after_ms, 10, NULL);
    assert_non_null(rows);
    assert_int_equal(json_array_size(rows), count);
    return rows;
}

static void finish(fixture *fix, const json_t *rows, size_t count) {
    assert_true(removal_done(fix->store, SRV__REMOVAL_RAW, rows, count, NULL));
}

/* Between the row and the file an hour passes; who brings the bytes again has as long for its row.
 */
static void who_brings_it_again_keeps_it(void **state) {
    fixture *fix = *state;
    assert_true(claim(fix, 0, NULL)); /* it is not even going */
    add(fix);
    json_decref(take_after(fix, SRV__REMOVAL_AFTER_MS, 0));
    assert_true(claim(fix, SRV__REMOVAL_AFTER_MS, NULL));
    json_decref(take_after(fix, 2 * SRV__REMOVAL_AFTER_MS, 0));
    assert_true(srv__removal_back(fix->store, SRV__REMOVAL_RAW, SHA, NULL));
    json_decref(take_after(fix, 9 * SRV__REMOVAL_AFTER_MS, 0));
}

/* Who is about it may be killed; the next one goes on. */
static void while_it_is_removed_nobody_brings_it(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    add(fix);
    for (int again = 0; again < 2; again++) {
        json_t *rows = take_after(fix, SRV__REMOVAL_AFTER_MS + 1, 1);
        assert_string_equal(text_of(json_array_get(rows, 0), "sha256"), SHA);
        assert_false(claim(fix, 0, &error));
        assert_srv_error(error, BUSY, "just being removed");
        finish(fix, rows, 0); /* none is removed */
        json_decref(rows);
        assert_false(claim(fix, 0, NULL));
    }
    json_t *rows = take_after(fix, SRV__REMOVAL_AFTER_MS + 1, 1);
    finish(fix, rows, 1);
    json_decref(rows);
    assert_true(claim(fix, 0, NULL));
    json_decref(take_after(fix, 9 * SRV__REMOVAL_AFTER_MS, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_has_two_levels), cmocka_unit_test(what_helps_is_named),
        cmocka_unit_test(a_file_system_that_became_read_only),
        FIX_TEST(who_brings_it_again_keeps_it), FIX_TEST(while_it_is_removed_nobody_brings_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
