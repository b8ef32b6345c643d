#include "server/hook/hook.h"

#include "config/json_text.h"
#include "config/projects.h"
#include "server/ground/error.h"
#include "web/layout/text.h"

#include <gio/gio.h>
#include <string.h>

enum { TEXT_MAX = 200, URL_MAX = 500, LABELS_MAX = 100, COMMENT_MAX = 200 };

static bool hook_wrong(GError **error, const char *text) {
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s", text);
}

/* Well-formed, nothing to do. */
static bool hook_ignore(srv_hook *hook, const char *reason) {
    hook->kind = SRV_HOOK_IGNORED;
    hook->reason = g_strdup(reason);
    return true;
}

static const char *hook_text(json_t *json, const char *path) {
    return json_string_value(cfg_json_at(json, path));
}

static bool hook_yes(json_t *json, const char *path) {
    return json_is_true(cfg_json_at(json, path));
}

/* A full commit id; all zeros is how they say "none". */
static bool hook_commit(srv_hook *hook, const char *sha, const char *key, GError **error) {
    size_t length = sha ? strlen(sha) : 0;
    if ((length != 40 && length != 64) || strspn(sha, "0123456789abcdefABCDEF") != length) {
        g_autofree char *text =
            g_strdup_printf("%s: a full commit id (40 or 64 hexadecimal digits) is needed", key);
        return hook_wrong(error, text);
    }
    if (strspn(sha, "0") == length)
        return hook_ignore(hook, "the branch was deleted");
    hook->kind = SRV_HOOK_COMMIT;
    hook->sha = g_ascii_strdown(sha, -1);
    return true;
}

static bool hook_branch(srv_hook *hook, const char *branch, const char *key, GError **error) {
    if (!branch || !cfg_is_branch(branch)) {
        g_autofree char *text = g_strdup_printf("%s: a branch name is needed", key);
        return hook_wrong(error, text);
    }
    hook->branch = g_strdup(branch);
    return true;
}

/* Behind the folder that it is written out with, and behind the remote's name in one of remotes. */
static const char *branch_short(const char *name) {
    static const char *const folders[] = {"refs/remotes/", "remotes/"};
    const char *slash = NULL;
    for (size_t i = 0; !slash && i < G_N_ELEMENTS(folders); i++)
        slash = g_str_has_prefix(name, folders[i]) ? strchr(name + strlen(folders[i]), '/') : NULL;
    return slash                                   ? slash + 1
           : g_str_has_prefix(name, "refs/heads/") ? name + strlen("refs/heads/")
                                                   : name;
}

/* As CI servers hand it on: "refs/heads/main", "refs/remotes/origin/main". NULL or null: they do
 * not know it. */
static bool hook_branch_of_ci(srv_hook *hook, const json_t *branch, const char *key,
                              GError **error) {
    const char *text = json_string_value(branch), *name = text ? branch_short(text) : NULL;
    if (name == text && name && g_str_has_prefix(name, "refs/"))
        return hook_ignore(hook, "not a branch");
    return !branch || json_is_null(branch) || hook_branch(hook, name, key, error);
}

/* Jenkins' plugin also says "origin/main", and "detached" where it does not know. */
static bool hook_branch_of_jenkins(srv_hook *hook, const json_t *branch, const char *key,
                                   GError **error) {
    const char *name = json_string_value(branch);
    if (g_strcmp0(name, "detached") == 0)
        return true;
    return name && g_str_has_prefix(name, "origin/")
               ? hook_branch(hook, name + strlen("origin/"), key, error)
               : hook_branch_of_ci(hook, branch, key, error);
}

/* One line of a stranger's text; nothing where there is none. */
static void put(json_t *pull, const char *key, const char *text, glong limit) {
    if (!text)
        return;
    g_autofree char *clean = web_text_clean(text, (size_t)limit);
    json_object_set_new(pull, key, json_string(clean));
}

static void put_url(json_t *pull, const char *url) {
    if (url && strlen(url) <= URL_MAX &&
        (g_str_has_prefix(url, "https://") || g_str_has_prefix(url, "http://")))
        json_object_set_new(pull, "url", json_string(url));
}

/* The names of labels, which are objects. */
static json_t *names_of(const json_t *labels, const char *key) {
    json_t *names = json_array();
    size_t i;
    json_t *one;
    json_array_foreach (labels, i, one) {
        const char *name = hook_text(one, key);
        if (name && i < LABELS_MAX)
            json_array_append_new(names, json_string(name));
    }
    return names;
}

