#include "config/credential.h"

#include <string.h>

/* For a shell: the variables are expanded there, printf is built in. */
#define HELPER                                                                                     \
    "!f() { test \"$1\" = get && printf 'username=%s\\npassword=%s\\n' "                           \
    "\"$" CFG_CREDENTIAL_USER "\" \"$" CFG_CREDENTIAL_PASSWORD "\"; }; f"
#define URL_BYTES_MAX 2048
#define PASSWORD_BYTES_MIN 4 /* a shorter one is part of too many words */
#define HOST_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]%"

/* As written in the address, or with its %xx undone. A line's end would be another of git's words.
 */
static char *decoded(const char *text) {
    char *plain = g_uri_unescape_string(text, NULL);
    if (plain && !strpbrk(plain, "\r\n"))
        return plain;
    g_free(plain);
    return g_strdup(strpbrk(text, "\r\n") ? "" : text);
}

/* The '@' that ends what stands before the host; NULL: there is none. */
static const char *end_of_user(const char *begin) {
    size_t length = strcspn(begin, "/?#");
    for (size_t i = length; i > 0; i--)
        if (begin[i - 1] == '@')
            return begin + i - 1;
    return NULL;
}

static void take_web(const char *url, const char *begin, const char *at, cfg_credential *out) {
    g_autofree char *scheme = g_strndup(url, (gsize)(begin - url));
    g_autofree char *user = g_strndup(begin, (gsize)(at - begin));
    g_autofree char *host = g_strndup(at + 1, strcspn(at + 1, "/?#"));
    char *colon = strchr(user, ':');
    if (colon)
        *colon = '\0';
    out->address = g_strconcat(scheme, at + 1, NULL);
    if (host[strspn(host, HOST_LETTERS)] != '\0')
        return; /* no host: git says so */
    out->user = decoded(user);
    out->password = decoded(colon ? colon + 1 : "");
    out->setting = g_strconcat("credential.", scheme, host, ".helper=", HELPER, NULL);
}

static void take_ssh(const char *url, const char *begin, const char *at, cfg_credential *out) {
    const char *colon = memchr(begin, ':', (size_t)(at - begin));
    g_autofree char *user = g_strndup(url, (gsize)((colon ? colon : at) - url));
    out->address = g_strconcat(user, at, NULL);
}

void cfg_credential_take(const char *url, cfg_credential *out) {
    const char *scheme = strstr(url, "://");
    const char *begin = scheme ? scheme + strlen("://") : NULL;
    const char *at = begin ? end_of_user(begin) : NULL;
    *out = (cfg_credential){0};
    if (at && (g_str_has_prefix(url, "https://") || g_str_has_prefix(url, "http://")))
        take_web(url, begin, at, out);
    else if (at && g_str_has_prefix(url, "ssh://"))
        take_ssh(url, begin, at, out);
    else
        out->address = g_strdup(url);
}

/* user@host:path, the short form of ssh. */
static bool is_scp_like(const char *url) {
    const char *at = strchr(url, '@'), *colon = at ? strchr(at, ':') : NULL;
    if (!colon || at == url || colon == at + 1 || colon[1] == '\0' || colon[1] == ':')
        return false;
    for (const char *c = url; c < colon; c++)
        if (!g_ascii_isalnum(*c) && !strchr("._-@", *c))
            return false;
    return url[0] != '-';
}

cfg_url_kind cfg_url_kind_of(const char *url) {
    static const struct {
        const char *prefix;
        cfg_url_kind kind;
    } schemes[] = {{"https://", CFG_URL_WEB}, {"http://", CFG_URL_WEB},    {"git://", CFG_URL_WEB},
                   {"ssh://", CFG_URL_SSH},   {"file:///", CFG_URL_LOCAL}, {"/", CFG_URL_LOCAL}};
    cfg_url_kind kind = is_scp_like(url) ? CFG_URL_SSH : CFG_URL_NONE;
    for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++)
        if (g_str_has_prefix(url, schemes[i].prefix)) {
            const char first = url[strlen(schemes[i].prefix)];
            kind = first != '-' && first != '\0' ? schemes[i].kind : CFG_URL_NONE;
            break;
        }
    for (const char *c = url; *c != '\0'; c++)
        if (g_ascii_iscntrl(*c) || (*c == ' ' && kind != CFG_URL_LOCAL))
            return CFG_URL_NONE;
    return strlen(url) <= URL_BYTES_MAX ? kind : CFG_URL_NONE;
}

/* "user:password@" of scheme://user:password@host/…; NULL when there is none. */
static char *user_of(const char *url) {
    const char *scheme = strstr(url, "://");
    const char *begin = scheme ? scheme + strlen("://") : NULL;
    const char *at = begin ? end_of_user(begin) : NULL;
    return at ? g_strndup(begin, (gsize)(at + 1 - begin)) : NULL;
}

bool cfg_url_has_password(const char *url) {
    g_autofree char *user = user_of(url);
    return user && strchr(user, ':');
}

char *cfg_url_hide(const char *text, const char *url) {
    g_autofree char *secret = user_of(url);
    if (!secret)
        return g_strdup(text);
    GString *shown = g_string_new(text);
    g_string_replace(shown, secret, "", 0);
    /* A server may say the password again, without the rest of the address. */
    g_autofree char *password = g_strndup(secret, strlen(secret) - 1);
    char *colon = strchr(password, ':');
    if (colon && strlen(colon + 1) >= PASSWORD_BYTES_MIN)
        g_string_replace(shown, colon + 1, "…", 0);
    return g_string_free(shown, FALSE);
}

void cfg_credential_clear(cfg_credential *credential) {
    g_clear_pointer(&credential->address, g_free);
    g_clear_pointer(&credential->user, g_free);
    g_clear_pointer(&credential->password, g_free);
    g_clear_pointer(&credential->setting, g_free);
}
