/* Tokens: made, checked, revoked, read again. */
#include "tests/unit/test.h"

#include "server/ground/auth.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define NOW_MS INT64_C(1700000000000)
#define HOUR_MS INT64_C(3600000)

static int make_folder(void **state) {
    char *folder = g_dir_make_tmp("moowatch-auth-XXXXXX", NULL);
    *state = folder;
    return folder ? 0 : -1;
}

static int remove_folder(void **state) {
    const char *names[] = {"tokens.json", "runner.token", "tokens.lock"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(*state, names[i], NULL);
        g_unlink(path);
    }
    g_rmdir(*state);
    g_free(*state);
    return 0;
}

static unsigned bearer(srv_auth *auth, const char *token) {
    g_autofree char *header = g_strconcat("Bearer ", token, NULL);
    return srv_auth_check(auth, header, NOW_MS, NULL);
}

/* The key of this secret, as long as it is known; caller frees. */
static char *key_at(srv_auth *auth, const char *token, int64_t now_ms) {
    g_autofree char *header = g_strconcat("Bearer ", token, NULL);
    g_auto(srv_auth_grant) grant = {0};
    srv_auth_check(auth, header, now_ms, &grant);
    assert_non_null(grant.key);
    return g_steal_pointer(&grant.key);
}

static char *for_node(srv_auth *auth, const char *name, const char *scopes, const char *node,
                      GError **error) {
    const srv_auth_wish wish = {.name = name, .scopes = scopes, .node = node};
    return srv_auth_create(auth, &wish, 5, error);
}

static void token_works_until_revoked(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_auth) daemon = srv_auth_open(path, &error);
    g_autoptr(srv_auth) command = srv_auth_open(path, &error);
    assert_non_null(daemon);
    g_autofree char *token =
        srv_auth_create(command, &(srv_auth_wish){.name = "ci", .scopes = "run"}, 5, &error);
    assert_non_null(token);
    g_auto(srv_auth_grant) grant = {0};
    g_autofree char *header = g_strconcat("Bearer ", token, NULL);
    assert_int_equal(srv_auth_check(daemon, header, NOW_MS, &grant),
                     SRV_SCOPE_RUN | SRV_SCOPE_SUBMIT | SRV_SCOPE_READ);
    assert_string_equal(grant.name, "ci");
    assert_null(grant.projects);
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    assert_null(strstr(text, token));
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_true(srv_auth_revoke(command, "ci", &error));
    assert_int_equal(bearer(daemon, token), SRV_SCOPE_NONE);
    assert_false(srv_auth_revoke(command, "ci", &error));
}

static void a_bound_token_serves_its_node_alone(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_auth) command = srv_auth_open(path, &error);
    assert_non_null(command);
    assert_null(for_node(command, "bad", "runner,read", "blade1", &error));
    g_clear_error(&error);
    assert_null(for_node(command, "bad", "runner", "", &error));
    g_clear_error(&error);
    g_autofree char *bound = for_node(command, "b1", "runner", "blade1", &error);
    g_autofree char *any =
        srv_auth_create(command, &(srv_auth_wish){.name = "any", .scopes = "runner"}, 5, &error);
    assert_non_null(bound);
    assert_non_null(any);
    g_autoptr(srv_auth) daemon = srv_auth_open(path, &error);
    assert_int_equal(bearer(daemon, bound), SRV_SCOPE_RUNNER);
    assert_true(srv_auth_serves(daemon, "b1", "blade1"));
    assert_false(srv_auth_serves(daemon, "b1", "blade2"));
    assert_true(srv_auth_serves(daemon, "any", "blade2"));
    g_autofree char *b1_key = key_at(daemon, bound, NOW_MS), *any_key = key_at(daemon, any, NOW_MS);
    assert_true(srv_auth_revoke(command, "any", &error));
    assert_true(srv_auth_lives(daemon, b1_key, NOW_MS));
    assert_false(srv_auth_lives(daemon, any_key, NOW_MS));
    assert_false(srv_auth_serves(daemon, "b1", "blade2"));
    assert_true(srv_auth_revoke(command, "b1", &error));
}

