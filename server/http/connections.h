#pragma once
/*
 * connections - who is connected since when: how many of one address, and until when head and body
 * of a request must be there, and who makes room when there are too many. The library only ends a
 * connection on which nothing at all moves; a byte now and then holds one for ever. Thread-safe.
 */
#include <glib.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <sys/socket.h>

typedef struct srv__connections srv__connections;

typedef struct {
    unsigned total;      /* beyond, the one that has been idle for longest ends; the new one, when
                            none is */
    unsigned per_client; /* of one address (IPv6: of one /64), loopback excepted; 0: no limit */
    unsigned head_s; /* from the connection's begin, or the last answer's end, to a whole head */
    unsigned body_s; /* of a body that is collected */
    unsigned raw_s;  /* of a body that goes to a file */
    unsigned idle_s; /* that a connection may wait for its next request */
} srv__connections_limits;

/** srv__connections_new - starts the thread that looks once a second. NULL with error. */
srv__connections *srv__connections_new(const srv__connections_limits *limits, GError **error);

/** srv__connections_free - after the library has closed all connections. */
void srv__connections_free(srv__connections *all);

/** srv__connections_notify - for MHD_OPTION_NOTIFY_CONNECTION; data: srv__connections. */
void srv__connections_notify(void *data, struct MHD_Connection *connection, void **slot,
                             enum MHD_ConnectionNotificationCode what);

/** srv__connections_text - an IP address as text; "": NULL or of another family; caller frees. */
char *srv__connections_text(const struct sockaddr *address);

/** srv__connections_address - of the peer, as srv__connections_text writes it; caller frees. */
char *srv__connections_address(struct MHD_Connection *connection);

/* What a connection is waited for. */
typedef enum {
    SRV__AWAITS_NEXT, /* another request, after an answer */
    SRV__AWAITS_BODY,
    SRV__AWAITS_RAW,
    SRV__AWAITS_US /* nothing: the answer is ours to make */
} srv__awaits;

void srv__connections_await(srv__connections *all, struct MHD_Connection *connection,
                            srv__awaits what);
