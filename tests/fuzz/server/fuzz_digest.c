/* Any text as Content-Digest: refused, or 64 hex digits come out; and as the name of an
 * artifact. */
#include "server/queue/artifact.c" /* NOLINT(bugprone-suspicious-include) */

#include "server/http/request.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = g_strndup((const char *)data, size);
    char sha256[65] = "";
    if (srv_digest_sha256(text, sha256) &&
        (strlen(sha256) != 64 || strspn(sha256, "0123456789abcdef") != 64))
        abort();
    /* Whatever may be a name is one file, in the folder it is put into. */
    if (artifact_name_ok(text) && (strchr(text, '/') || text[0] == '.'))
        abort();
    g_free(text);
    return 0;
}
