/* Who we are to an ssh server and who it must be: keys, refusals and host keys, without a server.
 */
#include "server/git/repo_ssh.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

/* OpenSSH's own form with this cipher and type; cut: so many bytes are left out at the end. */
static char *openssh(const char *cipher, const char *type, gsize cut) {
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    const char *const strings[] = {cipher, "none", ""};
    g_byte_array_append(bytes, (const guint8 *)"openssh-key-v1", 15);
    for (size_t i = 0; i < G_N_ELEMENTS(strings); i++) {
        const guint8 length[] = {0, 0, 0, (guint8)strlen(strings[i])};
        g_byte_array_append(bytes, length, sizeof length);
        g_byte_array_append(bytes, (const guint8 *)strings[i], (guint)strlen(strings[i]));
    }
    const guint8 size = (guint8)strlen(type);
    const guint8 key[] = {0, 0, 0, 1, 0, 0, 0, (guint8)(size + 4), 0, 0, 0, size};
    g_byte_array_append(bytes, key, sizeof key);
    g_byte_array_append(bytes, (const guint8 *)type, size);
    g_autofree char *base64 = g_base64_encode(bytes->data, bytes->len - MIN(cut, bytes->len));
    return g_strdup_printf("-----BEGIN OPENSSH PRIVATE KEY-----\n%s\n"
                           "-----END OPENSSH PRIVATE KEY-----\n",
                           base64);
}

/* What ssh-keygen really makes is in the integration test; here is what it does not. */

static void openssh_files(void **state) {
    (void)state;
    static const struct {
        const char *cipher, *type;
        key_kind kind;
    } cases[] = {{"none", "ssh-rsa", KEY_RSA},
                 {"none", "ssh-ed25519", KEY_OTHER},
                 {"none", "", KEY_OTHER},
                 {"aes256-ctr", "ssh-rsa", KEY_ENCRYPTED}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = openssh(cases[i].cipher, cases[i].type, 0);
        assert_int_equal(key_look(text), cases[i].kind);
    }
}

static void files_that_are_cut_off(void **state) {
    (void)state;
    for (gsize cut = 1; cut < 100; cut++) {
        g_autofree char *text = openssh("none", "ssh-rsa", cut);
        assert_int_equal(key_look(text), KEY_UNKNOWN);
    }
    g_autofree char *whole = openssh("none", "ssh-rsa", 0);
    for (size_t length = 0; length < strlen(whole) - 40; length++) {
        g_autofree char *part = g_strndup(whole, length);
        assert_int_equal(key_look(part), KEY_UNKNOWN);
    }
}

