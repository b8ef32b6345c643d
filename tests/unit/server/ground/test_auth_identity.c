/* Jobs of forges, with keys and tokens that the test makes. */
#include "tests/unit/test.h"

#include "server/ground/auth.h"
#include "tests/unit/server/desk.h"
#include "tests/unit/server/expect.h"

#include <glib/gstdio.h>
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <string.h>

#define GITHUB "https://token.actions.example.org"
#define GITLAB "https://gitlab.example.org"
#define NOW_S 1800000000
#define GOOD                                                                                       \
    "\"iss\":\"" GITHUB "\",\"aud\":\"https://us\",\"exp\":1800000300,\"nbf\":1799999990,"         \
    "\"repository\":\"own/lib\",\"ref\":\"refs/heads/main\",\"event_name\":\"push\""

static gnutls_privkey_t key, weak, foreign;
static int fetches;
static bool is_down, is_elsewhere;

static char *base64url(const void *bytes, gsize size) {
    char *text = g_base64_encode(bytes, size);
    g_strdelimit(text, "+", '-');
    g_strdelimit(text, "/", '_');
    text[strcspn(text, "=")] = '\0';
    return text;
}

static json_t *jwk(gnutls_privkey_t from, const char *name) {
    gnutls_datum_t n, e;
    assert_int_equal(
        gnutls_privkey_export_rsa_raw(from, &n, &e, NULL, NULL, NULL, NULL, NULL, NULL), 0);
    g_autofree char *modulus = base64url(n.data, n.size), *exponent = base64url(e.data, e.size);
    gnutls_free(n.data);
    gnutls_free(e.data);
    return json_pack("{s:s, s:s, s:s, s:s}", "kty", "RSA", "kid", name, "n", modulus, "e",
                     exponent);
}

static char *fetch(const char *url, GError **error) {
    fetches++;
    if (is_down) {
        g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "no route to host");
        return NULL;
    }
    if (g_str_has_suffix(url, "/.well-known/openid-configuration"))
        return g_strdup_printf("{\"jwks_uri\":\"%s/keys\"}",
                               is_elsewhere                        ? "https://other.example.org"
                               : g_str_has_prefix(url, GITHUB "/") ? GITHUB
                                                                   : GITLAB);
    json_t *keys = json_pack("{s:[o,o]}", "keys", jwk(key, "k1"), jwk(weak, "weak"));
    char *text = json_dumps(keys, 0);
    json_decref(keys);
    return text;
}

static char *sign_as(gnutls_privkey_t with, const char *header, const char *claims) {
    g_autofree char *body = g_strdup_printf("{%s}", claims);
    g_autofree char *first = base64url(header, strlen(header)),
                    *second = base64url(body, strlen(body));
    char *text = g_strdup_printf("%s.%s", first, second);
    gnutls_datum_t signature, data = {(unsigned char *)text, (unsigned)strlen(text)};
    assert_int_equal(gnutls_privkey_sign_data2(with, GNUTLS_SIGN_RSA_SHA256, 0, &data, &signature),
                     0);
    g_autofree char *third = base64url(signature.data, signature.size);
    gnutls_free(signature.data);
    char *token = g_strconcat(text, ".", third, NULL);
    g_free(text);
    return token;
}

#define JOB_TOKENS "/api/v1/job-tokens"
#define HEADER "{\"alg\":\"RS256\",\"kid\":\"k1\"}"

#define T(text) ((char[]){text})
static cfg_identity rules[] = {{.issuer = T(GITHUB),
                                .audience = T("https://us"),
                                .repository = T("own/lib"),
                                .branch = T("main"),
                                .scope = T("runner"),
                                .node = T("metal"),
                                .minutes = 90},
                               {.issuer = T(GITHUB),
                                .audience = T("https://us"),
                                .repository = T("own/lib"),
                                .branch = T("next"),
                                .scope = T("run"),
                                .projects = (char *[]){T("lib"), NULL},
                                .projects_count = 1,
                                .minutes = 5},
                               {.issuer = T(GITLAB),
                                .audience = T("https://us"),
                                .repository = T("group/lib"),
                                .branch = T("main"),
                                .scope = T("runner"),
                                .minutes = 90}};
