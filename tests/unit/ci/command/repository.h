#pragma once
/* A git repository with a branch and tags, in a folder below; nothing of it depends on the
 * machine's own git configuration. */
#include "tests/unit/ci/expect.h"

/* What git prints, without the line's end; caller frees. */
static inline char *git(const char *folder, const char *const *words) {
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_strv_builder_add_many(builder, "git", "-C", folder, "-c", "user.name=N", "-c",
                            "user.email=n@example.org", "-c", "commit.gpgsign=false", NULL);
    for (; *words; words++)
        g_strv_builder_add(builder, *words);
    g_auto(GStrv) argv = g_strv_builder_end(builder);
    char *out = NULL;
    int status = -1;
    assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
                             NULL, NULL, &out, NULL, &status, NULL));
    assert_int_equal(status, 0);
    return g_strchomp(out);
}
#define GIT(folder, ...) g_free(git((folder), (const char *const[]){__VA_ARGS__, NULL}))
#define GIT_TEXT(folder, ...) git((folder), (const char *const[]){__VA_ARGS__, NULL})

/* Branch main with three commits; light is the first, heavy an annotated tag of the second. */
static inline void make_repository(const char *folder) {
    GIT(folder, "init", "--quiet", "--initial-branch=main");
    GIT(folder, "commit", "--quiet", "--allow-empty", "-m", "one");
    GIT(folder, "tag", "light");
    GIT(folder, "commit", "--quiet", "--allow-empty", "-m", "two");
    GIT(folder, "tag", "-a", "-m", "tag", "heavy");
    GIT(folder, "commit", "--quiet", "--allow-empty", "-m", "three");
}

/* For cmocka: *state is the path of such a repository. */
static inline int repository_make(void **state) {
    if (make_folder(state) != 0)
        return -1;
    make_repository(*state);
    return 0;
}

static inline int repository_remove(void **state) {
    const char *const argv[] = {"rm", "-rf", "--", *state, NULL};
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_strv_builder_addv(builder,
                        (const char **)(uintptr_t)argv); /* NOLINT(performance-no-int-to-ptr) */
    g_auto(GStrv) words = g_strv_builder_end(builder);
    const bool gone =
        g_spawn_sync(NULL, words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
    g_free(*state);
    return gone ? 0 : -1;
}

#define IN_REPOSITORY(test)                                                                        \
    cmocka_unit_test_setup_teardown(test, repository_make, repository_remove)
