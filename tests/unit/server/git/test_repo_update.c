/* A mirror follows its repository: what is new is fetched, and what cannot be is told. */
#include "tests/unit/test.h"

#include "server/git/mirror.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/mirror.h"

#include <string.h>
#include <sys/stat.h>

/* What the update of another source says. */
static char *refused(const repository *at, const srv_repo_source *source) {
    g_autoptr(GError) error = NULL;
    srv_repo_fetched fetched;
    assert_false(srv_repo_update(at->mirror, source, &fetched, &error));
    assert_non_null(error);
    return g_strdup(error->message);
}

static void the_mirror_is_made_and_only_readable_to_us(void **state) {
    const repository *at = *state;
    g_autofree char *first = repository_commit(at, 1000, "one");
    const srv_repo_fetched fetched = mirror_update(at, NULL);
    struct stat info;
    assert_string_equal(fetched.head, first);
    assert_true(fetched.changed);
    assert_false(fetched.rewritten);
    assert_string_equal(fetched.tags, "");
    assert_int_equal(stat(at->mirror, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
}

static void nothing_new_is_told_as_such(void **state) {
    const repository *at = *state;
    g_autofree char *first = repository_commit(at, 1000, "one");
    mirror_update(at, NULL);
    const srv_repo_fetched again = mirror_update(at, NULL);
    assert_string_equal(again.head, first);
    assert_false(again.changed);
    assert_false(again.rewritten);
}

static void new_commits_are_a_change_and_no_rewriting(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "one"));
    mirror_update(at, NULL);
    g_autofree char *second = repository_commit(at, 2000, "two");
    const srv_repo_fetched fetched = mirror_update(at, NULL);
    assert_string_equal(fetched.head, second);
    assert_true(fetched.changed);
    assert_false(fetched.rewritten);
    g_autoptr(GArray) line = srv_repo_line(at->mirror, "main", 10, NULL);
    assert_int_equal(line->len, 2);
}

/* Before, no commit came any more until a person had removed it. */
static void what_a_killed_fetch_has_locked_is_written_again(void **state) {
    const repository *at = *state;
    static const char *const locks[] = {"refs/heads/main.lock", "packed-refs.lock", "config.lock",
                                        "FETCH_HEAD.lock"};
    g_free(repository_commit(at, 1000, "one"));
    mirror_update(at, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(locks); i++)
        g_free(folder_file(at->mirror, locks[i], ""));
    g_autofree char *second = repository_commit(at, 2000, "two");
    const srv_repo_fetched fetched = mirror_update(at, NULL);
    assert_string_equal(fetched.head, second);
    g_autoptr(GArray) line = srv_repo_line(at->mirror, "main", 10, NULL);
    assert_int_equal(line->len, 2);
}

static void a_force_push_is_a_rewriting(void **state) {
    const repository *at = *state;
    g_autofree char *first = repository_commit(at, 1000, "one");
    g_free(repository_commit(at, 2000, "two"));
    mirror_update(at, NULL);
    repository_do(at, "reset", "-q", "--hard", first, NULL);
    g_autofree char *other = repository_commit(at, 2000, "another two");
    srv_repo_fetched fetched = mirror_update(at, NULL);
    assert_string_equal(fetched.head, other);
    assert_true(fetched.changed && fetched.rewritten);
    /* back to a commit that is an ancestor: what was measured after it is on no branch */
    repository_do(at, "reset", "-q", "--hard", first, NULL);
    fetched = mirror_update(at, NULL);
    assert_string_equal(fetched.head, first);
    assert_true(fetched.changed && fetched.rewritten);
}

/* main is merged into another branch, and that is pushed as main. */
static void a_merge_the_wrong_way_round_leaves_commits_beside_the_line(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "one"));
    repository_do(at, "checkout", "-q", "-b", "feature", NULL);
    g_free(repository_commit(at, 2000, "feature"));
    repository_do(at, "checkout", "-q", "main", NULL);
    g_free(repository_commit(at, 3000, "two"));
    g_free(repository_commit(at, 4000, "three"));
    mirror_update(at, NULL);
    repository_do(at, "checkout", "-q", "feature", NULL);
    repository_do(at, "merge", "-q", "-m", "merge", "main", NULL);
    repository_do(at, "checkout", "-q", "main", NULL);
    repository_do(at, "merge", "-q", "--ff-only", "feature", NULL);
    srv_repo_fetched fetched = mirror_update(at, NULL);
    assert_true(fetched.changed && !fetched.rewritten);
    assert_int_equal(fetched.left, 2);
    assert_int_equal(fetched.left_s, 3000);
    /* the right way round none does */
    repository_do(at, "checkout", "-q", "-b", "other", NULL);
    g_free(repository_commit(at, 5000, "other"));
    repository_do(at, "checkout", "-q", "main", NULL);
    g_free(repository_commit(at, 6000, "five"));
    mirror_update(at, NULL);
    repository_do(at, "merge", "-q", "-m", "merge", "other", NULL);
    fetched = mirror_update(at, NULL);
    assert_true(fetched.changed && !fetched.rewritten);
    assert_int_equal(fetched.left, 0);
}

