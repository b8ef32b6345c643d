#include "server/http/http_exchange.h"

#include "config/number.h"

#include "server/ground/clock.h"

#include "web/pages/asset.h"

#include <netinet/in.h>
#include <string.h>

int64_t srv__http_length(const srv_request *request) {
    guint64 length = 0;
    const char *text = srv_request_header(request, "content-length");
    if (srv_request_header(request, "transfer-encoding") != NULL)
        return -1;
    if (!text)
        return 0;
    return cfg_number_unsigned(text, 0, G_MAXINT64, &length) ? (int64_t)length : -2;
}

/* A person who mistyped an address; programs say what they accept, and it is not a page. */
static bool wants_page(const srv_request *request) {
    const char *accept = srv_request_header(request, "accept");
    return accept && strstr(accept, "text/html") != NULL && strcmp(request->method, "GET") == 0 &&
           !g_str_has_prefix(request->path, "/api/");
}

static srv_reply *missing_page(void) {
    const web_asset *page = web_asset_find("missing.html");
    if (!page)
        return NULL;
    srv_reply *reply = srv_reply_bytes(page->content_type, g_bytes_ref(page->bytes), page->etag);
    reply->status = 404;
    reply->cache = "no-store";
    return reply;
}

static srv_reply *unknown(const srv_request *request, const char *allowed) {
    srv_reply *page = !allowed && wants_page(request) ? missing_page() : NULL;
    if (page)
        return page;
    if (!allowed)
        return srv_reply_problem(
            404, "there is nothing at this address; docs/api.md lists all addresses");
    g_autofree char *text =
        g_strdup_printf("%s is not allowed here; use %s", request->method, allowed);
    srv_reply *reply = srv_reply_problem(405, text);
    srv_reply_header(reply, "Allow", allowed);
    return reply;
}

static srv_reply *slower(const char *why) {
    srv_reply *reply = srv_reply_problem(429, why);
    srv_reply_header(reply, "Retry-After", "1");
    return reply;
}

static void tell(const srv_http_options *options, const srv_request *request, const char *why) {
    if (options->on_refusal)
        options->on_refusal(options->app, request, why);
}

/* Fills what the header proves into the request. When its token expired; 0: it has not. */
static int64_t prove(const srv_http_options *options, const char *header, srv_request *request) {
    g_auto(srv_auth_grant) grant = {.scopes = SRV_SCOPE_NONE};
    request->scopes = srv_auth_check(options->auth, header, srv_now_ms(), &grant);
    request->token = g_steal_pointer(&grant.name);
    request->token_key = g_steal_pointer(&grant.key);
    request->projects = g_steal_pointer(&grant.projects);
    if (grant.first && options->on_use)
        options->on_use(options->app);
    return grant.expired_ms;
}

static srv_reply *expired(const srv_http_options *options, const srv_request *request,
                          int64_t at_ms) {
    g_autofree char *day = srv_minute_text(at_ms);
    g_autofree char *text = g_strdup_printf(
        "the token %s expired on %s; moowatchd token rotate gives it another secret",
        request->token, day);
    tell(options, request, "expired token");
    srv_reply *reply = srv_reply_problem(401, text);
    srv_reply_header(reply, "WWW-Authenticate",
                     "Bearer realm=\"moowatch\", error=\"invalid_token\"");
    return reply;
}

static srv_reply *beyond_scope(const srv_http_options *options, const srv_request *request) {
    g_autofree char *wanted = srv_auth_scopes_text(request->route->scope);
    g_auto(GStrv) each = g_strsplit(wanted, ",", -1);
    g_autofree char *scopes = g_strjoinv(" or ", each);
    g_autofree char *text = g_strdup_printf("this needs a token with the scope %s, and %s has "
                                            "another one; moowatchd token add creates one",
                                            scopes, request->token);
    tell(options, request, "scope");
    return srv_reply_problem(403, text);
}

