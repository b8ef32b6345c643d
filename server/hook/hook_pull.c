#include "server/hook/hook_pull.h"

#include "config/json_text.h"
#include "server/git/repo_name.h"
#include "server/ground/error.h"
#include "web/layout/text.h"

#include <gio/gio.h>
#include <string.h>

enum { TEXT_MAX = 200, URL_MAX = 500, LABELS_MAX = 100, COMMENT_MAX = 200 };

bool srv__hook_wrong(GError **error, const char *text) {
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s", text);
}

bool srv__hook_ignore(srv_hook *hook, const char *reason) {
    hook->kind = SRV_HOOK_IGNORED;
    hook->reason = g_strdup(reason);
    return true;
}

json_t *srv__hook_at(json_t *json, const char *path) {
    g_auto(GStrv) keys = g_strsplit(path, ".", -1);
    for (size_t i = 0; keys[i]; i++)
        json = json_object_get(json, keys[i]);
    return json;
}

const char *srv__hook_text(json_t *json, const char *path) {
    return json_string_value(srv__hook_at(json, path));
}

bool srv__hook_yes(json_t *json, const char *path) {
    return json_is_true(srv__hook_at(json, path));
}

bool srv__hook_commit(srv_hook *hook, const char *sha, const char *key, GError **error) {
    size_t length = sha ? strlen(sha) : 0;
    if ((length != 40 && length != 64) || strspn(sha, "0123456789abcdefABCDEF") != length) {
        g_autofree char *text =
            g_strdup_printf("%s: a full commit id (40 or 64 hexadecimal digits) is needed", key);
        return srv__hook_wrong(error, text);
    }
    if (strspn(sha, "0") == length)
        return srv__hook_ignore(hook, "the branch was deleted");
    hook->kind = SRV_HOOK_COMMIT;
    hook->sha = g_ascii_strdown(sha, -1);
    return true;
}

bool srv__hook_branch(srv_hook *hook, const char *branch, const char *key, GError **error) {
    if (!branch || !srv_repo_branch_check(branch, NULL)) {
        g_autofree char *text = g_strdup_printf("%s: a branch name is needed", key);
        return srv__hook_wrong(error, text);
    }
    hook->branch = g_strdup(branch);
    return true;
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
        const char *name = srv__hook_text(one, key);
        if (name && i < LABELS_MAX)
            json_array_append_new(names, json_string(name));
    }
    return names;
}

static bool begin(srv_hook *hook, const json_t *number, const char *action, const char *key,
                  GError **error) {
    if (!json_is_integer(number) || json_integer_value(number) < 1) {
        g_autofree char *text = g_strdup_printf("%s: its number is needed", key);
        return srv__hook_wrong(error, text);
    }
    hook->pull = json_pack("{s:s,s:O}", "action", action, "number", number);
    return true;
}

/* Its head and the branch it is to be merged into; all else of hook->pull is there. */
static bool end(srv_hook *hook, const char *sha, const char *branch, GError **error) {
    if (!srv__hook_branch(hook, branch, "the target branch", error) ||
        !srv__hook_commit(hook, sha, "the head commit", error))
        return false;
    if (hook->kind == SRV_HOOK_IGNORED)
        return true;
    hook->kind = SRV_HOOK_PULL;
    json_object_set_new(hook->pull, "head", json_string(hook->sha));
    return true;
}

static void put_ref(json_t *pull, const char *folder) {
    g_autofree char *ref = g_strdup_printf("refs/%s/%" JSON_INTEGER_FORMAT "/head", folder,
                                           json_integer_value(srv__hook_at(pull, "number")));
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
    const char *state = srv__hook_text(of, "state");
    if (strcmp(action, "closed") == 0)
        return NULL;
    if (g_strcmp0(state, "closed") == 0 || g_strcmp0(state, "merged") == 0)
        return "it is closed or merged";
    return srv__hook_yes(of, "draft") || srv__hook_yes(of, "work_in_progress") ? "it is a draft"
                                                                               : NULL;
}

/* Nothing says whose it is when the repository it came from is gone. */
static bool is_fork(json_t *pull) {
    const char *head = srv__hook_text(pull, "head.repo.full_name");
    const char *base = srv__hook_text(pull, "base.repo.full_name");
    return !head || g_strcmp0(head, base) != 0;
}

