/* Tokens: made, checked, revoked, read again. */
#include "tests/unit/test.h"

#include "server/ground/auth.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

static int make_folder(void **state) {
    char *folder = g_dir_make_tmp("moowatch-auth-XXXXXX", NULL);
    *state = folder;
    return folder ? 0 : -1;
}

static int remove_folder(void **state) {
    const char *names[] = {"tokens.json", "runner.token"};
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
    return srv_auth_check(auth, header, NULL);
}

static void token_works_until_revoked(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_auth) daemon = srv_auth_open(path, &error);
    g_autoptr(srv_auth) command = srv_auth_open(path, &error);
    assert_non_null(daemon);
    g_autofree char *token = srv_auth_create(command, "ci", "run", 5, &error);
    assert_non_null(token);
    g_autofree char *name = NULL;
    g_autofree char *header = g_strconcat("Bearer ", token, NULL);
    assert_int_equal(srv_auth_check(daemon, header, &name),
                     SRV_SCOPE_RUN | SRV_SCOPE_SUBMIT | SRV_SCOPE_READ);
    assert_string_equal(name, "ci");
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
    assert_null(srv_auth_create_for(command, "bad", "runner,read", "blade1", 5, &error));
    g_clear_error(&error);
    assert_null(srv_auth_create_for(command, "bad", "runner", "", 5, &error));
    g_clear_error(&error);
    g_autofree char *bound = srv_auth_create_for(command, "b1", "runner", "blade1", 5, &error);
    g_autofree char *any = srv_auth_create(command, "any", "runner", 5, &error);
    assert_non_null(bound);
    assert_non_null(any);
    g_autoptr(srv_auth) daemon = srv_auth_open(path, &error);
    assert_int_equal(bearer(daemon, bound), SRV_SCOPE_RUNNER);
    assert_true(srv_auth_serves(daemon, "b1", "blade1"));
    assert_false(srv_auth_serves(daemon, "b1", "blade2"));
    assert_true(srv_auth_serves(daemon, "any", "blade2"));
    assert_true(srv_auth_revoke(command, "any", &error));
    assert_true(srv_auth_has(daemon, "b1"));
    assert_false(srv_auth_has(daemon, "any"));
    assert_false(srv_auth_serves(daemon, "b1", "blade2"));
    assert_true(srv_auth_revoke(command, "b1", &error));
}

static void an_unbound_token_is_the_first_nodes(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_auth) command = srv_auth_open(path, &error);
    g_autofree char *stray = srv_auth_create(command, "stray", "runner", 5, &error);
    g_autofree char *both = srv_auth_create(command, "both", "runner,read", 5, &error);
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
    assert_int_equal(srv_auth_check(auth, header, NULL), SRV_SCOPE_READ);
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
        assert_int_equal(srv_auth_check(auth, bad[i], NULL), SRV_SCOPE_NONE);
}

static void refuses_bad_names_and_scopes(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    g_autoptr(srv_auth) auth = srv_auth_open(path, NULL);
    const char *cases[][2] = {{"a", ""},       {"a", "root"},   {"a", "read,root"}, {"", "read"},
                              {"a b", "read"}, {"a\n", "read"}, {"ä", "read"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(srv_auth_create(auth, cases[i][0], cases[i][1], 0, &error));
        assert_non_null(error);
    }
    g_autofree char *one = srv_auth_create(auth, "twice", "read,run", 0, NULL);
    assert_non_null(one);
    assert_null(srv_auth_create(auth, "twice", "read", 0, NULL));
}

static void broken_file_is_an_error(void **state) {
    g_autofree char *path = g_build_filename(*state, "tokens.json", NULL);
    const char *texts[] = {"{", "[]", "{\"tokens\": 3}", "{\"tokens\": [{}]}",
                           "{\"tokens\":[{\"name\":\"a\",\"scopes\":\"read\",\"sha256\":\"zz\"}]}"};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        assert_true(g_file_set_contents(path, texts[i], -1, NULL));
        g_autoptr(GError) error = NULL;
        assert_null(srv_auth_open(path, &error));
        assert_non_null(strstr(error->message, "tokens.json"));
    }
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
        CASE(token_works_until_revoked),           CASE(a_bound_token_serves_its_node_alone),
        CASE(an_unbound_token_is_the_first_nodes), CASE(basic_carries_the_token_as_password),
        CASE(refuses_bad_names_and_scopes),        CASE(broken_file_is_an_error),
        CASE(runner_token_is_made_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
