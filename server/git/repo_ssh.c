#include "server/git/repo_internal.h"

#include <dlfcn.h>
#include <gio/gio.h>
#include <stdbool.h>
#include <string.h>

#define BEGIN "-----BEGIN "

/* What is in a file that should hold a private key for ssh; nothing is decrypted. */
typedef enum {
    KEY_UNKNOWN,   /* none that we know the form of */
    KEY_PUBLIC,    /* the other half */
    KEY_ENCRYPTED, /* wants a passphrase, and there is nobody to ask */
    KEY_RSA,
    KEY_OTHER /* ECDSA, Ed25519, … */
} key_kind;

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
static key_kind look_openssh(const guchar *at, gsize size) {
    static const char magic[] = "openssh-key-v1";
    const guchar *end = at + size;
    const char *text = NULL;
    gsize length = 0;
    if (size < sizeof magic || memcmp(at, magic, sizeof magic) != 0)
        return KEY_UNKNOWN;
    at += sizeof magic;
    if (!next_string(&at, end, &text, &length))
        return KEY_UNKNOWN;
    if (!is(text, length, "none"))
        return KEY_ENCRYPTED;
    if (!next_string(&at, end, &text, &length) || !next_string(&at, end, &text, &length) ||
        end - at < 4)
        return KEY_UNKNOWN;
    at += 4;
    if (!next_string(&at, end, &text, &length))
        return KEY_UNKNOWN;
    at = (const guchar *)text;
    if (!next_string(&at, at + length, &text, &length))
        return KEY_UNKNOWN;
    return is(text, length, "ssh-rsa") ? KEY_RSA : KEY_OTHER;
}

/* PKCS #8 says the algorithm by an object identifier near its beginning: rsaEncryption. */
static key_kind look_pkcs8(const guchar *bytes, gsize size) {
    static const guchar rsa[] = {0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01};
    return memmem(bytes, MIN(size, 64), rsa, sizeof rsa) ? KEY_RSA : KEY_OTHER;
}

static key_kind look_body(const char *text, bool openssh) {
    gsize size = 0;
    g_autoptr(GBytes) body = body_of(text);
    const guchar *bytes = body ? g_bytes_get_data(body, &size) : NULL;
    if (!bytes)
        return KEY_UNKNOWN;
    return openssh ? look_openssh(bytes, size) : look_pkcs8(bytes, size);
}

/* text: the file's, OpenSSH's own form, PEM or PKCS #8. */
static key_kind key_look(const char *text) {
    static const char *const public[] = {"ssh-", "ecdsa-", "sk-", "-----BEGIN PUBLIC KEY",
                                         "---- BEGIN SSH2 PUBLIC KEY"};
    while (g_ascii_isspace(*text))
        text++;
    for (size_t i = 0; i < G_N_ELEMENTS(public); i++)
        if (g_str_has_prefix(text, public[i]))
            return KEY_PUBLIC;
    if (g_str_has_prefix(text, BEGIN "OPENSSH PRIVATE KEY"))
        return look_body(text, true);
    if (g_str_has_prefix(text, BEGIN "PRIVATE KEY"))
        return look_body(text, false);
    if (g_str_has_prefix(text, BEGIN "ENCRYPTED PRIVATE KEY") ||
        (g_str_has_prefix(text, BEGIN) && strstr(text, "\nProc-Type: 4,ENCRYPTED") != NULL))
        return KEY_ENCRYPTED;
    if (g_str_has_prefix(text, BEGIN "RSA PRIVATE KEY"))
        return KEY_RSA;
    return g_str_has_prefix(text, BEGIN) && strstr(text, " PRIVATE KEY-----") != NULL ? KEY_OTHER
                                                                                      : KEY_UNKNOWN;
}

/* After "ssh_key_file NAME …; ", with NAME once more. */
#define MAKE_ONE "make one: ssh-keygen -t ed25519 -N '' -f %s"

enum { CREDENTIAL_TRIES = 1, SHA256_SIZE = 32, LIBSSH2_RSA_SHA2 = 0x010b00 };

/* Says why in libgit2's own place for it. */
static int refuse(const char *format, ...) G_GNUC_PRINTF(1, 2);
static int refuse(const char *format, ...) {
    va_list values;
    va_start(values, format);
    g_autofree char *text = g_strdup_vprintf(format, values);
    va_end(values);
    git_error_set_str(GIT_ERROR_SSH, text);
    return GIT_EAUTH;
}

