#include "server/http/request.h"

#include "config/number.h"
#include "server/ground/error.h"

#include <gio/gio.h>
#include <glib.h>
#include <string.h>

static bool bad(GError **error, const char *text) {
    return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s", text);
}

static bool is_clean(const char *text) {
    for (const char *c = text; *c != '\0'; c++)
        if (g_ascii_iscntrl(*c))
            return false;
    return g_utf8_validate(text, -1, NULL);
}

/* Decodes %XX (and '+' in a query); NULL when broken or unclean. */
static char *decode(const char *text, size_t length, bool plus) {
    g_autofree char *own = g_strndup(text, length);
    g_autofree char *plain = g_uri_unescape_string(plus ? g_strdelimit(own, "+", ' ') : own, NULL);
    return plain && is_clean(plain) ? g_steal_pointer(&plain) : NULL;
}

static bool has_dot_segment(const char *path) {
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    return g_strv_contains((const char *const *)parts, ".") ||
           g_strv_contains((const char *const *)parts, "..");
}

static bool parse_query(srv_request *request, const char *query) {
    g_auto(GStrv) pairs = g_strsplit(query, "&", -1);
    for (size_t i = 0; pairs[i]; i++) {
        if (pairs[i][0] == '\0')
            continue;
        size_t name_length = strcspn(pairs[i], "=");
        const char *value = pairs[i] + name_length + (pairs[i][name_length] == '=');
        g_autofree char *name = decode(pairs[i], name_length, true);
        g_autofree char *text = decode(value, strlen(value), true);
        if (!name || !text)
            return false;
        if (!g_hash_table_contains(request->query, name))
            g_hash_table_insert(request->query, g_steal_pointer(&name), g_steal_pointer(&text));
    }
    return true;
}

bool srv_request_parse_target(srv_request *request, const char *target, GError **error) {
    request->query = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    if (target[0] != '/')
        return bad(error, "the request target must be an absolute path");
    size_t path_length = strcspn(target, "?#");
    request->path = decode(target, path_length, false);
    if (!request->path)
        return bad(error, "the path holds a broken escape, a control character or is not UTF-8");
    if (has_dot_segment(request->path))
        return bad(error, "the path must not have . or .. as a segment");
    if (target[path_length] == '?' && !parse_query(request, target + path_length + 1))
        return bad(error, "the query holds a broken escape, a control character or is not UTF-8");
    return true;
}

void srv_request_clear(srv_request *request) {
    g_free(request->method);
    g_free(request->path);
    for (size_t i = 0; i < SRV_REQUEST_PARAMS; i++)
        g_free(request->params[i]);
    g_clear_pointer(&request->query, g_hash_table_unref);
    g_clear_pointer(&request->headers, g_hash_table_unref);
    g_clear_pointer(&request->body, g_byte_array_unref);
    g_free(request->client);
    g_free(request->token);
    g_free(request->token_key);
    g_strfreev(request->projects);
    memset(request, 0, sizeof *request);
}

const char *srv_request_header(const srv_request *request, const char *name) {
    return g_hash_table_lookup(request->headers, name);
}

const char *srv_request_query(const srv_request *request, const char *name) {
    return g_hash_table_lookup(request->query, name);
}

bool srv_request_unsigned(const srv_request *request, const char *name, uint64_t min, uint64_t max,
                          uint64_t *out, GError **error) {
    const char *text = srv_request_query(request, name);
    guint64 value = 0;
    if (!text)
        return true;
    if (!cfg_number_unsigned(text, min, max, &value))
        return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "%s must be a whole number from %" G_GUINT64_FORMAT
                         " to %" G_GUINT64_FORMAT,
                         name, min, max);
    *out = value;
    return true;
}

bool srv_request_id(const srv_request *request, unsigned index, int64_t *out, GError **error) {
    guint64 value = 0;
    if (!cfg_number_unsigned(request->params[index], 1, G_MAXINT64, &value))
        return bad(error, "an id must be a positive whole number");
    *out = (int64_t)value;
    return true;
}

json_t *srv_request_json(const srv_request *request, GError **error) {
    json_error_t where;
    if (!request->body || request->body->len == 0) {
        bad(error, "the request has no body; a JSON object was expected");
        return NULL;
    }
    json_t *value = json_loadb((const char *)request->body->data, request->body->len,
                               JSON_REJECT_DUPLICATES, &where);
    if (!value)
        return SRV__NULL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         "the body is not JSON: line %d, column %d: %s", where.line, where.column,
                         where.text);
    if (!json_is_object(value)) {
        json_decref(value);
        bad(error, "the body is JSON but not an object");
        return NULL;
    }
    return value;
}

#define DIGEST_KEY "sha-256="
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
        if (g_str_has_prefix(member, DIGEST_KEY))
            found = read_value(member + strlen(DIGEST_KEY), sha256);
    }
    return found;
}
