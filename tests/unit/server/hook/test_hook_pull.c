/* What webhooks say of pull and merge requests. Bodies are cut from the providers' documents. */
#include "tests/unit/test.h"

#include "server/hook/hook.h"

#include <string.h>

#define SHA "6113728f27ae82c7b1a177c8d03f9e96e0adf246"

static const char *lookup(const void *user, const char *name) {
    return user && g_str_has_prefix(name, "x-") ? user : NULL;
}

typedef struct {
    const char *name;
    srv_hook_provider provider;
    const char *event; /* of the header; NULL: none */
    const char *body;
    const char *expected; /* "ACTION NUMBER REF FORK BRANCH", "ignored: …" or "error: …" */
} read_case;

#define PULL(action, head, more)                                                                   \
    "{\"action\":\"" action "\",\"number\":7,\"pull_request\":{\"title\":\"Do\\nit\","             \
    "\"user\":{\"login\":\"ada\"},\"html_url\":\"https://h/o/r/pull/7\",\"labels\":[{\"name\":"    \
    "\"measure\"}],\"head\":{\"sha\":\"" SHA "\",\"repo\":" head                                   \
    "},\"base\":{\"ref\":\"main\",\"repo\":{\"full_name\":\"o/r\"}}" more "}}"
#define OWN "{\"full_name\":\"o/r\"}"
#define OTHER "{\"full_name\":\"evil/r\"}"
#define COMMENT(action, text, who, of)                                                             \
    "{\"action\":\"" action "\",\"issue\":{\"number\":7" of "},\"comment\":{\"body\":\"" text      \
    "\",\"author_association\":\"" who "\"}}"
#define IS_PULL ",\"pull_request\":{}"
#define MERGE(attributes, more)                                                                    \
    "{\"object_kind\":\"merge_request\",\"user\":{\"username\":\"ada\"},\"object_attributes\":{"   \
    "\"iid\":7,\"title\":\"Do it\",\"target_branch\":\"main\",\"last_commit\":{\"id\":\"" SHA      \
    "\"}," attributes "}" more "}"
#define SAME ",\"source_project_id\":1,\"target_project_id\":1"
#define FORK ",\"source_project_id\":2,\"target_project_id\":1"

#define QUEUE(action, ref, base)                                                                   \
    "{\"action\":\"" action "\",\"merge_group\":{\"head_sha\":\"" SHA "\",\"head_ref\":\"" ref     \
    "\",\"base_ref\":\"" base "\",\"head_commit\":{\"message\":\"Merge\\nit\"}}}"
#define QUEUED "refs/heads/gh-readonly-queue/main/pr-7-" SHA

#define ISSUE(action, more)                                                                        \
    "{\"action\":\"" action                                                                        \
    "\",\"repository\":{\"full_name\":\"o/r\"},\"sender\":{\"login\":\"ada\"},"                    \
    "\"issue\":{\"number\":7" more "}}"
#define LABELS(name) ",\"labels\":[{\"name\":\"bug\"},{\"name\":\"" name "\"}]"

