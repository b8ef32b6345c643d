#include "tests/unit/test.h"

#include "tests/unit/server/repository.h"

#include "tests/unit/server/folder.h"

/* Nothing of the machine's own configuration, and the same committer everywhere. */
static char **environment(int64_t time_s) {
    g_autofree char *date = g_strdup_printf("@%lld +0000", (long long)time_s);
    char **env = g_environ_setenv(NULL, "PATH", g_getenv("PATH"), TRUE);
    env = g_environ_setenv(env, "GIT_CONFIG_NOSYSTEM", "1", TRUE);
    env = g_environ_setenv(env, "GIT_CONFIG_GLOBAL", "/dev/null", TRUE);
    env = g_environ_setenv(env, "GIT_AUTHOR_NAME", "Ada", TRUE);
    env = g_environ_setenv(env, "GIT_AUTHOR_EMAIL", "ada@example.org", TRUE);
    env = g_environ_setenv(env, "GIT_COMMITTER_NAME", "Ada", TRUE);
    env = g_environ_setenv(env, "GIT_COMMITTER_EMAIL", "ada@example.org", TRUE);
    env = g_environ_setenv(env, "GIT_AUTHOR_DATE", date, TRUE);
    return g_environ_setenv(env, "GIT_COMMITTER_DATE", date, TRUE);
}

/* Takes the arguments, whose first is git's command. */
static char *run(const repository *at, int64_t time_s, GPtrArray *arguments) {
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) env = environment(time_s);
    g_autofree char *problem = NULL;
    char *out = NULL;
    int status = 0;
    g_ptr_array_insert(arguments, 0, g_strdup("git"));
    g_ptr_array_add(arguments, NULL);
    g_auto(GStrv) argv = (char **)g_ptr_array_free(arguments, FALSE);
    if (!g_spawn_sync(at->url, argv, env, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &problem, &status,
                      &error))
        fail_msg("%s", error->message);
    if (status != 0)
        fail_msg("git %s: %s", argv[1], problem);
    return g_strchomp(out);
}

static char *run_words(const repository *at, int64_t time_s, va_list words) {
    GPtrArray *arguments = g_ptr_array_new();
    for (const char *word; (word = va_arg(words, const char *));)
        g_ptr_array_add(arguments, g_strdup(word));
    return run(at, time_s, arguments);
}

char *repository_git(const repository *at, ...) {
    va_list words;
    va_start(words, at);
    char *out = run_words(at, REPOSITORY_TIME_S, words);
    va_end(words);
    return out;
}

void repository_do(const repository *at, ...) {
    va_list words;
    va_start(words, at);
    g_free(run_words(at, REPOSITORY_TIME_S, words));
    va_end(words);
}

repository *repository_new(void) {
    repository *made = g_new0(repository, 1);
    made->dir = folder_new();
    made->url = g_build_filename(made->dir, "work", NULL);
    made->mirror = g_build_filename(made->dir, "mirrors", "kieker.git", NULL);
    assert_int_equal(g_mkdir_with_parents(made->url, 0700), 0);
    repository_do(made, "init", "-q", "-b", "main", NULL);
    return made;
}

void repository_free(repository *at) {
    folder_free(at->dir);
    g_free(at->url);
    g_free(at->mirror);
    g_free(at);
}

char *repository_commit(const repository *at, int64_t time_s, const char *message) {
    static const char *const words[] = {
        "commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-m"};
    GPtrArray *arguments = g_ptr_array_new();
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        g_ptr_array_add(arguments, g_strdup(words[i]));
    g_ptr_array_add(arguments, g_strdup(message));
    g_free(run(at, time_s, arguments));
    return repository_git(at, "rev-parse", "HEAD", NULL);
}
