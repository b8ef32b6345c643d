#pragma once
/*
 * http_gate - everything that is decided about a request before its body is read: is there such a
 * route, may this client use it, is the body of an acceptable kind and size.
 */
#include "server/http/http.h"

/**
 * srv__http_host_ok - is the Host header (NULL: absent) one that this daemon goes by? Asked only of
 * one that listens on loopback without a proxy: a page of another site may have its name point
 * there, and would read what only this machine should.
 * own_url  where the server listens
 */
bool srv__http_host_ok(const srv_http_options *options, const char *own_url, const char *host);

/**
 * srv__http_gate - decides from the request line and the headers.
 * Fills request->route, params, token, scopes. Returns NULL to go on, or the refusal.
 */
srv_reply *srv__http_gate(const srv_http_options *options, const char *own_url,
                          srv_request *request);

/** srv__http_length - Content-Length; 0: no body announced, -1: chunked, -2: not a number. */
int64_t srv__http_length(const srv_request *request);