static bool begin(srv_hook *hook, const json_t *number, const char *action, const char *key,
                  GError **error) {
    json_int_t own;
    if (!cfg_json_whole(number, &own) || own < 1) {
        g_autofree char *text = g_strdup_printf("%s: its number is needed", key);
        return hook_wrong(error, text);
    }
    hook->pull = json_pack("{s:s,s:I}", "action", action, "number", own);
    return true;
}

/* Its head and the branch it is to be merged into; all else of hook->pull is there. */
static bool end(srv_hook *hook, const char *sha, const char *branch, GError **error) {
    if (!hook_branch(hook, branch, "the target branch", error) ||
        !hook_commit(hook, sha, "the head commit", error))
        return false;
    if (hook->kind == SRV_HOOK_IGNORED)
        return true;
    hook->kind = SRV_HOOK_PULL;
    json_object_set_new(hook->pull, "head", json_string(hook->sha));
    return true;
}

static void put_ref(json_t *pull, const char *folder) {
    g_autofree char *ref = g_strdup_printf("refs/%s/%" JSON_INTEGER_FORMAT "/head", folder,
                                           json_integer_value(cfg_json_at(pull, "number")));
    json_object_set_new(pull, "ref", json_string(ref));
}

/* What follows from an action of GitHub or Gitea; NULL: nothing. */
static const char *action_of(const char *action) {
    static const char *const table[][2] = {
        {"opened", "opened"},       {"reopened", "opened"},         {"synchronize", "opened"},
        {"synchronized", "opened"}, {"ready_for_review", "opened"}, {"labeled", "labels"},
        {"unlabeled", "labels"},    {"label_updated", "labels"},    {"label_cleared", "labels"},
        {"closed", "closed"}};
    for (size_t i = 0; action && i < G_N_ELEMENTS(table); i++)
        if (strcmp(table[i][0], action) == 0)
            return table[i][1];
    return NULL;
}

/* NULL: it is one to measure. A label on one that is over asks for nothing, nor does a draft. */
static const char *why_not(json_t *of, const char *action) {
    const char *state = hook_text(of, "state");
    if (strcmp(action, "closed") == 0)
        return NULL;
    if (g_strcmp0(state, "closed") == 0 || g_strcmp0(state, "merged") == 0)
        return "it is closed or merged";
    return hook_yes(of, "draft") || hook_yes(of, "work_in_progress") ? "it is a draft" : NULL;
}

/* Nothing says whose it is when the repository it came from is gone. */
static bool is_fork(json_t *pull) {
    const char *head = hook_text(pull, "head.repo.full_name");
    const char *base = hook_text(pull, "base.repo.full_name");
    return !head || g_strcmp0(head, base) != 0;
}

/* Of one label's event the label that was set; Gitea does not say which. */
static void put_label_set(json_t *pull, json_t *body) {
    const char *action = hook_text(body, "action");
    const char *label = hook_text(body, "label.name");
    if (g_strcmp0(action, "labeled") == 0 && label)
        json_object_set_new(pull, "labels_set", json_pack("[s]", label));
    else if (g_strcmp0(action, "unlabeled") == 0)
        json_object_set_new(pull, "labels_set", json_array());
}

/* An event pull_request of GitHub or Gitea. */
static bool pull_github(json_t *body, srv_hook *hook, GError **error) {
    json_t *pull = cfg_json_at(body, "pull_request");
    const char *action = action_of(hook_text(body, "action"));
    const char *login = hook_text(pull, "user.login");
    if (!action)
        return hook_ignore(hook, "nothing follows from this action of a pull request");
    if (why_not(pull, action))
        return hook_ignore(hook, why_not(pull, action));
    if (!begin(hook, cfg_json_at(body, "number"), action, "number", error))
        return false;
    put(hook->pull, "title", hook_text(pull, "title"), TEXT_MAX);
    put(hook->pull, "author", login, TEXT_MAX);
    put_url(hook->pull, hook_text(pull, "html_url"));
    put_ref(hook->pull, "pull");
    put_label_set(hook->pull, body);
    json_object_set_new(hook->pull, "labels", names_of(cfg_json_at(pull, "labels"), "name"));
    json_object_set_new(hook->pull, "fork", json_boolean(is_fork(pull)));
    return end(hook, hook_text(pull, "head.sha"), hook_text(pull, "base.ref"), error);
}

/* What GitHub is about to merge, under the number of the pull request that its branch is named
 * after: refs/heads/gh-readonly-queue/main/pr-7-<base>. A maintainer has put it into the queue. */