static const read_case cases[] = {
    {"an issue is closed", SRV_HOOK_GITHUB, "issues",
     ISSUE("closed", ",\"state_reason\":\"completed\""), "fixed of o/r by ada: issue 7 was closed"},
    {"as not planned", SRV_HOOK_GITHUB, "issues",
     ISSUE("closed", ",\"state_reason\":\"not_planned\""),
     "accepted of o/r by ada: issue 7 was closed as not planned"},
    {"with a label", SRV_HOOK_GITEA, "issues", ISSUE("closed", LABELS("Accepted")),
     "accepted of o/r by ada: issue 7 was closed with the label"},
    {"with another", SRV_HOOK_GITHUB, "issues",
     ISSUE("closed", ",\"state_reason\":\"not_planned\"" LABELS("false alarm")),
     "false of o/r by ada: issue 7 was closed with the label \"false alarm\""},
    {"opened again", SRV_HOOK_GITHUB, "issues", ISSUE("reopened", LABELS("accepted")),
     "open of o/r by ada: issue 7 was reopened"},
    {"an issue that is new", SRV_HOOK_GITHUB, "issues", ISSUE("opened", ""),
     "ignored: only issues that are closed"},
    {"a number as a language without whole ones writes it", SRV_HOOK_GITHUB, "issues",
     ISSUE("reopened", ".0"), "open of o/r by ada: issue 7 was reopened"},
    {"by nobody", SRV_HOOK_GITHUB, "issues", "{\"action\":\"closed\",\"issue\":{\"number\":7}}",
     "error: repository.full_name and sender.login"},
    {"without an issue", SRV_HOOK_GITHUB, "issues",
     "{\"action\":\"closed\",\"repository\":{\"full_name\":\"o/r\"},\"sender\":{\"login\":\"a\"}}",
     "error: issue.number"},
    {"in the merge queue", SRV_HOOK_GITHUB, "merge_group",
     QUEUE("checks_requested", QUEUED, "refs/heads/main"), "opened 7 " QUEUED " own main"},
    {"out of the merge queue", SRV_HOOK_GITHUB, "merge_group",
     QUEUE("destroyed", QUEUED, "refs/heads/main"), "closed 7 " QUEUED " own main"},
    {"of another action", SRV_HOOK_GITHUB, "merge_group", QUEUE("x", QUEUED, "refs/heads/main"),
     "ignored: nothing follows"},
    {"of no number", SRV_HOOK_GITHUB, "merge_group",
     QUEUE("checks_requested", "refs/heads/main", "refs/heads/main"),
     "error: merge_group.head_ref"},
    {"without a group", SRV_HOOK_GITHUB, "merge_group", "{\"action\":\"checks_requested\"}",
     "error: merge_group.head_ref"},
    {"into a branch of no name", SRV_HOOK_GITHUB, "merge_group",
     QUEUE("checks_requested", QUEUED, "refs/heads/"), "error: the target branch"},
    {"opened", SRV_HOOK_GITHUB, "pull_request", PULL("opened", OWN, ""),
     "opened 7 refs/pull/7/head own main"},
    {"pushed to", SRV_HOOK_GITHUB, "pull_request", PULL("synchronize", OWN, ""),
     "opened 7 refs/pull/7/head own main"},
    {"a fork's", SRV_HOOK_GITHUB, "pull_request", PULL("opened", OTHER, ""),
     "opened 7 refs/pull/7/head fork main"},
    {"of a repository that is gone", SRV_HOOK_GITHUB, "pull_request", PULL("opened", "null", ""),
     "opened 7 refs/pull/7/head fork main"},
    {"labelled", SRV_HOOK_GITHUB, "pull_request", PULL("labeled", OTHER, ""),
     "labels 7 refs/pull/7/head fork main"},
    {"labelled after it was merged", SRV_HOOK_GITHUB, "pull_request",
     PULL("labeled", OWN, ",\"state\":\"closed\""), "ignored: it is closed or merged"},
    {"closed", SRV_HOOK_GITHUB, "pull_request",
     PULL("closed", OWN, ",\"state\":\"closed\",\"draft\":true"),
     "closed 7 refs/pull/7/head own main"},
    {"a draft", SRV_HOOK_GITHUB, "pull_request", PULL("opened", OWN, ",\"draft\":true"),
     "ignored: it is a draft"},
    {"edited", SRV_HOOK_GITHUB, "pull_request", PULL("edited", OWN, ""), "ignored: nothing"},
    {"without number", SRV_HOOK_GITHUB, "pull_request", "{\"action\":\"opened\"}", "error: number"},
    {"without anything", SRV_HOOK_GITHUB, "pull_request", "{\"action\":\"opened\",\"number\":7}",
     "error: the target branch"},
    {"a number that is none", SRV_HOOK_GITHUB, "pull_request",
     "{\"action\":\"opened\",\"number\":-7}", "error: number"},
    {"a comment", SRV_HOOK_GITHUB, "issue_comment",
     COMMENT("created", "/moowatch measure 6113728\\r\\nplease", "MEMBER", IS_PULL),
     "comment 7 - own -"},
    {"a comment on an issue", SRV_HOOK_GITHUB, "issue_comment",
     COMMENT("created", "/moowatch measure", "MEMBER", ""), "ignored: not a pull request"},
    {"a comment for others", SRV_HOOK_GITHUB, "issue_comment",
     COMMENT("created", "nice", "MEMBER", IS_PULL), "ignored: the comment is not for moowatch"},
    {"a comment that was edited", SRV_HOOK_GITHUB, "issue_comment",
     COMMENT("edited", "/moowatch measure", "MEMBER", IS_PULL), "ignored: only new comments"},
    {"gitea's", SRV_HOOK_GITEA, "pull_request", PULL("opened", OWN, ""),
     "opened 7 refs/pull/7/head own main"},
    {"gitea's, pushed to", SRV_HOOK_GITEA, "pull_request_sync", PULL("synchronized", OWN, ""),
     "opened 7 refs/pull/7/head own main"},
    {"gitea's label", SRV_HOOK_GITEA, "pull_request_label", PULL("label_updated", OTHER, ""),
     "labels 7 refs/pull/7/head fork main"},
    {"gitlab's", SRV_HOOK_GITLAB, NULL, MERGE("\"action\":\"open\"" SAME, ""),
     "opened 7 refs/merge-requests/7/head own main"},
    {"gitlab's, a fork's", SRV_HOOK_GITLAB, NULL, MERGE("\"action\":\"open\"" FORK, ""),
     "opened 7 refs/merge-requests/7/head fork main"},
    {"gitlab's of nowhere", SRV_HOOK_GITLAB, NULL, MERGE("\"action\":\"open\"", ""),
     "opened 7 refs/merge-requests/7/head fork main"},
    {"gitlab's, pushed to", SRV_HOOK_GITLAB, NULL,
     MERGE("\"action\":\"update\",\"oldrev\":\"" SHA "\"" SAME, ""),
     "opened 7 refs/merge-requests/7/head own main"},
    {"gitlab's label", SRV_HOOK_GITLAB, NULL,
     MERGE("\"action\":\"update\"" FORK,
           ",\"labels\":[{\"title\":\"a\"},{\"title\":\"measure\"}],\"changes\":{\"labels\":"
           "{\"previous\":[{\"title\":\"a\"}],\"current\":[{\"title\":\"a\"},"
           "{\"title\":\"measure\"}]}}"),
     "labels 7 refs/merge-requests/7/head fork main"},
    {"gitlab's title", SRV_HOOK_GITLAB, NULL, MERGE("\"action\":\"update\"" SAME, ""),
     "ignored: nothing"},
    {"gitlab's merge", SRV_HOOK_GITLAB, NULL, MERGE("\"action\":\"merge\"" SAME, ""),
     "closed 7 refs/merge-requests/7/head own main"},
    {"gitlab's label after the merge", SRV_HOOK_GITLAB, NULL,
     MERGE("\"action\":\"update\",\"state\":\"merged\"" SAME, ",\"changes\":{\"labels\":{}}"),
     "ignored: it is closed or merged"},
    {"gitlab's draft", SRV_HOOK_GITLAB, NULL,
     MERGE("\"action\":\"open\",\"work_in_progress\":true" SAME, ""), "ignored: it is a draft"},
};

