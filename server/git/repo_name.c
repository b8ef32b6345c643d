#include "server/git/repo_name.h"

#include "server/ground/error.h"

#include <gio/gio.h>
#include <string.h>

enum { URL_MAX = 2048, BRANCH_MAX = 255 };

static const char *const schemes[] = {"https://", "http://", "ssh://", "git://", "file:///"};

static bool has_scheme(const char *url) {
    for (size_t i = 0; i < G_N_ELEMENTS(schemes); i++)
        if (g_ascii_strncasecmp(url, schemes[i], strlen(schemes[i])) == 0)
            return url[strlen(schemes[i])] != '\0';
    return false;
}

/* user@host:path, the short ssh form. */
static bool is_scp_like(const char *url) {
    const char *at = strchr(url, '@');
    const char *colon = at ? strchr(at, ':') : NULL;
    if (!colon || at == url || colon == at + 1 || colon[1] == '\0' || colon[1] == ':')
        return false;
    for (const char *c = url; c < colon; c++)
        if (!g_ascii_isalnum(*c) && strchr("._-@", *c) == NULL)
            return false;
    return true;
}

static bool has_blank_or_control(const char *text) {
    for (const char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            return true;
    return false;
}

bool srv_repo_url_check(const char *url, GError **error) {
    bool ok = url && url[0] != '\0' && url[0] != '-' && strlen(url) <= URL_MAX &&
              g_utf8_validate(url, -1, NULL) && !has_blank_or_control(url) &&
              (url[0] == '/' || has_scheme(url) || is_scp_like(url));
    return ok ||
           SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                     "the repository's address is not valid; give an https, http, ssh, git or "
                     "file URL, user@host:path, or an absolute path, without spaces");
}

static bool component_ok(const char *part, size_t length) {
    bool locked = length >= 5 && memcmp(part + length - 5, ".lock", 5) == 0;
    return length > 0 && part[0] != '.' && part[length - 1] != '.' && !locked;
}

static bool branch_ok(const char *branch) {
    if (!branch || branch[0] == '\0' || branch[0] == '-' || strlen(branch) > BRANCH_MAX ||
        !g_utf8_validate(branch, -1, NULL) || has_blank_or_control(branch) ||
        strpbrk(branch, "~^:?*[\\") != NULL || strstr(branch, "..") != NULL ||
        strstr(branch, "@{") != NULL || strcmp(branch, "@") == 0 || strcmp(branch, "HEAD") == 0)
        return false;
    const char *part = branch;
    for (const char *slash = strchr(part, '/'); slash; slash = strchr(part, '/')) {
        if (!component_ok(part, (size_t)(slash - part)))
            return false;
        part = slash + 1;
    }
    return component_ok(part, strlen(part));
}

bool srv_repo_branch_check(const char *branch, GError **error) {
    if (branch_ok(branch))
        return true;
    return SRV__FAIL(
        error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
        "git does not accept the branch name (see git check-ref-format --branch NAME); "
        "correct branch: in the project's file");
}

bool srv_repo_commit_check(const char *commit) {
    size_t length = commit ? strlen(commit) : 0;
    if (length < 7 || length > 40)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!g_ascii_isxdigit(commit[i]))
            return false;
    return true;
}

/* The user[:password]@ part of scheme://…, as [start, end) with the @ included. */
static bool userinfo(const char *url, const char **start, const char **end) {
    const char *host = strstr(url, "://");
    if (!host)
        return false;
    host += 3;
    const char *stop = host + strcspn(host, "/?#");
    const char *at = NULL;
    for (const char *c = host; c < stop; c++)
        if (*c == '@')
            at = c;
    if (!at)
        return false;
    *start = host;
    *end = at + 1;
    return true;
}

bool srv_repo_url_has_secret(const char *url) {
    const char *start = NULL;
    const char *end = NULL;
    return userinfo(url, &start, &end) && memchr(start, ':', (size_t)(end - start));
}

char *srv_repo_url_public(const char *url) {
    const char *start = NULL;
    const char *end = NULL;
    if (!userinfo(url, &start, &end))
        return g_strdup(url);
    return g_strdup_printf("%.*s%s", (int)(start - url), url, end);
}

char *srv_repo_redact(const char *text, const char *url) {
    const char *start = NULL;
    const char *end = NULL;
    if (!userinfo(url, &start, &end))
        return g_strdup(text);
    /* The library may quote the address whole or only its user part. */
    g_autofree char *secret = g_strndup(start, (gsize)(end - start));
    g_auto(GStrv) parts = g_strsplit(text, secret, -1);
    return g_strjoinv("", parts);
}
