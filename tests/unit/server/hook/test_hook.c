/* Webhooks: who sent them, what they say. Bodies are cut from the providers' documents. */
#include "tests/unit/test.h"

#include "server/hook/hook.h"

#include <string.h>

#define SHA "6113728f27ae82c7b1a177c8d03f9e96e0adf246"

/* Headers as "name: value" texts, ended by NULL. */
static const char *lookup(const void *user, const char *name) {
    for (const char *const *line = user; *line; line++) {
        size_t length = strlen(name);
        if (strncmp(*line, name, length) == 0 && (*line)[length] == ':')
            return *line + length + 2;
    }
    return NULL;
}

typedef struct {
    const char *name;
    srv_hook_provider provider;
    const char *event; /* header line or NULL */
    const char *body;
    const char *expected; /* "commit SHA BRANCH", "ping", "ignored: …", "error: …" */
} read_case;

#define FULL "\"repository\":{\"full_name\":\"o/r\",\"clone_url\":\"https://h/o/r.git\"}"
#define RUN(conclusion, head)                                                                      \
    "{\"action\":\"completed\"," FULL ",\"workflow_run\":{\"conclusion\":\"" conclusion            \
    "\",\"head_branch\":\"main\",\"head_sha\":\"" SHA                                              \
    "\",\"head_repository\":{\"full_name\":\"" head "\"}}}"
#define JENKINS(phase, status, branch)                                                             \
    "{\"name\":\"j\",\"build\":{\"phase\":\"" phase "\",\"status\":\"" status                      \
    "\",\"scm\":{\"url\":\"https://h/o/r\",\"branch\":\"" branch "\",\"commit\":\"" SHA "\"}}}"
#define PIPELINE(status)                                                                           \
    "{\"object_kind\":\"pipeline\",\"object_attributes\":{\"status\":\"" status                    \
    "\",\"ref\":\"main\",\"tag\":false,\"sha\":\"" SHA "\"},\"project\":{}}"

