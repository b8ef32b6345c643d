#include "ci/command/revision.h"

#include "config/credential.h"
#include "config/number.h"

#include <string.h>

#define DIGITS_LEAST 3 /* fewer name no commit */

/* What git prints; NULL with error: what it complains of. */
static char *git(const char *const *words, const cfg_credential *credential, const char *what,
                 GError **error) {
    GStrv variables = g_environ_setenv(g_get_environ(), "GIT_TERMINAL_PROMPT", "0", TRUE);
    if (credential && credential->user) {
        variables = g_environ_setenv(variables, CFG_CREDENTIAL_USER, credential->user, TRUE);
        variables =
            g_environ_setenv(variables, CFG_CREDENTIAL_PASSWORD, credential->password, TRUE);
    }
    g_auto(GStrv) environment = variables;
    g_autofree char *out = NULL;
    g_autofree char *complaint = NULL;
    int status = 0;
    g_autoptr(GError) wrong = NULL;
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (size_t i = 0; words[i]; i++)
        g_strv_builder_add(builder, words[i]);
    g_auto(GStrv) argv = g_strv_builder_end(builder);
    if (!g_spawn_sync(NULL, argv, environment, G_SPAWN_SEARCH_PATH, NULL, NULL, &out, &complaint,
                      &status, &wrong) ||
        !g_spawn_check_wait_status(status, &wrong)) {
        if (g_error_matches(wrong, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT)) {
            ci_wrong(error, "git is not installed, or not on PATH; it is needed to read commits");
            return NULL;
        }
        const char *said = wrong->domain != G_SPAWN_EXIT_ERROR ? wrong->message
                           : complaint                         ? g_strstrip(complaint)
                                                               : "";
        ci_wrong(error, "%s%s%s", what, *said ? ": " : "", said);
        return NULL;
    }
    return g_steal_pointer(&out);
}

static bool is_shallow(const char *folder) {
    const char *const words[] = {"git", "-C", folder, "rev-parse", "--is-shallow-repository", NULL};
    g_autofree char *out = git(words, NULL, "", NULL);
    return out && g_str_has_prefix(out, "true");
}

static char *no_commit(const char *folder, const char *name) {
    g_autofree char *shown = g_utf8_make_valid(name, -1);
    return g_strdup_printf("%s: no commit \"%s\"", folder, shown);
}

static char *in_folder(const char *folder, const char *name, GError **error) {
    g_autofree char *commit = g_strconcat(name, "^{commit}", NULL);
    g_autofree char *what = no_commit(folder, name);
    const char *const words[] = {
        "git", "-C", folder, "rev-parse", "--verify", "--quiet", "--end-of-options", commit, NULL};
    GError *problem = NULL;
    g_autofree char *out = git(words, NULL, what, &problem);
    if (out)
        return g_strdup(g_strstrip(out));
    if (is_shallow(folder))
        ci_wrong(error,
                 "%s; this is a shallow clone, in which older commits are missing: git -C %s fetch "
                 "--unshallow (in a pipeline: fetch-depth: 0)",
                 problem->message, folder);
    else
        g_propagate_error(error, g_steal_pointer(&problem));
    g_clear_error(&problem);
    return NULL;
}

/* "<id>\t<ref>" lines; an annotated tag's commit stands behind "^{}". */
static char *at_remote(const char *url, const char *name, GError **error) {
    g_autofree char *peeled = g_strconcat("refs/tags/", name, "^{}", NULL);
    g_autofree char *tag = g_strconcat("refs/tags/", name, NULL);
    g_autofree char *branch = g_strconcat("refs/heads/", name, NULL);
    g_auto(cfg_credential) credential;
    cfg_credential_take(url, &credential);
    const char *setting = credential.setting ? credential.setting : "credential.interactive=false";
    const char *const words[] = {"git",  "-c", setting, "ls-remote", "--", credential.address,
                                 branch, tag,  peeled,  NULL};
    url = credential.address; /* errors without the password, too */
    g_autofree char *out = git(words, &credential, url, error);
    g_auto(GStrv) lines = out ? g_strsplit(out, "\n", -1) : NULL;
    const char *const wanted[] = {branch, peeled, tag};
    for (size_t w = 0; lines && w < G_N_ELEMENTS(wanted); w++)
        for (guint i = 0; lines[i]; i++) {
            const char *tab = strchr(lines[i], '\t');
            if (tab && g_str_equal(tab + 1, wanted[w]))
                return g_strndup(lines[i], (gsize)(tab - lines[i]));
        }
    if (out)
        ci_wrong(error, "%s: no branch or tag \"%s\"; other commits are named by their full id",
                 url, name);
    return NULL;
}

char *ci_revision_find(const char *repository, const char *branch, const char *text,
                       GError **error) {
    if (text && cfg_is_commit(text))
        return g_strdup(text);
    const char *folder =
        g_str_has_prefix(repository, "file://") ? repository + strlen("file://") : repository;
    g_autofree char *tip = g_strconcat("refs/heads/", branch, NULL);
    g_autofree char *id = g_file_test(folder, G_FILE_TEST_IS_DIR)
                              ? in_folder(folder, text ? text : tip, error)
                              : at_remote(repository, text ? text : branch, error);
    if (id && !cfg_is_commit(id)) {
        ci_wrong(error, "%s: git answers \"%s\"", repository, id);
        return NULL;
    }
    return g_steal_pointer(&id);
}

char *ci_revision_given(const char *text, GError **error) {
    const size_t length = strlen(text);
    if (length >= DIGITS_LEAST && strspn(text, "0123456789abcdef") == length)
        return g_strdup(text);
    g_autoptr(GError) problem = NULL;
    g_autofree char *shown = g_utf8_make_valid(text, -1), *none = no_commit(".", text);
    char *id = in_folder(".", text, &problem);
    if (problem && g_str_has_prefix(problem->message, none))
        ci_misused(error,
                   "COMMIT is a commit's id, or a name that git knows in this folder; “%s” is "
                   "neither%s",
                   shown, problem->message + strlen(none));
    else if (problem)
        g_propagate_error(error, g_steal_pointer(&problem));
    return id;
}
