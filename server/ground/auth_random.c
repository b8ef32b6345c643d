#include "server/ground/auth_random.h"

#include "server/ground/error.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

bool srv_auth_uuid(char out[SRV_AUTH_UUID_SIZE], GError **error) {
    guint8 b[16];
    const int code = gnutls_rnd(GNUTLS_RND_KEY, b, sizeof b);
    if (code != 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL, "no random bytes: %s",
                         gnutls_strerror(code));
    b[6] = (b[6] & 0x0f) | 0x40;
    b[8] = (b[8] & 0x3f) | 0x80;
    g_snprintf(out, SRV_AUTH_UUID_SIZE,
               "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
               b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14],
               b[15]);
    return true;
}
