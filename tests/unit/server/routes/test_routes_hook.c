/* Webhooks: who sent them is proved over their bytes, and each is taken once for whom it means. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "server/hook/hook.h"
#include "server/poll/poller.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

#define SHA "0123456789012345678901234567890123456789"
#define GENERIC "/api/v1/hooks/generic/kieker"
#define PUSH "{\"commit\":\"" SHA "\"}"

/* The project has a secret of its own, and its poller is kicked by what comes. */
typedef struct {
    desk *desk;
    char *secret_file;
    cfg_project *branch; /* of the project; NULL: it has none */
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    void *own;
    const int code = desk_setup(&own);
    at->desk = own;
    at->secret_file = folder_file(at->desk->fix->dir, "secret", "s3cret-of-kieker\nignored\n");
    at->desk->watched->project->webhook_secret_file = at->secret_file;
    at->desk->app->poller = srv_poller_start(&at->desk->app->context, NULL);
    srv_poller_stop(at->desk->app->poller); /* kicked still: it reads nothing that a test changes */
    *state = at;
    return at->desk->app->poller ? code : -1;
}

static int teardown(void **state) {
    bench *at = *state;
    void *own = at->desk;
    const int code = desk_teardown(&own);
    g_free(at->secret_file);
    if (at->branch)
        g_free(at->branch->night_at);
    g_clear_pointer(&at->branch, fix_project_free);
    g_free(at);
    return code;
}

/* The header that proves a body with this secret, as generic senders write it. */
static char *signature(const char *secret, const char *body) {
    g_autofree char *hash = g_compute_hmac_for_string(G_CHECKSUM_SHA256, (const guchar *)secret,
                                                      strlen(secret), body, (gssize)strlen(body));
    return g_strdup_printf("X-Hub-Signature-256: sha256=%s\r\nX-Moowatch-Signature: sha256=%s\r\n",
                           hash, hash);
}

static json_t *sent(bench *at, const char *target, const char *body, const char *more,
                    unsigned status) {
    g_autofree char *signed_by = signature("s3cret-of-kieker", body);
    g_autofree char *headers = g_strconcat(signed_by, more, NULL);
    return desk_json(at->desk, "POST", target, headers, body, status);
}

static void expect_state(bench *at, const char *target, const char *body, const char *more,
                         unsigned status, const char *expected) {
    json_t *answer = sent(at, target, body, more, status);
    assert_string_equal(text_of(answer, "state"), expected);
    json_decref(answer);
}

static void a_signed_commit_is_taken_once(void **state) {
    bench *at = *state;
    json_t *answer = sent(at, GENERIC, PUSH, NULL, 202);
    assert_string_equal(text_of(answer, "state"), "taken");
    assert_string_equal(text_of(answer, "commit"), SHA);
    assert_string_equal(json_string_value(json_array_get(json_object_get(answer, "projects"), 0)),
                        "kieker");
    json_decref(answer);
    expect_state(at, GENERIC, PUSH, NULL, 200, "known");
}

/* The watched project from now on has the branch 1.15.x, too. */
static void branch_add(bench *at) {
    const watched *own = at->desk->watched;
    srv_catalog *both = g_new0(srv_catalog, 1);
    at->branch = fix_branch("kieker", "1.15.x");
    at->branch->night_at = g_strdup("00:00");
    g_free(at->branch->repository);
    at->branch->repository = g_strdup(own->project->repository);
    both->references = 1;
    both->projects = g_ptr_array_new();
    both->problems = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(both->projects, own->project);
    g_ptr_array_add(both->projects, at->branch);
    assert_true(srv_projects_sync(at->desk->fix->store, both->projects, NULL));
    srv_context_catalog_set(&at->desk->app->context, both);
}

