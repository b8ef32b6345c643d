#include "server/hook/hook.h"

#include "server/hook/hook_pull.h"

#include <gio/gio.h>
#include <string.h>

void srv_hook_clear(srv_hook *hook) {
    g_clear_pointer(&hook->sha, g_free);
    g_clear_pointer(&hook->branch, g_free);
    g_clear_pointer(&hook->urls, g_ptr_array_unref);
    g_clear_pointer(&hook->reason, g_free);
    g_clear_pointer(&hook->pull, json_decref);
}

static void add_url(srv_hook *hook, const char *url) {
    if (url)
        g_ptr_array_add(hook->urls, g_strdup(url));
}

static bool read_ref(srv_hook *hook, const char *ref, GError **error) {
    if (!ref)
        return srv__hook_wrong(error, "ref: refs/heads/BRANCH is needed");
    if (!g_str_has_prefix(ref, "refs/heads/"))
        return srv__hook_ignore(hook, "not a branch");
    return srv__hook_branch(hook, ref + strlen("refs/heads/"), "ref", error);
}

static bool read_push(json_t *body, srv_hook *hook, GError **error) {
    if (!read_ref(hook, srv__hook_text(body, "ref"), error))
        return false;
    if (hook->kind == SRV_HOOK_IGNORED)
        return true;
    if (srv__hook_yes(body, "deleted"))
        return srv__hook_ignore(hook, "the branch was deleted");
    return srv__hook_commit(hook, srv__hook_text(body, "after"), "after", error);
}

static void read_repository(json_t *repository, srv_hook *hook) {
    static const char *const keys[] = {"clone_url",    "ssh_url",     "git_url", "html_url",
                                       "git_http_url", "git_ssh_url", "url"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        add_url(hook, srv__hook_text(repository, keys[i]));
}

/* A fork's workflow must not make us measure what is not ours. */
static bool read_workflow_run(json_t *body, srv_hook *hook, GError **error) {
    const char *own = srv__hook_text(body, "repository.full_name");
    const char *head = srv__hook_text(body, "workflow_run.head_repository.full_name");
    if (g_strcmp0(srv__hook_text(body, "action"), "completed") != 0)
        return srv__hook_ignore(hook, "the workflow has not completed");
    if (g_strcmp0(srv__hook_text(body, "workflow_run.conclusion"), "success") != 0)
        return srv__hook_ignore(hook, "the workflow did not succeed");
    if (!own || g_strcmp0(own, head) != 0)
        return srv__hook_ignore(hook, "the workflow ran for a fork");
    return srv__hook_branch(hook, srv__hook_text(body, "workflow_run.head_branch"),
                            "workflow_run.head_branch", error) &&
           srv__hook_commit(hook, srv__hook_text(body, "workflow_run.head_sha"),
                            "workflow_run.head_sha", error);
}

static bool read_github(json_t *body, const char *event, srv_hook *hook, GError **error) {
    if (!event)
        return srv__hook_wrong(error, "the header X-GitHub-Event is missing");
    read_repository(srv__hook_at(body, "repository"), hook);
    if (strcmp(event, "ping") == 0) {
        hook->kind = SRV_HOOK_PING;
        return true;
    }
    if (strcmp(event, "push") == 0)
        return read_push(body, hook, error);
    if (strcmp(event, "workflow_run") == 0)
        return read_workflow_run(body, hook, error);
    if (strcmp(event, "pull_request") == 0)
        return srv__hook_pull_github(body, hook, error);
    if (strcmp(event, "issue_comment") == 0)
        return srv__hook_pull_comment(body, hook, error);
    if (strcmp(event, "merge_group") == 0)
        return srv__hook_pull_queue(body, hook, error);
    if (strcmp(event, "issues") == 0)
        return srv__hook_issue(body, hook, error);
    return srv__hook_ignore(hook, "only push, workflow_run, pull_request, merge_group, issues, "
                                  "issue_comment and ping are handled");
}

static bool read_gitea(json_t *body, const char *event, srv_hook *hook, GError **error) {
    if (!event)
        return srv__hook_wrong(error, "the header X-Gitea-Event is missing");
    read_repository(srv__hook_at(body, "repository"), hook);
    if (strcmp(event, "push") == 0)
        return read_push(body, hook, error);
    if (strcmp(event, "pull_request") == 0 || strcmp(event, "pull_request_sync") == 0 ||
        strcmp(event, "pull_request_label") == 0)
        return srv__hook_pull_github(body, hook, error);
    if (strcmp(event, "issues") == 0)
        return srv__hook_issue(body, hook, error);
    return srv__hook_ignore(hook, "only push, pull_request and issues are handled");
}

static bool read_gitlab(json_t *body, srv_hook *hook, GError **error) {
    const char *kind = srv__hook_text(body, "object_kind");
    read_repository(srv__hook_at(body, "project"), hook);
    if (!kind)
        return srv__hook_wrong(error, "object_kind is missing");
    if (strcmp(kind, "push") == 0)
        return read_push(body, hook, error);
    if (strcmp(kind, "merge_request") == 0)
        return srv__hook_pull_gitlab(body, hook, error);
    if (strcmp(kind, "pipeline") != 0)
        return srv__hook_ignore(hook, "only push, merge_request and pipeline are handled");
    if (g_strcmp0(srv__hook_text(body, "object_attributes.status"), "success") != 0)
        return srv__hook_ignore(hook, "the pipeline did not succeed");
    if (srv__hook_yes(body, "object_attributes.tag"))
        return srv__hook_ignore(hook, "not a branch");
    if (json_is_object(srv__hook_at(body, "merge_request")))
        return srv__hook_ignore(hook, "the pipeline ran for a merge request");
    return srv__hook_branch(hook, srv__hook_text(body, "object_attributes.ref"),
                            "object_attributes.ref", error) &&
           srv__hook_commit(hook, srv__hook_text(body, "object_attributes.sha"),
                            "object_attributes.sha", error);
}

static bool read_jenkins(json_t *body, srv_hook *hook, GError **error) {
    const char *phase = srv__hook_text(body, "build.phase");
    const char *branch = srv__hook_text(body, "build.scm.branch");
    if (!phase)
        return srv__hook_wrong(error, "build.phase is missing");
    if (strcmp(phase, "FINALIZED") != 0 && strcmp(phase, "COMPLETED") != 0)
        return srv__hook_ignore(hook, "the build has not completed");
    if (g_strcmp0(srv__hook_text(body, "build.status"), "SUCCESS") != 0)
        return srv__hook_ignore(hook, "the build did not succeed");
    add_url(hook, srv__hook_text(body, "build.scm.url"));
    if (branch && g_str_has_prefix(branch, "origin/"))
        branch += strlen("origin/");
    /* "detached" is what the plugin says when it does not know. */
    if (branch && strcmp(branch, "detached") != 0 &&
        !srv__hook_branch(hook, branch, "build.scm.branch", error))
        return false;
    return srv__hook_commit(hook, srv__hook_text(body, "build.scm.commit"), "build.scm.commit",
                            error);
}

static bool read_generic(json_t *body, srv_hook *hook, GError **error) {
    add_url(hook, srv__hook_text(body, "repository"));
    if (srv__hook_at(body, "branch") != NULL &&
        !srv__hook_branch(hook, srv__hook_text(body, "branch"), "branch", error))
        return false;
    return srv__hook_commit(hook, srv__hook_text(body, "commit"), "commit", error);
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