static const read_case cases[] = {
    {"ping", SRV_HOOK_GITHUB, "x-github-event: ping", "{\"zen\":\"x\"}", "ping"},
    {"push", SRV_HOOK_GITHUB, "x-github-event: push",
     "{\"ref\":\"refs/heads/main\",\"after\":\"" SHA "\",\"deleted\":false," FULL "}",
     "commit " SHA " main"},
    {"push in capitals", SRV_HOOK_GITHUB, "x-github-event: push",
     "{\"ref\":\"refs/heads/a/b\",\"after\":\"6113728F27AE82C7B1A177C8D03F9E96E0ADF246\"}",
     "commit " SHA " a/b"},
    {"deleted branch", SRV_HOOK_GITHUB, "x-github-event: push",
     "{\"ref\":\"refs/heads/main\",\"after\":\"0000000000000000000000000000000000000000\","
     "\"deleted\":true}",
     "ignored: the branch was deleted"},
    {"tag", SRV_HOOK_GITHUB, "x-github-event: push",
     "{\"ref\":\"refs/tags/v1\",\"after\":\"" SHA "\"}", "ignored: not a branch"},
    {"no event", SRV_HOOK_GITHUB, NULL, "{}", "error: X-GitHub-Event"},
    {"no ref", SRV_HOOK_GITHUB, "x-github-event: push", "{}", "error: ref"},
    {"ref of another type", SRV_HOOK_GITHUB, "x-github-event: push", "{\"ref\":[1]}", "error: ref"},
    {"short commit", SRV_HOOK_GITHUB, "x-github-event: push",
     "{\"ref\":\"refs/heads/main\",\"after\":\"6113728\"}", "error: after"},
    {"commit that is a command", SRV_HOOK_GITHUB, "x-github-event: push",
     "{\"ref\":\"refs/heads/main\",\"after\":\"--upload-pack=id;aaaaaaaaaaaaaaaaaaaaaaaaa\"}",
     "error: after"},
    {"branch that is an option", SRV_HOOK_GITHUB, "x-github-event: push",
     "{\"ref\":\"refs/heads/-x\",\"after\":\"" SHA "\"}", "error: ref"},
    {"branch with a line break", SRV_HOOK_GITHUB, "x-github-event: push",
     "{\"ref\":\"refs/heads/a\\nb\",\"after\":\"" SHA "\"}", "error: ref"},
    {"another event", SRV_HOOK_GITHUB, "x-github-event: issues", "{}", "ignored: only"},
    {"workflow", SRV_HOOK_GITHUB, "x-github-event: workflow_run", RUN("success", "o/r"),
     "commit " SHA " main"},
    {"failed workflow", SRV_HOOK_GITHUB, "x-github-event: workflow_run", RUN("failure", "o/r"),
     "ignored: the workflow did not succeed"},
    {"fork's workflow", SRV_HOOK_GITHUB, "x-github-event: workflow_run", RUN("success", "evil/r"),
     "ignored: the workflow ran for a fork"},
    {"workflow of no branch", SRV_HOOK_GITHUB, "x-github-event: workflow_run",
     "{\"action\":\"completed\"," FULL ",\"workflow_run\":{\"conclusion\":\"success\","
     "\"head_branch\":null,\"head_repository\":{\"full_name\":\"o/r\"}}}",
     "ignored: not a branch"},
    {"workflow of nobody", SRV_HOOK_GITHUB, "x-github-event: workflow_run",
     "{\"action\":\"completed\",\"workflow_run\":{\"conclusion\":\"success\"}}",
     "ignored: the workflow ran for a fork"},
    {"gitea push", SRV_HOOK_GITEA, "x-gitea-event: push",
     "{\"ref\":\"refs/heads/main\",\"after\":\"" SHA "\"," FULL "}", "commit " SHA " main"},
    {"gitea other", SRV_HOOK_GITEA, "x-gitea-event: create", "{}", "ignored: only push"},
    {"gitlab push", SRV_HOOK_GITLAB, NULL,
     "{\"object_kind\":\"push\",\"ref\":\"refs/heads/main\",\"after\":\"" SHA "\"}",
     "commit " SHA " main"},
    {"gitlab pipeline", SRV_HOOK_GITLAB, NULL, PIPELINE("success"), "commit " SHA " main"},
    {"gitlab failed pipeline", SRV_HOOK_GITLAB, NULL, PIPELINE("failed"),
     "ignored: the pipeline did not succeed"},
    {"gitlab nothing", SRV_HOOK_GITLAB, NULL, "{}", "error: object_kind"},
    {"jenkins", SRV_HOOK_JENKINS, NULL, JENKINS("FINALIZED", "SUCCESS", "origin/main"),
     "commit " SHA " main"},
    {"jenkins, a remote's branch", SRV_HOOK_JENKINS, NULL,
     JENKINS("COMPLETED", "SUCCESS", "refs/remotes/origin/main"), "commit " SHA " main"},
    {"jenkins, written out", SRV_HOOK_JENKINS, NULL,
     JENKINS("COMPLETED", "SUCCESS", "refs/heads/a/b"), "commit " SHA " a/b"},
    {"jenkins, a branch like a folder", SRV_HOOK_JENKINS, NULL,
     JENKINS("COMPLETED", "SUCCESS", "refs/heads/remotes/x/y"), "commit " SHA " remotes/x/y"},
    {"jenkins, a tag", SRV_HOOK_JENKINS, NULL, JENKINS("COMPLETED", "SUCCESS", "refs/tags/v1"),
     "ignored: not a branch"},
    {"jenkins detached", SRV_HOOK_JENKINS, NULL, JENKINS("COMPLETED", "SUCCESS", "detached"),
     "commit " SHA " -"},
    {"jenkins started", SRV_HOOK_JENKINS, NULL, JENKINS("STARTED", "SUCCESS", "origin/main"),
     "ignored: the build has not completed"},
    {"jenkins unstable", SRV_HOOK_JENKINS, NULL, JENKINS("FINALIZED", "UNSTABLE", "origin/main"),
     "ignored: the build did not succeed"},
    {"jenkins without scm", SRV_HOOK_JENKINS, NULL,
     "{\"build\":{\"phase\":\"FINALIZED\",\"status\":\"SUCCESS\"}}", "error: build.scm.commit"},
    {"generic", SRV_HOOK_GENERIC, NULL, "{\"commit\":\"" SHA "\"}", "commit " SHA " -"},
    {"generic with branch", SRV_HOOK_GENERIC, NULL, "{\"commit\":\"" SHA "\",\"branch\":\"next\"}",
     "commit " SHA " next"},
    {"generic, written out", SRV_HOOK_GENERIC, NULL,
     "{\"commit\":\"" SHA "\",\"branch\":\"refs/heads/next\"}", "commit " SHA " next"},
    {"generic, a remote's branch", SRV_HOOK_GENERIC, NULL,
     "{\"commit\":\"" SHA "\",\"branch\":\"refs/remotes/origin/next\"}", "commit " SHA " next"},
    {"generic, a branch called so", SRV_HOOK_GENERIC, NULL,
     "{\"commit\":\"" SHA "\",\"branch\":\"detached\"}", "commit " SHA " detached"},
    {"generic, a tag", SRV_HOOK_GENERIC, NULL,
     "{\"commit\":\"" SHA "\",\"branch\":\"refs/tags/v1\"}", "ignored: not a branch"},
    {"generic, null", SRV_HOOK_GENERIC, NULL,
     "{\"commit\":\"" SHA "\",\"branch\":null,\"repository\":null}", "commit " SHA " -"},
    {"generic with a bad branch", SRV_HOOK_GENERIC, NULL, "{\"commit\":\"" SHA "\",\"branch\":7}",
     "error: branch"},
    {"generic empty", SRV_HOOK_GENERIC, NULL, "{}", "error: commit"},
};