static void a_push_is_for_the_branch_that_it_names(void **state) {
    bench *at = *state;
    const struct {
        const char *body, *project;
    } cases[] = {{"{\"commit\":\"" SHA "\",\"branch\":\"1.15.x\"}", "kieker~1.15.x"},
                 {"{\"commit\":\"" SHA "\",\"branch\":\"main\"}", "kieker"},
                 {"{\"commit\":\"1123456789012345678901234567890123456789\"}", "kieker"}};
    branch_add(at);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *answer = sent(at, GENERIC, cases[i].body, NULL, 202);
        const json_t *projects = json_object_get(answer, "projects");
        assert_int_equal(json_array_size(projects), 1);
        assert_string_equal(json_string_value(json_array_get(projects, 0)), cases[i].project);
        json_decref(answer);
    }
    expect_state(at, GENERIC, "{\"commit\":\"" SHA "\",\"branch\":\"1.14.x\"}", NULL, 200,
                 "ignored");
}

static void two_secrets_are_good_while_one_is_replaced(void **state) {
    bench *at = *state;
    cfg_project *project = at->desk->watched->project;
    project->webhook_old_secret_file = folder_file(at->desk->fix->dir, "old", "before-it\n");
    g_autofree char *old = signature("before-it", PUSH), *wrong = signature("something", PUSH);
    json_t *taken = desk_json(at->desk, "POST", GENERIC, old, PUSH, 202);
    assert_string_equal(text_of(taken, "state"), "taken");
    json_decref(taken);
    expect_state(at, GENERIC, PUSH, NULL, 200, "known");
    g_free(desk_call(at->desk, "POST", GENERIC, wrong, PUSH, 401));
    g_clear_pointer(&project->webhook_old_secret_file, g_free);
    g_free(desk_call(at->desk, "POST", GENERIC, old, PUSH, 401));
    /* One that is configured and cannot be read is a fault here, not the sender's. */
    project->webhook_old_secret_file = g_strdup("/nowhere/secret");
    g_free(desk_call(at->desk, "POST", GENERIC, old, PUSH, 503));
    g_clear_pointer(&project->webhook_old_secret_file, g_free);
}

static void what_is_not_proved_is_refused_and_soon_not_looked_at(void **state) {
    bench *at = *state;
    g_autofree char *wrong = signature("another secret", PUSH);
    g_autofree char *of_other_bytes = signature("s3cret-of-kieker", "{}");
    const char *const headers[] = {"", wrong, of_other_bytes};
    for (size_t i = 0; i < G_N_ELEMENTS(headers); i++)
        json_decref(desk_json(at->desk, "POST", GENERIC, headers[i], PUSH, 401));
    g_autofree char *late = desk_call(at->desk, "POST", GENERIC, wrong, PUSH, 503);
    g_autofree char *retry = answer_header(late, "Retry-After");
    assert_string_equal(retry, "30");
    /* also a right one, now: guesses may be right */
    json_decref(sent(at, GENERIC, PUSH, NULL, 503));
    /* a token needs no signature, and is not held up */
    json_decref(desk_json(at->desk, "POST", GENERIC, at->desk->admin, PUSH, 202));
}

/* Without a signature: kieker's name in the address is what its token may speak for. */
static void a_token_for_a_project_speaks_for_that_alone(void **state) {
    bench *at = *state;
    static const char *const names[] = {"kieker", "otel"};
    g_autofree char *push = g_strdup("{\"ref\":\"refs/heads/main\",\"after\":\"" SHA "\","
                                     "\"deleted\":false,\"repository\":{\"clone_url\":"
                                     "\"https://example.org/kieker\"}}");
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        const char *const projects[] = {names[i], NULL};
        const srv_auth_wish wish = {.name = names[i], .scopes = "submit", .projects = projects};
        g_autofree char *token = srv_auth_create(at->desk->listener->auth, &wish, 1, NULL);
        g_autofree char *header = g_strdup_printf("Authorization: Bearer %s\r\n", token);
        g_autofree char *github = g_strconcat(header, "X-GitHub-Event: push\r\n", NULL);
        g_free(desk_call(at->desk, "POST", GENERIC, header, PUSH, i == 0 ? 202 : 401));
        g_free(desk_call(at->desk, "POST", "/api/v1/hooks/github", github, push, 401));
    }
}

