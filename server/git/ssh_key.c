#include "server/git/ssh_key.h"

#include <stdbool.h>
#include <string.h>

#define BEGIN "-----BEGIN "

/* What stands between the first lines of dashes, decoded; NULL: nothing. */
static GBytes *body_of(const char *text) {
    const char *line = strchr(text, '\n');
    const char *end = line ? strstr(line, "-----END ") : NULL;
    if (!end)
        return NULL;
    gsize size = 0;
    g_autofree char *base64 = g_strndup(line, (gsize)(end - line));
    guchar *bytes = g_base64_decode(base64, &size);
    return g_bytes_new_take(bytes, size);
}

/* The next string of the ssh wire format: four bytes of length, then so many. */
static bool next_string(const guchar **at, const guchar *end, const char **out, gsize *size) {
    if (end - *at < 4)
        return false;
    *size = ((gsize)(*at)[0] << 24) | ((gsize)(*at)[1] << 16) | ((gsize)(*at)[2] << 8) | (*at)[3];
    *at += 4;
    if (*size > (gsize)(end - *at))
        return false;
    *out = (const char *)*at;
    *at += *size;
    return true;
}

static bool is(const char *text, gsize size, const char *word) {
    return size == strlen(word) && memcmp(text, word, size) == 0;
}

/* openssh-key-v1: cipher, kdf, its options, how many keys (one), the public key: its type, … */
static srv_ssh_key_kind look_openssh(const guchar *at, gsize size) {
    static const char magic[] = "openssh-key-v1";
    const guchar *end = at + size;
    const char *text = NULL;
    gsize length = 0;
    if (size < sizeof magic || memcmp(at, magic, sizeof magic) != 0)
        return SRV_SSH_KEY_UNKNOWN;
    at += sizeof magic;
    if (!next_string(&at, end, &text, &length))
        return SRV_SSH_KEY_UNKNOWN;
    if (!is(text, length, "none"))
        return SRV_SSH_KEY_ENCRYPTED;
    if (!next_string(&at, end, &text, &length) || !next_string(&at, end, &text, &length) ||
        end - at < 4)
        return SRV_SSH_KEY_UNKNOWN;
    at += 4;
    if (!next_string(&at, end, &text, &length))
        return SRV_SSH_KEY_UNKNOWN;
    at = (const guchar *)text;
    if (!next_string(&at, at + length, &text, &length))
        return SRV_SSH_KEY_UNKNOWN;
    return is(text, length, "ssh-rsa") ? SRV_SSH_KEY_RSA : SRV_SSH_KEY_OTHER;
}

/* PKCS #8 says the algorithm by an object identifier near its beginning: rsaEncryption. */
static srv_ssh_key_kind look_pkcs8(const guchar *bytes, gsize size) {
    static const guchar rsa[] = {0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01};
    return memmem(bytes, MIN(size, 64), rsa, sizeof rsa) ? SRV_SSH_KEY_RSA : SRV_SSH_KEY_OTHER;
}

static srv_ssh_key_kind look_body(const char *text, bool openssh) {
    gsize size = 0;
    g_autoptr(GBytes) body = body_of(text);
    const guchar *bytes = body ? g_bytes_get_data(body, &size) : NULL;
    if (!bytes)
        return SRV_SSH_KEY_UNKNOWN;
    return openssh ? look_openssh(bytes, size) : look_pkcs8(bytes, size);
}

srv_ssh_key_kind srv_ssh_key_look(const char *text) {
    static const char *const public[] = {"ssh-", "ecdsa-", "sk-", "-----BEGIN PUBLIC KEY",
                                         "---- BEGIN SSH2 PUBLIC KEY"};
    while (g_ascii_isspace(*text))
        text++;
    for (size_t i = 0; i < G_N_ELEMENTS(public); i++)
        if (g_str_has_prefix(text, public[i]))
            return SRV_SSH_KEY_PUBLIC;
    if (g_str_has_prefix(text, BEGIN "OPENSSH PRIVATE KEY"))
        return look_body(text, true);
    if (g_str_has_prefix(text, BEGIN "PRIVATE KEY"))
        return look_body(text, false);
    if (g_str_has_prefix(text, BEGIN "ENCRYPTED PRIVATE KEY") ||
        (g_str_has_prefix(text, BEGIN) && strstr(text, "\nProc-Type: 4,ENCRYPTED") != NULL))
        return SRV_SSH_KEY_ENCRYPTED;
    if (g_str_has_prefix(text, BEGIN "RSA PRIVATE KEY"))
        return SRV_SSH_KEY_RSA;
    return g_str_has_prefix(text, BEGIN) && strstr(text, " PRIVATE KEY-----") != NULL
               ? SRV_SSH_KEY_OTHER
               : SRV_SSH_KEY_UNKNOWN;
}
