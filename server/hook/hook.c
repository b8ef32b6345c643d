#include "server/hook/hook.h"

#include "server/git/repo_name.h"

#include <gio/gio.h>
#include <string.h>

void srv_hook_clear(srv_hook *hook) {
    g_clear_pointer(&hook->sha, g_free);
    g_clear_pointer(&hook->branch, g_free);
    g_clear_pointer(&hook->urls, g_ptr_array_unref);
    g_clear_pointer(&hook->reason, g_free);
}

static bool wrong(GError **error, const char *text) {
    g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, text);
    return false;
}

static bool ignore(srv_hook *hook, const char *reason) {
    hook->kind = SRV_HOOK_IGNORED;
    hook->reason = g_strdup(reason);
    return true;
}

/* The text at a path of keys; NULL when it is not there or no text. */
static const char *text_at(json_t *json, const char *first, const char *second) {
    json_t *value = json_object_get(json, first);
    if (second)
        value = json_object_get(value, second);
    return json_string_value(value);
}

static void add_url(srv_hook *hook, const char *url) {
    if (url)
        g_ptr_array_add(hook->urls, g_strdup(url));
}

/* A full commit id, in lower case; all zeros is how they say "none". */
static bool set_commit(srv_hook *hook, const char *sha, const char *key, GError **error) {
    size_t length = sha ? strlen(sha) : 0;
    if ((length != 40 && length != 64) || strspn(sha, "0123456789abcdefABCDEF") != length) {
        g_autofree char *text =
            g_strdup_printf("%s: a full commit id (40 or 64 hexadecimal digits) is needed", key);
        return wrong(error, text);
    }
    if (strspn(sha, "0") == length)
        return ignore(hook, "the branch was deleted");
    hook->kind = SRV_HOOK_COMMIT;
    hook->sha = g_ascii_strdown(sha, -1);
    return true;
}

static bool set_branch(srv_hook *hook, const char *branch, const char *key, GError **error) {
    if (!branch || !srv_repo_branch_check(branch, NULL)) {
        g_autofree char *text = g_strdup_printf("%s: a branch name is needed", key);
        return wrong(error, text);
    }
    hook->branch = g_strdup(branch);
    return true;
}

static bool read_ref(srv_hook *hook, const char *ref, GError **error) {
    if (!ref)
        return wrong(error, "ref: refs/heads/BRANCH is needed");
    if (!g_str_has_prefix(ref, "refs/heads/"))
        return ignore(hook, "not a branch");
    return set_branch(hook, ref + strlen("refs/heads/"), "ref", error);
}

static bool read_push(json_t *body, srv_hook *hook, GError **error) {
    if (!read_ref(hook, text_at(body, "ref", NULL), error))
        return false;
    if (hook->kind == SRV_HOOK_IGNORED)
        return true;
    if (json_is_true(json_object_get(body, "deleted")))
        return ignore(hook, "the branch was deleted");
    return set_commit(hook, text_at(body, "after", NULL), "after", error);
}