static bool pull_queue(json_t *body, srv_hook *hook, GError **error) {
    json_t *group = cfg_json_at(body, "merge_group");
    const char *ref = hook_text(group, "head_ref"), *base = hook_text(group, "base_ref"),
               *action = hook_text(body, "action"), *name = ref ? strrchr(ref, '/') : NULL;
    const bool asked = g_strcmp0(action, "checks_requested") == 0;
    if (!asked && g_strcmp0(action, "destroyed") != 0)
        return hook_ignore(hook, "nothing follows from this action of a merge queue");
    json_auto_t *number = json_integer(name && g_str_has_prefix(name, "/pr-")
                                           ? g_ascii_strtoll(name + strlen("/pr-"), NULL, 10)
                                           : 0);
    if (!begin(hook, number, asked ? "opened" : "closed", "merge_group.head_ref", error))
        return false;
    const char *message = hook_text(group, "head_commit.message");
    g_autofree char *title = message ? g_strndup(message, strcspn(message, "\r\n")) : NULL;
    put(hook->pull, "title", title, TEXT_MAX);
    json_object_set_new(hook->pull, "ref", json_string(ref));
    json_object_set_new(hook->pull, "labels", json_array());
    json_object_set_new(hook->pull, "queue", json_true());
    if (base && g_str_has_prefix(base, "refs/heads/"))
        base += strlen("refs/heads/");
    return end(hook, hook_text(group, "head_sha"), base, error);
}

/* GitHub says what the author of a comment is to the repository. */
static bool by_maintainer(json_t *comment) {
    static const char *const who[] = {"OWNER", "MEMBER", "COLLABORATOR"};
    const char *association = hook_text(comment, "author_association");
    for (size_t i = 0; association && i < G_N_ELEMENTS(who); i++)
        if (strcmp(who[i], association) == 0)
            return true;
    return false;
}

/* An event issue_comment of GitHub. */
static bool pull_comment(json_t *body, srv_hook *hook, GError **error) {
    json_t *issue = cfg_json_at(body, "issue"), *comment = cfg_json_at(body, "comment");
    if (!json_is_object(cfg_json_at(issue, "pull_request")))
        return hook_ignore(hook, "not a pull request");
    if (g_strcmp0(hook_text(body, "action"), "created") != 0)
        return hook_ignore(hook, "only new comments are read");
    const char *text = hook_text(comment, "body");
    if (!text || !g_str_has_prefix(text, "/moowatch"))
        return hook_ignore(hook, "the comment is not for moowatch");
    if (!begin(hook, cfg_json_at(issue, "number"), "comment", "issue.number", error))
        return false;
    g_autofree char *line = g_strndup(text, strcspn(text, "\r\n"));
    put(hook->pull, "comment", line, COMMENT_MAX);
    json_object_set_new(hook->pull, "by_maintainer", json_boolean(by_maintainer(comment)));
    hook->kind = SRV_HOOK_PULL;
    hook->sha = g_strdup("");
    return true;
}

static bool has_label(const json_t *issue, const char *name) {
    size_t i;
    json_t *label;
    cfg_json_each (issue, "labels", i, label) {
        const char *text = hook_text(label, "name");
        if (text && g_ascii_strcasecmp(text, name) == 0)
            return true;
    }
    return false;
}

/* Closed with the label "accepted" or "false alarm", or as not planned (accepted), else fixed. */
static bool read_issue(json_t *body, srv_hook *hook, GError **error) {
    json_t *issue = cfg_json_at(body, "issue");
    const char *action = hook_text(body, "action"), *name = hook_text(body, "repository.full_name"),
               *author = hook_text(body, "sender.login");
    const bool closed = g_strcmp0(action, "closed") == 0;
    if (!closed && g_strcmp0(action, "reopened") != 0)
        return hook_ignore(hook, "only issues that are closed or reopened are read");
    if (!name || !author)
        return hook_wrong(error, "repository.full_name and sender.login are needed");
    if (!begin(hook, cfg_json_at(issue, "number"), "issue", "issue.number", error))
        return false;
    const bool unplanned = g_strcmp0(hook_text(issue, "state_reason"), "not_planned") == 0;
    const char *state = "fixed", *how = "closed";
    if (!closed)
        state = "open", how = "reopened";
    else if (has_label(issue, "false alarm"))
        state = "false", how = "closed with the label \"false alarm\"";
    else if (has_label(issue, "accepted"))
        state = "accepted", how = "closed with the label \"accepted\"";
    else if (unplanned)
        state = "accepted", how = "closed as not planned";
    g_autofree char *reason = g_strdup_printf("issue %" JSON_INTEGER_FORMAT " was %s",
                                              cfg_json_integer(hook->pull, "number"), how);
    put(hook->pull, "repository", name, TEXT_MAX);
    put(hook->pull, "author", author, TEXT_MAX);
    json_object_set_new(hook->pull, "state", json_string(state));
    json_object_set_new(hook->pull, "reason", json_string(reason));
    hook->kind = SRV_HOOK_ISSUE;
    hook->sha = g_strdup("");
    return true;
}

