/* What commits announce with Overhead-Expected: which lines count, and where on the branch. */
#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/mirror.h"

/* "place:text|place:text" of the whole branch, newest first. */
static char *announced_since(const repository *at, const char *known) {
    g_autoptr(GError) error = NULL;
    mirror_update(at, NULL);
    g_autoptr(GArray) line = srv_repo_line(at->mirror, "main", 10000, &error);
    assert_no_error(error);
    g_autoptr(GArray) found = srv_repo_trailers(
        at->mirror, (const srv_nights_commit *)(const void *)line->data, line->len, known, &error);
    assert_no_error(error);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < found->len; i++) {
        const srv_repo_trailer *trailer = &g_array_index(found, srv_repo_trailer, i);
        g_string_append_printf(text, "%s%d:%s", i == 0 ? "" : "|", (int)trailer->place,
                               trailer->text);
    }
    return g_string_free(text, FALSE);
}

static void expect_announced(const repository *at, const char *known, const char *expected) {
    g_autofree char *found = announced_since(at, known);
    assert_string_equal(found, expected);
}

static void a_trailer_is_read_as_git_reads_it(void **state) {
    static const struct {
        const char *message, *found;
    } cases[] = {
        {"subject\n\nOverhead-Expected: I +5 %\n", "1:I +5 %"},
        {"subject\n\nbody\n\nOVERHEAD-expected:   W\t-2 ns\n", "1:W -2 ns"},
        {"subject\n\nOverhead-Expected: one\nSigned-off-by: a\nOverhead-Expected: two\n",
         "1:one|1:two"},
        {"subject\n\nOverhead-Expected: in the text\n\nand more text", ""},
        {"Overhead-Expected: as the subject", ""},
        {"subject\n\nOverhead-Expected-Not: I\n", ""},
        {"subject\n\nOverhead-Expected: a\n  continued\n", "1:a   continued"},
        {"subject\n\nOverhead-Expected:\n", "1: "},
        {"subject\n\nOverhead-Expected: bell \a and escape \x1b[2J\n", "1:bell   and escape  [2J"},
    };
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        repository *at = repository_new();
        g_free(repository_commit(at, 1000, cases[i].message));
        g_autofree char *found = announced_since(at, NULL);
        if (strcmp(found, cases[i].found) != 0)
            fail_msg("case %zu: \"%s\", not \"%s\"", i, found, cases[i].found);
        repository_free(at);
    }
}

static void a_long_one_is_cut(void **state) {
    const repository *at = *state;
    g_autofree char *long_text = g_strnfill(3 * SRV_REPO_TRAILER_MAX, 'x');
    g_autofree char *message = g_strconcat("s\n\nOverhead-Expected: ", long_text, "\n", NULL);
    g_free(repository_commit(at, 1000, message));
    g_autofree char *found = announced_since(at, NULL);
    assert_int_equal(g_utf8_strlen(found, -1), (glong)strlen("1:") + SRV_REPO_TRAILER_MAX);
    assert_true(g_str_has_suffix(found, "x…"));
}

static void places_count_from_the_first_commit(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "a\n\nOverhead-Expected: first\n"));
    g_autofree char *known = repository_commit(at, 2000, "b");
    g_free(repository_commit(at, 3000, "c\n\nOverhead-Expected: third\n"));
    expect_announced(at, NULL, "3:third|1:first");
    expect_announced(at, known, "3:third");
    /* a head that is on the branch no longer: everything is read */
    expect_announced(at, "0123456789012345678901234567890123456789", "3:third|1:first");
}

static void what_came_with_a_merge_stands_at_the_merge(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "a"));
    repository_do(at, "checkout", "-q", "-b", "topic", NULL);
    g_free(repository_commit(at, 1100, "t1\n\nOverhead-Expected: on the topic\n"));
    g_free(repository_commit(at, 1200, "t2"));
    repository_do(at, "checkout", "-q", "main", NULL);
    g_free(repository_commit(at, 1300, "b"));
    repository_do(at, "merge", "-q", "--no-ff", "-m", "m\n\nOverhead-Expected: the merge", "topic",
                  NULL);
    g_free(repository_commit(at, 1500, "c\n\nOverhead-Expected: after\n"));
    expect_announced(at, NULL, "4:after|3:the merge|3:on the topic");
}