/* Of one label's event the label that was set; Gitea does not say which. */
static void put_label_set(json_t *pull, json_t *body) {
    const char *action = srv__hook_text(body, "action");
    const char *label = srv__hook_text(body, "label.name");
    if (g_strcmp0(action, "labeled") == 0 && label)
        json_object_set_new(pull, "labels_set", json_pack("[s]", label));
    else if (g_strcmp0(action, "unlabeled") == 0)
        json_object_set_new(pull, "labels_set", json_array());
}

bool srv__hook_pull_github(json_t *body, srv_hook *hook, GError **error) {
    json_t *pull = srv__hook_at(body, "pull_request");
    const char *action = action_of(srv__hook_text(body, "action"));
    const char *login = srv__hook_text(pull, "user.login");
    if (!action)
        return srv__hook_ignore(hook, "nothing follows from this action of a pull request");
    if (why_not(pull, action))
        return srv__hook_ignore(hook, why_not(pull, action));
    if (!begin(hook, srv__hook_at(body, "number"), action, "number", error))
        return false;
    put(hook->pull, "title", srv__hook_text(pull, "title"), TEXT_MAX);
    put(hook->pull, "author", login, TEXT_MAX);
    put_url(hook->pull, srv__hook_text(pull, "html_url"));
    put_ref(hook->pull, "pull");
    put_label_set(hook->pull, body);
    json_object_set_new(hook->pull, "labels", names_of(srv__hook_at(pull, "labels"), "name"));
    json_object_set_new(hook->pull, "fork", json_boolean(is_fork(pull)));
    return end(hook, srv__hook_text(pull, "head.sha"), srv__hook_text(pull, "base.ref"), error);
}

/* What GitHub is about to merge, under the number of the pull request that its branch is named
 * after: refs/heads/gh-readonly-queue/main/pr-7-<base>. A maintainer has put it into the queue. */
bool srv__hook_pull_queue(json_t *body, srv_hook *hook, GError **error) {
    json_t *group = srv__hook_at(body, "merge_group");
    const char *ref = srv__hook_text(group, "head_ref"), *base = srv__hook_text(group, "base_ref"),
               *action = srv__hook_text(body, "action"), *name = ref ? strrchr(ref, '/') : NULL;
    const bool asked = g_strcmp0(action, "checks_requested") == 0;
    if (!asked && g_strcmp0(action, "destroyed") != 0)
        return srv__hook_ignore(hook, "nothing follows from this action of a merge queue");
    json_auto_t *number = json_integer(name && g_str_has_prefix(name, "/pr-")
                                           ? g_ascii_strtoll(name + strlen("/pr-"), NULL, 10)
                                           : 0);
    if (!begin(hook, number, asked ? "opened" : "closed", "merge_group.head_ref", error))
        return false;
    const char *message = srv__hook_text(group, "head_commit.message");
    g_autofree char *title = message ? g_strndup(message, strcspn(message, "\r\n")) : NULL;
    put(hook->pull, "title", title, TEXT_MAX);
    json_object_set_new(hook->pull, "ref", json_string(ref));
    json_object_set_new(hook->pull, "labels", json_array());
    json_object_set_new(hook->pull, "queue", json_true());
    if (base && g_str_has_prefix(base, "refs/heads/"))
        base += strlen("refs/heads/");
    return end(hook, srv__hook_text(group, "head_sha"), base, error);
}

/* GitHub says what the author of a comment is to the repository. */
static bool by_maintainer(json_t *comment) {
    static const char *const who[] = {"OWNER", "MEMBER", "COLLABORATOR"};
    const char *association = srv__hook_text(comment, "author_association");
    for (size_t i = 0; association && i < G_N_ELEMENTS(who); i++)
        if (strcmp(who[i], association) == 0)
            return true;
    return false;
}

bool srv__hook_pull_comment(json_t *body, srv_hook *hook, GError **error) {
    json_t *issue = srv__hook_at(body, "issue"), *comment = srv__hook_at(body, "comment");
    if (!json_is_object(srv__hook_at(issue, "pull_request")))
        return srv__hook_ignore(hook, "not a pull request");
    if (g_strcmp0(srv__hook_text(body, "action"), "created") != 0)
        return srv__hook_ignore(hook, "only new comments are read");
    const char *text = srv__hook_text(comment, "body");
    if (!text || !g_str_has_prefix(text, "/moowatch"))
        return srv__hook_ignore(hook, "the comment is not for moowatch");
    if (!begin(hook, srv__hook_at(issue, "number"), "comment", "issue.number", error))
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
        const char *text = srv__hook_text(label, "name");
        if (text && g_ascii_strcasecmp(text, name) == 0)
            return true;
    }
    return false;
}