/* What was not there before. */
static json_t *added(const json_t *before, const json_t *now) {
    json_auto_t *old = names_of(before, "title"), *names = names_of(now, "title");
    size_t i, k;
    json_t *one, *other, *fresh = json_array();
    json_array_foreach (names, i, one) {
        bool known = false;
        json_array_foreach (old, k, other)
            known = known || json_equal(one, other);
        if (!known)
            json_array_append(fresh, one);
    }
    return fresh;
}

static const char *gitlab_action(json_t *merge, const json_t *labels) {
    const char *action = hook_text(merge, "action");
    if (g_strcmp0(action, "open") == 0 || g_strcmp0(action, "reopen") == 0)
        return "opened";
    if (g_strcmp0(action, "close") == 0 || g_strcmp0(action, "merge") == 0)
        return "closed";
    if (g_strcmp0(action, "update") != 0)
        return NULL;
    return hook_text(merge, "oldrev") ? "opened" : labels ? "labels" : NULL;
}

/* An event merge_request of GitLab. */
static bool pull_gitlab(json_t *body, srv_hook *hook, GError **error) {
    json_t *merge = cfg_json_at(body, "object_attributes");
    json_t *labels = cfg_json_at(body, "changes.labels");
    const char *action = gitlab_action(merge, labels);
    if (!action)
        return hook_ignore(hook, "nothing follows from this action of a merge request");
    if (why_not(merge, action))
        return hook_ignore(hook, why_not(merge, action));
    if (!begin(hook, cfg_json_at(merge, "iid"), action, "object_attributes.iid", error))
        return false;
    const json_t *source = cfg_json_at(merge, "source_project_id");
    const json_t *target = cfg_json_at(merge, "target_project_id");
    put(hook->pull, "title", hook_text(merge, "title"), TEXT_MAX);
    put(hook->pull, "author", hook_text(body, "user.username"), TEXT_MAX);
    put_url(hook->pull, hook_text(merge, "url"));
    put_ref(hook->pull, "merge-requests");
    json_object_set_new(hook->pull, "labels", names_of(cfg_json_at(body, "labels"), "title"));
    json_object_set_new(hook->pull, "labels_set",
                        added(cfg_json_at(labels, "previous"), cfg_json_at(labels, "current")));
    json_object_set_new(hook->pull, "fork",
                        json_boolean(!json_is_integer(source) || !json_equal(source, target)));
    return end(hook, hook_text(merge, "last_commit.id"), hook_text(merge, "target_branch"), error);
}

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
        return hook_wrong(error, "ref: refs/heads/BRANCH is needed");
    if (!g_str_has_prefix(ref, "refs/heads/"))
        return hook_ignore(hook, "not a branch");
    return hook_branch(hook, ref + strlen("refs/heads/"), "ref", error);
}

static bool read_push(json_t *body, srv_hook *hook, GError **error) {
    if (!read_ref(hook, hook_text(body, "ref"), error))
        return false;
    if (hook->kind == SRV_HOOK_IGNORED)
        return true;
    if (hook_yes(body, "deleted"))
        return hook_ignore(hook, "the branch was deleted");
    return hook_commit(hook, hook_text(body, "after"), "after", error);
}