static void read_repository(json_t *repository, srv_hook *hook) {
    static const char *const keys[] = {"clone_url",    "ssh_url",     "git_url", "html_url",
                                       "git_http_url", "git_ssh_url", "url"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        add_url(hook, text_at(repository, keys[i], NULL));
}

/* A fork's workflow must not make us measure what is not ours. */
static bool read_workflow_run(json_t *body, srv_hook *hook, GError **error) {
    json_t *run = json_object_get(body, "workflow_run");
    const char *own = text_at(json_object_get(body, "repository"), "full_name", NULL);
    const char *head = text_at(json_object_get(run, "head_repository"), "full_name", NULL);
    if (g_strcmp0(text_at(body, "action", NULL), "completed") != 0)
        return ignore(hook, "the workflow has not completed");
    if (g_strcmp0(text_at(run, "conclusion", NULL), "success") != 0)
        return ignore(hook, "the workflow did not succeed");
    if (!own || g_strcmp0(own, head) != 0)
        return ignore(hook, "the workflow ran for a fork");
    return set_branch(hook, text_at(run, "head_branch", NULL), "workflow_run.head_branch", error) &&
           set_commit(hook, text_at(run, "head_sha", NULL), "workflow_run.head_sha", error);
}

static bool read_github(json_t *body, const char *event, srv_hook *hook, GError **error) {
    if (!event)
        return wrong(error, "the header X-GitHub-Event is missing");
    read_repository(json_object_get(body, "repository"), hook);
    if (strcmp(event, "ping") == 0) {
        hook->kind = SRV_HOOK_PING;
        return true;
    }
    if (strcmp(event, "push") == 0)
        return read_push(body, hook, error);
    if (strcmp(event, "workflow_run") == 0)
        return read_workflow_run(body, hook, error);
    return ignore(hook, "only push, workflow_run and ping are handled");
}

static bool read_gitea(json_t *body, const char *event, srv_hook *hook, GError **error) {
    if (!event)
        return wrong(error, "the header X-Gitea-Event is missing");
    read_repository(json_object_get(body, "repository"), hook);
    if (strcmp(event, "push") == 0)
        return read_push(body, hook, error);
    return ignore(hook, "only push is handled");
}

static bool read_gitlab(json_t *body, srv_hook *hook, GError **error) {
    const char *kind = text_at(body, "object_kind", NULL);
    read_repository(json_object_get(body, "project"), hook);
    if (!kind)
        return wrong(error, "object_kind is missing");
    if (strcmp(kind, "push") == 0)
        return read_push(body, hook, error);
    if (strcmp(kind, "pipeline") != 0)
        return ignore(hook, "only push and pipeline are handled");
    json_t *pipeline = json_object_get(body, "object_attributes");
    if (g_strcmp0(text_at(pipeline, "status", NULL), "success") != 0)
        return ignore(hook, "the pipeline did not succeed");
    if (json_is_true(json_object_get(pipeline, "tag")))
        return ignore(hook, "not a branch");
    if (json_is_object(json_object_get(body, "merge_request")))
        return ignore(hook, "the pipeline ran for a merge request");
    return set_branch(hook, text_at(pipeline, "ref", NULL), "object_attributes.ref", error) &&
           set_commit(hook, text_at(pipeline, "sha", NULL), "object_attributes.sha", error);
}

static bool read_jenkins(json_t *body, srv_hook *hook, GError **error) {
    json_t *build = json_object_get(body, "build");
    json_t *scm = json_object_get(build, "scm");
    const char *phase = text_at(build, "phase", NULL);
    const char *branch = text_at(scm, "branch", NULL);
    if (!phase)
        return wrong(error, "build.phase is missing");
    if (strcmp(phase, "FINALIZED") != 0 && strcmp(phase, "COMPLETED") != 0)
        return ignore(hook, "the build has not completed");
    if (g_strcmp0(text_at(build, "status", NULL), "SUCCESS") != 0)
        return ignore(hook, "the build did not succeed");
    add_url(hook, text_at(scm, "url", NULL));
    if (branch && g_str_has_prefix(branch, "origin/"))
        branch += strlen("origin/");
    /* "detached" is what the plugin says when it does not know. */
    if (branch && strcmp(branch, "detached") != 0 &&
        !set_branch(hook, branch, "build.scm.branch", error))
        return false;
    return set_commit(hook, text_at(scm, "commit", NULL), "build.scm.commit", error);
}

static bool read_generic(json_t *body, srv_hook *hook, GError **error) {
    add_url(hook, text_at(body, "repository", NULL));
    if (json_object_get(body, "branch") != NULL &&
        !set_branch(hook, text_at(body, "branch", NULL), "branch", error))
        return false;
    return set_commit(hook, text_at(body, "commit", NULL), "commit", error);
}

bool srv_hook_read(srv_hook_provider provider, json_t *body, srv_hook_lookup header,
                   const void *user, srv_hook *hook, GError **error) {
    hook->urls = g_ptr_array_new_with_free_func(g_free);
    switch (provider) {
    case SRV_HOOK_GITHUB:
        return read_github(body, header(user, "x-github-event"), hook, error);
    case SRV_HOOK_GITEA:
        return read_gitea(body, header(user, "x-gitea-event"), hook, error);
    case SRV_HOOK_GITLAB:
        return read_gitlab(body, hook, error);
    case SRV_HOOK_JENKINS:
        return read_jenkins(body, hook, error);
    case SRV_HOOK_GENERIC:
        break;
    }
    return read_generic(body, hook, error);
}

static void drop_default_port(char *colon) {
    size_t length = strcspn(colon, "/");
    bool usual = (length == 4 && memcmp(colon, ":443", 4) == 0) ||
                 (length == 3 && (memcmp(colon, ":80", 3) == 0 || memcmp(colon, ":22", 3) == 0));
    if (usual)
        memmove(colon, colon + length, strlen(colon + length) + 1);
}

/* host/path of an address in lower case, without scheme, user, default port, .git and slashes at
 * the end. */
static char *canonical(const char *url) {
    const char *scheme = strstr(url, "://");
    g_autofree char *text = g_ascii_strdown(scheme ? scheme + 3 : url, -1);
    size_t authority = strcspn(text, "/");
    char *at = memchr(text, '@', authority);
    char *host = at ? at + 1 : text;
    char *colon = memchr(host, ':', authority - (size_t)(host - text));
    if (colon && !scheme)
        *colon = '/'; /* user@host:path */
    else if (colon)
        drop_default_port(colon);
    size_t length = strlen(host);
    while (length > 0 && host[length - 1] == '/')
        length--;
    if (length > 4 && memcmp(host + length - 4, ".git", 4) == 0)
        length -= 4;
    return g_strndup(host, length);
}

bool srv_hook_same_repository(const char *a, const char *b) {
    g_autofree char *x = canonical(a);
    g_autofree char *y = canonical(b);
    return x[0] != '\0' && strcmp(x, y) == 0;
}
