#include "server/http/reply.h"

#include "config/json_text.h"
#include "config/log.h"
#include "server/ground/error.h"

#include <gio/gio.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { BUSY_PAUSE_S = 2, FULL_PAUSE_S = 60 };

srv_reply *srv_reply_new(unsigned status) {
    srv_reply *reply = g_new0(srv_reply, 1);
    reply->status = status;
    reply->fd = -1;
    reply->headers = g_ptr_array_new_with_free_func(g_free);
    return reply;
}

void srv_reply_free(srv_reply *reply) {
    if (!reply)
        return;
    g_free(reply->content_type);
    g_clear_pointer(&reply->body, g_bytes_unref);
    g_clear_pointer(&reply->gzip, g_bytes_unref);
    if (reply->fd >= 0)
        close(reply->fd);
    if (reply->source.free)
        reply->source.free(reply->source.data);
    g_free(reply->etag);
    g_free(reply->fault);
    g_ptr_array_unref(reply->headers);
    g_free(reply);
}

void srv_reply_header(srv_reply *reply, const char *name, const char *value) {
    g_ptr_array_add(reply->headers, g_strdup(name));
    g_ptr_array_add(reply->headers, g_strdup(value));
}

void srv_reply_saved_as(srv_reply *reply, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *name = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *value =
        g_strdup_printf("attachment; filename=\"%s\"",
                        g_strcanon(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-", '_'));
    srv_reply_header(reply, "Content-Disposition", value);
}

static char *hash_etag(GBytes *body) {
    g_autofree char *hex = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, body);
    return g_strdup_printf("\"%.32s\"", hex);
}

static GBytes *json_bytes(json_t *value) {
    char *text = cfg_json_text(value, 0);
    json_decref(value);
    return text ? g_bytes_new_with_free_func(text, strlen(text), g_free, text) : NULL;
}

srv_reply *srv_reply_json(unsigned status, json_t *value) {
    GBytes *body = json_bytes(value);
    if (!body) {
        cfg_log("error", "http", "unprintable_json", "%s", "");
        return srv_reply_problem(500, "the answer could not be written; see the log");
    }
    srv_reply *reply = srv_reply_new(status);
    reply->content_type = g_strdup("application/json");
    reply->body = body;
    if (status == 200)
        reply->etag = hash_etag(body);
    return reply;
}

static const char *title(unsigned status) {
    static const struct {
        unsigned status;
        const char *title;
    } titles[] = {{400, "Bad request"},
                  {401, "Unauthorized"},
                  {403, "Forbidden"},
                  {404, "Not found"},
                  {405, "Method not allowed"},
                  {408, "Request timeout"},
                  {409, "Conflict"},
                  {410, "Gone"},
                  {411, "Length required"},
                  {413, "Content too large"},
                  {415, "Unsupported media type"},
                  {422, "Unprocessable content"},
                  {429, "Too many requests"},
                  {500, "Internal server error"},
                  {503, "Busy"},
                  {507, "Insufficient storage"}};
    for (size_t i = 0; i < G_N_ELEMENTS(titles); i++)
        if (titles[i].status == status)
            return titles[i].title;
    return "Error";
}

static srv_reply *problem_at(unsigned status, const char *detail, unsigned line) {
    srv_reply *reply = srv_reply_new(status);
    g_autofree char *valid = g_utf8_make_valid(detail, -1);
    reply->content_type = g_strdup("application/problem+json");
    json_t *problem = json_pack("{s:s, s:s, s:i, s:s}", "type", "about:blank", "title",
                                title(status), "status", (int)status, "detail", valid);
    if (line > 0)
        json_object_set_new(problem, "line", json_integer(line));
    reply->body = json_bytes(problem);
    reply->cache = "no-store";
    return reply;
}

static void pause_for(srv_reply *reply, unsigned pause_s) {
    char text[16];
    g_snprintf(text, sizeof text, "%u", pause_s);
    srv_reply_header(reply, "Retry-After", text);
}

srv_reply *srv_reply_later(const char *detail, unsigned pause_s) {
    srv_reply *reply = problem_at(503, detail, 0);
    pause_for(reply, pause_s);
    return reply;
}

static srv_reply *problem_of(unsigned status, const char *detail, unsigned line) {
    srv_reply *reply = problem_at(status, detail, line);
    if (status == 503 || status == 507)
        pause_for(reply, status == 503 ? BUSY_PAUSE_S : FULL_PAUSE_S);
    return reply;
}

srv_reply *srv_reply_problem(unsigned status, const char *detail) {
    return problem_of(status, detail, 0);
}

static unsigned status_of(const GError *error) {
    static const unsigned of_store[] = {
        [SRV_ERROR_NOT_FOUND] = 404, [SRV_ERROR_CONFLICT] = 409,  [SRV_ERROR_INVALID] = 400,
        [SRV_ERROR_REJECTED] = 422,  [SRV_ERROR_TOO_LARGE] = 413, [SRV_ERROR_FULL] = 507,
        [SRV_ERROR_BUSY] = 503,      [SRV_ERROR_GONE] = 410,      [SRV_ERROR_FORBIDDEN] = 403,
        [SRV_ERROR_INTERNAL] = 500};
    if (!error)
        return 500;
    if (error->domain == SRV_ERROR && error->code >= 0 && error->code < (int)G_N_ELEMENTS(of_store))
        return of_store[error->code];
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT))
        return 400;
    return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) ? 404 : 500;
}

srv_reply *srv_reply_error(GError *error) {
    return srv_reply_error_at(error, 0);
}

srv_reply *srv_reply_error_at(GError *error, unsigned line) {
    unsigned status = status_of(error);
    const char *text = error ? error->message : "an error without a message";
    srv_reply *reply = NULL;
    if (status == 500) {
        cfg_log("error", "http", "failed", "reason=%s", text);
        reply = srv_reply_problem(500, "the server failed; its log says why");
    } else {
        reply = problem_of(status, text, line);
    }
    if (status == 507)
        cfg_log("error", "http", "full", "reason=%s", text);
    if (status == 500) /* a full disk is told by itself, and a project's quota is its own concern */
        reply->fault = g_strdup(text);
    g_clear_error(&error);
    return reply;
}

srv_reply *srv_reply_bytes(const char *content_type, GBytes *body, const char *etag) {
    srv_reply *reply = srv_reply_new(200);
    reply->content_type = g_strdup(content_type);
    reply->body = body;
    reply->etag = etag ? g_strdup(etag) : hash_etag(body);
    return reply;
}

srv_reply *srv_reply_file(const char *content_type, int fd, uint64_t size) {
    srv_reply *reply = srv_reply_new(200);
    reply->content_type = g_strdup(content_type);
    reply->fd = fd;
    reply->fd_size = size;
    return reply;
}

srv_reply *srv_reply_stream(const char *content_type, srv_reply_source source) {
    srv_reply *reply = srv_reply_new(200);
    reply->content_type = g_strdup(content_type);
    reply->source = source;
    return reply;
}

bool srv_etag_matches(const char *etag, const char *if_none_match) {
    if (!etag || !if_none_match)
        return false;
    g_auto(GStrv) tags = g_strsplit(if_none_match, ",", 64);
    for (size_t i = 0; tags[i]; i++) {
        const char *tag = g_strstrip(tags[i]);
        if (g_str_has_prefix(tag, "W/"))
            tag += 2;
        if (strcmp(tag, "*") == 0 || strcmp(tag, etag) == 0)
            return true;
    }
    return false;
}
