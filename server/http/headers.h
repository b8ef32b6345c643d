#pragma once
/*
 * headers - all that a request's headers say, read in one place: by name, who the client is, and
 * whether they leave a doubt about where the body ends. What another server on the way may read
 * otherwise than we do is how requests are smuggled: it is refused, and the connection closed.
 */
#include "server/http/http.h"

#include <microhttpd.h>
#include <netinet/in.h>

/* What is looked at header by header, without a copy. */
typedef struct {
    const char *next;  /* where the next name begins if all lines end as they should; NULL: the
                          library looks itself */
    unsigned headers;  /* so far */
    unsigned framings; /* bits: those that may stand once and were there */
    unsigned status;   /* 0: all is clear; else why the request is refused */
    const char *wrong;
} srv__headers_look;

/** srv__headers_look_at - a MHD_KeyValueIteratorN; data: srv__headers_look, first all 0. */
enum MHD_Result srv__headers_look_at(void *data, enum MHD_ValueKind kind, const char *name,
                                     size_t name_size, const char *value, size_t value_size);

/**
 * srv__headers_refusal - asked before anything else. method, version: as the library gives them,
 * with the request's head between them. NULL: all is clear; else the connection is to be closed.
 */
srv_reply *srv__headers_refusal(struct MHD_Connection *connection, const char *method,
                                const char *version);

/**
 * srv__headers_client - the address that a list of X-Forwarded-For has at its back-th place from
 * the end (the first, when it is shorter), without port, brackets, quotes and zone; "unknown" when
 * that is no address.
 */
void srv__headers_client(const char *list, unsigned back, char out[INET6_ADDRSTRLEN]);

/** srv__headers_read - fills headers (lower-case name → value, the first of each name) and client
 * of the request. */
void srv__headers_read(struct MHD_Connection *connection, const srv_http_options *options,
                       srv_request *request);