static const cfg_server config = {.identities = rules, .identities_count = G_N_ELEMENTS(rules)};

static int setup(void **state) {
    fetches = 0;
    is_down = is_elsewhere = false;
    *state = srv_identities_new(&config, fetch);
    return 0;
}

static int teardown(void **state) {
    srv_identities_free(*state);
    return 0;
}

static const cfg_identity *check(srv_identities *all, const char *token, GError **error) {
    return srv_identity_check(all, token, INT64_C(1000) * NOW_S, error);
}

static void who_fits_a_rule_has_its_rights(void **state) {
    static const struct {
        const char *claims;
        size_t rule;
    } cases[] = {
        {GOOD, 0},
        {"\"iss\":\"" GITHUB "\",\"aud\":[\"x\",\"https://us\"],\"exp\":1800000300,\"repository\":"
         "\"own/lib\",\"ref\":\"refs/heads/next\"",
         1},
        {"\"iss\":\"" GITLAB "\",\"aud\":\"https://us\",\"exp\":1799999990,\"project_path\":"
         "\"group/lib\",\"ref\":\"main\",\"ref_type\":\"branch\"",
         2},
        {"\"iss\":\"" GITLAB "\",\"aud\":\"https://us\",\"exp\":1800000300,\"project_path\":"
         "\"group/lib\",\"ref\":\"main\",\"ref_path\":\"refs/heads/main\"",
         2}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *token = sign_as(key, HEADER, cases[i].claims);
        g_autoptr(GError) error = NULL;
        assert_ptr_equal(check(*state, token, &error), &rules[cases[i].rule]);
        assert_null(error);
    }
    assert_int_equal(fetches, 4); /* two an issuer: its keys are kept */
}