static void an_unbound_token_is_the_first_nodes(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_auth) command = srv_auth_open(path, &error);
    g_autofree char *stray =
        srv_auth_create(command, &(srv_auth_wish){.name = "stray", .scopes = "runner"}, 5, &error);
    g_autofree char *both = srv_auth_create(
        command, &(srv_auth_wish){.name = "both", .scopes = "runner,read"}, 5, &error);
    assert_non_null(stray);
    assert_non_null(both);
    g_autoptr(srv_auth) daemon = srv_auth_open(path, &error);
    bool bound = false;
    assert_true(srv_auth_bind_first(daemon, "stray", "blade1", &bound, &error));
    assert_true(bound);
    assert_true(srv_auth_bind_first(daemon, "stray", "blade2", &bound, &error));
    assert_false(bound);
    assert_true(srv_auth_serves(daemon, "stray", "blade1"));
    assert_false(srv_auth_serves(daemon, "stray", "blade2"));
    assert_true(srv_auth_bind_first(daemon, "both", "blade2", &bound, &error));
    assert_false(bound);
    assert_true(srv_auth_bind_first(daemon, "nobody", "blade2", &bound, &error));
    assert_false(bound);
    /* It is in the file, and secrets still fit. */
    g_autoptr(srv_auth) again = srv_auth_open(path, &error);
    g_autofree char *node = srv_auth_node(again, "stray");
    assert_string_equal(node, "blade1");
    assert_int_equal(bearer(again, stray), SRV_SCOPE_RUNNER);
    assert_true(srv_auth_bind(again, "stray", SRV_AUTH_ANY_NODE, &error));
    assert_null(srv_auth_node(again, "stray"));
    assert_true(srv_auth_serves(again, "stray", "blade2"));
    assert_true(srv_auth_bind_first(again, "stray", "blade2", &bound, &error));
    assert_false(bound);
    assert_false(srv_auth_bind(again, "both", "blade1", &error));
    g_clear_error(&error);
    assert_false(srv_auth_bind(again, "nobody", "blade1", &error));
}

static void basic_carries_the_token_as_password(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(srv_auth) auth = srv_auth_open(path, NULL);
    srv_auth_add_secret(auth, "x", SRV_SCOPE_READ, "mwt_secret");
    g_autofree char *pair = g_base64_encode((const guchar *)"me:mwt_secret", 13);
    g_autofree char *header = g_strconcat("Basic ", pair, NULL);
    assert_int_equal(srv_auth_check(auth, header, NOW_MS, NULL), SRV_SCOPE_READ);
    const char *bad[] = {NULL,
                         "",
                         "Bearer",
                         "Bearer ",
                         "Bearer mwt_secre",
                         "Bearer mwt_secret ",
                         "Basic",
                         "Basic !!!",
                         "Basic bm9jb2xvbg==",
                         "Digest mwt_secret"};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        assert_int_equal(srv_auth_check(auth, bad[i], NOW_MS, NULL), SRV_SCOPE_NONE);
}