static void a_missing_branch_is_told_with_those_that_are_there(void **state) {
    const repository *at = *state;
    const srv_repo_source source = {.url = at->url, .branch = "master"};
    g_autofree char *empty = refused(at, &source);
    assert_says(empty, "branch master is not (or no longer) in the repository, which has no "
                       "branches at all; correct branch:");
    g_free(repository_commit(at, 1000, "one"));
    for (int i = 1; i <= 8; i++) {
        g_autofree char *name = g_strdup_printf("next-%d", i);
        repository_do(at, "branch", name, NULL);
    }
    g_autofree char *many = refused(at, &source);
    assert_says(many, "which has main, next-1, next-2,");
    assert_says(many, "next-7, …; correct branch:");
    assert_says_not(many, "next-8");
}

static void a_renamed_branch_is_told_by_its_new_name(void **state) {
    const repository *at = *state;
    const srv_repo_source source = {.url = at->url, .branch = "main"};
    g_free(repository_commit(at, 1000, "one"));
    mirror_update(at, NULL);
    repository_do(at, "branch", "-m", "main", "trunk", NULL);
    g_autofree char *renamed = refused(at, &source);
    assert_says(renamed,
                "branch main is not (or no longer) in the repository, which has trunk "
                "(trunk points to its last commit and may be its new name); correct branch:");
    g_free(repository_commit(at, 2000, "two"));
    g_autofree char *gone = refused(at, &source);
    assert_says(gone, "which has trunk; correct branch:");
}

static void what_cannot_be_reached_is_told(void **state) {
    const repository *at = *state;
    g_autofree char *gone = g_build_filename(at->dir, "gone", NULL);
    g_autofree char *gone_url = g_strconcat("file://", gone, NULL);
    g_autofree char *file = folder_file(at->dir, "file", "no repository\n");
    const struct {
        const char *url, *says;
    } cases[] = {
        {gone, "the repository cannot be reached: /"},
        {gone_url, "No such file or directory"},
        {file, "the repository cannot be reached: "},
        {"http://127.0.0.1:1/r.git", "the repository cannot be reached: "},
        {"http://ada:secret@127.0.0.1:1/r.git", "the repository cannot be reached: "},
        {"ssh://git@127.0.0.1:1/r.git", "the repository cannot be reached: "},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const srv_repo_source source = {.url = cases[i].url, .branch = "main"};
        g_autofree char *says = refused(at, &source);
        assert_says(says, cases[i].says);
        assert_says_not(says, "secret");
    }
}

static void a_folder_that_is_no_mirror_is_not_written_to(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "one"));
    const srv_repo_source source = {.url = at->url, .branch = "main"};
    assert_int_equal(g_mkdir_with_parents(at->mirror, 0700), 0);
    g_autofree char *note = folder_file(at->mirror, "note", "mine\n");
    g_autofree char *says = refused(at, &source);
    assert_says(says, "the mirror cannot be opened (remove its folder to fetch it again)");
    assert_true(g_file_test(note, G_FILE_TEST_EXISTS));
}

static void a_place_that_cannot_be_made_is_told(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "one"));
    g_autofree char *file = folder_file(at->dir, "file", "");
    const repository blocked = {.url = at->url, .mirror = g_build_filename(file, "m.git", NULL)};
    const srv_repo_source source = {.url = at->url, .branch = "main"};
    g_autofree char *says = refused(&blocked, &source);
    assert_says(says, "cannot create ");
    g_free(blocked.mirror);
}