static void who_does_not_is_told_why(void **state) {
    static const struct {
        const char *claims, *says;
    } cases[] = {
        {"\"iss\":\"https://evil.example.org\"", "no rule of identities names the issuer"},
        {"\"iss\":\"" GITHUB "\",\"aud\":\"https://us\"", "does not say when it expires"},
        {"\"iss\":\"" GITHUB "\",\"exp\":1799999000", "expired 1000 s ago; ask for a new one"},
        {"\"iss\":\"" GITHUB "\",\"exp\":1800000300,\"nbf\":1800000200", "not valid yet"},
        {"\"iss\":\"" GITHUB "\",\"exp\":1800000300,\"aud\":\"https://them\"",
         "another audience; ask for one with https://us"},
        {"\"iss\":\"" GITHUB "\",\"exp\":1800000300,\"aud\":\"https://us\",\"repository\":"
         "\"fork/lib\",\"ref\":\"refs/heads/main\"",
         "is of repository \"fork/lib\", not of own/lib; forks have no rights"},
        {"\"iss\":\"" GITHUB "\",\"exp\":1800000300,\"aud\":\"https://us\",\"repository\":"
         "\"own/lib\",\"ref\":\"refs/pull/7/merge\"",
         "of \"refs/pull/7/merge\", not of the branch"},
        {"\"iss\":\"" GITHUB "\",\"exp\":1800000300,\"aud\":\"https://us\",\"repository\":"
         "\"own/lib\",\"ref\":\"refs/heads/main\",\"event_name\":\"pull_request_target\"",
         "pull_request_target, in which a fork's code may run"},
        {"\"iss\":\"" GITLAB "\",\"exp\":1800000300,\"aud\":\"https://us\",\"project_path\":"
         "\"group/lib\",\"ref\":\"main\",\"ref_path\":\"refs/heads/main\","
         "\"pipeline_source\":\"merge_request_event\"",
         "merge_request_event, in which a fork's code may run"},
        {"\"iss\":\"" GITLAB "\",\"exp\":1800000300,\"aud\":\"https://us\",\"project_path\":"
         "\"group/lib\",\"ref\":\"main\",\"ref_type\":\"tag\"",
         "of \"main\", not of the branch main"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *token = sign_as(key, HEADER, cases[i].claims);
        g_autoptr(GError) error = NULL;
        assert_null(check(*state, token, &error));
        assert_says(error->message, cases[i].says);
    }
}

static void what_is_not_signed_by_the_issuer_is_refused(void **state) {
    g_autofree char *good = sign_as(key, HEADER, GOOD);
    g_autofree char *other = sign_as(key, HEADER, "\"iss\":\"" GITHUB "\"");
    g_autofree char *mixed = g_strndup(other, (gsize)(strrchr(other, '.') - other));
    const struct {
        char *token;
        const char *says;
    } cases[] = {
        {sign_as(foreign, HEADER, GOOD), "signature is not of"},
        {g_strconcat(mixed, strrchr(good, '.'), NULL), "signature is not of"},
        {sign_as(weak, "{\"alg\":\"RS256\",\"kid\":\"weak\"}", GOOD), "signature is not of"},
        {sign_as(key, "{\"alg\":\"none\",\"kid\":\"k1\"}", GOOD), "signed with RS256"},
        {sign_as(key, "{\"alg\":\"HS256\",\"kid\":\"k1\"}", GOOD), "signed with RS256"},
        {sign_as(key, "{\"alg\":\"RS256\",\"kid\":\"k1\",\"crit\":[\"b64\"]}", GOOD), "crit"},
        {sign_as(key, "{\"alg\":\"RS256\",\"kid\":\"k9\"}", GOOD), "has no key \"k9\""},
        {g_strdup("a.b"), "no signed token"},
        {g_strdup(""), "no signed token"},
        {g_strdup("!.!.!"), "cannot be read"},
        {g_strnfill(20000, '.'), "no signed token"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(check(*state, cases[i].token, &error));
        assert_says(error->message, cases[i].says);
        g_free(cases[i].token);
    }
}

static void keys_that_cannot_be_had_are_asked_for_later(void **state) {
    g_autofree char *token = sign_as(key, HEADER, GOOD);
    g_autoptr(GError) down = NULL, elsewhere = NULL;
    is_down = true;
    assert_null(check(*state, token, &down));
    assert_int_equal(down->code, G_IO_ERROR_NOT_CONNECTED);
    assert_says(down->message, "cannot be fetched (no route to host); try again");
    assert_null(check(*state, token, NULL));
    assert_int_equal(fetches, 1); /* not at once */
    is_down = false;
    is_elsewhere = true;
    assert_null(srv_identity_check(*state, token, INT64_C(1000) * (NOW_S + 31), &elsewhere));
    assert_says(elsewhere->message, "names no jwks_uri of the same host");
    is_elsewhere = false;
    assert_non_null(srv_identity_check(*state, token, INT64_C(1000) * (NOW_S + 62), NULL));
}

static void a_job_has_a_token_of_minutes(void **state) {
    (void)state;
    g_autofree char *dir = g_dir_make_tmp("moowatch-identity-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(dir, SRV_AUTH_FILE, NULL);
    srv_auth *auth = srv_auth_open(path, NULL);
    int64_t end_ms;
    g_autofree char *secret = srv_identity_token(auth, &rules[0], 1000, &end_ms, NULL);
    assert_non_null(secret);
    assert_int_equal(end_ms, 1000 + 90 * 60000);
    g_autofree char *header = g_strconcat("Bearer ", secret, NULL);
    srv_auth_grant grant;
    assert_int_equal(srv_auth_check(auth, header, end_ms - 1, &grant), SRV_SCOPE_RUNNER);
    g_autofree char *node = srv_auth_node(auth, grant.name);
    assert_string_equal(node, "metal");
    srv_auth_grant_clear(&grant);
    assert_int_equal(srv_auth_check(auth, header, end_ms, NULL), SRV_SCOPE_NONE);
    const srv_auth_wish wish = {.name = SRV_IDENTITY_PREFIX "of-a-person", .scopes = "read"};
    g_autofree char *endless = srv_auth_create(auth, &wish, 1000, NULL);
    assert_non_null(endless);
    g_autofree char *next = srv_identity_token(auth, &rules[1], end_ms, &end_ms, NULL);
    assert_non_null(next);
    json_t *list = srv_auth_list(auth);
    assert_int_equal(json_array_size(list), 2); /* the one that is over is gone */
    json_decref(list);
    srv_auth_close(auth);
    g_unlink(path);
    g_autofree char *lock = g_build_filename(dir, "tokens.lock", NULL);
    g_unlink(lock);
    g_rmdir(dir);
}

static void over_http(void **state) {
    void *own;
    assert_int_equal(desk_setup(&own), 0);
    desk *at = own;
    srv_identities_free(at->app->identities);
    at->app->identities = *state;
    g_autofree char *claims =
        g_strdup_printf("\"iss\":\"" GITHUB "\",\"aud\":\"https://us\",\"exp\":%" G_GINT64_FORMAT
                        ",\"repository\":\"own/lib\",\"ref\":\"refs/heads/next\"",
                        (gint64)(g_get_real_time() / G_USEC_PER_SEC + 300));
    g_autofree char *token = sign_as(key, HEADER, claims), *fork = sign_as(foreign, HEADER, claims);
    g_autofree char *body = g_strdup_printf("{\"token\":\"%s\"}", token);
    g_autofree char *wrong = g_strdup_printf("{\"token\":\"%s\"}", fork);
    static const desk_refusal none[] = {{JOB_TOKENS, "{}", 400, "is needed"}};
    desk_refuses(at, "POST", NULL, none, 1);
    is_down = true;
    const desk_refusal down[] = {{JOB_TOKENS, body, 503, "cannot be fetched"}};
    desk_refuses(at, "POST", NULL, down, 1);
    is_down = false;
    srv_identities_free(at->app->identities);
    *state = at->app->identities = srv_identities_new(&config, fetch);
    const desk_refusal refused[] = {{JOB_TOKENS, wrong, 403, "signature is not of"}};
    desk_refuses(at, "POST", NULL, refused, 1);
    json_auto_t *given = desk_json(at, "POST", JOB_TOKENS, NULL, body, 201);
    assert_string_equal(text_of(given, "scope"), "run");
    g_autofree char *bearer =
        g_strdup_printf("Authorization: Bearer %s\r\n", text_of(given, "token"));
    g_free(desk_call(at, "GET", "/api/v1/tokens", bearer, NULL, 403)); /* known, and no admin */
    at->app->identities = NULL;
    desk_teardown(&own);
}

static gnutls_privkey_t key_new(unsigned bits) {
    gnutls_privkey_t made;
    gnutls_privkey_init(&made);
    return gnutls_privkey_generate(made, GNUTLS_PK_RSA, bits, 0) == 0 ? made : NULL;
}

#define IDENTITY_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        IDENTITY_TEST(who_fits_a_rule_has_its_rights),
        IDENTITY_TEST(who_does_not_is_told_why),
        IDENTITY_TEST(what_is_not_signed_by_the_issuer_is_refused),
        IDENTITY_TEST(keys_that_cannot_be_had_are_asked_for_later),
        IDENTITY_TEST(a_job_has_a_token_of_minutes),
        IDENTITY_TEST(over_http),
    };
    key = key_new(2048);
    weak = key_new(1024);
    foreign = key_new(2048);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gnutls_privkey_deinit(key);
    gnutls_privkey_deinit(weak);
    gnutls_privkey_deinit(foreign);
    return failed;
}
