/* Calls of GitHub's API as a token, and as an App that must get one first. */
#include "server/notify/github_call.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/github.h"
#include "tests/unit/test.h"

#include <glib.h>
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdbool.h>
#include <string.h>

#define BASE "/api/repos/kieker/monitoring/"
#define INSTALLATION "GET " BASE "installation"
#define ACCESS "POST /api/app/installations/31/access_tokens"
#define INSTALLED                                                                                  \
    { 200, NULL, NULL, "{\"id\":31}" }
#define GRANTED(token)                                                                             \
    { 201, NULL, NULL, "{\"token\":\"" token "\",\"expires_at\":\"2013-04-17T03:00:00Z\"}" }

/* One call; what it gave is dropped. */
static srv_sent called(github *at) {
    srv_sent out = {0};
    json_decref(
        srv__github_call(&at->message, "POST", "statuses/x", json_pack("{s:i}", "a", 1), &out));
    return out;
}

static void expect_delivered(github *at) {
    g_auto(srv_sent) out = called(at);
    if (!out.delivered)
        fail_msg("%s", out.problem);
}

static void expect_problem(github *at, const char *says) {
    g_auto(srv_sent) out = called(at);
    assert_false(out.delivered);
    assert_says(out.problem, says);
}

static const char *authorization(github *at, guint i) {
    return receiver_get(at->receiver, i)->authorization;
}

static void a_token_is_sent_as_it_is(void **state) {
    github *at = *state;
    static const receiver_answer answers[] = {{201, NULL, NULL, "{\"id\":5}"}};
    g_auto(srv_sent) out = {0};
    receiver_script(at->receiver, answers, G_N_ELEMENTS(answers));
    json_t *answer =
        srv__github_call(&at->message, "POST", "statuses/x", json_pack("{s:i}", "a", 1), &out);
    assert_true(out.delivered);
    assert_int_equal(json_integer_value(json_object_get(answer, "id")), 5);
    json_decref(answer);
    assert_string_equal(authorization(at, 0), "Bearer ghp_secret");
    assert_string_equal(receiver_get(at->receiver, 0)->body, "{\"a\":1}");
    github_expect(at, (const char *const[]){"POST " BASE "statuses/x"}, 1);
}

/* Gitea 1.26.0 answered the second so to a token that may not write issues. */
static void why_it_was_refused_is_told(void **state) {
    static const struct {
        const char *answer, *says;
    } cases[] = {
        {"404 page not found\n", "answers 403"},
        {"{\"message\":\"token does not have at least one of required scope(s), "
         "required=[write:issue], token scope=write:repository\",\"url\":\"http://h/api/swagger\"}",
         "answers 403: token does not have at least one of required scope(s), "
         "required=[write:issue], token scope=write:repository"},
        {"{\"message\":\"no\\r\\nlevel=debug\"}", "answers 403: no  level=debug"},
        {"{\"message\":{\"base\":[\"no\"]}}", "answers 403"},
        {"{\"error\":\"insufficient_scope\",\"error_description\":\"The request requires "
         "higher privileges\"}",
         "answers 403: The request requires higher privileges"},
    };
    github *at = *state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const receiver_answer answer = {403, NULL, NULL, cases[i].answer};
        receiver_script(at->receiver, &answer, 1);
        g_auto(srv_sent) out = called(at);
        assert_false(out.delivered);
        if (!g_str_has_suffix(out.problem, cases[i].says))
            fail_msg("%s: %s", cases[i].says, out.problem);
    }
}

static void a_refused_token_is_not_tried_again(void **state) {
    github *at = *state;
    static const receiver_answer answers[] = {{401, NULL, NULL, "{\"message\":\"Bad\"}"}};
    receiver_script(at->receiver, answers, G_N_ELEMENTS(answers));
    expect_problem(at, "answers 401");
    assert_int_equal(receiver_count(at->receiver), 1);
}