static void refuses_bad_names_and_scopes(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(srv_auth) auth = srv_auth_open(path, NULL);
    const char *cases[][2] = {{"a", ""},       {"a", "root"},   {"a", "read,root"}, {"", "read"},
                              {"a b", "read"}, {"a\n", "read"}, {"ä", "read"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(srv_auth_create(
            auth, &(srv_auth_wish){.name = cases[i][0], .scopes = cases[i][1]}, 0, &error));
        assert_non_null(error);
    }
    g_autofree char *one =
        srv_auth_create(auth, &(srv_auth_wish){.name = "twice", .scopes = "read,run"}, 0, NULL);
    assert_non_null(one);
    assert_null(
        srv_auth_create(auth, &(srv_auth_wish){.name = "twice", .scopes = "read"}, 0, NULL));
}

/* What the header with this token proves at a time; the caller clears it. */
static srv_auth_grant grant_at(srv_auth *auth, const char *token, int64_t now_ms) {
    g_autofree char *header = g_strconcat("Bearer ", token, NULL);
    srv_auth_grant grant;
    srv_auth_check(auth, header, now_ms, &grant);
    return grant;
}

static unsigned scopes_at(srv_auth *auth, const char *token, int64_t now_ms) {
    g_auto(srv_auth_grant) grant = grant_at(auth, token, now_ms);
    return grant.scopes;
}

static void a_token_expires(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(srv_auth) command = srv_auth_open(path, NULL);
    const srv_auth_wish wish = {.name = "ci", .scopes = "run", .expires_ms = NOW_MS + HOUR_MS};
    g_autofree char *token = srv_auth_create(command, &wish, NOW_MS, NULL);
    g_autoptr(srv_auth) daemon = srv_auth_open(path, NULL);
    assert_true(scopes_at(daemon, token, NOW_MS + HOUR_MS - 1) & SRV_SCOPE_RUN);
    g_autofree char *key = key_at(daemon, token, NOW_MS);
    assert_true(srv_auth_lives(daemon, key, NOW_MS + HOUR_MS - 1));
    g_auto(srv_auth_grant) late = grant_at(daemon, token, NOW_MS + HOUR_MS);
    assert_int_equal(late.scopes, SRV_SCOPE_NONE);
    assert_int_equal(late.expired_ms, NOW_MS + HOUR_MS);
    assert_string_equal(late.name, "ci");
    assert_false(srv_auth_lives(daemon, key, NOW_MS + HOUR_MS));
    assert_true(srv_auth_grants(daemon, SRV_SCOPE_RUN, NOW_MS + HOUR_MS - 1));
    assert_false(srv_auth_grants(daemon, SRV_SCOPE_RUN, NOW_MS + HOUR_MS));
}

static void an_old_secret_is_good_for_its_grace(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(srv_auth) command = srv_auth_open(path, NULL);
    g_autoptr(srv_auth) daemon = srv_auth_open(path, NULL);
    g_autofree char *first =
        srv_auth_create(command, &(srv_auth_wish){.name = "ci", .scopes = "run"}, NOW_MS, NULL);
    g_autofree char *second = srv_auth_rotate(command, "ci", HOUR_MS, 0, NOW_MS, NULL);
    assert_string_not_equal(first, second);
    assert_true(srv_auth_grants(daemon, SRV_SCOPE_SUBMIT, NOW_MS)); /* run has it */
    assert_false(srv_auth_grants(daemon, SRV_SCOPE_ADMIN, NOW_MS));
    g_auto(srv_auth_grant) old = grant_at(daemon, first, NOW_MS + HOUR_MS - 1);
    g_autofree char *new_key = key_at(daemon, second, NOW_MS);
    assert_string_not_equal(old.key, new_key);
    assert_string_equal(old.name, "ci");
    assert_true(old.scopes & SRV_SCOPE_RUN);
    assert_true(srv_auth_lives(daemon, old.key, NOW_MS + HOUR_MS - 1));
    g_auto(srv_auth_grant) gone = grant_at(daemon, first, NOW_MS + HOUR_MS);
    assert_int_equal(gone.scopes, SRV_SCOPE_NONE);
    assert_int_equal(gone.expired_ms, NOW_MS + HOUR_MS);
    assert_false(srv_auth_lives(daemon, old.key, NOW_MS + HOUR_MS));
    assert_true(srv_auth_lives(daemon, new_key, NOW_MS + HOUR_MS));
    assert_true(scopes_at(daemon, second, NOW_MS + HOUR_MS) & SRV_SCOPE_RUN);
    /* The one before it ends with the next rotation; without grace all do. */
    g_autofree char *third = srv_auth_rotate(command, "ci", 0, 0, NOW_MS + 1, NULL);
    const char *const ended[] = {first, second};
    for (size_t i = 0; i < G_N_ELEMENTS(ended); i++)
        assert_int_equal(scopes_at(daemon, ended[i], NOW_MS + 2), SRV_SCOPE_NONE);
    assert_true(scopes_at(daemon, third, NOW_MS + 2) & SRV_SCOPE_RUN);
    g_autoptr(GError) error = NULL;
    assert_null(srv_auth_rotate(command, "nobody", 0, 0, NOW_MS, &error));
}

/* A stream keeps the key of the secret that it was opened with. */
static void a_stream_ends_with_its_secret(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(srv_auth) command = srv_auth_open(path, NULL);
    g_autoptr(srv_auth) daemon = srv_auth_open(path, NULL);
    g_autofree char *first =
        srv_auth_create(command, &(srv_auth_wish){.name = "ci", .scopes = "read"}, NOW_MS, NULL);
    g_autofree char *stream = key_at(daemon, first, NOW_MS);
    assert_null(strstr(stream, first));
    g_autofree char *second = srv_auth_rotate(command, "ci", HOUR_MS, 0, NOW_MS, NULL);
    g_autofree char *next = key_at(daemon, second, NOW_MS);
    assert_true(srv_auth_lives(daemon, stream, NOW_MS + HOUR_MS - 1));
    assert_false(srv_auth_lives(daemon, stream, NOW_MS + HOUR_MS));
    /* --grace 0m: at once */
    g_autofree char *third = srv_auth_rotate(command, "ci", 0, 0, NOW_MS + 1, NULL);
    assert_non_null(third);
    assert_false(srv_auth_lives(daemon, stream, NOW_MS + 2));
    assert_false(srv_auth_lives(daemon, next, NOW_MS + 2));
    /* nor does the next token of that name bring it back */
    assert_true(srv_auth_revoke(command, "ci", NULL));
    g_autofree char *other = srv_auth_create(
        command, &(srv_auth_wish){.name = "ci", .scopes = "read"}, NOW_MS + 3, NULL);
    assert_non_null(other);
    assert_false(srv_auth_lives(daemon, next, NOW_MS + 4));
}

static void a_rotated_token_is_good_for_the_span_that_it_had(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(srv_auth) auth = srv_auth_open(path, NULL);
    const srv_auth_wish wish = {.name = "ci", .scopes = "read", .expires_ms = NOW_MS + 10};
    g_autofree char *first = srv_auth_create(auth, &wish, NOW_MS, NULL);
    /* No grace brings an expired secret back. */
    g_autofree char *second = srv_auth_rotate(auth, "ci", HOUR_MS, 0, NOW_MS + 20, NULL);
    assert_int_equal(scopes_at(auth, first, NOW_MS + 21), SRV_SCOPE_NONE);
    assert_int_equal(scopes_at(auth, second, NOW_MS + 29), SRV_SCOPE_READ);
    assert_int_equal(scopes_at(auth, second, NOW_MS + 30), SRV_SCOPE_NONE);
    g_autofree char *third = srv_auth_rotate(auth, "ci", 0, NOW_MS + 99, NOW_MS + 40, NULL);
    assert_int_equal(scopes_at(auth, third, NOW_MS + 98), SRV_SCOPE_READ);
}

static void the_last_use_is_kept_by_the_hour(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(srv_auth) daemon = srv_auth_open(path, NULL);
    g_autoptr(srv_auth) command = srv_auth_open(path, NULL);
    g_autofree char *token =
        srv_auth_create(command, &(srv_auth_wish){.name = "ci", .scopes = "run"}, 5, NULL);
    const struct {
        int64_t at_ms;
        bool first;
    } uses[] = {{NOW_MS, true}, {NOW_MS + 1, false}, {NOW_MS + HOUR_MS, true}};
    for (size_t i = 0; i < G_N_ELEMENTS(uses); i++) {
        g_auto(srv_auth_grant) grant = grant_at(daemon, token, uses[i].at_ms);
        assert_int_equal(grant.first, uses[i].first);
    }
    /* A command that writes the file meanwhile loses no use. */
    g_autofree char *other =
        srv_auth_create(command, &(srv_auth_wish){.name = "other", .scopes = "read"}, 5, NULL);
    assert_true(srv_auth_save_uses(daemon, NULL));
    g_autoptr(srv_auth) again = srv_auth_open(path, NULL);
    json_t *list = srv_auth_list(again), *ci = json_array_get(list, 0);
    const int64_t used_ms = NOW_MS + HOUR_MS;
    assert_int_equal(json_integer_value(json_object_get(ci, "used_ms")),
                     used_ms - used_ms % HOUR_MS);
    assert_true(json_is_null(json_object_get(json_array_get(list, 1), "used_ms")));
    assert_non_null(other);
    json_decref(list);
}

static void a_token_may_be_for_some_projects_alone(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(srv_auth) auth = srv_auth_open(path, NULL);
    static const char *const names[] = {"kieker", "otel", NULL};
    static const char *const bad[][2] = {{"", NULL}, {"a b", NULL}, {"a/b", NULL}};
    const srv_auth_wish wish = {.name = "ci", .scopes = "submit", .projects = names};
    g_autofree char *token = srv_auth_create(auth, &wish, 5, NULL);
    g_autoptr(srv_auth) again = srv_auth_open(path, NULL);
    g_auto(srv_auth_grant) grant = grant_at(again, token, NOW_MS);
    assert_true(g_strv_equal((const char *const *)grant.projects, names));
    const srv_auth_wish runner = {.name = "r", .scopes = "runner", .projects = names};
    g_autoptr(GError) error = NULL;
    assert_null(srv_auth_create(auth, &runner, 5, &error));
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        const srv_auth_wish wrong = {.name = "w", .scopes = "read", .projects = bad[i]};
        assert_null(srv_auth_create(auth, &wrong, 5, NULL));
    }
}

