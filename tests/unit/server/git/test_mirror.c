/* A mirror as files: leftovers, size, and another one in its place. */
#include "tests/unit/test.h"

#include "server/git/mirror.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

#include <gio/gio.h>
#include <sys/stat.h>

typedef struct {
    char *folder, *mirror, *new, *old, *packs;
} place;

static char *made(const char *path) {
    assert_int_equal(g_mkdir_with_parents(path, 0700), 0);
    return g_strdup(path);
}

static int setup(void **state) {
    place *at = g_new0(place, 1);
    at->folder = folder_new();
    at->mirror = g_build_filename(at->folder, "p.git", NULL);
    at->new = g_strconcat(at->mirror, ".new", NULL);
    at->old = g_strconcat(at->mirror, ".old", NULL);
    at->packs = g_build_filename(at->mirror, "objects", "pack", NULL);
    *state = at;
    return 0;
}

static int teardown(void **state) {
    place *at = *state;
    folder_free(at->folder);
    g_free(at->mirror);
    g_free(at->new);
    g_free(at->old);
    g_free(at->packs);
    g_free(at);
    return 0;
}

static bool there(const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

static void a_killed_fetch_leaves_nothing(void **state) {
    const place *at = *state;
    g_free(made(at->packs));
    g_free(folder_file(at->packs, "pack_git2_a1b2c3", "four gigabytes, a poll\n"));
    g_free(folder_file(at->packs, "pack-0123.pack", "P"));
    g_free(folder_file(at->packs, "pack-0123.idx", "I"));
    g_autofree char *half = g_build_filename(at->new, "objects", "pack", NULL);
    g_free(made(half));
    g_free(folder_file(half, "pack-4567.pack", "half"));
    srv__mirror_sweep(at->mirror);
    assert_false(there(at->packs, "pack_git2_a1b2c3"));
    assert_true(there(at->packs, "pack-0123.pack") && there(at->packs, "pack-0123.idx"));
    assert_false(g_file_test(at->new, G_FILE_TEST_EXISTS));
}

/* Found by the campaign's kills: refs/heads/main.lock was left, and no later fetch could write. */
static void a_killed_fetch_leaves_no_lock(void **state) {
    const place *at = *state;
    static const char *const folders[] = {"", "refs/heads", "refs/heads/release",
                                          "refs/moowatch/pull/7"};
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *folder = g_build_filename(at->mirror, folders[i], NULL);
        g_free(made(folder));
        g_free(folder_file(folder, "main.lock", ""));
        g_free(folder_file(folder, "main", "0123\n"));
        g_free(folder_file(folder, "main.locked", "4567\n"));
    }
    srv__mirror_sweep(at->mirror);
    for (size_t i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *folder = g_build_filename(at->mirror, folders[i], NULL);
        assert_false(there(folder, "main.lock"));
        assert_true(there(folder, "main") && there(folder, "main.locked"));
    }
}

static void a_crash_between_two_renames_loses_none(void **state) {
    const place *at = *state;
    g_free(made(at->old));
    g_free(folder_file(at->old, "HEAD", "old"));
    g_free(made(at->new));
    srv__mirror_sweep(at->mirror);
    assert_true(there(at->mirror, "HEAD"));
    assert_false(g_file_test(at->old, G_FILE_TEST_EXISTS));
    assert_false(g_file_test(at->new, G_FILE_TEST_EXISTS));
    srv__mirror_sweep(at->mirror);
    assert_true(there(at->mirror, "HEAD"));
}

static void what_it_holds_is_counted_and_remembered(void **state) {
    const place *at = *state;
    g_autofree char *text = g_strnfill(100000, 'x');
    assert_true(srv__mirror_bytes(at->mirror) == 0);
    g_free(made(at->packs));
    g_free(folder_file(at->packs, "pack-1.pack", text));
    g_free(folder_file(at->mirror, "HEAD", "x"));
    const uint64_t bytes = srv__mirror_bytes(at->mirror);
    assert_in_range(bytes, 100000, 120000);
    assert_true(srv__mirror_marked(at->mirror) == 0);
    srv__mirror_mark(at->mirror);
    assert_true(srv__mirror_marked(at->mirror) == bytes);
    g_free(folder_file(at->mirror, "moowatch-bytes", "-3\n"));
    assert_true(srv__mirror_marked(at->mirror) == 0);
}

static void another_takes_its_place(void **state) {
    const place *at = *state;
    g_autoptr(GError) error = NULL;
    g_free(made(at->packs));
    g_autofree char *beside = srv__mirror_next(at->mirror);
    assert_string_equal(beside, at->new);
    assert_false(srv__mirror_replace(at->mirror, &error));
    assert_io_error(error, NOT_FOUND, "cannot rename ");
    assert_true(g_file_test(at->packs, G_FILE_TEST_EXISTS));
    g_free(made(at->new));
    g_free(folder_file(at->new, "HEAD", "new"));
    assert_true(srv__mirror_replace(at->mirror, NULL));
    assert_true(there(at->mirror, "HEAD"));
    assert_false(g_file_test(at->packs, G_FILE_TEST_EXISTS));
    assert_false(g_file_test(at->old, G_FILE_TEST_EXISTS));
}

static void what_must_stay_free_stays_free(void **state) {
    const place *at = *state;
    g_autoptr(GError) error = NULL;
    assert_true(srv__mirror_room(at->mirror, 0, NULL));
    assert_true(srv__mirror_room(at->mirror, 1, NULL));
    assert_false(srv__mirror_room(at->mirror, UINT64_MAX, &error));
    assert_io_error(error, NO_SPACE, "lower disk_reserve_bytes");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

static ino_t number_of_file(const char *folder, const char *name) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    struct stat info;
    return stat(path, &info) == 0 ? info.st_ino : 0;
}

static void what_another_holds_is_shared_whole_or_not_at_all(void **state) {
    const place *at = *state;
    g_autofree char *theirs = g_build_filename(at->new, "objects", "pack", NULL);
    g_free(made(at->packs));
    assert_false(srv__mirror_share(at->mirror, at->new)); /* it is not there */
    g_free(made(theirs));
    static const char *const names[] = {"pack-1.idx", "pack-1.pack", "pack_unfinished"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        g_free(folder_file(theirs, names[i], "x"));
    for (unsigned times = 0; times < 2; times++) {
        assert_true(srv__mirror_share(at->mirror, at->new));
        assert_int_equal(number_of_file(at->packs, "pack-1.idx"),
                         number_of_file(theirs, "pack-1.idx"));
        assert_false(there(at->packs, "pack_unfinished"));
    }
    g_free(folder_file(theirs, "pack-2.pack", "x"));
    assert_false(srv__mirror_share(at->old, at->new)); /* no folder to share them in */
    assert_false(there(at->packs, "pack-2.pack"));
    assert_true(there(at->packs, "pack-1.pack"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(a_killed_fetch_leaves_nothing),
        CASE(a_killed_fetch_leaves_no_lock),
        CASE(a_crash_between_two_renames_loses_none),
        CASE(what_it_holds_is_counted_and_remembered),
        CASE(another_takes_its_place),
        CASE(what_must_stay_free_stays_free),
        CASE(what_another_holds_is_shared_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