/* What was read, as a case expects it; the caller's. */
static char *told(const srv_hook *hook, bool good, const GError *error) {
    if (!good)
        return g_strconcat("error: ", error->message, NULL);
    if (hook->kind == SRV_HOOK_IGNORED)
        return g_strconcat("ignored: ", hook->reason, NULL);
    if (hook->kind == SRV_HOOK_ISSUE)
        return g_strdup_printf("%s of %s by %s: %s",
                               json_string_value(json_object_get(hook->pull, "state")),
                               json_string_value(json_object_get(hook->pull, "repository")),
                               json_string_value(json_object_get(hook->pull, "author")),
                               json_string_value(json_object_get(hook->pull, "reason")));
    assert_int_equal(hook->kind, SRV_HOOK_PULL);
    const char *ref = json_string_value(json_object_get(hook->pull, "ref"));
    const bool fork = json_is_true(json_object_get(hook->pull, "fork"));
    return g_strdup_printf("%s %" JSON_INTEGER_FORMAT " %s %s %s",
                           json_string_value(json_object_get(hook->pull, "action")),
                           json_integer_value(json_object_get(hook->pull, "number")),
                           ref ? ref : "-", fork ? "fork" : "own",
                           hook->branch ? hook->branch : "-");
}

static bool take(const read_case *c, srv_hook *hook, GError **error) {
    json_auto_t *body = json_loads(c->body, 0, NULL);
    if (!body)
        fail_msg("%s: not JSON", c->name);
    return srv_hook_read(c->provider, body, lookup, c->event, hook, error);
}

