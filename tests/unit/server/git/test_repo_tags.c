/* Tags that are releases: which are wanted, what they point at, and those that go. */
#include "tests/unit/test.h"

#include "server/git/repo_internal.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/mirror.h"

/* "name:sha name:sha", sha by its first seven digits. */
static char *tags_of(const repository *at) {
    g_autoptr(GArray) tags = srv_repo_tags(at->mirror, NULL);
    GString *text = g_string_new(NULL);
    assert_non_null(tags);
    for (guint i = 0; i < tags->len; i++) {
        const srv_repo_tag *tag = &g_array_index(tags, srv_repo_tag, i);
        g_string_append_printf(text, "%s%s:%.7s", i == 0 ? "" : " ", tag->name, tag->sha);
    }
    return g_string_free(text, FALSE);
}

static void a_tag_names_a_commit_however_it_was_made(void **state) {
    const repository *at = *state;
    g_autofree char *first = repository_commit(at, 1000, "one");
    repository_do(at, "tag", "v1.1", NULL);
    repository_do(at, "tag", "-a", "-m", "the first", "v1.0", NULL);
    repository_do(at, "tag", "-a", "-m", "a tag of a tag", "v1.2", "v1.0", NULL);
    mirror_update(at, "v*");
    g_autofree char *tags = tags_of(at);
    g_autofree char *expected =
        g_strdup_printf("v1.0:%.7s v1.1:%.7s v1.2:%.7s", first, first, first);
    assert_string_equal(tags, expected);
}

static void a_tag_of_a_tree_is_no_release(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "one"));
    repository_do(at, "tag", "v-tree", "HEAD^{tree}", NULL);
    repository_do(at, "tag", "v-commit", NULL);
    mirror_update(at, "v*");
    g_autofree char *tags = tags_of(at);
    assert_says(tags, "v-commit:");
    assert_says_not(tags, "v-tree");
}

static void only_what_the_pattern_asks_for_is_fetched(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "one"));
    static const char *const names[] = {"v1", "v1-rc", "kieker-1.8", "nightly", "x/v2"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        repository_do(at, "tag", names[i], NULL);
    const struct {
        const char *pattern, *names;
    } cases[] = {
        {"v*", "v1 v1-rc"},
        {"v?", "v1"},
        {"kieker-*", "kieker-1.8"},
        {"*/v2", "x/v2"},
        {"V*", ""},
        {NULL, ""},
        {"*", "kieker-1.8 nightly v1 v1-rc x/v2"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const srv_repo_fetched fetched = mirror_update(at, cases[i].pattern);
        g_autofree char *tags = tags_of(at);
        g_autoptr(GRegex) shas = g_regex_new(":[0-9a-f]{7}", 0, 0, NULL);
        g_autofree char *found = g_regex_replace(shas, tags, -1, 0, "", 0, NULL);
        assert_string_equal(found, cases[i].names);
        assert_int_equal(strlen(fetched.tags), *cases[i].names == '\0' ? 0 : 64);
    }
}

static void the_state_of_the_tags_changes_with_them_alone(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "one"));
    repository_do(at, "tag", "v1", NULL);
    const srv_repo_fetched one = mirror_update(at, "v*");
    repository_do(at, "tag", "other", NULL);
    g_free(repository_commit(at, 2000, "two"));
    assert_string_equal(mirror_update(at, "v*").tags, one.tags);
    repository_do(at, "tag", "-f", "v1", NULL);
    const srv_repo_fetched moved = mirror_update(at, "v*");
    assert_string_not_equal(moved.tags, one.tags);
    repository_do(at, "tag", "v2", NULL);
    assert_string_not_equal(mirror_update(at, "v*").tags, moved.tags);
    repository_do(at, "tag", "-d", "v2", NULL);
    assert_string_equal(mirror_update(at, "v*").tags, moved.tags);
}

static void a_tag_that_is_gone_or_moved_follows(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "one"));
    repository_do(at, "tag", "v1", NULL);
    repository_do(at, "tag", "v2", NULL);
    mirror_update(at, "v*");
    g_autofree char *second = repository_commit(at, 2000, "two");
    repository_do(at, "tag", "-f", "v1", NULL);
    repository_do(at, "tag", "-d", "v2", NULL);
    mirror_update(at, "v*");
    g_autofree char *tags = tags_of(at);
    g_autofree char *expected = g_strdup_printf("v1:%.7s", second);
    assert_string_equal(tags, expected);
}

/* Heads as a remote lists them, made up. */
static void more_tags_than_are_kept_are_refused(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "one"));
    mirror_update(at, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(git_repository) mirror = srv__repo_open(at->mirror, &error);
    g_autoptr(GPtrArray) specs = g_ptr_array_new_with_free_func(g_free);
    g_autofree git_remote_head *heads = g_new0(git_remote_head, SRV_REPO_TAGS + 1);
    g_autofree const git_remote_head **list = g_new0(const git_remote_head *, SRV_REPO_TAGS + 1);
    char state_text[65];
    for (int i = 0; i <= SRV_REPO_TAGS; i++) {
        heads[i].name = g_strdup_printf("refs/tags/v%d", i);
        list[i] = &heads[i];
    }
    assert_true(srv__tags_wanted(mirror, list, SRV_REPO_TAGS, "v*", specs, state_text, &error));
    assert_int_equal(specs->len, SRV_REPO_TAGS);
    assert_string_equal(specs->pdata[0], "+refs/tags/v0:refs/tags/v0");
    assert_false(
        srv__tags_wanted(mirror, list, SRV_REPO_TAGS + 1, "v*", specs, state_text, &error));
    assert_io_error(error, INVALID_ARGUMENT,
                    "more than 1000 tags match releases: v*; write a narrower pattern");
    for (int i = 0; i <= SRV_REPO_TAGS; i++)
        g_free(heads[i].name);
}

static void names_that_trip_people_over_are_passed_over(void **state) {
    const repository *at = *state;
    g_free(repository_commit(at, 1000, "one"));
    mirror_update(at, NULL);
    g_autoptr(git_repository) mirror = srv__repo_open(at->mirror, NULL);
    char *names[] = {
        (char[]){"refs/tags/v1^{}"}, (char[]){"refs/tags/v\n2"}, (char[]){"refs/tags/v..3"},
        (char[]){"refs/tags/v\xff"}, (char[]){"refs/heads/v5"},  (char[]){"refs/tags/v6"},
    };
    git_remote_head heads[G_N_ELEMENTS(names)] = {{0}};
    const git_remote_head *list[G_N_ELEMENTS(names)];
    g_autoptr(GPtrArray) specs = g_ptr_array_new_with_free_func(g_free);
    char text[65];
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        heads[i].name = names[i];
        list[i] = &heads[i];
    }
    assert_true(srv__tags_wanted(mirror, list, G_N_ELEMENTS(names), "v*", specs, text, NULL));
    assert_int_equal(specs->len, 1);
    assert_string_equal(specs->pdata[0], "+refs/tags/v6:refs/tags/v6");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        MIRROR_TEST(a_tag_names_a_commit_however_it_was_made),
        MIRROR_TEST(a_tag_of_a_tree_is_no_release),
        MIRROR_TEST(only_what_the_pattern_asks_for_is_fetched),
        MIRROR_TEST(the_state_of_the_tags_changes_with_them_alone),
        MIRROR_TEST(a_tag_that_is_gone_or_moved_follows),
        MIRROR_TEST(more_tags_than_are_kept_are_refused),
        MIRROR_TEST(names_that_trip_people_over_are_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