#define ISSUE "/api/v1/hooks/github/kieker"
#define CLOSED(repository)                                                                         \
    "{\"action\":\"closed\",\"repository\":{\"full_name\":\"" repository                           \
    "\"},\"sender\":{\"login\":\"ada\"},\"issue\":{\"number\":7}}"

/* It answers an alert: with a token alone, that takes what answering one takes. */
static void an_issue_needs_a_signature_or_the_scope_run(void **state) {
    bench *at = *state;
    cfg_notify rule = {.via = CFG_NOTIFY_GITHUB_ISSUE, .repository = (char[]){"own/lib"}};
    branch_add(at);
    cfg_project *const told[] = {at->desk->watched->project, at->branch};
    for (size_t i = 0; i < G_N_ELEMENTS(told); i++) {
        told[i]->notify = &rule;
        told[i]->notify_count = 1;
    }
    static const char *const scopes[] = {"submit", "run"};
    for (size_t i = 0; i < G_N_ELEMENTS(scopes); i++) {
        const srv_auth_wish wish = {.name = scopes[i], .scopes = scopes[i]};
        g_autofree char *token = srv_auth_create(at->desk->listener->auth, &wish, 1, NULL);
        g_autofree char *headers = g_strdup_printf(
            "Authorization: Bearer %s\r\nX-GitHub-Event: issues\r\nX-GitHub-Delivery: %zu\r\n",
            token, i);
        g_free(desk_call(at->desk, "POST", ISSUE, headers, CLOSED("own/lib"), i == 0 ? 403 : 202));
    }
    json_auto_t *answer = sent(at, ISSUE, CLOSED("own/lib"), "X-GitHub-Event: issues\r\n", 202);
    json_auto_t *both = json_pack("[s,s]", "kieker", at->branch->name);
    assert_true(json_equal(json_object_get(answer, "projects"), both));
    at->branch->enabled = false;
    json_auto_t *later = sent(at, ISSUE, CLOSED("own/lib"),
                              "X-GitHub-Event: issues\r\nX-GitHub-Delivery: later\r\n", 202);
    assert_int_equal(json_array_size(json_object_get(later, "projects")), 1);
    expect_state(at, ISSUE, CLOSED("own/other"), "X-GitHub-Event: issues\r\n", 200, "ignored");
    for (size_t i = 0; i < G_N_ELEMENTS(told); i++) {
        told[i]->notify = NULL;
        told[i]->notify_count = 0;
    }
}

static void what_is_proved_costs_nothing(void **state) {
    bench *at = *state;
    for (int i = 0; i < 10; i++)
        expect_state(at, GENERIC, PUSH, NULL, i == 0 ? 202 : 200, i == 0 ? "taken" : "known");
}

