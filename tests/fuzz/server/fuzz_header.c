/* Any text as a header's value: no crash, and nobody is let in by it. */
#include "server/ground/auth.h"
#include "server/http/http_reply.h"
#include "server/http/reply.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static srv_auth *guarded(void) {
    static srv_auth *auth;
    if (!auth && (auth = srv_auth_open("/nowhere/tokens.json", NULL)) == NULL)
        abort();
    return auth;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = g_strndup((const char *)data, size);
    srv_auth_grant grant;
    if (srv_auth_check(guarded(), text, 1, &grant) != 0 || grant.name)
        abort();
    (void)srv__http_accepts_gzip(text);
    if (srv_etag_matches("\"no such tag\"", "") || !srv_etag_matches("\"a\"", "*"))
        abort();
    (void)srv_etag_matches("\"abc\"", text);
    g_free(text);
    return 0;
}