/* libssh2 would only say that it could not authenticate. */
static int give_key(git_credential **out, const char *user, const char *file) {
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(file, &text, NULL, &error))
        return refuse("ssh_key_file %s cannot be read: %s", file, error->message);
    switch (key_look(text)) {
    case KEY_UNKNOWN:
        return refuse("ssh_key_file %s holds no private key; " MAKE_ONE, file, file);
    case KEY_PUBLIC:
        return refuse("ssh_key_file %s is the public key; name the private one", file);
    case KEY_ENCRYPTED:
        return refuse("ssh_key_file %s needs a passphrase, and nobody is there to type it; "
                      "ssh-keygen -p removes it",
                      file);
    case KEY_RSA:
    case KEY_OTHER:
        break;
    }
    return git_credential_ssh_key_new(out, user, NULL, file, "");
}

/* Whether the libssh2 beneath libgit2 signs with RSA keys by SHA-1 only, which it does before 1.11,
 * whatever form the key has. */
static bool signs_sha1_only(void) {
    const char *(*version)(int least);
    /* libgit2 has brought it, or starts ssh itself; C has no cast from an object to a function */
    *(void **)&version = dlsym(dlopen(NULL, RTLD_LAZY), "libssh2_version");
    return version && !version(LIBSSH2_RSA_SHA2);
}

static int key_refused(const char *file, const char *user) {
    g_autofree char *text = NULL;
    if (signs_sha1_only() && g_file_get_contents(file, &text, NULL, NULL) &&
        key_look(text) == KEY_RSA)
        return refuse("the server refused the key in ssh_key_file %s for user %s: it is an RSA "
                      "key, with which libssh2 before 1.11 (Debian 12) can only sign with SHA-1, "
                      "which OpenSSH since 8.8, GitHub and others refuse; use an Ed25519 or "
                      "ECDSA key: ssh-keygen -t ed25519",
                      file, user);
    return refuse(
        "the server refused the key in ssh_key_file %s for user %s: does it know the public key",
        file, user);
}

int srv__repo_credentials(git_credential **out, const char *url, const char *user, unsigned allowed,
                          void *payload) {
    (void)url;
    srv__transfer *t = payload;
    const char *key = t->source->ssh_key_file;
    const char *name = user ? user : "git";
    if ((allowed & GIT_CREDENTIAL_USERNAME) != 0)
        return git_credential_username_new(out, name);
    /* libgit2 asks on for ever with the same wrong answer. */
    if (t->credential_tries++ >= CREDENTIAL_TRIES)
        return key ? key_refused(key, name) : refuse("the server refused our credentials");
    if ((allowed & GIT_CREDENTIAL_SSH_KEY) != 0)
        return key ? give_key(out, name, key) : git_credential_ssh_key_from_agent(out, name);
    return refuse("the server asks for credentials and none are configured (is the repository "
                  "private, or the address wrong?)");
}

/* As ssh-keygen -l prints it; owned. */
static char *fingerprint(const git_cert_hostkey *key) {
    g_autofree char *base64 = g_base64_encode(key->hash_sha256, SHA256_SIZE);
    base64[strcspn(base64, "=")] = '\0';
    return g_strconcat("SHA256:", base64, NULL);
}

/* libgit2 1.9 forgets what a check of the host said: srv__repo_connected says it again. */
static int keep(srv__transfer *t, int code) {
    g_clear_error(&t->stopped);
    t->stopped = g_error_new_literal(G_IO_ERROR, G_IO_ERROR_FAILED, git_error_last()->message);
    return code;
}

int srv__repo_host_check(git_cert *certificate, int valid, const char *host, void *payload) {
    srv__transfer *t = payload;
    const char *const *expected = t->source->ssh_host_fingerprints;
    if (certificate->cert_type != GIT_CERT_HOSTKEY_LIBSSH2)
        return GIT_PASSTHROUGH;
    const git_cert_hostkey *key = (const git_cert_hostkey *)(const void *)certificate;
    if (!expected && valid)
        return 0; /* known_hosts has it */
    if ((key->type & GIT_CERT_SSH_SHA256) == 0)
        return keep(t, refuse("%s: the SHA-256 of its host key is not available", host));
    g_autofree char *shown = fingerprint(key);
    if (expected && g_strv_contains(expected, shown))
        return 0;
    refuse("%s shows the host key %s, which is not %s; ask its operator whether that is its key "
           "before you add it to ssh_host_fingerprints",
           host, shown, expected ? "the expected one" : "in known_hosts");
    return keep(t, GIT_ECERTIFICATE);
}