static void a_mirror_that_lost_its_objects_is_told(void **state) {
    const repository *at = *state;
    g_autoptr(GError) error = NULL;
    g_free(repository_commit(at, 1000, "one"));
    mirror_update(at, NULL);
    g_autofree char *head = g_build_filename(at->mirror, "refs", "heads", "main", NULL);
    const char unknown[] = "0123456789012345678901234567890123456789\n";
    assert_true(g_file_set_contents(head, unknown, -1, NULL));
    assert_null(srv_repo_line(at->mirror, "main", 10, &error));
    assert_io_error(error, FAILED, "the branch's history cannot be read");
}

/* So much that no packing makes it small; pushed by force over what was there. */
static void push_by_force(const repository *at, guint32 seed) {
    g_autoptr(GRand) random = g_rand_new_with_seed(seed);
    g_autoptr(GString) text = g_string_new(NULL);
    for (size_t i = 0; i < 128 * 1024 / 8; i++)
        g_string_append_printf(text, "%08x", g_rand_int(random));
    g_autofree char *path = g_build_filename(at->url, "data", NULL);
    assert_true(g_file_set_contents(path, text->str, -1, NULL));
    repository_do(at, "add", "data", NULL);
    repository_do(at, "-c", "user.name=Ada", "-c", "user.email=a@example.org", "commit", "-q",
                  "--amend", "--allow-empty", "-m", "again", NULL);
}

static void update(const char *mirror, const srv_repo_source *source, srv_repo_fetched *fetched) {
    g_autoptr(GError) error = NULL;
    if (!srv_repo_update(mirror, source, fetched, &error))
        fail_msg("%s", error->message);
}

static void force_pushes_do_not_fill_the_disk(void **state) {
    const repository *at = *state;
    const srv_repo_source source = {
        .url = at->url, .branch = "main", .limits = {.mirror_bytes = 600 << 10}};
    srv_repo_fetched fetched;
    uint64_t most = 0;
    g_free(repository_commit(at, 1000, "one"));
    update(at->mirror, &source, &fetched);
    for (guint32 i = 1; i <= 30; i++) {
        push_by_force(at, i);
        update(at->mirror, &source, &fetched);
        assert_true(fetched.changed && fetched.rewritten);
        most = MAX(most, srv__mirror_bytes(at->mirror));
    }
    assert_true(most > (600 << 10) / 2); /* it did grow, and 30 are far more than this */
    assert_true(most < 1000 << 10);
    g_autoptr(GArray) line = srv_repo_line(at->mirror, "main", 10, NULL);
    assert_int_equal(line->len, 1);
}

static void a_branch_that_is_too_large_alone_is_told(void **state) {
    const repository *at = *state;
    const srv_repo_source source = {
        .url = at->url, .branch = "main", .limits = {.mirror_bytes = 64 << 10}};
    srv_repo_fetched fetched;
    g_free(repository_commit(at, 1000, "one"));
    push_by_force(at, 1);
    update(at->mirror, &source, &fetched);
    update(at->mirror, &source, &fetched); /* anew, for what it holds may be gone from the branch */
    assert_false(fetched.changed);
    g_autofree char *says = refused(at, &source);
    assert_says(says, "even with this branch alone");
    assert_says(says, "raise mirror_limit_bytes");
}

static void what_is_sent_is_bounded(void **state) {
    const repository *at = *state;
    const srv_repo_source source = {
        .url = at->url, .branch = "main", .limits = {.fetch_bytes = 16 << 10}};
    g_free(repository_commit(at, 1000, "one"));
    push_by_force(at, 1);
    g_autofree char *says = refused(at, &source);
    assert_says(says, "fetching was stopped (fetch_limit_bytes)");
    srv__mirror_sweep(at->mirror);
    assert_true(srv__mirror_bytes(at->mirror) < 128 << 10);
}

static void a_disk_that_is_nearly_full_gets_nothing(void **state) {
    const repository *at = *state;
    const srv_repo_source source = {
        .url = at->url, .branch = "main", .limits = {.reserve_bytes = UINT64_MAX}};
    g_free(repository_commit(at, 1000, "one"));
    g_autofree char *says = refused(at, &source);
    assert_says(says, "nothing is fetched: ");
    assert_false(g_file_test(at->mirror, G_FILE_TEST_EXISTS));
}