static void other_files(void **state) {
    (void)state;
    static const struct {
        const char *text;
        key_kind kind;
    } cases[] = {
        {"", KEY_UNKNOWN},
        {"nonsense", KEY_UNKNOWN},
        {"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", KEY_UNKNOWN},
        {"-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----\n", KEY_UNKNOWN},
        {"-----BEGIN PRIVATE KEY-----", KEY_UNKNOWN},
        {"-----BEGIN EC PRIVATE KEY-----\nAAAA\n", KEY_OTHER},
        {"\n -----BEGIN RSA PRIVATE KEY-----\nAAAA\n", KEY_RSA},
        {"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n", KEY_ENCRYPTED},
        {"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n", KEY_ENCRYPTED},
        {"ssh-ed25519 AAAA nora@example.org", KEY_PUBLIC},
        {"ecdsa-sha2-nistp256 AAAA", KEY_PUBLIC},
        {"-----BEGIN PUBLIC KEY-----\nAAAA\n", KEY_PUBLIC},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        if (key_look(cases[i].text) != cases[i].kind)
            fail_msg("%s", cases[i].text);
}

static int setup(void **state) {
    *state = folder_new();
    return srv_repo_init("/nonexistent", NULL) ? 0 : -1;
}

static int teardown(void **state) {
    folder_free(*state);
    return 0;
}

/* libgit2's word for a refusal. */
static const char *last_words(void) {
    const git_error *last = git_error_last();
    return last ? last->message : NULL;
}

/* What a key file leads to: NULL when a credential is made, else what is said. Asked once. */
static const char *given(const char *file) {
    git_credential *credential = NULL;
    const srv_repo_source source = {.ssh_key_file = file};
    srv__transfer transfer = {.source = &source};
    const int code =
        srv__repo_credentials(&credential, "ssh://h/r", NULL, GIT_CREDENTIAL_SSH_KEY, &transfer);
    const bool made = code == 0 && credential && git_credential_has_username(credential);
    if (made)
        assert_string_equal(git_credential_get_username(credential), "git");
    if (credential)
        git_credential_free(credential);
    assert_true(made || code == GIT_EAUTH);
    return made ? NULL : last_words();
}

static void a_key_that_can_be_used_is_given(void **state) {
    g_autofree char *ed25519 = openssh("none", "ssh-ed25519", 0);
    g_autofree char *rsa = openssh("none", "ssh-rsa", 0);
    const char *const keys[] = {ed25519, rsa,
                                "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n"
                                "-----END RSA PRIVATE KEY-----\n"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        g_autofree char *file = folder_file(*state, "key", keys[i]);
        assert_null(given(file));
    }
}

static void one_that_cannot_is_told_with_what_to_do(void **state) {
    g_autofree char *encrypted = openssh("aes256-ctr", "ssh-ed25519", 0);
    const struct {
        const char *text, *says;
    } cases[] = {
        {"", "holds no private key; make one: ssh-keygen -t ed25519"},
        {"nonsense\n", "holds no private key; make one"},
        {"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI ada\n", "is the public key; name the private one"},
        {encrypted, "needs a passphrase, and nobody is there to type it; ssh-keygen -p"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *file = folder_file(*state, "key", cases[i].text);
        assert_says(given(file), file);
        assert_says(given(file), cases[i].says);
    }
    assert_says(given("/nonexistent/key"), "ssh_key_file /nonexistent/key cannot be read: ");
}

/* libgit2 asks again after each refusal, and would for ever. */
static void a_second_question_means_that_the_first_answer_was_refused(void **state) {
    g_autofree char *ed25519 = openssh("none", "ssh-ed25519", 0);
    g_autofree char *rsa = openssh("none", "ssh-rsa", 0);
    g_autofree char *key = folder_file(*state, "key", ed25519);
    g_autofree char *rsa_key = folder_file(*state, "rsa", rsa);
    const struct {
        const char *key, *user, *says;
    } cases[] = {
        {key, "ada", "for user ada: does it know the public key"},
        {key, NULL, "for user git: does it know the public key"},
        {rsa_key, "ada",
         signs_sha1_only() ? "it is an RSA key, with which libssh2 before 1.11"
                           : "for user ada: does it know the public key"},
        {NULL, "ada", "the server refused our credentials"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        const srv_repo_source source = {.ssh_key_file = cases[i].key};
        srv__transfer transfer = {.source = &source, .credential_tries = 1};
        git_credential *credential = NULL;
        assert_int_equal(srv__repo_credentials(&credential, "ssh://h/r", cases[i].user,
                                               GIT_CREDENTIAL_SSH_KEY, &transfer),
                         GIT_EAUTH);
        assert_says(last_words(), cases[i].says);
        assert_null(credential);
    }
}

static void the_name_is_no_try(void **state) {
    (void)state;
    const srv_repo_source source = {.ssh_key_file = NULL};
    srv__transfer transfer = {.source = &source};
    const char *const users[] = {NULL, "ada"};
    for (size_t i = 0; i < G_N_ELEMENTS(users); i++) {
        git_credential *credential = NULL;
        assert_int_equal(srv__repo_credentials(&credential, "ssh://h/r", users[i],
                                               GIT_CREDENTIAL_USERNAME, &transfer),
                         0);
        assert_string_equal(git_credential_get_username(credential), users[i] ? users[i] : "git");
        git_credential_free(credential);
    }
    assert_int_equal(transfer.credential_tries, 0);
}

static void a_server_that_wants_a_password_is_told_to_have_none(void **state) {
    (void)state;
    const srv_repo_source source = {.ssh_key_file = NULL};
    srv__transfer transfer = {.source = &source};
    git_credential *credential = NULL;
    assert_int_equal(srv__repo_credentials(&credential, "https://h/r", NULL,
                                           GIT_CREDENTIAL_USERPASS_PLAINTEXT, &transfer),
                     GIT_EAUTH);
    assert_says(last_words(), "the server asks for credentials and none are configured");
}

/* SHA-256 of the bytes 0, 1, 2 … as ssh-keygen -l writes it. */
#define OWN_KEY "SHA256:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

static int checked(const char *const *expected, bool known, unsigned hashes) {
    const srv_repo_source source = {.ssh_host_fingerprints = expected};
    srv__transfer transfer = {.source = &source};
    git_cert_hostkey key = {.parent = {.cert_type = GIT_CERT_HOSTKEY_LIBSSH2},
                            .type = (git_cert_ssh_t)hashes};
    for (size_t i = 0; i < sizeof key.hash_sha256; i++)
        key.hash_sha256[i] = (unsigned char)i;
    const int code = srv__repo_host_check(&key.parent, known, "git.example.org", &transfer);
    assert_int_equal(transfer.stopped != NULL, code < 0);
    if (code < 0) /* libgit2 1.9 forgets the one */
        assert_string_equal(transfer.stopped->message, last_words());
    g_clear_error(&transfer.stopped);
    return code;
}

static void a_host_is_who_it_is_expected_to_be(void **state) {
    (void)state;
    const char *const right[] = {OWN_KEY, NULL}, *const second[] = {"SHA256:x", OWN_KEY, NULL},
                      *const wrong[] = {"SHA256:x", NULL}, *const none[] = {NULL};
    const struct {
        const char *const *expected;
        bool known; /* known_hosts has it */
        int code;
    } cases[] = {
        {NULL, true, 0},
        {NULL, false, GIT_ECERTIFICATE},
        {right, false, 0},
        {right, true, 0},
        {second, false, 0},
        {wrong, false, GIT_ECERTIFICATE},
        /* what is configured counts, not what somebody once accepted */
        {wrong, true, GIT_ECERTIFICATE},
        {none, true, GIT_ECERTIFICATE},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        if (checked(cases[i].expected, cases[i].known, GIT_CERT_SSH_SHA256) != cases[i].code)
            fail_msg("case %zu", i);
}

static void another_host_is_told_with_its_key(void **state) {
    (void)state;
    const char *const wrong[] = {"SHA256:x", NULL};
    assert_int_equal(checked(wrong, true, GIT_CERT_SSH_SHA256), GIT_ECERTIFICATE);
    assert_says(last_words(), "git.example.org shows the host key " OWN_KEY
                              ", which is not the expected one; ask its operator");
    assert_int_equal(checked(NULL, false, GIT_CERT_SSH_SHA256), GIT_ECERTIFICATE);
    assert_says(last_words(), "which is not in known_hosts;");
    assert_int_equal(checked(wrong, true, GIT_CERT_SSH_SHA1), GIT_EAUTH);
    assert_says(last_words(), "git.example.org: the SHA-256 of its host key is not available");
}

static void a_certificate_of_https_is_not_ours_to_judge(void **state) {
    (void)state;
    const srv_repo_source source = {.ssh_host_fingerprints = NULL};
    srv__transfer transfer = {.source = &source};
    git_cert certificate = {.cert_type = GIT_CERT_X509};
    assert_int_equal(srv__repo_host_check(&certificate, 0, "h", &transfer), GIT_PASSTHROUGH);
}

int main(void) {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openssh_files),
        cmocka_unit_test(files_that_are_cut_off),
        cmocka_unit_test(other_files),
        IN_FOLDER(a_key_that_can_be_used_is_given),
        IN_FOLDER(one_that_cannot_is_told_with_what_to_do),
        IN_FOLDER(a_second_question_means_that_the_first_answer_was_refused),
        IN_FOLDER(the_name_is_no_try),
        IN_FOLDER(a_server_that_wants_a_password_is_told_to_have_none),
        IN_FOLDER(a_host_is_who_it_is_expected_to_be),
        IN_FOLDER(another_host_is_told_with_its_key),
        IN_FOLDER(a_certificate_of_https_is_not_ours_to_judge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