static srv_reply *authorise(const srv_http_options *options, srv_request *request) {
    unsigned wanted = request->route->scope;
    const char *header = srv_request_header(request, "authorization");
    /* Whoever guesses is slowed down; a good token is never locked out by others behind the same
     * address. That a guess is looked at costs one hash, and none is ever right: 256 bits. */
    const int64_t expired_ms = prove(options, header, request);
    if (header && !request->token &&
        !srv_rate_take(options->failures, request->client, g_get_monotonic_time())) {
        tell(options, request, "too many wrong tokens");
        return slower("too many wrong tokens from this address; wait a minute");
    }
    const cfg_server *config = options->config;
    request->details = config->public_details || (request->scopes & SRV_SCOPE_READ) != 0;
    request->apart = request->details && config->public_read && !config->public_details;
    if (config->public_read)
        request->scopes |= SRV_SCOPE_READ;
    if (wanted == SRV_SCOPE_NONE || (request->scopes & wanted) != 0)
        return NULL;
    if (expired_ms != 0)
        return expired(options, request, expired_ms);
    if (request->token)
        return beyond_scope(options, request);
    /* Who only reads is asked for a token first: a browser's first call is no attempt. */
    if (header || (wanted & SRV_SCOPE_READ) == 0)
        tell(options, request, header ? "unknown token" : "no token");
    srv_reply *reply =
        srv_reply_problem(401, !header ? "a token is needed: send Authorization: Bearer TOKEN "
                                         "(moowatchd token add creates one)"
                                       : "the token is not known; it may have been revoked");
    srv_reply_header(reply, "WWW-Authenticate", "Bearer realm=\"moowatch\"");
    if ((wanted & SRV_SCOPE_READ) != 0)
        srv_reply_header(reply, "WWW-Authenticate", "Basic realm=\"moowatch\", charset=\"UTF-8\"");
    return reply;
}

/* A browser says where a writing call comes from; other pages' calls are refused. */
static srv_reply *same_origin(const srv_http_options *options, const char *own_url,
                              const srv_request *request) {
    const char *origin = srv_request_header(request, "origin");
    const char *site = srv_request_header(request, "sec-fetch-site");
    bool foreign = site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0;
    if (origin && !foreign) {
        const char *port = strrchr(own_url, ':');
        const char *scheme = g_str_has_prefix(own_url, "https") ? "https" : "http";
        g_autofree char *local = g_strconcat(scheme, "://localhost", port, NULL);
        g_autofree char *loopback = g_strconcat(scheme, "://127.0.0.1", port, NULL);
        const char *ours = options->config->public_url;
        size_t length = strlen(origin);
        bool public_one = ours && g_ascii_strncasecmp(ours, origin, length) == 0 &&
                          (ours[length] == '\0' || ours[length] == '/');
        foreign = !public_one && strcmp(origin, own_url) != 0 && strcmp(origin, local) != 0 &&
                  strcmp(origin, loopback) != 0;
    }
    if (foreign)
        tell(options, request, "page of another site");
    return foreign ? srv_reply_problem(403, "a page of another site may not do this; if this is "
                                            "your own address, set public_url in the server's file")
                   : NULL;
}

static bool is_json(const char *type) {
    static const char json[] = "application/json";
    return type && g_ascii_strncasecmp(type, json, strlen(json)) == 0 &&
           strchr("; \t", type[strlen(json)]) != NULL;
}

