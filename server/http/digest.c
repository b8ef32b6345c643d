#include "server/http/digest.h"

#include <glib.h>
#include <string.h>

#define KEY "sha-256="
#define HASH_BYTES 32
#define BASE64_LENGTH 44 /* of 32 bytes, padded */

/* ":…44 characters…:" and nothing behind it but parameters. */
static bool read_value(const char *value, char sha256[65]) {
    size_t length = strlen(value);
    if (length < BASE64_LENGTH + 2 || value[0] != ':' || value[BASE64_LENGTH + 1] != ':' ||
        (value[BASE64_LENGTH + 2] != '\0' && value[BASE64_LENGTH + 2] != ';'))
        return false;
    g_autofree char *text = g_strndup(value + 1, BASE64_LENGTH);
    if (strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") !=
            BASE64_LENGTH - 1 ||
        text[BASE64_LENGTH - 1] != '=')
        return false;
    gsize size = 0;
    g_autofree guchar *bytes = g_base64_decode(text, &size);
    if (size != HASH_BYTES)
        return false;
    for (gsize i = 0; i < size; i++)
        g_snprintf(sha256 + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

bool srv_digest_sha256(const char *header, char sha256[65]) {
    bool found = false;
    g_auto(GStrv) members = g_strsplit(header ? header : "", ",", -1);
    for (size_t i = 0; members[i]; i++) {
        const char *member = g_strstrip(members[i]);
        if (g_str_has_prefix(member, KEY))
            found = read_value(member + strlen(KEY), sha256);
    }
    return found;
}