/* A token that is whole, but for whose it is: an empty list is not any project. */
#define HASH_16 "0123456789abcdef"
#define ENTRY(projects)                                                                            \
    "{\"tokens\":[{\"name\":\"a\",\"scopes\":\"read\",\"created_ms\":5,\"sha256\":\"" HASH_16      \
        HASH_16 HASH_16 HASH_16 "\",\"projects\":" projects "}]}"

static void broken_file_is_an_error(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    const char *texts[] = {"{",
                           "[]",
                           "{\"tokens\": 3}",
                           "{\"tokens\": [{}]}",
                           "{\"tokens\":[{\"name\":\"a\",\"scopes\":\"read\",\"sha256\":\"zz\"}]}",
                           ENTRY("[]"),
                           ENTRY("[3]"),
                           ENTRY("{}"),
                           ENTRY("\"kieker\"")};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        assert_true(g_file_set_contents(path, texts[i], -1, NULL));
        g_autoptr(GError) error = NULL;
        assert_null(srv_auth_open(path, &error));
        assert_non_null(strstr(error->message, "tokens.json"));
    }
    assert_true(g_file_set_contents(path, ENTRY("[\"kieker\"]"), -1, NULL));
    g_autoptr(srv_auth) whole = srv_auth_open(path, NULL);
    assert_non_null(whole);
}

static void runner_token_is_made_once(void **state) {
    g_autofree char *path = g_build_filename(*state, "runner.token", NULL);
    g_autofree char *first = srv_auth_secret_file(path, NULL);
    g_autofree char *second = srv_auth_secret_file(path, NULL);
    assert_string_equal(first, second);
    assert_int_equal(strlen(first), 68);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)
    const struct CMUnitTest tests[] = {
        CASE(token_works_until_revoked),
        CASE(a_bound_token_serves_its_node_alone),
        CASE(an_unbound_token_is_the_first_nodes),
        CASE(basic_carries_the_token_as_password),
        CASE(refuses_bad_names_and_scopes),
        CASE(broken_file_is_an_error),
        CASE(runner_token_is_made_once),
        CASE(a_token_expires),
        CASE(an_old_secret_is_good_for_its_grace),
        CASE(a_stream_ends_with_its_secret),
        CASE(a_rotated_token_is_good_for_the_span_that_it_had),
        CASE(the_last_use_is_kept_by_the_hour),
        CASE(a_token_may_be_for_some_projects_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