static void read_repository(json_t *repository, srv_hook *hook) {
    static const char *const keys[] = {"clone_url",    "ssh_url",     "git_url", "html_url",
                                       "git_http_url", "git_ssh_url", "url"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        add_url(hook, hook_text(repository, keys[i]));
}

/* A fork's workflow must not make us measure what is not ours. */
static bool read_workflow_run(json_t *body, srv_hook *hook, GError **error) {
    const char *own = hook_text(body, "repository.full_name");
    const char *head = hook_text(body, "workflow_run.head_repository.full_name");
    if (g_strcmp0(hook_text(body, "action"), "completed") != 0)
        return hook_ignore(hook, "the workflow has not completed");
    if (g_strcmp0(hook_text(body, "workflow_run.conclusion"), "success") != 0)
        return hook_ignore(hook, "the workflow did not succeed");
    if (!own || g_strcmp0(own, head) != 0)
        return hook_ignore(hook, "the workflow ran for a fork");
    if (json_is_null(cfg_json_at(body, "workflow_run.head_branch")))
        return hook_ignore(hook, "not a branch");
    return hook_branch(hook, hook_text(body, "workflow_run.head_branch"),
                       "workflow_run.head_branch", error) &&
           hook_commit(hook, hook_text(body, "workflow_run.head_sha"), "workflow_run.head_sha",
                       error);
}

/* What an event says, by its name; error: the header's name is missing. */
typedef struct {
    const char *event;
    bool (*read)(json_t *body, srv_hook *hook, GError **error);
} reader;

static bool read_event(const reader *known, const char *event, const char *others, json_t *body,
                       srv_hook *hook, GError **error) {
    read_repository(cfg_json_at(body, "repository"), hook);
    for (; known->event; known++)
        if (strcmp(known->event, event) == 0)
            return known->read(body, hook, error);
    return hook_ignore(hook, others);
}

static bool read_ping(json_t *body, srv_hook *hook, GError **error) {
    (void)body;
    (void)error;
    hook->kind = SRV_HOOK_PING;
    return true;
}

static const reader of_github[] = {{"ping", read_ping},
                                   {"push", read_push},
                                   {"workflow_run", read_workflow_run},
                                   {"pull_request", pull_github},
                                   {"issue_comment", pull_comment},
                                   {"merge_group", pull_queue},
                                   {"issues", read_issue},
                                   {0}};
static const reader of_gitea[] = {{"push", read_push},
                                  {"pull_request", pull_github},
                                  {"pull_request_sync", pull_github},
                                  {"pull_request_label", pull_github},
                                  {"issues", read_issue},
                                  {0}};

static bool read_github(json_t *body, const char *event, srv_hook *hook, GError **error) {
    return event ? read_event(of_github, event,
                              "only push, workflow_run, pull_request, merge_group, issues, "
                              "issue_comment and ping are handled",
                              body, hook, error)
                 : hook_wrong(error, "the header X-GitHub-Event is missing");
}

static bool read_gitea(json_t *body, const char *event, srv_hook *hook, GError **error) {
    return event ? read_event(of_gitea, event, "only push, pull_request and issues are handled",
                              body, hook, error)
                 : hook_wrong(error, "the header X-Gitea-Event is missing");
}

static bool read_gitlab(json_t *body, srv_hook *hook, GError **error) {
    const char *kind = hook_text(body, "object_kind");
    read_repository(cfg_json_at(body, "project"), hook);
    if (!kind)
        return hook_wrong(error, "object_kind is missing");
    if (strcmp(kind, "push") == 0)
        return read_push(body, hook, error);
    if (strcmp(kind, "merge_request") == 0)
        return pull_gitlab(body, hook, error);
    if (strcmp(kind, "pipeline") != 0)
        return hook_ignore(hook, "only push, merge_request and pipeline are handled");
    if (g_strcmp0(hook_text(body, "object_attributes.status"), "success") != 0)
        return hook_ignore(hook, "the pipeline did not succeed");
    if (hook_yes(body, "object_attributes.tag"))
        return hook_ignore(hook, "not a branch");
    if (json_is_object(cfg_json_at(body, "merge_request")))
        return hook_ignore(hook, "the pipeline ran for a merge request");
    return hook_branch(hook, hook_text(body, "object_attributes.ref"), "object_attributes.ref",
                       error) &&
           hook_commit(hook, hook_text(body, "object_attributes.sha"), "object_attributes.sha",
                       error);
}

static bool read_jenkins(json_t *body, srv_hook *hook, GError **error) {
    const char *phase = hook_text(body, "build.phase");
    if (!phase)
        return hook_wrong(error, "build.phase is missing");
    if (strcmp(phase, "FINALIZED") != 0 && strcmp(phase, "COMPLETED") != 0)
        return hook_ignore(hook, "the build has not completed");
    if (g_strcmp0(hook_text(body, "build.status"), "SUCCESS") != 0)
        return hook_ignore(hook, "the build did not succeed");
    add_url(hook, hook_text(body, "build.scm.url"));
    if (!hook_branch_of_jenkins(hook, cfg_json_at(body, "build.scm.branch"), "build.scm.branch",
                                error))
        return false;
    return hook->kind == SRV_HOOK_IGNORED ||
           hook_commit(hook, hook_text(body, "build.scm.commit"), "build.scm.commit", error);
}

static bool read_generic(json_t *body, srv_hook *hook, GError **error) {
    add_url(hook, hook_text(body, "repository"));
    if (!hook_branch_of_ci(hook, cfg_json_at(body, "branch"), "branch", error))
        return false;
    return hook->kind == SRV_HOOK_IGNORED ||
           hook_commit(hook, hook_text(body, "commit"), "commit", error);
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