static void an_app_finds_its_installation_and_keeps_its_token(void **state) {
    github *at = *state;
    static const receiver_answer answers[] = {
        INSTALLED, GRANTED("ghs_one"), {201, NULL, NULL, "{}"}};
    github_be_app(at);
    receiver_script(at->receiver, answers, G_N_ELEMENTS(answers));
    expect_delivered(at);
    g_auto(GStrv) jwt = g_strsplit(authorization(at, 0), ".", -1);
    assert_int_equal(g_strv_length(jwt), 3);
    assert_string_equal(authorization(at, 2), "Bearer ghs_one");
    assert_string_equal(receiver_get(at->receiver, 1)->body, "{\"repositories\":[\"monitoring\"]}");
    github_expect(at, (const char *const[]){INSTALLATION, ACCESS, "POST " BASE "statuses/x"}, 3);
    expect_delivered(at);
    assert_string_equal(authorization(at, 0), "Bearer ghs_one");
    github_expect(at, (const char *const[]){"POST " BASE "statuses/x"}, 1);
    at->message.now_ms += 3600000; /* it has expired */
    receiver_script(at->receiver, answers, G_N_ELEMENTS(answers));
    expect_delivered(at);
    github_expect(at, (const char *const[]){INSTALLATION, ACCESS, "POST " BASE "statuses/x"}, 3);
}

static void a_named_installation_is_not_asked_for(void **state) {
    github *at = *state;
    static const receiver_answer answers[] = {GRANTED("ghs_one")};
    github_be_app(at);
    at->rule.installation_id = 31;
    receiver_script(at->receiver, answers, G_N_ELEMENTS(answers));
    expect_delivered(at);
    github_expect(at, (const char *const[]){ACCESS, "POST " BASE "statuses/x"}, 2);
}

/* Revoked: fetched anew, once. */
static void a_token_that_is_no_longer_taken_is_fetched_anew(void **state) {
    github *at = *state;
    static const receiver_answer revoked[] = {
        GRANTED("ghs_one"), {401, NULL, NULL, "{}"}, GRANTED("ghs_two"), {201, NULL, NULL, "{}"}};
    static const receiver_answer never[] = {
        {401, NULL, NULL, "{}"}, GRANTED("ghs_three"), {401, NULL, NULL, "{}"}};
    github_be_app(at);
    at->rule.installation_id = 31;
    receiver_script(at->receiver, revoked, G_N_ELEMENTS(revoked));
    expect_delivered(at);
    assert_string_equal(authorization(at, 3), "Bearer ghs_two");
    receiver_forget(at->receiver);
    receiver_script(at->receiver, never, G_N_ELEMENTS(never));
    expect_problem(at, "answers 401");
    assert_int_equal(receiver_count(at->receiver), 3);
}

static json_int_t issued_at(github *at, guint i) {
    g_auto(GStrv) parts = g_strsplit(authorization(at, i) + strlen("Bearer "), ".", -1);
    g_autoptr(GString) text = g_string_new(parts[1]);
    g_string_replace(text, "-", "+", 0);
    g_string_replace(text, "_", "/", 0);
    while (text->len % 4 != 0)
        g_string_append_c(text, '=');
    gsize size;
    g_autofree guchar *bytes = g_base64_decode(text->str, &size);
    json_t *claims = json_loadb((const char *)bytes, size, 0, NULL);
    const json_int_t iat = json_integer_value(json_object_get(claims, "iat"));
    json_decref(claims);
    return iat;
}

/* The receiver's Date is of today, the message's time of 2013: it is tried once more by theirs. */
static void a_wrong_clock_is_put_right_by_githubs(void **state) {
    github *at = *state;
    static const receiver_answer answers[] = {
        {401, NULL, NULL, "{}"}, GRANTED("ghs_one"), {201, NULL, NULL, "{}"}};
    github_be_app(at);
    at->rule.installation_id = 31;
    receiver_script(at->receiver, answers, G_N_ELEMENTS(answers));
    expect_delivered(at);
    assert_int_equal(issued_at(at, 0), 1366164000 - 60);
    const json_int_t now_s = g_get_real_time() / G_USEC_PER_SEC;
    assert_true(issued_at(at, 1) > now_s - 86400 && issued_at(at, 1) <= now_s);
    int64_t skew_s;
    github_token_free(github_token_kept(at->tokens, &at->rule, 0, &skew_s));
    assert_true(skew_s > 86400);
}

