/* The signature is checked by GnuTLS' other half here, by Node's crypto in test_github.py. */
#include "tests/unit/test.h"

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <stdbool.h>
#include <string.h>

#include "server/notify/jwt.h"

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
        g_autofree char *jwt = srv_jwt_sign(pem, strlen(pem), claims, NULL);
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
        assert_null(srv_jwt_sign(keys[i], strlen(keys[i]), claims, &error));
        assert_non_null(strstr(error->message, "an RSA key in PEM format is needed"));
    }
    gnutls_free(pem.data);
    gnutls_x509_privkey_deinit(plain);
    gnutls_privkey_deinit(key);
    json_decref(claims);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_signed),
                                       cmocka_unit_test(test_what_is_no_rsa_key)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
