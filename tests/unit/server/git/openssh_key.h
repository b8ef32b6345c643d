#pragma once
/* openssh_key - key files as ssh-keygen writes them, without a key in them. */
#include <glib.h>
#include <string.h>

/* OpenSSH's own form with this cipher and type; cut: so many bytes are left out at the end. */
static inline char *openssh(const char *cipher, const char *type, gsize cut) {
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    const char *const strings[] = {cipher, "none", ""};
    g_byte_array_append(bytes, (const guint8 *)"openssh-key-v1", 15);
    for (size_t i = 0; i < G_N_ELEMENTS(strings); i++) {
        const guint8 length[] = {0, 0, 0, (guint8)strlen(strings[i])};
        g_byte_array_append(bytes, length, sizeof length);
        g_byte_array_append(bytes, (const guint8 *)strings[i], (guint)strlen(strings[i]));
    }
    const guint8 size = (guint8)strlen(type);
    const guint8 key[] = {0, 0, 0, 1, 0, 0, 0, (guint8)(size + 4), 0, 0, 0, size};
    g_byte_array_append(bytes, key, sizeof key);
    g_byte_array_append(bytes, (const guint8 *)type, size);
    g_autofree char *base64 = g_base64_encode(bytes->data, bytes->len - MIN(cut, bytes->len));
    return g_strdup_printf("-----BEGIN OPENSSH PRIVATE KEY-----\n%s\n"
                           "-----END OPENSSH PRIVATE KEY-----\n",
                           base64);
}
