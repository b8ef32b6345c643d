#include "server/notify/jwt.h"

#include <gio/gio.h>
#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* RFC 7515, appendix C: base64 with - and _, without padding. */
static void append_base64url(GString *to, const void *bytes, gsize size) {
    g_autofree char *text = g_base64_encode(bytes, size);
    for (const char *c = text; *c != '\0' && *c != '='; c++)
        g_string_append_c(to, *c == '+' ? '-' : *c == '/' ? '_' : *c);
}

static bool fail(GError **error, int code) {
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                "the key cannot be used: %s; an RSA key in PEM format is needed",
                gnutls_strerror(code));
    return false;
}

static bool sign(gnutls_privkey_t key, GString *token, GError **error) {
    gnutls_datum_t signature = {0};
    const gnutls_datum_t text = {(unsigned char *)token->str, (unsigned)token->len};
    const int code = gnutls_privkey_sign_data2(key, GNUTLS_SIGN_RSA_SHA256, 0, &text, &signature);
    if (code < 0)
        return fail(error, code);
    g_string_append_c(token, '.');
    append_base64url(token, signature.data, signature.size);
    gnutls_free(signature.data);
    return true;
}

char *srv_jwt_sign(const char *key, gsize key_size, const json_t *claims, GError **error) {
    static const char header[] = "{\"alg\":\"RS256\",\"typ\":\"JWT\"}";
    char *body = json_dumps(claims, JSON_COMPACT);
    GString *token = g_string_new(NULL);
    append_base64url(token, header, strlen(header));
    g_string_append_c(token, '.');
    append_base64url(token, body, strlen(body));
    free(body);
    g_autofree unsigned char *pem = g_memdup2(key, key_size);
    const gnutls_datum_t data = {pem, (unsigned)key_size};
    gnutls_privkey_t loaded = NULL;
    int code = gnutls_privkey_init(&loaded);
    if (code >= 0)
        code = gnutls_privkey_import_x509_raw(loaded, &data, GNUTLS_X509_FMT_PEM, NULL, 0);
    const bool good = code < 0 ? fail(error, code) : sign(loaded, token, error);
    if (loaded)
        gnutls_privkey_deinit(loaded);
    if (key_size > 0)
        gnutls_memset(pem, 0, key_size);
    return g_string_free(token, !good);
}