static void what_an_app_cannot_get_is_told(void **state) {
    static const struct {
        receiver_answer answers[2];
        guint count;
        int64_t installation;
        const char *says;
    } cases[] = {
        {{{404, NULL, NULL, "{}"}},
         1,
         0,
         "answers 404 to App 7: it is not installed for kieker/monitoring"},
        {{{401, NULL, NULL, "{}"}, {401, NULL, NULL, "{}"}},
         2,
         31,
         "answers 401 to App 7: secret_file is not its key, or a clock is wrong"},
        {{{403, NULL, NULL, "{}"}}, 1, 31, "answers 403 to App 7: its installation is suspended"},
        {{GRANTED("ghs_one\\r\\nX-Moowatch-Event: ours")},
         1,
         31,
         "GitHub did not give the App a token"},
        {{{200, NULL, NULL, "{}"}},
         1,
         0,
         "GitHub's answer does not name an installation of the App"},
        {{{200, NULL, NULL, "no JSON"}}, 1, 0, "does not name an installation"},
        {{{201, NULL, NULL, "{}"}}, 1, 31, "GitHub did not give the App a token"},
        {{{422, NULL, NULL, "{}"}}, 1, 31, "answers 422"},
        {{INSTALLED, {403, "Retry-After", "60", "{}"}}, 2, 0, "answers 403"},
    };
    github *at = *state;
    github_be_app(at);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        at->rule.installation_id = (uint64_t)cases[i].installation;
        receiver_script(at->receiver, cases[i].answers, cases[i].count);
        expect_problem(at, cases[i].says);
        assert_int_equal(receiver_count(at->receiver), cases[i].count);
        receiver_forget(at->receiver);
    }
}

static void a_key_that_is_none_is_told_without_a_call(void **state) {
    github *at = *state;
    github_be_app(at);
    g_free(folder_file(at->dir, "key.pem", "no key\n"));
    expect_problem(at, "an RSA key in PEM format is needed");
    g_autofree char *large = g_strnfill(70000, 'k');
    g_free(folder_file(at->dir, "key.pem", large));
    expect_problem(at, "too large for a key");
    char gone[] = "/nonexistent/key.pem";
    at->rule.secret_file = gone;
    expect_problem(at, "/nonexistent/key.pem");
    at->rule.app_id = 0;
    expect_problem(at, "/nonexistent/key.pem");
    assert_int_equal(receiver_count(at->receiver), 0);
}

/* Tokens of GitHub Apps in memory: whose they are, until when, and by whose clock. */

static char api[] = "https://api.example", other_api[] = "https://ghe.example";
static char one[] = "kieker/kieker", two[] = "kieker/other";
static const cfg_notify rule = {.app_id = 7, .url = api, .repository = one};

static int setup(void **state) {
    *state = srv_github_tokens_new();
    return 0;
}

static int teardown(void **state) {
    srv_github_tokens_free(*state);
    return 0;
}

/* Whether there is one at this time, by our clock; *skew_s. */
static bool kept(srv_github_tokens *tokens, const cfg_notify *of, int64_t now_s, int64_t *skew_s) {
    char *text = github_token_kept(tokens, of, now_s, skew_s);
    const bool there = text != NULL;
    if (there)
        assert_string_equal(text, "secret");
    github_token_free(text);
    return there;
}