static char *outcome(bool ok, const srv_hook *hook, const GError *error) {
    if (!ok)
        return g_strconcat("error: ", error->message, NULL);
    if (hook->kind == SRV_HOOK_PING)
        return g_strdup("ping");
    if (hook->kind == SRV_HOOK_IGNORED)
        return g_strconcat("ignored: ", hook->reason, NULL);
    return g_strconcat("commit ", hook->sha, " ", hook->branch ? hook->branch : "-", NULL);
}

static void says_what_the_table_says(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *headers[] = {cases[i].event, NULL};
        json_t *body = json_loads(cases[i].body, 0, NULL);
        assert_non_null(body);
        g_auto(srv_hook) hook = {0};
        g_autoptr(GError) error = NULL;
        bool ok = srv_hook_read(cases[i].provider, body, lookup, headers, &hook, &error);
        g_autofree char *got = outcome(ok, &hook, error);
        bool prefix = g_str_has_prefix(cases[i].expected, "ignored") ||
                      g_str_has_prefix(cases[i].expected, "error");
        const char *wanted = strchr(cases[i].expected, ' ') + 1;
        if (prefix ? !strstr(got, wanted) : strcmp(got, cases[i].expected) != 0)
            if (strcmp(cases[i].expected, "ping") != 0 || strcmp(got, "ping") != 0)
                fail_msg("%s: got \"%s\", expected \"%s\"", cases[i].name, got, cases[i].expected);
        json_decref(body);
    }
}