static srv_reply *check_body(const srv_http_options *options, const srv_request *request) {
    int64_t length = srv__http_length(request);
    const srv_route *route = request->route;
    if (length == -2)
        return srv_reply_problem(400, "Content-Length is not a number");
    if (route->body == SRV_BODY_NONE && length != 0)
        return srv_reply_problem(413, "this call takes no body");
    const char *coding = srv_request_header(request, "content-encoding");
    if (coding && *coding != '\0' && length != 0 && g_ascii_strcasecmp(coding, "identity") != 0) {
        srv_reply *refusal = srv_reply_problem(
            415, "Content-Encoding is not read here; send the body as it is, uncompressed");
        srv_reply_header(refusal, "Accept-Encoding", "identity");
        return refusal;
    }
    if (route->body != SRV_BODY_JSON && route->body != SRV_BODY_HOOK)
        return NULL;
    if (length > 0 && (uint64_t)length > options->config->body_limit_bytes) {
        g_autofree char *text =
            g_strdup_printf("the body has %" G_GINT64_FORMAT
                            " bytes; the limit is %" G_GUINT64_FORMAT " (body_limit_bytes)",
                            length, options->config->body_limit_bytes);
        return srv_reply_problem(413, text);
    }
    if (length != 0 && route->body == SRV_BODY_JSON &&
        !is_json(srv_request_header(request, "content-type")))
        return srv_reply_problem(415, "send the body as Content-Type: application/json");
    return NULL;
}

/* A part of a text. */
typedef struct {
    const char *text;
    size_t length;
} span;

/* Of "[::1]:8300" and "localhost:8300" what is "::1" and "localhost". */
static span bare_host(const char *host) {
    const bool bracket = host[0] == '[';
    const char *from = host + bracket, *to = from;
    while (*to != '\0' && (bracket ? *to != ']' : *to != ':' && *to != '/'))
        to++;
    return (span){from, (size_t)(to - from)};
}

static bool same_host(span a, span b) {
    return a.length == b.length && g_ascii_strncasecmp(a.text, b.text, a.length) == 0;
}

static bool is_own_address(span host) {
    char text[INET6_ADDRSTRLEN] = "";
    if (host.length >= sizeof text)
        return false;
    memcpy(text, host.text, host.length);
    return srv_rate_is_loopback(text);
}

/* Asked of each request, before anything is read of it: nothing is allocated, and most name what
 * the server listens on. */
static bool http_host_ok(const cfg_server *config, const char *own_url, const char *host) {
    static const span local = {"localhost", sizeof "localhost" - 1};
    const char *own = strstr(own_url, "://");
    if (!host || (own && strcmp(own + strlen("://"), host) == 0))
        return true;
    if (config->behind_proxy || !srv_rate_is_loopback(config->listen))
        return true;
    const span name = bare_host(host);
    if (is_own_address(name) || same_host(name, local))
        return true;
    const char *url = config->public_url ? strstr(config->public_url, "://") : NULL;
    return url && same_host(name, bare_host(url + strlen("://")));
}

srv_reply *srv__http_gate(const srv_http_options *options, const char *own_url,
                          srv_request *request) {
    g_autofree char *allowed = NULL;
    GError *error = NULL;
    if (!http_host_ok(options->config, own_url, srv_request_header(request, "host")))
        return srv_reply_problem(403, "the Host header does not name this server; if it should, "
                                      "set public_url or behind_proxy in the server's file");
    /* A proxy that does not say for whom, and what runs on this machine, are not one client. */
    if (!srv_rate_is_loopback(request->client) &&
        !srv_rate_take(options->requests, request->client, g_get_monotonic_time()))
        return slower("more requests per second than client_requests_per_second allows");
    request->route = srv_route_find(options->routes, options->routes_count, request, &allowed);
    if (!request->route)
        return unknown(request, allowed);
    srv_reply *refusal = authorise(options, request);
    bool writes = strcmp(request->route->method, "GET") != 0;
    if (!refusal && writes)
        refusal = same_origin(options, own_url, request);
    if (!refusal && options->meant)
        options->meant(options->app, request);
    if (!refusal && request->projects && options->foreign)
        refusal = options->foreign(options->app, NULL, request, &request->later);
    if (!refusal && !srv_route_query_check(request->route, request, &error))
        refusal = srv_reply_error(error);
    return refusal ? refusal : check_body(options, request);
}