/* Ten commits of main were made by a machine whose clock was behind: what was there before the
 * topic came with no merge. */
static void what_was_there_before_did_not_come_with_a_merge(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, REPOSITORY_TIME_S - 200, "a\n\nOverhead-Expected: long ago\n"));
    g_free(repository_commit(at, REPOSITORY_TIME_S - 100, "b"));
    repository_do(at, "branch", "topic", NULL);
    for (int i = 0; i < 10; i++)
        g_free(repository_commit(at, 1000 + i, "slow"));
    repository_do(at, "checkout", "-q", "topic", NULL);
    g_free(repository_commit(at, REPOSITORY_TIME_S - 50, "t\n\nOverhead-Expected: topic\n"));
    repository_do(at, "checkout", "-q", "main", NULL);
    repository_do(at, "merge", "-q", "--no-ff", "-m", "m", "topic", NULL);
    expect_announced(at, NULL, "13:topic|1:long ago");
}

/* Likewise when the merged side's clock was behind. */
static void a_merged_side_with_old_dates_came_with_its_merge(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, REPOSITORY_TIME_S - 200, "a\n\nOverhead-Expected: long ago\n"));
    repository_do(at, "checkout", "-q", "-b", "topic", NULL);
    for (int i = 0; i < 10; i++)
        g_free(
            repository_commit(at, 1000 + i, i == 0 ? "t\n\nOverhead-Expected: topic\n" : "slow"));
    repository_do(at, "checkout", "-q", "main", NULL);
    for (int i = 0; i < 10; i++)
        g_free(repository_commit(at, REPOSITORY_TIME_S - 100 + i, "b"));
    repository_do(at, "merge", "-q", "--no-ff", "-m", "m", "topic", NULL);
    expect_announced(at, NULL, "12:topic|1:long ago");
}

static void so_many_are_read_at_once(void **state) {
    const repository *at = *state;
    g_autoptr(GString) message = g_string_new("s\n\n");
    for (int i = 0; i < SRV_REPO_TRAILERS; i++)
        g_string_append_printf(message, "Overhead-Expected: %d\n", i);
    g_free(repository_commit(at, 1000, "a\n\nOverhead-Expected: too old\n"));
    g_free(repository_commit(at, 2000, message->str));
    g_autofree char *found = announced_since(at, NULL);
    g_auto(GStrv) parts = g_strsplit(found, "|", -1);
    assert_int_equal(g_strv_length(parts), SRV_REPO_TRAILERS);
    assert_string_equal(parts[SRV_REPO_TRAILERS - 1], "2:999");
}

static void a_commit_that_is_not_there_is_told(void **state) {
    const repository *at = *state;
    GError *error = NULL;
    g_free(repository_commit(at, 1000, "a"));
    mirror_update(at, NULL);
    const srv_nights_commit unknown = {.sha = "0123456789012345678901234567890123456789"};
    const srv_nights_commit nonsense = {.sha = "no commit"};
    assert_null(srv_repo_trailers(at->mirror, &unknown, 1, NULL, &error));
    assert_io_error(error, FAILED, "a commit of the branch cannot be read: ");
    assert_null(srv_repo_trailers(at->mirror, &nonsense, 1, NULL, &error));
    assert_io_error(error, FAILED, "a commit of the branch cannot be read: ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MIRROR_TEST(a_trailer_is_read_as_git_reads_it),
        MIRROR_TEST(a_long_one_is_cut),
        MIRROR_TEST(places_count_from_the_first_commit),
        MIRROR_TEST(what_came_with_a_merge_stands_at_the_merge),
        MIRROR_TEST(what_was_there_before_did_not_come_with_a_merge),
        MIRROR_TEST(a_merged_side_with_old_dates_came_with_its_merge),
        MIRROR_TEST(so_many_are_read_at_once),
        MIRROR_TEST(a_commit_that_is_not_there_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
