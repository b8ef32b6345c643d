#include "server/ground/error.h"
#include "server/ground/thread.h"
#include "server/http/http.h"

#include <gio/gio.h>
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <pthread.h>

enum { CHAIN_MAX = 10 };

/* One certificate with its key. A handshake may still look at an old one, so they are kept until
 * the end; a certificate is renewed every few weeks. */
typedef struct identity {
    gnutls_pcert_st chain[CHAIN_MAX];
    unsigned chain_size;
    gnutls_privkey_t key;
    struct identity *older;
} identity;

struct srv_http_tls {
    char *certificate_file;
    char *key_file;
    pthread_mutex_t lock;
    identity *newest;
};

/* The library's callback has no argument of ours: the one process-wide variable of the server, set
 * before its listener starts. */
static srv_http_tls *in_use;

static void identity_free(identity *one) {
    for (unsigned i = 0; i < one->chain_size; i++)
        gnutls_pcert_deinit(&one->chain[i]);
    if (one->key)
        gnutls_privkey_deinit(one->key);
    g_free(one);
}

static bool fail(GError **error, const char *file, int code) {
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: %s; a PEM file is needed",
                     file, gnutls_strerror(code));
}

static bool load_chain(identity *one, const char *file, GError **error) {
    g_autofree char *text = NULL;
    gsize size = 0;
    if (!g_file_get_contents(file, &text, &size, error))
        return false;
    gnutls_datum_t data = {(unsigned char *)text, (unsigned)size};
    unsigned n = CHAIN_MAX;
    int code = gnutls_pcert_list_import_x509_raw(one->chain, &n, &data, GNUTLS_X509_FMT_PEM, 0);
    if (code < 0)
        return fail(error, file, code);
    one->chain_size = n;
    return true;
}

static bool load_key(identity *one, const char *file, GError **error) {
    g_autofree char *text = NULL;
    gsize size = 0;
    if (!g_file_get_contents(file, &text, &size, error))
        return false;
    gnutls_datum_t data = {(unsigned char *)text, (unsigned)size};
    int code = gnutls_privkey_init(&one->key);
    if (code == 0)
        code = gnutls_privkey_import_x509_raw(one->key, &data, GNUTLS_X509_FMT_PEM, NULL, 0);
    explicit_bzero(text, size);
    return code == 0 || fail(error, file, code);
}

/* A key that is not the certificate's would make every handshake fail without a word. */
static bool belong_together(identity *one, const srv_http_tls *tls, GError **error) {
    gnutls_pubkey_t own = NULL;
    unsigned char a[64];
    unsigned char b[64];
    size_t a_size = sizeof a;
    size_t b_size = sizeof b;
    gnutls_pubkey_init(&own);
    bool same =
        gnutls_pubkey_import_privkey(own, one->key, 0, 0) == 0 &&
        gnutls_pubkey_get_key_id(own, GNUTLS_KEYID_USE_SHA256, a, &a_size) == 0 &&
        gnutls_pubkey_get_key_id(one->chain[0].pubkey, GNUTLS_KEYID_USE_SHA256, b, &b_size) == 0 &&
        a_size == b_size && memcmp(a, b, a_size) == 0;
    gnutls_pubkey_deinit(own);
    return same ||
           SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s is not the private key of %s",
                     tls->key_file, tls->certificate_file);
}

bool srv_http_tls_reload(srv_http_tls *tls, GError **error) {
    identity *one = g_new0(identity, 1);
    if (!load_chain(one, tls->certificate_file, error) || !load_key(one, tls->key_file, error) ||
        !belong_together(one, tls, error)) {
        identity_free(one);
        return false;
    }
    SRV_HOLD(&tls->lock);
    one->older = tls->newest;
    tls->newest = one;
    return true;
}

srv_http_tls *srv_http_tls_new(const char *certificate_file, const char *key_file, GError **error) {
    srv_http_tls *tls = g_new0(srv_http_tls, 1);
    tls->certificate_file = g_strdup(certificate_file);
    tls->key_file = g_strdup(key_file);
    pthread_mutex_init(&tls->lock, NULL);
    if (srv_http_tls_reload(tls, error))
        return tls;
    srv_http_tls_free(tls);
    return NULL;
}

void srv_http_tls_free(srv_http_tls *tls) {
    if (!tls)
        return;
    if (in_use == tls)
        in_use = NULL;
    while (tls->newest) {
        identity *older = tls->newest->older;
        identity_free(tls->newest);
        tls->newest = older;
    }
    pthread_mutex_destroy(&tls->lock);
    g_free(tls->certificate_file);
    g_free(tls->key_file);
    g_free(tls);
}

void srv__http_tls_use(srv_http_tls *tls) {
    in_use = tls;
}

/* NOLINTNEXTLINE(readability-function-size): GnuTLS's callback */
static int give_certificate(gnutls_session_t session, const gnutls_datum_t *authorities, int n,
                            const gnutls_pk_algorithm_t *algorithms, int algorithms_n,
                            gnutls_pcert_st **chain, unsigned *chain_size, gnutls_privkey_t *key) {
    (void)session;
    (void)authorities;
    (void)n;
    (void)algorithms;
    (void)algorithms_n;
    SRV_HOLD(&in_use->lock);
    identity *one = in_use->newest;
    *chain = one->chain;
    *chain_size = one->chain_size;
    *key = one->key;
    return 0;
}

void *srv__http_tls_callback(void) {
    union {
        gnutls_certificate_retrieve_function2 *function;
        void *pointer;
    } callback = {give_certificate};
    return callback.pointer;
}

void srv__http_tls_send_last(void *session, const void *data, size_t size) {
    if (gnutls_record_send(session, data, size) >= 0)
        gnutls_bye(session, GNUTLS_SHUT_WR);
}