bool srv__hook_issue(json_t *body, srv_hook *hook, GError **error) {
    json_t *issue = srv__hook_at(body, "issue");
    const char *action = srv__hook_text(body, "action"),
               *name = srv__hook_text(body, "repository.full_name"),
               *author = srv__hook_text(body, "sender.login");
    const bool closed = g_strcmp0(action, "closed") == 0;
    if (!closed && g_strcmp0(action, "reopened") != 0)
        return srv__hook_ignore(hook, "only issues that are closed or reopened are read");
    if (!name || !author)
        return srv__hook_wrong(error, "repository.full_name and sender.login are needed");
    if (!begin(hook, srv__hook_at(issue, "number"), "issue", "issue.number", error))
        return false;
    const bool unplanned = g_strcmp0(srv__hook_text(issue, "state_reason"), "not_planned") == 0;
    const char *state = "fixed", *how = "closed";
    if (!closed)
        state = "open", how = "reopened";
    else if (has_label(issue, "false alarm"))
        state = "false", how = "closed with the label \"false alarm\"";
    else if (has_label(issue, "accepted"))
        state = "accepted", how = "closed with the label \"accepted\"";
    else if (unplanned)
        state = "accepted", how = "closed as not planned";
    g_autofree char *reason =
        g_strdup_printf("issue %" JSON_INTEGER_FORMAT " was %s",
                        json_integer_value(srv__hook_at(issue, "number")), how);
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
    json_t *old = names_of(before, "title"), *names = names_of(now, "title"), *fresh = json_array();
    size_t i, k;
    json_t *one, *other;
    json_array_foreach (names, i, one) {
        bool known = false;
        json_array_foreach (old, k, other)
            known = known || json_equal(one, other);
        if (!known)
            json_array_append(fresh, one);
    }
    json_decref(old);
    json_decref(names);
    return fresh;
}

static const char *gitlab_action(json_t *merge, const json_t *labels) {
    const char *action = srv__hook_text(merge, "action");
    if (g_strcmp0(action, "open") == 0 || g_strcmp0(action, "reopen") == 0)
        return "opened";
    if (g_strcmp0(action, "close") == 0 || g_strcmp0(action, "merge") == 0)
        return "closed";
    if (g_strcmp0(action, "update") != 0)
        return NULL;
    return srv__hook_text(merge, "oldrev") ? "opened" : labels ? "labels" : NULL;
}

bool srv__hook_pull_gitlab(json_t *body, srv_hook *hook, GError **error) {
    json_t *merge = srv__hook_at(body, "object_attributes");
    json_t *labels = srv__hook_at(body, "changes.labels");
    const char *action = gitlab_action(merge, labels);
    if (!action)
        return srv__hook_ignore(hook, "nothing follows from this action of a merge request");
    if (why_not(merge, action))
        return srv__hook_ignore(hook, why_not(merge, action));
    if (!begin(hook, srv__hook_at(merge, "iid"), action, "object_attributes.iid", error))
        return false;
    const json_t *source = srv__hook_at(merge, "source_project_id");
    const json_t *target = srv__hook_at(merge, "target_project_id");
    put(hook->pull, "title", srv__hook_text(merge, "title"), TEXT_MAX);
    put(hook->pull, "author", srv__hook_text(body, "user.username"), TEXT_MAX);
    put_url(hook->pull, srv__hook_text(merge, "url"));
    put_ref(hook->pull, "merge-requests");
    json_object_set_new(hook->pull, "labels", names_of(srv__hook_at(body, "labels"), "title"));
    json_object_set_new(hook->pull, "labels_set",
                        added(srv__hook_at(labels, "previous"), srv__hook_at(labels, "current")));
    json_object_set_new(hook->pull, "fork",
                        json_boolean(!json_is_integer(source) || !json_equal(source, target)));
    return end(hook, srv__hook_text(merge, "last_commit.id"),
               srv__hook_text(merge, "target_branch"), error);
}