static void a_token_is_used_until_its_last_minute(void **state) {
    static const struct {
        int64_t skew_s, now_s;
        bool there;
    } cases[] = {
        {0, 1000, true},   {0, 3539, true},    {0, 3540, false},   {0, 4000, false},
        {100, 3439, true}, {100, 3440, false}, {-100, 3639, true}, {-100, 3640, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        int64_t skew_s = 99;
        github_token_keep(*state, &rule, "secret", 3600, cases[i].skew_s);
        if (kept(*state, &rule, cases[i].now_s, &skew_s) != cases[i].there)
            fail_msg("case %zu", i);
        assert_int_equal(skew_s, cases[i].skew_s);
    }
}

static void it_is_of_one_app_place_and_repository(void **state) {
    const cfg_notify others[] = {{.app_id = 8, .url = api, .repository = one},
                                 {.app_id = 7, .url = other_api, .repository = one},
                                 {.app_id = 7, .url = api, .repository = two}};
    int64_t skew_s = 99;
    github_token_keep(*state, &rule, "secret", 3600, 5);
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        assert_false(kept(*state, &others[i], 1000, &skew_s));
        assert_int_equal(skew_s, 0);
    }
    const cfg_notify same = {.app_id = 7, .url = api, .repository = one, .installation_id = 3};
    assert_true(kept(*state, &same, 1000, &skew_s));
}

static void one_that_is_good_no_longer_leaves_the_clock(void **state) {
    int64_t skew_s = 99;
    github_token_keep(*state, &rule, "secret", 3600, 5);
    github_token_keep(*state, &rule, NULL, 0, 7);
    assert_false(kept(*state, &rule, 0, &skew_s));
    assert_int_equal(skew_s, 7);
    github_token_keep(*state, &rule, "secret", 3600, 0);
    assert_true(kept(*state, &rule, 0, &skew_s));
}

static void nothing_is_kept_where_nothing_keeps(void **state) {
    (void)state;
    int64_t skew_s = 99;
    github_token_keep(NULL, &rule, "secret", 3600, 5);
    assert_null(github_token_kept(NULL, &rule, 0, &skew_s));
    assert_int_equal(skew_s, 0);
    github_token_free(NULL);
    srv_github_tokens_free(NULL);
}

/* The signature is checked by GnuTLS' other half here, by Node's crypto in test_github.py. */

/* A fresh RSA key; what it looks like in PEM, PKCS#1 or PKCS#8. */
static char *key_make(gnutls_x509_privkey_t key, bool pkcs8) {
    gnutls_datum_t pem;
    assert_int_equal(gnutls_x509_privkey_generate(key, GNUTLS_PK_RSA, 2048, 0), 0);
    assert_int_equal(pkcs8 ? gnutls_x509_privkey_export2_pkcs8(key, GNUTLS_X509_FMT_PEM, NULL,
                                                               GNUTLS_PKCS_PLAIN, &pem)
                           : gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &pem),
                     0);
    char *text = g_strndup((const char *)pem.data, pem.size);
    gnutls_free(pem.data);
    return text;
}

static guchar *decoded(const char *part, gsize *size) {
    g_autoptr(GString) text = g_string_new(part);
    assert_null(strpbrk(part, "+/="));
    g_string_replace(text, "-", "+", 0);
    g_string_replace(text, "_", "/", 0);
    while (text->len % 4 != 0)
        g_string_append_c(text, '=');
    return g_base64_decode(text->str, size);
}

