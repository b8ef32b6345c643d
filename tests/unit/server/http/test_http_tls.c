/* The listener's certificate: read with its key, refused when they do not fit, and replaced. */
#include "tests/unit/test.h"

#include "server/http/http.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"

#include <gnutls/x509.h>

typedef struct {
    char *dir, *certificate, *key;
} bench;

static char *text_of_datum(gnutls_datum_t datum) {
    char *text = g_strndup((const char *)datum.data, datum.size);
    gnutls_free(datum.data);
    return text;
}

/* Writes a fresh key and a certificate of its own under these names. */
static void make(const bench *at, const char *certificate_name, const char *key_name) {
    gnutls_x509_privkey_t key = NULL;
    gnutls_x509_crt_t certificate = NULL;
    gnutls_datum_t pem;
    const unsigned char serial[] = {1};
    assert_int_equal(gnutls_x509_privkey_init(&key), 0);
    assert_int_equal(gnutls_x509_privkey_generate(
                         key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0),
                     0);
    assert_int_equal(gnutls_x509_crt_init(&certificate), 0);
    gnutls_x509_crt_set_version(certificate, 3);
    gnutls_x509_crt_set_serial(certificate, serial, sizeof serial);
    gnutls_x509_crt_set_dn(certificate, "CN=localhost", NULL);
    gnutls_x509_crt_set_activation_time(certificate, 1000000000);
    gnutls_x509_crt_set_expiration_time(certificate, 2000000000);
    gnutls_x509_crt_set_key(certificate, key);
    assert_int_equal(gnutls_x509_crt_sign2(certificate, certificate, key, GNUTLS_DIG_SHA256, 0), 0);
    assert_int_equal(gnutls_x509_crt_export2(certificate, GNUTLS_X509_FMT_PEM, &pem), 0);
    g_autofree char *certificate_text = text_of_datum(pem);
    assert_int_equal(gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &pem), 0);
    g_autofree char *key_text = text_of_datum(pem);
    g_free(folder_file(at->dir, certificate_name, certificate_text));
    g_free(folder_file(at->dir, key_name, key_text));
    gnutls_x509_crt_deinit(certificate);
    gnutls_x509_privkey_deinit(key);
}

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->dir = folder_new();
    make(at, "cert.pem", "key.pem");
    at->certificate = g_build_filename(at->dir, "cert.pem", NULL);
    at->key = g_build_filename(at->dir, "key.pem", NULL);
    *state = at;
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    folder_free(at->dir);
    g_free(at->certificate);
    g_free(at->key);
    g_free(at);
    return 0;
}

static void a_certificate_with_its_key_is_taken_and_renewed(void **state) {
    bench *at = *state;
    srv_http_tls *tls = srv_http_tls_new(at->certificate, at->key, NULL);
    assert_non_null(tls);
    make(at, "cert.pem", "key.pem");
    assert_true(srv_http_tls_reload(tls, NULL));
    srv__http_tls_use(tls);
    srv_http_tls_free(tls);
    srv_http_tls_free(NULL);
}

static void what_does_not_fit_is_refused_by_name(void **state) {
    bench *at = *state;
    make(at, "other.pem", "other-key.pem");
    g_autofree char *other_key = g_build_filename(at->dir, "other-key.pem", NULL);
    g_autofree char *nonsense = folder_file(at->dir, "nonsense.pem", "no PEM\n");
    g_autofree char *empty = folder_file(at->dir, "empty.pem", "");
    g_autofree char *gone = g_build_filename(at->dir, "gone.pem", NULL);
    const struct {
        const char *certificate, *key, *file, *says;
    } cases[] = {
        {at->certificate, other_key, other_key, " is not the private key of "},
        {nonsense, at->key, nonsense, "a PEM file is needed"},
        {empty, at->key, empty, "a PEM file is needed"},
        {at->certificate, nonsense, nonsense, "a PEM file is needed"},
        {at->key, at->certificate, at->key, "a PEM file is needed"},
        {gone, at->key, gone, "No such file"},
        {at->certificate, gone, gone, "No such file"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        assert_null(srv_http_tls_new(cases[i].certificate, cases[i].key, &error));
        assert_says(error->message, cases[i].file);
        assert_says(error->message, cases[i].says);
    }
}

/* A renewal that went wrong must not take the service down: the old ones stay, and the next
 * renewal is taken. */
static void a_bad_renewal_leaves_the_old_ones(void **state) {
    bench *at = *state;
    GError *error = NULL;
    srv_http_tls *tls = srv_http_tls_new(at->certificate, at->key, NULL);
    g_free(folder_file(at->dir, "key.pem", "half a fi"));
    assert_false(srv_http_tls_reload(tls, &error));
    assert_says(error->message, at->key);
    g_clear_error(&error);
    make(at, "cert.pem", "key.pem");
    assert_true(srv_http_tls_reload(tls, &error));
    srv_http_tls_free(tls);
}

int main(void) {
#define WITH_FILES(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_FILES(a_certificate_with_its_key_is_taken_and_renewed),
        WITH_FILES(what_does_not_fit_is_refused_by_name),
        WITH_FILES(a_bad_renewal_leaves_the_old_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