static int by_text(gconstpointer a, gconstpointer b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The packs' files of a mirror, each with its number on the disk, in order. */
static char *packs_of(const char *mirror) {
    g_autofree char *folder = g_build_filename(mirror, "objects", "pack", NULL);
    g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    for (const char *name; entries && (name = g_dir_read_name(entries));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        struct stat info;
        assert_int_equal(stat(path, &info), 0);
        g_ptr_array_add(lines, g_strdup_printf("%s %ju", name, (uintmax_t)info.st_ino));
    }
    g_ptr_array_sort(lines, by_text);
    g_ptr_array_add(lines, NULL);
    return g_strjoinv("\n", (char **)lines->pdata);
}

static unsigned answered;

static void count_answer(void) {
    answered++;
}

/* The repository itself is gone. */
static void a_mirror_beside_it_is_read_in_its_place(void **state) {
    const repository *at = *state;
    g_autofree char *beside = g_strconcat(at->mirror, "-beside", NULL);
    const srv_repo_source source = {.url = "http://127.0.0.1:1/gone.git",
                                    .near = at->mirror,
                                    .branch = "main",
                                    .releases = "v*",
                                    .connected = count_answer};
    g_autofree char *first = repository_commit(at, 1000, "one");
    repository_do(at, "tag", "-m", "said", "v1", NULL);
    srv_repo_fetched theirs = mirror_update(at, "v*"), fetched;
    answered = 0;
    update(beside, &source, &fetched);
    assert_int_equal(answered, 1);
    assert_string_equal(fetched.head, first);
    assert_string_equal(fetched.tags, theirs.tags);
    assert_true(fetched.changed && !fetched.rewritten);
    g_autofree char *packs = packs_of(at->mirror), *same = packs_of(beside);
    assert_true(packs[0] != '\0');
    assert_string_equal(same, packs);
    repository_do(at, "commit", "-q", "--amend", "--allow-empty", "-m", "other", NULL);
    theirs = mirror_update(at, "v*");
    assert_true(theirs.rewritten);
    update(beside, &source, &fetched);
    assert_string_equal(fetched.head, theirs.head);
    assert_true(fetched.rewritten);
    g_autoptr(GArray) line = srv_repo_line(beside, "main", 10, NULL);
    assert_int_equal(line->len, 1);
}

/* One that is gone, and one without the branch: the repository is asked. */
static void a_mirror_beside_it_that_cannot_be_read_hinders_nobody(void **state) {
    const repository *at = *state;
    g_autofree char *first = repository_commit(at, 1000, "one");
    g_autofree char *bare = g_build_filename(at->dir, "bare.git", NULL);
    repository_do(at, "init", "-q", "--bare", bare, NULL);
    const char *const nears[] = {"/nonexistent", bare};
    for (size_t i = 0; i < G_N_ELEMENTS(nears); i++) {
        const srv_repo_source source = {.url = at->url, .branch = "main", .near = nears[i]};
        srv_repo_fetched fetched;
        srv__mirror_forget(at->mirror);
        update(at->mirror, &source, &fetched);
        assert_string_equal(fetched.head, first);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MIRROR_TEST(the_mirror_is_made_and_only_readable_to_us),
        MIRROR_TEST(nothing_new_is_told_as_such),
        MIRROR_TEST(what_a_killed_fetch_has_locked_is_written_again),
        MIRROR_TEST(new_commits_are_a_change_and_no_rewriting),
        MIRROR_TEST(a_force_push_is_a_rewriting),
        MIRROR_TEST(a_merge_the_wrong_way_round_leaves_commits_beside_the_line),
        MIRROR_TEST(a_missing_branch_is_told_with_those_that_are_there),
        MIRROR_TEST(a_renamed_branch_is_told_by_its_new_name),
        MIRROR_TEST(what_cannot_be_reached_is_told),
        MIRROR_TEST(a_folder_that_is_no_mirror_is_not_written_to),
        MIRROR_TEST(a_place_that_cannot_be_made_is_told),
        MIRROR_TEST(force_pushes_do_not_fill_the_disk),
        MIRROR_TEST(a_branch_that_is_too_large_alone_is_told),
        MIRROR_TEST(what_is_sent_is_bounded),
        MIRROR_TEST(a_disk_that_is_nearly_full_gets_nothing),
        MIRROR_TEST(a_mirror_that_lost_its_objects_is_told),
        MIRROR_TEST(a_mirror_beside_it_is_read_in_its_place),
        MIRROR_TEST(a_mirror_beside_it_that_cannot_be_read_hinders_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
