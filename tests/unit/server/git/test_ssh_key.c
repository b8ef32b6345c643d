#include "tests/unit/test.h"

#include "server/git/repo_internal.h"
#include "tests/unit/server/git/openssh_key.h"

/* What ssh-keygen really makes is in the integration test; here is what it does not. */

static void openssh_files(void **state) {
    (void)state;
    static const struct {
        const char *cipher, *type;
        srv_ssh_key_kind kind;
    } cases[] = {{"none", "ssh-rsa", SRV_SSH_KEY_RSA},
                 {"none", "ssh-ed25519", SRV_SSH_KEY_OTHER},
                 {"none", "", SRV_SSH_KEY_OTHER},
                 {"aes256-ctr", "ssh-rsa", SRV_SSH_KEY_ENCRYPTED}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = openssh(cases[i].cipher, cases[i].type, 0);
        assert_int_equal(srv_ssh_key_look(text), cases[i].kind);
    }
}

static void files_that_are_cut_off(void **state) {
    (void)state;
    for (gsize cut = 1; cut < 100; cut++) {
        g_autofree char *text = openssh("none", "ssh-rsa", cut);
        assert_int_equal(srv_ssh_key_look(text), SRV_SSH_KEY_UNKNOWN);
    }
    g_autofree char *whole = openssh("none", "ssh-rsa", 0);
    for (size_t length = 0; length < strlen(whole) - 40; length++) {
        g_autofree char *part = g_strndup(whole, length);
        assert_int_equal(srv_ssh_key_look(part), SRV_SSH_KEY_UNKNOWN);
    }
}

static void other_files(void **state) {
    (void)state;
    static const struct {
        const char *text;
        srv_ssh_key_kind kind;
    } cases[] = {
        {"", SRV_SSH_KEY_UNKNOWN},
        {"nonsense", SRV_SSH_KEY_UNKNOWN},
        {"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", SRV_SSH_KEY_UNKNOWN},
        {"-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----\n",
         SRV_SSH_KEY_UNKNOWN},
        {"-----BEGIN PRIVATE KEY-----", SRV_SSH_KEY_UNKNOWN},
        {"-----BEGIN EC PRIVATE KEY-----\nAAAA\n", SRV_SSH_KEY_OTHER},
        {"\n -----BEGIN RSA PRIVATE KEY-----\nAAAA\n", SRV_SSH_KEY_RSA},
        {"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n", SRV_SSH_KEY_ENCRYPTED},
        {"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n", SRV_SSH_KEY_ENCRYPTED},
        {"ssh-ed25519 AAAA nora@example.org", SRV_SSH_KEY_PUBLIC},
        {"ecdsa-sha2-nistp256 AAAA", SRV_SSH_KEY_PUBLIC},
        {"-----BEGIN PUBLIC KEY-----\nAAAA\n", SRV_SSH_KEY_PUBLIC},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        if (srv_ssh_key_look(cases[i].text) != cases[i].kind)
            fail_msg("%s", cases[i].text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openssh_files),
        cmocka_unit_test(files_that_are_cut_off),
        cmocka_unit_test(other_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