static void signatures_decide(void **state) {
    (void)state;
    const char *secret = "It's a Secret";
    g_autoptr(GBytes) body = g_bytes_new_static("{\"a\":1}", 7);
    g_autoptr(GBytes) key = g_bytes_new_static(secret, strlen(secret));
    g_autofree char *hex = g_compute_hmac_for_bytes(G_CHECKSUM_SHA256, key, body);
    g_autofree char *upper = g_ascii_strup(hex, -1);
    g_autofree char *sha1 = g_compute_hmac_for_bytes(G_CHECKSUM_SHA1, key, body);
    g_autofree char *hub = g_strconcat("x-hub-signature-256: sha256=", hex, NULL);
    g_autofree char *hub_upper = g_strconcat("x-hub-signature-256: sha256=", upper, NULL);
    g_autofree char *hub_bare = g_strconcat("x-hub-signature-256: ", hex, NULL);
    g_autofree char *hub_sha1 = g_strconcat("x-hub-signature: sha1=", sha1, NULL);
    g_autofree char *own = g_strconcat("x-moowatch-signature-256: sha256=", hex, NULL);
    g_autofree char *gitea = g_strconcat("x-gitea-signature: ", hex, NULL);
    const struct {
        srv_hook_provider provider;
        const char *header;
        const char *token;
        bool good;
    } table[] = {
        {SRV_HOOK_GITHUB, hub, NULL, true},
        {SRV_HOOK_GITHUB, hub_upper, NULL, true},
        {SRV_HOOK_GITHUB, hub_bare, NULL, false},
        {SRV_HOOK_GITHUB, hub_sha1, NULL, false},
        {SRV_HOOK_GITHUB, "x-hub-signature-256: sha256=", NULL, false},
        {SRV_HOOK_GITHUB, "x-hub-signature-256: sha256=00", NULL, false},
        {SRV_HOOK_GITHUB, NULL, NULL, false},
        {SRV_HOOK_GITHUB, own, NULL, false},
        {SRV_HOOK_GITHUB, NULL, "It's a Secret", false},
        {SRV_HOOK_GITEA, gitea, NULL, true},
        {SRV_HOOK_GITEA, hub, NULL, true},
        {SRV_HOOK_GITEA, "x-gitea-signature: 00", NULL, false},
        {SRV_HOOK_GITLAB, "x-gitlab-token: It's a Secret", NULL, true},
        {SRV_HOOK_GITLAB, "x-gitlab-token: It's a Secre", NULL, false},
        {SRV_HOOK_GITLAB, "x-gitlab-token: ", NULL, false},
        {SRV_HOOK_GITLAB, hub, NULL, false},
        {SRV_HOOK_JENKINS, NULL, "It's a Secret", true},
        {SRV_HOOK_JENKINS, NULL, "wrong", false},
        {SRV_HOOK_JENKINS, NULL, NULL, false},
        {SRV_HOOK_GENERIC, own, NULL, true},
        {SRV_HOOK_GENERIC, hub, NULL, true},
        {SRV_HOOK_GENERIC, NULL, "It's a Secret", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        const char *headers[] = {table[i].header, NULL};
        g_autoptr(GError) error = NULL;
        bool good = srv_hook_signed(table[i].provider, secret, body, lookup, headers,
                                    table[i].token, &error);
        if (good != table[i].good)
            fail_msg("row %zu: %s", i, error ? error->message : "accepted");
        if (!good)
            assert_null(strstr(error->message, secret));
    }
}

/* The example of GitHub's own documentation ("Validating webhook deliveries", testing values). */
static void agrees_with_githubs_example(void **state) {
    (void)state;
    g_autoptr(GBytes) body = g_bytes_new_static("Hello, World!", 13);
    const char *headers[] = {"x-hub-signature-256: sha256="
                             "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
                             NULL};
    assert_true(srv_hook_signed(SRV_HOOK_GITHUB, "It's a Secret to Everybody", body, lookup,
                                headers, NULL, NULL));
}

static void deliveries_have_names(void **state) {
    (void)state;
    g_autoptr(GBytes) body = g_bytes_new_static("{}", 2);
    const char *github[] = {"x-github-delivery: 72d3162e-cc78-11e3-81ab-4c9367dc0958", NULL};
    const char *none[] = {NULL};
    g_autofree char *long_id = g_strnfill(101, 'a');
    g_autofree char *long_line = g_strconcat("x-github-delivery: ", long_id, NULL);
    const char *long_one[] = {long_line, NULL};
    g_autofree char *id = srv_hook_delivery(SRV_HOOK_GITHUB, body, lookup, github);
    g_autofree char *hash = srv_hook_delivery(SRV_HOOK_JENKINS, body, lookup, none);
    g_autofree char *cut = srv_hook_delivery(SRV_HOOK_GITHUB, body, lookup, long_one);
    assert_string_equal(id, "72d3162e-cc78-11e3-81ab-4c9367dc0958");
    assert_int_equal(strlen(hash), 64);
    assert_string_equal(cut, hash);
}

static void bodies_may_be_forms(void **state) {
    (void)state;
    const struct {
        const char *type;
        const char *body;
        const char *wrong; /* NULL: an object with a = 1 */
    } table[] = {
        {"application/json", "{\"a\":1}", NULL},
        {"application/json;charset=UTF-8", "{\"a\":1}", NULL},
        {NULL, "{\"a\":1}", NULL},
        {"application/x-www-form-urlencoded", "x=1&payload=%7B%22a%22%3A+1%7D", NULL},
        {"application/x-www-form-urlencoded", "x=1", "not JSON"},
        {"application/x-www-form-urlencoded", "", "not JSON"}, /* once a crash */
        {"application/x-www-form-urlencoded", "payload=%zz", "not JSON"},
        {"application/x-www-form-urlencoded", "payload=%00", "not JSON"},
        {"application/json", "{\"log\":\"x\\u0000y\",\"a\":1}", NULL},
        {"application/json", "", "not JSON"},
        {"application/json", "[1]", "not an object"},
        {"application/json", "{\"a\":\"\xff\"}", "not JSON"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        g_autoptr(GBytes) body = g_bytes_new_static(table[i].body, strlen(table[i].body));
        g_autoptr(GError) error = NULL;
        json_t *json = srv_hook_body(body, table[i].type, &error);
        if ((json != NULL) != (!table[i].wrong))
            fail_msg("row %zu", i);
        if (!json)
            assert_non_null(strstr(error->message, table[i].wrong));
        else
            assert_int_equal(json_integer_value(json_object_get(json, "a")), 1);
        json_decref(json);
    }
}

static void addresses_name_one_repository(void **state) {
    (void)state;
    const struct {
        const char *a;
        const char *b;
        bool same;
    } table[] = {
        {"https://github.com/o/r.git", "https://github.com/o/r", true},
        {"https://user:pw@GitHub.com:443/O/r/", "git@github.com:o/r.git", true},
        {"ssh://git@github.com:22/o/r.git", "http://github.com/o/r", true},
        {"ssh://git@github.com:2222/o/r.git", "http://github.com/o/r", false},
        {"https://github.com/o/r2", "https://github.com/o/r", false},
        {"https://evil.com/github.com/o/r", "https://github.com/o/r", false},
        {"https://github.com@evil.com/o/r", "https://github.com/o/r", false},
        {"file:///srv/r.git", "/srv/r", true},
        {"", "", false},
        {"https://", "", false},
        {":", "@", false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
        if (srv_hook_same_repository(table[i].a, table[i].b) != table[i].same)
            fail_msg("%s and %s", table[i].a, table[i].b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_the_table_says),
        cmocka_unit_test(signatures_decide),
        cmocka_unit_test(agrees_with_githubs_example),
        cmocka_unit_test(deliveries_have_names),
        cmocka_unit_test(bodies_may_be_forms),
        cmocka_unit_test(addresses_name_one_repository),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