static void without_a_usable_secret_nothing_is_taken(void **state) {
    bench *at = *state;
    static const struct {
        const char *secret;
        unsigned status;
        const char *says;
    } cases[] = {{"short\n", 503, "the webhook's secret cannot be read; see the log"},
                 {"", 503, "cannot be read"},
                 {NULL, 401, "no webhook_secret_file is configured for this"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        if (cases[i].secret)
            g_free(folder_file(at->desk->fix->dir, "secret", cases[i].secret));
        else
            at->desk->watched->project->webhook_secret_file = NULL;
        json_t *problem = sent(at, GENERIC, PUSH, NULL, cases[i].status);
        assert_says(text_of(problem, "detail"), cases[i].says);
        assert_says_not(text_of(problem, "detail"), at->desk->fix->dir);
        json_decref(problem);
    }
}

static void an_address_names_a_provider_and_perhaps_a_project(void **state) {
    bench *at = *state;
    const desk_refusal cases[] = {
        {"/api/v1/hooks/nobody", PUSH, 404, "unknown provider; hooks exist for github, gitea"},
        {"/api/v1/hooks/nobody/kieker", PUSH, 404, "unknown provider"},
        {"/api/v1/hooks/generic/nobody", PUSH, 404, "no project of that name is configured"},
        {GENERIC, "{}", 400, "commit"},
        {GENERIC, "no JSON", 400, ""},
        {GENERIC, "", 400, ""},
    };
    desk_refuses(at->desk, "POST", at->desk->admin, cases, G_N_ELEMENTS(cases));
}

/* GitHub's push of a branch of a repository. */
static char *push_of(const char *url, const char *branch) {
    return g_strdup_printf("{\"ref\":\"refs/heads/%s\",\"after\":\"" SHA "\",\"deleted\":false,"
                           "\"repository\":{\"clone_url\":\"%s\"}}",
                           branch, url);
}

static void a_push_means_the_projects_that_watch_it(void **state) {
    bench *at = *state;
    cfg_project *project = at->desk->watched->project;
    g_free(project->repository);
    project->repository = g_strdup("https://example.org/kieker.git");
    const struct {
        const char *target, *url, *branch, *delivery;
        unsigned status;
        const char *says;
    } cases[] = {
        {"/api/v1/hooks/github", "https://example.org/kieker", "main", "1", 202, "taken"},
        {"/api/v1/hooks/github", "https://example.org/kieker", "main", "1", 200, "known"},
        {"/api/v1/hooks/github", "https://example.org/kieker", "next", "2", 200,
         "not a branch that is watched"},
        {"/api/v1/hooks/github", "https://example.org/other", "main", "3", 404,
         "no project watches this repository"},
        {"/api/v1/hooks/github/kieker", "https://example.org/kieker", "next", "4", 200,
         "not a branch that is watched"},
        {"/api/v1/hooks/github/kieker", "https://mirror.example/kieker", "main", "5", 202, "taken"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *body = push_of(cases[i].url, cases[i].branch);
        g_autofree char *headers =
            g_strdup_printf("%sX-GitHub-Event: push\r\nX-GitHub-Delivery: %s\r\n", at->desk->admin,
                            cases[i].delivery);
        g_autofree char *answer =
            desk_call(at->desk, "POST", cases[i].target, headers, body, cases[i].status);
        assert_says(answer_body(answer), cases[i].says);
    }
    project->enabled = false;
    g_autofree char *body = push_of("https://example.org/kieker", "main");
    g_autofree char *headers =
        g_strconcat(at->desk->admin, "X-GitHub-Event: push\r\nX-GitHub-Delivery: 9\r\n", NULL);
    g_autofree char *answer =
        desk_call(at->desk, "POST", "/api/v1/hooks/github", headers, body, 200);
    assert_says(answer, "not a branch that is watched");
}

static void a_ping_and_what_means_nothing_are_answered(void **state) {
    bench *at = *state;
    g_autofree char *ping = g_strconcat(at->desk->admin, "X-GitHub-Event: ping\r\n", NULL);
    g_autofree char *star = g_strconcat(at->desk->admin, "X-GitHub-Event: star\r\n", NULL);
    g_autofree char *pong =
        desk_call(at->desk, "POST", "/api/v1/hooks/github", ping, "{\"zen\":\"x\"}", 200);
    g_autofree char *ignored =
        desk_call(at->desk, "POST", "/api/v1/hooks/github", star, "{\"action\":\"x\"}", 200);
    g_autofree char *cache = answer_header(pong, "Cache-Control");
    assert_says(answer_body(pong), "\"pong\"");
    assert_says(answer_body(ignored), "\"ignored\"");
    assert_string_equal(cache, "no-store");
}

int main(void) {
#define HOOKED(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        HOOKED(a_signed_commit_is_taken_once),
        HOOKED(a_push_is_for_the_branch_that_it_names),
        HOOKED(two_secrets_are_good_while_one_is_replaced),
        HOOKED(what_is_not_proved_is_refused_and_soon_not_looked_at),
        HOOKED(a_token_for_a_project_speaks_for_that_alone),
        HOOKED(an_issue_needs_a_signature_or_the_scope_run),
        HOOKED(what_is_proved_costs_nothing),
        HOOKED(without_a_usable_secret_nothing_is_taken),
        HOOKED(an_address_names_a_provider_and_perhaps_a_project),
        HOOKED(a_push_means_the_projects_that_watch_it),
        HOOKED(a_ping_and_what_means_nothing_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