static void each_is_read(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(srv_hook) hook = {0};
        g_autoptr(GError) error = NULL;
        const bool good = take(&cases[i], &hook, &error);
        g_autofree char *text = told(&hook, good, error);
        if (!g_str_has_prefix(text, cases[i].expected))
            fail_msg("%s: %s", cases[i].name, text);
    }
}

static const read_case *named(const char *name) {
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        if (strcmp(cases[i].name, name) == 0)
            return &cases[i];
    fail_msg("no case %s", name);
    return NULL;
}

static const char *member(const srv_hook *hook, const char *key) {
    return json_string_value(json_object_get(hook->pull, key));
}

static void what_strangers_wrote_is_one_line(void **state) {
    (void)state;
    g_auto(srv_hook) hook = {0};
    assert_true(take(named("opened"), &hook, NULL));
    assert_string_equal(member(&hook, "title"), "Do it");
    assert_string_equal(member(&hook, "author"), "ada");
    assert_string_equal(member(&hook, "url"), "https://h/o/r/pull/7");
    assert_string_equal(member(&hook, "head"), SHA);
}

static void a_comment_says_who_it_is_by(void **state) {
    (void)state;
    static const struct {
        const char *who;
        bool maintainer;
    } table[] = {{"OWNER", true},        {"MEMBER", true},       {"COLLABORATOR", true},
                 {"CONTRIBUTOR", false}, {"FIRST_TIMER", false}, {"", false}};
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autofree char *body =
            g_strdup_printf(COMMENT("created", "/moowatch measure", "%s", IS_PULL), table[i].who);
        const read_case c = {"by", SRV_HOOK_GITHUB, "issue_comment", body, ""};
        g_auto(srv_hook) hook = {0};
        assert_true(take(&c, &hook, NULL));
        assert_int_equal(json_is_true(json_object_get(hook.pull, "by_maintainer")),
                         table[i].maintainer);
        assert_string_equal(member(&hook, "comment"), "/moowatch measure");
    }
}

static void a_label_that_was_set_is_named(void **state) {
    (void)state;
    g_auto(srv_hook) gitlab = {0};
    assert_true(take(named("gitlab's label"), &gitlab, NULL));
    const json_t *set = json_object_get(gitlab.pull, "labels_set");
    assert_int_equal(json_array_size(set), 1);
    assert_string_equal(json_string_value(json_array_get(set, 0)), "measure");
    g_auto(srv_hook) gitea = {0};
    assert_true(take(named("gitea's label"), &gitea, NULL));
    assert_null(json_object_get(gitea.pull, "labels_set"));
    assert_int_equal(json_array_size(json_object_get(gitea.pull, "labels")), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_read),
        cmocka_unit_test(what_strangers_wrote_is_one_line),
        cmocka_unit_test(a_comment_says_who_it_is_by),
        cmocka_unit_test(a_label_that_was_set_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