static void check(gnutls_x509_privkey_t key, const char *jwt) {
    g_auto(GStrv) parts = g_strsplit(jwt, ".", -1);
    assert_int_equal(g_strv_length(parts), 3);
    gsize size;
    g_autofree guchar *header = decoded(parts[0], &size);
    assert_memory_equal(header, "{\"alg\":\"RS256\",\"typ\":\"JWT\"}", size);
    g_autofree guchar *claims = decoded(parts[1], &size);
    assert_memory_equal(claims, "{\"iat\":1,\"iss\":\"12\"}", size);
    g_autofree guchar *signature = decoded(parts[2], &size);
    g_autofree char *text = g_strconcat(parts[0], ".", parts[1], NULL);
    const gnutls_datum_t data = {(unsigned char *)text, (unsigned)strlen(text)};
    const gnutls_datum_t signed_ = {signature, (unsigned)size};
    gnutls_privkey_t private = NULL;
    gnutls_pubkey_t public = NULL;
    assert_int_equal(gnutls_privkey_init(&private), 0);
    assert_int_equal(gnutls_pubkey_init(&public), 0);
    assert_int_equal(gnutls_privkey_import_x509(private, key, 0), 0);
    assert_int_equal(gnutls_pubkey_import_privkey(public, private, 0, 0), 0);
    assert_int_equal(gnutls_pubkey_verify_data2(public, GNUTLS_SIGN_RSA_SHA256, 0, &data, &signed_),
                     0);
    gnutls_pubkey_deinit(public);
    gnutls_privkey_deinit(private);
}

static void test_signed(void **state) {
    (void)state;
    json_t *claims = json_pack("{s:i,s:s}", "iat", 1, "iss", "12");
    for (int pkcs8 = 0; pkcs8 < 2; pkcs8++) {
        gnutls_x509_privkey_t key = NULL;
        assert_int_equal(gnutls_x509_privkey_init(&key), 0);
        g_autofree char *pem = key_make(key, pkcs8);
        g_autofree char *jwt = jwt_sign(pem, strlen(pem), claims, NULL);
        assert_non_null(jwt);
        check(key, jwt);
        gnutls_x509_privkey_deinit(key);
    }
    json_decref(claims);
}

static void test_what_is_no_rsa_key(void **state) {
    (void)state;
    json_t *claims = json_object();
    gnutls_privkey_t key = NULL;
    gnutls_x509_privkey_t plain = NULL;
    gnutls_datum_t pem;
    assert_int_equal(gnutls_privkey_init(&key), 0);
    assert_int_equal(gnutls_privkey_generate(key, GNUTLS_PK_EDDSA_ED25519, 256, 0), 0);
    assert_int_equal(gnutls_privkey_export_x509(key, &plain), 0);
    assert_int_equal(gnutls_x509_privkey_export2(plain, GNUTLS_X509_FMT_PEM, &pem), 0);
    g_autofree char *other = g_strndup((const char *)pem.data, pem.size);
    const char *const keys[] = {"", "ghp_atoken", "-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n",
                                other};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(jwt_sign(keys[i], strlen(keys[i]), claims, &error));
        assert_non_null(
            strstr(error->message, "an RSA key in PEM format is needed, without a password"));
    }
    gnutls_free(pem.data);
    gnutls_x509_privkey_deinit(plain);
    gnutls_privkey_deinit(key);
    json_decref(claims);
}

#define WITH_TOKENS(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        GITHUB_TEST(a_token_is_sent_as_it_is),
        GITHUB_TEST(why_it_was_refused_is_told),
        GITHUB_TEST(a_refused_token_is_not_tried_again),
        GITHUB_TEST(an_app_finds_its_installation_and_keeps_its_token),
        GITHUB_TEST(a_named_installation_is_not_asked_for),
        GITHUB_TEST(a_token_that_is_no_longer_taken_is_fetched_anew),
        GITHUB_TEST(a_wrong_clock_is_put_right_by_githubs),
        GITHUB_TEST(what_an_app_cannot_get_is_told),
        GITHUB_TEST(a_key_that_is_none_is_told_without_a_call),

        WITH_TOKENS(a_token_is_used_until_its_last_minute),
        WITH_TOKENS(it_is_of_one_app_place_and_repository),
        WITH_TOKENS(one_that_is_good_no_longer_leaves_the_clock),
        WITH_TOKENS(nothing_is_kept_where_nothing_keeps),
        cmocka_unit_test(test_signed),
        cmocka_unit_test(test_what_is_no_rsa_key),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed;
}
